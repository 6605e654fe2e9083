# ruff: noqa: RUF001 - words of many scripts

"""Words by which links announce a search, in many languages. Written by hand, from dictionaries
and from what library, register and shop software calls its own pages; of no topic.

Entries are beginnings of words in lower case without accents, matched at the beginning of a word;
those with a leading `*` also inside one (compounds: Katalogsuche, Volltextsuche), as are those
of scripts that write no blanks.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

SEARCH = """
search find finder lookup look-up query seek locate locator
*such recherch* abfrage anfrage auskunft finden
cherche *recherche rechercher trouver interroger requete
busc* buscador buscar consulta consultar encontrar encuentr
ricerc* cerca cercare trova trovare interroga
pesquis* procur* busca consulte
*zoek vind vinden opvragen
szuka* wyszuk* znajdz odszuk
hleda* vyhled* najdi hladat vyhlad
keres* kereso
caut* gaseste
soka sok sokning *sok hitta hae haku *haku etsi hledej
sog *sog find søg sok* søk*
ara arama bul
poisk поиск найти искать запрос пошук знайти търсен търси претраг пронађи pretraz* trazi isci
iskanj pretrag
αναζητ ευρεσ
חיפוש חפש
بحث ابحث جستجو
खोज ค้นหา tim-kiem tìm timkiem cari pencarian carian
*検索 *探す *搜索 *查询 *查詢 *搜尋 *검색 *찾기
otsi otsing paieska ieskoti meklet
cerca cercador bilatu bilaketa procurar leita leit iskal cuarda chwilio kerko axtar qidir tafuta
carian maghanap soek sichen fittex барај пребар шука іздеу хайх ძებნ որոն অনুসন্ধান தேடு వెతక
തിരയ ಹುಡುಕ શોધ ਖੋਜ शोध تلاش
"""

HOLDINGS = """
catalog* *catalog *katalog* katalog catalogo catalogue opac *opac
database* databank* *datenbank* *databas* basedato base-de-donnees basededonnees bdd
banco-de-dados bancodedados
banca-dati bancadati base-de-datos basesdedatos *adatbazis* baza bazy databaz* tietokanta*
andmebaas
archiv* *archiv* archief arquivo archivio arkiv* архив arhiv
regist* *regist* rejestr* rejstrik* реестр
director* verzeichnis* annuaire* repertoire* repertorio indice* elenco wykaz seznam spis
collection* sammlung* *bestand* coleccion* colecao collezion* collectie* zbior* sbirk* fondi fonds
repositor* inventar* inventaire* inventory index indeks listings listing records holdings
*データベース *目録 *資料 *数据库 *目录 *数据 *데이터 каталог* база* каталози катал
kartotek* kartotéka finding-aid findbuch badatelna
"""

ADVANCED = """
advanced advance erweitert* avance* avanzad* avanzat* avancad* uitgebreid* zaawansowan*
pokrocil* rozsiren*
avancer* avancerad* laajennettu utvidet gelismis расширен* розширен* detailed detail-search 詳細検索
*高级 *進階
filter filtr* refine advsearch
"""

BROWSE = """
browse brows* durchsuch* stober* parcourir explor* sfoglia navegar bladeren przeglad* prochaz*
listado
a-z atoz all-titles alle-titel
"""

LINKS = """
links link linkliste weblinks liens lien enlaces vinculos ligacoes collegamenti koppelingen
odkazy odkaz odnosniki linki lenker
lankar linkit hivatkozas* ссылк* посилання връзки
kapcsolatok poveznice baglantilar *リンク *链接 *連結
*링크
partner* member* mitglied* membre* miembro* socios membri leden clenove czlonkowie
resources ressourcen ressources recursos risorse bronnen zdroje zasoby useful-sites
related-sites other-sites
institution* einrichtung* etablissements organis* adressen addresses adresses
"""


_accents = re.compile("[\u0300-\u036f]+")
_part = str.maketrans(dict.fromkeys("/&?=.+,:;()|", " "))


def fold(text: str) -> str:
    """`text` in lower case without accents."""
    text = text.lower()
    if text.isascii():
        return text
    return _accents.sub("", unicodedata.normalize("NFKD", text))


CLASSES = ("search", "holdings", "advanced", "browse", "links")
_LISTS = (SEARCH, HOLDINGS, ADVANCED, BROWSE, LINKS)
_KEY = 2
"""Letters by which entries are looked up; none is shorter."""


class _Entry(NamedTuple):
    stem: str
    is_inside: bool
    """Whether it counts inside a word too."""
    bits: int


def _index_entries() -> dict[str, list[_Entry]]:
    """All entries by their first letters."""
    found: dict[str, list[_Entry]] = {}
    # Texts are compared without accents, and with Hangul taken apart.
    for place, words in enumerate(_LISTS):
        for word in fold(words).split():
            stem = word.strip("*")
            entry = _Entry(stem, word.startswith("*") or not stem.isascii(), 1 << place)
            found.setdefault(stem[:_KEY], []).append(entry)
    return found


_ENTRIES = _index_entries()
_WITH_HYPHEN = tuple(
    entry.stem for entries in _ENTRIES.values() for entry in entries if "-" in entry.stem
)


def find_classes(text: str) -> tuple[bool, ...]:
    """Of which of CLASSES the text has a word."""
    found = number_classes(text)
    return tuple(bool(found >> place & 1) for place in range(len(CLASSES)))


def number_classes(text: str) -> int:
    """The same as one bit for each class, the first of CLASSES the lowest."""
    found = 0
    for word in text.translate(_part).split():
        found |= _classes_of(word)
    return found


@lru_cache(maxsize=100_000)
def _classes_of(word: str) -> int:
    """One bit for each class; words of links repeat, and so do the parts of long ones."""
    folded = fold(word)
    if "-" not in folded or any(stem in folded for stem in _WITH_HYPHEN):
        return _find_entries(folded)
    found = 0
    for part in folded.split("-"):
        found |= _find_entries(part)
    return found


@lru_cache(maxsize=100_000)
def _find_entries(folded: str) -> int:
    found = 0
    for at in range(len(folded) - 1):
        for stem, is_inside, bits in _ENTRIES.get(folded[at : at + _KEY], ()):
            is_here = is_inside or at == 0 or not folded[at - 1].isalnum()
            if is_here and folded.startswith(stem, at):
                found |= bits
    return found
