"""The part of the bridge that knows nothing of Scrapy, and how settings are read."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy.settings import Settings

from leadline.config import load_config
from leadline.core.crawl import Priority
from leadline.core.url import Url
from leadline.errors import ConfigError
from leadline.scrapy.middleware import number_of
from leadline.scrapy.pilot import LAST, Answer, Outlook, Pilot, Ranked
from leadline.scrapy.queue import RankedQueue
from leadline.scrapy.settings import open_pilot, read_options
from tests.api.bookshop import HOME

FORM = (
    "<form action=/find><label>Author or title <input type=search name=q></label>"
    "<button>Search books</button></form>"
)
TEXT = "<p>Old books by author, title, publisher and ISBN: novels, paperbacks, first editions.</p>"


def page(path: str, body: str = "", text: str = TEXT) -> Answer:
    """A page of a bookshop with links to three others."""
    links = "".join(f"<a href={to}>{to} books</a> " for to in ("/a", "/b", "http://other.test/x"))
    html = f"<html lang=en><title>Books</title>{text * 3}<p>{path}</p>{links}{body}"
    return Answer(f"{HOME}{path}", f"{HOME}{path}", html.encode(), "text/html")


def link_to(outlook: Outlook, url: str) -> Ranked:
    return outlook.links[Url(url)]


def pilot_of(strategy: str, path: str = ":memory:") -> Pilot:
    settings = {"topic.name": "book", "strategy.name": strategy, "store.path": path}
    return open_pilot(load_config(settings=settings)[0])


@pytest.fixture
def pilot() -> Iterator[Pilot]:
    made = pilot_of("baseline")
    yield made
    made.close("finished")


def test_links_of_a_page_get_the_strategys_rank(pilot: Pilot) -> None:
    outlook = pilot.see(page(""))
    assert set(outlook.links) == {f"{HOME}a", f"{HOME}b", "http://other.test/x"}
    for ranked in outlook.links.values():
        assert ranked.candidate.priority.why == "relevance of its page"
        assert ranked.candidate.parent == 1
    assert link_to(outlook, f"{HOME}a").candidate.depth == 1


def test_what_the_strategy_would_not_follow_comes_last_and_says_why(pilot: Pilot) -> None:
    first = link_to(pilot.see(page("")), f"{HOME}a")
    weather = b"<title>Weather</title><p>Rain and wind from the west, a cold night.<a href=/c>more"
    outlook = pilot.see(Answer(f"{HOME}a", f"{HOME}a", weather, candidate=first.candidate))
    assert {ranked.skip for ranked in outlook.links.values()} == {"its page is off topic"}
    assert all(ranked.candidate.priority.tier == LAST for ranked in outlook.links.values())


def test_a_form_is_told_of_once(pilot: Pilot) -> None:
    assert len(pilot.see(page("", FORM)).forms) == 1
    assert pilot.see(page("c", FORM)).forms == ()
    assert pilot.store.counts().forms == 1


def test_a_page_met_again_is_ranked_but_not_learned_from(pilot: Pilot) -> None:
    pilot.see(page("", FORM))
    before = pilot.store.counts()
    again = pilot.see(page("", FORM))
    assert again.visit is None
    assert again.links
    assert pilot.store.counts() == before


def test_links_of_a_page_with_the_text_of_another_come_last(pilot: Pilot) -> None:
    pilot.see(page(""))
    twin = Answer(f"{HOME}twin", f"{HOME}twin", page("").body, "text/html")
    outlook = pilot.see(twin)
    assert outlook.visit is not None
    assert outlook.visit.outcome == "duplicate"
    assert all("same text" in ranked.skip for ranked in outlook.links.values())


def test_a_site_first_met_is_wished_for_at_its_home_page() -> None:
    pilot = pilot_of("sitewise")
    outlook = pilot.see(page("", FORM))
    ranked = link_to(outlook, "http://other.test/x")
    assert ranked.skip
    assert ranked.instead is not None
    assert ranked.instead.url == "http://other.test/"
    assert ranked.instead.priority.tier < LAST
    pilot.close("finished")


def test_what_was_learned_is_there_in_the_next_run(tmp_path: Path) -> None:
    path = str(tmp_path / "a.leadline")
    first = pilot_of("sitewise", path)
    first.see(page("", FORM))
    state = first.strategy.state()
    first.close("finished")
    second = pilot_of("sitewise", path)
    assert second.strategy.state() == state
    assert second.see(page("")).visit is None
    second.close("finished")


def test_a_run_that_was_cut_off_is_gone_on_with(tmp_path: Path) -> None:
    path = str(tmp_path / "a.leadline")
    first = pilot_of("baseline", path)
    candidate = link_to(first.see(page("")), f"{HOME}a").candidate
    first.store.put([candidate])
    first.store.close()
    second = pilot_of("baseline", path)
    outlook = second.see(page("b"))
    assert outlook.visit is not None
    assert outlook.visit.url == f"{HOME}b"
    second.close("finished")


def test_what_is_no_url_is_passed_over(pilot: Pilot) -> None:
    assert pilot.see(Answer("about:blank", "about:blank", b"")).links == {}


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
    numbers = [number_of(priority) for priority in ordered]
    assert numbers == sorted(numbers, reverse=True)
    assert len(set(numbers)) == len(numbers)
    assert numbers[0] <= 0, "start requests, with 0, come first"


def test_requests_on_disk_are_refused_by_the_queue() -> None:
    with pytest.raises(ConfigError, match="leave out JOBDIR"):
        RankedQueue.from_crawler(None, None, "requests.queue")  # type: ignore[arg-type]
