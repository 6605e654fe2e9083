"""What forms of each domain say, written by hand, and training forms drawn from it."""

import tomllib
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import Any

from msgspec import Struct

from leadline.core.page import Field, Form, Option
from leadline.core.url import Url
from leadline_lab.draw import Draw, key_of, running_sums

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt")
_LANGUAGE_SUMS = running_sums((580, 90, 90, 80, 60, 50, 50))
_MISREAD = 250
"""Per mille of forms in other languages on pages that are taken for English ones."""
_STYLES = ("box", "few", "many", "choices")
_STYLE_SUMS = running_sums((35, 35, 22, 8))
"""As in the lab, whose shares follow surveys of search interfaces."""
_CONTROLS = {"box": (0, 0), "few": (2, 4), "many": (5, 12), "choices": (2, 4)}
_PAGE = Url("http://written.test/")
_FLATNESS = 6
"""Wordings are listed from the commonest on: that of rank r is drawn as 1 / (r + 6)."""
_SCALE = 100_000


class Sayings(Struct, frozen=True):
    """What forms of one kind say, by language. Wordings in the order of how common they are."""

    names: tuple[str, ...]
    """Of controls, in any language."""
    prompts: dict[str, tuple[str, ...]]
    """Headings, buttons and hints that say what is searched."""
    labels: dict[str, tuple[str, ...]]
    choices: dict[str, tuple[tuple[str, ...], ...]]
    """Lists of options."""
    technical: tuple[str, ...] = ()
    """What programs call the parts of forms, whatever they are for."""


class Others(Struct, frozen=True):
    """Forms outside all domains, each with its labels and prompts mixed."""

    databases: tuple[tuple[str, ...], ...]
    services: tuple[tuple[str, ...], ...]
    """Forms that search nothing."""


class WrittenForm(Struct, frozen=True):
    """A form as it might stand on a page in some language."""

    form: Form
    language: str
    """Which the page seems to be in."""
    domains: frozenset[str]
    is_searchable: bool = True


def sayings(name: str) -> Sayings:
    """Of a domain, or of `general`: what all search forms say."""
    found = _read(name)
    choices = {language: tuple(map(_listed, lists)) for language, lists in found["choices"].items()}
    return Sayings(
        tuple(found["names"].split()),
        _by_language(found["prompts"]),
        _by_language(found["labels"]),
        choices,
        tuple(found.get("technical", "").split()),
    )


def others() -> Others:
    found = _read("others")
    return Others(tuple(map(_listed, found["databases"])), tuple(map(_listed, found["services"])))


def _read(name: str) -> dict[str, Any]:
    folder = resources.files("tools.critic_training").joinpath("written")
    return tomllib.loads(folder.joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def _by_language(texts: dict[str, str]) -> dict[str, tuple[str, ...]]:
    return {language: _listed(text) for language, text in texts.items()}


def _listed(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.split(";") if part.strip())


def draw_of_domain(domain: str, n: int, seed: int) -> Iterator[WrittenForm]:
    """`n` search forms that all say what they search."""
    own, general = sayings(domain), sayings("general")
    for number in range(n):
        draw = Draw(key_of(seed, "written", domain, number))
        language = LANGUAGES[draw.weighted(_LANGUAGE_SUMS)]
        sheet = _Sheet(draw, language, general)
        sheet.add(own, _STYLES[draw.weighted(_STYLE_SUMS)])
        yield WrittenForm(sheet.form(), _seeming(draw, language), frozenset((domain,)))


def draw_others(n: int, seed: int, *, is_searchable: bool) -> Iterator[WrittenForm]:
    """`n` forms of no domain: of other databases, or of services that search nothing."""
    general, found = sayings("general"), others()
    kinds = found.databases if is_searchable else found.services
    for number in range(n):
        draw = Draw(key_of(seed, "others", int(is_searchable), number))
        sheet = _Sheet(draw, "en", general, searches=is_searchable)
        sheet.ask(draw.some(draw.pick(kinds), draw.between(1, 7)))
        yield WrittenForm(sheet.form(), "en", frozenset(), is_searchable)


def draw_boxes(n: int, seed: int) -> Iterator[WrittenForm]:
    """`n` search boxes that do not say what they search."""
    general = sayings("general")
    for number in range(n):
        draw = Draw(key_of(seed, "boxes", number))
        language = LANGUAGES[draw.weighted(_LANGUAGE_SUMS)]
        sheet = _Sheet(draw, language, general)
        sheet.ask(draw.some(general.labels[language], draw.below(3)))
        yield WrittenForm(sheet.form(), _seeming(draw, language), frozenset())


def _seeming(draw: Draw, language: str) -> str:
    return "en" if draw.chance(_MISREAD) else language


def _common(draw: Draw, wordings: Sequence[str]) -> str:
    return wordings[draw.weighted(_rank_sums(len(wordings)))]


def _rank_sums(n: int) -> list[int]:
    return running_sums([_SCALE // (rank + _FLATNESS) for rank in range(n)])


class _Sheet:
    """A form being written."""

    def __init__(
        self, draw: Draw, language: str, general: Sayings, *, searches: bool = True
    ) -> None:
        self.draw = draw
        self.language = language
        self.general = general
        self.searches = searches
        self.fields: list[Field] = []
        self.texts: list[str] = []
        self.button = ""
        self.attributes = ""

    def add(self, own: Sayings, style: str) -> None:
        """What a form of that kind and style asks for."""
        draw, low_high = self.draw, _CONTROLS[style]
        if style == "box" or draw.chance(600):
            self._prompt(own)
        for _ in range(draw.between(*low_high)):
            self._control(own, only_choices=style == "choices")
        if style == "box" and draw.chance(120):
            self._control(own, only_choices=True)

    def _prompt(self, own: Sayings) -> None:
        """Above the controls, on the button, or in a box."""
        prompt, place = _common(self.draw, own.prompts[self.language]), self.draw.below(4)
        if place == 0:
            self.button = prompt
        elif place == 1:
            self.fields.append(Field(self._name(own, 250), "text", placeholder=prompt))
        elif place == 2:
            self.fields.append(Field(self._name(own, 250), "text", value=prompt))
        else:
            self.texts.append(prompt)
        if self.draw.chance(100):
            self.attributes = _common(self.draw, own.names)

    def _control(self, own: Sayings, *, only_choices: bool) -> None:
        draw, language = self.draw, self.language
        label = _common(draw, own.labels[language]) if draw.chance(800) else ""
        has_choices = only_choices or draw.chance(250)
        choices = draw.pick(own.choices[language]) if has_choices else ()
        kind = "select" if choices else "text"
        options = tuple(Option(text, text) for text in choices)
        self.fields.append(Field(self._name(own, 750), kind, label=label, options=options))

    def _name(self, own: Sayings, own_per_mille: int) -> str:
        source = own if self.draw.chance(own_per_mille) else self.general
        return _common(self.draw, source.names)

    def ask(self, labels: Sequence[str]) -> None:
        """Text boxes with these labels, some of them also named so."""
        for label in labels:
            is_named = self.draw.chance(400)
            name = label.replace(" ", "_") if is_named else _common(self.draw, self.general.names)
            self.fields.append(Field(name, "text", label=label))

    def form(self) -> Form:
        """With a button, and what forms of any kind say too."""
        draw = self.draw
        if self.searches:
            self._say_general()
        label = self.button or (self._general_prompt() if self.searches else "Submit")
        button = Field(_common(draw, self.general.names), "submit", label=label, value=label)
        has_own = bool(self.attributes)
        named = self.attributes if has_own else _common(draw, self.general.names)
        text = " ".join((*self.texts, *(field.label for field in self.fields)))
        return Form(_PAGE, None, "get", tuple(self.fields), (button,), text=text, attributes=named)

    def _say_general(self) -> None:
        draw = self.draw
        for _ in range(draw.below(3)):
            self._control(self.general, only_choices=False)
        if draw.chance(350):
            self.texts.append(self._general_prompt())

    def _general_prompt(self) -> str:
        return _common(self.draw, self.general.prompts[self.language])
