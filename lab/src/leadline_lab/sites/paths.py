"""URLs of a site's pages and back: words in some sites, numbers that tell nothing in others."""

import re
from functools import cached_property

from msgspec import Struct

from leadline_lab.draw import Draw, Shuffle, key_of
from leadline_lab.schemas import SCHEMAS
from leadline_lab.sites.naming import item_title, slug, title, title_words
from leadline_lab.sites.plan import Place, Plan

_ENDINGS = ("", "", ".html", ".htm", ".php", ".asp", ".jsp", ".cgi", ".aspx")
_SCRIPTS = (
    "p",
    "view",
    "index.php",
    "show.asp",
    "page.jsp",
    "content.php",
    "x.cgi",
    "default.aspx",
)
_PARAMETERS = ("id", "p", "page_id", "n", "item", "doc", "cid", "ref", "pid", "node")
_FIXED_WORDS = {
    "about": ("about", "about-us", "company", "who-we-are"),
    "contact": ("contact", "contact-us", "feedback"),
    "login": ("login", "signin", "account/login", "members"),
    "register": ("register", "signup", "join"),
    "help": ("help", "support", "search-help"),
    "terms": ("terms", "legal", "conditions"),
    "privacy": ("privacy", "privacy-policy"),
    "sitemap": ("sitemap", "map", "index-of-pages"),
    "cart": ("cart", "basket", "checkout"),
    "faq": ("faq", "questions", "help/faq"),
    "press": ("press", "news-room", "media"),
    "partners": ("partners", "links", "affiliates"),
}
_FORM_WORDS = ("search", "advanced-search", "find", "advsearch", "query", "lookup", "finder")
_GATE_WORDS = ("services", "resources", "browse", "online", "tools", "collections", "catalog")
_ACTION_WORDS = ("results", "find", "search/results", "list", "query", "do", "lookup", "hits")
_RECORD_WORDS = ("record", "detail", "entry", "show", "full", "title")
_SENT_WORDS = ("send", "submit", "form", "process", "go", "post")
_SESSIONS = ("sid", "PHPSESSID", "s", "visit", "u", "tk")
"""Some of these a crawler knows and drops, others not."""
_MOST_OTHER_FORMS = 3
_CODES = 1 << 16
"""Numbers pages may have: as many in small sites as in large ones, so that they tell no size."""
_number = re.compile(r"[0-9]+")
_record = re.compile(r"([0-9])-([0-9]{1,12})").fullmatch


class Route(Struct, frozen=True):
    """What a URL asks its site for."""

    kind: str
    """page, action, record, sent, calendar, loop; `endless` and `facet` are lists of a trap."""
    place: Place | None = None
    number: int = 0
    """Of an action its interface, of a record its database, of a list its page from 0, of a
    calendar its month, of a loop its step."""
    name: str = ""
    """Of a record."""


class Paths:
    """The URLs of one site. A path begins with a slash and may carry a query."""

    def __init__(self, plan: Plan, opaque: int) -> None:
        self._plan = plan
        draw = Draw(key_of(plan.key, "paths"))
        self._codes = Shuffle(key_of(plan.key, "codes"), max(_CODES, plan.pages))
        self._titles_key = key_of(plan.key, "titles")
        self.is_opaque = draw.chance(opaque)
        self._style = draw.below(3)
        self._ending = draw.pick(_ENDINGS)
        self._script = draw.pick(_SCRIPTS)
        self._parameter = draw.pick(_PARAMETERS)
        self._records = f"/{draw.pick(_RECORD_WORDS)}/"
        self.session = draw.pick(_SESSIONS)

    # Worked out when asked for: most sites are linked to and never visited.

    @cached_property
    def section_names(self) -> tuple[str, ...]:
        key = key_of(self._plan.key, "sections")
        names = []
        for number, section in enumerate(self._plan.sections):
            words = title_words(section.topic, self._plan.language)
            drawn = title(words, key_of(key, number)).split()
            names.append(" ".join(drawn[: 1 + number % 2]).capitalize())
        return tuple(names)

    @cached_property
    def _folders(self) -> list[str]:
        folders: list[str] = []
        for name in self.section_names:
            folder = "/" + slug(name)
            while folder in folders:
                folder += "-more"
            folders.append(folder)
        return folders

    @cached_property
    def _actions(self) -> list[str]:
        draw = Draw(key_of(self._plan.key, "actions"))
        paths: list[str] = []
        for number, _ in enumerate(self._plan.interfaces):
            path = f"/{draw.pick(_ACTION_WORDS)}{self._ending}"
            if self.is_opaque:
                path = f"/{self._script}/{draw.between(100, 999)}"
            paths.append(path if path not in paths else f"{path}/more{number}")
        return paths

    @cached_property
    def _sent(self) -> list[str]:
        draw = Draw(key_of(self._plan.key, "sent"))
        paths: list[str] = []
        while len(paths) < _MOST_OTHER_FORMS:
            path = f"/{draw.pick(_SENT_WORDS)}{self._ending}"
            if self.is_opaque or path in paths:
                path = f"/{self._script}/{draw.between(100, 999)}"
            if path not in paths and path not in self._actions:
                paths.append(path)
        return paths

    @cached_property
    def _fixed(self) -> dict[int, str]:
        """Paths of fixed and special pages of a site whose URLs speak."""
        if self.is_opaque:
            return {}
        draw = Draw(key_of(self._plan.key, "fixed"))
        lists = (self.list_page(section, 0) for section in range(len(self._folders)))
        taken = {*lists, *self._actions, *self._sent}
        paths: dict[int, str] = {}
        for index, name in enumerate(self._plan.fixed):
            paths[1 + index] = self._named(draw.pick(_FIXED_WORDS[name]), taken)
        for index, special in enumerate(self._plan.specials):
            schema = SCHEMAS[self._plan.interfaces[special.interface].schema]
            general = _GATE_WORDS if special.level else _FORM_WORDS
            word = draw.pick(general) if draw.chance(500) else draw.pick(schema.paths)
            paths[self._plan.first_special + index] = self._named(word, taken)
        return paths

    def _named(self, word: str, taken: set[str]) -> str:
        path, count = f"/{word}{self._ending}", 2
        while path in taken:
            path, count = f"/{word}/{count}{self._ending}", count + 1
        taken.add(path)
        return path

    @cached_property
    def _by_path(self) -> dict[str, int]:
        return {path: number for number, path in self._fixed.items()}

    @cached_property
    def _by_action(self) -> dict[str, int]:
        return {path: number for number, path in enumerate(self._actions)}

    def code(self, number: int) -> int:
        """A page's number as its URL shows it."""
        return 1_000 + self._codes.at(number)

    def page(self, place: Place) -> str:
        """The path of a page."""
        if place.number == 0:
            return "/"
        if place.role == "list":
            return self.list_page(place.section, place.index)
        if self.is_opaque:
            return f"/{self._script}?{self._parameter}={self.code(place.number)}"
        return self._fixed.get(place.number) or self._item(place)

    def list_page(self, section: int, index: int) -> str:
        """Also beyond the last one, for lists without end."""
        if self.is_opaque:
            first = f"/{self._script}?{self._parameter}={self.code(self._plan.list_page(section))}"
            return f"{first}&page={index + 1}" if index else first
        folder = self._folders[section]
        if not index:
            return f"{folder}/" if self._style else f"{folder}{self._ending or '/'}"
        if self._style == 0:
            return f"{folder}-{index + 1}{self._ending or '.html'}"
        return f"{folder}/page/{index + 1}" if self._style == 1 else f"{folder}/?page={index + 1}"

    def _item(self, place: Place) -> str:
        folder = self._folders[place.section]
        code = self.code(place.number)
        if self._style == 2:
            return f"{folder}/{self._script}?{self._parameter}={code}"
        name = slug(self.item_name(place))
        if self._style == 0:
            return f"{folder}/{code}-{name}{self._ending}"
        return f"{folder}/{name}-{code}{self._ending or '/'}"

    def item_name(self, place: Place) -> str:
        words = title_words(self._plan.sections[place.section].topic, self._plan.language)
        return item_title(words, self._titles_key, place.number)

    def action(self, interface: int) -> str:
        return self._actions[interface]

    def record(self, database: int, name: str) -> str:
        return f"{self._records}{database}-{name}"

    def sent(self, number: int) -> str:
        """Where a form that is no search goes."""
        return self._sent[number]

    def route(self, path: str, query: str) -> Route | None:
        """What a path asks for; None for nothing there."""
        whole = f"{path}?{query}" if query else path
        if whole == "/":
            return Route("page", self._plan.place(0))
        if path in self._sent:
            return Route("sent", number=self._sent.index(path))
        if path in self._by_action:
            return Route("action", number=self._by_action[path])
        if whole in self._by_path:
            return Route("page", self._plan.place(self._by_path[whole]))
        return self._numbered(path, whole) or self._list_route(whole)

    def _numbered(self, path: str, whole: str) -> Route | None:
        found = _number.findall(whole)
        for text in found[-2:]:
            code = int(text[:18]) - 1_000
            if 0 <= code < self._codes.size:
                number = self._codes.back(code)
                if number < self._plan.pages:
                    place = self._plan.place(number)
                    if self.page(place) == whole:
                        return Route("page", place)
        if path.startswith(self._records):
            named = _record(path[len(self._records) :])
            if named:
                return Route("record", number=int(named[1]), name=named[2])
        return None

    def _list_route(self, whole: str) -> Route | None:
        found = _number.findall(whole)
        indexes = [max(0, int(found[-1][:9]) - 1), 0] if found else [0]
        for index in indexes:
            for section, shape in enumerate(self._plan.sections):
                if self.list_page(section, index) == whole:
                    kind = "page" if index < shape.lists else "endless"
                    place = Place(self._plan.list_page(section, index), "list", section, index)
                    return Route(kind, place, number=index)
        return None
