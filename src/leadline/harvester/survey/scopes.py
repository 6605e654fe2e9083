"""Controls that say where words are looked for, or how several are taken together."""

from itertools import pairwise

from leadline.core.page import Field
from leadline.forms.hazard_words import fold, matcher
from leadline.forms.hazards import own_text, spoken
from leadline.forms.meaning import Meaning
from leadline.forms.meaning_words import SENSES
from leadline.harvester.survey.open_choices import open_choice

_WHERE = {
    "title", "title:subject", "person", "person:family", "code", "organisation", "text", "place",
    "place:city",
}  # fmt: skip
"""What scopes offer to look into: parts of records."""
_BITS = {name: 1 << number for number, name in enumerate(SENSES.names)}
_WHERE_BITS = {_BITS[name]: name.partition(":")[0] for name in _WHERE}
_READ = 30
"""Options of a scope that are read."""
_joins = matcher(
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
_where = matcher(
    r"search (?:in|by|within|on|field|type|mode|option|method|scope)|look in|\bscope\b",
    r"match(?:ing)?\b|such(?:e|en)? (?:in|nach)|suchart|suchmodus|suchfeld",
    r"(?:recherche|chercher|rechercher) (?:dans|par|sur)",
    r"buscar (?:en|por)|cerca (?:in|per)|ricerca per|zoek(?:en)? (?:in|op)|sok (?:i|pa)\b|szukaj w",
    r"hledat (?:v|podle)|искать (?:в|по)|поиск по|検索対象|検索方法|검색 ?(?:대상|조건)",
    r"in descriptions?",
    r"title(?:s)? only|full ?text too|auch in beschreib|nur (?:im )?titel|description (?:too|also)",
)


def is_scope_tick(field: Field) -> bool:
    text = own_text(field)
    return _where(text) is not None or _joins(text) is not None


def is_scope(field: Field, meaning: Meaning) -> bool:
    """Whether its choices are parts of records, or ways to join words."""
    options = field.options[:_READ]
    if sum(_joins(fold(option.text)) is not None for option in options) > len(options) / 3:
        return True
    named = [_parts_named(option.text) or _parts_named(option.value) for option in options]
    kinds = {kind for names in named for kind in names} - {"place"}
    told = sum(map(bool, named))
    is_said = meaning.part == "where to look" or _where(own_text(field)) is not None
    if len(kinds) > 1 and told > len(options) * (1 / 3 if is_said else 1 / 2):
        return True
    return is_said and open_choice(field) is None


def _parts_named(text: str) -> set[str]:
    """Kinds of parts of records that a short text names: `Author / Editor`, `ISBN`."""
    words = fold(spoken(text[:40]) if text.isascii() and " " not in text else text[:40]).split()
    if len(words) > 4:
        return set()
    bits = 0
    for word in words:
        bits |= SENSES[word.strip("()/,.:&-")]
    for first, second in pairwise(words):
        bits |= SENSES.across(first, second)
    return {kind for bit, kind in _WHERE_BITS.items() if bits & bit}
