"""What a reader has learned of its source. Bounded, and written out as MessagePack."""

import msgspec
from msgspec import Struct, field

MOST_PIECES = 20_000
"""Digests kept of the frame: pages of a site share most of theirs."""


class Sums(Struct):
    """What is known of one number in one sentence of the source's answers."""

    seen: int = 0
    wrong: int = 0
    """Times it was smaller than the records shown."""
    rough: int = 0
    """Times it looked rounded."""
    values: list[int] = field(default_factory=list)
    """The first different ones."""


class Known(Struct, frozen=True):
    """How the results at one place are read."""

    way: str
    """How they are split: see `splitting`."""
    core: tuple[str, ...]
    """The structure that most of them have."""
    size: int = 0
    """Letters that one usually has."""
    pieces: int = 0
    """Texts that one usually has."""


class Memory(Struct):
    """Grows with answers to nonsense and with answers to queries; what decides keys is settled
    once and stays."""

    frame: set[int] = field(default_factory=set)
    """What answers to nonsense show: digests of texts and images."""
    said: list[set[int]] = field(default_factory=list)
    """For each answer to nonsense, the texts on it."""
    statuses: set[int] = field(default_factory=set)
    """Of answers to nonsense."""
    paths: set[str] = field(default_factory=set)
    """Where answers come from: addresses without parameters, what was asked cut out."""
    quiet: dict[str, int] = field(default_factory=dict)
    """Places of blocks on answers to nonsense."""
    denying: list[set[int]] = field(default_factory=list)
    """For each answer to nonsense, the texts on it that say so in words or with a zero."""
    denials: set[int] | None = None
    """Texts of all answers to nonsense that no list of results had."""
    has_form: bool = False
    """Whether answers to nonsense show the form."""
    bars: set[str] = field(default_factory=set)
    """What answers to nonsense have that would keep visitors out elsewhere."""
    forbidden: list[str] = field(default_factory=list)
    """The latest queries in a row that were answered with status 403."""
    standing: set[str] = field(default_factory=set)
    """Numbers, with their sentences, on answers to nonsense that show no records."""
    is_closed: bool = False
    """Whether pages are written to their end tag."""
    places: dict[str, Known] = field(default_factory=dict)
    """Where results were."""
    slots: dict[str, int] = field(default_factory=dict)
    """Places of the links that lead to records."""
    shapes: dict[str, int] = field(default_factory=dict)
    """Kinds of addresses that records have."""
    dropped: dict[str, bool] = field(default_factory=dict)
    met: dict[str, str] = field(default_factory=dict)
    changes: dict[str, int] = field(default_factory=dict)
    """Of addresses: see `addresses.Keys`."""
    labels: dict[str, int] = field(default_factory=dict)
    sums: dict[str, Sums] = field(default_factory=dict)
    """By sentence and number: what may be the total."""
    early: list[set[int]] = field(default_factory=list)
    """Texts of the first answers, where there was no nonsense to learn the frame from."""

    def to_bytes(self) -> bytes:
        return msgspec.msgpack.encode(self)


def memory_from(state: bytes) -> Memory:
    """Raises ValueError for bytes that are no memory."""
    return msgspec.msgpack.decode(state, type=Memory)
