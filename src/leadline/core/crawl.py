"""What a crawl speaks of: candidates, visits, sites, judgements, priorities.

`gc=False`: what can never lead back to itself is nothing to the collector of cycles, which has less
to go through for each page.
"""

from typing import NamedTuple, NewType

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.page import Form, Link, Page
from leadline.core.url import Site, Url

CandidateId = NewType("CandidateId", int)
"""A known URL's number in its store, in order of arrival. A visit has its candidate's."""


LIKELY = 0.5
"""From this probability on a form counts as searchable or relevant, a page as about the topic."""

FeatureRows = NDArray[np.int32]
"""One row per link, one feature id per cell, 0 for none."""

_NO_FEATURES: FeatureRows = np.zeros((0, 0), np.int32)


class LinkFeatures(Struct, frozen=True):
    """Which words of a link become features, and how many cells each space gets."""

    url: int = 6
    anchor: int = 6
    around: int = 10
    """Words on each side."""
    by_offset: bool = False
    """Code words with their leaf distance, the anchor's with 0 (the apprentice), instead of by
    anchor and surroundings. Words that say nothing then take no cells."""
    d_max: int = 5
    own: int = 0
    """Cells that the strategy fills itself, after the others (`Strategy.own_features`)."""
    is_bag: bool = False
    """With `by_offset`: the same words, the anchor's too, without their distance."""
    known: bool = False
    """Also of links to pages that are known already (`PageView.known_links`)."""

    @property
    def words(self) -> int:
        """Cells per link that hold words."""
        return self.url + self.anchor + 2 * self.around

    @property
    def width(self) -> int:
        """Cells per link."""
        return self.words + self.own


class Priority(NamedTuple):
    """How much a link or site is wanted: lower tiers first, then higher scores.

    Tiers carry queues that no score may cross: FFC's and ACHE's levels, their
    batches, SmartCrawler's high and low site queues. 0 <= tier < 65536.
    """

    tier: int
    score: float
    why: str = ""


class Skip(NamedTuple):
    """A link that is not followed, or a site that is left, and the reason."""

    why: str


class ExtraUrl(NamedTuple):
    """A URL that a strategy wants visited though no link shown to it leads there."""

    url: Url
    priority: Priority
    link: int | None = None
    """The number of the view's link that made it known, whose words it takes over."""


class BacklinkQuery(NamedTuple):
    """Who links to this page? Costs requests like a visit."""

    url: Url
    why: str = ""
    pages: int = 0
    """How many the strategy had seen then, if that matters to it: others hear of it later."""
    words: str = ""
    """Not who links there, but what a search engine finds for these words: sent only to a provider
    that searches (`core.ports.PageSearch`)."""


class Candidate(Struct, frozen=True, gc=False):
    """A URL worth following, with what a learner needs to judge it again later."""

    url: Url
    site: Site
    priority: Priority
    depth: int = 0
    """Links followed inside its site: 0 for a seed and for a page first met from elsewhere."""
    parent: CandidateId | None = None
    """The visit on whose page the link stood; None for a seed."""
    anchor: str = ""
    around: str = ""
    """The words before and after the link, a tab between them."""
    tag_path: str = ""
    features: bytes = b""
    """Feature ids, little-endian int32, 0 for none (see learn.features)."""
    skip: str = ""
    """Why it will not be followed; '' for one that waits."""


class Lease(Struct, frozen=True, gc=False):
    """The right to visit one candidate. An unclosed lease returns."""

    id: CandidateId
    candidate: Candidate


class Judgement(Struct, frozen=True, gc=False):
    """What the critic says of a page."""

    relevance: float
    """Probability that the page is about the topic."""
    forms: tuple["JudgedForm", ...] = ()
    site: float | None = None
    """Of a home page: the log-odds that its whole site is about the topic."""
    records: float | None = None
    """Of a page with search forms: the log-odds that such search records, and not articles."""
    silence: float = 0.0
    """How far the page has too few words to say anything: 0 for a long page, towards 1."""


class DoorAnswers(Struct, frozen=True, gc=False):
    """What a form answered when a crawl asked it."""

    database: str
    """Whether there is one: `yes`, `no` or `cannot tell`."""
    why: str = ""
    relevance: float | None = None
    """Probability that what a word brought beyond nonsense is about the topic; None without."""
    total: int | None = None
    """Records there are for the word, if the answer says so."""
    requests: int = 0
    knows_topic: bool = False
    """Whether a word of the topic found something, and not only a common one."""
    familiar: float | None = None
    """Of the links to its own site that a word brought, the share that the crawl knew already: the
    pages of a database are linked from nowhere, those of articles from everywhere. None without."""
    prose: float = 0.0
    """Share of the words of what it brought that stand in running text."""
    links: int = 0
    """That a word brought."""
    texts: int = 0
    """That it brought: a record's row has several, that of an article a headline and a summary."""


class DoorEvidence(Struct, frozen=True, gc=False):
    """What a form and its page say about the topic, before its site is looked at."""

    words: float
    """Log-odds of the topic by the words of the form; 0 if none is known."""
    known: int
    """Words of the form that say something."""
    controls: int
    """Visible controls, buttons left out."""
    page: float
    """Probability that its page is about the topic."""
    labels: float = 0.0
    """What people's labels of like forms add to the log-odds."""
    answers: DoorAnswers | None = None
    records: float = 0.0
    """Log-odds by its page that it searches records, and not articles."""
    has_word_box: bool = True
    """Whether any of its controls takes words of any kind."""
    is_on_home: bool = False
    """Whether it stood on the home page of its site, as the search over the site's pages does."""
    silence: float = 0.0
    """`Judgement.silence` of its page."""


class JudgedForm(Struct, frozen=True, gc=False):
    """A form with the critic's opinion of it."""

    form: Form
    signature: str
    """The same for the same form wherever it is met; forms are counted by it."""
    searchable: float
    """Probability that it opens onto a database."""
    relevant: float
    """Probability that it is searchable and about the topic."""
    why: str = ""
    evidence: DoorEvidence | None = None
    """What it is judged by together with its site; None if a person or another critic decided."""
    parts: tuple[tuple[str, float], ...] = ()
    """The sum that `relevant` comes from: what adds how much to the log-odds of the topic."""


class SiteEvidence(Struct, frozen=True, gc=False):
    """What is known of a site when one of its forms is judged."""

    pages: int = 0
    topical: float = 0.0
    """Sum of the probabilities of its pages being about the topic, each as far as it speaks."""
    home: float | None = None
    """`Judgement.site` of its home page, if that was met."""
    doors: tuple[JudgedForm, ...] = ()
    """Its search forms, the first met first."""
    shown: int = 0
    """Pages of which it was judged whether they show records or articles."""
    records: float = 0.0
    """Sum of their `Judgement.records`."""
    seen: tuple[int, ...] = ()
    """Pages that show each of the doors, in their order."""
    silence: float = 0.0
    """Sum of `Judgement.silence` of its pages."""
    lead: float = 0.0
    """Probability, by the link that first led here from another site, of being about the topic."""


class Visit(Struct, frozen=True, gc=False):
    """What following one candidate brought. Failures are outcomes too."""

    id: CandidateId
    url: Url
    site: Site
    outcome: str
    """`page`, `duplicate`, `not-found` ..., or the kind of the FetchError."""
    at: float
    """Wall-clock seconds when the answer was complete."""
    status: int = 0
    final_url: Url | None = None
    """Where redirects led; None when there were none."""
    reason: str = ""
    elapsed_s: float = 0.0
    size_bytes: int = 0
    requests: int = 1
    """Requests spent: redirects, retries and robots.txt included."""
    title: str = ""
    language: str = ""
    relevance: float = 0.0
    reward: float = 0.0
    links: int = 0
    forms: int = 0
    """Distinct relevant forms first seen here."""
    digest: int = 0
    """64-bit hash of the visible text, for repeats; 0 when there was no page."""


class SiteState(Struct, frozen=True, gc=False):
    """What is known of a site. Strategies read it; the engine writes it."""

    site: Site
    pages: int = 0
    forms: int = 0
    """Distinct relevant forms found on it."""
    searchable: int = 0
    """Distinct searchable forms of any topic."""
    errors: int = 0
    errors_in_a_row: int = 0
    ready_at: float = 0.0
    """Wall-clock second before which it may not be asked."""
    delay_s: float = 0.0
    """The pause between two requests now in force."""
    closed: str = ""
    """Why it is asked no more; '' while open."""


class Skipped(Struct, frozen=True):
    """A link that was met and not followed."""

    candidate: Candidate
    """With its depth, and the reason in `skip`."""
    relevance: float
    """Of the page it stood on."""


class PageView(Struct, frozen=True):
    """All a strategy sees of a fetched page."""

    id: CandidateId
    candidate: Candidate
    page: Page
    judgement: Judgement
    site: SiteState
    """Counts include this page."""
    links: tuple[Link, ...]
    """Those of the page's links that may be followed and are not known yet."""
    sites: tuple[Site, ...]
    """The site of each link."""
    repeats: tuple[bool, ...]
    """Whether each link also stands on most other pages of the site: navigation."""
    features: FeatureRows = _NO_FEATURES
    """One row of the strategy's width per link."""
    new_forms: int = 0
    """Distinct relevant forms first seen on this page."""
    gain: int = 0
    """What the page brought for the goal: new relevant forms; 1 for its site's first; 1 for a
    page about the topic. What to learn from."""
    known_links: tuple[Link, ...] = ()
    """Links to pages that wait or were visited, some of each page, for strategies that ask for
    them (`LinkFeatures.known`): they are not followed, but may teach."""
    known_features: FeatureRows = _NO_FEATURES
    """One row of the strategy's width for each."""
    path: tuple[Candidate, ...] = ()
    """The candidates that were followed to this page, its own first, for strategies that ask for
    paths (`Strategy.path_length`); empty when the page brought nothing for the goal."""


class StoredForm(Struct, frozen=True):
    """A form as the directory keeps it: once, however often it was met."""

    judged: JudgedForm
    site: Site
    visit: CandidateId
    """The visit that first met it."""
    at: float
    sightings: int = 1
    topic: str = ""
    """Under which it was judged: that of the crawl that first met it."""


class Counts(Struct, frozen=True):
    """How far a crawl has come."""

    pages: int = 0
    """Visits that brought a page."""
    visits: int = 0
    """Links that were asked for."""
    passed_over: int = 0
    """Links that were leased and then not asked for."""
    failed: int = 0
    requests: int = 0
    size_bytes: int = 0
    forms: int = 0
    """Distinct relevant forms (relevant >= 0.5)."""
    searchable: int = 0
    """Distinct searchable forms (searchable >= 0.5)."""
    sites: int = 0
    """Sites visited."""
    deep_sites: int = 0
    """Sites with at least one relevant form."""
    known: int = 0
    waiting: int = 0
    skipped: int = 0
    outcomes: dict[str, int] = {}
    """Visits by how they ended."""


class Waiting(Struct, frozen=True):
    """What waits to be visited."""

    tiers: dict[int, int]
    """Links by tier, those leased included."""
    sites: int
    """Open sites with links and no lease out, resting ones included."""


class Event(Struct, frozen=True, gc=False):
    """Something worth remembering that is not a visit."""

    at: float
    kind: str
    """See docs/reference/events.md."""
    subject: str = ""
    """A URL, site, form signature or nothing."""
    detail: str = ""


class Budget(Struct, frozen=True):
    """How much a crawl may spend; None is without limit."""

    pages: int | None = None
    seconds: float | None = None
    bytes: int | None = None
    forms: int | None = None

    def find_spent_limit(self, *, pages: int, seconds: float, size_bytes: int, forms: int) -> str:
        """The reason to stop, or '' while there is something left."""
        used = {"pages": pages, "seconds": seconds, "bytes": size_bytes, "forms": forms}
        for name, amount in used.items():
            limit = getattr(self, name)
            if limit is not None and amount >= limit:
                return f"budget: {name}"
        return ""
