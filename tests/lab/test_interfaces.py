"""Schemas and the forms made from them."""

from collections import Counter
from html import escape

import pytest

from leadline.core.page import Form
from leadline.core.url import canonical
from leadline.forms.searchable import apply_rule
from leadline.page import parse_page
from leadline_lab.draw import Draw, key_of
from leadline_lab.interfaces import (
    OTHER_FORMS,
    OTHER_KINDS,
    STYLES,
    SearchForm,
    other_form,
    search_form,
    site_search,
)
from leadline_lab.interfaces.search import POST_PER_MILLE
from leadline_lab.markup.model import Control, FormModel
from leadline_lab.schemas import BACKGROUND_SCHEMAS, DOMAIN_OF, LANGUAGES, SCHEMAS, TARGET_DOMAINS

KINDS = frozenset("title text person place category year price date number code".split())
SAMPLE = 3_000


def made(name: str, number: int, style: str) -> SearchForm:
    key = key_of(7, name, number, style)
    language = LANGUAGES[number % len(LANGUAGES)]
    return search_form(SCHEMAS[name], key, language=language, action="/run", style=style)


def searches(style: str, several: int = 20) -> list[SearchForm]:
    return [made(name, number, style) for number in range(several) for name in SCHEMAS]


def others(several: int) -> list[tuple[str, FormModel]]:
    draw = Draw(5)
    kinds = [OTHER_KINDS[draw.weighted(OTHER_FORMS)] for _ in range(several)]
    return [
        (kind, other_form(kind, key_of(9, n), LANGUAGES[n % 4 if n % 3 else 0], "/send"))
        for n, kind in enumerate(kinds)
    ]


def visible(model: FormModel) -> list[Control]:
    return [control for control in model.controls if control.kind != "hidden"]


def said_by(model: FormModel) -> str:
    parts = [model.legend, *(label for _, label in model.submits)]
    for control in model.controls:
        parts += [control.label, control.placeholder, *(text for _, text in control.options)]
    return " ".join(parts)


def html_of(model: FormModel) -> str:
    role = ' role="search"' if model.has_search_role else ""
    parts = [f'<form action="{model.action}" method={model.method} name="{model.name}"{role}>']
    parts += [f"<h3>{escape(model.legend)}</h3>"] if model.legend else []
    parts += [f"<p>{_control(control)}</p>" for control in model.controls]
    for name, label in model.submits:
        parts.append(f'<button name="{escape(name)}">{escape(label)}</button>')
    return "".join((*parts, "</form>"))


def _control(control: Control) -> str:
    name, label = escape(control.name), escape(control.label)
    if control.kind == "select":
        options = "".join(f'<option value="{escape(v)}">{escape(t)}' for v, t in control.options)
        return f'{label} <select name="{name}">{options}</select>'
    if control.kind == "radio":
        return label + "".join(
            f'<input type=radio name="{name}" value="{escape(v)}">{escape(t)}'
            for v, t in control.options
        )
    if control.kind == "textarea":
        return f'{label} <textarea name="{name}"></textarea>'
    hint, value = escape(control.placeholder), escape(control.value)
    return f'{label} <input type={control.kind} name="{name}" value="{value}" placeholder="{hint}">'


def parsed(model: FormModel) -> Form:
    url = canonical("http://example.org/page")
    assert url is not None
    page = parse_page(f"<html><body>{html_of(model)}</body></html>".encode(), url)
    return page.forms[0]


def rightly_judged(model: FormModel, is_search: bool) -> bool:
    return (apply_rule(parsed(model))[0] >= 0.5) == is_search


def test_every_target_domain_has_a_schema_and_background_ones_have_no_domain() -> None:
    assert set(DOMAIN_OF.values()) == set(TARGET_DOMAINS)
    assert len(TARGET_DOMAINS) == 12
    assert len(BACKGROUND_SCHEMAS) >= 14
    assert set(SCHEMAS) == {*DOMAIN_OF, *BACKGROUND_SCHEMAS}
    assert not set(BACKGROUND_SCHEMAS) & {*DOMAIN_OF, *TARGET_DOMAINS}


def test_five_domains_have_a_second_population() -> None:
    twice = [domain for domain, n in Counter(DOMAIN_OF.values()).items() if n > 1]
    assert sorted(twice) == ["auto", "book", "job", "movie", "people"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_complete_in_four_languages(name: str) -> None:
    schema = SCHEMAS[name]
    assert 5 <= len(schema.attributes) <= 12
    names = [attribute.name for attribute in schema.attributes]
    assert len(set(names)) == len(names)
    assert len(schema.paths) >= 5
    wordings = [schema.one, schema.many, schema.prompts]
    wordings += [attribute.labels for attribute in schema.attributes]
    for words in wordings:
        assert tuple(words) == LANGUAGES
        assert all(all(said) and said for said in words.values())


@pytest.mark.parametrize("name", SCHEMAS)
def test_attributes_have_known_kinds_names_and_choices(name: str) -> None:
    attributes = SCHEMAS[name].attributes
    for attribute in attributes:
        assert attribute.kind in KINDS
        assert attribute.names
        assert len(set(attribute.choices)) == len(attribute.choices)
        assert len(attribute.choices) >= 2 or attribute.kind != "category"
        assert attribute.kind not in ("price", "number") or all(
            step.isdigit() for step in attribute.choices
        )
    assert sum(bool(a.choices) or a.kind == "year" for a in attributes) >= 2


def test_a_key_gives_the_same_form() -> None:
    for style in STYLES:
        assert made("book", 3, style) == made("book", 3, style)
        assert made("book", 3, style) != made("book", 7, style)
    assert site_search(4, "en", "/s") == site_search(4, "en", "/s")
    assert other_form("quote", 4, "fr", "/s") == other_form("quote", 4, "fr", "/s")


def test_names_are_unique_within_a_form() -> None:
    models = [form.model for style in STYLES for form in searches(style)]
    models += [model for _, model in others(SAMPLE)]
    for model in models:
        names = [control.name for control in model.controls]
        assert all(names)
        assert len(set(names)) == len(names)


def test_controls_are_bound_to_attributes_or_only_arrange_the_answer() -> None:
    for style in STYLES:
        for name in SCHEMAS:
            known = {a.name for a in SCHEMAS[name].attributes}
            for number in range(10):
                form = made(name, number, style)
                shown = {control.name for control in visible(form.model)}
                assert shown == {*form.bound, *form.settings, form.scope} - {""}
                targets = {target.partition(":")[0] for target in form.bound.values()}
                assert targets <= {*known, "*"}
                assert targets


def test_options_mean_choices_of_their_attribute() -> None:
    for form in searches("advanced") + searches("select_only"):
        for control in form.model.controls:
            if control.options and control.name in form.bound:
                assert all(text for _, text in control.options)
                values = [value for value, _ in control.options]
                assert values[0] in ("", "any", "all", "0", "-1")
                assert len(set(values)) == len(values)
                plain = [text.lower().replace(" ", "-") for _, text in control.options[1:]]
                assert [value.lower().replace(" ", "-") for value in values[1:]] == plain


def test_styles_ask_for_as_much_as_they_promise() -> None:
    sizes = {style: [len(visible(f.model)) for f in searches(style)] for style in STYLES}
    assert {1} <= set(sizes["keyword"]) <= {1, 2}
    assert set(sizes["simple"]) == {2, 3, 4}
    assert min(sizes["advanced"]) == 5
    assert 10 <= max(sizes["advanced"]) <= 12
    assert set(sizes["select_only"]) == {2, 3, 4, 5}
    for form in searches("select_only"):
        assert {control.kind for control in visible(form.model)} == {"select"}


def test_a_third_of_keyword_boxes_say_nothing_of_their_domain() -> None:
    silent = total = 0
    for number in range(600):
        boxed = made("book", number, "keyword")
        text = said_by(boxed.model)
        same_words = said_by(
            search_form(
                SCHEMAS["weather"],
                key_of(7, "book", number, "keyword"),
                language=LANGUAGES[number % 4],
                action="/run",
                style="keyword",
            ).model
        )
        silent += text == same_words
        total += 1
    assert 0.30 < silent / total < 0.40


def test_a_scope_narrows_what_the_box_is_held_against() -> None:
    form = next(f for f in searches("keyword", 60) if f.scope)
    control = next(c for c in form.model.controls if c.name == form.scope)
    values = [value for value, _ in control.options]
    assert values[0] == "keyword"
    box = next(iter(form.bound))
    assert form.bound_by({box: "x"}) == form.bound
    assert form.bound_by({box: "x", form.scope: "keyword"}) == form.bound
    assert form.bound_by({box: "x", form.scope: values[1]}) == {box: values[1]}


def test_forms_vary_as_real_ones_do() -> None:
    models = [form.model for style in STYLES for form in searches(style)]
    posted = sum(model.method == "post" for model in models) / len(models)
    assert abs(posted - POST_PER_MILLE / 1000) < 0.04
    hidden = sum(len(visible(m)) < len(m.controls) for m in models) / len(models)
    assert 0.40 < hidden < 0.56
    kinds = {control.kind for model in models for control in model.controls}
    assert kinds == {
        "text", "search", "select", "radio", "checkbox", "hidden", "date", "number",
    }  # fmt: skip
    assert any(target.endswith(":min") for f in searches("advanced") for target in f.bound.values())
    assert any(not model.submits for model in models)
    assert any(f.settings for f in searches("advanced"))


def test_a_site_search_has_one_box() -> None:
    for key in range(300):
        model = site_search(key, LANGUAGES[key % 4], "/search")
        assert [control.kind in ("text", "search") for control in visible(model)] == [True]


def test_other_forms_come_as_often_as_on_real_pages() -> None:
    counts = Counter(kind for kind, _ in others(SAMPLE))
    assert set(counts) == set(OTHER_KINDS)
    assert counts.most_common(1)[0][0] == "login"
    assert abs(counts["login"] / SAMPLE - 191 / OTHER_FORMS[-1]) < 0.03


def test_an_unknown_language_speaks_english() -> None:
    asked = {"action": "/run", "style": "simple"}
    english = search_form(SCHEMAS["job"], 5, language="en", **asked).model
    assert said_by(search_form(SCHEMAS["job"], 5, language="fi", **asked).model) == said_by(english)


def test_the_rule_of_thumb_is_mostly_but_not_always_right() -> None:
    shares = {"keyword": 38, "simple": 27, "advanced": 27, "select_only": 8}
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for style, share in shares.items():
        for form in searches(style)[: share * 5]:
            total["search"] += 1
            right["search"] += rightly_judged(form.model, is_search=True)
    for key in range(500):
        model = site_search(key, LANGUAGES[key % 4 if key % 3 else 0], "/q")
        total["search"] += 1
        right["search"] += rightly_judged(model, is_search=True)
    for _, model in others(2 * total["search"]):
        total["other"] += 1
        right["other"] += rightly_judged(model, is_search=False)
    assert 0.85 < right.total() / total.total() < 0.95
    assert right["search"] / total["search"] > 0.88
    assert right["other"] / total["other"] > 0.85
