"""No bytes make the reader fail, and none make it slow: every family, every charset, every packing.

`bench/adversary.py` tries larger bodies, for as long as it is let.
"""

import time

import pytest

from leadline.page.markup_guard import is_quick_to_parse
from leadline.web.unpack import UnpackError, unpack
from tests.adversary.families import FAMILIES, Body, Grammar, list_charsets, list_packed
from tests.adversary.read_path import ReadPath

PATH = ReadPath()
MOST_CPU_S = 4.0
"""For 60 KB, which take 0.1 s at most on a quiet machine; quadratic families took from 1 s up to
minutes. CPU time, so that a busy machine does not count."""
ONCE_QUADRATIC = (
    "formatting left open in paragraphs",
    "controls in one label",
    "controls named by others",
    "controls below comments",
    "links in objects",
    "results of differing classes",
    "results of many segments",
    "scripts that nothing ends",
    "beginnings of scripts",
    "results of many parameters",
    "one row of empty cells",
    "a pager and next links",
    "numbers beside a pager",
    "next links below short texts",
)
"""Families that took a harvest or a crawl time quadratic in their size."""
READERS = ("robots", "sitemap", "headers")
READ_BY_OTHERS = [
    *(name for name in FAMILIES if name.startswith(("robots", "one robots", "sitemap"))),
    *("cookies", "dates", "charsets", "addresses", "international hosts", "commands"),
    *("null bytes", "invalid utf-8", "one long word", "line ends", "XML entities"),
]


def measure(way: str, body: Body) -> float:
    """CPU seconds of one of the things that are done to a body."""
    began = time.process_time()
    PATH.ways[way](body)
    return time.process_time() - began


@pytest.mark.parametrize("name", FAMILIES)
def test_no_family_of_pages_takes_a_crawl_long(name: str) -> None:
    assert measure("crawl", Body(FAMILIES[name](60_000))) < MOST_CPU_S


@pytest.mark.parametrize("name", FAMILIES)
def test_what_a_crawl_reads_in_its_own_process_takes_a_moment(name: str) -> None:
    # Up to the largest size; what is left to processes that may die needs no bound here.
    for size in (32_000, 1_000_000):
        body = FAMILIES[name](size)
        if is_quick_to_parse(body):
            assert measure("crawl", Body(body)) < MOST_CPU_S / 4


@pytest.mark.parametrize("name", FAMILIES)
def test_no_family_of_answers_takes_a_harvest_long(name: str) -> None:
    assert measure("harvest", Body(FAMILIES[name](4_000))) < MOST_CPU_S


@pytest.mark.parametrize("name", ONCE_QUADRATIC)
def test_four_times_the_answer_takes_about_four_times_as_long(name: str) -> None:
    # The least of three: a busy machine only ever adds.
    small, large = (
        min(measure("harvest", Body(FAMILIES[name](size))) for _ in range(3))
        for size in (8_000, 32_000)
    )
    # Quadratic is sixteen times; the tenth of a second is what a busy machine may add.
    assert large < 12 * small + 0.1


@pytest.mark.parametrize("way", READERS)
@pytest.mark.parametrize("name", READ_BY_OTHERS)
def test_no_family_takes_a_reader_of_other_things_long(name: str, way: str) -> None:
    assert measure(way, Body(FAMILIES[name](20_000))) < MOST_CPU_S


@pytest.mark.parametrize("seed", range(6))
def test_no_mixture_of_families_takes_long(seed: int) -> None:
    body = Grammar(seed).make(60_000)
    assert measure("crawl", Body(body)) < MOST_CPU_S
    assert measure("harvest", Body(body[:20_000])) < MOST_CPU_S


@pytest.mark.parametrize("body", list_charsets(), ids=lambda body: body.content_type[:60])
def test_every_charset_gives_a_page(body: Body) -> None:
    assert measure("crawl", body) < MOST_CPU_S


@pytest.mark.parametrize(("name", "body"), list_packed(2_000_000).items())
def test_no_packing_takes_long(name: str, body: Body) -> None:
    assert measure("crawl", body) < MOST_CPU_S, name


def test_a_body_of_a_hundred_thousand_gzip_members_is_refused_at_once() -> None:
    body = list_packed(2_000_000)["empty gzip members"]
    began = time.process_time()
    with pytest.raises(UnpackError, match="more than 1000 gzip members"):
        unpack(body.data, "gzip", 20_000_000)
    assert time.process_time() - began < 1.0
