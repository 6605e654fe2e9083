"""Labels of real forms find their forms again, on made-up pages."""

import pytest
from msgspec import structs
from tools.form_labels.labels import (
    DOORS,
    KINDS,
    ROLES,
    SEARCH_KINDS,
    FormLabel,
    form_labels,
    join_labels,
    page_labels,
)
from tools.form_labels.units import (
    ModernPage,
    control_keys,
    form_key,
    hash_of,
    read_modern_page,
    units_of,
)
from tools.splits import is_held_out

HOST = "example.org"
SHOP = """
<form action="/find" method="get"><input type="hidden" name="token" value="{token}">
<label>{label} <input name="title"></label><select name="kind"><option>New</select>
<input type="number" name="most"><button>{button}</button></form>
<textarea placeholder="Tell us"></textarea>
<aside><label><input type="checkbox" name="red"> Red</label>
<label><input type="checkbox" name="blue"> Blue</label></aside>
"""


def shop(*, token: str = "a", label: str = "Title", button: str = "Go") -> ModernPage:
    return read_modern_page(SHOP.format(token=token, label=label, button=button), HOST)


def label_of(modern: ModernPage, number: int, roles: dict[int, str]) -> FormLabel:
    form = units_of(modern)[number]
    return FormLabel(
        form=form_key(form, modern.host),
        host=hash_of(modern.host),
        held_out=is_held_out(modern.host),
        searchable=True,
        kind="database-search",
        safe=True,
        roles=roles,
        controls=tuple(control_keys(form, modern.host)),
    )


def test_units_are_forms_then_boxes_then_tick_boxes_by_region() -> None:
    form, box, ticks = units_of(shop())
    assert [field.name for field in form.fields] == ["token", "title", "kind", "most"]
    assert [field.kind for field in box.fields] == ["textarea"]
    assert [field.label for field in ticks.fields] == ["Red", "Blue"]
    assert box.is_implicit
    assert ticks.is_implicit


def test_a_key_does_not_depend_on_texts_and_hidden_values() -> None:
    first, second = shop(), shop(token="b", label="Titel", button="Suchen")
    keys = [form_key(form, HOST) for form in units_of(first)]
    assert keys == [form_key(form, HOST) for form in units_of(second)]
    assert len(set(keys)) == len(keys)


def test_a_key_is_pinned() -> None:
    """Keys are kept for years: whatever changes one loses every label."""
    assert [form_key(form, HOST) for form in units_of(shop())] == PINNED


def test_keys_differ_by_host() -> None:
    (form, *_) = units_of(shop())
    assert form_key(form, HOST) != form_key(form, "example.net")


def test_postings_of_one_page_carry_one_form() -> None:
    html = "".join(
        f"<form action=/post/{n}/vote><button>Up</button></form>" for n in (12345, 67890)
    )
    one, other = units_of(read_modern_page(html, HOST))
    assert form_key(one, HOST) == form_key(other, HOST)


def test_roles_are_placed_on_the_fields_of_the_form() -> None:
    modern = shop()
    (found,) = join_labels([modern], [label_of(modern, 0, {0: "title", 2: "price-max"})])
    assert found.label.roles == {1: "title", 3: "price-max"}
    assert found.host == HOST


def test_a_form_that_is_read_otherwise_keeps_its_label() -> None:
    modern = shop()
    (form, *rest) = modern.page.forms
    grown = structs.replace(form, fields=(*form.fields[2:], form.fields[1]), method="post")
    page = structs.replace(modern.page, forms=(grown, *rest))
    changed = structs.replace(modern, page=page)
    (found,) = join_labels([changed], [label_of(modern, 0, {0: "title", 2: "price-max"})])
    assert found.form is grown
    assert found.label.roles == {1: "price-max", 2: "title"}


def test_controls_that_the_parser_passes_over_can_be_left_out() -> None:
    modern = shop()
    labels = [label_of(modern, 0, {}), label_of(modern, 1, {})]
    assert len(join_labels([modern], labels)) == 2
    (found,) = join_labels([modern], labels, only_read=True)
    assert found.form is modern.page.forms[0]


def test_a_form_without_label_is_left_out() -> None:
    modern = shop()
    other = structs.replace(label_of(modern, 0, {}), host=hash_of("example.net"))
    assert join_labels([modern], [other]) == []


@pytest.mark.parametrize("name", ["modern", "swde", "formasaurus"])
def test_labels_hold_hashes_and_words_of_ours_alone(name: str) -> None:
    labels = form_labels(name)
    assert len({label.form for label in labels}) == len(labels) > 0
    for label in labels:
        assert len(label.form) == len(label.host) == 16
        assert label.kind in KINDS
        assert label.searchable is (label.kind in SEARCH_KINDS)
        assert set(label.roles.values()) <= ROLES
        if name != "formasaurus":
            assert set(label.roles) == set(range(len(label.controls)))


def test_pages_offer_searches_by_doors_we_know() -> None:
    assert all(set(label.doors) <= DOORS for label in page_labels())
    assert len({label.page for label in page_labels()}) == len(page_labels())


PINNED = ["69ddde494007b4dc", "93d128d92e659f42", "1018185487813f9e"]
