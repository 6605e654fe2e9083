"""What people tell a crawl while it runs or rests: orders, and labels on what it found."""

import re
from collections.abc import Sequence
from typing import Annotated, Protocol, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from leadline.core.crawl import Budget
from leadline.core.secrets import strip_login
from leadline.core.url import Site, canonical, host_of, site_of
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


_is_host = re.compile(r"[\w-]+(\.[\w-]+)*|\[[\da-f:.]+\]", re.ASCII).fullmatch
_Kind = TypeVar("_Kind")
_Count = Annotated[int, Meta(gt=0)] | UnsetType | None
_Seconds = Annotated[float, Meta(gt=0)] | UnsetType | None


class BudgetChange(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Limits that change: a number above 0, or None for no limit. The others stay as they are."""

    pages: _Count = UNSET
    seconds: _Seconds = UNSET
    bytes: _Count = UNSET
    forms: _Count = UNSET

    def apply_to(self, budget: Budget) -> Budget:
        return structs.replace(budget, **self.list_limits())

    def list_limits(self) -> dict[str, float | None]:
        """The limits that change, by name."""
        return {name: limit for name, limit in structs.asdict(self).items() if limit is not UNSET}


def budget_change(detail: str) -> BudgetChange:
    """Of a budget order, as in `{"pages": 500, "forms": null}`. Raises ConfigError."""
    change = _decode(detail, BudgetChange, 'limits, as {"pages": 500, "forms": null}')
    if not change.list_limits():
        names = ", ".join(BudgetChange.__struct_fields__)
        raise ConfigError(f"the budget order names no limit; there are: {names}")
    return change


def parse_names(detail: str) -> list[str]:
    """Of an order about seeds or sites: what its JSON list names. Raises ConfigError."""
    found = _decode(detail, list[str], 'a list, as ["one.example", "two.example"]')
    names = [name.strip() for name in found if name.strip()]
    if not names:
        raise ConfigError("the order names nothing; give at least one")
    return names


def site_name(text: str) -> Site:
    """The host, `host:port` or registered domain that someone means. Raises ConfigError."""
    url = canonical(text if "://" in text else f"http://{text}")
    if url is None or not _is_host(host_of(site_of(url))):
        raise ConfigError(f"{text!r} is no site; write a host or a registered domain")
    return site_of(url)


def budget_order(at: float, **limits: float | None) -> Order:
    """An order to go on under other limits, by the names of Budget. Raises ConfigError."""
    detail = msgspec.json.encode(limits).decode()
    budget_change(detail)
    return Order(BUDGET, at, detail)


def seeds_order(at: float, urls: Sequence[str]) -> Order:
    """An order to start from further URLs. Raises ConfigError when there are none."""
    return Order(SEEDS, at, _encode_names([strip_login(url) for url in urls]))


def exclude_order(at: float, sites: Sequence[str]) -> Order:
    """An order to ask sites no more: hosts or registered domains. Raises ConfigError."""
    return Order(EXCLUDE, at, _encode_names([site_name(site) for site in sites]))


def _encode_names(names: Sequence[str]) -> str:
    detail = msgspec.json.encode(list(names)).decode()
    parse_names(detail)
    return detail


def _decode(detail: str, kind: type[_Kind], example: str) -> _Kind:
    try:
        return msgspec.json.decode(detail, type=kind)
    except (msgspec.MsgspecError, UnicodeEncodeError) as error:
        raise ConfigError(f"{error}; write {example}") from error
