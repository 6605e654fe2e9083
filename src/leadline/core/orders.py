"""What orders say: their details as JSON, checked before anything obeys them. No I/O."""

import re
from collections.abc import Sequence
from typing import Annotated, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from leadline.core.crawl import Budget
from leadline.core.inbox import BUDGET, EXCLUDE, SEEDS, Order
from leadline.core.url import Site, canonical, host_of, site_of
from leadline.errors import ConfigError

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

    def applied(self, budget: Budget) -> Budget:
        return structs.replace(budget, **self.named())

    def named(self) -> dict[str, float | None]:
        """The limits that change, by name."""
        return {name: limit for name, limit in structs.asdict(self).items() if limit is not UNSET}


def budget_change(detail: str) -> BudgetChange:
    """Of a budget order, as in `{"pages": 500, "forms": null}`. Raises ConfigError."""
    change = _decoded(detail, BudgetChange, 'limits, as {"pages": 500, "forms": null}')
    if not change.named():
        names = ", ".join(BudgetChange.__struct_fields__)
        raise ConfigError(f"the budget order names no limit; there are: {names}")
    return change


def listed(detail: str) -> list[str]:
    """Of an order about seeds or sites: what its JSON list names. Raises ConfigError."""
    found = _decoded(detail, list[str], 'a list, as ["one.example", "two.example"]')
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
    return Order(SEEDS, at, _listed(urls))


def exclude_order(at: float, sites: Sequence[str]) -> Order:
    """An order to ask sites no more: hosts or registered domains. Raises ConfigError."""
    return Order(EXCLUDE, at, _listed([site_name(site) for site in sites]))


def _listed(names: Sequence[str]) -> str:
    detail = msgspec.json.encode(list(names)).decode()
    listed(detail)
    return detail


def _decoded(detail: str, kind: type[_Kind], example: str) -> _Kind:
    try:
        return msgspec.json.decode(detail, type=kind)
    except (msgspec.MsgspecError, UnicodeEncodeError) as error:
        raise ConfigError(f"{error}; write {example}") from error
