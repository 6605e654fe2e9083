"""Words that some record of nearly any database has: the first queries if nothing else is known."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, repeat, zip_longest

from leadline.harvester.interface import Box, Interface

MAX_WORDS = 60
"""Queries: if that many words of different kinds find nothing, others do not either."""
_MAX_BOXES = 3
_LANGUAGE = {
    "en": """
    the of and for with | new house world life water history school first art book
    | john mary james david michael anna robert | smith brown johnson jones williams
    | london york california states united | company group services limited inc
    """,
    "de": """
    der und von die für | haus welt leben stadt neue geschichte schule recht kunst buch
    | peter anna michael thomas maria hans | müller schmidt schneider fischer weber
    | berlin hamburg münchen deutschland wien | gmbh verlag verein gesellschaft
    """,
    "fr": """
    les des et pour de | maison monde vie histoire grand france art livre école
    | jean marie pierre michel anne jacques | martin bernard dubois petit durand
    | paris france lyon saint marseille | société association sarl groupe
    """,
    "es": """
    los del que para de | casa mundo vida historia gran arte libro escuela
    | josé maría juan antonio carmen luis | garcía martínez lópez rodríguez pérez
    | madrid españa barcelona san méxico | empresa sociedad centro servicios
    """,
    "it": """
    che della per con di | casa mondo vita storia grande arte libro scuola
    | giuseppe maria giovanni anna marco paolo | rossi russo ferrari bianchi romano
    | roma italia milano san torino | società centro srl gruppo
    """,
    "pt": """
    para que dos com de | casa mundo vida história grande arte livro escola
    | josé maria joão ana antónio paulo | silva santos oliveira souza costa
    | lisboa brasil porto são paulo | empresa associação centro ltda
    """,
    "nl": """
    het van een voor de | huis wereld leven geschiedenis groot kunst boek school
    | jan maria peter anna johan willem | jansen bakker visser smit vries
    | amsterdam nederland rotterdam den utrecht | stichting vereniging groep
    """,
    "sv": """
    och för med av det | hus värld liv historia stor konst bok skola
    | anders anna lars maria erik karin | andersson johansson karlsson nilsson
    | stockholm sverige göteborg malmö | aktiebolag förening
    """,
    "da": """
    det og for med af | hus verden liv historie stor kunst bog skole
    | peter anna jens maria lars hans | jensen nielsen hansen andersen
    | københavn danmark aarhus | selskab forening
    """,
    "pl": """
    nie dla jest się do | dom świat życie historia sztuka książka szkoła
    | jan maria anna piotr krzysztof | nowak kowalski wiśniewski
    | warszawa polska kraków | spółka centrum
    """,
    "ru": """
    что для как на из | дом мир жизнь история город книга школа
    | александр анна мария иван сергей | иванов петров смирнов
    | москва россия санкт | компания центр
    """,
    "tr": """
    bir için ile ve de | ev dünya hayat tarih büyük kitap okul
    | mehmet ayşe ali fatma ahmet | kaya demir çelik
    | istanbul türkiye ankara | şirket merkez
    """,
}
"""By language: words that every text has, nouns and what goes with them, given names, family names,
places, and what firms are called, the most common first."""
_YEARS = ("2020", "2015", "2010", "2005", "2000", "1999", "1990", "2023", "2018")
_NUMBERS = ("1", "10", "2", "100", "3", "5", "20", "1000")
_LETTERS = ("a", "e", "s", "m", "c", "i", "b")
_DAYS = ("2020-01-01", "2015-06-15", "2010-01-01", "2023-01-01")
_CODES = ("10001", "10115", "75001", "28001", "1000")


def suggest_words(interface: Interface) -> Iterator[tuple[Box, str]]:
    """What to type and where, the most likely to be found first: the boxes by turns, and in each
    one kind of words after the other. At most MAX_WORDS; none twice."""
    boxes = interface.boxes[:_MAX_BOXES]
    rows = zip_longest(*(_words_for(box, interface.language) for box in boxes))
    return islice(filter(None, chain.from_iterable(rows)), MAX_WORDS)


def _words_for(box: Box, language: str) -> Iterator[tuple[Box, str]]:
    kinds = _kinds_for(box.meaning, language)
    for word in dict.fromkeys(filter(None, chain.from_iterable(zip_longest(*kinds)))):
        yield box, word


def _kinds_for(meaning: str, language: str) -> Sequence[Sequence[str]]:
    """The kinds of words that a box may know, the likeliest first."""
    # Of the language, then of English: names and titles of other countries are everywhere.
    english, own = _LANGUAGE["en"].split("|"), _LANGUAGE.get(language, "").split("|")
    pairs = zip(own if len(own) == len(english) else repeat(""), english, strict=False)
    common, nouns, given, family, places, firms = (f"{one} {two}".split() for one, two in pairs)
    kind, _, part = meaning.partition(":")
    if part == "zip":
        return _CODES, _NUMBERS
    by_kind: dict[str, Sequence[Sequence[str]]] = {
        "person": (family, given, _LETTERS),
        "place": (places, nouns, _LETTERS),
        "organisation": (firms, nouns, family, places, _LETTERS),
        "title": (nouns, common, _NUMBERS, given, _LETTERS),
        "year": (_YEARS,),
        "date": (_DAYS, _YEARS),
        "number": (_NUMBERS,),
        "price": (_NUMBERS,),
        "code": (_NUMBERS, _LETTERS),
    }
    anything = nouns, given, _YEARS, common, family, _NUMBERS, places, firms, _LETTERS
    return by_kind.get(kind, anything)
