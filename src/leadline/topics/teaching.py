"""A topic taught by a handful of pages, against the background that ships with the package."""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import structs

from leadline.learn.calibration import Platt
from leadline.learn.odds import LogOdds, Numbers
from leadline.page.words import PageWords
from leadline.topics.background import Background
from leadline.topics.bayes import BayesTopic, page_ids
from leadline.topics.calibrating import calibrated
from leadline.topics.examples import left_out_scores, odds_from, site_shares, space_of
from leadline.topics.invented import Inventor
from leadline.topics.kinship import resembling
from leadline.topics.pack import EXAMPLES, Example, Pack
from leadline.topics.spelling import spelling

_INVENTED, _TOUCHING = 150, 75
"""Pages about something else that a calibration is made with, and those that touch the topic. Of
some combinations the one with the least calibration error on two development worlds of the lab
and on three of the seven folds of real sites."""
_DRAWN = 100
_LEAST_SPREAD = 0.03
"""Of the scores of pages on the topic: few examples may agree by chance."""
_NORMAL = 1.4826
"""Standard deviations in a median deviation, where scores are normally distributed."""
_QUERIES, _QUERY_CHARS = 12, 4
_SEED = 1


def teach(
    name: str,
    pages: Sequence[PageWords],
    background: Background,
    owners: Sequence[str] | None = None,
) -> BayesTopic:
    """The topic of these pages; ten of ten sites are enough to crawl with.

    `owners` says whose each page is, where some are of one site.
    """
    sites = owners or [str(number) for number in range(len(pages))]
    examples = [Example(page_ids(page), site) for page, site in zip(pages, sites, strict=True)]
    return BayesTopic(learn(name, examples, background))


def learn(
    name: str,
    examples: Sequence[Example],
    background: Background,
    spelled: Mapping[int, str] | None = None,
) -> Pack:
    """The pack of a topic; raises ValueError when no example is about it.

    `spelled` has the examples' words by their ids, for explanations (see `spelling`).
    """
    about = [example for example in examples if example.is_about]
    if not about:
        raise ValueError(f"topic {name!r} needs at least one page about it")
    beside = background.without(resembling([example.ids for example in about], background))
    space = space_of(examples, beside)
    odds = odds_from(about, space)
    on_topic = _drawn(left_out_scores(about, space))
    pack = Pack(
        name=name,
        source=EXAMPLES,
        odds=odds,
        spelled=spelling(odds.words, background, spelled or {}),
        page=_platt(examples, odds, on_topic, Inventor.of(beside, _SEED)),
        site=_platt(examples, odds, on_topic, Inventor.of(beside, _SEED, is_home=True)),
        examples=tuple(examples),
    )
    return _with_queries(pack)


def _with_queries(pack: Pack) -> Pack:
    """Its strongest words are what to type into its forms, until a user knows better."""
    words = [word for word, _ in pack.strongest if len(word) >= _QUERY_CHARS]
    return structs.replace(pack, queries=tuple(words[:_QUERIES]))


def _platt(
    examples: Sequence[Example], odds: LogOdds, on_topic: Numbers, inventor: Inventor
) -> Platt:
    """Against invented pages, and against examples that are not about the topic."""
    about = [example for example in examples if example.is_about]
    topic = site_shares(about, inventor.background.words).mean(axis=0)
    pages = inventor.beside(_INVENTED) + inventor.touching(topic / topic.sum(), _TOUCHING)
    named = [example.ids for example in examples if not example.is_about]
    return calibrated(on_topic, [odds.score(ids) for ids in pages + named])


def _drawn(scores: Numbers) -> Numbers:
    """As many scores as it takes, spread as those of the examples are in their midst: the odd
    example, such as one in another language, is not what to expect."""
    middle = float(np.median(scores))
    spread = _NORMAL * float(np.median(np.abs(scores - middle)))
    return np.random.default_rng(_SEED).normal(middle, max(spread, _LEAST_SPREAD), _DRAWN)
