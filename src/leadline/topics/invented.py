"""Pages that nobody wrote: bags of words drawn from shares, as uneven as real pages are."""

from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.page.words import WordIds
from leadline.topics.background import CAMPUS, ENCYCLOPEDIA, Background, Shares
from leadline.topics.vocabulary import LANGUAGES

_EVENNESS = 30.0
"""How near a page's own shares are to those it is drawn from: the smaller, the more a page
repeats a few words. With 20 to 60 the scores of invented pages of the web, of an encyclopedia
and of universities spread as those of real ones do (from 5 % to 99 % of them)."""
_FOREIGN_EVERY = 8
"""One page in so many is in another language than English. No multiple of the number of
strengths, so that each language comes with all of them."""
_FOREIGN = LANGUAGES[1:]
_ANY = "web"
_GENERAL = ("web:en", "web:en", "web:en", ENCYCLOPEDIA, CAMPUS, _ANY)
"""Kinds of pages of no domain, in turn."""
_STEP = 3
"""So that strong pages and weak ones have large asides and small ones alike."""
_TOUCHED = 0.1
"""Part of a page that is about the topic, of pages that are about something else."""


Recipe = Sequence[tuple[float, Shares]]
"""Ingredients of a page and how much there is of each."""


class Inventor(NamedTuple):
    """Draws pages. The same seed, the same pages."""

    background: Background
    rng: np.random.Generator
    lengths: NDArray[np.int64]

    @staticmethod
    def of(background: Background, seed: int, *, is_home: bool = False) -> "Inventor":
        lengths = background.home_lengths if is_home else background.page_lengths
        return Inventor(background, np.random.default_rng(seed), lengths)

    def page(self, recipe: Recipe) -> WordIds:
        """One page of these ingredients."""
        places = [np.flatnonzero(shares) for _, shares in recipe]
        own = [
            part * _whole(self.rng.gamma(_EVENNESS * shares[at]))
            for at, (part, shares) in zip(places, recipe, strict=True)
        ]
        length = np.interp(self.rng.random(), np.linspace(0, 1, len(self.lengths)), self.lengths)
        counts = self.rng.multinomial(int(length), _whole(np.concatenate(own)))
        return np.repeat(self.background.words[np.concatenate(places)], counts)

    def about(self, domain: str, pages: int) -> list[WordIds]:
        """Pages of a domain, from those with few of its words to those with many."""
        return [self.page(self._domain(domain, number)) for number in range(pages)]

    def beside(self, pages: int) -> list[WordIds]:
        """Pages about anything but the topic: half of other domains, half of none."""
        return [self.page(recipe) for recipe in islice(self._off_topic(), pages)]

    def touching(self, topic: Shares, pages: int) -> list[WordIds]:
        """Pages about something else that speak of the topic too, as many pages do."""
        recipes = islice(self._off_topic(), pages)
        whole = 1 - _TOUCHED
        return [
            self.page([*((part * whole, shares) for part, shares in recipe), (_TOUCHED, topic)])
            for recipe in recipes
        ]

    def _off_topic(self) -> Iterator[Recipe]:
        domains = self.background.domains
        for number in count():
            turn, is_general = divmod(number, 2)
            if is_general or not domains:
                yield [(1.0, self._general(turn))]
            else:
                yield self._domain(domains[turn % len(domains)], turn // len(domains))

    def _general(self, number: int) -> Shares:
        turn, kind = divmod(number, len(_GENERAL))
        foreign = f"web:{_FOREIGN[turn % len(_FOREIGN)]}"
        label = foreign if _GENERAL[kind] == _ANY else _GENERAL[kind]
        return self.background.share(label if label in self.background.rows else "web:en")

    def _domain(self, domain: str, number: int) -> Recipe:
        known, language = self.background, _language(number)
        strength = float(known.strengths[number % len(known.strengths)])
        aside = float(known.asides[number * _STEP % len(known.asides)])
        others = [name for name in known.domains if name != domain]
        if not others:
            aside = 0.0
        return [
            (strength, known.share(f"written:{domain}:{language}")),
            (aside, known.written(others, language)),
            (1 - strength - aside, known.base(language)),
        ]


def _whole(shares: Shares) -> Shares:
    whole: Shares = shares / shares.sum()
    return whole


def _language(number: int) -> str:
    turn, rest = divmod(number, _FOREIGN_EVERY)
    return _FOREIGN[turn % len(_FOREIGN)] if rest == _FOREIGN_EVERY - 1 else "en"
