"""Which links lead to a search form, whatever the topic: named features of a link."""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from leadline.core.page import Link
from leadline.learn.model_files import read_model
from leadline.learn.search_words import CLASSES, find_classes

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


@lru_cache(maxsize=100_000)
def shape_of(url: str) -> str:
    """The URL with what varies among pages of one kind left out."""
    parts = urlsplit(url)
    segments = parts.path.split("/")[1:]
    shaped = [_shape_segment(one, is_last=n == len(segments) - 1) for n, one in enumerate(segments)]
    params = []
    for pair in parts.query.split("&") if parts.query else ():
        name, _, value = pair.partition("=")
        params.append(f"{name}={value}" if _WORDY(value.lower()) else name)
    return f"{parts.netloc}/{'/'.join(shaped)}?{'&'.join(sorted(params))}"


def _shape_segment(segment: str, *, is_last: bool) -> str:
    name, dot, ending = segment.rpartition(".")
    if not dot or len(ending) > 5:
        name, ending = segment, ""
    if not is_last:
        return "*" if _slug.fullmatch(name) or len(name) > 24 else _digits.sub("0", name)
    if _digits.search(name) or _slug.search(name) or len(name) > 24:
        return f"*.{ending}"
    return f"{name}.{ending}"


@lru_cache(maxsize=20_000)
def _of_address(url: str) -> tuple[int, ...]:
    parts = urlsplit(url)
    found = [
        NUMBERS[f"address: {name}"]
        for name, has in zip(CLASSES, find_classes(f"{parts.path} {parts.query}"), strict=True)
        if has
    ]
    labels = (parts.hostname or "").split(".")[:-2]
    in_host = find_classes(" ".join(labels).removeprefix("www"))
    found += [
        NUMBERS[f"host: {name}"] for name, has in zip(CLASSES[:2], in_host, strict=False) if has
    ]
    steps = [one for one in parts.path.split("/") if one]
    if not steps and not parts.query:
        found.append(NUMBERS["address: home page"])
    elif len(steps) == 1:
        found.append(NUMBERS["address: one step deep"])
    elif len(steps) > 3:
        found.append(NUMBERS["address: over three steps deep"])
    if _long_number.search(f"{parts.path} {parts.query}"):
        found.append(NUMBERS["address: long number"])
    if _date.search(parts.path):
        found.append(NUMBERS["address: date"])
    if steps and _slug.search(steps[-1]):
        found.append(NUMBERS["address: long title"])
    params = parts.query.count("&") + 1 if parts.query else 0
    if params:
        found.append(
            NUMBERS["address: one parameter" if params == 1 else "address: several parameters"]
        )
    if steps and "." in steps[-1]:
        found.append(NUMBERS["address: file"])
    return tuple(found)


@lru_cache(maxsize=20_000)
def _of_anchor(text: str) -> tuple[int, ...]:
    found = [
        NUMBERS[f"anchor: {name}"]
        for name, has in zip(CLASSES, find_classes(text), strict=True)
        if has
    ]
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
def _of_place(tag_path: str) -> tuple[int, ...]:
    path = tag_path.lower()
    return tuple(NUMBERS[f"place: {name}"] for name, find in PLACES.items() if find.search(path))


def describe_address(url: str) -> NDArray[np.float32]:
    """A row of which only the address is known."""
    row = np.zeros(len(FEATURES), np.float32)
    row[[*_of_address(url)]] = 1.0
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
    for row, link, is_repeated in zip(rows, links, repeats, strict=True):
        on = [*_of_anchor(link.anchor), *_of_address(link.target), *_of_place(link.tag_path)]
        if is_repeated:
            on.append(NUMBERS["place: on most pages"])
        row[on] = 1.0
    return rows
