"""Words to begin with: those that a database behind a form would know, of its page and choices."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from leadline.core.page import Form, Page
from leadline.forms.hazard_words import ACCOUNT, SEARCH, fold
from leadline.forms.query import topical_words
from leadline.harvester.interface import Menu
from leadline.page.words import split_words, vocabulary

FIRST_WORDS = 24
"""A survey takes three, a policy without records some more."""
_LEAST_WORD_CHARS = 4
_READ_LEAVES = 2_000
_unspaced = re.compile(
    "[\u4e00-\u9fff]{2,4}(?![\u4e00-\u9fff])|[\u30a1-\u30fa\u30fc]{3,12}|[\uac00-\ud7a3]{2,6}"
).findall
"""Words of scripts in which blanks part sentences or phrases, or in which two letters are a word:
ends of runs of Han letters, katakana, Hangul."""


def first_words(
    form: Form, page: Page | None, menus: Sequence[Menu], given: Sequence[str] = ()
) -> tuple[str, ...]:
    """Those given, those of the page, and those of the choices: names of what is held."""
    told = topical_words(page, form, given, FIRST_WORDS) if page is not None else [*given]
    if page is not None and len(told) < FIRST_WORDS:
        told = [*(word for word in told if not _unspaced(word)), *_short_words(page)]
    known = vocabulary(page.language if page is not None else "").word
    offered = (choice.text for menu in menus for choice in menu.choices[:FIRST_WORDS])
    more = [w for w in _single_words(offered) if len(w) >= _LEAST_WORD_CHARS and known(w)]
    return tuple(dict.fromkeys([*told, *more]))[:FIRST_WORDS]


def _single_words(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in split_words(text[:80]) if word.isalpha()]


def _short_words(page: Page) -> list[str]:
    """The most frequent first."""
    texts = (page.title, page.description, *islice(page.leaves, _READ_LEAVES))
    counts = Counter(word for text in texts for word in _unspaced(text))
    ranked = sorted(counts, key=lambda word: -counts[word])
    return [word for word in ranked if not (SEARCH(fold(word)) or ACCOUNT(fold(word)))]
