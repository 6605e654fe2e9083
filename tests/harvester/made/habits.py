"""Sites that differ in how they behave: walls, soft bans, near matches, statuses, alphabets."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import ClassVar
from urllib.parse import quote, urlencode

from aiohttp import web

from tests.harvester.made.catalogue import KINDS, Item
from tests.harvester.made.site import MadeSite

_RUSSIAN = dict(zip("abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопкрстувщхызабц", strict=False))


class WallLater(MadeSite):
    """After thirty requests a login is asked for."""

    least_share: ClassVar[float] = 0.9
    says: ClassVar[str] = "blocked"

    def search(self, given: Mapping[str, str]) -> web.Response:
        if len(self.log) > 30:
            body = (
                "<h2>Please log in</h2><form action='/login' method='post'>Name <input name='u'> "
                "Password <input type='password' name='p'><button>Log in</button></form>"
            )
            return self.page(body)
        return super().search(given)


class SoftBan(MadeSite):
    """After forty requests nothing is found any more, whatever is asked."""

    least_share: ClassVar[float] = 0.9
    says: ClassVar[str] = "changed"

    def find(self, given: Mapping[str, str]) -> list[Item]:
        return super().find(given) if len(self.log) <= 40 else []


class NearMatches(MadeSite):
    """What finds nothing shows ten other things as if they matched, other ones each time."""

    least_share: ClassVar[float] = 0.9
    most_to_90: ClassVar[int] = 90

    def find(self, given: Mapping[str, str]) -> list[Item]:
        found = super().find(given)
        if found or not given.get("q"):
            return found
        begin = sum(map(ord, given["q"])) * 7 % self.count
        return [self.items[(begin + n) % self.count] for n in range(10)]


class NothingIs404(MadeSite):
    """What finds nothing has status 404."""

    def search(self, given: Mapping[str, str]) -> web.Response:
        found = super().search(given)
        if not self.find(given):
            return web.Response(
                text=found.text, status=404, content_type="text/html", charset="utf-8"
            )
        return found


class NothingLeadsHome(MadeSite):
    """What finds nothing leads to the home page."""

    def search(self, given: Mapping[str, str]) -> web.Response:
        if not self.find(given):
            raise web.HTTPFound("/")
        return super().search(given)


class LeadsToPath(MadeSite):
    """The form leads to an address with the words in its path."""

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        parts = path.strip("/").split("/")
        if path == "/find" and "page" not in given:
            raise web.HTTPFound(f"/found/{quote(given.get('q', '') or '-')}")
        if parts[0] == "found":
            number = parts[2] if len(parts) > 2 and parts[2].isdigit() else "1"
            return self.search({"q": parts[1] if parts[1] != "-" else "", "page": number})
        return super().respond(path, given, method)

    def turn_url(self, given: Mapping[str, str], number: int) -> str:
        return f"/found/{quote(given['q'])}/{number}"


class MustChoose(MadeSite):
    """A section must be chosen, or there is an error; none is chosen before."""

    def form(self, given: Mapping[str, str]) -> str:
        value = escape(given.get("q", ""), quote=True)
        choices = "".join(f'<option value="{kind}">{kind}' for kind in KINDS)
        return (
            f'<form action="/find">Find <input name="q" value="{value}"> in <select name="section">'
            f'<option value="">- please choose -{choices}</select><button>Search</button></form>'
        )

    def search(self, given: Mapping[str, str]) -> web.Response:
        if not given.get("section"):
            body = self.form(given) + '<p class="error">Please select a section.</p>'
            return self.page(body)
        return super().search(given)

    def find(self, given: Mapping[str, str]) -> list[Item]:
        text = given.get("q", "").lower()
        own = [item for item in self.items if item.kind == given.get("section")]
        return [item for item in own if not text or self.matches(text, item)]


class FieldChoice(MadeSite):
    """Radio buttons choose whether titles or texts are searched; titles are chosen before."""

    def form(self, given: Mapping[str, str]) -> str:
        value = escape(given.get("q", ""), quote=True)
        return (
            f'<form action="/find">Find <input name="q" value="{value}"> in <label><input '
            'type="radio" name="in" value="title" checked> titles</label> <label><input '
            'type="radio" name="in" value="text"> texts</label> <button>Search</button></form>'
        )

    def find(self, given: Mapping[str, str]) -> list[Item]:
        text = given.get("q", "").lower()
        own = "text" if given.get("in") == "text" else "title"
        return [i for i in self.items if text and text in getattr(i, own).lower().split()]


class CardsWithPictures(MadeSite):
    """Cards with a picture that bears the name, a price and a button, and no other text."""

    page_size: ClassVar[int] = 12

    def show_list(self, items: Sequence[Item], given: Mapping[str, str]) -> str:  # noqa: ARG002
        cards = "".join(
            f'<div class="card"><a href="/item/{i.number}"><img src="/p/{i.number}.jpg" '
            f'alt="{escape(i.title)}"></a><span class="price">{i.year}.00 €</span>'
            "<button>Add to cart</button></div>"
            for i in items
        )
        return f'<div class="grid">{cards}</div>'


class TwoKinds(MadeSite):
    """Matching kinds are listed before the things, each with a count."""

    def show_list(self, items: Sequence[Item], given: Mapping[str, str]) -> str:
        kinds = sorted({item.kind for item in items})
        head = "".join(
            f'<li><a href="/kind/{kind}?q={quote(given.get("q", ""))}">{kind}</a> '
            f"({sum(i.kind == kind for i in items)})</li>"
            for kind in kinds
        )
        return f'<ul class="kinds">{head}</ul>{super().show_list(items, given)}'


class EmptyPagesFollow(MadeSite):
    """Every page links to a next one, also the empty ones behind the last."""

    def turn(self, given: Mapping[str, str], number: int, shown: int) -> str:  # noqa: ARG002
        return f'<p><a href="{self.turn_url(given, number + 1)}">Next page</a></p>'


class CountsFromZero(MadeSite):
    """Pages are counted from zero, by numbers alone."""

    def search(self, given: Mapping[str, str]) -> web.Response:
        number = int(given.get("p") or 0)
        return super().search({**given, "page": str(number + 1)})

    def turn(self, given: Mapping[str, str], number: int, shown: int) -> str:
        last = -(-shown // self.page_size)
        q = quote(given.get("q", ""))
        return " ".join(
            f"<b>{n + 1}</b>" if n == number - 1 else f'<a href="/find?q={q}&amp;p={n}">{n + 1}</a>'
            for n in range(last)
        )


class ShufflesPages(MadeSite):
    """The order is another one for each page, so that answers repeat some and lack others."""

    def find(self, given: Mapping[str, str]) -> list[Item]:
        found, turn = super().find(given), len(self.log)
        return sorted(found, key=lambda item: (item.number * 7919 + turn * 104729) % 10007)


class Cyrillic(MadeSite):
    """In Russian, word by word, with no word of Latin letters."""

    def __init__(self) -> None:
        super().__init__()
        self.items = tuple(
            Item(i.number, _spell(i.title), _spell(i.text), _spell(i.kind), _spell(i.place), i.year)
            for i in self.items
        )

    def page(self, body: str, status: int = 200) -> web.Response:
        head = "<html lang=ru><title>Собрание</title>"
        text = f"{head}<body><h1>Собрание вещей</h1>{body}</body></html>"
        return web.Response(text=text, status=status, content_type="text/html")

    def home(self) -> str:
        return f"<p>{self.items[3].text} {self.items[40].text}</p>{self.form({})}"

    def form(self, given: Mapping[str, str]) -> str:
        return (
            '<form action="/find">Поиск по собранию: <input type="text" name="q" '
            f'value="{escape(given.get("q", ""))}"><input type="submit" value="Найти"></form>'
        )

    def nothing(self, given: Mapping[str, str]) -> str:
        return f"<p>По запросу {escape(given.get('q', ''))} ничего не найдено.</p>"

    def say_total(self, found: Sequence[Item]) -> str:
        return f"<p>Найдено: {len(found)}</p>"

    def turn(self, given: Mapping[str, str], number: int, shown: int) -> str:
        if number * self.page_size >= shown:
            return ""
        url = escape("/find?" + urlencode({**given, "page": str(number + 1)}), quote=True)
        return f'<p><a href="{url}">Следующая страница</a></p>'


def _spell(text: str) -> str:
    return "".join(_RUSSIAN.get(letter, letter) for letter in text.lower())


class OpenedByScript(MadeSite):
    """Rows are opened by a script that has their address; nothing is a link."""

    def show_row(self, item: Item, given: Mapping[str, str]) -> str:  # noqa: ARG002
        return (
            f"<div onclick=\"location.href='/item/{item.number}'\"><b>{item.title}</b> "
            f"<p>{item.text}</p></div>"
        )


class IgnoresTheQueryInData(MadeSite):
    """Lists the same ten things whatever is asked, as data, and has no other door."""

    start: ClassVar[str] = "/api?q={query}"
    least_share: ClassVar[float] = 0.0
    says: ClassVar[str] = "ignores the query"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path != "/api":
            return super().respond(path, given, method)
        rows = [{"id": i.number, "title": i.title, "text": i.text} for i in self.items[:10]]
        return web.Response(text=json.dumps({"things": rows}), content_type="application/json")

    def form(self, given: Mapping[str, str]) -> str:  # noqa: ARG002
        return ""


HABITS: tuple[type[MadeSite], ...] = (
    *(WallLater, SoftBan, NearMatches, NothingIs404, NothingLeadsHome, LeadsToPath, MustChoose),
    *(FieldChoice, CardsWithPictures, TwoKinds, EmptyPagesFollow, CountsFromZero, ShufflesPages),
    *(Cyrillic, OpenedByScript, IgnoresTheQueryInData),
)
