"""What each control of a form is for: typing words, narrowing, ending a range, arranging answers.

Also which choices of a menu ask for nothing: `any`, `please choose`, a dash, the label itself. The
words for them were written by hand, in the languages forms were met in; they are matched without
case and accents."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from leadline.core.page import Field, Form, Option
from leadline.core.text import fold
from leadline.forms.field_roles import FieldRange, FieldRole, find_ranges, find_roles
from leadline.forms.field_texts import recognise_options
from leadline.forms.form_data import is_typed
from leadline.forms.hazards import control_text, own_text, split_name
from leadline.forms.role_words import ROLE_WORDS
from leadline.forms.word_patterns import ARRANGING, matcher
from leadline.page.words import split_words

_NULLS = frozenset({"0", "-1", "any", "all", "none", "null", "*", "%", "-", "--", "default", "x"})
"""Values that stand for no choice, where the text does not say otherwise."""
_AROUND = (
    " \t\u00a0\u3000-_.*:;,!?|/\\<>()[]{}=+~#'\""
    "\u00ab\u00b7\u00bb\u2013\u2014\u2026\u2039\u203a\u2193\u25bc"
)
"""What stands around such texts: blanks, dashes, dots, quotes, arrows."""
_is_number = re.compile(r"[^\w]{0,3}\d[\d.,\s]*\D{0,3}").fullmatch
_says_any = matcher(
    # any, all, every
    r"^(?:any|all|every|everything|anything|anywhere|everywhere|both|either)\b",
    r"^(?:alle[smnr]?|beliebig\w*|egal|samtliche|jede[rs]?|uberall)\b",
    r"^(?:tou(?:s|t|te|tes)|n ?importe|quelconque|indifferent\w*|peu importe|partout)\b",
    r"^(?:tod[oa]s?|cualquier\w*|indiferente|qualquer|indistint[oa]|ambos)\b",
    r"^(?:tutt[oiae]|qualsiasi|qualunque|indifferente|ovunque)\b",
    r"^(?:alle|allemaal|elke?|maakt niet uit|geen voorkeur|overal)\b",
    r"^(?:alla|samtliga|valfri\w*|vilken som helst|hele|alt|vilkarlig\w*|hvilken som helst)\b",
    r"^(?:kaikki|mika tahansa|ei valia|koik|visi|visas|visos|viss|jebkur\w*|bet kur\w*)\b",
    r"^(?:wszystk\w*|dowoln\w*|kazd[yae]|obojetn\w*|vsech\w*|vse|libovoln\w*|vsetk\w*|lubovoln\w*)",
    r"^(?:osszes|barmely\w*|mindegy|minden|toate?|oricare|orice|toti)",
    r"^(?:tum\w*|hepsi|farketmez|herhangi)",
    r"^(?:sv[aeiou]\b|svi\b|sve\b|bilo ko\w*|vsi\b|vse\b|katerikoli)",
    r"^(?:все|всё|любо\w*|любы\w*|любая|не важно|неважно)",
    r"^(?:всі|\u0443\u0441\u0456|будь як\w*|без значен|всичк\w*)",
    r"^(?:ολ[αεοωη]\w*|οποι\w*|καθε)",
    r"^(?:全部|所有|不限|任意|任何|すべて|全て|全件|指定なし|指定しない|こだわらない|問わない|どれでも)",
    r"^(?:전체|모두|모든|전부|상관없음|무관)",
    r"^(?:الكل|كل|جميع|أي|اي |הכל|הכול|כל|כולם|همه|تمام|सभी|कोई|ทั้งหมด|ทุก|tat ca|bat ky|semua)",
    # no preference, does not matter
    r"no (?:preference|limit|min|max|matter|filter)|not? (?:selected|specified|important|set)\b",
    r"doesn.?t matter|does not matter|don.?t (?:care|mind)|unlimited|unspecified",
    r"^none(?: selected)?$",
    r"^(?:no|kein\w*|aucune?|sin|nessun\w*|nenhum\w*|geen|ingen|inget|zadn\w*|brak|bez|ei|без|нет) "
    r"(?:\w+ )?(?:limit\w*|auswahl|angabe|einschrank\w*|preferenc\w*|preferencia|choix|selec\w*"
    r"|wyboru|omezeni|maximum|minimum|keuze|valg|val|valinta\w*|разниц\w*|огранич\w*|выбор\w*)",
    r"^(?:keine auswahl|ohne|nicht wichtig|sans importance|no importa|da igual|non importa)",
)
_says_choose = matcher(
    r"^(?:please |pls )?(?:select|choose|pick|specify)\b",
    r"^(?:make|your) (?:a )?(?:selection|choice)",
    r"^(?:bitte )?(?:auswahlen|wahlen|auswahl)|^bitte\b",
    r"^(?:veuillez )?(?:choisi\w*|selection\w*)|^votre choix",
    r"^(?:por favor )?(?:seleccion\w*|elij\w*|elegir|escoja|escoge\w*|selecione|escolha)",
    r"^(?:seleziona\w*|scegli\w*|kies|maak (?:een )?keuze|selecteer)\b",
    r"^(?:valj|velg|vaelg|vali(?:tse)?)\b",
    r"^(?:wybierz|prosze wybrac|vyberte|zvolte|valassz\w*|kerjuk|alege\w*|selectati|secin\w*)",
    r"^(?:odaberi\w*|izaberi\w*|izberi\w*|pasirinkite|izvelieties|valige)",
    r"^(?:выбер\w*|выбрать|укажите|оберіть|виберіть|избер\w*|одабер\w*|изабер\w*|επιλ\w*)",
    r"^(?:请选择|請選擇|选择|選擇|選択|お選び|선택|اختر|اختيار|בחר|انتخاب|चुनें|เลือก|chon|pilih)",
    r"(?:選択してください|を選択|선택하세요|선택해)",
)
_NEAR = 2
"""Controls from one end of an unnamed range to the other."""
_DAYS = frozenset({"date", "datetime-local", "week", "month"})
_END_WORDS = frozenset(
    {("min", "max"), ("from", "to"), ("lo", "hi"), ("low", "high"), ("start", "end")}
    | {("begin", "end"), ("lower", "upper"), ("after", "before")}
    | {("von", "bis"), ("ab", "bis"), ("desde", "hasta"), ("van", "tot")}
    | {("od", "do"), ("fra", "til"), ("gte", "lte"), ("gt", "lt"), ("minimum", "maximum")}
)
"""Pieces of names that tell the two ends."""
_says_amount = matcher(
    r"\b(?:min|max)\b|minim|maxim|at (?:least|most)|mindest|hochst|al menos|almeno",
    r"au (?:moins|plus)",
    r"не менее|не более|以上|以下|이상|이하",
)
_LEAST_RANGED = 3
"""Amounts that two lists must have in common to be the ends of one range."""
_WHERE = {
    "title", "title:subject", "person", "person:family", "code", "organisation", "text", "place",
    "place:city",
}  # fmt: skip
"""What scopes offer to look into: parts of records."""
_BITS = {name: 1 << number for number, name in enumerate(ROLE_WORDS.names)}
_WHERE_BITS = {_BITS[name]: name.partition(":")[0] for name in _WHERE}
_READ_OPTIONS = 30
"""Options of a scope that are read."""
_says_how_joined = matcher(
    r"exact (?:phrase|match|words?)|whole words?|as (?:a )?phrase",
    r"(?:all|any|some) (?:of (?:the|these) )?(?:words|terms)|at least one|\bboolean\b",
    r"starts? with|begins? with|\bcontains?\b|and/or",
    r"(?:alle|genaue|irgendein\w*) (?:worter|wortfolge|begriffe|phrase)|mindestens ein|exakt\w* ",
    r"(?:tous|toutes|un|l un) (?:les |des )mots|expression exacte|commence par|contient",
    r"(?:todas|alguna|cualquier\w*) (?:las |de las )?palabras|frase exacta|empieza|contiene",
    r"(?:tutte|qualsiasi|almeno una) (?:le )?parol\w|frase esatta|(?:todas as|qualquer) palavra",
    r"(?:alle|een van de) woorden|exacte (?:zin|woord)|alla ord|exakt fras|wszystkie slowa",
    r"dokladn\w* fraz|все слова|любое слово|точн\w+ фраз|完全一致|部分一致|前方一致|すべての語",
    r"いずれかの語|精确|模糊|全部词|任意词|모든 단어|정확히",
)
"""How several words are taken together."""
_says_where = matcher(
    r"search (?:in|by|within|on|field|type|mode|option|method|scope)|look in|\bscope\b",
    r"match(?:ing)?\b|such(?:e|en)? (?:in|nach)|suchart|suchmodus|suchfeld",
    r"(?:recherche|chercher|rechercher) (?:dans|par|sur)",
    r"buscar (?:en|por)|cerca (?:in|per)|ricerca per|zoek(?:en)? (?:in|op)|sok (?:i|pa)\b|szukaj w",
    r"hledat (?:v|podle)|искать (?:в|по)|поиск по|検索対象|検索方法|검색 ?(?:대상|조건)",
    r"in descriptions?",
    r"title(?:s)? only|full ?text too|auch in beschreib|nur (?:im )?titel|description (?:too|also)",
)
BOX = "box"
MENU = "menu"
TICK = "tick"
"""A box to tick; those of one name are one menu."""
LOW, HIGH = "low", "high"
"""The ends of a range."""
SCOPE = "scope"
"""Says where the words are looked for, or how they are joined."""
SETTING = "setting"
"""Arranges the answer: order, page size, view, the site's language."""
SIZE = "page size"
PART = "part"
"""Of a date in pieces, or of something private: it is left as it is."""
UNUSED = "unused"
"""Nothing that a query could fill in."""
_CHOSEN = frozenset({"select", "radio"})
_PRIVATE = frozenset(
    {"user", "password", "email", "phone", "payment", "message", "captcha", "file", "link"}
)
_SIZES = frozenset("5 10 12 15 20 24 25 30 40 48 50 60 75 80 96 100 150 200 250 500 1000".split())
"""Results on a page, as forms offer them."""
_MOST_SIZES = 8


# Choices of a menu that ask for nothing: `any`, `all`, `please choose`, a dash, the label itself.
#
# Written by hand, in the languages forms were met in; matched without case and accents.


def list_real_choices(field: Field) -> list[Option]:
    """The options of a select or radio buttons that ask for something, in their order."""
    options = [option for option in field.options if not option.is_disabled]
    return [o for at, o in enumerate(options) if not _is_open(o, at, options, field)]


def find_open_choice(field: Field) -> Option | None:
    """The option that leaves the control open; None when each asks for something."""
    options = [option for option in field.options if not option.is_disabled]
    return next((o for at, o in enumerate(options) if _is_open(o, at, options, field)), None)


def says_open(text: str) -> bool:
    """Whether a text says that anything will do, or asks to choose.

    >>> says_open("-- Alle Kategorien --"), says_open("Any"), says_open("Albania")
    (True, True, False)
    """
    plain = fold(text[:80]).strip(_AROUND)
    return not plain or _says_any(plain) is not None or _says_choose(plain) is not None


def _is_open(option: Option, at: int, options: Sequence[Option], field: Field) -> bool:
    """`All inclusive` is a choice among others; `All` stands first, last or is preselected."""
    text = fold(option.text[:80]).strip(_AROUND)
    if not option.value.strip() and (at == 0 or not _is_number(text)):
        return True
    is_marked = at in (0, len(options) - 1) or option.is_selected
    if not is_marked or (text and _is_number(text)):
        return False
    if says_open(option.text):
        return True
    return at == 0 and (_has_null_value(option, options) or _is_own_label(text, field))


def _has_null_value(option: Option, options: Sequence[Option]) -> bool:
    """A value for nothing before values that say what they stand for: `0` before names or years,
    not before the numbers 1, 2, 3 of names."""
    value = option.value.strip().lower()
    others = options[1:]
    if value not in _NULLS or fold(option.text).strip(_AROUND) == value:
        return False
    is_counted = value == "0" and all(other.value.strip().isdigit() for other in others)
    return not is_counted or all(_is_number(other.text) for other in others)


def _is_own_label(text: str, field: Field) -> bool:
    return field.kind == "select" and len(text) > 1 and text == fold(field.label).strip(_AROUND)


def find_range_ends(
    form: Form, meant: Sequence[FieldRole], may_end: Callable[[int], bool]
) -> list[tuple[int, int]]:
    """Ranges by their words, then two neighbours that are as alike as two ends. Ways between two
    places are none: each is asked for alone."""
    found = [
        (pair.low, pair.high)
        for pair in find_ranges(form, meant)
        if may_end(pair.low) and may_end(pair.high) and not _is_route(form, pair)
    ]
    taken = {end for ends in found for end in ends}
    seen = [n for n, field in enumerate(form.fields) if field.kind != "hidden"]
    for low, high in pairwise(n for n in seen if may_end(n)):
        both = form.fields[low], form.fields[high]
        is_told = _are_ends(meant[low], meant[high]) and _are_neighbours(*both)
        if not taken & {low, high} and (is_told or _are_range(*both, meant[low])):
            found.append((low, high))
            taken |= {low, high}
    return sorted(found)


def _is_route(form: Form, pair: FieldRange) -> bool:
    """Whether a pair leads from one place to another: it speaks of no amounts."""
    texts = (control_text(form.fields[number]) for number in (pair.low, pair.high))
    return pair.kind == "place" and not any(map(_says_amount, texts))


def _are_ends(low: FieldRole, high: FieldRole) -> bool:
    """Whether two controls ask for the two ends of the same, whatever they are called."""
    return low.kind == high.kind != "place" and (low.end, high.end) == ("from", "to")


def _are_neighbours(low: Field, high: Field) -> bool:
    is_alike = low.kind == high.kind or (is_typed(low) and is_typed(high))
    return is_alike and high.position - low.position <= _NEAR


def _names_ends(low: Field, high: Field) -> bool:
    """Whether two names differ in nothing but the ends they tell: `from_issue`, `to_issue`."""
    names = split_name(low.name).split(), split_name(high.name).split()
    differing = [both for both in zip(*names, strict=False) if both[0] != both[1]]
    is_whole = len(names[0]) == len(names[1]) > 1
    return is_whole and len(differing) == 1 and differing[0] in _END_WORDS


def _are_range(low: Field, high: Field, meaning: FieldRole) -> bool:
    if not _are_neighbours(low, high) or meaning.kind == "place":
        return False
    if _names_ends(low, high):
        return True
    return low.kind == high.kind and not _are_told_apart(low, high) and _offer_range(low, high)


def _are_told_apart(low: Field, high: Field) -> bool:
    """Whether both have labels, and these have no word in common."""
    labels = [split_words(f.label) if f.label_source != "name" else [] for f in (low, high)]
    return all(labels) and not {*labels[0]} & {*labels[1]}


def _offer_range(low: Field, high: Field) -> bool:
    """Whether two lists offer the same amounts, or two boxes take nothing but days."""
    if low.kind != "select":
        return low.kind in _DAYS
    lows, highs = ({o.value for o in list_real_choices(field)} for field in (low, high))
    both = lows & highs
    are_amounts = all(any(map(str.isdigit, value)) for value in both)
    return len(both) >= _LEAST_RANGED and 3 * len(both) >= 2 * len(lows | highs) and are_amounts


def is_scope_tick(field: Field) -> bool:
    text = own_text(field)
    return _says_where(text) is not None or _says_how_joined(text) is not None


def is_scope(field: Field, meaning: FieldRole) -> bool:
    """Whether its choices are parts of records, or ways to join words."""
    options = field.options[:_READ_OPTIONS]
    if (
        sum(_says_how_joined(fold(option.text)) is not None for option in options)
        > len(options) / 3
    ):
        return True
    named = [_parts_named(option.text) or _parts_named(option.value) for option in options]
    kinds = {kind for names in named for kind in names} - {"place"}
    told = sum(map(bool, named))
    is_said = meaning.part == "where to look" or _says_where(own_text(field)) is not None
    if len(kinds) > 1 and told > len(options) * (1 / 3 if is_said else 1 / 2):
        return True
    return is_said and find_open_choice(field) is None


def _parts_named(text: str) -> set[str]:
    """Kinds of parts of records that a short text names: `Author / Editor`, `ISBN`."""
    words = fold(split_name(text[:40]) if text.isascii() and " " not in text else text[:40]).split()
    if len(words) > 4:
        return set()
    bits = 0
    for word in words:
        bits |= ROLE_WORDS[word.strip("()/,.:&-")]
    for first, second in pairwise(words):
        bits |= ROLE_WORDS.across(first, second)
    return {kind for bit, kind in _WHERE_BITS.items() if bits & bit}


class ControlUse(NamedTuple):
    """One control, what it asks for and what it is there for."""

    field: Field
    meaning: FieldRole
    use: str


class RangeEnds(NamedTuple):
    """Two controls that are the ends of one."""

    low: ControlUse
    high: ControlUse


class FormControls(NamedTuple):
    """All controls of a form, each with its use; ends of ranges again, by pairs."""

    controls: tuple[ControlUse, ...]
    ranges: tuple[RangeEnds, ...]

    def used_as(self, *uses: str) -> list[ControlUse]:
        return [role for role in self.controls if role.use in uses]


def find_control_uses(form: Form) -> FormControls:
    """In the order of the form's fields."""
    meant = find_roles(form)
    uses = [_choose_use(field, meaning) for field, meaning in zip(form.fields, meant, strict=True)]
    ends = find_range_ends(form, meant, lambda number: uses[number] in (BOX, MENU))
    for low, high in ends:
        uses[low], uses[high] = LOW, HIGH
    _leave_date_parts(form, meant, uses)
    roles = tuple(map(ControlUse, form.fields, meant, uses))
    whole = [(low, high) for low, high in ends if uses[low] == LOW]
    return FormControls(roles, tuple(RangeEnds(roles[low], roles[high]) for low, high in whole))


def _choose_use(field: Field, meaning: FieldRole) -> str:
    if not field.name or field.is_disabled:
        return UNUSED
    if is_typed(field):
        return PART if meaning.kind in _PRIVATE or field.kind == "textarea" else BOX
    if field.kind == "checkbox":
        return SCOPE if is_scope_tick(field) else TICK
    return _choose_use_of_list(field, meaning) if field.kind in _CHOSEN else UNUSED


def _choose_use_of_list(field: Field, meaning: FieldRole) -> str:
    """What narrows leaves a choice open; what arranges always has one of its choices."""
    is_open = find_open_choice(field) is not None
    if meaning.kind == "page size" or _offers_sizes(field, meaning):
        return SIZE if not is_open or _offers_usual_sizes(field) else MENU
    if _offers_orders(field) or (meaning.kind == "sort" and not is_open):
        return SETTING
    if is_scope(field, meaning):
        return SCOPE
    # The language of the pages is a setting, that of records leaves a choice open.
    is_arranging = meaning.kind in ("sort", "language") or ARRANGING(own_text(field)) is not None
    if is_arranging and not is_open:
        return SETTING
    return MENU if list_real_choices(field) else UNUSED


def _offers_orders(field: Field) -> bool:
    """The look of a list passes over its first option, which here is one as the others."""
    options = field.options
    return (
        recognise_options(options)[0] == "sort"
        or recognise_options((*options[:1], *options))[0] == "sort"
    )


def _offers_usual_sizes(field: Field) -> bool:
    values = [option.value.strip() for option in list_real_choices(field)]
    return 0 < len(values) <= _MOST_SIZES and _SIZES.issuperset(values)


def _offers_sizes(field: Field, meaning: FieldRole) -> bool:
    """Whether a list of which nothing else is known offers a few usual page sizes, always one."""
    is_untold = meaning.kind == "number" and not meaning.part and meaning.why.startswith("its opt")
    is_closed = find_open_choice(field) is None and len(field.options) > 1
    return is_untold and is_closed and _offers_usual_sizes(field)


def _leave_date_parts(form: Form, meant: Sequence[FieldRole], uses: list[str]) -> None:
    """Days and months mean nothing alone; where a form asks for several, they are left."""
    lists = [n for n, f in enumerate(form.fields) if f.kind == "select" and meant[n].kind == "date"]
    parts = [n for n in lists if meant[n].part in ("day", "month", "time")]
    if len({meant[n].part for n in parts}) > 1:
        for n in parts:
            uses[n] = PART
