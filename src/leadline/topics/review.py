"""What a taught topic is worth, and what a user should know before crawling with it."""

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct

from leadline.core.crawl import LIKELY
from leadline.learn.naive_bayes import Numbers
from leadline.topics.background import Background, PageInventor, find_similar_domains
from leadline.topics.cases import Case, cross_validate_cases
from leadline.topics.judges import probability
from leadline.topics.pack import Pack
from leadline.topics.training import choose_word_space, score_left_out

_FEW_SITES = 5
_FEW_WORDS = 15
_STRONG = 0.5
"""Weight from which a word decides."""
_LEAST_RECALL, _MOST_ALARMS = 0.8, 0.05
_INVENTED = 300
_SEED = 101
"""Not the one of the pages that the topic was calibrated with."""
_FEW_LABELS, _PAIR = 10, 2


class LabelReview(Struct, frozen=True):
    """Figures of labels that correct a topic."""

    labels: int
    right: int
    sites: int
    before: float
    """Share of the labels on whose subject the uncorrected critic says the same."""
    after: float
    """The same by what the labels of other sites teach."""

    @property
    def warnings(self) -> list[str]:
        """What to mend, each in a line."""
        found = {
            f"only {self.labels} labels: {_FEW_LABELS} or more tell what you want": (
                self.labels < _FEW_LABELS
            ),
            "all labels say the same: label some that are right and some that are wrong": (
                self.right in (0, self.labels)
            ),
            "labels of one site correct that site: label forms of others too": self.sites < _PAIR,
            "the labels make it worse on other sites: look whether they agree with each other": (
                self.after < self.before
            ),
        }
        return [text for text, is_so in found.items() if is_so]


class TopicReview(Struct, frozen=True):
    """Figures of a topic that was taught by examples."""

    sites: int
    """Whose pages taught it."""
    recall: float
    """Of the examples, those recognised by what the other sites' examples teach."""
    false_alarms: float
    """Of invented pages about everything else, those taken for the topic's."""
    named_alarms: float
    """Of examples that are not about the topic, those taken for it all the same."""
    strong_words: int
    alike: tuple[str, ...]
    """Shipped topics that the examples are about."""

    @property
    def warnings(self) -> list[str]:
        """What to mend, each in a line."""
        found = {
            f"only {self.sites} sites: pages of at least {_FEW_SITES} make a topic, not a site": (
                self.sites < _FEW_SITES
            ),
            f"only {self.strong_words} words decide: the examples have little in common": (
                self.strong_words < _FEW_WORDS
            ),
            f"only {self.recall:.0%} of examples were recognised by the others: give more, or more "
            "alike": self.recall < _LEAST_RECALL,
            f"{self.false_alarms:.0%} of pages about other things would be taken for it: give "
            "pages that are about nothing else": self.false_alarms > _MOST_ALARMS,
        }
        alike = [f"much like the shipped topic {name!r}, which may do" for name in self.alike]
        return [text for text, is_so in found.items() if is_so] + alike


def review_topic(pack: Pack, background: Background) -> TopicReview:
    """Of a topic that keeps its examples."""
    about = [example for example in pack.pages if example.is_about]
    alike = find_similar_domains([example.ids for example in about], background)
    beside = background.without(alike)
    invented = PageInventor.of(beside, _SEED).draw_other(_INVENTED)
    others = [example.ids for example in pack.pages if not example.is_about]
    return TopicReview(
        sites=len({example.owner for example in about}),
        recall=_share_accepted(pack, score_left_out(about, choose_word_space(pack.pages, beside))),
        false_alarms=_share_accepted(pack, [pack.odds.score(ids) for ids in invented]),
        named_alarms=_share_accepted(pack, [pack.odds.score(ids) for ids in others]),
        strong_words=int((pack.odds.weights >= _STRONG).sum()),
        alike=tuple(alike),
    )


def review_labels(cases: Sequence[Case]) -> LabelReview:
    """Of the labels that taught a topic."""
    told = zip(cases, cross_validate_cases(cases), strict=True)
    pairs = [(case.is_right, case.before >= LIKELY, now >= LIKELY) for case, now in told]
    return LabelReview(
        labels=len(cases),
        right=sum(case.is_right for case in cases),
        sites=len({case.owner for case in cases}),
        before=_share(right == before for right, before, _ in pairs),
        after=_share(right == after for right, _, after in pairs),
    )


def _share(claims: Iterable[bool]) -> float:
    return round(float(np.mean(list(claims))), 4)


def _share_accepted(pack: Pack, scores: Sequence[float] | Numbers) -> float:
    """The share of scores that make a page the topic's."""
    said = [probability(pack.page, float(score)) >= LIKELY for score in scores]
    return round(float(np.mean(said)), 4) if said else 0.0
