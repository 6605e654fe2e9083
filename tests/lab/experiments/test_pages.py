"""The cache of parsed pages: warm is cold, only quicker."""

import sqlite3
from pathlib import Path

import msgspec
import numpy as np
import pytest

from leadline.core.crawl import Judgement
from leadline.core.http import Request, Response
from leadline.core.page import Page
from leadline.core.url import DEFAULT_RULES, Url
from leadline.crawler.reading import InlineReader
from leadline.errors import FetchError, RobotsDeniedError, StoreError
from leadline.page.parse import DEFAULT_LIMITS
from leadline.page.words import PageWords
from leadline.topics import KEYWORDS, KeywordTopic, TopicCritic
from leadline_lab.experiments.lab_web import fetcher_at_rest
from leadline_lab.experiments.pages import CachedWeb, MakeFetcher
from leadline_lab.experiments.shelf import MemoryShelf, SqliteShelf, open_shelf, shelf_key
from tests.lab.experiments.village import Village, VillageFetcher

PAGE = Url("http://s1.test/item/3")
URLS = [
    PAGE, Url("http://s1.test/find"), Url("http://s1.test/lost/1"), Url("http://s1.test/broken"),
    Url("http://s1.test/private/x"), Url("http://s1.test/go/4"), Url("http://s1.test/ring"),
    Url("http://s1.test/busy"),
]  # fmt: skip


class Mute:
    def judge(self, page: Page, words: PageWords) -> Judgement:
        del page, words
        return Judgement(0.5)


def open_web(
    village: Village, shelf: MemoryShelf | SqliteShelf, make_fetcher: MakeFetcher = VillageFetcher
) -> CachedWeb:
    return CachedWeb(village, make_fetcher, shelf, now=lambda: 7.0)


async def outcome(web: CachedWeb, url: Url) -> tuple[object, ...]:
    try:
        response = await web.fetch(Request(url))
    except FetchError as error:
        return type(error), error.url, error.reason, error.requests
    reading = await web.reader(Mute()).read(response)
    return msgspec.json.encode(response), reading.page, reading.digest


@pytest.mark.parametrize("make_fetcher", [VillageFetcher, fetcher_at_rest])
async def test_a_warm_answer_is_the_cold_one_and_asks_the_world_nothing(
    tmp_path: Path, make_fetcher: MakeFetcher
) -> None:
    shelf = SqliteShelf(tmp_path / "kept.sqlite")
    village = Village()
    cold = open_web(village, shelf, make_fetcher)
    first = [await outcome(cold, url) for url in URLS]
    asked = village.answered
    assert cold.spending.requests == asked
    warm = open_web(village, shelf, make_fetcher)
    assert [await outcome(warm, url) for url in URLS] == first
    assert village.answered == asked
    assert warm.spending == cold.spending
    shelf.close()


async def test_robots_are_counted_in_each_trial_when_an_origin_is_first_asked() -> None:
    shelf, village = MemoryShelf(), Village()
    await outcome(open_web(village, shelf), URLS[0])
    half_warm = open_web(village, shelf)
    for url in URLS[:2]:
        await outcome(half_warm, url)
    cold = open_web(Village(), MemoryShelf())
    for url in URLS[:2]:
        await outcome(cold, url)
    assert half_warm.spending == cold.spending
    assert cold.spending.robots == 1
    assert cold.spending.requests == 3


async def test_a_redirect_to_another_origin_pays_for_its_robots_too() -> None:
    web = open_web(Village(), MemoryShelf())
    response = await web.fetch(Request(Url("http://s1.test/go/4")))
    assert response.url == "http://s2.test/item/4"
    assert response.requests == 4
    assert (web.spending.robots, web.spending.redirects) == (2, 1)


async def test_what_robots_forbid_costs_only_the_asking() -> None:
    web = open_web(Village(), MemoryShelf())
    with pytest.raises(RobotsDeniedError) as caught:
        await web.fetch(Request(Url("http://s1.test/private/x")))
    assert caught.value.requests == 1


async def test_a_kept_page_is_read_as_the_engine_reads_it() -> None:
    web = open_web(Village(), MemoryShelf())
    critic = TopicCritic(KeywordTopic("book", KEYWORDS["book"]))
    url = Url("http://s1.test/find")
    response = await web.fetch(Request(url))
    kept = await web.reader(critic).read(response)
    plain: Response = await VillageFetcher(Village()).fetch(Request(url))
    answer = (plain.body, plain.url, plain.header("content-type"))
    (fresh,) = InlineReader(critic, DEFAULT_RULES, DEFAULT_LIMITS).read_all([answer])
    assert (kept.page, kept.judgement, kept.digest) == (fresh.page, fresh.judgement, fresh.digest)
    assert kept.words is not None
    assert fresh.words is not None
    assert np.array_equal(kept.words.ids, fresh.words.ids)
    assert np.array_equal(kept.words.title, fresh.words.title)
    assert np.array_equal(kept.words.form(0), fresh.words.form(0))


async def test_only_get_is_kept() -> None:
    village = Village()
    web = open_web(village, MemoryShelf())
    post = Request(PAGE, method="POST", body=b"q=1")
    await web.fetch(post)
    response = await web.fetch(post)
    assert response.body
    assert response.at == 7.0
    assert village.answered == 3
    assert (await web.reader(Mute()).read(response)).page.url == PAGE


def test_a_full_file_drops_what_was_put_first(tmp_path: Path) -> None:
    shelf = SqliteShelf(tmp_path / "kept.sqlite", max_bytes=1_000_000, memory_bytes=0)
    for number in range(1_000):
        shelf.put(number, bytes([number % 256]) * 4_000)
    shelf.flush()
    assert shelf.find(0) is None
    assert shelf.find(999) == bytes([999 % 256]) * 4_000
    shelf.close()
    assert (tmp_path / "kept.sqlite").stat().st_size < 3_000_000


def test_memory_drops_what_was_not_used_for_longest() -> None:
    shelf = MemoryShelf(max_bytes=10)
    shelf.put(1, b"aaaa")
    shelf.put(2, b"bbbb")
    shelf.find(1)
    shelf.put(3, b"cccc")
    assert [shelf.find(key) for key in (1, 2, 3)] == [b"aaaa", None, b"cccc"]


def test_two_users_of_one_file_find_what_the_other_wrote(tmp_path: Path) -> None:
    one, other = (open_shelf(tmp_path / "kept.sqlite") for _ in range(2))
    one.put(1, b"a")
    other.put(1, b"b")
    other.put(2, b"c")
    one.close()
    other.close()
    again = open_shelf(tmp_path / "kept.sqlite")
    assert (again.find(1), again.find(2), again.find(3)) == (b"a", b"c", None)
    again.close()


def test_a_file_that_is_no_cache_is_a_store_error(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite"
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError):
        SqliteShelf(path)


def test_keys_fit_into_sqlite() -> None:
    keys = [shelf_key(f"http://a.test/{n}") for n in range(1_000)]
    assert len(set(keys)) == 1_000
    assert max(keys) < 1 << 63
    sqlite3.connect(":memory:").execute("select ?", (max(keys),))
