"""Trains a topic from a handful of example pages and forms, against the shipped background.

Ten pages say little about a word. So a word counts by how sure it is that it is commoner on the
examples than elsewhere: shares start from those of the background, the site that says a word
most is half believed, a word of one site hardly, and each weight is shrunk by its z-score.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import ArrayLike

from leadline.core.crawl import LIKELY
from leadline.core.page import Page
from leadline.forms.searchable import open_searchable_judge
from leadline.learn.linear import Platt
from leadline.learn.naive_bayes import LogOdds, Numbers, damp_counts, log_odds, places_among
from leadline.page.words import (
    PageWords,
    WordIds,
    Words,
    form_vocabulary,
    split_words_of,
    vocabulary,
)
from leadline.topics.background import (
    Background,
    PageInventor,
    Shares,
    estimate_languages,
    find_similar_domains,
)
from leadline.topics.judges import BayesTopic, page_ids
from leadline.topics.pack import EXAMPLES, Example, Pack
from leadline.topics.vocabulary import read_vocabulary

PRIOR = 0.25
"""Probabilities are calibrated for this share of pages on the topic: what a crawl sees that stays
near its topic. Of the whole Web it would be one page in a thousand."""
# The next six were chosen on two development worlds of the lab, ten home pages of each domain.
_PRIOR_SITES = 5.0
"""The background counts as so many sites beside those of the examples."""
_FLOOR = 2e-4
"""Added to all shares: a word much rarer than this says nothing."""
_DOUBT = 4.0
"""A word two standard deviations (squared) away from chance has half of its weight."""
_OF_ONE_SITE = 0.3
"""How much of a word's share is believed if only one site has it."""
_MOST_BELIEVED = 0.5
"""How much of a word's share is believed on the site that has it most."""
_OF_OTHERS = 0.2
"""The part of the background that is made of examples which are not about the topic."""
_FEWEST_OTHERS = 3
"""With fewer such examples, they say too little about pages in general."""
_KEPT_WORDS = 4_000
"""The strongest words of a topic that are kept; the others change no judgement."""
_INVENTED, _TOUCHING = 150, 75
"""Invented pages that calibrate a topic: about something else, and touching it. The combination
with the least calibration error on two development worlds of the lab and on three of the seven
folds of real sites."""
_DRAWN_SCORES = 100
"""Scores of pages on the topic that a calibration is made with; examples are too few."""
_LEAST_SPREAD = 0.03
"""Of the scores of pages on the topic: few examples may agree by chance."""
_NORMAL = 1.4826
"""Standard deviations in a median deviation, if scores are normally distributed."""
_QUERIES, _QUERY_CHARS = 12, 4
"""Words of a topic that are typed into forms at first, and their least length."""
_SEED = 1
_FEWEST_SITES = 2
"""Forms of fewer sites teach nothing that their pages do not."""
_FORM_SIZES = (4, 8, 16)
"""Sizes, in words, of the made-up forms of other domains."""


def calibrate(on_topic: ArrayLike, off_topic: ArrayLike) -> Platt:
    """From scores to probabilities, as if the pages on the topic were the share PRIOR of all,
    however many are given."""
    off = np.asarray(off_topic, np.float64)
    wanted = max(2, round(len(off) * PRIOR / (1 - PRIOR)))
    on = np.quantile(np.asarray(on_topic, np.float64), np.linspace(0, 1, wanted))
    scores: Numbers = np.concatenate([on, off])
    return Platt.fit(scores, np.arange(len(scores)) < wanted)


class SpellingVotes:
    """Collects how words are written; each page has one vote for each of its words."""

    def __init__(self) -> None:
        self._seen: dict[int, Counter[str]] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        """By language and word; 0 for what is no word."""

    def add(self, page: Page) -> None:
        spoken = page.language
        for word in {*split_words_of(page.text, spoken), *split_words_of(page.title, spoken)}:
            if number := self._number(page.language, word):
                self._seen.setdefault(number, Counter())[word] += 1

    def _number(self, language: str, word: str) -> int:
        number = self._numbers.get((language, word))
        if number is None:
            number = 0 if word[0].isdigit() else vocabulary(language).word(word)
            self._numbers[language, word] = number
        return number

    def most_common(self) -> dict[int, str]:
        """The commonest spelling of each word; the first by alphabet among equals."""
        return {
            number: min(votes, key=lambda word: (-votes[word], word))
            for number, votes in self._seen.items()
        }


def collect_spellings(pages: Iterable[Page]) -> dict[int, str]:
    """How the words of some pages are written."""
    spellings = SpellingVotes()
    for page in pages:
        spellings.add(page)
    return spellings.most_common()


def spell_ids(words: WordIds, background: Background, own: Mapping[int, str]) -> tuple[str, ...]:
    """Each word as it is written; `?` for one that nobody noted."""
    known = dict(zip(background.words.tolist(), background.spelled, strict=True)) | dict(own)
    return tuple(known.get(number, "?") for number in words.tolist())


class WordSpace(NamedTuple):
    """All words that may count, and their shares on pages off the topic."""

    words: WordIds
    shares: Shares


def choose_word_space(examples: Sequence[Example], beside: Background) -> WordSpace:
    """The words of the background, and those that two or more examples have."""
    about = [example.ids for example in examples if example.is_about]
    own, pages = np.unique(
        np.concatenate([damp_counts(ids)[0] for ids in about]), return_counts=True
    )
    words = np.union1d(beside.words, own[pages > 1])
    shares = np.zeros(len(words))
    places, _ = places_among(words, beside.words)
    shares[places] = beside.mixture(estimate_languages(about, beside))
    others = [example for example in examples if not example.is_about]
    if len(others) >= _FEWEST_OTHERS:
        named = site_shares(others, words).mean(axis=0)
        shares = (1 - _OF_OTHERS) * shares + _OF_OTHERS * named
    return WordSpace(words, shares)


def site_shares(examples: Sequence[Example], words: WordIds) -> Numbers:
    """shares[site, word]: the mean over a site's pages, so a long page counts as a short one."""
    sites = sorted({example.owner for example in examples})
    shares, pages = np.zeros((len(sites), len(words))), np.zeros(len(sites))
    for example in examples:
        unique, counts = damp_counts(example.ids)
        places, is_known = places_among(words, unique)
        site = sites.index(example.owner)
        shares[site, places] += counts[is_known] / max(1.0, float(counts.sum()))
        pages[site] += 1
    return np.asarray(shares / pages[:, None], np.float64)


def learn_odds(about: Sequence[Example], space: WordSpace) -> LogOdds:
    """The weights of words, by examples that are all about the topic."""
    length = float(np.median([damp_counts(example.ids)[1].sum() for example in about]))
    weights = _shrink_odds(site_shares(about, space.words), space.shares, length)
    kept = np.sort(np.argsort(-np.abs(weights), kind="stable")[:_KEPT_WORDS])
    kept = kept[weights[kept] != 0]
    return LogOdds(space.words[kept], weights[kept].astype(np.float32))


def _shrink_odds(shares: Numbers, background: Shares, length: float) -> Numbers:
    """Log-odds, shrunk by how sure they are."""
    sites, total = (shares > 0).sum(axis=0), shares.sum(axis=0)
    # One site that repeats a word must not make it a word of the topic.
    doubted = total - (1 - _MOST_BELIEVED) * shares.max(axis=0)
    believed = np.where(sites > 1, doubted, _OF_ONE_SITE * total)
    mean = (believed + _PRIOR_SITES * background) / (len(shares) + _PRIOR_SITES)
    odds = log_odds(mean, background, _FLOOR)
    # How far the number of sites with a word is from chance, in standard deviations.
    rate = -np.expm1(-background * length)
    seen = len(shares)
    away: Numbers = (sites - seen * rate) / np.sqrt(seen * rate * (1 - rate) + 0.5)
    agreed = np.where(np.sign(odds) == np.sign(away), away**2, 0.0)
    return np.asarray(odds * agreed / (agreed + _DOUBT), np.float64)


def score_left_out(about: Sequence[Example], space: WordSpace) -> Numbers:
    """The score of each example, by what the examples of other sites teach; if all are of one
    site, by its own."""
    owners = sorted({example.owner for example in about})
    if len(owners) == 1:
        judges = {owners[0]: learn_odds(about, space)}
    else:
        judges = {
            owner: learn_odds([one for one in about if one.owner != owner], space)
            for owner in owners
        }
    return np.array([judges[example.owner].score(example.ids) for example in about])


def teach_topic(
    name: str,
    pages: Sequence[PageWords],
    background: Background,
    owners: Sequence[str] | None = None,
) -> BayesTopic:
    """The topic of these pages; ten pages of ten sites are enough to crawl with.

    `owners` has the site of each page, if some are of the same site.
    """
    sites = owners or [str(number) for number in range(len(pages))]
    examples = [Example(page_ids(page), site) for page, site in zip(pages, sites, strict=True)]
    return BayesTopic(learn_pack(name, examples, background))


def learn_pack(
    name: str,
    examples: Sequence[Example],
    background: Background,
    spelled: Mapping[int, str] | None = None,
) -> Pack:
    """The pack of a topic. Raises ValueError if no example is about it.

    `spelled` has the words of the examples by their ids, for explanations.
    """
    about = [example for example in examples if example.is_about]
    if not about:
        raise ValueError(f"topic {name!r} needs at least one page about it")
    beside = background.without(
        find_similar_domains([example.ids for example in about], background)
    )
    space = choose_word_space(examples, beside)
    odds = learn_odds(about, space)
    on_topic = _draw_scores(score_left_out(about, space))
    pages, homes = (PageInventor.of(beside, _SEED, is_home=is_home) for is_home in (False, True))
    pack = Pack(
        name=name,
        source=EXAMPLES,
        odds=odds,
        spelled=spell_ids(odds.words, background, spelled or {}),
        page=_calibrate_odds(examples, odds, on_topic, pages),
        site=_calibrate_odds(examples, odds, on_topic, homes),
        examples=tuple(examples),
    )
    # Until a user knows better, its strongest words are typed into its forms.
    words = [word for word, _ in pack.strongest if len(word) >= _QUERY_CHARS]
    return structs.replace(pack, queries=tuple(words[:_QUERIES]))


def _calibrate_odds(
    examples: Sequence[Example], odds: LogOdds, on_topic: Numbers, inventor: PageInventor
) -> Platt:
    """Against invented pages, and against examples that are not about the topic."""
    about = [example for example in examples if example.is_about]
    topic = site_shares(about, inventor.background.words).mean(axis=0)
    pages = inventor.draw_other(_INVENTED) + inventor.draw_touching(topic / topic.sum(), _TOUCHING)
    named = [example.ids for example in examples if not example.is_about]
    return calibrate(on_topic, [odds.score(ids) for ids in pages + named])


def _draw_scores(scores: Numbers) -> Numbers:
    """Scores of pages on the topic, drawn as if normally distributed around those of the examples.

    By medians: one odd example, such as a page in another language, is not what to expect.
    """
    middle = float(np.median(scores))
    spread = _NORMAL * float(np.median(np.abs(scores - middle)))
    return np.random.default_rng(_SEED).normal(middle, max(spread, _LEAST_SPREAD), _DRAWN_SCORES)


def add_forms(
    pack: Pack,
    forms: Sequence[Example],
    background: Background,
    spelled: Mapping[int, str] | None = None,
) -> Pack:
    """The pack with these forms learned too. Too few forms teach nothing, but are kept with the
    examples, for the next time."""
    pack = structs.replace(pack, examples=(*pack.examples, *forms))
    if len({form.owner for form in forms}) < _FEWEST_SITES:
        return pack
    beside = background.without(find_similar_domains([form.ids for form in forms], background))
    # Forms have stop words too, which the background does not know.
    known = [
        structs.replace(form, ids=form.ids[places_among(beside.words, form.ids)[1]])
        for form in forms
    ]
    space = choose_word_space(known, beside)
    odds = learn_odds(known, space)
    off_topic = [odds.score(ids) for ids in _other_forms(beside.domains)]
    platt = calibrate(score_left_out(known, space), off_topic)
    words = spell_ids(odds.words, background, spelled or {})
    return structs.replace(pack, forms=odds, form_spelled=words, form=platt)


def find_search_forms(page: Page, words: PageWords, owner: str) -> list[Example]:
    """The page's searchable forms, as examples."""
    judged = open_searchable_judge().judge_all(page.forms)
    return [
        Example(words.form(number), owner, is_form=True)
        for number, (chance, _) in enumerate(judged)
        if chance >= LIKELY
    ]


def _other_forms(domains: Sequence[str]) -> Iterator[WordIds]:
    """Forms made up of the first fields of each domain, in each language."""
    for domain in domains:
        for language, fields in read_vocabulary(domain).fields.items():
            for size in _FORM_SIZES:
                yield Words([" ".join(fields[:size])], form_vocabulary(language)).ids
