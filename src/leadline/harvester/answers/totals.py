"""The number of matches that an answer prints, in whatever language.

A total stands outside the records and is not smaller than what the page shows.
`1 - 20 of 345` tells itself. Elsewhere the words around a number, its size and
what the same sentence said on other answers decide.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from leadline.forms.word_patterns import fold
from leadline.harvester.answers.memory import Memory, Sums
from leadline.harvester.answers.sight import CONTROLS, INLINE, Echo, Sight
from leadline.harvester.answers.wording import (
    ABOUT,
    COUNTED,
    MONEY,
    PAGES,
    ROUGHLY_AFTER,
    TIMES,
)
from leadline.page.outline import Outline

_MOST_CHARS = 300
_MOST_SENTENCES = 60
_MOST_SUMS = 300
_MOST_VALUES = 6
_MOST_TOTAL = 10**11
_BETWEEN = "[.,'\u2019 \u00a0\u202f\u2009\u066c]"
_number = re.compile(rf"(?<![\w.,])\d{{1,3}}(?:{_BETWEEN}\d{{2,3}})+(?!\d)|(?<!\d)\d{{1,12}}(?!\d)")
_figure = re.compile(r"\d").search
_decimal = re.compile(r"^0\d*[.,]\d|^\d+[.,]\d{1,2}$|^\d{1,3}[., ]\d\d$")
_date = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d\d")
_clause_end = re.compile(r"[.;|(){}。·•](?=\s|$)|[()|;·•。]")
_YEARS = range(1900, 2101)


class Said(Struct, frozen=True):
    """A number in a sentence."""

    value: int
    sentence: str
    """Without its numbers and what was asked: the same on all answers."""
    position: int
    """Which number of the sentence."""
    before: str
    after: str
    score: float = 0.0

    @property
    def name(self) -> str:
        return f"{self.position} {self.sentence}"[:120]

    @property
    def told(self) -> str:
        """What it says, with the number."""
        return f"{self.value} {self.name}"


class Total(Struct, frozen=True):
    value: int
    is_exact: bool


def total_of(sight: Sight, taken: Sequence[range], shown: int, memory: Memory) -> Total | None:
    """The total that the page prints; `taken` are the rows of records, `shown` how many there are.

    Learns which sentences hold it.
    """
    found = [n for n in _all_numbers(sight, taken, shown) if n.told not in memory.standing]
    for number in found:
        _learn(memory, number, shown)
    likely = [n for n in found if n.score > 0 and _is_possible(memory, n, shown)]
    best = max(likely, key=lambda n: (n.score + _trust(memory, n), n.value), default=None)
    return Total(best.value, _is_exact(memory, best)) if best is not None else None


def learn_standing(sight: Sight, memory: Memory) -> None:
    """Take in the numbers of a page that shows no records: those that stand there as well count
    no matches."""
    for number in _all_numbers(sight, (), 0):
        if len(memory.standing) < _MOST_SUMS:
            memory.standing.add(number.told)


def _all_numbers(sight: Sight, taken: Sequence[range], shown: int) -> list[Said]:
    return [n for text in _sentences(sight, taken) for n in _numbers(text, sight.echo, shown)]


def _sentences(sight: Sight, taken: Sequence[range]) -> Iterator[str]:
    """Lines of text outside records and links that hold a number."""
    outline = sight.outline
    rows = sorted(taken, key=lambda row: row.start)
    done = at = 0
    left = _MOST_SENTENCES
    for row, text in enumerate(outline.texts):
        while at < len(rows) and row >= rows[at].stop:
            at += 1
        if row < done or not text or (at < len(rows) and row in rows[at]) or not _figure(text):
            continue
        line, done = _line(sight, row)
        if 0 < len(line) <= _MOST_CHARS and left:
            left -= 1
            yield line


def _line(sight: Sight, row: int) -> tuple[str, int]:
    """The line that a text is part of, and where it ends; '' inside a link or a control."""
    outline = sight.outline
    top, end = row, outline.ends[row]
    while outline.tags[top] in _LINE_TAGS:
        if outline.parents[top] <= 0:
            break
        above = outline.parents[top]
        if outline.tags[above] not in _LINE_TAGS or sight.holds_block[above]:
            break
        top = above
    above = outline.parents[top]
    if outline.tags[above] == "a" or outline.tags[above] in CONTROLS:
        return "", end
    siblings = sight.children[above]
    place = bisect_left(siblings, top)
    first = last = place
    while first > 0 and _goes_on(sight, siblings[first - 1]):
        first -= 1
    while last + 1 < len(siblings) and _goes_on(sight, siblings[last + 1]):
        last += 1
    run = siblings[first : last + 1]
    end = outline.ends[run[-1]]
    return " ".join(_said(outline, run[0], end)), end


def _said(outline: Outline, first: int, end: int) -> Iterator[str]:
    """The texts between two rows, those of links and controls left out."""
    row = first
    while row < end:
        is_apart = outline.tags[row] == "a" or outline.tags[row] in CONTROLS
        if outline.texts[row]:
            yield outline.texts[row]
        row = outline.ends[row] if is_apart else row + 1


def _goes_on(sight: Sight, row: int) -> bool:
    return sight.outline.tags[row] in INLINE and not sight.holds_block[row]


_LINE_TAGS = frozenset(
    "#text b strong em i span font small big u tt code label mark output".split()
)


def _numbers(text: str, echo: Echo, shown: int) -> Iterator[Said]:
    text = unicodedata.normalize("NFKC", text)
    plain = _date.sub(" ", text)
    places = [m for m in _number.finditer(plain) if not _decimal.match(m[0])]
    values = [_value(place[0]) for place in places]
    sentence = echo.without(_number.sub("#", plain).casefold())
    ranged = _range(values, shown)
    for position, (place, value) in enumerate(zip(places, values, strict=True)):
        if position in ranged or not 0 < value < _MOST_TOTAL:
            continue
        if place[0] in echo.words:
            continue
        before, after = plain[: place.start()], plain[place.end() :]
        follows = bool(ranged) and position == max(ranged) + 1
        said = Said(value, sentence, position, before, after)
        yield _scored(said, shown, follows_range=follows, alone=len(values) == 1)


def _value(text: str) -> int:
    return int("".join(c for c in text if c.isdigit()))


def _range(values: Sequence[int], shown: int) -> set[int]:
    """The places of two numbers next to each other that are the first and the last one shown."""
    for place, (first, last) in enumerate(pairwise(values)):
        if last - first + 1 == shown and first > 0:
            return {place, place + 1}
    return set()


def _scored(said: Said, shown: int, *, follows_range: bool, alone: bool) -> Said:
    before = _clause_end.split(fold(said.before[-40:]))[-1]
    after = _clause_end.split(fold(said.after[:40]))[0]
    near = f"{before[-25:]} # {after[:25]}"
    score = 0.0
    if follows_range:
        score += 3
    if COUNTED(near):
        score += 2
    elif alone and len(said.sentence) < 60:
        score += 0.5
    if MONEY(before[-3:] + "#" + after[:4]) or TIMES(after[:10]):
        score -= 5
    if PAGES(near) and not COUNTED(after[:15]):
        score -= 4
    if said.value in _YEARS and not follows_range:
        score -= 1.5
    if said.value < shown:
        score -= 5
    return Said(said.value, said.sentence, said.position, said.before, said.after, score)


def _learn(memory: Memory, said: Said, shown: int) -> None:
    if len(memory.sums) >= _MOST_SUMS and said.name not in memory.sums:
        return
    sums = memory.sums.setdefault(said.name, Sums())
    sums.seen += 1
    sums.wrong += said.value < shown and not _is_rough(said)
    sums.rough += _is_round(said.value)
    if said.value not in sums.values and len(sums.values) < _MOST_VALUES:
        sums.values.append(said.value)


def _is_possible(memory: Memory, said: Said, shown: int) -> bool:
    sums = memory.sums.get(said.name, Sums())
    return said.value >= shown and sums.wrong * 5 <= sums.seen


def _trust(memory: Memory, said: Said) -> float:
    """What other answers say of the sentence: totals change with the query, caps do not."""
    sums = memory.sums.get(said.name, Sums())
    if sums.seen < 3:
        return 0.0
    return 1.0 if len(sums.values) > 1 else -1.0


def _is_exact(memory: Memory, said: Said) -> bool:
    if _is_rough(said):
        return False
    sums = memory.sums.get(said.name, Sums())
    return not _is_round(said.value) or sums.rough * 2 < sums.seen


def _is_rough(said: Said) -> bool:
    """Whether the words around say that it is no exact number."""
    return bool(ABOUT(fold(said.before[-40:])) or ROUGHLY_AFTER(fold(said.after[:12])))


def _is_round(value: int) -> bool:
    """Whether only two digits of a large number are not zero.

    >>> _is_round(1200), _is_round(1234), _is_round(120)
    (True, False, False)
    """
    digits = str(value)
    return len(digits) > 3 and not digits[2:].strip("0")
