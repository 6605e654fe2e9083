"""Rows of several sources that are one thing."""

import random

import numpy as np
from bench.linkage import KINDS, make_rows, make_things, measure_pairs

from leadline.core.harvest import HarvestId
from leadline.core.table import SchemaField, TypedRow
from leadline.extraction.values import parse_value
from leadline.records.linkage import RecordLinker, join_pairs, link_rows

FIELDS = [SchemaField(name, kind) for name, kind in KINDS.items()]
ISBN = SchemaField("isbn", "identifier", is_key=True)
KINDS_HERE = {**KINDS, "isbn": "identifier"}


def make_row(source: str, **texts: str) -> TypedRow:
    values = {name: (parse_value(text, KINDS_HERE[name]),) for name, text in texts.items()}
    return TypedRow(HarvestId(1), 1, source, "", None, 0.0, values)


def link_with_noise(rows: list[TypedRow], fields: list[SchemaField] = FIELDS) -> list[int]:
    """The groups of `rows`, among rows of made-up books from which the linker learns."""
    others = [
        row for _, row in make_rows(make_things(400, random.Random(4)), 3, 0.6, random.Random(4))
    ]
    groups: list[int] = link_rows([*others, *rows], fields).groups.tolist()
    return groups[len(others) :]


def test_one_thing_in_two_sources_is_one_group_however_it_is_written() -> None:
    first, second, third = link_with_noise(
        [
            make_row(
                "s0",
                name="The Lathe of Heaven (SF Masterworks)",
                person="Ursula K. Le Guin",
                date="1971",
            ),
            make_row("s1", name="LATHE OF HEAVEN, THE", person="Le Guin, Ursula K.", date="1971"),
            make_row(
                "s2", name="The Word for World Is Forest", person="Ursula K. Le Guin", date="1972"
            ),
        ]
    )
    assert first == second != third


def test_volumes_are_different_things() -> None:
    first, second = link_with_noise(
        [
            make_row("s0", name="Amber Chronicles, Vol. 1", person="R. Zelazny", date="1970"),
            make_row("s1", name="Amber Chronicles, Vol. 2", person="R. Zelazny", date="1972"),
        ]
    )
    assert first != second


def test_an_identifier_decides() -> None:
    fields = [*FIELDS, ISBN]
    same = link_with_noise(
        [
            make_row("s0", name="Dune", person="Herbert", isbn="978-0-441-17271-9"),
            make_row("s1", name="Der Wüstenplanet", person="F. Herbert", isbn="9780441172719"),
        ],
        fields,
    )
    assert same[0] == same[1]
    other = link_with_noise(
        [
            make_row("s0", name="Dune", person="Herbert", date="1965", isbn="978-0-441-17271-9"),
            make_row("s1", name="Dune", person="Herbert", date="1965", isbn="978-0-340-96019-6"),
        ],
        fields,
    )
    assert other[0] != other[1]


def test_words_that_a_source_adds_to_every_name_do_not_count() -> None:
    titles = [
        f"{a} {b}"
        for a in ("amber", "cobalt", "ochre", "umber")
        for b in ("tower", "river", "gate", "moon", "fox", "hill")
    ]
    rows = [make_row("shop", name=f"Buy {title} cheap today") for title in titles]
    rows += [make_row("library", name=title.title()) for title in titles]
    linked = link_rows(rows, FIELDS)
    assert linked.things == len(titles)


def test_made_up_sources_are_linked_with_few_errors() -> None:
    truth, rows = zip(
        *make_rows(make_things(500, random.Random(9)), 4, 0.5, random.Random(9)), strict=True
    )
    found = measure_pairs(truth, link_rows(rows, FIELDS))
    assert found["f1"] > 0.95, found


def test_nothing_and_one_row_are_no_trouble() -> None:
    assert RecordLinker(FIELDS).link().things == 0
    assert link_rows([make_row("s", name="Alone")], FIELDS).things == 1
    assert link_rows([make_row("s"), make_row("t")], FIELDS).things == 2
    assert link_rows([make_row("s", name="A"), make_row("t", name="A")], []).things == 2


def test_a_group_is_not_joined_against_most_of_its_pairs() -> None:
    pairs = np.array([[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]])
    chances = np.array([0.99, 0.98, 0.97, 0.6, 0.1, 0.1])
    groups, _ = join_pairs(4, pairs, chances, [()] * 4)
    assert groups.tolist() == [0, 0, 0, 1]
