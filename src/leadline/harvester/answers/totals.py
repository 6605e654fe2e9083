"""The number of matches that an answer prints, in whatever language.

A total stands outside the records and is not smaller than what the page shows. `1 - 20 of 345` says
so itself. Elsewhere the words around a number, its size and what the same sentence said on other
answers decide. Scores were set by hand on written answers in many languages.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct, structs

from leadline.core.text import fold
from leadline.forms.word_patterns import matcher
from leadline.harvester.answers.answer_page import CONTROLS, INLINE, AnswerPage, QueryEcho
from leadline.harvester.answers.reader_memory import NumberHistory, ReaderMemory

_MAX_CHARS = 300
_MAX_SENTENCES = 60
_MAX_REMEMBERED = 300
_MAX_VALUES = 6
_MAX_TOTAL = 10**11
_YEARS = range(1900, 2101)
_LINE_TAGS = frozenset(
    "#text b strong em i span font small big u tt code label mark output".split()
)
_BETWEEN = "[.,'\u2019 \u00a0\u202f\u2009\u066c]"
_number = re.compile(rf"(?<![\w.,])\d{{1,3}}(?:{_BETWEEN}\d{{2,3}})+(?!\d)|(?<!\d)\d{{1,12}}(?!\d)")
_figure = re.compile(r"\d").search
_decimal = re.compile(r"^0\d*[.,]\d|^\d+[.,]\d{1,2}$|^\d{1,3}[., ]\d\d$")
_date = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d\d")
_clause_end = re.compile(r"[.;|(){}。·•](?=\s|$)|[()|;·•。]")

_ABOUT = matcher(
    r"(?:\babout|\bapprox\w*\.?|\baround|\bover|\bmore than|\bat least|\bcirca|\bca\.?|\bsome"
    r"|\bnearly|\balmost|\bestimated?|\bungefahr|\betwa|\brund|\bmehr als|\buber|\bmindestens"
    r"|\benviron|\bplus de|\bpres de|\bunos|\bunas|\bmas de|\baprox\w*\.?|\bcerca de|\balrededor de"
    r"|\bmais de|\bpiu di|\bongeveer|\bmeer dan|\bomkring|\bover|\bnoin|\byli|\bokolo|\bponad"
    r"|\bpriblizne|\bkorulbelul|\byaklasik|около|примерно|более|свыше|приблизно|понад"
    r"|约|約|大约|超过|およそ|약|حوالي|~|≈|>|≥)[^\w]{0,3}(?:\w+[^\w])?$"
)
"""Right before a number: it is no exact one."""
_ROUGHLY_AFTER = matcher(r"^\s?(?:\+|k\b|m\b|以上|余|多|thousand|million|tsd|mio|тыс|млн|or more)")
_COUNTED = matcher(
    r"result|record|\bhits?\b|match|found|\bitems?\b|entries|documents?\b|listings?\b|articles?\b",
    r"titles?\b|products?\b|\brows?\b|\bpackages?\b|\bzeilen\b|\blignes\b|\bfilas\b|\bposts?\b",
    r"\btotal|\bof\b|treffer|ergebnis|gefunden|eintrag|datensatz|insgesamt",
    r"\bvon\b|resultat|trouve|reponses|fiches|\bsur\b|resultado|encontrad|registros|coincidencia",
    r"risultat|trovat|elementi|gevonden|resultaten|traffar|\bfundet|tulos|loytyi|wynik|znalezion",
    r"vysled|nalezen|talalat|rezultat|sonuc|найден|результат|запис|всего|знайден|结果|結果|条|條|件",
    r"全部|共|개|건|نتيجة|تוצאות|תוצאות|ผลลัพธ์|kết quả|hasil|αποτελ",
)
_PAGES = matcher(
    r"\bpages?\b|\bpg\b|seiten?\b|paginas?\b|pagine?\b|\bsida\b|\bside\b|\bsivu|stron[ay]|strank",
    r"oldal|sayfa|страниц|сторінк|页|頁|ページ|페이지|صفحة|עמוד|หน้า|trang|halaman|σελιδ",
)
_TIMES = matcher(
    r"^ ?(?:s|sec|secs|seconds?|ms)\b|\bmillisec|^ ?sekund|^ ?secondes?|^ ?segundos?|^ ?secondi",
    r"^ ?секунд|^ ?秒|^ ?초",
)
_MONEY = matcher(r"[$€£¥₹₽]|\b(?:usd|eur|gbp|chf|jpy|rub|kr|zl|kc)\b|рубл|円|元(?!素)|원")


class PrintedNumber(Struct, frozen=True):
    """A number in a sentence of the page."""

    value: int
    sentence: str
    """Without its numbers and what was asked: the same on all answers."""
    position: int
    """Which number of the sentence."""
    before: str
    after: str
    score: float = 0.0
    """How much it looks like a total."""

    @property
    def name(self) -> str:
        return f"{self.position} {self.sentence}"[:120]

    @property
    def statement(self) -> str:
        """What it says, with the number."""
        return f"{self.value} {self.name}"

    @property
    def is_rough(self) -> bool:
        """Whether the words around say that it is no exact number."""
        return bool(_ABOUT(fold(self.before[-40:])) or _ROUGHLY_AFTER(fold(self.after[:12])))


class PrintedTotal(Struct, frozen=True):
    value: int
    is_exact: bool


def find_total(
    page: AnswerPage, taken: Sequence[range], shown: int, memory: ReaderMemory
) -> PrintedTotal | None:
    """The total that the page prints; `taken` are the rows of records, `shown` how many there are.

    Learns which sentences hold it.
    """
    found = [
        number
        for number in _find_numbers(page, taken, shown)
        if number.statement not in memory.constant_numbers
    ]
    for number in found:
        _remember(memory, number, shown)
    likely = []
    for number in found:
        history = memory.numbers.get(number.name, NumberHistory())
        is_possible = number.value >= shown and history.wrong * 5 <= history.seen
        # A sentence that was wrong on a fifth of the answers does not count matches.
        if number.score > 0 and is_possible:
            # Totals change with the query, caps do not.
            trust = 0.0 if history.seen < 3 else 1.0 if len(history.values) > 1 else -1.0
            likely.append((number.score + trust, number.value, number))
    if not likely:
        return None
    best = max(likely, key=lambda rated: rated[:2])[2]
    history = memory.numbers.get(best.name, NumberHistory())
    is_rounded = _is_round(best.value) and history.rounded * 2 >= history.seen
    return PrintedTotal(best.value, not best.is_rough and not is_rounded)


def learn_constant_numbers(page: AnswerPage, memory: ReaderMemory) -> None:
    """Remembers the numbers of a page that shows no records: they do not count matches."""
    for number in _find_numbers(page, (), 0):
        if len(memory.constant_numbers) < _MAX_REMEMBERED:
            memory.constant_numbers.add(number.statement)


def _remember(memory: ReaderMemory, number: PrintedNumber, shown: int) -> None:
    if len(memory.numbers) >= _MAX_REMEMBERED and number.name not in memory.numbers:
        return
    history = memory.numbers.setdefault(number.name, NumberHistory())
    history.seen += 1
    history.wrong += number.value < shown and not number.is_rough
    history.rounded += _is_round(number.value)
    if number.value not in history.values and len(history.values) < _MAX_VALUES:
        history.values.append(number.value)


def _is_round(value: int) -> bool:
    """Whether only two digits of a large number are not zero.

    >>> _is_round(1200), _is_round(1234), _is_round(120)
    (True, False, False)
    """
    digits = str(value)
    return len(digits) > 3 and not digits[2:].strip("0")


def _find_numbers(page: AnswerPage, taken: Sequence[range], shown: int) -> list[PrintedNumber]:
    return [n for text in _sentences(page, taken) for n in _read_numbers(text, page.echo, shown)]


def _sentences(page: AnswerPage, taken: Sequence[range]) -> Iterator[str]:
    """Lines of text outside records and links that hold a number."""
    rows = sorted(taken, key=lambda row: row.start)
    done = at = 0
    left = _MAX_SENTENCES
    for row, text in enumerate(page.outline.texts):
        while at < len(rows) and row >= rows[at].stop:
            at += 1
        if row < done or not text or (at < len(rows) and row in rows[at]) or not _figure(text):
            continue
        line, done = _line_of(page, row)
        if 0 < len(line) <= _MAX_CHARS and left:
            left -= 1
            yield line


def _line_of(page: AnswerPage, row: int) -> tuple[str, int]:
    """The line that a text is part of, and where it ends; '' inside a link or a control."""
    outline = page.outline
    top, end = row, outline.ends[row]
    while outline.tags[top] in _LINE_TAGS and outline.parents[top] > 0:
        above = outline.parents[top]
        if outline.tags[above] not in _LINE_TAGS or page.holds_block[above]:
            break
        top = above
    above = outline.parents[top]
    if outline.tags[above] == "a" or outline.tags[above] in CONTROLS:
        return "", end
    siblings = page.children[above]
    first = last = bisect_left(siblings, top)
    while first > 0 and _is_in_line(page, siblings[first - 1]):
        first -= 1
    while last + 1 < len(siblings) and _is_in_line(page, siblings[last + 1]):
        last += 1
    end = outline.ends[siblings[last]]
    # Texts of links and controls are left out.
    texts = []
    row = siblings[first]
    while row < end:
        is_apart = outline.tags[row] == "a" or outline.tags[row] in CONTROLS
        if outline.texts[row]:
            texts.append(outline.texts[row])
        row = outline.ends[row] if is_apart else row + 1
    return " ".join(texts), end


def _is_in_line(page: AnswerPage, row: int) -> bool:
    return page.outline.tags[row] in INLINE and not page.holds_block[row]


def _read_numbers(text: str, echo: QueryEcho, shown: int) -> Iterator[PrintedNumber]:
    plain = _date.sub(" ", unicodedata.normalize("NFKC", text))
    places = [m for m in _number.finditer(plain) if not _decimal.match(m[0])]
    values = [int("".join(c for c in place[0] if c.isdigit())) for place in places]
    sentence = echo.remove_from(_number.sub("#", plain).casefold())
    # Two numbers next to each other that are the first and the last result shown.
    ranges = (
        position
        for position, (first, last) in enumerate(pairwise(values))
        if last - first + 1 == shown and first > 0
    )
    start = next(ranges, None)
    ranged = () if start is None else (start, start + 1)
    for position, (place, value) in enumerate(zip(places, values, strict=True)):
        if position in ranged or not 0 < value < _MAX_TOTAL or place[0] in echo.words:
            continue
        before, after = plain[: place.start()], plain[place.end() :]
        number = PrintedNumber(value, sentence, position, before, after)
        follows_range = start is not None and position == start + 2
        score = _score(number, shown, follows_range=follows_range, is_alone=len(values) == 1)
        yield structs.replace(number, score=score)


def _score(number: PrintedNumber, shown: int, *, follows_range: bool, is_alone: bool) -> float:
    """Above 0 for what may be a total."""
    before = _clause_end.split(fold(number.before[-40:]))[-1]
    after = _clause_end.split(fold(number.after[:40]))[0]
    near = f"{before[-25:]} # {after[:25]}"
    score = 0.0
    if follows_range:
        score += 3
    if _COUNTED(near):
        score += 2
    elif is_alone and len(number.sentence) < 60:
        score += 0.5
    if _MONEY(before[-3:] + "#" + after[:4]) or _TIMES(after[:10]):
        score -= 5
    # `Page 3 of 40`, but not `Page 1: 40 results`.
    if _PAGES(near) and not _COUNTED(after[:15]):
        score -= 4
    # `Copyright 2024`; a total may be such a number too, if something else speaks for it.
    if number.value in _YEARS and not follows_range:
        score -= 1.5
    if number.value < shown:
        score -= 5
    return score
