"""Forms as crawls meet them: mostly on pages about the topic, mostly not of the topic."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from leadline.core.crawl import JudgedForm, Judgement
from leadline.core.page import Page
from leadline.crawler.assembly import tune_memory
from leadline.forms.domain import DOMAINS, SECOND_STAGE_FROM, open_domain_judge
from leadline.forms.signature import signature
from leadline.page.words import PageWords, WordIds
from leadline.topics.critic import TopicCritic
from leadline.topics.judges import open_topic
from leadline_lab.experiments.critics import taught_topic
from leadline_lab.experiments.lab_web import open_lab_world
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.trial import Contender, Trial, run_trial
from leadline_lab.experiments.worlds import Truth, World

_PAGES = 3_000
_SHELF_BYTES = 1 << 30


Said = Callable[[WordIds], tuple[float, int]]
"""From the words of a form to what they say, and how many of them say something."""


class Met(Struct, frozen=True):
    """A form that a crawl for a domain met, at its best."""

    domain: str
    searchable: float
    form: float
    """What its words say: the chance of being of the domain, or a score."""
    words: int
    """Known ones."""
    page: float
    """Chance of its page being about the domain."""
    is_of_domain: bool
    is_own_search: bool
    """Whether it searches its site's own pages, and no database."""


class Recorder:
    """A critic that also notes what the forms are that it judges."""

    def __init__(self, domain: str, truth: Truth, critic: TopicCritic, said: Said) -> None:
        self._domain = domain
        self._truth = truth
        self._critic = critic
        self._said = said
        self._best: dict[str, float] = {}
        self._met: dict[str, Met] = {}

    @property
    def met(self) -> list[Met]:
        return list(self._met.values())

    def judge(self, page: Page, words: PageWords) -> Judgement:
        judgement = self._critic.judge(page, words)
        places = {signature(form): number for number, form in enumerate(page.forms)}
        for judged in judgement.forms:
            if judged.searchable >= SECOND_STAGE_FROM and judged.relevant > self._best.get(
                judged.signature, -1.0
            ):
                self._best[judged.signature] = judged.relevant
                ids = words.form(places[judged.signature])
                self._met[judged.signature] = self._look(judged, ids, judgement.relevance)
        return judgement

    def _look(self, judged: JudgedForm, ids: WordIds, page: float) -> Met:
        interface = self._truth.form(judged.form)
        domains = None if interface is None else self._truth.domains_of(interface)
        form, known = self._said(ids)
        return Met(
            domain=self._domain,
            searchable=judged.searchable,
            form=form,
            words=known,
            page=page,
            is_of_domain=domains is not None and self._domain in domains,
            is_own_search=domains is not None and not domains,
        )


def shipped(domain: str, world: World) -> Recorder:
    """With the pack of the domain."""
    return Recorder(
        domain, world.truth, TopicCritic(open_topic(domain)), open_domain_judge(domain).judge
    )


def taught(domain: str, world: World) -> Recorder:
    """With a topic that ten pages of another world have taught; forms are scored like pages."""
    topic = taught_topic(world, domain, 10)
    odds = topic.pack.odds
    return Recorder(
        domain, world.truth, TopicCritic(topic), lambda ids: (odds.score(ids), len(ids))
    )


def met_forms(
    worlds: Sequence[tuple[str, int]],
    record: Callable[[str, World], Recorder] = shipped,
    pages: int = _PAGES,
) -> list[Met]:
    """By best-first crawls for each of the domains. A minute for two of them."""
    found: list[Met] = []
    with tune_memory():
        for profile, seed in worlds:
            world, make_fetcher = open_lab_world(profile, seed)
            shelf = MemoryShelf(_SHELF_BYTES)
            for domain in DOMAINS:
                recorder = record(domain, world)
                trial = Trial(Contender("baseline_sc"), profile, seed, domain, pages)
                run_trial(trial, world, make_fetcher, shelf, recorder)
                found += recorder.met
    return found
