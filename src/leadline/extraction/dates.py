"""Dates in the words of twenty languages, as ISO 8601 and as exact as the text is."""

# ruff: noqa: RUF001, E501 - words in many scripts, wide letters count twice
import calendar
import re
from functools import lru_cache

from leadline.core.text import fold

# Month names by language, January first; `/` parts forms and cases. Written by hand. The first three
# letters stand for a name where no other month begins so; other short forms are listed.
_MONTHS = """
january february march april may june july august september october november december
jan feb mar apr may jun jul aug sept/sep oct nov dec
januar/jänner februar/feber märz/maerz/mrz april mai juni juli august september oktober november dezember
jan feb mär apr mai jun jul aug sep okt nov dez
janvier février mars avril mai juin juillet août/aout septembre octobre novembre décembre
janv févr/fév mars avr mai juin juil août sept oct nov déc
enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre
ene feb mar abr may jun jul ago sep oct nov dic
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
gen feb mar apr mag giu lug ago set ott nov dic
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
jan fev mar abr mai jun jul ago set out nov dez
januari februari maart april mei juni juli augustus september oktober november december
jan feb mrt apr mei jun jul aug sep okt nov dec
januari februari mars april maj juni juli augusti september oktober november december
januar februar marts/mars april maj/mai juni juli august september oktober november december/desember
tammikuu/tammikuuta helmikuu/helmikuuta maaliskuu/maaliskuuta huhtikuu/huhtikuuta toukokuu/toukokuuta kesäkuu/kesäkuuta heinäkuu/heinäkuuta elokuu/elokuuta syyskuu/syyskuuta lokakuu/lokakuuta marraskuu/marraskuuta joulukuu/joulukuuta
styczeń/stycznia luty/lutego marzec/marca kwiecień/kwietnia maj/maja czerwiec/czerwca lipiec/lipca sierpień/sierpnia wrzesień/września październik/października listopad/listopada grudzień/grudnia
leden/ledna únor/února březen/března duben/dubna květen/května červen/června červenec/července srpen/srpna září říjen/října listopad/listopadu prosinec/prosince
január február március április május június július augusztus szeptember október november december
ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
январь/января/янв февраль/февраля/фев март/марта/мар апрель/апреля/апр май/мая июнь/июня/июн июль/июля/июл август/августа/авг сентябрь/сентября/сен октябрь/октября/окт ноябрь/ноября/ноя декабрь/декабря/дек
січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня
ιανουαρίου/ιανουάριος φεβρουαρίου/φεβρουάριος μαρτίου/μάρτιος απριλίου/απρίλιος μαΐου/μάιος ιουνίου/ιούνιος ιουλίου/ιούλιος αυγούστου/αύγουστος σεπτεμβρίου/σεπτέμβριος οκτωβρίου/οκτώβριος νοεμβρίου/νοέμβριος δεκεμβρίου/δεκέμβριος
يناير فبراير مارس أبريل/ابريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר
"""
_CLASHES = {"listopad": 11, "listopada": 11, "mar": 3}
"""The same word for two months: the language with more pages decides."""
_word = r"(?P<month>[^\W\d_]{3,})\.?"
_iso = re.compile(
    r"\b(?P<y>[12]\d{3})-(?P<m>0\d|1[0-2])-(?P<d>[0-2]\d|3[01])(?:[T ][\d:.+Z-]+)?"
).search
_east = re.compile(
    r"(?P<y>[12]\d{3})\s*[年년]\s*(?:(?P<m>\d{1,2})\s*[月월]\s*(?:(?P<d>\d{1,2})\s*[日일])?)?"
).search
_year_first = re.compile(r"\b(?P<y>[12]\d{3})[./](?P<m>\d{1,2})(?:[./](?P<d>\d{1,2}))?\b").search
_numbers = re.compile(
    r"(?<![\d.,/-])(?P<a>\d{1,2})(?P<sep>[./-])\s?(?P<b>\d{1,2})(?P=sep)\s?(?P<y>[12]\d{3}|\d{2})(?![\d/])"
).search
_day_month = re.compile(
    rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|º|ª|\.)?[\s-]+(?:de\s+|of\s+)?{_word}(?:[\s,-]+(?:de\s+|del\s+)?(?P<y>[12]\d{{3}}|'?\d{{2}}(?!\d)))?"
).search
_month_day = re.compile(
    rf"\b{_word}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:\s*,?\s*(?P<y>[12]\d{{3}})|(?![\d:])\b)"
).search
_month_year = re.compile(rf"\b{_word}[\s,/-]+(?:de\s+)?(?P<y>[12]\d{{3}})\b").search
_month_year_number = re.compile(r"^(?P<m>0?[1-9]|1[0-2])\s?[/.-]\s?(?P<y>[12]\d{3})$").search
_year = re.compile(
    r"(?<![\d.,$€£/-])(?:c\.?\s?|ca\.?\s?|circa )?(?P<y>1[0-9]\d{2}|20\d{2})(?![\d,/.]\d|\d)"
).search
_MAX_CHARS = 80
"""Longer texts speak of dates rather than being one."""
_PIVOT = 40
"""Two digits up to it are of this century."""


@lru_cache(maxsize=1)
def _month_numbers() -> dict[str, int]:
    found: dict[str, int] = {}
    for line in _MONTHS.split("\n"):
        for number, forms in enumerate(line.split(), start=1):
            for form in forms.split("/"):
                found.setdefault(fold(form), number)
    return found | _CLASHES


def parse_date(text: str) -> str | None:
    """The first date of a text as ISO 8601; a text that only holds a year gives the year.

    >>> parse_date("3. Mai 2011"), parse_date("March 2010"), parse_date("12 de enero de 1999")
    ('2011-05-03', '2010-03', '1999-01-12')
    >>> parse_date("25/12/2009"), parse_date("12/25/2009"), parse_date("2009年5月")
    ('2009-12-25', '2009-12-25', '2009-05')
    """
    if len(text) > _MAX_CHARS or not any(map(str.isdigit, text)):
        return None
    for find in (_iso, _east, _year_first):
        if (found := find(text)) and (date := _join(found["y"], found["m"], found["d"])):
            return date
    return _by_numbers(text) or _by_month_name(text) or _by_year(text)


def parse_date_of_figures(text: str) -> str | None:
    """A date of eight figures, as programs write it: only where nothing but a date can stand.

    >>> parse_date_of_figures("20260211"), parse_date_of_figures("02112026")
    ('2026-02-11', '2026-02-11')
    """
    figures = text.strip()
    if len(figures) != len("20260211") or not figures.isdecimal():
        return None
    if figures[:2] in ("19", "20") and int(figures[4:6]) <= 12:
        return _join(figures[:4], figures[4:6], figures[6:])
    return _by_numbers(f"{figures[:2]}/{figures[2:4]}/{figures[4:]}")


def find_date(text: str) -> tuple[str, int, int] | None:
    """The first full date inside a text, with where it begins and ends.

    >>> find_date("Roe v. Wade (September 11, 2025)")
    ('2025-09-11', 13, 31)
    """
    if not any(map(str.isdigit, text)):
        return None
    plain = fold(text)
    # Folding rarely changes the length; then only figures can be found again in the text.
    shapes = (_day_month, _month_day) if len(plain) == len(text) else ()
    for find, shown in (
        *((one, text) for one in (_iso, _east, _year_first, _numbers)),
        *((one, plain) for one in shapes),
    ):
        found = find(shown)
        # A number and a word before the date may have its shape: `Bank 11 (May 11, 2011)`.
        while found is not None:
            date = parse_date(text[found.start() : found.end()])
            if date and len(date) == len("2025-09-11") and date[0] != "-":
                return date, found.start(), found.end()
            found = find(shown, found.start() + 1)
    return None


def _by_numbers(text: str) -> str | None:
    found = _numbers(text)
    if found is None:
        return None
    first, second = int(found["a"]), int(found["b"])
    # Only dots are sure to put the day first; by slashes the order that gives a date decides, and
    # where both do, that of the country with most pages written so: month first.
    day_first = found["sep"] == "." or first > 12
    day, month = (first, second) if day_first else (second, first)
    return _join(found["y"], str(month), str(day))


def _by_month_name(text: str) -> str | None:
    plain = fold(text)
    numbers = _month_numbers()
    for find in (_day_month, _month_day, _month_year):
        found = find(plain)
        number = _find_month(found["month"], numbers) if found else None
        if found is None or number is None:
            continue
        day = found.groupdict().get("d")
        if found["y"] is None:
            # Without a year, as boards of jobs write it: ISO 8601 has no form without one but
            # that with two hyphens.
            return f"--{number:02}-{int(day):02}" if day and 0 < int(day) < 32 else None
        if date := _join(found["y"], str(number), day):
            return date
    return None


def _find_month(word: str, numbers: dict[str, int]) -> int | None:
    """By its name, or by a beginning of four letters that cases and short forms share: of three,
    `Main Street` would be in May."""
    return numbers.get(word) or _month_beginnings().get(word[:4])


@lru_cache(maxsize=1)
def _month_beginnings() -> dict[str, int]:
    found: dict[str, int] = {}
    for name, number in _month_numbers().items():
        if len(name) > 4:
            found.setdefault(name[:4], number)
    return found


def _by_year(text: str) -> str | None:
    if found := _month_year_number(text.strip()):
        return _join(found["y"], found["m"], None)
    found = _year(text)
    return found["y"] if found else None


def _join(year: str, month: str | None, day: str | None) -> str | None:
    digits = year.strip("'")
    number = int(digits)
    if len(digits) == 2:
        number += 2000 if number <= _PIVOT else 1900
    if not month:
        return f"{number:04}"
    if not 1 <= int(month) <= 12:
        return None
    if not day:
        return f"{number:04}-{int(month):02}"
    if not 1 <= int(day) <= calendar.monthrange(number, int(month))[1]:
        return None
    return f"{number:04}-{int(month):02}-{int(day):02}"
