"""Five catalogues of one trade on loopback, each with a form of its own kind, and their truth.

`WORDS` has one box; `FIELDS` asks for author, title and years; `LISTS` has menus and answers with a
table; `KATALOG` speaks German; `POSTED` takes a POST with a token that its page hands out. Each
holds its own part of the same books.
"""

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import NamedTuple
from urllib.parse import parse_qs

from aiohttp import web

from tests.server.served import Served

WORDS, FIELDS, LISTS = "words.example", "fields.example", "lists.example"
KATALOG, POSTED = "katalog.example", "posted.example"
SITES = (WORDS, FIELDS, LISTS, KATALOG, POSTED)


class Book(NamedTuple):
    """What a shop sells."""

    id: int
    title: str
    author: str
    year: int
    price: float
    format: str
    language: str


AUTHORS = (
    "Ursula K. Le Guin", "Stanislaw Lem", "Octavia Butler", "Italo Calvino", "Jorge Luis Borges",
    "Angela Carter",
)  # fmt: skip
_NOUNS = ("Tower", "River", "Gate", "Moon", "Garden", "Mirror", "Winter", "Harbour", "Forest",
          "Library", "Island", "Machine")  # fmt: skip
_KINDS = ("Silver", "Silent", "Hidden", "Broken", "Burning", "Painted")
BOOKS = tuple(
    Book(
        at,
        f"The {_KINDS[at % 6]} {_NOUNS[at // 6 % 12]}",
        AUTHORS[(at * 7 + at // 6) % 6],
        1961 + at * 5 % 47,
        5 + at * 3 % 29 + 0.5,
        ("Paperback", "Hardcover")[at % 2],
        ("English", "German", "French")[at // 2 % 3],
    )
    for at in range(72)
)
_GERMAN = {
    "Paperback": "Taschenbuch",
    "Hardcover": "Gebunden",
    "English": "Englisch",
    "German": "Deutsch",
    "French": "Französisch",
}
TOKEN = "t4k3n"


def held(site: str) -> list[Book]:
    """The books of a site: two of three."""
    return [book for book in BOOKS if (book.id + SITES.index(site)) % 3]


_PAGE = """<html lang={language}><title>{title}</title><body><h1>{title}</h1>
<p>{about}</p>{body}</body></html>"""
_ENGLISH = (
    "Every book by author, title, publisher and ISBN: novels, paperbacks, hardcovers, first "
    "editions, poetry and short stories, bought and sold. Readers and libraries welcome."
)
_DEUTSCH = (
    "Alle Bücher nach Verfasser, Titel, Verlag und ISBN: Romane, Taschenbücher, gebundene "
    "Ausgaben, Erstausgaben und Gedichte. Leser und Bibliotheken sind willkommen."
)


def _select(name: str, label: str, choices: Iterable[tuple[str, str]], any_text: str) -> str:
    options = "".join(f"<option value={value}>{text}</option>" for value, text in choices)
    return (
        f"<label>{label} <select name={name}><option value=''>{any_text}</option>{options}"
        "</select></label>"
    )


_FORMS = {
    WORDS: "<form action=/find><label>Search books <input type=search name=q></label>"
    "<button>Search</button></form>",
    FIELDS: "<form action=/find><label>Author <input name=author></label>"
    "<label>Title <input name=title></label><label>Published from <input name=from size=4></label>"
    "<label>to <input name=to size=4></label><button>Search the catalogue</button></form>",
    LISTS: "<form action=/find><label>Words in title <input name=t></label>"
    + _select("au", "Author", ((f"{at}", name) for at, name in enumerate(AUTHORS)), "all authors")
    + _select("f", "Format", (("p", "Paperback"), ("h", "Hardcover")), "any format")
    + _select("d", "Year", ((f"{y}", f"{y}s") for y in range(1960, 2010, 10)), "any year")
    + "<button>Find books</button></form>",
    KATALOG: "<form action=/suche><label>Verfasser <input name=vf></label>"
    "<label>Titel <input name=ti></label>"
    + _select("eb", "Einband", (("1", "Taschenbuch"), ("2", "Gebunden")), "beliebig")
    + "<label>Erscheinungsjahr von <input name=jv size=4></label>"
    "<label>bis <input name=jb size=4></label><button>Bücher suchen</button></form>",
    POSTED: "<form action=/find method=post><input type=hidden name=token value="
    f"{TOKEN}><label>Author <input name=a></label><label>Book title <input name=t></label>"
    "<button>Search books</button></form>",
}


class Bookshops(Served):
    """Answers for the five sites. `log` holds each search: its site, method and what it asked."""

    def __init__(self) -> None:
        self.log: list[tuple[str, str, dict[str, str]]] = []
        super().__init__()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        site = request.host.partition(":")[0]
        if request.path == "/robots.txt" or site not in SITES:
            return web.Response(text="", status=200 if request.path == "/robots.txt" else 404)
        if request.path == "/gone":
            return web.Response(status=500, text="broken")
        if request.path not in ("/find", "/suche"):
            return _show(site, _FORMS[site])
        text = await request.text() if request.method == "POST" else request.query_string
        asked = {name: found[0] for name, found in parse_qs(text).items()}
        self.log.append((site, request.method, asked))
        if site == POSTED and (request.method != "POST" or asked.get("token") != TOKEN):
            return _show(site, _FORMS[site] + "<p>Your session has expired.</p>")
        return _show(site, _FORMS[site] + list_books(site, search(site, asked)))


def _show(site: str, body: str) -> web.Response:
    is_german = site == KATALOG
    text = _PAGE.format(
        language="de" if is_german else "en",
        title="Katalog der Bücher" if is_german else f"Books at {site}",
        about=_DEUTSCH if is_german else _ENGLISH,
        body=body,
    )
    return web.Response(text=text, content_type="text/html")


_CONDITIONS: Mapping[str, Callable[[Book, str], bool]] = {
    "q": lambda book, text: _has(f"{book.title} {book.author}", text),
    "author": lambda book, text: _has(book.author, text),
    "a": lambda book, text: _has(book.author, text),
    "vf": lambda book, text: _has(book.author, text),
    "title": lambda book, text: _has(book.title, text),
    "t": lambda book, text: _has(book.title, text),
    "ti": lambda book, text: _has(book.title, text),
    "from": lambda book, text: book.year >= _year(text),
    "jv": lambda book, text: book.year >= _year(text),
    "to": lambda book, text: book.year <= _year(text),
    "jb": lambda book, text: book.year <= _year(text),
    "au": lambda book, text: book.author == AUTHORS[int(text)],
    "f": lambda book, text: book.format[0].lower() == text,
    "eb": lambda book, text: book.format == ("Paperback", "Hardcover")[int(text) - 1],
    "d": lambda book, text: book.year // 10 * 10 == int(text),
    "token": lambda _book, _text: True,
}


def _year(text: str) -> int:
    return int(text[:4]) if text[:4].isdigit() else 0


def _has(shown: str, asked: str) -> bool:
    words = shown.lower().replace(".", " ").split()
    return all(word in words for word in asked.lower().replace(".", " ").split())


def search(site: str, asked: Mapping[str, str]) -> list[Book]:
    """The site's books that fulfil all that is asked; none if nothing is."""
    given = {name: text for name, text in asked.items() if text}
    if not given.keys() - {"token"}:
        return []
    return [
        book
        for book in held(site)
        if all(_CONDITIONS[name](book, text) for name, text in given.items())
    ]


def list_books(site: str, books: Iterable[Book]) -> str:
    """An answer, as the site writes it."""
    found = list(books)
    if not found:
        return "<p>Keine Treffer.</p>" if site == KATALOG else "<p>No books match.</p>"
    says = "Treffer" if site == KATALOG else "books found"
    rows = "".join(_write_book(site, book) for book in found)
    around = {
        LISTS: "<table><tr><th>Title<th>Author<th>Year<th>Price<th>Format</tr>{}</table>",
        WORDS: "<ol>{}</ol>",
    }.get(site, "<div class=results>{}</div>")
    return f"<p>{len(found)} {says}</p>{around.format(rows)}"


def _write_book(site: str, book: Book) -> str:
    link = f"<a href=/book/{book.id}>{escape(book.title)}</a>"
    if site == LISTS:
        cells = (link, book.author, book.year, f"${book.price:.2f}", book.format)
        return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    if site == WORDS:
        return (
            f"<li><h3>{link}</h3><span class=author>{book.author}</span> "
            f"<span class=price>${book.price:.2f}</span></li>"
        )
    if site == KATALOG:
        price = f"{book.price:.2f} €".replace(".", ",")
        facts = {"Verfasser": book.author, "Erscheinungsjahr": book.year, "Preis": price}
        facts["Einband"] = _GERMAN[book.format]
    else:
        facts = {"Author": book.author, "Published": book.year, "Price": f"${book.price:.2f}"}
        facts["Format"] = book.format
    told = "".join(f"<dt>{name}</dt><dd>{fact}</dd>" for name, fact in facts.items())
    return f"<div class=book><h3>{link}</h3><dl>{told}</dl></div>"
