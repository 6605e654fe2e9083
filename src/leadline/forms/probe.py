"""Whether there is a database behind a form, told from its answers to nonsense and to words.

Nonsense finds nothing. What two nonsense answers have in common is therefore
how the site says "nothing found", whatever the language; a word that brings
something else, and more of it, was looked up. The query is taken out of the
answers first: a page that only repeats it proves nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import quote, quote_plus

from msgspec import Struct

from leadline.core.page import Form, Page
from leadline.core.url import path_of
from leadline.forms.entries import is_typed
from leadline.forms.query import nonsense, query_field
from leadline.forms.signature import signature

YES = "yes"
NO = "no"
CANNOT_TELL = "cannot tell"

_LEAST_FRESH = 3
"""Pieces of text, or links, that an answer must bring beyond the nonsense ones."""
_NOISE_FACTOR = 2
"""How many times what two nonsense answers differ in."""
_ALIKE = 0.9
"""Share of common pieces from which two answers are the same but for clocks and counters."""
_digits = re.compile(r"\d+").sub


class Query(Struct, frozen=True):
    """One thing to type into a form."""

    text: str
    is_nonsense: bool
    values: dict[str, str]
    """Control name to text."""


class Answer(Struct, frozen=True):
    """What a form answered to a query."""

    query: Query
    status: int
    page: Page


class Verdict(Struct, frozen=True):
    """Whether there is a database: `yes`, `no` or `cannot tell`, and why."""

    database: str
    why: str
    requests: int = 0
    """Spent on it."""


class Sketch(Struct, frozen=True):
    """What of an answer can be compared, the query taken out."""

    status: int
    path: str
    pieces: frozenset[str]
    """Leaves of text, digits taken as one."""
    links: frozenset[str]
    repeats: int
    """Links in the longest row of links that stand in the same place of the tag tree."""
    has_echo: bool
    """Whether the page repeats the query, as text or in a control."""


class Gain(Struct, frozen=True):
    """What a word brought beyond nonsense."""

    pieces: frozenset[str]
    links: frozenset[str]
    instead_of: str
    """What nonsense got; '' when it got nothing that the word did not get too."""


def queries(form: Form, words: Sequence[str]) -> list[Query]:
    """What to ask, in order: nonsense and words by turns; nothing where nothing can be typed."""
    field = query_field(form)
    if field is None or len(words) < 2:
        return []
    key = signature(form)
    found = []
    for turn, word in enumerate(words[:2]):
        strange = nonsense(key, turn, field.max_length)
        found.append(Query(strange, True, {field.name: strange}))
        found.append(Query(word, False, {field.name: word}))
    return found


def sketch(answer: Answer, texts: Iterable[str]) -> Sketch:
    """The answer reduced to what can be compared, `texts` taken out of it.

    Those of all queries are taken out of all answers, or a word would seem to
    change every line of the page's frame that it stands in.
    """
    page = answer.page
    echo = _finding(texts)
    leaves = [leaf for leaf in page.leaves if leaf]
    rows = Counter(link.tag_path for link in page.links)
    return Sketch(
        answer.status,
        echo.sub("", path_of(page.url).partition("?")[0]),
        frozenset(_digits("0", echo.sub("", leaf)).casefold().strip() for leaf in leaves) - {""},
        frozenset(echo.sub("", link.target) for link in page.links),
        max(rows.values(), default=0),
        _repeats(page, answer.query.text),
    )


def _repeats(page: Page, text: str) -> bool:
    """Whether the page shows what was asked, as text or typed into a control again."""
    typed = (field.value for form in page.forms for field in form.fields if is_typed(field))
    finds = _finding([text]).search
    return any(finds(shown) for shown in (*page.leaves, *typed))


def _finding(texts: Iterable[str]) -> re.Pattern[str]:
    """Finds the texts, also as they stand in addresses; longer ones first."""
    ways = {way for text in texts for way in (text, quote(text), quote_plus(text))}
    longest_first = sorted(ways, key=lambda way: (-len(way), way))
    return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)


def verdict_of(answers: Sequence[Answer], *, is_sure: bool = True) -> Verdict:
    """What two answers to nonsense and two to words prove.

    `is_sure`: what was asked went where words belong. A date box that was given
    words gets one answer for all of them, and proves nothing.
    """
    texts = [answer.query.text for answer in answers]
    strange = [sketch(a, texts) for a in answers if a.query.is_nonsense]
    worded = [(a.query.text, sketch(a, texts)) for a in answers if not a.query.is_nonsense]
    if len(strange) < 2 or len(worded) < 2:
        return Verdict(CANNOT_TELL, "there are not two answers of each kind to compare")
    if all(answer.status >= 400 for answer in answers):
        statuses = ", ".join(sorted({str(answer.status) for answer in answers}))
        return Verdict(CANNOT_TELL, f"every query was answered with an error ({statuses})")
    found = [_gain(words, strange) for _, words in worded]
    if any(found):
        return _with_gains([word for word, _ in worded], found)
    verdict = _without_gains(strange, [words for _, words in worded])
    if verdict.database == NO and not is_sure:
        return Verdict(CANNOT_TELL, "one answer to everything, from a box that may not take words")
    return verdict


def _gain(found: Sketch, strange: Sequence[Sketch]) -> Gain | None:
    """What the answer to a word has and those to nonsense have not; None when it is like them."""
    first, second = strange
    fresh = found.pieces - first.pieces - second.pieces
    links = found.links - first.links - second.links
    if found.status >= 400:
        return None
    if first.status >= 400 and second.status >= 400:
        return Gain(fresh, links, f"status {first.status}")
    said = (first.pieces & second.pieces) - found.pieces
    if not said and not are_alike(first, second):
        return None
    noise = max(len(first.pieces - second.pieces), len(second.pieces - first.pieces))
    least = max(_LEAST_FRESH, _NOISE_FACTOR * noise)
    has_rows = found.repeats >= max(first.repeats, second.repeats) + least
    if len(fresh) < least and not (has_rows and len(links) >= least):
        return None
    return Gain(fresh, links, repr(min(said, key=len)[:60]) if said else "")


def are_alike(one: Sketch, other: Sketch) -> bool:
    """Whether two answers are the same page but for what changes by itself."""
    if (one.status, one.path) != (other.status, other.path):
        return False
    both = one.pieces | other.pieces
    return not both or len(one.pieces & other.pieces) >= _ALIKE * len(both)


def _with_gains(words: Sequence[str], gains: Sequence[Gain | None]) -> Verdict:
    first, second = gains
    if first and second and (first.pieces, first.links) == (second.pieces, second.links):
        return Verdict(CANNOT_TELL, "different words get one and the same answer")
    word, gain = next((word, gain) for word, gain in zip(words, gains, strict=True) if gain)
    instead = f" instead of {gain.instead_of}" if gain.instead_of else ""
    why = f"{word!r} brings {len(gain.pieces)} texts and {len(gain.links)} links{instead}"
    return Verdict(YES, why)


def _without_gains(strange: Sequence[Sketch], worded: Sequence[Sketch]) -> Verdict:
    if not are_alike(*strange):
        return Verdict(CANNOT_TELL, "two nonsense queries get different answers")
    if not all(are_alike(strange[0], found) for found in worded):
        return Verdict(CANNOT_TELL, "words get little that nonsense does not get")
    if all(found.has_echo for found in strange):
        return Verdict(CANNOT_TELL, "words find as little as nonsense; the answer names them")
    return Verdict(NO, "words and nonsense get the same answer")
