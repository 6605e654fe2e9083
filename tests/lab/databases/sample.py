"""A small schema and word source for the tests of databases."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from msgspec.structs import replace

from leadline_lab.databases import Answer, Behaviour, Bound, Index, Lexicon, Source, respond
from leadline_lab.databases.chance import zipf
from leadline_lab.draw import Numbers, key_of
from leadline_lab.markup.model import FormModel, Links
from leadline_lab.schema import Attribute, Schema

SYLLABLES = ("ba", "ne", "tor", "li", "mus", "ka", "ren", "so", "vi", "dal")


def _attribute(name: str, kind: str, choices: tuple[str, ...] = ()) -> Attribute:
    return Attribute(name, kind, {"en": (name.title(),)}, (name,), choices)


BOOKS = Schema(
    "book",
    (
        _attribute("title", "title"),
        _attribute("about", "text"),
        _attribute("author", "person"),
        _attribute("city", "place"),
        _attribute("genre", "category", ("Science Fiction", "Crime", "Poetry", "History")),
        _attribute("year", "year"),
        _attribute("price", "price"),
        _attribute("added", "date"),
        _attribute("pages", "number"),
        _attribute("isbn", "code"),
    ),
    one={"en": ("book",)},
    many={"en": ("books",)},
    prompts={"en": ("Find a book",)},
    paths=("catalog",),
)
BOX: Bound = {"q": "*"}
NOW = 1_000_000.0


def words(numbers: Numbers) -> list[str]:
    """Made of syllables, so that words contain each other; the first is a stop word."""
    return [_word(int(rank)) for rank in zipf(numbers, 3000)]


@lru_cache(maxsize=4096)
def _word(rank: int) -> str:
    if rank == 0:
        return "the"
    found = ""
    while rank:
        rank, digit = divmod(rank, 10)
        found += SYLLABLES[digit]
    return found


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    return Lexicon(words)


def source(size: int = 1000, key: int = 5, **behaviour: Any) -> Source:
    return Source(key_of(key, "test"), BOOKS, size, replace(Behaviour(), **behaviour))


def index(size: int = 1000, key: int = 5, **behaviour: Any) -> Index:
    return Index(source(size, key, **behaviour), lexicon())


def record_url(number: int) -> str:
    return f"/item/{number}"


def ask(
    found: Index, parameters: Mapping[str, str], bound: Bound = BOX, now: float = NOW
) -> Answer:
    return respond(found, bound, parameters, action="/search", record_url=record_url, now=now)


def next_request(answer: Answer) -> dict[str, str] | None:
    """What the page's last pager link or form asks for, if it says that it goes on."""
    asked: dict[str, str] | None = None
    for block in answer.blocks:
        if isinstance(block, Links) and block.kind == "pager" and _goes_on(block.anchors[-1].text):
            asked = dict(parse_qsl(urlsplit(block.anchors[-1].href).query, True))
        if isinstance(block, FormModel) and _goes_on(block.submits[0][1]):
            asked = {control.name: control.value for control in block.controls}
    return asked


def walk(found: Index, parameters: dict[str, str], bound: Bound = BOX) -> Iterator[Answer]:
    asked: dict[str, str] | None = parameters
    while asked is not None:
        answer = ask(found, asked, bound)
        yield answer
        asked = next_request(answer)


def _goes_on(text: str) -> bool:
    return text.startswith(("Next", ">", "More"))
