"""Forms to learn from and to be measured on, each with its words and what is known of it."""

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.forms.domain import DOMAINS
from leadline.page.words import WordIds, form_words
from tools.critic_training.written import (
    WrittenForm,
    draw_boxes,
    draw_of_domain,
    draw_others,
)

_PER_DOMAIN = 400
_DATABASES, _SERVICES, _BOXES = 1_600, 600, 600
_WRITTEN_SEED = 1


class Example(Struct, frozen=True, eq=False):
    """A form by its words."""

    words: WordIds
    """Each once, in rising order."""
    domains: frozenset[str]
    source: str
    """`written`, `real` or `lab`."""
    owner: str
    """What must not stand on both sides of a test: a site, or the form itself."""
    doubtful: frozenset[str] = frozenset()
    """Domains it may be said to belong to: neither right nor wrong."""
    is_searchable: bool = True


def distinct(ids: WordIds) -> WordIds:
    """The words that say something, each once, in rising order."""
    found: WordIds = np.unique(ids[ids > 0])
    return found


def written_forms() -> Iterator[WrittenForm]:
    """All that is drawn from the hand-written vocabularies; the same ones each time."""
    for domain in DOMAINS:
        yield from draw_of_domain(domain, _PER_DOMAIN, _WRITTEN_SEED)
    yield from draw_others(_DATABASES, _WRITTEN_SEED, is_searchable=True)
    yield from draw_others(_SERVICES, _WRITTEN_SEED, is_searchable=False)
    yield from draw_boxes(_BOXES, _WRITTEN_SEED)


def written_examples() -> Iterator[Example]:
    for number, drawn in enumerate(written_forms()):
        words = distinct(form_words(drawn.form, drawn.language))
        owner = f"written {number}"
        yield Example(words, drawn.domains, "written", owner, is_searchable=drawn.is_searchable)


def targets(examples: Sequence[Example], domain: str) -> NDArray[np.bool_]:
    """Which of them belong to the domain."""
    return np.array([domain in one.domains for one in examples], np.bool_)


def is_sure(examples: Sequence[Example], domain: str) -> NDArray[np.bool_]:
    """Of which of them it is known whether they belong."""
    return np.array([domain not in one.doubtful for one in examples], np.bool_)
