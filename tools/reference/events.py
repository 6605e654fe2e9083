"""docs/reference/events.md, made from the registry of events and the reasons to stop."""

from collections.abc import Iterator

from leadline.core.events import EVENT_KINDS
from leadline.ui.cli.crawl import HINTS

_HEAD = """\
# Events

Besides visits, a store keeps events: what happened, when, to what.
`leadline export STORE events.jsonl --what events` writes them all, `leadline explain STORE SITE`
shows those of a site. Submissions and refusals are the audit log of
[what was submitted](../guides/submitting.md). Each has the fields `at` (seconds since 1970),
`kind`, `subject` and `detail`.
"""
_SAMPLES = """\
## Samples

```json
{"visits": 200, "pages": 181, "queues": {"high sites": 12, "links inside sites": 840}, "sites": 31}
```

The queues are those of the strategy, by name and in their order: levels of FFC and ACHE, sites and
links of SmartCrawler, links of all others. `sites` are open sites where something waits and
nothing is under way. In Python, `leadline.core.samples.sample_of` reads one.
"""
_REASONS = """\
## Stop reasons of a crawl

The detail of `stopped`. Those of harvests are told in
[harvesting](../guides/harvesting.md#when-it-stops).
"""


def render_events(made: str) -> str:
    """The whole page; `made` is the note that it is made."""
    return "\n".join([f"{made}\n{_HEAD}", *_kinds(), "", _SAMPLES, _REASONS, *_reasons(), ""])


def _kinds() -> Iterator[str]:
    yield "| kind | when | subject | detail |\n|---|---|---|---|"
    for name, kind in EVENT_KINDS.items():
        yield f"| `{name}` | {kind.when} | {kind.subject} | {kind.detail} |"


def _reasons() -> Iterator[str]:
    yield "| reason | what it means |\n|---|---|"
    for reason, hint in HINTS.items():
        yield f"| `{reason}` | {hint} |"
