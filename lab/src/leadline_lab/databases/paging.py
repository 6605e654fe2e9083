"""Which part of an answer a request wants, and how a page leads to the next one."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from urllib.parse import urlencode

import msgspec
import numpy as np
from msgspec import Struct

from leadline_lab.databases.column import Rows
from leadline_lab.databases.gate import Names, hidden_values, names_of
from leadline_lab.databases.kinds import Source
from leadline_lab.databases.phrases import Speech
from leadline_lab.databases.query import MAX_CHARS
from leadline_lab.databases.records import key_of_record, number_of_key
from leadline_lab.draw import key_of
from leadline_lab.markup.model import Anchor, Block, Control, FormModel, Links

_MAX_PARAMETERS = 40
_MAX_PARCEL_CHARS = 20_000
_WINDOW = 4
"""Numbers shown on either side of the page one is on."""
_SIZES = ("10", "20", "25", "40", "50", "100")


class Window(Struct, frozen=True):
    """The results `start`..`end` - 1 of `count`."""

    start: int
    end: int
    count: int
    size: int

    @property
    def page(self) -> int:
        """From 1 on."""
        return self.start // self.size + 1

    @property
    def pages(self) -> int:
        return -(-self.count // self.size)


def received(source: Source, parameters: Mapping[str, str]) -> dict[str, str]:
    """The parameters a source takes notice of, an earlier page's parcel opened."""
    parcel = names_of(source).parcel
    clean = {}
    for name, value in list(parameters.items())[:_MAX_PARAMETERS]:
        if name != parcel and len(name) <= MAX_CHARS and len(value) <= MAX_CHARS:
            clean[_clean(name)] = _clean(value)
    return clean | _opened(source, parameters.get(parcel, ""))


def window_of(source: Source, names: Names, parameters: Mapping[str, str], rows: Rows) -> Window:
    asked = parameters.get(names.size, "")
    size = int(asked) if asked in _SIZES else source.behaviour.page_size
    count = len(rows)
    start = _start(source, names, parameters, rows) * (1 if _is_exact(source) else size)
    if start >= count and source.behaviour.past_end == "last":
        start = max(0, (count - 1) // size * size)
    elif start >= count and source.behaviour.past_end == "first":
        start = 0
    start = min(start, count)
    return Window(start, min(start + size, count), count, size)


class Turner:
    """Makes what turns the pages of one answer.

    Everything the request said is said again, but for the place in the answer
    and the token, which is a fresh one.
    """

    def __init__(
        self, source: Source, names: Names, parameters: Mapping[str, str], action: str, now: float
    ) -> None:
        self.source = source
        self.names = names
        self.speech = Speech(source.key, source.language)
        self._action = action
        places = (self.names.page, self.names.offset, self.names.after, self.names.token)
        kept = {name: value for name, value in parameters.items() if name not in places}
        self._kept = kept | hidden_values(source, now)

    def url(self, changes: Mapping[str, str]) -> str:
        """Of the answer's first page with some parameters changed."""
        asked = urlencode({**self._kept, **changes})
        return f"{self._action}{'&' if '?' in self._action else '?'}{asked}"

    def blocks(self, window: Window, rows: Rows) -> tuple[Block, ...]:
        """Nothing when there is one page only."""
        if window.count <= window.size:
            return ()
        paging = self.source.behaviour.paging
        if paging in ("post", "button"):
            return tuple(self._forms(window))
        anchors = tuple(self._anchors(window, rows))
        return (Links("pager", anchors),) if anchors else ()

    def _anchors(self, window: Window, rows: Rows) -> list[Anchor]:
        say, paging = self.speech.say, self.source.behaviour.paging
        anchors = []
        if window.start and paging != "keyset":
            anchors.append(Anchor(self._page_url(window, window.page - 1), say("previous")))
        if paging in ("numbered", "offset"):
            first, last = max(1, window.page - _WINDOW), min(window.pages, window.page + _WINDOW)
            anchors += [
                Anchor(self._page_url(window, page), str(page))
                for page in range(first, last + 1)
                if page != window.page
            ]
        if window.end < window.count and paging == "keyset":
            key = key_of_record(self.source, int(rows[window.end - 1]))
            anchors.append(Anchor(self.url({self.names.after: key}), say("next")))
        elif window.end < window.count:
            anchors.append(Anchor(self._page_url(window, window.page + 1), say("next")))
        return anchors

    def _page_url(self, window: Window, page: int) -> str:
        if self.source.behaviour.paging == "offset":
            return self.url({self.names.offset: str((page - 1) * window.size)})
        return self.url({self.names.page: str(page)})

    def _forms(self, window: Window) -> list[FormModel]:
        forms = []
        if window.start:
            forms.append(self._form(window.page - 1, "previous"))
        if window.end < window.count:
            forms.append(self._form(window.page + 1, "next"))
        return forms

    def _form(self, page: int, word: str) -> FormModel:
        asked = {**self._kept, self.names.page: str(page)}
        method = "post"
        if self.source.behaviour.paging == "button":
            asked = {self.names.parcel: _packed(self.source, asked)}
            method = "get" if len(asked[self.names.parcel]) < 1_000 else "post"
        controls = tuple(Control(name, "hidden", value=value) for name, value in asked.items())
        return FormModel(self._action, controls, method, (("", self.speech.say(word)),))


def size_links(turner: Turner) -> Links:
    anchors = (Anchor(turner.url({turner.names.size: n}), n) for n in _SIZES)
    return Links("list", tuple(anchors), turner.speech.say("size"))


def _is_exact(source: Source) -> bool:
    """Whether places in the answer are told in results, not in pages."""
    return source.behaviour.paging in ("offset", "keyset")


def _start(source: Source, names: Names, parameters: Mapping[str, str], rows: Rows) -> int:
    """In results or in pages, from 0 on."""
    paging = source.behaviour.paging
    if paging == "offset":
        return _whole(parameters.get(names.offset, ""))
    if paging == "keyset":
        return _after(source, parameters.get(names.after, ""), rows)
    return max(0, _whole(parameters.get(names.page, "")) - 1)


def _after(source: Source, key: str, rows: Rows) -> int:
    """The place after that record; the end for one that is not among the results."""
    if not key:
        return 0
    number = number_of_key(source, key)
    if number is None:
        return len(rows)
    places = np.flatnonzero(rows == number)
    return int(places[0]) + 1 if len(places) else len(rows)


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _packed(source: Source, parameters: Mapping[str, str]) -> str:
    body = urlsafe_b64encode(msgspec.json.encode(parameters)).decode()
    return f"{_seal(source, body)}.{body}"


def _opened(source: Source, parcel: str) -> dict[str, str]:
    seal, _, body = parcel[:_MAX_PARCEL_CHARS].partition(".")
    if not body or seal != _seal(source, _clean(body)):
        return {}
    try:
        return msgspec.json.decode(urlsafe_b64decode(body), type=dict[str, str])
    except (Base64Error, ValueError):
        return {}


def _seal(source: Source, body: str) -> str:
    return f"{key_of(source.key, 'seal', body):016x}"


def _clean(text: str) -> str:
    """Without halves of characters, which no page could say."""
    return text.encode("utf-8", "replace").decode()
