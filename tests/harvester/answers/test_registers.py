# ruff: noqa: E501 - markup is written on one line
"""Lists of cases as courts of many makes write them, sound and damaged."""

import json
import random

from tools.register_families import FAMILIES, draw_outcome

from leadline.core.harvest import Answer
from leadline.harvester.single_page import read_answer_page


def read(markup: str) -> Answer:
    source = f"<html><body><h1>Opinions</h1>{markup}</body></html>"
    return read_answer_page(
        source.encode(), "https://register.test/list", "text/html; charset=utf-8", ""
    )


def shown(answer: Answer) -> list[str]:
    return [" | ".join(cell.text for cell in record.cells) for record in answer.records]


def test_in_re_belongs_to_the_name_of_a_case() -> None:
    names = ["In re: Harbor Mills", "State v. Stone", "In re: Copper Lake", "Ridge v. Falcon"]
    rows = "".join(
        f'<tr><td><a href="/d/{n}.pdf">24-{n:04}</a></td><td>{name}</td></tr>'
        for n, name in enumerate(names)
    )
    texts = shown(read(f"<table>{rows}</table>"))
    assert [name for name, text in zip(names, texts, strict=True) if name not in text] == []


def test_a_paragraph_that_a_list_ended_begins_the_first_record() -> None:
    one = "EN BANC<br><b>&nbsp;<a href='/d/{0}.pdf'>24-{0}-SCT</a></b><br><br><ul><b>{1} v. Stone</b>; Affirmed.</ul><br><hr>"
    names = ("Harbor", "Mills", "Copper", "Ridge")
    markup = "<p> <br>" + " <br>".join(one.format(100 + n, name) for n, name in enumerate(names))
    texts = shown(read(markup))
    assert len(texts) == 4
    assert "24-100-SCT" in texts[0]
    assert "Harbor v. Stone" in texts[0]


def test_fonts_that_nothing_ends_do_not_part_a_list() -> None:
    markup = "".join(
        f"<h3><a href='/d/{n}.pdf'>Harbor v. Mills {n}</a></h3>{'<font size=2>' if n % 3 == 0 else ''}<p>24-{n:04}</p><p>Affirmed.</p>"
        for n in range(12)
    )
    texts = shown(read(markup))
    assert len(texts) == 12
    assert all(f"24-{n:04}" in text for n, text in enumerate(texts))


def test_the_first_record_needs_no_paragraph_before_it() -> None:
    markup = "<p>".join(
        f"2024-05-0{n}<br><a href='/d/{n}.pdf'>24-{n:04}</a><br>Harbor {n} v. Mills"
        for n in range(1, 5)
    )
    assert len(read(f"<h2>Recent</h2>{markup}").records) == 4


def test_a_row_without_a_document_is_a_record() -> None:
    rows = "".join(
        f"<tr><td>{n}</td><td>"
        + (
            f"Harbor v. Mills {n}"
            if n in (3, 7)
            else f"<a href='/d/{n}.pdf'>Harbor v. Mills {n}</a>"
        )
        + f"</td><td>24-{n:04}</td></tr>"
        for n in range(12)
    )
    assert len(read(f"<table>{rows}</table>").records) == 12


def test_most_families_are_read_whole() -> None:
    recalls = {}
    for family in FAMILIES:
        rng = random.Random(f"floor {family.__name__}")
        recalls[family.__name__] = [draw_outcome(rng, family).recall for _ in range(2)]
    whole = [recall >= 0.95 for group in recalls.values() for recall in group]
    assert sum(whole) >= 0.85 * len(whole), json.dumps(recalls)
