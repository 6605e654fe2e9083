"""What can be asked through a form: its text boxes, menus and ranges, and how it takes them."""

from msgspec import Struct

from leadline.core.harvest import Query


class Box(Struct, frozen=True):
    """A control to type words into."""

    name: str
    label: str = ""
    meaning: str = ""
    """What it asks for (forms.field_roles), '' when it cannot be told or asks for anything."""
    max_length: int = 0


class MenuChoice(Struct, frozen=True, gc=False):
    """One choice of a menu."""

    value: str
    text: str


class Menu(Struct, frozen=True):
    """A control whose choices narrow the answer: a select, radio buttons."""

    name: str
    choices: tuple[MenuChoice, ...]
    """Those that ask for something: `any` and `please choose` are left out."""
    label: str = ""
    meaning: str = ""


class Span(Struct, frozen=True):
    """Two controls that are the ends of a range, to be filled together."""

    low: str
    high: str
    lows: tuple[str, ...] = ()
    """What the lower end offers, rising; () where it is typed."""
    highs: tuple[str, ...] = ()
    label: str = ""
    meaning: str = ""


class SurveyedAnswer(Struct, frozen=True):
    """An answer whose first page the survey has: asking for it once more costs nothing."""

    values: tuple[tuple[str, str], ...]
    """Of controls, what is fixed left out."""
    shown: int
    """Records on that page."""
    total: int | None = None
    """Matches, if the page tells them exactly."""
    has_more: bool = False
    """There are further pages."""
    is_broad: bool = False
    """It was asked for to match most of the records."""


class Interface(Struct, frozen=True):
    """All that a policy may ask for. The defaults are those of a form not probed yet."""

    boxes: tuple[Box, ...] = ()
    """The one that searches most first."""
    menus: tuple[Menu, ...] = ()
    spans: tuple[Span, ...] = ()
    fixed: tuple[tuple[str, str], ...] = ()
    """Goes into every query: the largest page size, what must not stay empty."""
    min_length: int = 0
    """Letters a typed query needs."""
    takes_empty: bool = False
    """Whether a query that fills nothing lists everything."""
    words: tuple[str, ...] = ()
    """To begin with: of the form's own page and site, best first."""
    patterns: tuple[tuple[str, ...], ...] = ()
    """Sets of controls that were answered when filled together, what is fixed left out, the
    smallest first; () before anything was asked."""
    language: str = ""
    """Of the form's page, two letters; '' when it cannot be told."""
    surveyed: tuple[SurveyedAnswer, ...] = ()
    """The answers with records that the survey got, nonsense aside."""

    def make_text_query(self, text: str) -> Query:
        """A query that types a text into the box that searches most, and asks for nothing else."""
        return Query.of(**dict(self.fixed), **{self.boxes[0].name: text})
