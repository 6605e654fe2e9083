"""What examples of a new topic have in common with what is known: languages and domains."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from leadline.learn.naive_bayes import places_among
from leadline.learn.odds import damped
from leadline.page.words import WordIds
from leadline.topics.background import Background
from leadline.topics.invented import Inventor
from leadline.topics.vocabulary import LANGUAGES
from leadline.topics.weighing import odds_of

_ALIKE = 0.7
"""Examples that score so much of what pages of a domain score are about that domain."""
_INVENTED = 21
_SEED = 1
_LEAST_SHARE = 1e-6
_STRANGERS = 0.1
"""Pages in other languages than those of the examples that are expected all the same."""


def languages_of(pages: Sequence[WordIds], background: Background) -> Mapping[str, float]:
    """The share of pages in each language the background knows, going by the examples."""
    logs = {
        language: np.log(background.share(f"web:{language}") + _LEAST_SHARE)
        for language in LANGUAGES
    }
    found: Counter[str] = Counter()
    for ids in pages:
        unique, counts = damped(ids)
        places, is_known = places_among(background.words, unique)
        said = {spoken: float(log[places] @ counts[is_known]) for spoken, log in logs.items()}
        found[max(said, key=said.__getitem__)] += 1
    usual = background.languages
    return {
        language: (1 - _STRANGERS) * found[language] / len(pages) + _STRANGERS * usual[language]
        for language in LANGUAGES
    }


def resembling(pages: Sequence[WordIds], background: Background) -> list[str]:
    """The domains that the examples are about: no background to them.

    Each domain is judged by its words against the others'; pages invented of it tell what
    score to expect.
    """
    return [domain for domain in background.domains if _is_about(pages, domain, background)]


def _is_about(pages: Sequence[WordIds], domain: str, background: Background) -> bool:
    judge = odds_of(domain, background)
    known = Inventor.of(background, _SEED).about(domain, _INVENTED)
    typical = float(np.median([judge.score(ids) for ids in known]))
    return float(np.median([judge.score(ids) for ids in pages])) >= _ALIKE * typical > 0
