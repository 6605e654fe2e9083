"""Labels that people give while a crawl runs change what it accepts and what it follows first."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import numpy as np
import pytest
from msgspec import structs
from numpy.typing import NDArray

from leadline.config import load_config
from leadline.core.crawl import (
    Budget,
    FeatureRows,
    LinkFeatures,
    PageView,
    Priority,
    Skip,
    StoredForm,
    Visit,
)
from leadline.core.inbox import FORM, NONE, RIGHT, WRONG, Label
from leadline.core.ports import Scores
from leadline.core.url import DEFAULT_RULES, Url
from leadline.crawler import labels as label_module
from leadline.crawler import orders, run, team
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import CrawlPlan
from leadline.crawler.labels import LabelledCritic
from leadline.crawler.links import LinkRules, Scope, make_seed
from leadline.crawler.reader_losses import ReaderLosses
from leadline.crawler.reader_processes import ReadingLimits
from leadline.crawler.reading import InlineReader, PageReader, SupervisedReader
from leadline.crawler.store_calls import DirectCalls, StoreCalls, run_at_once
from leadline.crawler.team import MemberParts, begin_run, join_team, make_lease_terms
from leadline.page.parse import DEFAULT_LIMITS
from leadline.store.memory import MemoryStore
from leadline.strategies.base import BaseStrategy
from leadline.topics import KEYWORDS, KeywordTopic, TopicCritic
from tests.server.wire import Ask, LoopbackServer, answer_bytes
from tests.web.rig import fetching

SEED = Url("http://hub.test/")
SITES = [f"{kind}{number}" for number in range(6) for kind in ("alpha", "beta")]
LINKS = "".join(f"<p><a href=http://{name}.test/>{name[:-1]} shop</a>" for name in SITES)
# No questions: what a form is taken for follows from its page and from labels alone.
PLAN = CrawlPlan(
    "forms", Budget(), LinkRules(Scope().why_not), width=1, topic="book", ask_forms=False
)
CRITIC = TopicCritic(KeywordTopic("book", KEYWORDS["book"]))


class Shops(LoopbackServer):
    """A list of shops of two kinds, each with a search form on tools."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.on_page: Callable[[str], None] = lambda _host: None

    async def answer(self, ask: Ask, writer: asyncio.StreamWriter) -> bool:
        if ask.path == "/robots.txt":
            writer.write(answer_bytes("", kind="text/plain"))
        elif ask.host == "hub.test":
            writer.write(answer_bytes(LINKS))
        else:
            self.asked.append(ask.host)
            self.on_page(ask.host)
            writer.write(answer_bytes(self.shop(ask.host)))
        await writer.drain()
        return True

    @staticmethod
    def shop(host: str) -> str:
        words = "hammer saw chisel" if host.startswith("alpha") else "soup bread cheese"
        return (
            f"<title>{words}</title><p>{words} of {host}<form action=/find>"
            f"<label>Search {words} by name <input type=search name=q></label>"
            f"<button>Find {words}</button></form>"
        )


class Words(BaseStrategy):
    """Prefers links with words of links that led to a gain."""

    name = "words"
    features = LinkFeatures(url=0, anchor=1, around=0)

    def __init__(self) -> None:
        self.good: set[int] = set()

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        return [Priority(0, self._score(row)) for row in view.features]

    def learn(self, view: PageView, visit: Visit) -> bool:
        del visit
        ids = set(np.frombuffer(view.candidate.features, np.int32).tolist()) - {0, -1}
        if view.gain:
            self.good |= ids
        return False

    def rescore(self, tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:
        del tiers
        scores[:] = [self._score(row) for row in features]

    def _score(self, row: NDArray[np.int32]) -> float:
        return float(len(self.good & set(row.tolist())))


@pytest.fixture(autouse=True)
def _look_at_every_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(label_module, "POLL_S", 0.0)
    monkeypatch.setattr(team, "LOOK_S", 0.0)
    monkeypatch.setattr(orders, "POLL_S", 0.0)
    monkeypatch.setattr(run, "LABEL_LOOKS", 1)


@asynccontextmanager
async def crawling(
    shops: Shops, reader: PageReader | None = None
) -> AsyncIterator[tuple[Crawl, MemoryStore]]:
    store = MemoryStore(Words.features.width)
    store.links.put([make_seed(SEED)])
    inline = InlineReader(CRITIC, DEFAULT_RULES, DEFAULT_LIMITS)
    async with shops, fetching(shops) as fetcher:
        parts = CrawlParts(store, fetcher, reader or inline, Words(), label_topic="book")
        yield Crawl(parts, PLAN), store


def forms_of(store: MemoryStore) -> dict[str, StoredForm]:
    """By the hosts of their pages."""
    return {str(form.site): form for form in store.reader.forms()}


def label_at(store: MemoryStore, verdict: str, at: str, first: str) -> Callable[[str], None]:
    """Labels the form of one shop while another one is asked."""

    def give(host: str) -> None:
        if host == at:
            form = forms_of(store)[first]
            label = Label(FORM, form.judged.signature, verdict, 1.0, "book", form.judged.relevant)
            store.inbox.label([label])

    return give


async def test_a_label_makes_a_running_crawl_accept_what_is_alike_and_prefer_what_leads_there() -> (
    None
):
    shops = Shops()
    async with crawling(shops) as (crawl, store):
        shops.on_page = label_at(store, RIGHT, at="beta1.test", first="alpha0.test")
        await crawl.run()
        relevant = {host: form.judged.relevant for host, form in forms_of(store).items()}
        counts = store.reader.counts()
        events = [event.detail for event in store.reader.events() if event.kind == "labels"]
    before, after = shops.asked[:4], shops.asked[4:]
    assert before == ["alpha0.test", "beta0.test", "alpha1.test", "beta1.test"]
    assert [host[:4] for host in after] == ["alph"] * 4 + ["beta"] * 4
    assert relevant["alpha0.test"] == 1.0
    assert counts.forms == 5
    assert relevant["alpha1.test"] < 0.5 <= min(relevant[f"alpha{n}.test"] for n in range(2, 6))
    assert max(relevant[f"beta{n}.test"] for n in range(6)) < 0.5
    assert events == ["1 labels correct the critic"]


async def test_a_form_counts_as_it_is_labelled_until_the_label_is_taken_back() -> None:
    shops = Shops()
    was: list[float] = []
    async with crawling(shops) as (crawl, store):
        right = label_at(store, RIGHT, at="beta1.test", first="alpha0.test")
        back = label_at(store, NONE, at="alpha2.test", first="alpha0.test")

        def give(host: str) -> None:
            if host == "alpha2.test":
                was.append(forms_of(store)["alpha0.test"].judged.relevant)
            right(host)
            back(host)

        shops.on_page = give
        await crawl.run()
        was.append(forms_of(store)["alpha0.test"].judged.relevant)
    assert was[0] == 1.0
    assert was[1] < 0.5


async def test_without_a_label_the_same_crawl_accepts_nothing_and_keeps_the_order() -> None:
    shops = Shops()
    async with crawling(shops) as (crawl, store):
        await crawl.run()
        assert max(form.judged.relevant for form in forms_of(store).values()) < 0.5
    assert shops.asked == [f"{name}.test" for name in SITES]


async def test_a_label_of_another_topic_changes_nothing() -> None:
    shops = Shops()
    async with crawling(shops) as (crawl, store):

        def give(host: str) -> None:
            if host == "beta1.test":
                signature = forms_of(store)["alpha0.test"].judged.signature
                store.inbox.label([Label(FORM, signature, RIGHT, 1.0, "hotel")])

        shops.on_page = give
        await crawl.run()
        assert max(form.judged.relevant for form in forms_of(store).values()) < 0.5


def test_a_person_has_the_last_word_on_a_form() -> None:
    inline = InlineReader(CRITIC, DEFAULT_RULES, DEFAULT_LIMITS)
    answer = Shops.shop("alpha0.test").encode(), Url("http://alpha0.test/"), "text/html"
    (before,) = inline.read_all([answer])
    (form,) = before.judgement.forms
    for verdict, expected in ((RIGHT, 1.0), (WRONG, 0.0)):
        critic = LabelledCritic(CRITIC, [Label(FORM, form.signature, verdict, 1.0)])
        inline.use_critic(critic)
        (after,) = inline.read_all([answer])
        assert after.judgement.forms[0].relevant == expected
        assert "by a person" in after.judgement.forms[0].why


async def test_processes_that_read_pages_follow_labels_too() -> None:
    shops = Shops()
    inline = InlineReader(CRITIC, DEFAULT_RULES, DEFAULT_LIMITS)
    losses = ReaderLosses(MemoryStore(), DirectCalls(), time.time)
    reader = SupervisedReader(inline, Words.features, ReadingLimits(), losses, 2)
    async with crawling(shops, reader) as (crawl, store):
        shops.on_page = label_at(store, RIGHT, at="beta1.test", first="alpha0.test")
        await crawl.run()
        assert forms_of(store)["alpha5.test"].judged.relevant >= 0.5
    reader.close()


async def test_workers_of_a_team_follow_labels_too() -> None:
    shops, store = Shops(), MemoryStore()
    async with shops:
        config, _ = load_config(
            settings={
                "seeds": [SEED],
                "topic.name": "book",
                "topic.words": KEYWORDS["book"],
                "strategy.name": "breadth_first",
                "strategy.fallback": "",
                "web.resolve": {"*": shops.address},
                "politeness.delay_s": 0.0,
                "crawl.concurrency": 1,
            }
        )
        shops.on_page = label_at(store, RIGHT, at="beta1.test", first="alpha0.test")
        begin_run(store, config)
        # Each page is delivered, and the labels are looked at, before the next one is leased.
        terms = structs.replace(make_lease_terms(config), urls=1, turn=1, batch=1, batch_s=0.0)
        parts = MemberParts(StoreCalls(run_at_once), terms=terms)
        async with join_team(config, store, "w", parts) as member:
            await member.run()
    relevant = {host: form.judged.relevant for host, form in forms_of(store).items()}
    assert relevant["beta0.test"] < 0.5 <= relevant["alpha5.test"]
