"""Two stores side by side."""

from leadline.ui.web.models import Comparison
from leadline.ui.web.seen.following import Following
from leadline.ui.web.views.overview import overview


def compare(left: Following, right: Following) -> Comparison:
    """Each is looked at on its own: nobody waits for two stores at once."""
    with left.looking() as seen:
        first = overview(seen)
    if right is left:
        return Comparison(left=first, right=first)
    with right.looking() as seen:
        return Comparison(left=first, right=overview(seen))
