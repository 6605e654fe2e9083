"""A form while it is being filled with controls: how it names and how it labels them."""

from collections.abc import Sequence
from functools import lru_cache

from leadline_lab.draw import Draw, running_sums
from leadline_lab.interfaces.words import GENERAL
from leadline_lab.markup.model import Control
from leadline_lab.schema import said

Options = tuple[tuple[str, str], ...]

_CONVENTIONS = ("plain", "opaque", "typed", "nested", "bracketed", "prefixed", "upper")
_CONVENTION_SUMS = running_sums((600, 90, 80, 60, 60, 80, 30))
"""By design; names made by ASP.NET pages, brackets and prefixes are all among the real forms."""
_NESTS = ("ctl00$Main$", "ctl00$ContentPlaceHolder1$", "ctl00$ctl04$", "form1:", "Uc_box1$")
_BRACKETS = ("data", "form", "fields", "tx_form", "f")
_PREFIXES = ("f_", "p_", "s_", "fld-", "as_", "in_", "frm_")
_SEARCH_BRACKETS = ("search", "filter", "q", "tx_list", "data")
_SEARCH_PREFIXES = ("f_", "p_", "s_", "search_", "fld-", "as_", "in_")
_TYPED = {"select": ("sel", "ddl", "cbo"), "checkbox": ("chk", "cb", "chk")}
_TYPED_TEXT = ("txt", "tbox", "edt")
_OPAQUE = ("f", "x", "p", "c", "field", "v")
_STRICT_OF_8 = 3
_SIZES = (0, 0, 10, 15, 20, 25, 30, 40)
_ANY_VALUES = ("", "", "", "any", "all", "0", "-1")

_STRIDE = 5
"""Between controls drawn from a pool, so that neighbours seldom come together."""

LABELLED, PROMPTED, BOTH, BARE = range(4)
"""Labels beside the controls; only hints inside them; both; neither."""


class Sheet:
    """Gives every control a name of its own; the rest is as the form's makers are used to."""

    __slots__ = (
        "_any_text", "_any_value", "_convention", "_number", "_prefix", "_searches", "_size",
        "_step", "_taken", "bound", "controls", "draw", "is_strict", "language", "manner",
        "settings",
    )  # fmt: skip

    def __init__(
        self, draw: Draw, language: str, manners: Sequence[int], *, searches: bool
    ) -> None:
        self.draw = draw
        self.language = language
        self.manner = draw.weighted(manners)
        self.controls: list[Control] = []
        self.bound: dict[str, str] = {}
        self.settings: dict[str, str] = {}
        self._any_value = draw.pick(_ANY_VALUES)
        self._any_text = draw.pick(said(GENERAL["any"], language))
        self._convention = _CONVENTIONS[draw.weighted(_CONVENTION_SUMS)]
        habits = draw.number()
        self._prefix = habits & 0xFF
        self._number = habits >> 8 & 0xF
        self._step = 1 + (habits >> 16 & 1)
        self._size = _SIZES[habits >> 20 & 7]
        self._searches = searches
        self._taken: set[str] = set()
        self.is_strict = not searches and habits >> 24 & 7 < _STRICT_OF_8
        """Whether what is typed must be."""

    def make_opaque(self) -> None:
        """From here on names say nothing."""
        self._convention = "opaque"

    def say(self, words: str) -> str:
        """One of the general wordings."""
        return self.draw.pick(said(GENERAL[words], self.language))

    def ask(self, base: str, kind: str, label: str, options: Options = (), value: str = "") -> str:
        """A control that a person fills in; its name is handed back."""
        name = self._unique(self._named(base, kind))
        hint = ""
        if self.manner and kind not in ("radio", "checkbox"):
            hint = label if self.manner != BARE and kind != "select" else ""
            label = label if self.manner == BOTH else ""
        is_typed = not options and kind != "checkbox"
        size, is_required = (self._size, self.is_strict) if is_typed else (0, False)
        self.controls.append(Control(name, kind, label, value, hint, options, is_required, size))
        return name

    def choices(self, texts: tuple[str, ...], label: str) -> Options:
        """What may be chosen, after an option that leaves it open; a label has its place there
        in forms that put labels inside their controls."""
        first = label if label and self.manner == PROMPTED else self._any_text
        return _options(texts, self._any_value, first, self._prefix % 4 == 0)

    def hide(self, several: int, pool: Sequence[tuple[str, str]]) -> None:
        """Hidden controls out of a pool of names and values: '' for the page's language, `#` for
        something opaque, `9` for a number."""
        at = self.draw.below(len(pool))
        for step in range(several):
            name, value = pool[(at + _STRIDE * step) % len(pool)]
            if value == "#":
                value = f"{self.draw.number():016x}"
            elif value == "9":
                value = str(self.draw.below(100_000))
            name = self._unique(name)
            self.controls.append(Control(name, "hidden", value=value or self.language))

    def _named(self, base: str, kind: str) -> str:
        convention, prefix = self._convention, self._prefix
        if convention == "plain":
            return base
        if convention == "opaque":
            self._number += self._step
            return f"{_OPAQUE[prefix % len(_OPAQUE)]}{self._number}"
        if convention == "bracketed":
            return f"{(_SEARCH_BRACKETS if self._searches else _BRACKETS)[prefix % 5]}[{base}]"
        if convention == "prefixed":
            return (_SEARCH_PREFIXES if self._searches else _PREFIXES)[prefix % 7] + base
        if convention == "upper":
            return base.upper()
        typed = _TYPED.get(kind, _TYPED_TEXT)[prefix % 3] + base[:1].upper() + base[1:]
        return typed if convention == "typed" else _NESTS[prefix % len(_NESTS)] + typed

    def _unique(self, name: str) -> str:
        taken = self._taken
        number, fresh = 1, name
        while fresh in taken:
            number += 1
            fresh = f"{name}{number}"
        taken.add(fresh)
        return fresh


@lru_cache(maxsize=20_000)
def _options(texts: tuple[str, ...], any_value: str, any_text: str, is_short: bool) -> Options:
    """Values read like the texts but for case and punctuation."""
    values = [text.lower().replace(" ", "-") if is_short else text for text in texts]
    return ((any_value, any_text), *zip(values, texts, strict=True))


@lru_cache(maxsize=2_000)
def same(texts: tuple[str, ...]) -> Options:
    """Options that send what they say."""
    return tuple((text, text) for text in texts)
