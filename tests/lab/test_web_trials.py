"""`tools.web_trials`: crawls of webs in this process, and where doors are lost."""

from collections.abc import Iterable

from tools.foreign_webs import DoorPages, WebTopic
from tools.web_trials import Trial, TrialRow, run_trial

from leadline.core.http import Request
from leadline.core.url import Url, host_of, site_of
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.reply import Reply

_TEXT = "<p>Every book of the library has a title, an author and a subject, and can be found.</p>"
_FORM = '<form action="/find"><label>Title <input name="title"></label><button>Search</button>'
_PAGES = {
    "http://seed.test/": '<a href="http://near.test/">Books</a><a href="http://far.test/">Books</a>',
    "http://near.test/": '<a href="/search">Search the books</a><a href="/news">News</a>',
    "http://near.test/search": _FORM,
    "http://near.test/news": "Nothing new.",
    "http://far.test/": '<a href="/more">More</a>',
    "http://far.test/more": "",
    "http://hidden.test/": _FORM,
}
_DOORS = {
    "near": "http://near.test/search",
    "far": "http://far.test/deep/search",
    "hidden": "http://hidden.test/",
}


class SmallWeb:
    """Three doors: one near, one to which no met link leads, one on a site nobody links to."""

    def __init__(self) -> None:
        doors = {
            name: DoorPages(host_of(site_of(Url(url))), frozenset([url]), name)
            for name, url in _DOORS.items()
        }
        seeds, words = (Url("http://seed.test/"),), ("book", "library")
        self.topics = {"reading": WebTopic(seeds, words, doors, 1, "book")}

    def answer(self, request: Request, now: float) -> Reply:  # noqa: ARG002
        page = _PAGES.get(request.url)
        kind = (("content-type", "text/html"),)
        if page is None:
            return Reply(404, kind)
        return Reply(200, kind, f"<title>Books</title>{_TEXT}{page}".encode())

    def find_doors(self, url: Url) -> Iterable[str]:
        return [name for name, at in _DOORS.items() if at == url]

    def kind_of(self, host: str) -> str:
        return host


def run(strategy: str, budget: int = 50) -> TrialRow:
    trial = Trial("small", 1, "reading", strategy, budget)
    return run_trial(SmallWeb(), trial, "book", MemoryShelf())


def test_doors_are_counted_by_request_and_losses_by_place() -> None:
    row = run("breadth_first")
    assert row.doors == {"200": 1, "500": 1, "1000": 1, "2000": 1}
    assert row.losses["link unknown"] == 1
    assert row.losses["site unknown"] == 1
    assert row.sites == 3


def test_a_crawl_that_ends_early_leaves_links_waiting() -> None:
    row = run("breadth_first", budget=2)
    assert row.doors["200"] == 0
    assert row.losses["waits"] + row.losses["site not entered"] >= 1


def test_a_strategy_may_be_given_settings() -> None:
    row = run("expected_gain:families=false,rank_every=4")
    assert row.strategy == "expected_gain:families=false,rank_every=4"
    assert row.doors["200"] == 1
