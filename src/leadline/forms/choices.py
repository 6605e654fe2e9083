"""What the options of a list look like: years, months, prices, countries, an order ..."""

import re
from collections.abc import Callable, Iterable, Sequence

from leadline.core.page import Option
from leadline.forms.hazard_words import fold

_READ = 40
"""Options looked at: the rest is more of the same."""
_ALL, _MOST, _FEW, _SOME = 1.0, 0.7, 0.4, 0.3
"""Shares of the options that must look alike; countries are known by some of them, since nobody
wrote all countries in all languages."""
_LEAST_KNOWN = 2

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


def look_of(options: Sequence[Option]) -> tuple[str, str]:
    """Kind and part of what is offered, as in ("place", "country"); ("", "") for none known."""
    texts = _telling([fold(option.text.strip(" -_.*:\u2013")) for option in options[:_READ]])
    if not texts:
        return "", ""
    for kind, part, fits, share in _LOOKS:
        known = sum(1 for text in texts if fits(text))
        if known >= share * len(texts) and known >= min(_LEAST_KNOWN, len(texts)):
            return kind, part
    return "", ""


def _telling(texts: Sequence[str]) -> list[str]:
    """Without what stands for no choice: the first option, if there are others, and empty ones."""
    rest = [text for text in texts[1:] if text]
    return rest if len(rest) > 1 else [text for text in texts if text]


def _known(words: Iterable[str]) -> Callable[[str], object]:
    return frozenset(words).__contains__


def _is_month(text: str) -> bool:
    return text[:3] in _MONTH_HEADS and len(text) <= 16 and " " not in text.strip()


_LOOKS: tuple[tuple[str, str, Callable[[str], object], float], ...] = (
    ("yes/no", "", _known(_YES), _ALL),
    ("sort", "", _is_order, _FEW),
    ("date", "month", _is_month, _MOST),
    ("place", "country", _known(_COUNTRIES), _SOME),
    ("place", "region", _known(_STATES), _SOME),
    ("language", "", _known(_LANGUAGES), _FEW),
    ("place", "airport", _is_airport, _MOST),
    ("year", "", _is_year, _MOST),
    ("date", "time", _is_clock, _MOST),
    ("date", "", _is_day, _MOST),
    ("price", "", _is_price, _MOST),
    ("number", "", _is_number, _MOST),
)
"""What is looked for, and the share of the options that must look so."""
