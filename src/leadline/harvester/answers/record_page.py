"""A record read from its own page."""

from collections.abc import Mapping

from leadline.core.harvest import Record
from leadline.harvester.answers.addresses import Keys
from leadline.harvester.answers.fields import Labels, images_of, runs_of
from leadline.harvester.answers.parts import Part
from leadline.harvester.answers.sight import Sight
from leadline.harvester.answers.splitting import Item
from leadline.harvester.reply import Reply

_MOST = 0.9
"""Share of the page's fresh text that its main part holds."""


def record_of(sight: Sight, reply: Reply, keys: Keys, labels: Mapping[str, int]) -> Record:
    """The record of the page, with the key that lists give it."""
    row = _main_part(sight)
    item = Item((Part(row, sight.outline.ends[row], ""),))
    runs = runs_of(sight, item)
    named = Labels([runs], labels)
    cells = tuple(cell for run in runs for cell in named.cells(run, {}))
    url = reply.response.url
    title = _heading(sight) or reply.page.title
    return Record(keys.key(url), title, cells, url, images=images_of(sight, item))


def _main_part(sight: Sight) -> int:
    """The smallest element that holds nearly all that the frame has not."""
    ends = sight.outline.ends
    row = 0
    while True:
        least = _MOST * sight.mass(row, ends[row])
        heavy = (c for c in sight.children[row] if sight.mass(c, ends[c]) > least)
        inside = next(heavy, None)
        if inside is None or not sight.children[inside]:
            return row
        row = inside


def _heading(sight: Sight) -> str:
    """The first main heading that is not part of the frame."""
    outline = sight.outline
    rows = (row for row, tag in enumerate(outline.tags) if tag in ("h1", "h2"))
    texts = (outline.text(row) for row in rows if not sight.is_steady(row, outline.ends[row]))
    return next(filter(None, texts), "")
