"""Wrappers: values are told from the frame of a site by its pages alone."""

from collections.abc import Sequence

import msgspec
import pytest

from leadline.core.table import Wrapper
from leadline.core.url import Url
from leadline.extraction.wrapper_learning import NAME_LABEL, SourcePage, learn_wrapper, read_slots
from leadline.page.outline import outline_of

NAMES = [
    "Sea of Glass",
    "The Long Road",
    "Winter Light",
    "Two Rivers",
    "Stone",
    "Night Train",
    "Low Tide",
    "Owls",
]
AUTHORS = [
    "Ann Smith",
    "Bo Karlsson",
    "Cy Young",
    "Di Mann",
    "Ed West",
    "Flo Hill",
    "Gil Moss",
    "Hal Ray",
]


def make_page(number: int, *, advert: bool = False) -> SourcePage:
    """A page of a shop: menu, facts in a table, an optional fact, other products, a footer."""
    name, author = NAMES[number], AUTHORS[number]
    optional = f"<tr><th>Series:</th><td>Set {number}</td></tr>" if number % 2 else ""
    others = "".join(f"<li><a>{other}</a></li>" for other in NAMES[number + 1 :][:2])
    html = f"""<title>{name} - The Shop</title><body>
    <ul><li><a href=/>Home</a><li><a href=/c>Cart</a></ul>
    {"<div class=ad>Buy now, number " + str(number) + "</div>" if advert else ""}
    <div id=main><h1>{name}</h1>
    <table><tr><th>Author:</th><td>{author}</td></tr>{optional}
    <tr><th>Language:</th><td>{"English" if number % 3 else "German"}</td></tr>
    <tr><th>Price:</th><td>$ {number + 3}.50</td></tr></table>
    <p class=posted>Posted: May {number + 1}, 2010</p></div>
    <h2>Others bought</h2><ul>{others}</ul><p>All rights reserved</p></body>"""
    return SourcePage(
        outline_of(html.encode(), Url(f"http://shop.example/{number}")), f"{name} - The Shop"
    )


@pytest.fixture(scope="module")
def wrapper() -> Wrapper:
    return learn_wrapper("shop", [make_page(number) for number in range(5)])


def read_labelled(wrapper: Wrapper, page: SourcePage) -> dict[str, Sequence[str]]:
    texts = read_slots(wrapper, page)
    return {
        label: texts[slot.name]
        for slot in reversed(wrapper.slots)
        for label in slot.labels[:1]
        if slot.name in texts
    }


def test_values_are_found_by_their_labels_on_a_page_that_was_not_learned_from(
    wrapper: Wrapper,
) -> None:
    read = read_labelled(wrapper, make_page(5))
    assert read["Author"] == ["Flo Hill"]
    assert read["Price"] == ["$ 8.50"]
    assert read["Posted"] == ["Posted: May 6, 2010"]
    assert read["Series"] == ["Set 5"]


def test_the_name_of_the_record_is_what_titles_of_documents_say(wrapper: Wrapper) -> None:
    assert read_labelled(wrapper, make_page(5))[NAME_LABEL] == ["Night Train"]


def test_common_values_are_no_frame(wrapper: Wrapper) -> None:
    assert read_labelled(wrapper, make_page(4))["Language"] == ["English"]


def test_the_frame_is_left_out(wrapper: Wrapper) -> None:
    texts = {text for found in read_slots(wrapper, make_page(5)).values() for text in found}
    assert texts.isdisjoint({"Home", "Cart", "All rights reserved", "Others bought", "Author:"})


def test_a_part_before_the_values_moves_nothing(wrapper: Wrapper) -> None:
    read = read_labelled(wrapper, make_page(5, advert=True))
    assert (read["Author"], read["Price"]) == (["Flo Hill"], ["$ 8.50"])


def test_a_wrapper_is_stored_and_read_again(wrapper: Wrapper) -> None:
    stored = msgspec.msgpack.encode(wrapper)
    assert msgspec.msgpack.decode(stored, type=Wrapper) == wrapper


def test_one_page_teaches_nothing() -> None:
    assert learn_wrapper("shop", [make_page(0)]).slots == ()


def test_kinds_come_from_values(wrapper: Wrapper) -> None:
    kinds = {slot.labels[0]: slot.kind for slot in wrapper.slots if slot.labels}
    assert (kinds["Author"], kinds["Price"], kinds["Posted"]) == ("person", "money", "date")
