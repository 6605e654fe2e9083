"""How much a harvest may spend, and when it is not worth going on."""

from msgspec import Struct

from leadline.core.kept import Tally


class Limits(Struct, frozen=True):
    """The budget of one source; None is without limit."""

    requests: int | None = None
    queries: int | None = None
    records: int | None = None
    seconds: float | None = None
    """Of one run; the others count over all runs."""

    def spent(self, tally: Tally, seconds: float, *, is_query_next: bool) -> str:
        """The reason to send nothing more, or '' while there is something left.

        The last query allowed is still read to its end: its number is no matter then.
        """
        used = {
            "requests": tally.requests,
            "records": tally.records,
            "seconds": seconds,
        }
        if is_query_next:
            used["queries"] = tally.queries
        for name, amount in used.items():
            limit = getattr(self, name)
            if limit is not None and amount >= limit:
                return f"budget: {name}"
        return ""


class Worth(Struct, frozen=True):
    """When it is time to give up."""

    give_up_after: int = 5
    """Queries in a row without any answer."""
    refused_in_a_row: int = 20
    """Queries in a row that were answered, and not looked up."""
    same_answers: int = 5
    """As many queries with one and the same answer, and no other, are ignored by the source."""


class Waits(Struct, frozen=True):
    """How often a request is tried, and the pauses between."""

    tries: int = 4
    blocked_tries: int = 2
    pause_s: float = 30.0
    """Before the second try; each further pause is twice as long."""
    max_pause_s: float = 600.0
    """A site that asks for a longer one is left for this run."""

    def pause_before(self, tries: int, asked_s: float | None) -> float:
        """After so many tries; `asked_s` is what the site asked for."""
        return max(self.pause_s * 2.0 ** (tries - 1), asked_s or 0.0)
