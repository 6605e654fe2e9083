"""The sockets of the system: everything that varies plugs in here. Read this file first.

`Fetcher` does I/O and decides nothing; `Strategy` decides and does no I/O;
`Store` remembers, its `Harvests` what was drawn up, its `Inbox` (core.inbox) what people
said. Each port has laws in tests/laws that run on every implementation in its registry.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import (
    BacklinkQuery,
    Candidate,
    ExtraUrl,
    FeatureRows,
    Judgement,
    LinkFeatures,
    PageView,
    Priority,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.harvest import Answer, Choice, NextPage, Outcome, Query, Reading
from leadline.core.http import Request, Response
from leadline.core.page import Page
from leadline.core.url import Site, Url

Scores = NDArray[np.float32]


class BacklinkAnswer(NamedTuple):
    """The answer of a back-link provider."""

    urls: tuple[Url, ...]
    requests: int = 0
    """What the answer cost."""


class Fetcher(Protocol):
    """Turns a request into a response: over HTTP, from an archive, or from the lab.

    Guarantees: robots.txt is obeyed; a site gets one request at a time and its
    pause between two; only FetchError is raised; time and memory are bounded
    for any answer.
    """

    async def fetch(self, request: Request) -> Response:
        """The response, whatever its status; raises FetchError when there is none."""
        ...

    def ready_at(self, site: Site) -> float:
        """The wall-clock second from which the site may be asked; a past one if now."""
        ...

    def delay_of(self, site: Site) -> float:
        """The pause between two requests to the site now in force, in seconds."""
        ...

    async def close(self) -> None:
        """Give back connections. Fetching afterwards is a bug."""
        ...


class Backlinks(Protocol):
    """Knows pages that link to a page: an index, a search engine, a graph of one's own.

    Guarantees: at most `limit` distinct URLs, the page itself not among them; raises only
    FetchError, when it cannot answer.
    """

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        """Pages that link to `url`; for a home page, pages of other sites that link to anything
        on its site."""
        ...


@runtime_checkable
class PageSearch(Protocol):
    """A back-link provider that also finds pages for words, as a search engine does.

    Guarantees: as `Backlinks`.
    """

    async def find_pages(self, words: str, limit: int) -> BacklinkAnswer:
        """Pages about the words, the best first."""
        ...


class Source(Protocol):
    """A database that can be asked: behind a form on the Web, or in the lab.

    Guarantees: only search queries are sent; what comes back is what a visitor would see;
    raises only FetchError, when there is no answer at all.
    """

    async def ask(self, query: Query) -> Answer:
        """The first page of the answer."""
        ...

    async def fetch_next_page(self, query: Query, page: NextPage) -> Answer:
        """A further page of the answer to `query`, as an earlier page offered it."""
        ...


class QueryPolicy(Protocol):
    """Decides what to ask a source next, and learns from what each query brought.

    Made with the settings, the seed, the interface and the holdings it reads: what can be asked,
    and what was acquired so far. Guarantees: no I/O; `choose` and `goes_on` do not teach; no query
    that was learned of before is chosen; after the same outcomes on the same holdings both say the
    same, so that a harvest goes on after a crash by telling it everything once more.
    """

    @property
    def name(self) -> str: ...

    def choose(self) -> Choice | None:
        """The next query; None when there is none left worth a thought."""
        ...

    def goes_on(self, reading: Reading) -> bool:
        """Whether the next page of an answer is worth its request. Asked after each page that has
        a next one; what those pages brought is in the holdings already."""
        ...

    def learn(self, outcome: Outcome) -> None:
        """Take in what a query brought. Its new records are in the holdings already."""
        ...


class Critic(Protocol):
    """Judges pages and their forms: what is relevant, what is searchable.

    Guarantees: no I/O and no memory, so the same page always gets the same judgement; can be
    pickled, because pages may be parsed in other processes; never raises, whatever the page holds.
    Build yours on `topics.critic.BaseCritic`, which leaves two questions to answer.
    """

    @property
    def name(self) -> str: ...

    def judge(self, page: Page, words: Any) -> Judgement:
        """The page's relevance, and each distinct form with its probabilities.

        `words` are the words of the page by number (`leadline.page.words.PageWords`), which the
        crawl has at hand; a critic that reads the text itself ignores them.
        """
        ...


class Exporter(Protocol):
    """Writes rows into a file of one format. Its name is also the ending of its files.

    Guarantees: reads the rows once, in order, and holds few of them at a time; leaves the stream
    open; raises ConfigError if it lacks something that must be installed.
    """

    @property
    def name(self) -> str: ...

    @property
    def is_flat(self) -> bool:
        """Whether records come as dicts with a column for each field, as tables want them."""
        ...

    def write(self, rows: Iterable[Any], kind: type[Any], out: BinaryIO) -> int:
        """Writes rows and returns how many. They are msgspec Structs of type `kind`, which
        `msgspec.to_builtins` makes dicts of; flat records are dicts already."""
        ...


class Strategy(Protocol):
    """Decides which links and sites are worth following, and learns from what they bring.

    Guarantees: no I/O; only `learn`, `note_backlink_query` and `rank_backlinks` change what it
    knows; the same settings, seed and views give the same answers; `state` and `restore` carry
    everything it has learned. For each page the crawl calls `own_features`, `rank`, `extra_urls`,
    `rank_site` and `learn`, in this order. Build yours on `strategies.base.BaseStrategy`, which
    has a default for everything but `name` and `rank`.
    """

    @property
    def name(self) -> str: ...

    @property
    def features(self) -> LinkFeatures | None:
        """The features of each link that it needs; None: none."""
        ...

    @property
    def path_length(self) -> int:
        """How many candidates of `PageView.path` it learns from; 0: none."""
        ...

    def own_features(self, view: PageView) -> FeatureRows:
        """Features of its own for each link; called if `features.own` is above 0."""
        ...

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        """One verdict per link of the view, in their order."""
        ...

    def extra_urls(self, view: PageView) -> Sequence[ExtraUrl | BacklinkQuery]:
        """Further URLs that it wants visited, or pages whose backlinks it wants to know."""
        ...

    def note_backlink_query(self, query: BacklinkQuery) -> None:
        """One of its backlink queries is being sent. Called after `learn`, and not at all for a
        query that no provider can answer. If several processes crawl, called for those of all."""
        ...

    def rank_backlinks(
        self, query: BacklinkQuery, found: Sequence[Url]
    ) -> Sequence[Priority | Skip]:
        """One verdict per page that a provider found."""
        ...

    def rank_site(self, site: SiteState, view: PageView | None = None) -> Priority | Skip | None:
        """The site's own rank; None: that of its best link; Skip: leave it for good.

        Called after each visit to the site; `view` is the page it brought, if any.
        """
        ...

    def site_ranks(self) -> Iterable[tuple[Site, Priority]]:
        """The ranks of the sites that wait to be entered, for crawls of several processes, which
        cannot rank all waiting links again at once; empty: sites are ranked by their links."""
        ...

    def admit(self, candidate: Candidate, site: SiteState) -> Skip | None:
        """A last check before a candidate is fetched; Skip: do not fetch it."""
        ...

    def explain_rank(self, candidate: Candidate) -> list[tuple[str, float]]:
        """Why a candidate ranks where it does: features in words and what each adds."""
        ...

    def learn(self, view: PageView, visit: Visit) -> bool:
        """Learn from one visit. Returns True if waiting links should be ranked again."""
        ...

    def rescore(self, tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:
        """Rank waiting links again, in place. Called only after `learn` returned True."""
        ...

    def start_lessons(self) -> None:
        """The calls of `learn` that follow are of an earlier crawl, until `start_anew`."""
        ...

    def start_anew(self) -> None:
        """Keep what holds on any web, and forget the sites, queues and counts of the crawl that it
        was taught: another one begins."""
        ...

    def name_queues(self, tiers: Mapping[int, int]) -> dict[str, int]:
        """The sizes of its queues by their names, in order, from the number of waiting links in
        each tier."""
        ...

    def describe_knowledge(self) -> dict[str, Any]:
        """What it has learned so far, for people, as JSON values in the shape of
        `leadline.core.knowledge.Knowledge`: `iterations` (number, pages, features by space, fresh
        ones), `weights` (the strongest features of each model, in words) and `notes` (what is
        missing, and why). Further keys are allowed. The same after `state` and `restore`.
        """
        ...

    def state(self) -> bytes:
        """Everything it has learned, for `restore`; never pickle."""
        ...

    def restore(self, state: bytes) -> None: ...
