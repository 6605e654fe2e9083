"""What things have that people look up: some two hundred properties and what they are called.

`properties.toml` names them, with their kind, their name in schema.org and what English sources
call them; words in other languages come from `topics/translations` and `words.toml`. All of it is
general knowledge, written by hand, and belongs to no site.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from msgspec import Struct

from leadline.core.text import fold
from leadline.topics.translation import read_translations

_AMBIGUOUS = 0.45
"""Of a label that other properties are called by too, marked with `*`."""
_TRANSLATED = 0.9
_PARTLY = 0.75
"""Of a label that has words beside those of the property: `Book author`, `Price from`."""
_MAX_LABEL_CHARS = 60
_camel = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_").sub
_parentheses = re.compile(r"\([^()]*\)?").sub
_not_words = re.compile(r"[^\w]+|_").sub
_prefixes = re.compile(
    r"^(?:lbl|txt|ctl\d*|span|div|field|item|prop|p|js|value|val|the|its|this) "
).sub
_suffixes = re.compile(r" (?:label|value|text|field|info|data|s|html|block|div|span|wrapper)$").sub


class Property(Struct, frozen=True):
    """Something that things have."""

    name: str
    kind: str
    schema_org: str
    labels: Mapping[str, tuple[str, ...]]
    """By language, the most usual first."""


@lru_cache(maxsize=1)
def read_properties() -> Mapping[str, Property]:
    """All of them by name."""
    table = tomllib.loads(_read("properties.toml"))["properties"]
    words = _read_words()
    found = {}
    for name, row in table.items():
        kind, schema_org, english, keys = (cell.strip() for cell in row.split("|"))
        labels = {"en": tuple(label.strip() for label in english.split(","))}
        for key in keys.split():
            for language, forms in words.get(key, {}).items():
                labels[language] = (*labels.get(language, ()), *forms)
        found[name] = Property(name, kind, schema_org, labels)
    return found


def _read_words() -> dict[str, dict[str, tuple[str, ...]]]:
    """Forms by English word and language."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for language, rows in read_translations().items():
        for row in rows:
            found.setdefault(row.english, {}).setdefault(language, row.forms)
    table = tomllib.loads(_read("words.toml"))
    languages = table["languages"].split()
    for word, cells in table["words"].items():
        for language, cell in zip(languages, cells.split("|"), strict=True):
            found.setdefault(word, {})[language] = tuple(filter(None, cell.split("/")))
    return found


def _read(name: str) -> str:
    return (files("leadline.extraction") / name).read_text(encoding="utf-8")


def normalise_label(label: str) -> str:
    """Words in lower case without accents, signs and what programs put around names.

    >>> [normalise_label(label) for label in ("Publication Date:", "lblDatePosted", "Case #")]
    ['publication date', 'date posted', 'case number']
    """
    said = label[:_MAX_LABEL_CHARS].replace("#", " number ")
    words = _not_words(" ", fold(_camel(" ", said))).strip()
    return _suffixes("", _prefixes("", words)).strip() or words


@lru_cache(maxsize=1)
def _labels() -> Mapping[str, Mapping[str, float]]:
    """Properties by normal label, with how surely the label means each."""
    found: dict[str, dict[str, float]] = {}
    for prop in read_properties().values():
        for language, labels in prop.labels.items():
            for place, label in enumerate(labels):
                plain = normalise_label(label.lstrip("*"))
                strength = _AMBIGUOUS if label.startswith("*") else 1.0 - 0.004 * min(place, 20)
                if language != "en":
                    strength *= _TRANSLATED
                known = found.setdefault(plain, {})
                known[prop.name] = max(known.get(prop.name, 0.0), strength)
    # Names of schema.org that only one property has: `servesCuisine` is said in data.
    owners = Counter(prop.schema_org for prop in read_properties().values())
    for prop in read_properties().values():
        plain = normalise_label(prop.schema_org)
        if owners[prop.schema_org] == 1 and plain not in found:
            found[plain] = {prop.name: 1.0}
    return found


@lru_cache(maxsize=20_000)
def find_properties(label: str) -> Mapping[str, float]:
    """Which properties a label may mean, each with a strength from 0 to 1.

    >>> max(find_properties("Verlag:").items(), key=lambda pair: pair[1])[0]
    'publisher'
    """
    plain = normalise_label(label)
    known = _labels()
    # `Author name`, `Price (new)`: what is left without the addition is asked before its parts.
    without = normalise_label(_parentheses(" ", label)) or plain
    for said, share in ((plain, 1.0), (without, 0.9), (plain.removesuffix(" name"), 0.85)):
        if said in known:
            return {name: share * strength for name, strength in known[said].items()}
    plain = without
    words = plain.split()
    if not 1 < len(words) <= 6:
        joined = known.get(plain.replace(" ", ""))
        return joined or {}
    found: dict[str, float] = {}
    # The longest run of words that is a label; what stands last is what the phrase is about, in
    # most of the languages.
    for length in range(len(words) - 1, 0, -1):
        for start in range(len(words) - length, -1, -1):
            part = known.get(" ".join(words[start : start + length]), {})
            share = _PARTLY * length / len(words) * (1.0 if start + length == len(words) else 0.85)
            for name, strength in part.items():
                found[name] = max(found.get(name, 0.0), strength * share)
    return found
