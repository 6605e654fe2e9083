"""What to type into a search form, and where: its query field, nonsense, and words of its page.

Used by `forms.probe` and by the survey of a harvest, before anything is known of the database.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

import xxhash

from leadline.core.page import Field, Form, Page
from leadline.core.text import fold
from leadline.forms import word_patterns
from leadline.forms.form_data import is_typed
from leadline.forms.hazards import control_text, is_part_of_query, is_query_box
from leadline.forms.word_patterns import matcher
from leadline.page.words import split_words, vocabulary

_NONSENSE_CHARS = 11
"""Long enough that no database holds it by chance, short enough for most boxes."""
_RARE_LETTERS = "bcdfghjkmpqvwxz"
"""Consonants only: nothing made of them is a word, or near one, in languages that write vowels."""
_LEAST_WORD_CHARS = 4
"""Of a word to ask for: many searches refuse shorter ones."""
_TITLE_WEIGHT = 3
_TEXT_KINDS = frozenset({"text", "search"})
_SHAPED = frozenset({"tel", "url", "number", "range", "color", "date", "month", "week", "time"})
_words = re.compile(r"[^\W\d_]+").findall
_menu = matcher(
    r"^(?:home|start|contact|about|help|faqs?|links?|news|privacy|terms|conditions|imprint|sitemap)$",
    r"^(?:page|site|website|online|welcome|more|read|click|here|next|previous|back|language)$",
    r"^(?:startseite|kontakt|impressum|datenschutz|hilfe|weiter|seite|willkommen|accueil|aide)$",
    r"^(?:suite|mentions|legales|bienvenue|inicio|ayuda|contacto|enlaces|aviso|bienvenido)$",
    r"^(?:copyright|rights|reserved|cookies?|javascript|facebook|twitter|google|youtube|share)$",
)
_HOUSEKEEPING = (
    _menu,
    word_patterns.SEARCH,
    word_patterns.PASSWORD,
    word_patterns.USER,
    word_patterns.EMAIL,
    word_patterns.ACCOUNT,
    word_patterns.MAILING,
    word_patterns.ORDER,
    word_patterns.WRITING,
)
"""Words of the site's own business, which databases seldom know."""
_asks_for_words = matcher(
    r"title|titel|titre|titulo|titolo|\bname\b|\bnom\b|nombre|subject|descri|\btext\b|\btopic\b",
    r"thema|sujet|tema\b|\bwhat\b|\bwas\b|contain|назван|тема|名称|タイトル|제목",
)
_asks_for_a_code = matcher(
    r"\byear|\bjahr|annee|\bano\b|\banno\b|\bdate|datum|fecha|\bday\b|\bprice|preis|\bprix|precio",
    r"prezzo|\bmin\b|\bmax\b|\bzip\b|postal|postcode|\bplz\b|\bisbn|\bissn|\bcode\b|\bnumber\b|nummer",
    r"check ?(?:in|out)|\barriv|\bdepart(?!ment)|anreise|abreise|llegada|salida|\bnights?\b",
    r"nachte\b|\badults?\b|\bguests?\b|\bpersons?\b|personen|length of stay|duration",
    r"dauer\b|duree\b|duracion|\bno\b|\bid\b|\bref\b|\bkm\b|mileage|\bradius|\bdistance|\bage\b|\bfrom\b",
    r"\bto\b|год|цена|年|価格",
)


def find_query_field(form: Form) -> Field | None:
    """The control that most likely takes free words; None if there is none to type into."""
    typed = [field for field in form.fields if is_typed(field) and is_part_of_query(field)]
    return max(filter(_takes_words, typed), key=_openness, default=None)


def is_query_field_certain(form: Form) -> bool:
    """Whether the query field certainly takes words, or is all there is to fill in."""
    field = find_query_field(form)
    if field is None:
        return False
    if field.kind == "search" or is_query_box(field):
        return True
    return sum(map(is_part_of_query, form.fields)) == 1


def _takes_words(field: Field) -> bool:
    if field.kind == "search" or is_query_box(field):
        return True
    # Nonsense would not fit into a short box, and what fits is a code or a year.
    is_short = 0 < field.max_length < _NONSENSE_CHARS
    return not is_short and field.kind not in _SHAPED and not _asks_for_a_code(control_text(field))


def _openness(field: Field) -> tuple[int, ...]:
    """How freely words can be typed into a control; `max` takes the first of equal ones."""
    return (
        field.kind == "search" or is_query_box(field),
        # A form whose required box stays empty is not sent.
        field.is_required,
        _asks_for_words(control_text(field)) is not None,
        field.kind in _TEXT_KINDS,
    )


def make_nonsense(key: str, turn: int, most_chars: int = 0) -> str:
    """A string that no database holds; the same for the same form and turn, so that a harvest that
    was interrupted repeats its queries.

    >>> make_nonsense("a", 1)
    'bgzvxmwqfbm'
    """
    number = xxhash.xxh3_64_intdigest(f"{key} {turn}".encode())
    letters = []
    for _ in range(min(_NONSENSE_CHARS, most_chars or _NONSENSE_CHARS)):
        number, letter = divmod(number, len(_RARE_LETTERS))
        letters.append(_RARE_LETTERS[letter])
    return "".join(letters)


def pick_topical_words(
    page: Page, form: Form, given: Sequence[str] = (), wanted: int = 2
) -> list[str]:
    """Words that a database behind the form would know: those given, then the page's own.

    Of the page's words the most frequent, those of its title counted three times. Words that are
    only ever written with a capital come last, because most are names, of the site above all;
    those of menus and accounts are left out.
    """
    said = [word for text in (*page.leaves, page.description) for word in _words(text)]
    titled = _words(page.title) * _TITLE_WEIGHT
    plain = {word for word in said if word.islower()}
    counts = Counter(map(str.lower, (*said, *titled)))
    ranked = sorted(counts, key=lambda word: (word not in plain, -counts[word]))
    labels = split_words(" ".join(field.label for field in form.fields))
    is_known = vocabulary(page.language).word
    telling = (
        word
        for word in ranked
        if len(word) >= _LEAST_WORD_CHARS
        and word not in labels
        and is_known(word)
        and not any(matches(fold(word)) for matches in _HOUSEKEEPING)
    )
    return list(dict.fromkeys([*filter(str.strip, given), *islice(telling, wanted)]))[:wanted]
