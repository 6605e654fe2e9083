"""No bytes make the reader fail, and none make it slow: every family, every charset."""

import time

import pytest

from leadline.core.url import Url
from leadline.page.markup_guard import is_quick_to_parse
from leadline.page.parse import parse_page
from leadline.page.words import PageWords
from leadline.topics import TopicCritic, open_topic
from tests.adversary.families import FAMILIES, Body, Grammar, list_charsets

URL = Url("http://a.example/folder/page")
CRITIC = TopicCritic(open_topic("book", ()))
MOST_CPU_S = 4.0
"""For 300 KB, which take 0.1 s at most on a quiet machine; quadratic families took from 1 s up to
minutes. CPU time, so that a busy machine does not count."""


def read(body: Body) -> float:
    """CPU seconds of reading and judging a page."""
    began = time.process_time()
    page = parse_page(body.data, URL, body.content_type)
    CRITIC.judge(page, PageWords(page))
    return time.process_time() - began


@pytest.mark.parametrize("name", FAMILIES)
def test_no_family_of_pages_takes_long(name: str) -> None:
    assert read(Body(FAMILIES[name](300_000))) < MOST_CPU_S


@pytest.mark.parametrize("name", FAMILIES)
def test_what_a_crawl_reads_in_its_own_process_takes_a_moment(name: str) -> None:
    # Up to the largest size; what is left to processes that may die needs no bound here.
    for size in (32_000, 1_000_000):
        body = FAMILIES[name](size)
        if is_quick_to_parse(body):
            assert read(Body(body)) < MOST_CPU_S / 4


@pytest.mark.parametrize("seed", range(8))
def test_no_mixture_of_families_takes_long(seed: int) -> None:
    assert read(Body(Grammar(seed).make(200_000))) < MOST_CPU_S


@pytest.mark.parametrize("body", list_charsets(), ids=lambda body: body.content_type[:60])
def test_every_charset_gives_a_page(body: Body) -> None:
    assert read(body) < MOST_CPU_S
