"""Forms that real collections hold too few of: databases that never say "search", and forms that
look like searches and are none; in the twenty languages of `vocabulary`.

Real searches are site searches for the greater part, and say so in every way at once. A form here
is a random choice of fields of one kind of database or act, of how labels stand, of names, method
and button; the same seed makes the same forms.
"""

# ruff: noqa: E501 - words in many scripts

import random
from collections.abc import Iterator, Sequence
from html import escape

from leadline.core.url import Url
from leadline.page import parse_page
from tools.form_training.examples import SEARCH, Example
from tools.form_training.vocabulary import LANGUAGES, read_vocabulary

DATABASES = {
    "books": "title author publisher year subject isbn",
    "people": "last_name first_name birth_year place",
    "companies": "company register_number city zip category",
    "courts": "court:list case_number judge date",
    "cars": "make:list model:list price fuel:list zip year:years",
    "flats": "city rooms:counts area price district:list",
    "jobs": "job place employer salary category:list",
    "flights": "departure destination date:date date:date",
    "museum": "artist title material:list period:list country:list",
    "species": "species family habitat country:list",
    "patents": "inventor applicant title year case_number",
    "statistics": "indicator:list country:list year:years",
    "recipes": "ingredient category:list country:list",
    "archives": "title date place category:list",
    "events": "city date:date category:list",
    "hotels": "destination date:date date:date rooms:counts",
    "rates": "date:date date:date rooms:number",
}
"""Fields by kind of database, each with how it is asked for if not in a text box."""
OTHERS = {
    "login": "username password:password / login",
    "registration": "username email password:password your_name / register",
    "newsletter": "email / subscribe",
    "contact": "your_name email subject message:area / send",
    "call": "your_name phone / send",
    "comment": "your_name message:area / send",
    "consent": "newsletter:tick language:tick category:tick / accept_cookies",
    "agreement": "agree:tick / ok",
    "calculator": "price:number area:number salary:number / calculate",
    "converter": "amount:number currency:list currency:list / convert",
    "configurator": "model:list colour:list size:list quantity:counts / add_to_cart",
    "options": "colour:list size:list quantity:counts / add_to_cart",
    "own settings": "language:list currency:list country:list / save",
    "language": "language:list / ok",
    "currency": "currency:list / go",
    "location": "your_location / save",
    "own zip": "zip / save",
    "jump menu": "category:list / go",
    "poll": "category:radio / vote",
    "donation": "amount:radio / donate",
    "gift": "amount your_name email / donate",
    "quote": "zip make:list model:list your_name phone / request_quote",
    "offer": "zip category:list / request_quote",
    "application": "job your_name email / apply",
    "payment": "card_number your_name date / pay",
    "delivery": "your_name address city zip phone / save",
    "map": "place:tick district:tick habitat:tick /",
    "clock": "city:list date:counts /",
    "quantity": "quantity:number / add_to_cart",
}  # fmt: skip
_SEARCH_WORDS = {
    "en": "Search", "de": "Suchen", "fr": "Rechercher", "es": "Buscar", "it": "Cerca", "pt": "Pesquisar", "nl": "Zoeken",
    "sv": "Sök", "pl": "Szukaj", "cs": "Hledat", "hu": "Keresés", "ro": "Caută", "tr": "Ara", "ru": "Найти",
    "el": "Αναζήτηση", "ar": "بحث", "hi": "खोजें", "zh": "搜索", "ja": "検索", "ko": "검색",
}  # fmt: skip
PER_KIND = 2
"""Forms of each kind and language in training."""
GENERATED_WEIGHT = 0.2
"""Of a generated form in training. With 0 to 0.3 as many real forms are judged right; those without
words of searching, and generated ones in languages left out, need them (docs/critics.md)."""
_SAYS_SEARCH = 0.2
"""Share of generated databases that say it after all."""
_PREFIXES = ("", "", "", "f_", "txt", "ctl00$Main$", "form[", "edit-")
_MARKS = ("", "", ":", " *")
_COUNTS = tuple(str(number) for number in range(1, 7))


def generate_forms(
    per_kind: int, seed: int = 1, languages: Sequence[str] = LANGUAGES
) -> list[Example]:
    """So many forms of each kind of database and of each other kind, in each language."""
    found = []
    for language in languages:
        words = read_vocabulary(language)
        for kind, fields in (DATABASES | OTHERS).items():
            draw = random.Random(f"{seed} {language} {kind}")
            label = SEARCH if kind in DATABASES else kind
            for number in range(per_kind):
                html = _write_form(kind, fields, words, _SEARCH_WORDS[language], draw)
                url = Url(f"https://{kind.replace(' ', '-')}{number}.{language}.test/page")
                (form,) = parse_page(html.encode(), url, "text/html; charset=utf-8").forms[:1]
                host = f"{kind} {language}"
                found.append(Example(form, host, label, GENERATED_WEIGHT))
    return found


def _write_form(
    kind: str, fields: str, words: dict[str, str], search: str, draw: random.Random
) -> str:
    asked, _, pressed = fields.partition("/")
    chosen = asked.split()
    is_database = kind in DATABASES
    if is_database:
        count = draw.randint(min(2, len(chosen)), len(chosen))
        kept = sorted(draw.sample(range(len(chosen)), count))
        chosen = [chosen[at] for at in kept]
        says_search = draw.random() < _SAYS_SEARCH
        label = search if says_search else words[draw.choice(("go", "show", "ok", "show"))]
    else:
        label = words[pressed.strip()] if pressed.strip() else ""
    place = draw.choice(("wrap", "for", "before", "cell", "hint", "aria"))
    naming = draw.choice(("telling", "opaque", "opaque", "own"))
    rows = [
        _write_field(number, concept, words, (place, naming), draw)
        for number, concept in enumerate(chosen)
    ]
    hidden = "".join(
        f'<input type=hidden name=h{number} value="{draw.randrange(10**6)}">'
        for number in range(draw.choice((0, 0, 0, 1, 3)))
    )
    # Acts are mostly sent by POST, but a reader of forms must not rely on it.
    method = "post" if draw.random() < (0.35 if is_database else 0.6) else "get"
    target = draw.choice(("/list", "/r.php", "/page", "/do", "/x/y.aspx", "/index.cgi"))
    body = f"<table>{''.join(rows)}</table>" if place == "cell" else " ".join(rows)
    button = _write_button(label, is_database, draw)
    return f"<form method={method} action={target}>{hidden}{body}{button}</form>"


def _write_button(label: str, is_database: bool, draw: random.Random) -> str:
    if not label:
        return ""
    how = draw.random()
    if is_database and how < 0.12:
        return draw.choice(("", "<input type=image src=b.gif>"))
    text = escape(label, quote=True)
    if how < 0.6:
        return f"<button>{text}</button>"
    return f'<input type=submit value="{text}">'


def _write_field(
    number: int, concept: str, words: dict[str, str], style: tuple[str, str], draw: random.Random
) -> str:
    concept, _, how = concept.partition(":")
    place, naming = style
    label = escape(words[concept], quote=True)
    own = f"{draw.choice(_PREFIXES)}{concept}"
    name = {"telling": own, "opaque": f"f{number}", "own": label.replace(" ", "_")}[naming]
    hint = f' placeholder="{label}"' if place == "hint" else ""
    hint += f' aria-label="{label}"' if place == "aria" else ""
    tag = f'name="{name}" id=i{number}{hint}'
    control = "".join(_write_control(how, tag, label, words, draw))
    shown = label + draw.choice(_MARKS)
    if how == "tick":
        return f"<label>{control} {label}</label>"
    return {
        "wrap": f"<label>{shown} {control}</label>",
        "for": f"<label for=i{number}>{shown}</label> {control}",
        "before": f"<p>{shown} {control}</p>",
        "cell": f"<tr><td>{shown}</td><td>{control}</td></tr>",
    }.get(place, control)


def _write_control(
    how: str, tag: str, label: str, words: dict[str, str], draw: random.Random
) -> Iterator[str]:
    if how in ("list", "years", "counts"):
        first = draw.choice((f"<option value=''>{label}", "<option value=''>-", ""))
        yield f"<select {tag}>{first}{''.join(_write_options(how, words, draw))}</select>"
    elif how == "radio":
        texts = draw.sample([str(n) for n in range(5, 200, 5)], 4)
        yield from (f"<label><input type=radio {tag} value={t}> {t}</label>" for t in texts)
    elif how == "area":
        yield f"<textarea {tag}></textarea>"
    else:
        kind = {"tick": "checkbox", "": "text"}.get(how, how)
        yield f"<input type={kind} {tag}>"


def _write_options(how: str, words: dict[str, str], draw: random.Random) -> Iterator[str]:
    if how == "years":
        options: Sequence[str] = [str(year) for year in range(2024, 1990, -draw.choice((1, 5)))]
    elif how == "counts":
        options = _COUNTS
    else:
        options = draw.sample(sorted(set(words.values())), draw.randint(4, 25))
    yield from (f"<option value={n}>{escape(text)}" for n, text in enumerate(options, 1))
