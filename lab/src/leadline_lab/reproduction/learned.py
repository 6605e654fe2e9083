"""What strategies learned in trials, as tables: words by iteration, queues, reverse searching."""

from collections.abc import Sequence
from typing import Any

from leadline_lab.experiments.trial import Result
from leadline_lab.reproduction.tables import table

_WORDS = 6
"""Shown of each context: ACHE's Table 2 has five."""
_CONTEXTS = {
    "site_url": "host names",
    "site_anchor": "anchors of links to sites",
    "site_around": "around them",
    "link_path": "paths",
    "link_anchor": "anchors of links to forms",
    "link_around": "around these",
}


def iterations_table(result: Result) -> str:
    """The words ACHE chose at each learning, most frequent first (its Fig. 6 and Table 2)."""
    rows = [
        (each["pages"], each["forms"], *(_chosen(each["terms"].get(s, [])) for s in _SPACES))
        for each in result.learned.get("iterations", [])
    ]
    return table(("pages", "forms", "URL", "anchor", "around"), rows)


_SPACES = ("url", "anchor", "around")


def _chosen(terms: Sequence[dict[str, Any]]) -> str:
    return ", ".join(each["term"] for each in terms[:_WORDS]) or "-"


def features_table(result: Result) -> str:
    """SmartCrawler's feature sets after its last learning (its Table 5)."""
    kept = result.learned.get("iterations", [])
    tables = kept[-1]["tables"] if kept else {}
    rows = (
        (name, ", ".join(f"{word} {times}" for _, word, times in tables.get(key, [])[:_WORDS]))
        for key, name in _CONTEXTS.items()
    )
    return table(("context", "most frequent words"), rows)


def reverse_table(results: Sequence[Result]) -> str:
    """How often was asked who links to a site, and what came of it (SmartCrawler's Table 4)."""
    told = [(r, r.learned["reverse"]) for r in results if r.learned.get("reverse", {}).get("asked")]
    columns = ("asked", "pages", "center pages", "sites")
    rows = (
        (r.trial.domain, r.trial.profile, *(counts[c] for c in columns), r.uses.get("service", 0))
        for r, counts in told
    )
    return table(("domain", "world", *columns, "requests to the service"), rows)
