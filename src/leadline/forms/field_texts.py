"""What the texts at a control speak of: its label, hint, name, title and id; and its options.

`field_roles` weighs it. A sense is a word of `ROLE_WORDS` (`place:zip`, `price`), or one of the
private things that `word_patterns` knows.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from leadline.core.page import Field, Option
from leadline.core.text import fold
from leadline.forms import word_patterns
from leadline.forms.form_data import BUTTONS
from leadline.forms.hazards import split_name
from leadline.forms.role_words import ROLE_WORDS, split_words

_MAX_TEXT_CHARS = 80
"""Of a text, read: what is longer explains, and names more than it asks for."""
_segments = re.compile(r"[^\[\]$.]+").findall
_is_dated = re.compile(
    r"(?:yy|jj|aa|rr)(?:yy|jj|aa|rr)? ?[-./] ?mm|mm? ?[-./] ?(?:dd?|tt|jj|yy)"
    r"|(?:dd|tt|jj|gg) ?[-./] ?mm"
).search
"""How a date is to be written, in the letters of several languages."""
_PRIVATE = (
    ("password", word_patterns.PASSWORD),
    ("captcha", word_patterns.CAPTCHA),
    ("email", word_patterns.EMAIL),
    ("payment", word_patterns.PAYMENT),
    ("user", word_patterns.USER),
    ("phone", word_patterns.PHONE),
    ("message", word_patterns.MESSAGE),
)
_PRIVATE_CHOICES = (("payment", word_patterns.PAYMENT),)
"""The one of them that lists of choices ask for: the kind of card, its month and year."""
_AMOUNT_WORDS = frozenset({"amount", "betrag", "montant", "import", "importe", "donation"})
"""Words for payments that are also those for prices to be looked for."""
_BITS = {name: 1 << number for number, name in enumerate(ROLE_WORDS.names)}
_END_BITS = _BITS["from"] | _BITS["to"]
_WAY_BITS = _BITS["first"] | _BITS["last"]
_ALL_ENDS = _END_BITS | _WAY_BITS
_UNNAMED = _ALL_ENDS | _BITS["nothing"]
_goes_on = re.compile(r"[-\u2013\u2014~]|(?:and|und|et|och|og)\b.*|[yeiи]|en").fullmatch
"""What stands between the two controls of a range, before the second: a dash, an `and`."""
_WORDLESS = BUTTONS | {"hidden", "checkbox"}
"""Kinds of controls whose role does not depend on their texts."""
_OWN = frozenset({"for", "wrap", "aria"})
_NEAR = frozenset({"before", "cell"})
_LISTABLE = frozenset({"title", "person", "code", "place", "organisation", "text"})
"""Kinds that boxes for anything list: `title, author or ISBN`."""


class FieldText(NamedTuple):
    """A text at a control, and what it speaks of."""

    where: str
    weight: float
    text: str
    senses: tuple[str, ...]
    """The most telling first."""
    ends: "FieldEnds"


class FieldEnds(NamedTuple):
    """Which end of a range is spoken of: `from`, `to`, or '' for none or both."""

    end: str = ""
    leg: str = ""
    """The same by words that name a leg of a way or stay: `return`, `check-in`."""
    is_bare: bool = True
    """No other word is said."""


_WEIGHTS = {"label": 4.0, "hint": 3.5, "name": 3.0, "nearby text": 2.0, "title": 2.0, "id": 1.0}
"""How far a text is believed. A label that people tied to the control says more than a name, which
is for machines; text that merely stands before it may belong to something else."""


def read_texts(field: Field) -> list[FieldText]:
    """What each text of a control says; texts that say nothing are left out."""
    if field.kind in _WORDLESS:
        return []
    # What stands at a radio button is one of its options.
    label = "" if field.kind == "radio" else field.label
    texts = {
        "label": label if field.label_source in _OWN else "",
        "hint": field.placeholder,
        "name": name_as_words(field.name),
        "nearby text": label if field.label_source in _NEAR else "",
        "title": field.title,
    }
    found = [_read_text(where, text, field) for where, text in texts.items() if text]
    # Ids are often generated: they are read only if the name says nothing.
    if not any(said.where == "name" and said.senses for said in found):
        found.append(_read_text("id", split_name(field.dom_id), field))
    return [said for said in found if said.senses or said.ends.end or said.ends.leg]


def _read_text(where: str, text: str, field: Field) -> FieldText:
    text = text[:_MAX_TEXT_CHARS]
    senses, ends = _read_senses(text, field.kind not in ("select", "radio"))
    if where != "name" and not ends.end and _goes_on(text.lower()):
        ends = FieldEnds("to", is_bare=ends.is_bare)
    return FieldText(where, _WEIGHTS[where], text, senses, ends)


def join_ends(said: Sequence[FieldText]) -> FieldEnds:
    """The end that the texts speak of. Names come first, because they are written to tell the two
    controls apart."""
    ends = [text.ends for text in sorted(said, key=lambda text: text.where != "name")]
    return FieldEnds(
        next((one.end for one in ends if one.end), ""),
        next((one.leg for one in ends if one.leg), ""),
        is_bare=all(one.is_bare for one in ends),
    )


def strip_ends(name: str) -> str:
    """A control's own name without ends, numbers and lone letters: the same for the two ends of
    one range.

    >>> strip_ends("price_from"), strip_ends("search[maxPrice]"), strip_ends("date2")
    ('price', 'price', 'date')
    """
    words = split_words(split_name(own_name(name)))
    return " ".join(word for word in words if len(word) > 1 and not ROLE_WORDS[word] & _ALL_ENDS)


def own_name(name: str) -> str:
    """The part of a nested name that is the control's own.

    >>> own_name("search[price_from]"), own_name("ctl00$Main$txtCity")
    ('price_from', 'txtCity')
    """
    return next(reversed(_segments(name)), "")


@lru_cache(maxsize=20_000)
def name_as_words(name: str) -> str:
    """The own part of a name as words; the whole name if that part says nothing.

    Names with `$` are made by ASP.NET, and only their last part was written by a person.
    """
    own = split_name(own_name(name))
    return own if "$" in name or _bits(fold(own)) else split_name(name)


@lru_cache(maxsize=20_000)
def _read_senses(text: str, is_typed: bool) -> tuple[tuple[str, ...], FieldEnds]:
    """Senses and ends of a text. Cached: the forms of the Web share most of their words."""
    text = fold(text)
    bits = _bits(text)
    words = split_words(text)
    ends = FieldEnds(
        _either(bits, "from", "to"),
        {"first": "from", "last": "to"}.get(_either(bits, "first", "last"), ""),
        is_bare=all(ROLE_WORDS[word] & _ALL_ENDS for word in words),
    )
    if _is_dated(text):
        return ("date",), ends
    senses = [*_private_senses(text, bits, is_typed), *_named_senses(text, bits)]
    if word_patterns.SEARCH(text):
        senses.append("search")
    if is_typed and word_patterns.MAILING(text):
        senses.append("mailing")
    return (("search",) if is_typed and _is_list(senses, text) else tuple(senses)), ends


def _either(bits: int, one: str, other: str) -> str:
    """Which of two is spoken of; '' for none or both."""
    found = [sense for sense in (one, other) if bits & _BITS[sense]]
    return found[0] if len(found) == 1 else ""


def _bits(text: str) -> int:
    """The senses of all words as bits; an end counts in any case."""
    return ROLE_WORDS.read(text, _ALL_ENDS)


def _private_senses(text: str, bits: int, is_typed: bool) -> list[str]:
    found = []
    for sense, matches in _PRIVATE if is_typed else _PRIVATE_CHOICES:
        match = matches(text)
        # `Amount` is a payment to some forms and a price to look for in others.
        is_amount = match and sense == "payment" and match[0] in _AMOUNT_WORDS
        # `Почтовый индекс` is a zip code: Russian has one word for post and mail.
        is_zip = sense == "email" and bits & _BITS["place:zip"]
        if match and not is_amount and not is_zip:
            found.append(sense)
    return found


def _named_senses(text: str, bits: int) -> list[str]:
    # `name` alone may be a person's; `company name` is the name of something, `named`.
    found = [sense for sense, bit in _BITS.items() if bits & bit and not bit & _UNNAMED]
    if found and found[-1] == "name" and len(split_words(text)) > 1:
        found[-1] = "named"
    return found


def _is_list(senses: list[str], text: str) -> bool:
    """Whether several things may be typed: `title, author`, `search by name or city`."""
    kinds = {sense.partition(":")[0] for sense in senses} & _LISTABLE
    return len(kinds) > 2 or (len(kinds) == 2 and ("search" in senses or "," in text))


_MAX_OPTIONS = 40
"""Options that are read: the rest is more of the same."""
_ALL_ALIKE, _MOST_ALIKE, _FEW_ALIKE, _SOME_ALIKE = 1.0, 0.7, 0.4, 0.3
"""Shares of the options that must look alike. Some countries are enough, because the list of names
below has not all countries in all languages."""
_LEAST_KNOWN = 2
"""One option that looks like a year proves nothing, unless it is the only one."""

_is_year = re.compile(r"(?:\D{0,12} )?(?:19|20)\d\d(?: ?\D{0,10})?").fullmatch
_ROUBLE = "\u0440\u0443\u0431"
_MONEY = rf"[$€£¥₽]|\b(?:usd|eur|gbp|chf|kr|zl|kc|ft|lei|tl|{_ROUBLE})\b"
_is_price = re.compile(
    rf"\D{{0,14}}(?:{_MONEY}).{{0,30}}|.{{0,30}}\d ?(?:{_MONEY}).{{0,30}}"
).fullmatch
_is_number = re.compile(
    r"\D{0,6}\d[\d .,]*(?: ?[-+\u2013] ?\d[\d .,]*)?\+?(?: \D{0,18}|\D{1,4})?"
).fullmatch
_is_clock = re.compile(r"\d\d?(?::|h)\d\d(?: ?[ap]\.?m\.?)?|\d\d? ?[ap]\.?m\.?").fullmatch
_is_day = re.compile(
    r"(?:\w{2,10}\.?,? )?(?:\d{2}[./-]\d{1,2}|\d{1,2}[./-]\d{2})(?:[./-]\d{2,4})?"
    r"|(?:19|20)\d\d-\d\d(?:-\d\d)?"
).fullmatch
_is_airport = re.compile(r".*[(\[][a-z]{3}[)\]].*").fullmatch

_MONTHS = """jan feb mar apr may jun jul aug sep oct nov dec januar februar marz april mai juni juli
    august september oktober november dezember janvier fevrier mars avril juin juillet aout
    septembre octobre novembre decembre enero febrero marzo abril mayo junio julio agosto
    septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre
    ottobre dicembre janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro
    styczen luty marzec kwiecien maj czerwiec lipiec sierpien wrzesien pazdziernik listopad
    grudzien leden unor brezen duben kveten cerven cervenec srpen zari rijen prosinec tammikuu
    helmikuu maaliskuu huhtikuu toukokuu kesakuu heinakuu elokuu syyskuu lokakuu marraskuu joulukuu
    ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik
    januari februari maart mei januari augusti majus junius julius augusztus szeptember januar
    январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь""".split()
_MONTH_HEADS = frozenset(fold(month)[:3] for month in _MONTHS)
_COUNTRIES = frozenset(fold(name) for name in (
    "afghanistan albania algeria andorra angola argentina australia austria bahrain belgium brazil"
    " bulgaria canada chile china colombia croatia cyprus denmark egypt estonia finland france"
    " germany greece hungary iceland india indonesia ireland israel italy japan kenya latvia"
    " lithuania luxembourg malta mexico netherlands norway poland portugal romania russia serbia"
    " singapore slovakia slovenia spain sweden switzerland thailand turkey ukraine vietnam usa uk"
    " deutschland österreich schweiz frankreich italien spanien niederlande belgien polen"
    " dänemark schweden norwegen tschechien ungarn griechenland russland"
    " allemagne autriche suisse france italie espagne belgique pologne danemark suède norvège"
    " alemania austria suiza francia italia españa bélgica polonia dinamarca suecia noruega"
    " germania svizzera spagna svezia norvegia danimarca alemanha áustria suíça itália espanha"
    " portugal suécia niemcy austria francja włochy hiszpania polska czechy szwecja norwegia"
    " sverige norge danmark suomi tyskland frankrike slovensko česko německo rakousko"
    " magyarország ausztria németország türkiye almanya россия германия франция испания италия"
    " украина польша беларусь казахстан 日本 中国 한국 대한민국"
).split()) | {"united states", "united kingdom", "new zealand", "south africa", "south korea",
              "hong kong", "czech republic", "saudi arabia", "united arab emirates"}  # fmt: skip
_STATES = frozenset(
    "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia"
    " hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts"
    " michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon"
    " pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming ontario"
    " quebec alberta manitoba bayern berlin hessen sachsen hamburg bremen saarland brandenburg"
    " thüringen niedersachsen victoria queensland tasmania lombardia toscana veneto lazio"
    " andalucía cataluña bretagne normandie"
    " al ak az ar ca co ct fl ga hi il ky ma md mi mn mo nc nj ny oh pa tn tx va wa wi".split()
)
_LANGUAGES = frozenset(fold(name) for name in (
    "english deutsch français español italiano português nederlands svenska dansk norsk suomi"
    " polski čeština magyar română türkçe русский українська ελληνικά 日本語 中文 한국어 العربية"
    " עברית french german spanish italian portuguese dutch swedish danish norwegian finnish polish"
    " czech hungarian romanian turkish russian greek japanese chinese korean arabic hebrew latin"
    " englisch französisch spanisch italienisch russisch anglais allemand espagnol italien inglés"
    " francés alemán inglese francese tedesco spagnolo en de fr es it pt nl"
).split())  # fmt: skip
_YES = frozenset(fold(word) for word in (
    "yes no y n true false ja nein oui non sí si não sim nee nej nei kyllä ei tak nie ano ne igen"
    " nem da nu evet hayir да нет так ні on off 是 否 はい いいえ 예 아니오"
).split())  # fmt: skip
_is_order = re.compile(
    r"relevan|best match|popular|newest|latest|oldest|recent|price ?[(:,-]? ?(?:low|high)"
    r"|(?:low|high)(?:est)? (?:price|to|first)|a ?(?:-|to|\u2013) ?z|z ?(?:-|to|\u2013) ?a"
    r"|ascend|descend|\basc\b|\bdesc\b|neueste|aufsteigend|absteigend|beliebt|pertinence|croissant"
    r"|mas recientes|crescente|rosnac|malejac|возраст|убыван|популярн|новизн"
).search


def recognise_options(options: Sequence[Option]) -> tuple[str, str]:
    """Role and part of what is offered, as in ("place", "country"); ("", "") for none known."""
    texts = [fold(option.text.strip(" -_.*:\u2013")) for option in options[:_MAX_OPTIONS]]
    # The first option mostly stands for no choice: `any`, `please choose`.
    rest = [text for text in texts[1:] if text]
    texts = rest if len(rest) > 1 else [text for text in texts if text]
    if not texts:
        return "", ""
    for kind, part, fits, share in _LOOKS:
        known = sum(1 for text in texts if fits(text))
        if known >= share * len(texts) and known >= min(_LEAST_KNOWN, len(texts)):
            return kind, part
    return "", ""


def _is_month(text: str) -> bool:
    return text[:3] in _MONTH_HEADS and len(text) <= 16 and " " not in text.strip()


_LOOKS: tuple[tuple[str, str, Callable[[str], object], float], ...] = (
    ("yes/no", "", _YES.__contains__, _ALL_ALIKE),
    ("sort", "", _is_order, _FEW_ALIKE),
    ("date", "month", _is_month, _MOST_ALIKE),
    ("place", "country", _COUNTRIES.__contains__, _SOME_ALIKE),
    ("place", "region", _STATES.__contains__, _SOME_ALIKE),
    ("language", "", _LANGUAGES.__contains__, _FEW_ALIKE),
    ("place", "airport", _is_airport, _MOST_ALIKE),
    ("year", "", _is_year, _MOST_ALIKE),
    ("date", "time", _is_clock, _MOST_ALIKE),
    ("date", "", _is_day, _MOST_ALIKE),
    ("price", "", _is_price, _MOST_ALIKE),
    ("number", "", _is_number, _MOST_ALIKE),
)
"""Role, part, how an option of it looks, and the share of the options that must look so. The first
that fits is taken: years are numbers too."""
