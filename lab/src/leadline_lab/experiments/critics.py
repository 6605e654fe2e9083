"""The critics a trial can be judged by, each under a name.

`keywords`: a list of words and a rule of thumb, which nothing trained can change; `pack`: what
ships; `taught:10`: a topic taught by so many home pages of another world, of which nothing was
known before; `shown:10`: the same by pages with forms, and by their forms;
`oracle`: the truth; `noisy:0.1`: the truth with errors; `weak:0.4:0.9`: the truth, but it knows
40 % of the forms only and is right in 90 % of those it lists.
"""

from collections.abc import Callable

from leadline.core.crawl import JudgedForm, Judgement
from leadline.core.page import Form, Page
from leadline.core.url import site_of
from leadline.errors import ConfigError
from leadline.forms.searchable import open_searchable_judge
from leadline.forms.signature import signature
from leadline.page.words import PageWords
from leadline.topics.background import shipped_background
from leadline.topics.critic import TopicCritic
from leadline.topics.judges import KEYWORDS, BayesTopic, KeywordTopic, open_topic
from leadline.topics.training import add_forms, find_search_forms, teach_topic
from leadline_lab.draw import Draw, key_of
from leadline_lab.examples import Examples
from leadline_lab.experiments.lab_web import LabWorld
from leadline_lab.experiments.pages import Judge
from leadline_lab.experiments.worlds import Truth, World
from leadline_lab.world import World as Whole

ELSEWHERE = 5_000
"""The world a topic is taught in has a seed so much higher."""

_PAGES_MISJUDGED = 0.1
_RELEVANT_PER_OTHER = 0.4
"""Relevant search forms to others that a crawl meets: 25 to 30 % of all (docs/lab-baselines.md)."""

Flips = Callable[[str], bool]
"""Whether the verdict on the thing of this name is turned round."""


class Oracle:
    """Judges by the truth, so that what a strategy loses is the strategy's own.

    A verdict that `flips` says is wrong stays wrong wherever the page or form is met.
    """

    def __init__(self, truth: Truth, domain: str, flips: Flips = lambda _: False) -> None:
        self._truth = truth
        self._domain = domain
        self._flips = flips

    def judge(self, page: Page, words: PageWords) -> Judgement:  # noqa: ARG002 (a Judge's signature)
        is_relevant = self._truth.is_relevant(self._truth.page(page.url), self._domain)
        judged = (self._judge_form(form) for form in page.forms)
        forms = {form.signature: form for form in judged}
        return Judgement(float(is_relevant != self._flips(page.url)), tuple(forms.values()))

    def _judge_form(self, form: Form) -> JudgedForm:
        interface = self._truth.form(form)
        name = signature(form) if interface is None else f"interface-{interface}"
        is_relevant = interface is not None and self._domain in self._truth.domains_of(interface)
        is_flipped = self._flips(name)
        belief = float(is_relevant != is_flipped)
        is_searchable = interface is not None or belief > 0
        return JudgedForm(form, name, float(is_searchable), belief, "the truth")


def flips_at(rate: float, seed: int) -> Flips:
    """Turns the verdicts on `rate` of all things round, each for good."""
    per_million = round(rate * 1_000_000)

    def flips(name: str) -> bool:
        return Draw(key_of(seed, "flip", name)).below(1_000_000) < per_million

    return flips


class WeakCritic(Oracle):
    """Knows the truth of pages but for a tenth of them; of forms it misses most, and takes some
    searches of other domains for relevant ones. A verdict stays as it is wherever it is met."""

    def __init__(
        self, truth: Truth, domain: str, recall: float, precision: float, seed: int
    ) -> None:
        super().__init__(truth, domain, flips_at(_PAGES_MISJUDGED, seed))
        false_rate = recall * (1 - precision) / precision * _RELEVANT_PER_OTHER
        self._misses, self._takes = flips_at(1 - recall, seed + 1), flips_at(false_rate, seed + 2)

    def _judge_form(self, form: Form) -> JudgedForm:
        interface = self._truth.form(form)
        if interface is None:
            return JudgedForm(form, signature(form), 0.0, 0.0, "searches nothing")
        name = f"interface-{interface}"
        is_relevant = self._domain in self._truth.domains_of(interface)
        is_listed = not self._misses(name) if is_relevant else self._takes(name)
        return JudgedForm(form, name, 1.0, float(is_listed), "the truth, dimmed")


def make_critic(name: str, world: World, domain: str, seed: int = 0) -> Judge:
    """The critic of that name; raises ConfigError for an unknown one."""
    kind, _, rate = name.partition(":")
    if kind == "pack" and not rate:
        return TopicCritic(open_topic(domain))
    if kind == "taught":
        return TopicCritic(taught_topic(world, domain, _pages(name, rate)))
    if kind == "shown":
        return TopicCritic(shown_topic(world, domain, _pages(name, rate)))
    if kind == "keywords" and not rate:
        return TopicCritic(KeywordTopic(domain, keywords_of(domain)), open_searchable_judge("rule"))
    if kind == "oracle" and not rate:
        return Oracle(world.truth, domain)
    if kind == "noisy":
        return Oracle(world.truth, domain, flips_at(_rate(name, rate), seed))
    if kind == "weak":
        recall, _, precision = rate.partition(":")
        shares = _rate(name, recall), _rate(name, precision)
        if 0 in shares:
            raise ConfigError(f"critic {name!r}: recall and precision are above 0, as weak:0.4:0.9")
        return WeakCritic(world.truth, domain, *shares, seed)
    raise ConfigError(
        f"unknown critic {name!r}; use keywords, pack, taught:PAGES, shown:PAGES, oracle, "
        "noisy:RATE or weak:RECALL:PRECISION"
    )


def _pages(name: str, text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise ConfigError(f"critic {name!r}: say by how many pages, as taught:10")
    return int(text)


def taught_topic(world: World, domain: str, pages: int) -> BayesTopic:
    """Taught by home pages of another world, against a background without the domain."""
    shown = _elsewhere(world).known(domain, pages)
    background = shipped_background().without([domain])
    return teach_topic(domain, [PageWords(page) for page in shown], background)


def shown_topic(world: World, domain: str, pages: int) -> BayesTopic:
    """Taught by pages with forms of another world, as with `leadline topic new --forms`."""
    shown = _elsewhere(world).with_forms(domain, pages)
    words = [PageWords(page) for page in shown]
    background = shipped_background().without([domain])
    topic = teach_topic(domain, words, background)
    forms = [
        form
        for page, numbered in zip(shown, words, strict=True)
        for form in find_search_forms(page, numbered, site_of(page.url))
    ]
    return BayesTopic(add_forms(topic.pack, forms, background))


def _elsewhere(world: World) -> Examples:
    if not isinstance(world, LabWorld):
        raise ConfigError("a topic can be taught in worlds of the lab only: others have no like")
    return Examples(Whole(world.inside.profile, world.inside.seed + ELSEWHERE))


def keywords_of(domain: str) -> tuple[str, ...]:
    """The words a domain is known by; raises ConfigError when there are none."""
    if domain not in KEYWORDS:
        raise ConfigError(f"no keywords for domain {domain!r}; there are: {', '.join(KEYWORDS)}")
    return KEYWORDS[domain]


def _rate(name: str, text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0.0 <= rate <= 1.0:
        raise ConfigError(f"critic {name!r}: the error rate is a number from 0 to 1, as noisy:0.1")
    return rate
