"""Real forms with every word of searching cut out: what is left must tell that they search.

Site searches say `search` in every way at once, so that a judge may learn the word and nothing
else; on muted forms it shows what more it knows.
"""

import re

from msgspec import structs

from leadline.core.page import Field, Form
from leadline.core.text import fold
from leadline.forms import word_patterns
from leadline.forms.feature_words import MEANINGS, find_meanings

_SEARCHING = 1 << MEANINGS.index("searching")
_word = re.compile(r"[^\W\d_]+")


def mute_form(form: Form) -> Form:
    """The form without words, types and roles of searching."""
    return structs.replace(
        form,
        attributes=_mute_text(form.attributes),
        text=_mute_text(form.text),
        has_search_role=False,
        fields=tuple(_mute_field(field) for field in form.fields),
        submits=tuple(_mute_field(field) for field in form.submits),
    )


def _mute_field(field: Field) -> Field:
    return structs.replace(
        field,
        kind="text" if field.kind == "search" else field.kind,
        name=_mute_text(field.name) or "x",
        label=_mute_text(field.label),
        placeholder=_mute_text(field.placeholder),
        title=_mute_text(field.title),
        value=_mute_text(field.value),
        dom_id=_mute_text(field.dom_id),
    )


def _mute_text(text: str) -> str:
    return _word.sub(lambda found: "" if _speaks_of_it(found[0]) else found[0], text)


def _speaks_of_it(word: str) -> bool:
    return bool(find_meanings(word) & _SEARCHING or word_patterns.SEARCH(fold(word)))
