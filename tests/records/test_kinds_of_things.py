"""Columns get their names on pages of kinds of things that no weight was fitted on, in markup of
several makers, with and without a schema."""

from collections.abc import Callable

import pytest

from leadline.core.url import Url
from leadline.extraction.wrapper_learning import SourcePage, learn_wrapper, read_slots
from leadline.page.outline import outline_of
from leadline.records.matching import induce_fields, match_columns, sample_slots
from leadline.records.schemas import find_schema

Facts = dict[str, str]
Maker = Callable[[str, Facts], str]
WORDS = ["Amber", "Birch", "Cedar", "Dover", "Ember", "Fjord", "Grove", "Heron"]
CITIES = ["Salem, OR 97301", "Troy, NY 12180", "Boise, ID 83702", "Waco, TX 76701"]


def make_camera(n: int) -> tuple[str, Facts]:
    name = f"{WORDS[n]} {300 + 7 * n}Z"
    maker = ["Lumo", "Opta", "Fotex", "Zenta", "Kiro"][n % 5]
    return name, {
        "Manufacturer": maker,
        "Price": f"${199 + 31 * n}.95",
        "Resolution": f"{8 + n}.1 megapixels",
        "Optical Zoom": f"{3 + n % 4}x",
    }


def make_player(n: int) -> tuple[str, Facts]:
    first = ["Al", "Bo", "Cy", "Dan", "Ed", "Flo", "Gil", "Hal"][n]
    return f"{first} {WORDS[n]}son", {
        "Team": ["Salem Owls", "Troy Kings", "Boise Stars"][n % 3],
        "Height": f"6-{n + 2}",
        "Weight": f"{190 + 7 * n} lbs",
        "Position": ["Guard", "Forward", "Center"][n % 3],
    }


def make_restaurant(n: int) -> tuple[str, Facts]:
    return f"{WORDS[n]} Kitchen", {
        "Address": f"{12 + 31 * n} {WORDS[-n - 1]} Street",
        "Phone": f"(503) 555-01{20 + n}",
        "Cuisine": ["Italian", "Thai", "Mexican"][n % 3],
        "Hours": f"Mon-Sat {9 + n % 3}am - {9 + n % 2}pm",
    }


def make_university(n: int) -> tuple[str, Facts]:
    return f"{WORDS[n]} State University", {
        "Phone": f"503.555.01{40 + n}",
        "Website": f"www.{WORDS[n].lower()}.edu",
        "Type": ["Public", "Private not-for-profit"][n % 2],
        "Founded": str(1850 + 7 * n),
    }


def as_table(name: str, facts: Facts) -> str:
    rows = "".join(f"<tr><th>{label}:</th><td>{text}</td></tr>" for label, text in facts.items())
    return f"<h1>{name}</h1><table>{rows}</table>"


def as_terms(name: str, facts: Facts) -> str:
    rows = "".join(f"<dt>{label}</dt><dd><b>{text}</b></dd>" for label, text in facts.items())
    return f"<h2 class=fn>{name}</h2><dl>{rows}</dl>"


def as_lines(name: str, facts: Facts) -> str:
    rows = "".join(f"<p>{label}: {text}</p>" for label, text in facts.items())
    return f"<div id=head><span>{name}</span></div><div id=facts>{rows}</div>"


def as_bare_parts(name: str, facts: Facts) -> str:
    rows = "".join(
        f"<div class='{label.lower().replace(' ', '-')}'>{text}</div>"
        for label, text in facts.items()
    )
    return f"<article><h1>{name}</h1>{rows}</article>"


def name_columns(
    make: Callable[[int], tuple[str, Facts]], maker: Maker, topic: str
) -> dict[str, list[str]]:
    """The texts of each named column of eight pages."""
    pages = []
    for number in range(8):
        name, facts = make(number)
        html = (
            f"<title>{name} | The List</title><body><ul><li><a href=/>Home</a>"
            f"<li><a href=/about>About us</a></ul>{maker(name, facts)}<p>All rights reserved</p>"
        )
        outline = outline_of(html.encode(), Url(f"http://list.example/{number}"))
        pages.append(SourcePage(outline, f"{name} | The List"))
    wrapper = learn_wrapper("list", pages)
    samples = sample_slots(wrapper, [read_slots(wrapper, page) for page in pages])
    schema = induce_fields(samples, find_schema(topic))
    matches = match_columns(samples, schema.fields)
    return {match.field.name: list(match.sample.texts) for match in matches.values()}


KINDS = {
    "camera": (make_camera, {"Manufacturer": "manufacturer brand", "Price": "price"}),
    "player": (make_player, {"Team": "team", "Height": "height", "Weight": "weight"}),
    "restaurant": (
        make_restaurant,
        {"Address": "address", "Phone": "phone", "Cuisine": "cuisine", "Hours": "opening_hours"},
    ),
    "university": (
        make_university,
        {"Phone": "phone", "Website": "url", "Type": "type institution_type"},
    ),
}


@pytest.mark.parametrize("maker", [as_table, as_terms, as_lines, as_bare_parts])
@pytest.mark.parametrize("topic", [*KINDS, "unknown"])
def test_attributes_are_named_whatever_the_markup(topic: str, maker: Maker) -> None:
    for kind, (make, wanted) in KINDS.items():
        if topic not in (kind, "unknown"):
            continue
        named = name_columns(make, maker, topic)
        facts = [make(number) for number in range(8)]
        assert named.get("name", named.get("model")) == [name for name, _ in facts], kind
        for label, fields in wanted.items():
            true = [own[label] for _, own in facts]
            found = [named[field] for field in fields.split() if field in named]
            assert true in found, (kind, label, sorted(named))


def test_the_lines_of_an_address_are_read_together() -> None:
    pages = []
    for number in range(8):
        name, facts = make_restaurant(number)
        lines = f"<p>{facts['Address']}<br>{CITIES[number % 4]}</p><p>{facts['Phone']}</p>"
        html = f"<title>{name}</title><body><p>Welcome</p><h1>{name}</h1>{lines}"
        pages.append(SourcePage(outline_of(html.encode(), Url(f"http://a.example/{number}")), name))
    wrapper = learn_wrapper("a", pages)
    assert [make_restaurant(2)[1]["Address"], CITIES[2]] in read_slots(wrapper, pages[2]).values()
