"""What a reader has learned of its source: bounded, and stored as MessagePack.

The stored form has shorter field names (`name=`): stores that have them are read as before.
"""

import msgspec
from msgspec import Struct, field

MAX_FRAME = 20_000
"""Digests of the frame that are stored: pages of a site share most of theirs."""

MAX_LISTED = 5_000
"""Digests of lists on answers to nonsense."""


class NumberHistory(Struct):
    """What one number in one sentence of the source's answers was so far."""

    seen: int = 0
    wrong: int = 0
    """Times it was smaller than the records shown."""
    rounded: int = field(default=0, name="rough")
    """Times it looked rounded."""
    values: list[int] = field(default_factory=list)
    """The first different ones."""


class ListFormat(Struct, frozen=True):
    """How the results at one place are read."""

    way: str
    """How they are split: see `item_splitter`."""
    core: tuple[str, ...]
    """The structure that most of them have."""
    size: int = 0
    """Letters that one usually has."""
    texts: int = field(default=0, name="pieces")
    """Texts that one usually has."""


class ReaderMemory(Struct):
    """Grows with answers to nonsense and with answers to queries. What decides keys is settled
    once and stays."""

    frame: set[int] = field(default_factory=set)
    """What answers to nonsense show: digests of texts, images and links."""
    nonsense_texts: list[set[int]] = field(default_factory=list, name="said")
    """For each answer to nonsense, the texts on it."""
    nonsense_statuses: set[int] = field(default_factory=set, name="statuses")
    paths: set[str] = field(default_factory=set)
    """Where answers come from: addresses without parameters, what was asked cut out."""
    nonsense_places: dict[str, int] = field(default_factory=dict, name="quiet")
    """Places of blocks on answers to nonsense."""
    nonsense_items: dict[str, set[int]] = field(default_factory=dict)
    """By place: digests of the lists on answers to nonsense, which may be of records: the latest,
    the most popular."""
    denying_texts: list[set[int]] = field(default_factory=list, name="denying")
    """For each answer to nonsense, the texts on it that say so in words or with a zero."""
    denials: set[int] | None = None
    """Texts of all answers to nonsense that no list of results had."""
    has_form: bool = False
    """Whether answers to nonsense show the form."""
    barriers: set[str] = field(default_factory=set, name="bars")
    """What answers to nonsense have that would keep visitors out elsewhere."""
    forbidden: list[str] = field(default_factory=list)
    """The latest queries in a row that were answered with status 403."""
    constant_numbers: set[str] = field(default_factory=set, name="standing")
    """Numbers, with their sentences, on answers to nonsense that show no records."""
    is_closed: bool = False
    """Whether pages are written to their end tag."""
    places: dict[str, ListFormat] = field(default_factory=dict)
    """Where results were."""
    link_paths: dict[str, int] = field(default_factory=dict, name="slots")
    """Places inside items of the links that lead to records."""
    shapes: dict[str, int] = field(default_factory=dict)
    """Kinds of addresses that records have."""
    dropped: dict[str, bool] = field(default_factory=dict)
    met: dict[str, str] = field(default_factory=dict)
    changes: dict[str, int] = field(default_factory=dict)
    telling: dict[str, int] = field(default_factory=dict)
    """Of addresses: see `record_keys.RecordKeyRules`."""
    passages: dict[str, int] = field(default_factory=dict)
    """Places inside items, without classes, whose text depends on the query."""
    early_items: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """By key: places and texts of the first items that lead nowhere, until it is known which of
    their places are passages."""
    key_aliases: dict[str, str] = field(default_factory=dict)
    """Keys that early items would have got, had it been known, to those that they have."""
    labels: dict[str, int] = field(default_factory=dict)
    """Names of values: `Author`."""
    numbers: dict[str, NumberHistory] = field(default_factory=dict, name="sums")
    """By sentence and number: what may be the total."""
    early_texts: list[set[int]] = field(default_factory=list, name="early")
    """Digests of the first answers, if there was no nonsense to learn the frame from."""

    def to_bytes(self) -> bytes:
        return msgspec.msgpack.encode(self)


def restore_memory(state: bytes) -> ReaderMemory:
    """Raises ValueError for bytes that are no memory."""
    return msgspec.msgpack.decode(state, type=ReaderMemory)
