"""The part of the bridge that knows nothing of Scrapy, and how settings are read."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy.settings import Settings

from leadline.config import load_config
from leadline.core.crawl import Priority
from leadline.core.http import Response
from leadline.core.url import Url
from leadline.errors import ConfigError
from leadline.scrapy.link_ranker import LAST, LinkRanker, PageRanking, RankedLink
from leadline.scrapy.middleware import open_ranker, read_options, scrapy_priority
from leadline.scrapy.queue import RankedQueue
from tests.api.bookshop import HOME

FORM = (
    "<form action=/find><label>Author or title <input type=search name=q></label>"
    "<button>Search books</button></form>"
)
TEXT = "<p>Old books by author, title, publisher and ISBN: novels, paperbacks, first editions.</p>"


def fetched(url: str, body: bytes, content_type: str = "text/html") -> Response:
    return Response(Url(url), 200, (("content-type", content_type),), body, 1.0)


def page(path: str, body: str = "", text: str = TEXT) -> Response:
    """A page of a bookshop with links to three others."""
    links = "".join(f"<a href={to}>{to} books</a> " for to in ("/a", "/b", "http://other.test/x"))
    html = f"<html lang=en><title>Books</title>{text * 3}<p>{path}</p>{links}{body}"
    return fetched(f"{HOME}{path}", html.encode())


def see(ranker: LinkRanker, response: Response) -> PageRanking:
    return ranker.rank_page(response.url, response)


def link_to(ranking: PageRanking, url: str) -> RankedLink:
    return ranking.links[Url(url)]


def ranker_of(strategy: str, path: str = ":memory:") -> LinkRanker:
    settings = {"topic.name": "book", "strategy.name": strategy, "store.path": path}
    return open_ranker(load_config(settings=settings)[0])


@pytest.fixture
def ranker() -> Iterator[LinkRanker]:
    made = ranker_of("baseline")
    yield made
    made.close("finished")


def test_links_of_a_page_get_the_strategys_rank(ranker: LinkRanker) -> None:
    ranking = see(ranker, page(""))
    assert set(ranking.links) == {f"{HOME}a", f"{HOME}b", "http://other.test/x"}
    for ranked in ranking.links.values():
        assert ranked.candidate.priority.why == "relevance of its page"
        assert ranked.candidate.parent == 1
    assert link_to(ranking, f"{HOME}a").candidate.depth == 1


def test_what_the_strategy_would_not_follow_comes_last_and_says_why(ranker: LinkRanker) -> None:
    first = link_to(see(ranker, page("")), f"{HOME}a")
    weather = b"<title>Weather</title><p>Rain and wind from the west, a cold night.<a href=/c>more"
    ranking = ranker.rank_page(f"{HOME}a", fetched(f"{HOME}a", weather), first.candidate)
    assert {ranked.skip for ranked in ranking.links.values()} == {"its page is off topic"}
    assert all(ranked.candidate.priority.tier == LAST for ranked in ranking.links.values())


def test_a_form_is_reported_once(ranker: LinkRanker) -> None:
    assert len(see(ranker, page("", FORM)).forms) == 1
    assert see(ranker, page("c", FORM)).forms == ()
    assert ranker.store.reader.counts().forms == 1


def test_a_page_met_again_is_ranked_but_not_learned_from(ranker: LinkRanker) -> None:
    see(ranker, page("", FORM))
    before = ranker.store.reader.counts()
    again = see(ranker, page("", FORM))
    assert again.visit is None
    assert again.links
    assert ranker.store.reader.counts() == before


def test_links_of_a_page_with_the_text_of_another_come_last(ranker: LinkRanker) -> None:
    see(ranker, page(""))
    ranking = see(ranker, fetched(f"{HOME}twin", page("").body))
    assert ranking.visit is not None
    assert ranking.visit.outcome == "duplicate"
    assert all("same text" in ranked.skip for ranked in ranking.links.values())


def test_a_site_first_met_is_entered_at_its_home_page() -> None:
    ranker = ranker_of("sitewise")
    ranking = see(ranker, page("", FORM))
    ranked = link_to(ranking, "http://other.test/x")
    assert ranked.skip
    assert ranked.instead is not None
    assert ranked.instead.url == "http://other.test/"
    assert ranked.instead.priority.tier < LAST
    ranker.close("finished")


def test_what_was_learned_is_there_in_the_next_run(tmp_path: Path) -> None:
    path = str(tmp_path / "a.leadline")
    first = ranker_of("sitewise", path)
    see(first, page("", FORM))
    state = first.strategy.state()
    first.close("finished")
    second = ranker_of("sitewise", path)
    assert second.strategy.state() == state
    assert see(second, page("")).visit is None
    second.close("finished")


def test_a_run_that_was_cut_off_is_resumed(tmp_path: Path) -> None:
    path = str(tmp_path / "a.leadline")
    first = ranker_of("baseline", path)
    candidate = link_to(see(first, page("")), f"{HOME}a").candidate
    first.store.links.put([candidate])
    first.store.close()
    second = ranker_of("baseline", path)
    ranking = see(second, page("b"))
    assert ranking.visit is not None
    assert ranking.visit.url == f"{HOME}b"
    second.close("finished")


def test_what_is_no_url_is_ignored(ranker: LinkRanker) -> None:
    assert see(ranker, fetched("about:blank", b"")).links == {}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "no topic: set LEADLINE_TOPIC to one of"),
        ({"LEADLINE_TOPIC": "book", "LEADLINE_STRATEGIE": "ache"}, "unknown setting LEADLINE_STRA"),
        ({"LEADLINE_TOPIC": "book", "LEADLINE_STRATEGY": "achee"}, "did you mean 'ache'"),
        ({"LEADLINE_TOPIC": "book", "LEADLINE_SETTINGS": {"a.b": 1}}, "unknown setting 'a"),
    ],
)
def test_settings_that_cannot_be_honoured(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        read_options(Settings(settings))


def test_settings_are_leadlines_own() -> None:
    more = {"strategy.goal": "sites", "topic.words": ["book", "novel"]}
    options = read_options(Settings({"LEADLINE_SETTINGS": more, "LEADLINE_DROP_SKIPPED": "1"}))
    assert options.config.strategy.goal == "sites"
    assert options.config.topic.words == ("book", "novel")
    assert options.drops_skipped
    assert not options.emits_forms


def test_scrapys_numbers_keep_the_order_of_priorities() -> None:
    ordered = [
        *(Priority(0, 9.0), Priority(0, 1.0), Priority(0, 0.4), Priority(0, -3.0)),
        *(Priority(1, 50.0), Priority(1, 0.0), Priority(LAST, 0.0)),
    ]
    numbers = [scrapy_priority(priority) for priority in ordered]
    assert numbers == sorted(numbers, reverse=True)
    assert len(set(numbers)) == len(numbers)
    assert numbers[0] <= 0, "start requests, with 0, come first"


def test_requests_on_disk_are_refused_by_the_queue() -> None:
    with pytest.raises(ConfigError, match="leave out JOBDIR"):
        RankedQueue.from_crawler(None, None, "requests.queue")  # type: ignore[arg-type]
