"""Which links lead to a search form, whatever the topic: named features of a link."""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.core.page import Link
from leadline.learn.model_files import read_model
from leadline.learn.search_words import CLASSES, number_classes

PLACES = {
    "navigation": re.compile(r"nav|menu|topbar|sidebar"),
    "header": re.compile(r"header|\bhead\b|masthead|banner|topbar"),
    "footer": re.compile(r"foot|bottom|legal"),
    "main": re.compile(r"main|content|article|post"),
    "list": re.compile(r"/(?:ul|ol|dl|table)"),
}
_digits = re.compile(r"\d+")
_long_number = re.compile(r"\d{3,}")
_date = re.compile(r"/(?:19|20)\d\d(?:/|-)\d\d")
_slug = re.compile(r"[^-_/]+(?:[-_][^-_/]+){3,}")
_LEAST_SLUG = 7
"""Characters of the shortest."""
_WORDY = re.compile(r"[a-z]{1,14}").fullmatch

FEATURES = (
    *(f"anchor: {name}" for name in CLASSES),
    *(f"address: {name}" for name in CLASSES),
    *(f"host: {name}" for name in CLASSES[:2]),
    "anchor: none",
    "anchor: one word",
    "anchor: two or three words",
    "anchor: over six words",
    "anchor: has digits",
    *(f"place: {name}" for name in PLACES),
    "place: on most pages",
    "address: home page",
    "address: one step deep",
    "address: over three steps deep",
    "address: long number",
    "address: date",
    "address: long title",
    "address: one parameter",
    "address: several parameters",
    "address: file",
)
NUMBERS = {name: number for number, name in enumerate(FEATURES)}
MODEL_KIND = "search links"
LinkMatrix = NDArray[np.float32]


class _Part(NamedTuple):
    """What a part of a path says: its folders, or its last step."""

    shape: str
    classes: int
    """As bits (`number_classes`)."""
    has_long_number: bool
    last: str
    """Its last step."""
    depth: int


class AddressFeatures(NamedTuple):
    """What an address says."""

    shape: str
    """The address with what varies among pages of one kind left out."""
    numbers: tuple[int, ...]
    """Those of FEATURES that it has."""


def shape_of(url: str) -> str:
    """The URL with what varies among pages of one kind left out."""
    return read_address(url).shape


def _split_url(url: str) -> tuple[str, str, str]:
    """Host, path and query: `urlsplit` takes three times as long."""
    start = url.find("//") + 2
    path_at = url.find("/", start)
    if path_at < 0:
        return url[start:], "/", ""
    path, _, query = url[path_at:].partition("?")
    return url[start:path_at], path, query


@lru_cache(maxsize=50_000)
def _read_folders(path: str) -> _Part:
    """Of a path without its last step: most links of a site share theirs with others."""
    segments = path.split("/")[1:]
    steps = [one for one in segments if one]
    shape = "".join(f"{_shape_step(segment)}/" for segment in segments)
    last = steps[-1] if steps else ""
    is_long = _long_number.search(path) is not None
    return _Part(shape, number_classes(path), is_long, last, len(steps))


@lru_cache(maxsize=50_000)
def _read_name(segment: str) -> _Part:
    """Of the last step of a path."""
    is_long = _long_number.search(segment) is not None
    shape = _shape_name(segment)
    return _Part(shape, number_classes(segment), is_long, segment, 1 if segment else 0)


def _shape_step(segment: str) -> str:
    """Of a folder."""
    name, dot, ending = segment.rpartition(".")
    if not dot or len(ending) > 5:
        name = segment
    return "*" if _slug.fullmatch(name) or len(name) > 24 else _digits.sub("0", name)


def _shape_name(segment: str) -> str:
    """Of the last part of a path."""
    name, dot, ending = segment.rpartition(".")
    if not dot or len(ending) > 5:
        name, ending = segment, ""
    if _digits.search(name) or _slug.search(name) or len(name) > 24:
        return f"*.{ending}"
    return f"{name}.{ending}"


def _shape_query(query: str) -> str:
    params = []
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        params.append(f"{name}={value}" if _WORDY(value.lower()) else name)
    return "&".join(sorted(params))


def _list_classes(kind: str, count: int = len(CLASSES)) -> tuple[tuple[int, ...], ...]:
    """The numbers of the features of a kind, by the bits of `number_classes`."""
    return tuple(
        tuple(NUMBERS[f"{kind}: {CLASSES[at]}"] for at in range(count) if bits >> at & 1)
        for bits in range(1 << len(CLASSES))
    )


_OF_ANCHORS, _OF_ADDRESSES = _list_classes("anchor"), _list_classes("address")
_OF_HOSTS = _list_classes("host", 2)
_HOME, _ONE_STEP, _DEEP, _LONG_NUMBER, _DATE, _LONG_TITLE, _ONE_PARAMETER, _PARAMETERS, _FILE = (
    NUMBERS[f"address: {name}"]
    for name in (
        *("home page", "one step deep", "over three steps deep", "long number", "date"),
        *("long title", "one parameter", "several parameters", "file"),
    )
)
REPEATED = NUMBERS["place: on most pages"]


def read_address(url: str) -> AddressFeatures:
    """Its shape and features."""
    host, path, query = _split_url(url)
    at = path.rfind("/")
    folders, name = _read_folders(path[:at]), _read_name(path[at + 1 :])
    classes = folders.classes | name.classes
    has_long_number = folders.has_long_number or name.has_long_number
    shape = f"{host}/{folders.shape}{name.shape}?"
    depth, last = folders.depth + name.depth, name.last or folders.last
    found = list(_of_host(host))
    if query:
        classes |= number_classes(query)
        has_long_number = has_long_number or _long_number.search(query) is not None
        shape += _shape_query(query)
        found.append(_PARAMETERS if "&" in query else _ONE_PARAMETER)
    found += _OF_ADDRESSES[classes]
    if not depth and not query:
        found.append(_HOME)
    elif depth == 1:
        found.append(_ONE_STEP)
    elif depth > 3:
        found.append(_DEEP)
    if has_long_number:
        found.append(_LONG_NUMBER)
        if _date.search(path):
            found.append(_DATE)
    if len(last) >= _LEAST_SLUG and _slug.search(last):
        found.append(_LONG_TITLE)
    if "." in last:
        found.append(_FILE)
    return AddressFeatures(shape, tuple(found))


@lru_cache(maxsize=20_000)
def _of_host(host: str) -> tuple[int, ...]:
    labels = host.partition(":")[0].split(".")[:-2]
    return _OF_HOSTS[number_classes(" ".join(labels).removeprefix("www"))]


@lru_cache(maxsize=20_000)
def number_anchor(text: str) -> tuple[int, ...]:
    """The features of an anchor, by number."""
    found = [*_OF_ANCHORS[number_classes(text)]]
    words = len(text.split())
    if not words:
        found.append(NUMBERS["anchor: none"])
    elif words == 1:
        found.append(NUMBERS["anchor: one word"])
    elif words <= 3:
        found.append(NUMBERS["anchor: two or three words"])
    elif words > 6:
        found.append(NUMBERS["anchor: over six words"])
    if _digits.search(text):
        found.append(NUMBERS["anchor: has digits"])
    return tuple(found)


@lru_cache(maxsize=20_000)
def number_place(tag_path: str) -> tuple[int, ...]:
    """The features of a place, by number."""
    path = tag_path.lower()
    return tuple(NUMBERS[f"place: {name}"] for name, find in PLACES.items() if find.search(path))


def describe_address(url: str) -> NDArray[np.float32]:
    """A row of which only the address is known."""
    row = np.zeros(len(FEATURES), np.float32)
    row[[*read_address(url).numbers]] = 1.0
    return row


@lru_cache(maxsize=1)
def open_link_weights() -> NDArray[np.float32]:
    """What each of FEATURES says for leading to a search form: log-odds, taught on real pages."""
    loaded = read_model(files("leadline.learn") / "models" / "search_links", MODEL_KIND)
    known = dict(
        zip(loaded.arrays["names"].tolist(), loaded.arrays["weights"].tolist(), strict=True)
    )
    return np.array([known.get(name, 0.0) for name in FEATURES], np.float32)


def family_of(link: Link) -> str:
    """Links of one page that look alike: the same shape of URL at the same place."""
    return f"{shape_of(link.target)} {link.tag_path}"


def describe_links(links: Sequence[Link], repeats: Sequence[bool]) -> LinkMatrix:
    """One row per link, one column per name of FEATURES."""
    rows = np.zeros((len(links), len(FEATURES)), np.float32)
    on: list[int] = []
    for number, (link, is_repeated) in enumerate(zip(links, repeats, strict=True)):
        start = number * len(FEATURES)
        on += [start + one for one in number_anchor(link.anchor)]
        on += [start + one for one in read_address(link.target).numbers]
        on += [start + one for one in number_place(link.tag_path)]
        if is_repeated:
            on.append(start + REPEATED)
    rows.reshape(-1)[on] = 1.0
    return rows
