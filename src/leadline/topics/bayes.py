"""The judge of a topic: naive Bayes against all other pages, made into a probability."""

import math
from functools import cached_property

import numpy as np

from leadline.forms.domain import DomainJudge, Reason
from leadline.forms.joining import TAUGHT, joined
from leadline.learn.calibration import Platt
from leadline.learn.odds import LogOdds
from leadline.page.words import PageWords, WordIds, split_words, word_id
from leadline.topics.pack import Pack

TITLE_TIMES = 2
"""How often the words of a title count."""
_UNKNOWN = 0.5
_HOST_WORD_CHARS = 4
"""Shorter words stand in the names of hosts by chance."""
_TELLING = 1.0
"""Weight from which a word is looked for in the names of hosts."""


class BayesTopic:
    """Judges by a pack. Picklable; reads and keeps nothing.

    A page of average length takes 30 microseconds once its words are numbered.
    """

    def __init__(self, pack: Pack, forms: DomainJudge | None = None) -> None:
        self.pack = pack
        self._forms = forms

    @property
    def name(self) -> str:
        return self.pack.name

    def relevance(self, words: PageWords) -> float:
        """Probability that the page of these words is about the topic."""
        return self.page_chance(page_ids(words))

    def site_relevance(self, words: PageWords, host: str) -> float:
        """Probability that the site with this host and home page is about the topic."""
        return self.site_chance(page_ids(words), host)

    def page_chance(self, ids: WordIds) -> float:
        """The same for a page of which only `page_ids` are left."""
        return chance(self.pack.page, self.pack.odds.score(ids))

    def site_chance(self, ids: WordIds, host: str) -> float:
        whole = np.concatenate([ids, self.host_ids(host)])
        return chance(self.pack.site, self.pack.odds.score(whole))

    def of_form(self, ids: WordIds, page_chance: float | None) -> float:
        """By the judge of its domain's forms where there is one, by forms that taught the topic, or
        else like a short page."""
        if self._forms is not None:
            return self._forms.of_form(ids, page_chance)
        pack, page = self.pack, _UNKNOWN if page_chance is None else page_chance
        if not len(pack.forms.words):
            return TAUGHT.of_score(pack.odds.score(ids), page, len(ids))
        alone = chance(pack.form, pack.forms.score(ids))
        if page_chance is None:
            return alone
        return joined(alone, page_chance, len(np.intersect1d(ids, pack.forms.words)))

    def page_reasons(self, words: PageWords, most: int = 8) -> list[Reason]:
        """The words that decided, strongest first."""
        return _named(self.pack.odds, self.pack.spelled, page_ids(words))[:most]

    def form_reasons(self, ids: WordIds, most: int = 5) -> list[Reason]:
        """The same for the words of a form."""
        if self._forms is not None:
            return self._forms.form_reasons(ids, most)
        pack = self.pack
        if len(pack.forms.words):
            return _named(pack.forms, pack.form_spelled, ids)[:most]
        return _named(pack.odds, pack.spelled, ids)[:most]

    def host_ids(self, host: str) -> WordIds:
        """Words in the name of a host, also those that are run together: cheapflights."""
        labels = split_words(host.lower().removeprefix("www.").rpartition(".")[0])
        found = {number for word, number in self._telling if any(word in one for one in labels)}
        found |= {word_id(one) for one in labels}
        return np.array(sorted(found), np.int32)

    @cached_property
    def _telling(self) -> list[tuple[str, int]]:
        """Words long and strong enough to be looked for in names."""
        odds = self.pack.odds
        rows = zip(self.pack.spelled, odds.words.tolist(), odds.weights.tolist(), strict=True)
        return [(w, n) for w, n, by in rows if by >= _TELLING and len(w) >= _HOST_WORD_CHARS]


def _named(odds: LogOdds, spelled: tuple[str, ...], ids: WordIds) -> list[Reason]:
    """What each known word adds to the score, strongest first."""
    return [(spelled[place], part) for place, part in odds.contributions(ids)]


def page_ids(words: PageWords) -> WordIds:
    """The words a page is judged by."""
    return np.concatenate([words.body, *[words.title] * TITLE_TIMES])


def chance(platt: Platt, score: float) -> float:
    """One score as a probability."""
    return 1 / (1 + math.exp(-min(max(platt.slope * score + platt.offset, -40.0), 40.0)))
