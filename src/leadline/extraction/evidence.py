"""What values of some properties look like, whoever writes them: phones, engines, ratings of films,
names of cases. General knowledge, written by hand; most properties look like nothing in particular.
"""

# ruff: noqa: E501, RUF001 - patterns are read better in one line, and know signs of print
import re
from collections.abc import Sequence
from functools import lru_cache

from leadline.extraction.identifiers import is_day

_LOOKS: dict[str, str] = {
    "phone": r"^(?:\w+:? ?)?\(?\+?\d[\d\s().x/-]{6,20}\d(?: ?(?:ext|x)\.? ?\d+)?$",
    "fax": r"^fax:? ?\(?\+?\d[\d\s().-]{6,18}\d$",
    "email": r"^\S+@\S+\.\w{2,}$",
    "postal_code": r"^(?:\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d\w? ?\d[A-Z]{2})$",
    "url": r"^(?:(?:https?://|www\.)\S+|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|info|museum|travel|[a-z]{2})(?:/\S*)?)$",
    "isbn": r"^(?:isbn(?:-?1[03])?:? *)?(?:97[89][- ]?)?(?:\d[- ]?){9}[\dX]$",
    "vin": r"^[A-HJ-NPR-Z0-9]{17}$",
    "content_rating": r"^(?:rated )?(?:G|PG|PG-13|R|NC-17|NR|Unrated|Not Rated|TV-\w{1,2}|FSK ?\d{1,2}|1[2568]A?|X)(?:\b.{0,90})?$",
    "fuel_economy": r"\d+ ?(?:mpg|city|/ ?\d+ ?(?:mpg|hwy))|\d ?l/100|mpg",
    "engine": r"\b\d\.\d ?-?l(?:iter|itre)?\b|\bv-?(?:6|8|10|12)\b|\bi-?[3456]\b|\b\d[- ]cyl|\bturbo|horsepower|\bhp\b",
    "transmission": r"\b(?:automatic|manual|cvt|\d-speed|schaltgetriebe|automatik)\b",
    "fuel_type": r"^(?:gasoline|petrol|diesel|electric|hybrid|regular|premium|unleaded|benzin|flex|e85|gas\b).{0,40}$",
    "case_name": r"\w.{0,80}\b(?:vs?\.?|versus|contra|c\.|gegen|e\./\.) (?-i:[A-Z(\"]).*|^(?:in (?:the matter of|re)|ex parte|(?:the )?matter of|state of|people of|estate of|united states|re:?) .+",
    "docket_number": r"^(?:(?:case|docket|cause|file)?\s*(?:nos?\.?|number)?[ #:]*)(?:[A-Z]{1,6}[-. ]?)?\d{1,4}[-:/][\w/:-]{2,20}$|^(?:case|docket|appeal|cause|file|matter)\s+(?:nos?|number|#)\.?\s*:?\s*[\w-]*\d[\w-]*$|^[IVXL]{1,5} [A-Z]{1,3} \d{1,4}/\d{2}$|^[CTF]-\d{1,4}/\d{2}$",
    "citation": r"^\[?(?:19|20)\d{2}\]? (?:[A-Z][A-Za-z.]*[ -]?){1,4}\d{1,6}(?:\(U\))?$|^\d{1,4} (?:[A-Z][\w.]*\.? ?){1,4} \d{1,5}$",
    "format": r"^(?:hardcover|paperback|hardback|softcover|mass market|audio|e-?book|kindle|board book|cd|dvd|library binding|trade paper|taschenbuch|gebunden|broché|relié|tapa).{0,40}$",
    "job_type": r"\b(?:full[- ]?time|part[- ]?time|contract|permanent|temporary|internship|freelance|vollzeit|teilzeit)\b",
    "salary": r"\$.*(?:per|/|k\b|hour|year|annual)|(?:doe|depends on experience|competitive)",
    "genre": r"\b(?:comedy|drama|action|thriller|horror|documentary|romance|sci-?fi|science fiction|fantasy|animation|crime|mystery|western|adventure|musical|war)\b",
    "duration": r"^\d+ ?(?:min|hr|h\b|hour)|^\d+h ?\d+",
    "location": r"^[A-Z][\w .'-]+, ?(?:[A-Z]{2}|[A-Z][a-z]+)(?: \d{5})?$",
    "address": r"\b\d+[\w/-]* [\w.' -]*\b(?:st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|way|hwy|highway|sq|square|plaza|pkwy|parkway|ct|court|pl|place|ter|terrace|cir|circle|broadway|row|quay|crescent)\b|\bp\.? ?o\.? box \d|(?:stra(?:ß|ss)e|str\.|weg|platz|gasse|gatan|straat|laan)\s+\d|^(?:rue|via|calle|avenida|rua|piazza|plaza|ul\.|ulica|avenue|boulevard|place)\b.{3,60}\d",
    "opening_hours": r"\b\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m\b|uhr|h\b).{0,20}\d|^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|daily|täglich|closed)\b.{0,40}(?:\d|closed)",
    "price_range": r"^(?:[$€£]{1,5}|(?:in)?expensive|moderate|cheap|(?:under|over|below|above) [$€£]\d+)$",
    "price": r"^(?:[$€£¥]|usd|eur|gbp) ?\d",
    "height": r"^[3-8] ?(?:['’′]|-|ft\.?|feet)[ -]?(?:1[01]|\d)(?:\.\d+)?(?!\d|-)|^\d(?:[.,]\d\d)? ?m\b|^\d{3} ?cm",
    "weight": r"^\d+(?:[.,]\d+)? ?(?:lbs?|kg|pounds|oz|ounces|g|grams)\b",
    "pages": r"^\d+ ?(?:pages|pp|p\.|seiten|páginas)",
    "megapixels": r"\d ?(?:mp\b|mega ?pixels?|mpix)",
    "optical_zoom": r"^\d+(?:\.\d+)?x\b",
    "institution_type": r"\b(?:public|private|for-profit|non-?profit|4-year|2-year|four[- ]year|two[- ]year|community college)\b",
    "cuisine": r"\b(?:italian|chinese|french|mexican|japanese|indian|thai|american|greek|seafood|pizza|sushi|steakhouse|mediterranean|vietnamese|spanish|korean|barbecue|bbq)\b",
    "publisher": r"\b(?:press|books?|publish\w*|publications?|verlag|edi(?:tions?|torial|tores|tore|zioni|tora)|éditions?|university|house|imprint|inc|llc|ltd)\b\.?(?: ?[(,;].*)?$|^(?:penguin|random house|harper ?collins|simon (?:&|and) schuster|macmillan|hachette|scholastic|bantam|doubleday|knopf|vintage|wiley|springer|elsevier|mcgraw[- ]hill|pearson|houghton|norton|little, brown|grand central|ballantine|crown|gallimard|hanser|suhrkamp|planeta|mondadori|feltrinelli)\b",
    "company": r"\b(?:inc|llc|l\.l\.c|corp(?:oration)?|ltd|gmbh|ag|s\.?a|plc|co|company|group|holdings?|technolog(?:y|ies)|solutions|systems|services|staffing|consult(?:ing|ants)|associates|partners|recruit\w*|resources|software|networks?|international|industries|enterprises?|bank|financial|insurance|health(?:care)?|hospital|medical|university|laborator(?:y|ies)|labs|agency)\b\.?(?: ?[(,].*)?$",
    "manufacturer": r"^(?:canon|nikon|sony|panasonic|olympus|pentax|fuji(?:film)?|kodak|casio|samsung|leica|ricoh|sigma|minolta|konica|polaroid|hewlett|hp|vivitar|hasselblad|kyocera|sanyo|toshiba|benq|ge|apple|dell|lenovo|asus|acer|lg|philips|bosch|siemens|microsoft|nokia|motorola|audi|bmw|ford|chevrolet|toyota|honda|nissan|mazda|subaru|mercedes|volkswagen|volvo|kia|hyundai|jeep|dodge|lexus|acura|jaguar|porsche|fiat|renault|peugeot|citro[eë]n|opel|skoda|seat)\b.{0,25}$",
    "team": r"\b(?:hawks|celtics|nets|hornets|bobcats|bulls|cavaliers|mavericks|nuggets|pistons|warriors|rockets|pacers|clippers|lakers|grizzlies|heat|bucks|timberwolves|pelicans|knicks|thunder|supersonics|sonics|magic|76ers|sixers|suns|trail ?blazers|blazers|kings|spurs|raptors|jazz|wizards|yankees|red sox|cubs|dodgers|giants|patriots|packers|cowboys|steelers)$|^(?:fc|afc|real|bayern|borussia|juventus) \w|\w (?:fc|f\.c\.|rovers|wanderers|hotspur)$",
    "position": r"^(?:guard|forward|center|point guard|shooting guard|small forward|power forward|pg|sg|sf|pf|c|g|f|goalkeeper|defender|midfielder|striker|pitcher|quarterback)(?:[-/ ].{0,20})?$",
}  # fmt: skip
_matchers = {name: re.compile(pattern, re.IGNORECASE).search for name, pattern in _LOOKS.items()}
_SAMPLE = 30
_MAX_CHARS = 200
_PROSE, _PROSE_WORDS = "description", 15
"""What is described at length: longer than any name, address or list of persons usually is."""


def has_look(name: str) -> bool:
    """Whether values of the property look like something in particular."""
    return name in _matchers or name == _PROSE


def fits_values(name: str, texts: Sequence[str]) -> float:
    """The share of texts that look like values of the property; 0.0 if it has no look of its own.

    >>> fits_values("phone", ["(212) 555-0188", "212-555-0199"])
    1.0
    """
    return _rate_look(name, tuple(texts[:_SAMPLE]))


@lru_cache(maxsize=50_000)
def _rate_look(name: str, texts: tuple[str, ...]) -> float:
    # Matching asks several times about the same columns and fields.
    matcher = _matchers.get(name)
    some = [text for text in texts if text]
    if name == _PROSE:
        return sum(text.count(" ") >= _PROSE_WORDS for text in some) / len(some) if some else 0.0
    if matcher is None or not some:
        return 0.0
    if name == "isbn":
        # Of the two forms in use the longer one is wanted: the shorter counts half.
        return sum(0.5 + 0.5 * (sum(map(str.isdigit, t)) >= 12) for t in some if matcher(t)) / len(
            some
        )
    if name in ("docket_number", "phone"):
        # `12/30/2022` and `2025-12-19T00:00:00` have the shape of some numbers, and are dates.
        return sum(
            len(text) <= _MAX_CHARS and matcher(text) is not None and not is_day(text)
            for text in some
        ) / len(some)
    return sum(len(text) <= _MAX_CHARS and matcher(text) is not None for text in some) / len(some)
