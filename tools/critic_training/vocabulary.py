"""Which words may count: those people wrote down, without what forms of any kind say.

Nothing else is ever given a weight, so that the names of sites, makers and places of the training
material, and the habits of whatever drew it, cannot decide.
"""

from collections.abc import Iterable, Iterator
from functools import cache

import stopwordsiso
from msgspec import structs

from leadline.forms.domain import DOMAINS
from leadline.page.words import form_vocabulary, name_words, split_words
from tools.critic_training.written import LANGUAGES, Sayings, others, sayings

_SHORTEST, _SHORTEST_STOP_WORD = 2, 3
"""Letters."""


@cache
def telling_words() -> dict[int, str]:
    """Every word that may count, by its id: of the domains, and of what lies outside them."""
    found: dict[int, str] = {}
    for domain in DOMAINS:
        found |= _telling(_said(sayings(domain)))
    kinds = (*others().databases, *others().services)
    return _telling(("en", text) for kind in kinds for text in kind) | found


@cache
def own_words(domain: str) -> frozenset[int]:
    """What says something of the domain: its words without the labels all forms share."""
    general = sayings("general")
    shared = _telling(_said(structs.replace(general, names=())))
    return frozenset(_telling(_said(sayings(domain))).keys() - shared.keys())


def _said(own: Sayings) -> Iterator[tuple[str, str]]:
    """Every text with its language; names of controls are English to all."""
    for name in own.names:
        yield "en", name_words(name)
    for language in LANGUAGES:
        choices = (text for texts in own.choices[language] for text in texts)
        for text in (*own.prompts[language], *own.labels[language], *choices):
            yield language, text


def _telling(texts: Iterable[tuple[str, str]]) -> dict[int, str]:
    """Words by id, stemmed by the rules of their own language and by those of English."""
    found: dict[int, str] = {}
    for language, text in texts:
        for word in split_words(text):
            if word not in _noise() and not _is_idle(word, language):
                found.setdefault(form_vocabulary("en").word(word), word)
                found.setdefault(form_vocabulary(language).word(word), word)
    return found


def _is_idle(word: str, language: str) -> bool:
    """Numbers, letters, and stop words that are no label by themselves."""
    if word[0].isdigit() or len(word) < _SHORTEST:
        return True
    if word not in stopwordsiso.stopwords(language):
        return False
    return len(word) < _SHORTEST_STOP_WORD or word not in _labels()


@cache
def _labels() -> frozenset[str]:
    """Labels of one word of any domain."""
    texts = (label for d in DOMAINS for some in sayings(d).labels.values() for label in some)
    return frozenset(label.lower() for label in texts if " " not in label)


@cache
def _noise() -> frozenset[str]:
    """What all search forms say of themselves, and what programs call the parts of forms."""
    general = sayings("general")
    prompts = " ".join(text for texts in general.prompts.values() for text in texts)
    names = {word for name in general.names for word in split_words(name_words(name))}
    labels = (label for d in DOMAINS for some in sayings(d).labels.values() for label in some)
    in_labels = {word for label in labels for word in split_words(label)}
    return frozenset(split_words(prompts)) | (names - in_labels) | set(general.technical)
