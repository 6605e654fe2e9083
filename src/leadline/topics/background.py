"""What pages in general are about: shares of words, counted on real pages, never their texts.

A topic is told apart from this background: by the log-odds of its words, and by scores of
invented pages, which are bags of words drawn from the shares.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import count, islice
from typing import NamedTuple

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline.learn.model_files import Arrays, LoadedModel, read_model
from leadline.learn.naive_bayes import LogOdds, damp_counts, log_odds, places_among
from leadline.page.words import WordIds
from leadline.topics.vocabulary import DOMAINS, LANGUAGES

Shares = NDArray[np.float64]
"""One share per word of the background; they add up to 1."""

KIND = "background"
ENCYCLOPEDIA, CAMPUS, SHOPS = "encyclopedia", "campus", "shops"
FLOOR = 5e-5
"""Added to all shares before they are compared: a word much rarer than this says nothing."""
_ENGLISH = 0.85
"""Of all pages. Topic and background have the same languages, so that a language says nothing."""
_GENERAL = {"web:en": 0.40, ENCYCLOPEDIA: 0.15, CAMPUS: 0.10}
"""Of English pages off the topic; the other domains share the rest."""
_WRITTEN = 0.20
"""Words of a written list on a page about its topic: what the measured strengths come to."""
_REAL = {"auto": 0.5, "book": 0.5, "job": 0.5, "movie": 0.5, "people": 0.2}
"""Of the words of a domain's pages, those drawn from its real pages. Real people are only those
of universities, so that most of what tells them is written by hand."""
_WRITTEN_BESIDE_REAL = 0.15
_DOMAIN_WORDS = 5_000
"""Of a topic: the others change no judgement."""
_EVENNESS = 30.0
"""How near a page's own shares are to those it is drawn from: the smaller, the more a page
repeats a few words. With 20 to 60 the scores of invented pages of the web, of an encyclopedia
and of universities spread as those of real ones do (from 5 % to 99 % of them)."""
_FOREIGN_EVERY = 8
"""One page in so many is in another language than English. No multiple of the number of
strengths, so that each language comes with all of them."""
_FOREIGN = LANGUAGES[1:]
_ANY = "web"
_GENERAL_KINDS = ("web:en", "web:en", "web:en", ENCYCLOPEDIA, CAMPUS, _ANY)
"""Kinds of pages of no domain, in turn."""
_STEP = 3
"""So that strong pages and weak ones have large asides and small ones alike."""
_TOUCHED = 0.1
"""Part of a page that is about the topic, of pages that are about something else."""
Recipe = Sequence[tuple[float, Shares]]
"""Ingredients of a page and how much there is of each."""
_ALIKE = 0.7
"""Examples that score so much of what pages of a domain score are about that domain."""
_SIMILARITY_PAGES = 21
_SIMILARITY_SEED = 1
_LEAST_SHARE = 1e-6
_STRANGERS = 0.1
"""Pages in other languages than those of the examples that are expected all the same."""


class SparseShares(Struct, frozen=True, eq=False):
    """Some shares, all others being 0."""

    places: NDArray[np.int32]
    shares: NDArray[np.float32]


class Background(Struct, frozen=True, eq=False):
    """Ingredients of pages, and what pages come to that are mixed of them.

    Rows: `web:LANGUAGE`, `encyclopedia`, `campus`, `shops` (what all shops say),
    `real:DOMAIN` and `written:DOMAIN:LANGUAGE`.
    """

    words: WordIds
    """In rising order."""
    spelled: tuple[str, ...]
    """Each word as it is mostly written."""
    rows: dict[str, SparseShares]
    page_lengths: NDArray[np.int64]
    """Quantiles of how many words real pages have."""
    home_lengths: NDArray[np.int64]
    """The same for home pages."""
    strengths: NDArray[np.float64]
    """Quantiles of the share of written words on real pages about their topic."""
    asides: NDArray[np.float64]
    """Quantiles of the share of words written for other topics on the same pages."""
    domains: tuple[str, ...] = DOMAINS
    """Topics that are not the wanted one."""

    def without(self, domains: Iterable[str]) -> "Background":
        """As if nothing were known of these topics."""
        left_out = frozenset(domains)
        return structs.replace(self, domains=tuple(d for d in self.domains if d not in left_out))

    def share(self, label: str) -> Shares:
        """A row in full."""
        row = self.rows[label]
        shares = np.zeros(len(self.words))
        shares[row.places] = row.shares
        return shares

    def written_shares(self, domains: Sequence[str], language: str) -> Shares:
        """The words written for these domains, all lists alike."""
        return np.asarray(
            np.mean([self.share(f"written:{name}:{language}") for name in domains], axis=0)
        )

    def base(self, language: str) -> Shares:
        """What pages of no particular topic say in that language where something is offered."""
        return self.share(SHOPS if language == "en" else f"web:{language}")

    def domain(self, name: str, language: str) -> Shares:
        """Pages of a domain in that language."""
        base = self.base(language)
        written = self.share(f"written:{name}:{language}")
        if language != "en" or f"real:{name}" not in self.rows:
            return _WRITTEN * written + (1 - _WRITTEN) * base
        real = _REAL[name]
        mixed = _WRITTEN_BESIDE_REAL * written + (1 - real - _WRITTEN_BESIDE_REAL) * base
        return mixed + real * self.share(f"real:{name}")

    @property
    def languages(self) -> dict[str, float]:
        """The share of pages in each language that is usual."""
        foreign = (1 - _ENGLISH) / (len(LANGUAGES) - 1)
        return dict.fromkeys(LANGUAGES, foreign) | {"en": _ENGLISH}

    def topic(self, name: str) -> Shares:
        """Pages of a domain in all languages."""
        return self._in_all(lambda language: self.domain(name, language), self.languages)

    def mixture(self, languages: Mapping[str, float] | None = None) -> Shares:
        """Pages off the topic, in the usual languages or in shares of others."""
        return self._in_all(self._in, languages or self.languages)

    @staticmethod
    def _in_all(pages: Callable[[str], Shares], languages: Mapping[str, float]) -> Shares:
        mixed = [part * pages(language) for language, part in languages.items()]
        return np.asarray(np.sum(mixed, axis=0), np.float64)

    def _in(self, language: str) -> Shares:
        others = [self.domain(name, language) for name in self.domains]
        if language == "en":
            parts = {label: part for label, part in _GENERAL.items() if label in self.rows}
            general = sum((part * self.share(row) for row, part in parts.items()), start=0.0)
            rest = 1 - sum(parts.values())
        else:
            general, rest = 0.5 * self.share(f"web:{language}"), 0.5
        mixed = general + rest * np.mean(others or [self.base(language)], axis=0)
        return np.asarray(mixed / mixed.sum(), np.float64)

    def arrays(self) -> Arrays:
        """The whole background, to be written out; `of` reads it."""
        rows = self.rows.values()
        return {
            "words": self.words,
            "spelled": np.array(self.spelled),
            "labels": np.array(list(self.rows)),
            "ends": np.cumsum([len(row.places) for row in rows]),
            "places": np.concatenate([row.places for row in rows]),
            "shares": np.concatenate([row.shares for row in rows]),
            "page_lengths": self.page_lengths,
            "home_lengths": self.home_lengths,
            "strengths": self.strengths,
            "asides": self.asides,
        }

    @staticmethod
    def of(model: LoadedModel) -> "Background":
        arrays = model.arrays
        ends = arrays["ends"][:-1]
        places, shares = np.split(arrays["places"], ends), np.split(arrays["shares"], ends)
        labels = arrays["labels"].tolist()
        return Background(
            words=arrays["words"],
            spelled=tuple(arrays["spelled"].tolist()),
            rows={
                label: SparseShares(*row)
                for label, *row in zip(labels, places, shares, strict=True)
            },
            page_lengths=arrays["page_lengths"],
            home_lengths=arrays["home_lengths"],
            strengths=arrays["strengths"],
            asides=arrays["asides"],
        )


@lru_cache(maxsize=1)
def shipped_background() -> Background:
    """The background that comes with the package."""
    return Background.of(read_model(files("leadline.topics") / "packs" / KIND, KIND))


def weigh_words(name: str, background: Background) -> LogOdds:
    """By the words that matter: common ones with much to say."""
    topic, others = background.topic(name), background.without([name]).mixture()
    weights = log_odds(topic, others, FLOOR)
    worth = np.abs(weights) * (topic + others)
    kept = np.sort(np.argsort(-worth, kind="stable")[:_DOMAIN_WORDS])
    return LogOdds(background.words[kept], weights[kept].astype(np.float32))


class PageInventor(NamedTuple):
    """Draws pages. The same seed, the same pages."""

    background: Background
    rng: np.random.Generator
    lengths: NDArray[np.int64]

    @staticmethod
    def of(background: Background, seed: int, *, is_home: bool = False) -> "PageInventor":
        lengths = background.home_lengths if is_home else background.page_lengths
        return PageInventor(background, np.random.default_rng(seed), lengths)

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

    def draw_about(self, domain: str, pages: int) -> list[WordIds]:
        """Pages of a domain, from those with few of its words to those with many."""
        return [self.page(self._domain(domain, number)) for number in range(pages)]

    def draw_other(self, pages: int) -> list[WordIds]:
        """Pages about anything but the topic: half of other domains, half of none."""
        return [self.page(recipe) for recipe in islice(self._off_topic(), pages)]

    def draw_touching(self, topic: Shares, pages: int) -> list[WordIds]:
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
        turn, kind = divmod(number, len(_GENERAL_KINDS))
        foreign = f"web:{_FOREIGN[turn % len(_FOREIGN)]}"
        label = foreign if _GENERAL_KINDS[kind] == _ANY else _GENERAL_KINDS[kind]
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
            (aside, known.written_shares(others, language)),
            (1 - strength - aside, known.base(language)),
        ]


def _whole(shares: Shares) -> Shares:
    whole: Shares = shares / shares.sum()
    return whole


def _language(number: int) -> str:
    turn, rest = divmod(number, _FOREIGN_EVERY)
    return _FOREIGN[turn % len(_FOREIGN)] if rest == _FOREIGN_EVERY - 1 else "en"


def estimate_languages(pages: Sequence[WordIds], background: Background) -> Mapping[str, float]:
    """The share of pages in each language the background knows, going by the examples."""
    logs = {
        language: np.log(background.share(f"web:{language}") + _LEAST_SHARE)
        for language in LANGUAGES
    }
    found: Counter[str] = Counter()
    for ids in pages:
        unique, counts = damp_counts(ids)
        places, is_known = places_among(background.words, unique)
        said = {spoken: float(log[places] @ counts[is_known]) for spoken, log in logs.items()}
        found[max(said, key=said.__getitem__)] += 1
    usual = background.languages
    return {
        language: (1 - _STRANGERS) * found[language] / len(pages) + _STRANGERS * usual[language]
        for language in LANGUAGES
    }


def find_similar_domains(pages: Sequence[WordIds], background: Background) -> list[str]:
    """The domains that the examples are about: no background to them.

    Each domain is judged by its words against the others'; pages invented of it tell what
    score to expect.
    """
    return [domain for domain in background.domains if _is_about(pages, domain, background)]


def _is_about(pages: Sequence[WordIds], domain: str, background: Background) -> bool:
    judge = weigh_words(domain, background)
    known = PageInventor.of(background, _SIMILARITY_SEED).draw_about(domain, _SIMILARITY_PAGES)
    typical = float(np.median([judge.score(ids) for ids in known]))
    return float(np.median([judge.score(ids) for ids in pages])) >= _ALIKE * typical > 0
