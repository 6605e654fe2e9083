"""What pages in general are about: shares of words, counted on real pages, never their texts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline.learn.models import Arrays, Model, read_model
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


class Row(Struct, frozen=True, eq=False):
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
    rows: dict[str, Row]
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

    def written(self, domains: Sequence[str], language: str) -> Shares:
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
    def of(model: Model) -> "Background":
        arrays = model.arrays
        ends = arrays["ends"][:-1]
        places, shares = np.split(arrays["places"], ends), np.split(arrays["shares"], ends)
        labels = arrays["labels"].tolist()
        return Background(
            words=arrays["words"],
            spelled=tuple(arrays["spelled"].tolist()),
            rows={label: Row(*row) for label, *row in zip(labels, places, shares, strict=True)},
            page_lengths=arrays["page_lengths"],
            home_lengths=arrays["home_lengths"],
            strengths=arrays["strengths"],
            asides=arrays["asides"],
        )


@lru_cache(maxsize=1)
def shipped_background() -> Background:
    """The background that comes with the package."""
    return Background.of(read_model(files("leadline.topics") / "packs" / KIND, KIND))
