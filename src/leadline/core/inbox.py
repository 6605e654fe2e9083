"""What people tell a crawl while it runs or rests: orders, and labels on what it found."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from leadline.errors import ConfigError

PAUSE, RESUME, STOP = "pause", "resume", "stop"
BUDGET, SEEDS, EXCLUDE = "budget", "seeds", "exclude"
ORDERS = (PAUSE, RESUME, STOP, BUDGET, SEEDS, EXCLUDE)

FORM, PAGE = "form", "page"
LABELLED = (FORM, PAGE)
RIGHT, WRONG, NONE = "right", "wrong", "none"
VERDICTS = (RIGHT, WRONG, NONE)


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


class Inbox(Protocol):
    """Where people leave orders and labels, also while another process crawls (decision 15).

    Guarantees: what is left here is durable when the call returns; orders come out in the order
    in which they were given; an order is finished once; of a subject's labels the last one
    counts; any thread may call.
    """

    def give(self, order: Order) -> Order:
        """Leave an order; the same with its id. Raises ConfigError for an unknown kind."""
        ...

    def orders(self, after: int = 0, limit: int | None = None) -> list[Order]:
        """Those with a higher id, in order."""
        ...

    def finish(self, order: int, at: float, outcome: str) -> None:
        """Say what became of an order. Nothing changes when that was said before; raises
        StoreError for an order that was never given."""
        ...

    def label(self, labels: Sequence[Label]) -> None:
        """Leave labels, all or none. Raises ConfigError for an unknown verdict or kind."""
        ...

    def labels(self) -> list[Label]:
        """The labels in force, in the order in which they were given; none taken back."""
        ...


def check_order(order: Order) -> None:
    """Raise ConfigError for one that no crawl knows."""
    _check_name("order", order.kind, ORDERS)
    _check_text(order.detail)


def check_label(label: Label) -> None:
    """Raise ConfigError for one that nothing could be learned from."""
    _check_name("subject of a label", label.what, LABELLED)
    _check_name("verdict", label.verdict, VERDICTS)
    _check_text(label.subject + label.topic)


def _check_name(what: str, name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise ConfigError(f"unknown {what} {name!r}; choose one of: {', '.join(known)}")


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ConfigError(f"{text!r} holds half a character; write whole ones") from error
