"""Is there a database behind a form? Its answers to nonsense and to words are compared.

Nonsense finds nothing. What two answers to nonsense have in common is therefore how the site says
"nothing found", whatever the language; a word that brings something else, and more of it, was
looked up. The query is removed from the answers first: a page that only repeats it proves nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import quote, quote_plus

from msgspec import Struct

from leadline.core.page import Form, Page
from leadline.core.url import path_of
from leadline.forms.form_data import is_typed
from leadline.forms.query import find_query_field, make_nonsense
from leadline.forms.signature import signature

YES = "yes"
NO = "no"
CANNOT_TELL = "cannot tell"

_LEAST_FRESH = 3
"""Pieces of text, or links, that an answer must bring beyond the nonsense ones."""
_NOISE_FACTOR = 2
"""A word must bring this many times what two answers to nonsense differ in."""
_ALIKE = 0.9
"""Share of common pieces from which two answers are the same but for clocks and counters."""
_digits = re.compile(r"\d+").sub


class ProbeQuery(Struct, frozen=True):
    """One thing to type into a form."""

    text: str
    is_nonsense: bool
    values: dict[str, str]
    """Control name to text."""


class ProbeAnswer(Struct, frozen=True):
    """What a form answered to a query."""

    query: ProbeQuery
    status: int
    page: Page


class ProbeVerdict(Struct, frozen=True):
    """Whether there is a database: `yes`, `no` or `cannot tell`, and why."""

    database: str
    why: str
    requests: int = 0
    """Spent on it."""


class AnswerSketch(Struct, frozen=True):
    """What of an answer can be compared, the query removed."""

    status: int
    path: str
    pieces: frozenset[str]
    """Leaves of text, digits taken as one."""
    links: frozenset[str]
    repeats: int
    """The most links with one tag path: a list of results has many."""
    has_echo: bool
    """Whether the page repeats the query, as text or in a control."""


class WordGain(Struct, frozen=True):
    """What the answer to a word has beyond those to nonsense."""

    pieces: frozenset[str]
    links: frozenset[str]
    instead_of: str
    """What nonsense got; '' if it got nothing that the word did not get too."""


def plan_probe(form: Form, words: Sequence[str]) -> list[ProbeQuery]:
    """What to ask, in order: nonsense and words by turns; nothing if nothing can be typed."""
    field = find_query_field(form)
    if field is None or len(words) < 2:
        return []
    key = signature(form)
    found = []
    for turn, word in enumerate(words[:2]):
        strange = make_nonsense(key, turn, field.max_length)
        found.append(ProbeQuery(strange, True, {field.name: strange}))
        found.append(ProbeQuery(word, False, {field.name: word}))
    return found


def sketch_answer(answer: ProbeAnswer, texts: Iterable[str]) -> AnswerSketch:
    """The answer reduced to what can be compared, with `texts` removed.

    The texts of all queries are removed from all answers; else a word would seem to change every
    line of the page's frame that it stands in.
    """
    page = answer.page
    echo = _pattern_of(texts)
    leaves = [leaf for leaf in page.leaves if leaf]
    rows = Counter(link.tag_path for link in page.links)
    return AnswerSketch(
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
    finds = _pattern_of([text]).search
    return any(finds(shown) for shown in (*page.leaves, *typed))


def _pattern_of(texts: Iterable[str]) -> re.Pattern[str]:
    """Matches the texts, also as URLs write them; longer ones first."""
    ways = {way for text in texts for way in (text, quote(text), quote_plus(text))}
    longest_first = sorted(ways, key=lambda way: (-len(way), way))
    return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)


def judge_answers(answers: Sequence[ProbeAnswer], *, is_sure: bool = True) -> ProbeVerdict:
    """What two answers to nonsense and two to words prove.

    `is_sure`: the queries went where words belong. A date box that was given words returns one
    answer for all of them, which proves nothing.
    """
    texts = [answer.query.text for answer in answers]
    strange = [sketch_answer(a, texts) for a in answers if a.query.is_nonsense]
    worded = [(a.query.text, sketch_answer(a, texts)) for a in answers if not a.query.is_nonsense]
    if len(strange) < 2 or len(worded) < 2:
        return ProbeVerdict(CANNOT_TELL, "there are not two answers of each kind to compare")
    if all(answer.status >= 400 for answer in answers):
        statuses = ", ".join(sorted({str(answer.status) for answer in answers}))
        return ProbeVerdict(CANNOT_TELL, f"every query was answered with an error ({statuses})")
    found = [_find_gain(words, strange) for _, words in worded]
    if any(found):
        return _judge_gains([word for word, _ in worded], found)
    verdict = _judge_without_gains(strange, [words for _, words in worded])
    if verdict.database == NO and not is_sure:
        return ProbeVerdict(
            CANNOT_TELL, "one answer to everything, from a box that may not take words"
        )
    return verdict


def judge_three(answers: Sequence[ProbeAnswer]) -> ProbeVerdict:
    """What nonsense, a word and nonsense again prove: less than two words would."""
    texts = [answer.query.text for answer in answers]
    first, found, second = (sketch_answer(answer, texts) for answer in answers)
    if found.status >= 400:
        return ProbeVerdict(CANNOT_TELL, f"a word was answered with status {found.status}")
    gain = _find_gain(found, (first, second))
    # Nonsense that does not come back empty: some pages are shown for whatever is asked.
    if gain is not None and not gain.instead_of:
        return ProbeVerdict(CANNOT_TELL, "a word brings other things than nonsense does")
    if gain is not None:
        return _judge_gains([answers[1].query.text, ""], [gain, None])
    return _judge_without_gains((first, second), (found,))


def find_new_text(answers: Sequence[ProbeAnswer]) -> list[str]:
    """The texts of the answer to a word that those to nonsense lack, as they stand there."""
    texts = [answer.query.text for answer in answers]
    echo = _pattern_of(texts)
    old = {
        echo.sub("", leaf)
        for answer in answers
        if answer.query.is_nonsense
        for leaf in answer.page.leaves
    }
    (worded,) = (answer.page for answer in answers if not answer.query.is_nonsense)
    return [leaf for leaf in worded.leaves if leaf and echo.sub("", leaf) not in old]


def _find_gain(found: AnswerSketch, strange: Sequence[AnswerSketch]) -> WordGain | None:
    """What the answer to a word has and those to nonsense lack; None if it is like them."""
    first, second = strange
    fresh = found.pieces - first.pieces - second.pieces
    links = found.links - first.links - second.links
    if found.status >= 400:
        return None
    if first.status >= 400 and second.status >= 400:
        return WordGain(fresh, links, f"status {first.status}")
    # What both nonsense answers say, and the word's does not: most likely "nothing found".
    said = (first.pieces & second.pieces) - found.pieces
    # Without it, answers to nonsense that differ show that the page changes by itself.
    if not said and not are_alike(first, second):
        return None
    noise = max(len(first.pieces - second.pieces), len(second.pieces - first.pieces))
    least = max(_LEAST_FRESH, _NOISE_FACTOR * noise)
    has_rows = found.repeats >= max(first.repeats, second.repeats) + least
    if len(fresh) < least and not (has_rows and len(links) >= least):
        return None
    return WordGain(fresh, links, repr(min(said, key=len)[:60]) if said else "")


def are_alike(one: AnswerSketch, other: AnswerSketch) -> bool:
    """Whether two answers are the same page but for what changes by itself."""
    if (one.status, one.path) != (other.status, other.path):
        return False
    both = one.pieces | other.pieces
    return not both or len(one.pieces & other.pieces) >= _ALIKE * len(both)


def _judge_gains(words: Sequence[str], gains: Sequence[WordGain | None]) -> ProbeVerdict:
    first, second = gains
    # A form that ignores its query and shows, say, the newest entries.
    if first and second and (first.pieces, first.links) == (second.pieces, second.links):
        return ProbeVerdict(CANNOT_TELL, "different words get one and the same answer")
    word, gain = next((word, gain) for word, gain in zip(words, gains, strict=True) if gain)
    instead = f" instead of {gain.instead_of}" if gain.instead_of else ""
    why = f"{word!r} brings {len(gain.pieces)} texts and {len(gain.links)} links{instead}"
    return ProbeVerdict(YES, why)


def _judge_without_gains(
    strange: Sequence[AnswerSketch], worded: Sequence[AnswerSketch]
) -> ProbeVerdict:
    if not are_alike(*strange):
        return ProbeVerdict(CANNOT_TELL, "two nonsense queries get different answers")
    if not all(are_alike(strange[0], found) for found in worded):
        return ProbeVerdict(CANNOT_TELL, "words get little that nonsense does not get")
    if all(found.has_echo for found in strange):
        return ProbeVerdict(CANNOT_TELL, "words find as little as nonsense; the answer names them")
    return ProbeVerdict(NO, "words and nonsense get the same answer")
