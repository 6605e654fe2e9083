"""What experiments ask of a world: answers, seeds and the truth."""

from typing import Any, Protocol

from leadline.core.http import Request
from leadline.core.page import Form
from leadline.core.url import Url
from leadline_lab.reply import Reply
from leadline_lab.server.transport import Answering


class PageTruth(Protocol):
    """What a page really is."""

    @property
    def site(self) -> int: ...

    @property
    def kind(self) -> str:
        """Its role; `missing` for a URL behind which there is no page."""
        ...

    @property
    def interfaces(self) -> tuple[int, ...]:
        """Searchable interfaces on it that need no scripts."""
        ...

    @property
    def trap(self) -> str:
        """Which trap it belongs to, or ''."""
        ...


class Truth(Protocol):
    """Knows a world from the inside."""

    def page(self, url: Url) -> PageTruth: ...

    def domains_of(self, interface: int) -> frozenset[str]: ...

    def is_relevant(self, page: Any, domain: str) -> bool:
        """`page` is what `page` gave."""
        ...

    def form(self, form: Form) -> int | None:
        """The searchable interface a form is, or None."""
        ...


class World(Answering, Protocol):
    """A whole web."""

    @property
    def truth(self) -> Truth: ...

    def seeds(self, domain: str, n: int) -> list[Url]: ...


class AskedWorld:
    """A world that remembers what it was asked since the last look."""

    def __init__(self, world: Answering) -> None:
        self._world = world
        self._asked: list[Url] = []

    def answer(self, request: Request, now: float) -> Reply:
        self._asked.append(request.url)
        return self._world.answer(request, now)

    def taken(self) -> list[Url]:
        """What was asked, which is then forgotten."""
        asked, self._asked = self._asked, []
        return asked
