"""The patterns of a family, cut where text is put in."""

from msgspec import Struct


class RowPieces(Struct, frozen=True, gc=False):
    """Links in a row; the title stands after the box."""

    box: str
    start: str
    between: str
    end: str


class MegaPieces(Struct, frozen=True, gc=False):
    """Links in groups, each under its first one."""

    box: str
    start: str
    below: str
    between: str
    after_below: str
    next_group: str
    end: str


class FootPieces(Struct, frozen=True, gc=False):
    """Links in columns."""

    box: str
    start: str
    between: str
    next_column: str
    end: str


class ProsePieces(Struct, frozen=True, gc=False):
    start: str
    between: str
    end: str


class HeadingPieces(Struct, frozen=True, gc=False):
    """Three levels."""

    first: str
    after_first: str
    second: str
    after_second: str
    third: str
    after_third: str


class PairPieces(Struct, frozen=True, gc=False):
    """Around one thing."""

    start: str
    end: str


class FactPieces(Struct, frozen=True, gc=False):
    start: str
    between: str
    next_pair: str
    end: str


class GridPieces(Struct, frozen=True, gc=False):
    start: str
    head: str
    between_heads: str
    after_head: str
    first: str
    between: str
    next_row: str
    end: str


class ListingPieces(Struct, frozen=True, gc=False):
    """One thing after another; without `head` every fact is named where it stands."""

    box: str
    head: str
    between_heads: str
    after_head: str
    each: str
    name: str
    after_name: str
    text: str
    after_text: str
    body_end: str
    facts: str
    fact: str
    key: str
    after_key: str
    after_fact: str
    facts_end: str
    each_end: str
    end: str


class FormPieces(Struct, frozen=True, gc=False):
    """`@id` in a piece stands for the id of the control."""

    start: str
    legend: str
    after_legend: str
    row: str
    label: str
    after_label: str
    after_control: str
    tick: str
    after_row: str
    buttons: str
    after_buttons: str
    end: str
