"""From counted texts to a background and packs. The same texts, the same packs."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from leadline.learn.linear import Platt
from leadline.learn.naive_bayes import LogOdds, Numbers
from leadline.page.words import WordIds
from leadline.topics.background import CAMPUS, ENCYCLOPEDIA, Background, PageInventor, weigh_words
from leadline.topics.pack import REAL, WRITTEN, LinkWord, Pack
from leadline.topics.training import calibrate, spell_ids
from leadline.topics.vocabulary import DOMAINS, read_vocabulary
from tools.topic_training.collections import Material, Text
from tools.topic_training.counting import Unit, rows_of, shared_words, units_of, written_words
from tools.topic_training.crossing import Crossed, crossed, sparse
from tools.topic_training.measuring import lengths, spoken_of

VERTICALS = ("auto", "book", "job", "movie")
"""Domains with real pages of all sorts."""
WITH_REAL_PAGES = (*VERTICALS, "people")
_LEAST_SHARE = 1e-5
"""A word that is commoner in no row is left out of the background: see background.FLOOR."""
_FOLDS = 3
_INVENTED = 300
_OFF_TOPIC = 1_500
"""Scores a calibration is made with; on the topic there are a third as many."""
INVENTED = "invented"
_MIX = {"web:": 0.40, ENCYCLOPEDIA: 0.10, CAMPUS: 0.15, "real:": 0.15, INVENTED: 0.20}
"""Of them, by where they are from. Domains without real pages are among the invented ones."""
_HOME_MIX = {"web:": 0.60, INVENTED: 0.40}
_SEED = 7


class Built(NamedTuple):
    background: Background
    packs: dict[str, Pack]


def build(material: Material, names: Sequence[str] = DOMAINS) -> Built:
    """The background, and packs of these domains."""
    background = background_of(material)
    scored = crossed(material.texts, background, _FOLDS)
    return Built(background, {name: _pack(name, background, scored) for name in names})


def background_of(material: Material) -> Background:
    """Counted on all texts."""
    spelled = written_words() | dict(material.spelled)
    words = shared_words(material.texts, spelled)
    return _background(units_of(material.texts, words), words, material.texts, spelled)


def _background(
    units: Sequence[Unit], words: WordIds, texts: Sequence[Text], spelled: Mapping[int, str]
) -> Background:
    rows = rows_of(units, words)
    kept = np.flatnonzero(np.max(list(rows.values()), axis=0) >= _LEAST_SHARE)
    spoken = spoken_of(texts, words, rows, VERTICALS)
    return Background(
        words=words[kept],
        spelled=tuple(spelled[number] for number in words[kept].tolist()),
        rows={label: sparse(shares[kept]) for label, shares in rows.items()},
        page_lengths=lengths(texts, is_home=False),
        home_lengths=lengths(texts, is_home=True),
        strengths=spoken.strengths,
        asides=spoken.asides,
    )


def _pack(name: str, background: Background, scored: Crossed) -> Pack:
    odds = weigh_words(name, background)
    scores = scored.scores(name)
    return Pack(
        name=name,
        source=REAL if name in WITH_REAL_PAGES else WRITTEN,
        odds=odds,
        spelled=spell_ids(odds.words, background, {}),
        page=_page_platt(_Scored(name, odds, background, scored.texts, scores)),
        site=_site_platt(_Scored(name, odds, background, scored.texts, scores)),
        queries=read_vocabulary(name).queries,
        links=tuple(
            LinkWord(space, word, 1 / (rank + 1))
            for space, listed in read_vocabulary(name).links.items()
            for rank, word in enumerate(listed)
        ),
    )


class _Scored(NamedTuple):
    """What a domain is calibrated with."""

    name: str
    odds: LogOdds
    background: Background
    texts: Sequence[Text]
    scores: Numbers

    def real(self) -> Numbers:
        """Scores of real pages about the domain."""
        return self._where([text.group == f"real:{self.name}" for text in self.texts])

    def off_topic(self, mix: Mapping[str, float], *, is_home: bool) -> Numbers:
        """Scores of pages about anything else, of each origin as many as the mixture says."""
        found = []
        for origin, part in mix.items():
            scores = self._beside(is_home) if origin == INVENTED else self._from(origin, is_home)
            if len(scores):
                found.append(np.quantile(scores, np.linspace(0, 1, round(part * _OFF_TOPIC))))
        return np.concatenate(found)

    def invented(self, *, is_home: bool) -> Numbers:
        """Scores of invented pages about the domain."""
        pages = PageInventor.of(self.background, _SEED, is_home=is_home).draw_about(
            self.name, _INVENTED
        )
        return np.array([self.odds.score(ids) for ids in pages])

    def _beside(self, is_home: bool) -> Numbers:
        others = self.background.without([self.name])
        pages = PageInventor.of(others, _SEED, is_home=is_home).draw_other(_INVENTED)
        return np.array([self.odds.score(ids) for ids in pages])

    def _from(self, origin: str, is_home: bool) -> Numbers:
        own = f"real:{self.name}"
        return self._where(
            [
                text.group.startswith(origin)
                and text.group != own
                and (text.is_home or not is_home)
                for text in self.texts
            ]
        )

    def _where(self, wanted: Sequence[bool]) -> Numbers:
        found: Numbers = self.scores[np.array(wanted)]
        return found


def _page_platt(scored: _Scored) -> Platt:
    """Real pages about the domain count for half where there are any: they are detail pages of
    large sites, which speak of nothing else, as lists and articles do."""
    on_topic = scored.invented(is_home=False)
    real = scored.real()
    if len(real):
        even = np.linspace(0, 1, len(on_topic))
        on_topic = np.concatenate([on_topic, np.quantile(real, even)])
    return calibrate(on_topic, scored.off_topic(_MIX, is_home=False))


def _site_platt(scored: _Scored) -> Platt:
    """There are no real home pages of known topics, so those on the topic are invented."""
    return calibrate(scored.invented(is_home=True), scored.off_topic(_HOME_MIX, is_home=True))
