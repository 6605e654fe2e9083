"""The critics a trial can be judged by, each under a name: `keywords`, `oracle`, `noisy:0.1`."""

from collections.abc import Callable

from leadline.core.crawl import JudgedForm, Judgement
from leadline.core.page import Form, Page
from leadline.errors import ConfigError
from leadline.forms.signature import signature
from leadline.lab.draw import Draw, key_of
from leadline.lab.experiments.pages import Judge
from leadline.lab.experiments.worlds import Truth
from leadline.page.words import PageWords
from leadline.topics.critic import Critic
from leadline.topics.keywords import KEYWORDS, KeywordTopic

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


def make_critic(name: str, truth: Truth, domain: str, seed: int = 0) -> Judge:
    """The critic of that name; raises ConfigError for an unknown one."""
    kind, _, rate = name.partition(":")
    if kind == "keywords" and not rate:
        return Critic(KeywordTopic(domain, keywords_of(domain)))
    if kind == "oracle" and not rate:
        return Oracle(truth, domain)
    if kind == "noisy":
        return Oracle(truth, domain, flips_at(_rate(name, rate), seed))
    raise ConfigError(f"unknown critic {name!r}; use keywords, oracle or noisy:RATE")


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
