"""Forms that are no searches, though some look like one."""

from msgspec import Struct

from leadline_lab.draw import Draw, running_sums
from leadline_lab.interfaces.sheet import BARE, Options, Sheet, same
from leadline_lab.interfaces.words import BUTTONS, COUNTRIES, LEGENDS, PEOPLE, TONGUES
from leadline_lab.markup.model import FormModel
from leadline_lab.schema import said


class Habit(Struct, frozen=True):
    """How common a kind of form is and how it is made."""

    count: int
    post: int
    """Per mille sent by POST."""
    buttonless: int
    """Per mille without a submit button."""
    hidden: list[int]
    """Running counts of forms with 0, 1, 2, 3, 4, and 5 or more hidden controls."""


def _habits(counts: tuple[int, ...], post: int, buttonless: int, *hidden: int) -> list[Habit]:
    return [Habit(count, post, buttonless, running_sums(hidden)) for count in counts]


_LOGIN = _habits((191,), 935, 97, 44, 58, 28, 21, 9, 26)
_REGISTRATION = _habits((125,), 959, 98, 12, 26, 21, 15, 16, 33)
_MAILING_LIST = _habits((110,), 838, 95, 35, 33, 9, 10, 4, 14)
_CONTACT = _habits((44, 44), 940, 157, 25, 10, 16, 10, 3, 19)
_ORDER = _habits((59,), 786, 286, 5, 8, 9, 8, 5, 21)
_RECOVERY = _habits((69,), 941, 88, 33, 20, 4, 7, 2, 2)
_POLL = _habits((8,), 990, 167, 2, 1, 2, 1, 0, 0)
_OTHER = _habits((29, 29, 29), 734, 494, 22, 16, 11, 10, 1, 19)
_DISPLAY = _habits((27,), 296, 704, 17, 3, 2, 1, 1, 3)

HABITS: dict[str, Habit] = {
    "login": _LOGIN[0],
    "registration": _REGISTRATION[0],
    "newsletter": _MAILING_LIST[0],
    "contact": _CONTACT[0],
    "comment": _CONTACT[1],
    "order": _ORDER[0],
    "recovery": _RECOVERY[0],
    "poll": _POLL[0],
    "quote": _OTHER[0],
    "donation": _OTHER[1],
    "language_chooser": _DISPLAY[0],
    "calculator": _OTHER[2],
}
"""Counted on Formasaurus's labelled pages. Its contact and comment forms are one label, halved
here; what it calls `other` is shared out over quotes, donations and calculators; its display
options and navigation make the choosers."""
OTHER_KINDS = tuple(HABITS)
OTHER_FORMS = running_sums([habit.count for habit in HABITS.values()])
"""For `Draw.weighted`, in the order of `OTHER_KINDS`."""


class Ask(Struct, frozen=True):
    """A control that forms of a kind may have."""

    words: str
    """Which wording of `PEOPLE` labels it."""
    per_mille: int
    names: tuple[str, ...]
    kind: str = "text"
    other: str = ""
    """The kind it is in `other_per_mille` of the forms."""
    other_per_mille: int = 0


def _ask(words: str, per_mille: int, names: str = "", kind: str = "text", other: str = "") -> Ask:
    """`other` reads `email 240`: the input type in that share of forms."""
    otherwise, _, share = other.partition(" ")
    return Ask(words, per_mille, tuple((names or words).split()), kind, otherwise, int(share or 0))


_MAIL_NAMES = "email mail e-mail EMAIL emailAddress your-email"
_NAME = _ask("name", 800, "name fullname author your-name")
_MAIL = _ask("email", 900, _MAIL_NAMES, "text", "email 250")
_PHONE = _ask("phone", 400, "phone tel telephone", "text", "tel 150")
_COUNTRY = _ask("country", 350, "country country_id land", "select")

ASKED: dict[str, tuple[Ask, ...]] = {
    "login": (
        _ask("user", 970, "username user login log uid email j_username", "text", "email 60"),
        _ask("password", 890, "password pass pwd passwd", "password"),
        _ask("remember", 490, "remember rememberme autologin", "checkbox"),
    ),
    "registration": (
        _ask("user", 500, "username user nick"),
        _ask("gender", 200, "gender sex title", "radio", "select 400"),
        _ask("first", 450, "firstname fname first_name"),
        _ask("last", 450, "lastname lname last_name"),
        _ask("email", 950, _MAIL_NAMES, "text", "email 120"),
        _ask("password", 660, "password pass pwd", "password"),
        _ask("again", 520, "password2 confirm pass_conf", "password"),
        _ask("company", 150),
        _ask("street", 250, "address street addr1"),
        _ask("city", 280, "city town"),
        _ask("zip", 280, "zip postcode plz"),
        _COUNTRY,
        _ask("phone", 280, "phone tel"),
        _ask("born", 200, "birthyear dob yob"),
        _ask("captcha", 150, "captcha code vcode"),
        _ask("news", 300, "newsletter optin", "checkbox"),
        _ask("terms", 400, "terms agree tos", "checkbox"),
    ),
    "newsletter": (
        _ask("name", 110, "name fname FNAME"),
        _ask("email", 1000, _MAIL_NAMES, "text", "email 240"),
        _ask("terms", 50, "privacy agree", "checkbox"),
    ),
    "contact": (
        _NAME,
        _MAIL,
        _PHONE,
        _ask("company", 200),
        _ask("subject", 450, "subject topic betreff", "text", "select 300"),
        _ask("message", 930, "message msg comments body", "textarea"),
        _ask("captcha", 200, "captcha code"),
    ),
    "comment": (
        _NAME,
        _ask("email", 750, _MAIL_NAMES, "text", "email 250"),
        _ask("website", 350, "url website homepage"),
        _ask("rating", 150, "rating stars", "select"),
        _ask("comment", 960, "comment text body review", "textarea"),
        _ask("captcha", 150, "captcha answer"),
    ),
    "order": (
        _ask("variant", 270, "size color option attribute_1 variant", "select"),
        _ask("quantity", 680, "qty quantity amount anzahl", "text", "number 60"),
        _ask("coupon", 80, "coupon code voucher"),
    ),
    "recovery": (
        _ask("user", 350, "user username login"),
        _ask("email", 830, _MAIL_NAMES, "text", "email 90"),
        _ask("captcha", 120, "captcha code"),
    ),
    "poll": (_ask("answer", 1000, "answer vote poll option", "radio"),),
    "quote": (
        _ask("origin", 650, "from origin start pickup"),
        _ask("destination", 750, "to destination dest where"),
        _ask("date", 700, "date travel_date when", "text", "date 150"),
        _ask("persons", 450, "persons adults pax", "select", "text 500"),
        _ask("budget", 250, "budget price"),
        _ask("name", 550, "name contact_name"),
        _ask("email", 600, _MAIL_NAMES, "text", "email 250"),
        _ask("phone", 450, "phone tel mobile"),
        _ask("message", 250, "notes remarks message", "textarea"),
    ),
    "donation": (
        _ask("amount", 600, "amount gift betrag", "radio", "text 400"),
        _ask("name", 150),
        _ask("email", 180, _MAIL_NAMES),
    ),
    "language_chooser": (_ask("language", 850, "lang language locale country site", "select"),),
    "calculator": (
        _ask("principal", 900, "amount principal loan value x"),
        _ask("rate", 550, "rate interest apr"),
        _ask("term", 550, "years term n", "text", "select 500"),
        _ask("unit", 300, "from unit1 cur_from", "select"),
        _ask("unit2", 300, "to unit2 cur_to", "select"),
    ),
}
"""Shares of controls follow those of the labelled forms where there are some, else by design."""

_MANNERS = running_sums((780, 130, 40, 50))
_TERSE_PER_MILLE = {"newsletter": 110, "quote": 60, "order": 50, "calculator": 100, "login": 30}
"""Forms that do not say what they are for: opaque names, no labels, `Go` on the button."""
_FORM_NAMES = ("", "", "", "form1", "f", "frm", "form", "aspnetForm")
_OWN_NAMES = {
    "login": ("login", "loginform", "frmLogin", "signin"),
    "registration": ("register", "signup", "regform", "frmRegister"),
    "newsletter": ("newsletter", "subscribe", "mc-embedded-subscribe-form", "signup"),
    "contact": ("contact", "contactform", "feedback", "frmContact"),
    "comment": ("commentform", "comments", "reply", "review"),
    "order": ("cart", "addtocart", "product_form", "buy"),
    "recovery": ("lostpassword", "forgot", "remind", "reset"),
    "poll": ("poll", "vote", "survey"),
    "quote": ("quote", "request", "inquiry", "lead", "enquiry"),
    "donation": ("donate", "paypal", "give"),
    "language_chooser": ("lang", "langform", "jump", "switcher"),
    "calculator": ("calc", "calculator", "converter", "mortgage"),
}
_HIDDEN = (
    ("token", "#"), ("form_id", "9"), ("return", "/"), ("action", "send"), ("id", "9"),
    ("sid", "#"), ("csrf", "#"), ("lang", ""), ("step", "1"), ("list", "9"), ("redirect", "/"),
    ("__VIEWSTATE", "#"), ("product_id", "9"), ("utf8", "✓"), ("ref", "#"), ("state", "#"),
    ("site", "default"),
)  # fmt: skip
"""For `Sheet.hide`."""
_SUBMIT_NAMES = ("submit", "Submit", "send", "op", "btn", "button1")
_UNITS = same(("EUR", "USD", "GBP", "km", "miles", "kg", "lb"))
_FEW = same(("1", "2", "3", "4", "5"))
_MANY = same(("10", "15", "20", "25", "30"))
_GIFTS = same(("10", "25", "50", "100", "250"))
_VARIANTS = same(("S", "M", "L", "XL"))
_TOPICS = same(("Sales", "Support", "Billing", "Other"))
_LISTED: dict[str, Options] = {
    "country": COUNTRIES, "language": TONGUES, "variant": _VARIANTS, "unit": _UNITS,
    "unit2": _UNITS, "persons": _FEW, "rating": _FEW, "term": _MANY, "amount": _GIFTS,
    "subject": _TOPICS,
}  # fmt: skip
_WORDED = {"answer": "answers", "gender": "genders"}


def other_form(kind: str, key: int, language: str, action: str) -> FormModel:
    """Raises KeyError for a kind not in `OTHER_KINDS`."""
    draw, habit = Draw(key), HABITS[kind]
    sheet = Sheet(draw, language, _MANNERS, searches=False)
    is_terse = draw.chance(_TERSE_PER_MILLE.get(kind, 15))
    if is_terse:
        sheet.make_opaque()
        sheet.manner = BARE
    for asked in ASKED[kind]:
        if draw.chance(asked.per_mille):
            _fill(sheet, asked)
    is_blank = not sheet.controls
    sheet.hide(max(draw.weighted(habit.hidden), is_blank), _HIDDEN)
    legend = "" if is_terse or draw.chance(400) else draw.pick(said(LEGENDS[kind], language))
    names = _OWN_NAMES[kind] if draw.chance(350) and not is_terse else _FORM_NAMES
    return FormModel(
        action=action,
        controls=tuple(sheet.controls),
        method="post" if draw.chance(habit.post) else "get",
        submits=()
        if draw.chance(habit.buttonless) and not is_blank
        else _submits(sheet, kind, is_terse),
        legend=legend,
        name=draw.pick(names),
    )


def _fill(sheet: Sheet, asked: Ask) -> None:
    draw = sheet.draw
    kind = asked.other if draw.chance(asked.other_per_mille) else asked.kind
    label = draw.pick(said(PEOPLE[asked.words], sheet.language))
    options: Options = ()
    if kind in ("select", "radio"):
        worded = _WORDED.get(asked.words)
        options = same(said(PEOPLE[worded], sheet.language)) if worded else _LISTED[asked.words]
    name = draw.pick(asked.names)
    sheet.ask(name, kind, label, options, "1" if kind == "checkbox" else "")


def _submits(sheet: Sheet, kind: str, is_terse: bool) -> tuple[tuple[str, str], ...]:
    draw = sheet.draw
    if is_terse:
        return (("", sheet.say("mute")),)
    name = draw.pick(_SUBMIT_NAMES) if draw.chance(280) else ""
    return ((name, draw.pick(said(BUTTONS[kind], sheet.language))),)
