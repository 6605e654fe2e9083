"""Choices of a menu that ask for nothing: `any`, `all`, `please choose`, a dash, the label itself.

Written by hand, in the languages forms were met in; matched without case and accents.
"""

import re
from collections.abc import Sequence

from leadline.core.page import Field, Option
from leadline.forms.hazard_words import fold, matcher

_NULLS = frozenset({"0", "-1", "any", "all", "none", "null", "*", "%", "-", "--", "default", "x"})
"""Values that stand for no choice, where the text does not say otherwise."""
_ends = (
    " \t\u00a0\u3000-_.*:;,!?|/\\<>()[]{}=+~#'\""
    "\u00ab\u00b7\u00bb\u2013\u2014\u2026\u2039\u203a\u2193\u25bc"
)
"""What stands around such texts: blanks, dashes, dots, quotes, arrows."""
_is_number = re.compile(r"[^\w]{0,3}\d[\d.,\s]*\D{0,3}").fullmatch

_opens = matcher(
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
_prompts = matcher(
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


def real_choices(field: Field) -> list[Option]:
    """The options of a select or radio buttons that ask for something, in their order."""
    options = [option for option in field.options if not option.is_disabled]
    return [o for at, o in enumerate(options) if not _is_open(o, at, options, field)]


def open_choice(field: Field) -> Option | None:
    """The option that leaves the control open; None when each asks for something."""
    options = [option for option in field.options if not option.is_disabled]
    return next((o for at, o in enumerate(options) if _is_open(o, at, options, field)), None)


def says_open(text: str) -> bool:
    """Whether a text says that anything will do, or asks to choose.

    >>> says_open("-- Alle Kategorien --"), says_open("Any"), says_open("Albania")
    (True, True, False)
    """
    plain = fold(text[:80]).strip(_ends)
    return not plain or _opens(plain) is not None or _prompts(plain) is not None


def _is_open(option: Option, at: int, options: Sequence[Option], field: Field) -> bool:
    """`All inclusive` is a choice among others; `All` stands first, last or is preselected."""
    text = fold(option.text[:80]).strip(_ends)
    if not option.value.strip() and (at == 0 or not _is_number(text)):
        return True
    is_marked = at in (0, len(options) - 1) or option.is_selected
    if not is_marked or (text and _is_number(text)):
        return False
    if says_open(option.text):
        return True
    return at == 0 and (_is_null(option, options) or _is_own_label(text, field))


def _is_null(option: Option, options: Sequence[Option]) -> bool:
    """A value for nothing before values that say what they stand for: `0` before names or years,
    not before the numbers 1, 2, 3 of names."""
    value = option.value.strip().lower()
    others = options[1:]
    if value not in _NULLS or fold(option.text).strip(_ends) == value:
        return False
    is_counted = value == "0" and all(other.value.strip().isdigit() for other in others)
    return not is_counted or all(_is_number(other.text) for other in others)


def _is_own_label(text: str, field: Field) -> bool:
    return field.kind == "select" and len(text) > 1 and text == fold(field.label).strip(_ends)
