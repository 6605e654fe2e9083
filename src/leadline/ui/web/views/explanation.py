"""Why a URL, site or form was ranked, followed, skipped or accepted."""

import math
from typing import Any

from leadline.ui.explain import Facts, explain
from leadline.ui.web.models import Explanation
from leadline.ui.web.seen.following import Following
from leadline.ui.web.seen.lookup import FollowedLookup
from leadline.ui.web.views.judging import deciding_of, ranking_of

_GONE = "the topic or a model of the crawl's settings is no longer there"
_KINDS = ("form", "url", "site")
"""What facts are about is their first name."""


def explanation(seen: Following, subject: str) -> Explanation:
    """Of an unknown subject there are no facts."""
    deciding, ranking = deciding_of(seen), ranking_of(seen)
    facts: Facts | None = {"not told": _GONE}
    if deciding is not None and ranking is not None:
        facts = explain(seen.store, subject.strip(), deciding, ranking, FollowedLookup(seen))
    kind = next((kind for kind in _KINDS if facts and kind in facts), "unknown")
    return Explanation(subject=subject, kind=kind, facts=_plain(facts or {}))


def _plain(fact: Any) -> Any:
    """As JSON can tell it: what is no number is left out."""
    if isinstance(fact, dict):
        return {name: _plain(inner) for name, inner in fact.items()}
    if isinstance(fact, list | tuple):
        return [_plain(inner) for inner in fact]
    return None if isinstance(fact, float) and not math.isfinite(fact) else fact
