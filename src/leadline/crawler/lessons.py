"""What workers tell the learner of a page, and what the learner makes of it, as bytes."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec
import numpy as np
import zstandard
from msgspec import Struct, structs

from leadline.core.crawl import (
    BacklinkQuery,
    Candidate,
    CandidateId,
    JudgedForm,
    Judgement,
    PageView,
    SiteState,
    Visit,
)
from leadline.core.page import Form, Page
from leadline.core.ports import Strategy
from leadline.core.url import Site, Url

MOST_WORKERS = 1_024
"""Whose lessons are told apart in a model; of others it is forgotten which are in it."""
_LEVEL = 1
"""Of zstandard: lessons are read once, so time counts more than size."""
_MAX_BYTES = 64 << 20


class BacklinkReply(Struct, frozen=True, array_like=True):
    """A backlink query of the strategy's, and the pages that were found."""

    query: BacklinkQuery
    found: tuple[Url, ...]


class PageLesson(Struct, frozen=True):
    """One lesson: a page as the strategy saw it."""

    view: PageView
    """Without the page's text and forms, which no strategy looks at."""
    visit: Visit
    queries: tuple[BacklinkQuery, ...] = ()
    """Sent since the lesson before."""
    replies: tuple[BacklinkReply, ...] = ()
    """Likewise, to queries of this worker."""
    corrections: tuple[bytes, ...] = ()
    """Lessons on pages that labels have changed since, packed; likewise."""

    def teach(self, strategy: Strategy) -> bool:
        """Have a strategy learn it; whether waiting links should be ranked again."""
        should_rank = strategy.learn(self.view, self.visit)
        for query in self.queries:
            strategy.note_backlink_query(query)
        for reply in self.replies:
            strategy.rank_backlinks(reply.query, reply.found)
        for body in self.corrections:
            unpack_lesson(body).teach(strategy)
        return should_rank or bool(self.corrections)


class SignedLesson(NamedTuple):
    """A lesson with the worker that tells it."""

    worker: str
    serial: int
    """Rises with each lesson of the worker, in the order of telling."""
    body: bytes


class _EncodedLesson(Struct, frozen=True, array_like=True):
    id: CandidateId
    candidate: Candidate
    page: Page
    relevance: float
    forms: tuple[JudgedForm, ...]
    site: SiteState
    links: tuple[int, ...]
    """Places among the page's links."""
    sites: tuple[Site, ...]
    repeats: tuple[bool, ...]
    features: bytes
    width: int
    new_forms: int
    gain: int
    path: tuple[Candidate, ...]
    visit: Visit
    replies: tuple[BacklinkReply, ...]
    queries: tuple[BacklinkQuery, ...] = ()
    corrections: tuple[bytes, ...] = ()
    known_links: tuple[int, ...] = ()
    known_features: bytes = b""


class ModelState(Struct, frozen=True):
    """What a model in the store holds."""

    strategy: str
    """Its name."""
    state: bytes
    ranked: int = 0
    """The version since which waiting links are ranked otherwise; 0: since never."""
    heard: dict[str, int] = {}
    """The last lesson of each worker that is in it, by its serial number."""
    learned: int = 0
    """Lessons in it."""

    def add(self, lesson: SignedLesson) -> "ModelState":
        """With one lesson more."""
        heard = {name: number for name, number in self.heard.items() if name != lesson.worker}
        if len(heard) >= MOST_WORKERS:
            del heard[next(iter(heard))]
        heard[lesson.worker] = lesson.serial
        return structs.replace(self, heard=heard, learned=self.learned + 1)


_encode = msgspec.msgpack.Encoder().encode
_decode_lesson = msgspec.msgpack.Decoder(_EncodedLesson).decode
_decode_signed = msgspec.msgpack.Decoder(SignedLesson).decode
_decode_model = msgspec.msgpack.Decoder(ModelState).decode


def pack_lesson(lesson: PageLesson) -> bytes:
    view = lesson.view
    places = {id(link): place for place, link in enumerate(view.page.links)}
    rows = np.ascontiguousarray(view.features, np.int32)
    encoded = _EncodedLesson(
        view.id,
        view.candidate,
        structs.replace(view.page, leaves=(), forms=()),
        view.judgement.relevance,
        tuple(_strip_forms(view.judgement.forms)),
        view.site,
        tuple(places[id(link)] for link in view.links),
        view.sites,
        view.repeats,
        rows.tobytes(),
        rows.shape[1],
        view.new_forms,
        view.gain,
        view.path,
        lesson.visit,
        lesson.replies,
        lesson.queries,
        lesson.corrections,
        tuple(places[id(link)] for link in view.known_links),
        np.ascontiguousarray(view.known_features, np.int32).tobytes(),
    )
    return zstandard.compress(_encode(encoded), _LEVEL)


def unpack_lesson(body: bytes) -> PageLesson:
    one = _decode_lesson(zstandard.decompress(body, max_output_size=_MAX_BYTES))
    rows = np.frombuffer(one.features, np.int32).reshape(len(one.links), one.width)
    view = PageView(
        id=one.id,
        candidate=one.candidate,
        page=one.page,
        judgement=Judgement(one.relevance, one.forms),
        site=one.site,
        links=tuple(one.page.links[place] for place in one.links),
        sites=one.sites,
        repeats=one.repeats,
        features=rows,
        new_forms=one.new_forms,
        gain=one.gain,
        path=one.path,
        known_links=tuple(one.page.links[place] for place in one.known_links),
        known_features=np.frombuffer(one.known_features, np.int32).reshape(
            len(one.known_links), one.width if one.known_links else 0
        ),
    )
    return PageLesson(view, one.visit, one.queries, one.replies, one.corrections)


def sign_lesson(lesson: SignedLesson) -> bytes:
    """What the store keeps of a lesson."""
    return _encode(lesson)


def read_signed(body: bytes) -> SignedLesson:
    return _decode_signed(body)


def pack_model(model: ModelState) -> bytes:
    return zstandard.compress(_encode(model), _LEVEL)


def unpack_model(state: bytes) -> ModelState:
    return _decode_model(zstandard.decompress(state, max_output_size=1 << 31))


def _strip_forms(forms: Iterable[JudgedForm]) -> Iterable[JudgedForm]:
    """The verdicts without what was judged."""
    for judged in forms:
        yield structs.replace(judged, form=Form(judged.form.page, None, "get", ()), why="")
