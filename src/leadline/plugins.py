"""What can be chosen by name: our own parts, and those of other distributions.

A distribution offers one by an entry point. Which there are is read once, when a name is first
asked for; an offered part is loaded when it is used, and a broken one disturbs no other.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict

from leadline.errors import ConfigError

Kind = TypeVar("Kind")

OURS = "leadline"
"""Where our own parts are from."""


class NoSettings(BaseModel):
    """Of a part that has none."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Offer(NamedTuple):
    """A part that another distribution offers."""

    name: str
    source: str
    """The distribution and its version."""
    entry: EntryPoint


class Registry(MutableMapping[str, Kind], Generic[Kind]):
    """Parts of one kind by name.

    Names are told without loading anything. Asking for a name gives its part, or raises KeyError
    for an unknown one and ConfigError for one that cannot be loaded, is no such part, or is
    offered twice.
    """

    def __init__(
        self, what: str, group: str, own: Mapping[str, Kind], read: Callable[[object], Kind]
    ) -> None:
        """`what` they are, for people; `read` makes a part of what an entry point leads to, and
        raises TypeError with what is wrong with it."""
        self.what = what
        self.group = group
        self.own = dict(own)
        """Those that are not plug-ins."""
        self._read = read
        self._loaded: dict[str, Kind] = {}

    @cached_property
    def _offers(self) -> dict[str, list[Offer]]:
        found: dict[str, list[Offer]] = {}
        for entry in entry_points(group=self.group):
            source = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "somewhere"
            found.setdefault(entry.name, []).append(Offer(entry.name, source, entry))
        return found

    def source(self, name: str) -> str:
        """The distribution that has it."""
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
            # Others' code: whatever it raises, the user has to learn whose it is.
            raise ConfigError(self._fault(offer, error)) from error
        return kind

    def _fault(self, offer: Offer, error: Exception) -> str:
        said = str(error) if isinstance(error, TypeError) else f"{type(error).__name__}: {error}"
        distribution = offer.source.partition(" ")[0]
        return (
            f"the {self.what} {offer.name!r} of {offer.source} ({offer.entry.value}) cannot be "
            f"used: {said}; repair it, or: pip uninstall {distribution}"
        )


def checked_class(made: object, port: type, advice: str) -> type:
    """What a plug-in leads to, if it is a class with all that the port asks for.

    Raises TypeError, with `advice` on what to begin with.
    """
    if not isinstance(made, type):
        raise TypeError(f"it is a {type(made).__name__}, not a class; {advice}")
    missing = [n for n in vars(port) if not n.startswith("_") and not hasattr(made, n)]
    if missing:
        raise TypeError(f"it lacks {', '.join(missing)}; {advice}")
    return made


def settings_of(made: type) -> type[BaseModel]:
    """The model of a plug-in's settings: its `Settings`, or none. Raises TypeError."""
    model = getattr(made, "Settings", NoSettings)
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise TypeError("its Settings is not a pydantic model")
    return model
