"""Sites that differ in how answers look and change: odd rows, twins, help pages, growing lists."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import ClassVar
from urllib.parse import quote_plus, urlencode

from aiohttp import web

from tests.harvester.made.catalogue import KINDS, Item
from tests.harvester.made.site import MadeSite, highlight


class ZebraRows(MadeSite):
    """Rows of a table, dark and light by turns, with snippets around the word that was asked for
    and several links each, of which none bears a title."""

    page_size: ClassVar[int] = 30

    def show_list(self, items: Sequence[Item], given: Mapping[str, str]) -> str:
        rows = "".join(
            f'<tr class="{"dark" if at % 2 else "light"}"><td><i>{i.day}</i></td><td>'
            f'{i.place}</td><td>{escape(i.title)} <a href="/item/{i.number}">entry</a> | '
            f'<a href="/item/{i.number}/print">print</a><br>...'
            f"{highlight(i.text, given.get('q', ''))}...</td></tr>"
            for at, i in enumerate(items)
        )
        return f'<table class="list">{rows}</table>'


class RowsWithoutLinks(MadeSite):
    """A table with a number for each thing, and no link at all."""

    def show_list(self, items: Sequence[Item], given: Mapping[str, str]) -> str:  # noqa: ARG002
        head = "<tr><th>Number<th>Name<th>About<th>Year</tr>"
        rows = "".join(
            f'<tr class="r{at % 2}"><td>{i.mark}<td>{i.title}<td>{i.text}<td>{i.year}</tr>'
            for at, i in enumerate(items)
        )
        return f"<table>{head}{rows}</table>"


class SnippetsWithoutLinks(MadeSite):
    """Paragraphs with a title and a snippet that depends on the query; nothing links to them."""

    def show_list(self, items: Sequence[Item], given: Mapping[str, str]) -> str:
        return "".join(
            f"<div class='hit'><h3>{i.title} ({i.mark})</h3><p>{highlight(i.text, given['q'])}"
            "</p></div>"
            for i in items
        )


class Twins(MadeSite):
    """Many things look alike and differ in one parameter of their address alone, which stands
    beside others."""

    def __init__(self) -> None:
        super().__init__()
        self.items = tuple(
            Item(i.number, *_look_of(self.items[(i.number - 1) // 4 * 4])) for i in self.items
        )

    def show_row(self, item: Item, given: Mapping[str, str]) -> str:  # noqa: ARG002
        url = f"/show?view=thing&id={item.number}&lang=en"
        return f'<a href="{url}">{item.title}</a> <p>{item.text}</p>'


def _look_of(item: Item) -> tuple[str, str, str, str, int]:
    return item.title, item.text, item.kind, item.place, item.year


class SessionLinks(MadeSite):
    """Addresses of things carry a session, the query and a position."""

    def show_row(self, item: Item, given: Mapping[str, str]) -> str:
        session = f"{len(self.log):05x}{'b3f1' * 5}"
        url = f"/show;sid={session}?q={quote_plus(given.get('q', ''))}&id={item.number}&s={session}"
        return f'<a href="{escape(url, quote=True)}">{item.title}</a> <p>{item.text}</p>'


class HelpPages(MadeSite):
    """Some words bring a page of help, which speaks of a quota and of blocked users."""

    def search(self, given: Mapping[str, str]) -> web.Response:
        if given.get("q", "").lower()[:1] in ("m", "q"):
            return self.page(
                "<h2>Help</h2><p>Your quotation marks are not closed. Users who exceed the quota "
                "are blocked.</p><ul><li><a href='/help/and'>and</a><li><a href='/help/or'>or</a>"
                "<li><a href='/help/quotes'>quotation</a></ul>" + self.form(given)
            )
        return super().search(given)


class ForbidsShortWords(MadeSite):
    """Words of four letters or less are answered with status 403."""

    def search(self, given: Mapping[str, str]) -> web.Response:
        if len(given.get("q", "")) <= 4:
            return self.page("<p>Forbidden</p>", 403)
        return super().search(given)


class FailsOnSomeWords(MadeSite):
    """Words with an e at the end are answered with status 500."""

    def search(self, given: Mapping[str, str]) -> web.Response:
        if given.get("q", "").endswith("e"):
            return self.page("<p>Internal error</p>", 500)
        return super().search(given)


class TemplateChange(MadeSite):
    """After forty requests its pages look different."""

    def show_list(self, items: Sequence[Item], given: Mapping[str, str]) -> str:
        if len(self.log) < 40:
            return super().show_list(items, given)
        rows = "".join(
            f'<div class="card"><h4><a href="/item/{i.number}">{i.title}</a></h4>'
            f'<div class="txt">{i.text}</div><div>{i.kind} | {i.place}</div></div>'
            for i in items
        )
        return f'<section class="cards">{rows}</section>'


class GrowingAnswers(MadeSite):
    """The link at the end shows the same answer again, longer by twenty."""

    def search(self, given: Mapping[str, str]) -> web.Response:
        found, size = self.find(given), int(given.get("n") or 20)
        if not found:
            return self.page(self.form(given) + self.nothing(given))
        url = f"/find?q={quote_plus(given.get('q', ''))}&amp;n={size + 20}"
        more = f'<p><a href="{url}">more</a></p>' if size < len(found) else ""
        return self.page(self.form(given) + self.show_list(found[:size], given) + more)


class GrowingCatalogue(MadeSite):
    """A new thing comes with every third request, to the front of every list."""

    most_to_90: ClassVar[int] = 110
    lists_all: ClassVar[bool] = True
    least_share: ClassVar[float] = 0.9

    def find(self, given: Mapping[str, str]) -> list[Item]:
        there = min(self.count, 80 + len(self.log) // 3)
        found = [item for item in super().find(given) if item.number <= there]
        return found[::-1]

    def reachable(self) -> frozenset[int]:
        return frozenset(range(1, min(self.count, 80 + len(self.log) // 3) + 1))


class RecentThings(MadeSite):
    """A search that finds nothing shows the ten latest things instead, and every page links to
    kinds and places."""

    def nothing(self, given: Mapping[str, str]) -> str:
        latest = super().show_list(self.items[-10:], given)
        return f"<p>Nothing matches. Our latest things:</p>{latest}"

    def foot(self) -> str:
        kinds = "".join(f'<li><a href="/kind/{kind}">{kind}</a> (12)</li>' for kind in KINDS)
        return f'<div id="nav"><h3>Kinds</h3><ul>{kinds}</ul></div>'


class FullFrame(MadeSite):
    """Every page has a menu of a hundred links, all things of the house among them, and results
    are few."""

    page_size: ClassVar[int] = 200

    def foot(self) -> str:
        things = "".join(
            f'<li class="nav"><a href="/item/{i.number}">{i.title}</a></li>' for i in self.items
        )
        return f"<nav><ul>{things}</ul></nav>"


class LinksOfRows(MadeSite):
    """Each row links to its kind, its place and its year, and answers to what finds nothing are a
    page of such links."""

    def show_row(self, item: Item, given: Mapping[str, str]) -> str:  # noqa: ARG002
        return (
            f'<h3><a href="/item/{item.number}">{item.title}</a></h3> in '
            f'<a href="/kind/{item.kind}">{item.kind}</a>, <a href="/place/{item.place}">'
            f'{item.place}</a>, <a href="/year/{item.year}">{item.year}</a> <p>{item.text}</p>'
        )

    def nothing(self, given: Mapping[str, str]) -> str:  # noqa: ARG002
        years = "".join(
            f'<li><a href="/year/{y}">Things of {y}</a></li>' for y in range(1900, 1940)
        )
        return f"<p>Try our lists:</p><ul>{years}</ul>"


class LinesOfPages(MadeSite):
    """Every line that holds the word is a row; the rows of a page follow one another, and their
    address has the word, which is marked there."""

    def show_list(self, items: Sequence[Item], given: Mapping[str, str]) -> str:
        words = given["q"].split()
        return f"<dl>{''.join(self.show_lines(item, words) for item in items)}</dl>"

    def show_lines(self, item: Item, words: Sequence[str]) -> str:
        address = f"/item/{item.number}?{urlencode({'hl': ' '.join(words)})}"
        lines = (item.title, *item.text.split(". "), f"{item.kind}, {item.place}", str(item.year))
        return "".join(
            f'<dt><a href="{escape(address)}">{item.title}</a><span>, L{number}</span></dt>'
            f"<dd>{line}</dd>"
            for number, line in enumerate(lines, start=1)
            if any(word.lower() in line.lower() for word in words)
        )


class EchoesTheQuery(MadeSite):
    """Repeats the query in sentences that hold words which are queries themselves, and looks up no
    common words."""

    def matches(self, word: str, item: Item) -> bool:
        return len(word) > 3 and super().matches(word, item)

    def say_total(self, found: Sequence[Item]) -> str:  # noqa: ARG002
        return ""

    def search(self, given: Mapping[str, str]) -> web.Response:
        asked = escape(given.get("q", ""))
        answer = super().search(given)
        heading = f"<h3 class='title'>Search results for: {asked}</h3>"
        text = (answer.text or "").replace("<ol", heading + "<ol", 1)
        return web.Response(text=text, content_type="text/html")

    def nothing(self, given: Mapping[str, str]) -> str:
        asked = escape(given.get("q", ""))
        return (
            f"<h3 class='title'>Search results for: {asked}</h3>"
            f"<p class='none'>Nothing found for &quot;{asked}&quot; by the of and for.</p>"
        )


class Groups(MadeSite):
    """Results stand under the heading of their kind."""

    def show_list(self, items: Sequence[Item], given: Mapping[str, str]) -> str:
        found = ""
        for kind in KINDS:
            own = [item for item in items if item.kind == kind]
            rows = "".join(f"<li>{self.show_row(item, given)}</li>" for item in own)
            found += f"<h2>{kind.title()} ({len(own)})</h2><ul>{rows}</ul>" if own else ""
        return found


class Redirects(MadeSite):
    """A query with one match leads to the thing's own page at once."""

    least_share: ClassVar[float] = 0.95

    def search(self, given: Mapping[str, str]) -> web.Response:
        found = self.find(given)
        if len(found) == 1 and int(given.get("page") or 1) == 1:
            raise web.HTTPFound(f"/item/{found[0].number}")
        return super().search(given)


class LastPageAgain(MadeSite):
    """Behind the last page comes the last page again, with a link to a next one."""

    def search(self, given: Mapping[str, str]) -> web.Response:
        found = self.find(given)
        last = max(1, -(-len(found) // self.page_size))
        number = min(int(given.get("page") or 1), last)
        return super().search({**given, "page": str(number)})

    def turn(self, given: Mapping[str, str], number: int, shown: int) -> str:
        return f'<p><a href="{self.turn_url(given, number + 1)}">Next</a></p>' if shown else ""


class WrongTotals(MadeSite):
    """Says twice as many as there are."""

    def say_total(self, found: Sequence[Item]) -> str:
        return f"<p>About {2 * len(found) + 3} results</p>"


class AnyWord(MadeSite):
    """Words joined by OR, ranked by how many match, and advertisements between results."""

    any_word: ClassVar[bool] = True

    def show_list(self, items: Sequence[Item], given: Mapping[str, str]) -> str:
        rows = [f"<div class='r'>{self.show_row(item, given)}</div>" for item in items]
        ad = "<div class='ad'><a href='http://ads.test/buy?x=1'>Buy old things</a> Ad</div>"
        return "".join([*rows[:2], ad, *rows[2:5], ad, *rows[5:]])


class German(MadeSite):
    """In German, in Latin-1, with totals and turning by numbers."""

    def page(self, body: str, status: int = 200) -> web.Response:
        text = (
            "<html lang=de><head><title>Die Sammlung</title></head><body><h1>Für alle: die "
            f"Sammlung</h1>{body}</body></html>"
        )
        return web.Response(
            body=text.encode("latin-1", "replace"),
            status=status,
            headers={"content-type": "text/html; charset=iso-8859-1"},
        )

    def form(self, given: Mapping[str, str]) -> str:
        return (
            '<form action="/find">Suche in der Sammlung: <input type="text" name="q" '
            f'value="{escape(given.get("q", ""))}"><input type="submit" value="Suchen"></form>'
        )

    def nothing(self, given: Mapping[str, str]) -> str:
        return f"<p>Für {escape(given.get('q', ''))} gibt es keine Treffer.</p>"

    def say_total(self, found: Sequence[Item]) -> str:
        return f"<p>{len(found)} Treffer</p>"

    def turn(self, given: Mapping[str, str], number: int, shown: int) -> str:
        last = -(-shown // self.page_size)
        return " ".join(
            f"<b>{n}</b>" if n == number else f'<a href="{self.turn_url(given, n)}">{n}</a>'
            for n in range(1, last + 1)
        )


class LimitsRate(MadeSite):
    """Every fifteenth request is answered with 429 and a short rest."""

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if len(self.log) % 15 == 0:
            return web.Response(text="slow down", status=429, headers={"retry-after": "0"})
        return super().respond(path, given, method)


class IgnoresTheQuery(MadeSite):
    """Lists the same ten things whatever is asked."""

    least_share: ClassVar[float] = 0.0
    says: ClassVar[str] = "ignores the query"

    def find(self, given: Mapping[str, str]) -> list[Item]:  # noqa: ARG002
        return list(self.items[:10])

    def say_total(self, found: Sequence[Item]) -> str:  # noqa: ARG002
        return ""


ANSWERS: tuple[type[MadeSite], ...] = (
    *(ZebraRows, RowsWithoutLinks, SnippetsWithoutLinks, Twins, SessionLinks, HelpPages),
    *(ForbidsShortWords, FailsOnSomeWords, TemplateChange, GrowingAnswers, GrowingCatalogue),
    *(
        RecentThings,
        FullFrame,
        LinksOfRows,
        LinesOfPages,
        EchoesTheQuery,
        Groups,
        Redirects,
        LastPageAgain,
        WrongTotals,
    ),
    *(AnyWord, German, LimitsRate, IgnoresTheQuery),
)
