"""What people tell a crawl while it runs or rests: orders, and labels on what it found."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

PAUSE, RESUME, STOP = "pause", "resume", "stop"
BUDGET, SEEDS, EXCLUDE = "budget", "seeds", "exclude"
ORDERS = (PAUSE, RESUME, STOP, BUDGET, SEEDS, EXCLUDE)

FORM, PAGE = "form", "page"
RIGHT, WRONG, NONE = "right", "wrong", "none"


class Order(Struct, frozen=True):
    """Something the crawl on a store is to do. It is obeyed once, by the run that meets it."""

    kind: str
    """One of ORDERS."""
    at: float
    detail: str = ""
    """Budgets, URLs or sites, as JSON; '' where none are needed."""
    id: int = 0
    """Given by the desk, rising from 1."""
    done_at: float | None = None
    """When it was obeyed or refused; None while it waits."""
    outcome: str = ""
    """What became of it, for people."""


class Label(Struct, frozen=True):
    """A person's word on something a critic judged."""

    what: str
    """`form` or `page`."""
    subject: str
    """A form's signature, a page's URL."""
    verdict: str
    """`right`: it is what the crawl looks for; `wrong`: it is not; `none`: taken back."""
    at: float
    topic: str = ""
    """The crawl's topic when it was given."""
    before: float | None = None
    """The critic's score then."""


class Desk(Protocol):
    """Where people leave orders and labels, also while another process crawls (decision 0016).

    Guarantees: what is left here is durable when the call returns; orders come out in the order
    in which they were given; of a subject's labels the last one counts.
    """

    def give(self, order: Order) -> Order:
        """Leave an order; the same with its id."""
        ...

    def orders(self, after: int = 0, limit: int | None = None) -> list[Order]:
        """Those with a higher id, in order."""
        ...

    def finish(self, order: int, at: float, outcome: str) -> None:
        """Say what became of an order."""
        ...

    def label(self, labels: Sequence[Label]) -> None: ...

    def labels(self) -> list[Label]:
        """The labels in force, in the order in which they were given."""
        ...
