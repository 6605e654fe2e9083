"""Every form finds the records that it was filled in from."""

import pytest
from tests.lab.databases.sample import NOW, ask, lexicon

from leadline_lab.databases import (
    Behaviour,
    Index,
    Source,
    behaviour,
    held,
    hidden_values,
    read_query,
    record,
)
from leadline_lab.databases.kinds import SEMANTICS
from leadline_lab.interfaces import STYLES, SearchForm, search_form
from leadline_lab.schemas import SCHEMAS


def filled(form: SearchForm, values: dict[str, str]) -> dict[str, str]:
    """The form as a person fills it in who has the record before them."""
    said = {}
    for control, target in form.bound.items():
        value = values.get(target.partition(":")[0], "")
        if target == "*":
            value = next(iter(values.values()))
        said[control] = value.split(";")[0] if len(value) < 200 else ""
    return said


@pytest.mark.parametrize("schema", SCHEMAS)
def test_forms_find_what_they_ask_for(schema: str) -> None:
    for number, semantics in enumerate(SEMANTICS):
        source = Source(number, SCHEMAS[schema], 1000, Behaviour(semantics=semantics))
        found = Index(source, lexicon())
        values = record(source, lexicon(), 100 + number).values
        for style in STYLES:
            form = search_form(source.schema, number, language="en", action="/s", style=style)
            query = read_query(source, form.bound, filled(form, values))
            assert 100 + number in found.matches(query), (style, query)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_drawn_sources_answer_through_drawn_forms(schema: str) -> None:
    for key in range(3):
        source = Source(key, SCHEMAS[schema], 1000, behaviour(key), language="de")
        found = Index(source, lexicon())
        values = record(source, lexicon(), 5).values
        for style in STYLES:
            form = search_form(source.schema, key, language="de", action="/s", style=style)
            hidden = {c.name: c.value for c in form.model.controls if c.kind == "hidden"}
            asked = {**hidden, **hidden_values(source, NOW)}
            answer = ask(found, asked | filled(form, values), form.bound)
            assert answer.status in (200, 302)
            assert answer.matched or answer.asks_again


def test_what_only_the_asker_has_is_no_part_of_records() -> None:
    airfare = SCHEMAS["airfare"]
    names = {a.name for a in held(airfare)}
    assert names.isdisjoint({"adults", "children", "depart", "back"})
    source = Source(1, airfare, 1000)
    asked = {"adults": "2", "depart": "2024-05-06"}
    assert read_query(source, {name: name for name in asked}, asked).is_empty
