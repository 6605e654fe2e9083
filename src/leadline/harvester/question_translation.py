"""A question in the terms of one form: which control gets what, and what the form cannot be asked.

Controls are matched to the fields of the topic's schema as the columns of records are: by what they
are called, in any of the languages, and by the kind of thing they ask for. Choices of lists are
matched by their text. What no control takes goes into the box for words, and is checked on the
records that come. Decides only: `crawler.asking` sends what comes out.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from leadline.core.page import Field, Form, Option
from leadline.core.table import SchemaField, TopicSchema
from leadline.core.text import fold
from leadline.extraction.vocabulary import find_properties, normalise_label
from leadline.forms.field_texts import name_as_words, strip_ends
from leadline.harvester.interface import Interface
from leadline.harvester.question import (
    ORDERED,
    DatabaseQuestion,
    FieldCondition,
    are_same_concept,
    is_said_in,
    list_labels,
    read_amount,
)
from leadline.harvester.survey.control_uses import (
    BOX,
    MENU,
    SCOPE,
    TICK,
    ControlUse,
    FormControls,
    find_control_uses,
    list_real_choices,
)
from leadline.harvester.survey.describe import describe_form, option_amount

LEAST_RATE = 0.5
"""Of a match of a control and a field: more right than wrong, as for columns."""
_TIE = 0.05
_OF_NAME, _OF_HINT, _WITHOUT_ENDS = 0.85, 0.9, 0.98
"""What a control's name, a hint in it, and a text whose words for ends are left out say beside its
label. In this order because names are written for programs and hints are examples."""
_BY_KIND = 0.7
"""Of a control that asks for a thing of the field's kind, and is called like no other field."""
_ROLES: Mapping[str, str] = {
    "person": "person", "year": "date", "date": "date", "price": "money", "place": "place",
    "code": "identifier",
}  # fmt: skip
"""Kinds of values that controls with a role ask for."""
_IN_WORDS = frozenset({"text", "person", "place", "identifier", "category"})
"""Kinds of values that a box for words may find: amounts are looked up by no full-text search."""
_SELECTIVE = ("identifier", "text", "person", "place", "category")
_ISO_LENGTHS = {"date": 10, "month": 7}
_YEAR, _WHOLE_DATE = 4, 10
_CONTROL_WORDS = frozenset(
    "ddl cbo cmb lst drp dd drop down dropdown combo combobox list select sel box tb txt tbox text "
    "textbox input field chk rb opt option search find query filter value val".split()
)
"""What programmers call controls by, in names: `ddlMake`, `authorTextBox`."""
_number = re.compile(r"\d[\d.,]*").findall
_decade = re.compile(r"\b(\d{3}0)\s?(?:s|er|-er|ies|-talet|-tallet)\b").search
_between = re.compile(r"^\D{0,12}?(\d[\d.,]*)\D{0,4}?\s*(?:-|–|—|to|bis|a|à|al|hasta|до|~|～)\s*\D{0,4}?(\d[\d.,]*)\D{0,8}$").search  # fmt: skip  # noqa: E501, RUF001
_hint_of_date = re.compile(r"(?i)(y{4}|j{4}|a{4}|d{2}|t{2}|m{2})").sub


class PlacedCondition(Struct, frozen=True):
    """A part of a question, and where in the form it went."""

    asked: str
    control: str
    """What people read at the control, else its name."""
    value: str
    is_exact: bool = True
    """The form asks for just that, not for more."""


class QuestionTranslation(Struct, frozen=True):
    """A question as values for a form's controls."""

    values: tuple[tuple[str, str], ...]
    """By control name; () if nothing of the question can be asked here."""
    placed: tuple[PlacedCondition, ...] = ()
    checked: tuple[FieldCondition, ...] = ()
    """Conditions that the form is not asked, or only roughly: records are to be checked."""
    why: tuple[str, ...] = ()
    """For each condition that no control takes, what stands against it."""
    broader: tuple[tuple[str, str], ...] = ()
    """To be asked if the values bring nothing: the same with one thing in the box for words, for
    many searches look for all of it in one field; () if it has one thing anyway."""

    @property
    def weight(self) -> float:
        """How much of the question is asked, to choose between forms of one database."""
        return sum(1.0 if one.is_exact else 0.5 for one in self.placed)


def translate_question(
    question: DatabaseQuestion, form: Form, schema: TopicSchema, interface: Interface | None = None
) -> QuestionTranslation:
    """`interface` is what a harvest learned about the form; without it the form itself tells."""
    interface = interface or describe_form(form)
    return _Translator(question, find_control_uses(form), schema, interface).translate()


def rate_control(use: ControlUse, field: SchemaField, primary: Mapping[str, str]) -> float:
    """How likely a control asks for a field, from 0 to 1."""
    best = max((rate_label(text, field) * share for text, share in _texts_of(use)), default=0.0)
    kind = _ROLES.get(use.meaning.kind, "")
    by_kind = _BY_KIND if kind and primary.get(kind) == field.name else 0.0
    is_title = use.meaning.kind == "title" and field.name == "name"
    return max(best, by_kind, _BY_KIND * is_title)


def rate_label(text: str, field: SchemaField) -> float:
    """How surely a text names a field; the words for ends of ranges say nothing of it."""
    best = 0.0
    for said, share in ((text, 1.0), (strip_ends(text.replace(" ", "_")), _WITHOUT_ENDS)):
        strength = find_properties(said).get(field.name, 0.0) if said else 0.0
        if said and normalise_label(said) in list_labels(field):
            strength = max(strength, 0.9)
        best = max(best, strength * share)
    return best


def list_primary(fields: Iterable[SchemaField]) -> dict[str, str]:
    """The first field of each kind, which a control that only tells the kind asks for."""
    found: dict[str, str] = {}
    for field in fields:
        if field.kind != "identifier" or field.is_key:
            found.setdefault(field.kind, field.name)
    return found


def _texts_of(use: ControlUse) -> list[tuple[str, float]]:
    field = use.field
    label = field.label if field.kind not in ("radio", "checkbox") else ""
    texts = [(label, 1.0), (field.title, _OF_HINT), (field.placeholder, _OF_HINT)]
    name = name_as_words(field.name)
    texts += [(name, _OF_NAME), (drop_control_words(name), _OF_NAME)]
    return [(text, share) for text, share in dict.fromkeys(texts) if text]


def drop_control_words(name: str) -> str:
    """A control's name without what says that it is a control.

    >>> drop_control_words("ddl Make"), drop_control_words("Model Drop Down")
    ('Make', 'Model')
    """
    words = [word for word in name.split() if word.lower() not in _CONTROL_WORDS]
    return " ".join(words)


class _Target(Struct, frozen=True):
    """A control, boxes to tick of one name, or two ends of a range: what a condition may fill."""

    uses: tuple[ControlUse, ...]
    is_range: bool = False

    @property
    def first(self) -> ControlUse:
        return self.uses[0]

    @property
    def shown(self) -> str:
        labels = (use.field.label for use in self.uses if use.field.label_source != "name")
        told = (
            ""
            if self.first.use == TICK and len(self.uses) > 1
            else " / ".join(filter(None, labels))
        )
        return told or " / ".join(dict.fromkeys(use.field.name for use in self.uses))


def _list_targets(form: FormControls) -> list[_Target]:
    """All that a condition may fill: ranges, boxes, lists, boxes to tick of one name."""
    targets = [_Target(ends, is_range=True) for ends in form.ranges]
    targets += [_Target((use,)) for use in form.used_as(BOX, MENU)]
    ticks: dict[str, list[ControlUse]] = {}
    for use in form.used_as(TICK):
        ticks.setdefault(use.field.name, []).append(use)
    return targets + [_Target(tuple(group)) for group in ticks.values()]


class _Filling(Struct, frozen=True):
    """What a target gets."""

    values: dict[str, str]
    shown: str
    is_exact: bool = True


class _Translator:
    """Fills one form; used once."""

    def __init__(
        self,
        question: DatabaseQuestion,
        form: FormControls,
        schema: TopicSchema,
        interface: Interface,
    ) -> None:
        self._question = question
        self._form = form
        self._interface = interface
        self._fields = _add_fields(schema.fields, question.conditions)
        self._primary = list_primary(self._fields)
        self._values: dict[str, str] = {}
        self._placed: list[PlacedCondition] = []
        self._checked: list[FieldCondition] = []
        self._why: dict[str, str] = {}
        self._done: set[int] = set()

    def translate(self) -> QuestionTranslation:
        self._place_conditions()
        broader = self._place_words()
        conditions = self._question.conditions
        left = [one for at, one in enumerate(conditions) if at not in self._done]
        why = tuple(f"{one.shown}: {self._why.get(one.field, _NO_CONTROL)}" for one in left)
        if not self._placed:
            return QuestionTranslation((), checked=conditions, why=why or (_NO_BOX,))
        # What the form needs besides, and the largest pages.
        fixed = dict(self._interface.fixed)
        return QuestionTranslation(
            values=_sort({**fixed, **self._values}),
            placed=tuple(self._placed),
            checked=tuple(dict.fromkeys((*self._checked, *left))),
            why=why,
            broader=_sort({**fixed, **self._values, **broader}) if broader else (),
        )

    def _place_conditions(self) -> None:
        """The best matches first; a control takes one condition, a condition one control."""
        found = []
        for target in _list_targets(self._form):
            rates = {
                field.name: rate_control(target.first, field, self._primary)
                for field in self._fields
            }
            best = max(rates.values(), default=0.0)
            for at, condition in enumerate(self._question.conditions):
                rate = rates[condition.field]
                if rate >= max(LEAST_RATE, best - _TIE):
                    # A pair of ends says a range better than a box for one value.
                    fits = target.is_range and condition.kind in ORDERED
                    found.append((rate + 0.01 * fits, -at, target))
        found.sort(key=lambda one: one[:2], reverse=True)
        for _, number, target in found:
            self._try_to_place(-number, target)

    def _try_to_place(self, number: int, target: _Target) -> None:
        names = {use.field.name for use in target.uses}
        if number in self._done or names & self._values.keys():
            return
        condition = self._question.conditions[number]
        filling = _fill(condition, target)
        if isinstance(filling, str):
            self._why[condition.field] = f"{target.shown!r} {filling}"
            return
        self._values.update(filling.values)
        self._done.add(number)
        self._placed.append(
            PlacedCondition(condition.shown, target.shown, filling.shown, filling.is_exact)
        )
        if not filling.is_exact:
            self._checked.append(condition)

    def _place_words(self) -> dict[str, str]:
        """Fills the box for words; what it gets instead in a broader question, or nothing."""
        box = self._find_word_box()
        words = self._question.words
        in_words = [
            at
            for at, one in enumerate(self._question.conditions)
            # What a list of the form does not offer is no word to look for either.
            if at not in self._done
            and one.text
            and one.kind in _IN_WORDS
            and one.field not in self._why
        ]
        if box is None:
            if words and (title := self._find_title_box()):
                self._put(title, words, words)
            elif words:
                self._why["words"] = _NO_BOX
            return {}
        if not words and len(in_words) == 1 and self._place_in_scope(box, in_words[0]):
            return {}
        conditions = [self._question.conditions[at] for at in in_words]
        terms = [one.text for one in sorted(conditions, key=_selectiveness)]
        terms = [*terms, *([words] if words else [])]
        if not terms:
            return {}
        self._values[box.name] = " ".join(terms)
        for condition in conditions:
            self._placed.append(
                PlacedCondition(condition.shown, _name_field(box), condition.text, is_exact=False)
            )
        if words:
            self._placed.append(PlacedCondition(words, _name_field(box), words))
        self._done.update(in_words)
        self._checked += conditions
        return {box.name: terms[0]} if len(terms) > 1 else {}

    def _put(self, box: Field, asked: str, text: str) -> None:
        self._values[box.name] = text
        self._placed.append(PlacedCondition(asked, _name_field(box), text, is_exact=False))

    def _find_word_box(self) -> Field | None:
        """The box that takes any words; a box for something else is none, for it would look for
        them in the wrong place."""
        fields = {use.field.name: use.field for use in self._form.used_as(BOX)}
        boxes = (box for box in self._interface.boxes if not box.meaning)
        free = (fields[box.name] for box in boxes if box.name in fields)
        return next((box for box in free if box.name not in self._values), None)

    def _find_title_box(self) -> Field | None:
        found = (use.field for use in self._form.used_as(BOX) if use.meaning.kind == "title")
        return next((field for field in found if field.name not in self._values), None)

    def _place_in_scope(self, box: Field, number: int) -> bool:
        """`Search for [Le Guin] in [Author]`: the list says in which field the words are looked
        for."""
        condition = self._question.conditions[number]
        field = next(one for one in self._fields if one.name == condition.field)
        for use in self._form.used_as(SCOPE):
            if not use.field.options:
                continue
            rated = [(rate_label(option.text, field), option) for option in use.field.options]
            rate, option = max(rated, key=lambda one: one[0])
            if rate >= LEAST_RATE:
                self._values |= {box.name: condition.text, use.field.name: option.value}
                shown = f"{condition.text} in {option.text}"
                self._placed.append(PlacedCondition(condition.shown, _name_field(box), shown))
                self._done.add(number)
                return True
        return False


_NO_CONTROL = "no control of the form asks for it"
_NO_BOX = "the form has no box for words"


def _add_fields(
    fields: Sequence[SchemaField], conditions: Iterable[FieldCondition]
) -> tuple[SchemaField, ...]:
    """With those asked for that the schema lacks."""
    known = {field.name for field in fields}
    further = {
        one.field: SchemaField(one.field, one.kind) for one in conditions if one.field not in known
    }
    return (*fields, *further.values())


def _selectiveness(condition: FieldCondition) -> tuple[bool, int]:
    """Titles find the fewest, then what the kind says."""
    return condition.field != "name", _SELECTIVE.index(condition.kind)


def _name_field(field: Field) -> str:
    # A label that was made of the name says less than the name.
    label = field.label if field.label_source != "name" else ""
    return label or field.placeholder or field.name


def _sort(values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(values.items()))


def _fill(condition: FieldCondition, target: _Target) -> _Filling | str:
    """The values for a target, or what stands against it."""
    if target.is_range:
        if condition.kind not in ORDERED:
            return "asks for a range"
        return _fill_range(condition, target)
    use = target.first
    end = use.meaning.end if condition.kind in ORDERED else ""
    low, high = condition.ends
    if end and (low, high) != ("", ""):
        # A box for one end alone: what the other end asks for is checked.
        wanted = low if end == "from" else high
        filled = _fill_end(wanted, condition.kind, use, is_low=end == "from") if wanted else None
        if filled is None:
            return f"is only for the {'lower' if end == 'from' else 'upper'} end"
        is_whole = not (high if end == "from" else low)
        return _Filling({use.field.name: filled[0]}, filled[0], filled[1] and is_whole)
    if use.use == BOX:
        return _fill_box(condition, use)
    return _fill_choice(condition, target)


def _fill_box(condition: FieldCondition, use: ControlUse) -> _Filling | str:
    low, high = condition.ends
    if condition.is_range and low != high:
        return "takes one value, and no range"
    if use.meaning.part == "zip" and not _number(low):
        return "takes postal codes"
    text = _write_value(low, condition.kind, use)
    return _Filling({use.field.name: text}, text) if text else "takes no such value"


def _write_value(text: str, kind: str, use: ControlUse) -> str:
    """A value as a box takes it: a date in the form the control asks for, an amount as a number."""
    field = use.field
    if kind == "date":
        found = read_amount(text, "date").value
        return _write_date(str(found), use) if isinstance(found, str) else text
    if kind in ORDERED:
        amount = read_amount(text, kind).value
        text = f"{amount:.10g}" if isinstance(amount, int | float) else text
    return text if not field.max_length or len(text) <= field.max_length else ""


def _write_date(date: str, use: ControlUse, *, is_last: bool = False) -> str:
    """An ISO date, as exact as it is, for a control; '' if it cannot be written there."""
    field = use.field
    full = (date + ("-12-31" if is_last else "-01-01")[len(date) - _YEAR :])[:_WHOLE_DATE]
    if field.kind in _ISO_LENGTHS:
        return full[: _ISO_LENGTHS[field.kind]]
    hint = field.placeholder or field.title
    if re.search(r"(?i)y{4}|j{4}|a{4}", hint) and re.search(r"(?i)m{2}", hint):
        parts = {
            "y": full[:4],
            "j": full[:4],
            "a": full[:4],
            "m": full[5:7],
            "d": full[8:],
            "t": full[8:],
        }
        return _hint_of_date(lambda found: parts[found[0][0].lower()], hint.strip())
    if use.meaning.kind == "year" or field.max_length == _YEAR or len(date) == _YEAR:
        return date[:_YEAR]
    return date


def _fill_range(condition: FieldCondition, target: _Target) -> _Filling | str:
    values, is_exact = {}, True
    for use, end, is_low in zip(target.uses, condition.ends, (True, False), strict=True):
        if not end:
            continue
        filled = _fill_end(end, condition.kind, use, is_low=is_low)
        if filled is None:
            # Without this end more comes, of which the records tell what was meant.
            is_exact = False
            continue
        values[use.field.name] = filled[0]
        is_exact &= filled[1]
    if not values:
        return "offers no such ends"
    return _Filling(values, " .. ".join(values.values()), is_exact)


def _fill_end(end: str, kind: str, use: ControlUse, *, is_low: bool) -> tuple[str, bool] | None:
    """The value of one end and whether it is just that end; None if none takes all of the range."""
    value = read_amount(end, kind).value
    if not use.field.options:
        if isinstance(value, str):
            text = _write_date(value, use, is_last=not is_low)
        else:
            text = _write_value(end, kind, use)
        return (text, True) if text else None
    wanted = float(value[:_YEAR]) if isinstance(value, str) else float(value or 0)
    offered = [(option_amount(option), option) for option in list_real_choices(use.field)]
    # The narrowest end that leaves nothing out.
    fitting = [
        (amount, option.value)
        for amount, option in offered
        if amount is not None and (amount <= wanted if is_low else amount >= wanted)
    ]
    if not fitting:
        return None
    amount, text = (max if is_low else min)(fitting, key=lambda one: one[0])
    return text, amount == wanted


def _fill_choice(condition: FieldCondition, target: _Target) -> _Filling | str:
    options = [option for use in target.uses for option in _list_options(use.field)]
    if condition.kind == "boolean":
        is_wanted = read_amount(condition.text, "boolean").value is not False
        if len(options) == 1 and is_wanted:
            return _Filling({target.first.field.name: options[0].value}, options[0].text)
    found = find_choice(condition, options)
    if found is None:
        shown = condition.text or condition.shown
        return f"has no choice that says {shown!r}"
    option, is_exact = found
    return _Filling({target.first.field.name: option.value}, option.text or option.value, is_exact)


def _list_options(field: Field) -> list[Option]:
    if field.kind == "checkbox":
        return [Option(field.value, field.label)]
    return list_real_choices(field)


def find_choice(condition: FieldCondition, options: Sequence[Option]) -> tuple[Option, bool] | None:
    """The choice that says what a condition asks for, and whether it says just that; None if there
    is none, or if several might."""
    if condition.kind in ORDERED:
        return _find_amount(condition, options)
    asked = fold(condition.text).strip()
    for says in (
        lambda option: asked in (fold(option.text).strip(), option.value.strip().casefold()),
        lambda option: are_same_concept(condition.text, option.text),
    ):
        if found := next(filter(says, options), None):
            return found, True
    # `Fiction (123)`, `Books in German`: the shortest text with all words says the least besides.
    wider = [option for option in options if is_said_in(condition.text, option.text)]
    if wider:
        return min(wider, key=lambda option: len(option.text)), True
    narrower = [
        option
        for option in options
        if len(option.text) > 2 and is_said_in(option.text, condition.text)
    ]
    return (max(narrower, key=lambda option: len(option.text)), False) if narrower else None


def _find_amount(
    condition: FieldCondition, options: Sequence[Option]
) -> tuple[Option, bool] | None:
    """The narrowest choice that covers a range: `1990s`, `20 - 50 EUR`, or one amount."""
    low, high = (_amount_of(end, condition.kind) for end in condition.ends)
    covering = []
    for option in options:
        ends = read_choice_range(option)
        if ends and (low is not None and high is not None) and ends[0] <= low and high <= ends[1]:
            covering.append((ends[1] - ends[0], ends == (low, high), option))
    if not covering:
        return None
    _, is_exact, option = min(covering, key=lambda one: one[0])
    return option, is_exact


def _amount_of(end: str, kind: str) -> float | None:
    value = read_amount(end, kind).value if end else None
    if isinstance(value, str):
        return float(value[:_YEAR])
    return float(value) if isinstance(value, int | float) else None


def read_choice_range(option: Option) -> tuple[float, float] | None:
    """The amounts that a choice stands for.

    >>> read_choice_range(Option("3", "1990s")), read_choice_range(Option("b", "20 - 50 EUR"))
    ((1990.0, 1999.0), (20.0, 50.0))
    >>> read_choice_range(Option("", "all years"))
    """
    if found := _decade(option.text):
        return float(found[1]), float(found[1]) + 9
    if found := _between(option.text):
        low, high = (read_amount(end, "number").value for end in found.groups())
        if isinstance(low, int | float) and isinstance(high, int | float) and low <= high:
            return float(low), float(high)
    numbers = _number(option.text)
    if len(numbers) != 1 or re.sub(r"[\d.,\s$€£¥]", "", option.text):
        return None
    amount = read_amount(numbers[0], "number").value
    return (float(amount), float(amount)) if isinstance(amount, int | float) else None


class AskableControl(Struct, frozen=True):
    """A control of a form, and what it can be asked."""

    control: str
    field: str
    """Of the schema; '' for the box for words, and for what fits no field."""
    choices: tuple[str, ...] = ()
    """What a list offers."""
    is_range: bool = False


def list_askable(form: Form, schema: TopicSchema) -> tuple[AskableControl, ...]:
    """What a form can be asked in the terms of a schema."""
    controls = find_control_uses(form)
    primary = list_primary(schema.fields)
    found = []
    for target in _list_targets(controls):
        rates = [(rate_control(target.first, one, primary), one.name) for one in schema.fields]
        rate, name = max(rates, key=lambda one: one[0], default=(0.0, ""))
        options = [option for use in target.uses for option in _list_options(use.field)]
        choices = tuple(option.text or option.value for option in options)
        name = name if rate >= LEAST_RATE else ""
        found.append(AskableControl(target.shown, name, choices, target.is_range))
    return tuple(found)
