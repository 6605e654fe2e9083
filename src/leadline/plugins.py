"""Parts that can be chosen by name: our own, and those of other distributions.

A distribution offers a part by an entry point. The entry points are read once, when a name is
first looked up; a part is loaded when it is used, and a broken one does not disturb the others.
Seven registries are made of this: strategies, policies, critics, fetchers, stores, backlinks and
exporters, each in the package it belongs to.
"""

import difflib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from functools import cached_property, lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict

from leadline.errors import ConfigError

Kind = TypeVar("Kind")

OURS = "leadline"
"""The source of our own parts."""


_NEAR = 0.75
"""Likeness from which a wrong name is taken for a misspelt one: `lables` for `labels`."""
_MOST_LISTED = 20
"""Names that a message lists: more than these nobody reads."""


class NoSettings(BaseModel):
    """The settings of a part that has none."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Part(NamedTuple):
    """What makes a part, and the model of its settings."""

    make: Callable[..., Any]
    """Called with the settings, then with whatever parts of this kind are given."""
    settings: type[BaseModel] = NoSettings


class Offer(NamedTuple):
    """A part that another distribution offers."""

    name: str
    source: str
    """The distribution and its version."""
    entry: EntryPoint


# Reading those of all distributions takes several milliseconds, and each kind of part is looked up.
_read_entry_points = lru_cache(maxsize=1)(lambda _path: entry_points())


class Registry(MutableMapping[str, Kind], Generic[Kind]):
    """Parts of one kind by name.

    Listing the names loads nothing. Looking up a name returns its part; it raises KeyError for an
    unknown name, and ConfigError for a part that cannot be loaded, is of another kind, or is
    offered twice.
    """

    def __init__(
        self, what: str, group: str, own: Mapping[str, Kind], read: Callable[[object], Kind]
    ) -> None:
        """`what` is the kind, for messages; `read` turns the object of an entry point into a part,
        or raises TypeError with what is wrong with it."""
        self.what = what
        self.group = group
        self.own = dict(own)
        """Those that come with leadline."""
        self._read = read
        self._loaded: dict[str, Kind] = {}

    @cached_property
    def _offers(self) -> dict[str, list[Offer]]:
        found: dict[str, list[Offer]] = {}
        for entry in _read_entry_points(tuple(sys.path)).select(group=self.group):
            source = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "somewhere"
            found.setdefault(entry.name, []).append(Offer(entry.name, source, entry))
        return found

    def source(self, name: str) -> str:
        """The distribution that offers it."""
        offers = self._offers.get(name, [])
        sources = ([OURS] if name in self.own else []) + [offer.source for offer in offers]
        return " and ".join(sources)

    def __getitem__(self, name: str) -> Kind:
        offers = self._offers.get(name, [])
        if len(offers) + (name in self.own) > 1:
            raise ConfigError(
                f"the {self.what} {name!r} is offered by {self.source(name)}; uninstall all but "
                f"one, or give it another name in its entry points (group {self.group})"
            )
        if not offers:
            return self.own[name]
        if name not in self._loaded:
            self._loaded[name] = self._load(offers[0])
        return self._loaded[name]

    def __setitem__(self, name: str, kind: Kind) -> None:
        self.own[name] = kind

    def __delitem__(self, name: str) -> None:
        del self.own[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self.own, *self._offers}))

    def __len__(self) -> int:
        return len({*self.own, *self._offers})

    def __contains__(self, name: object) -> bool:
        return name in self.own or name in self._offers

    def _load(self, offer: Offer) -> Kind:
        try:
            kind = self._read(offer.entry.load())
            name = getattr(getattr(kind, "make", kind), "name", "")
            if name != offer.name:
                raise TypeError(f"calls itself {name!r}, not {offer.name!r}")  # noqa: TRY301
        except Exception as error:
            # Others' code may raise anything; the message must say whose it is.
            raise ConfigError(self._fault(offer, error)) from error
        return kind

    def _fault(self, offer: Offer, error: Exception) -> str:
        said = str(error) if isinstance(error, TypeError) else f"{type(error).__name__}: {error}"
        distribution = offer.source.partition(" ")[0]
        return (
            f"the {self.what} {offer.name!r} of {offer.source} ({offer.entry.value}) cannot be "
            f"used: {said}; repair it, or: pip uninstall {distribution}"
        )


def make_part(
    parts: Registry[Part], name: str, settings: Mapping[str, object] | None = None, *given: object
) -> Any:
    """The part of that name, made with its settings and what else is given.

    KeyError and pydantic errors are the caller's to explain; leadline.config does.
    """
    part = parts[name]
    return part.make(part.settings.model_validate(dict(settings or {})), *given)


def check_part(parts: Registry[Any], name: str, own: Mapping[str, object]) -> None:
    """For models of settings: raises ValueError if no part has that name, with the nearest one, or
    if the part's own settings are wrong."""
    if name not in parts:
        raise ValueError(explain_unknown(parts.what, name, parts))
    model = parts[name].settings
    for key in own.keys() - model.model_fields.keys():
        if near := difflib.get_close_matches(key, model.model_fields, 1, _NEAR):
            raise ValueError(f"the {parts.what} {name!r} has no {key!r}; did you mean {near[0]!r}?")
    model.model_validate(own)


def explain_unknown(what: str, name: str, valid: Iterable[str]) -> str:
    """The message for a name that is not among the valid ones, with the nearest of them.

    >>> explain_unknown("policy", "gff", ["gf", "random"])
    "unknown policy 'gff'; did you mean 'gf'? Valid: gf, random."
    """
    names = sorted(valid)
    # A setting put into the wrong table has the right last part.
    endings = {known.rpartition(".")[2]: known for known in names if "." in known}
    same = difflib.get_close_matches(name.rpartition(".")[2], endings, 1, 0.8)
    near = [endings[same[0]]] if same else difflib.get_close_matches(name, names, 1, 0.5)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    listed = f" Valid: {', '.join(names)}." if len(names) <= _MOST_LISTED else ""
    return f"unknown {what} {name!r}{hint}{listed}"


def part_reader(port: type, advice: str) -> Callable[[object], Part]:
    """What a registry reads entry points with, if they lead to classes that implement `port`."""

    def read(found: object) -> Part:
        given = found if isinstance(found, Part) else None
        kind = check_class(given.make if given else found, port, advice)
        return given or Part(kind, find_settings(kind))

    return read


def check_class(found: object, port: type, advice: str) -> type:
    """The object of an entry point, if it is a class with everything that the port has.

    Raises TypeError, with `advice` on what to begin with.
    """
    if not isinstance(found, type):
        raise TypeError(f"it is a {type(found).__name__}, not a class; {advice}")
    missing = [n for n in vars(port) if not n.startswith("_") and not hasattr(found, n)]
    if missing:
        raise TypeError(f"it lacks {', '.join(missing)}; {advice}")
    return found


def find_settings(kind: type) -> type[BaseModel]:
    """The model of a plug-in's settings: its `Settings`, or none. Raises TypeError."""
    model = getattr(kind, "Settings", NoSettings)
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise TypeError("its Settings is not a pydantic model")
    return model
