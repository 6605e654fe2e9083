"""Between the words of a crawl and the rows of its tables."""

import math
from typing import Any

import msgspec

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Event,
    JudgedForm,
    Priority,
    SiteState,
    StoredForm,
    Visit,
)
from leadline.core.events import RENAMED_KINDS
from leadline.core.url import Site
from leadline.store.index import Arrival

Row = tuple[Any, ...]

URL_COLUMNS = (
    "id, url, site, tier, score, why, depth, parent, anchor, around, tag_path, features, skip"
)
SITE_AT = 2
"""Where the site's number stands in them."""
VISIT_COLUMNS = (
    "id, url, site, outcome, at, status, final_url, reason, elapsed_s, size_bytes, requests, "
    "title, language, relevance, reward, links, forms, digest"
)
STATE_COLUMNS = "pages, forms, searchable, errors, errors_in_a_row, ready_at, delay_s, closed"
FORM_COLUMNS = "signature, site, visit, at, searchable, relevant, sightings, judged, topic"
EVENT_COLUMNS = "at, kind, subject, detail"

_encode = msgspec.msgpack.Encoder().encode
_decode_form = msgspec.msgpack.Decoder(JudgedForm).decode
_astuple = msgspec.structs.astuple

_SIGN = 1 << 63


def to_signed(number: int) -> int:
    """Sixty-four bits as SQLite keeps them: the first is a sign."""
    return number - 2 * _SIGN if number & _SIGN else number


def to_unsigned(number: int) -> int:
    """What `signed` was given."""
    return number + 2 * _SIGN if number < 0 else number


def url_row(arrival: Arrival) -> Row:
    url, _, priority, *rest = _astuple(arrival.candidate)
    return (arrival.id, url, arrival.site, *priority, *rest)


def candidate_of(row: Row, site: Site) -> Candidate:
    _, url, _, tier, score, why, *rest = row
    return Candidate(url, site, Priority(tier, score_of(score), why), *rest)


def visit_row(visit: Visit, site: int) -> Row:
    number, url, _, *rest, digest = _astuple(visit)
    return (number, url, site, *rest, to_signed(digest))


def visit_of(row: Row, site: Site) -> Visit:
    number, url, _, *rest, relevance, reward, links, forms, digest = row
    scores = score_of(relevance), score_of(reward)
    fields: Row = (number, url, site, *rest, *scores, links, forms, to_unsigned(digest))
    return Visit(*fields)


def state_row(state: SiteState) -> Row:
    return _astuple(state)[1:]


def state_of(row: Row, site: Site) -> SiteState:
    return SiteState(site, *row)


def form_row(judged: JudgedForm, site: int, visit: Visit, topic: str) -> Row:
    opinion = judged.searchable, judged.relevant
    return (judged.signature, site, visit.id, visit.at, *opinion, 1, _encode(judged), topic)


def rejudged_row(judged: JudgedForm) -> Row:
    """What changes of a stored form, and its signature."""
    return (judged.relevant, _encode(judged), judged.signature)


def judge_again(stored: JudgedForm, by: float | JudgedForm) -> JudgedForm:
    """A stored form with another probability, or with all of another judgement but its own form."""
    if isinstance(by, JudgedForm):
        return msgspec.structs.replace(by, form=stored.form)
    return msgspec.structs.replace(stored, relevant=by)


def form_of(row: Row, site: Site) -> StoredForm:
    _, _, visit, at, _, _, sightings, judged, topic = row
    return StoredForm(_decode_form(judged), site, CandidateId(visit), at, sightings, topic)


def event_row(event: Event) -> Row:
    return _astuple(event)


def event_of(row: Row) -> Event:
    """Kinds that had another name when they were noted have the one of today."""
    event = Event(*row)
    if event.kind not in RENAMED_KINDS:
        return event
    return msgspec.structs.replace(event, kind=RENAMED_KINDS[event.kind])


def score_of(column: float | None) -> float:
    """SQLite keeps NaN as NULL."""
    return math.nan if column is None else column
