"""Small made-up crawls for testing stores."""

import math
from collections.abc import Sequence
from itertools import count

import numpy as np

from leadline.core.crawl import (
    Budget,
    Candidate,
    CandidateId,
    Event,
    JudgedForm,
    Lease,
    Priority,
    SiteState,
    Visit,
)
from leadline.core.page import Field, Form
from leadline.core.store import Completion, Delivery, LinkRanking, SiteLease, Store
from leadline.core.url import Site, Url
from leadline.errors import LeaseLostError
from leadline.frontier.frontier import Scorer


def site(number: int) -> Site:
    return Site(f"s{number}.test")


def url(number: int, of_site: int = 0) -> Url:
    return Url(f"http://{site(of_site)}/{number}")


def candidate(
    number: int,
    of_site: int = 0,
    tier: int = 0,
    score: float = 0.0,
    *,
    parent: CandidateId | None = None,
    features: tuple[int, ...] = (),
    skip: str = "",
) -> Candidate:
    return Candidate(
        url=url(number, of_site),
        site=site(of_site),
        priority=Priority(tier, score, "made up"),
        parent=parent,
        anchor=f"link {number}",
        around="before\tafter",
        tag_path="body/p",
        features=np.array(features, "<i4").tobytes(),
        skip=skip,
    )


def visit(lease: Lease, at: float = 1.0, **changes: object) -> Visit:
    fields = {"outcome": "page", "status": 200, "size_bytes": 100, **changes}
    return Visit(lease.id, lease.candidate.url, lease.candidate.site, at=at, **fields)  # type: ignore[arg-type]


def state(lease: Lease, **changes: object) -> SiteState:
    return SiteState(lease.candidate.site, **{"pages": 1, **changes})  # type: ignore[arg-type]


def judged(signature: str, relevant: float = 0.9) -> JudgedForm:
    field = Field("q", "text", label="Search")
    form = Form(url(0), url(1), "get", (field,), text="Search our books")
    return JudgedForm(form, signature, searchable=0.95, relevant=relevant, why="has one box")


_out: dict[tuple[int, int], SiteLease] = {}
_versions = count(1)


def take(store: Store, n: int = 1) -> list[Lease]:
    """Lease the best link of each of up to `n` sites, in a run that begins where none is."""
    if not store.run.state().is_under_way:
        store.run.begin(Budget())
    taken = store.links.lease("w", sites=n, urls=1, for_s=math.inf)
    _out.update({(id(store), one.leases[0].id): one for one in taken})
    return [one.leases[0] for one in taken]


def record(
    store: Store,
    visited: Visit,
    after: SiteState,
    found: Sequence[Candidate] = (),
    forms: Sequence[JudgedForm] = (),
    events: Sequence[Event] = (),
    *,
    rest_s: float = 0.0,
    topic: str = "",
) -> None:
    """Deliver one visit of what `take` leased."""
    done = Completion(visited, after, tuple(found), tuple(forms), tuple(events), topic=topic)
    lease = _out[id(store), visited.id]
    if store.links.deliver([Delivery(lease, (done,), rest_s)]):
        raise LeaseLostError(f"candidate {visited.id} has no lease out")


def give_back(store: Store, lease: Lease, rest_s: float = 0.0) -> None:
    """End a lease of `take` without a visit."""
    if store.links.deliver([Delivery(_out[id(store), lease.id], rest_s=rest_s)]):
        raise LeaseLostError(f"candidate {lease.id} has no lease out")


def rescore(store: Store, score: Scorer) -> None:
    """Have everything that waits ranked again."""
    if not store.run.state().is_under_way:
        store.run.begin(Budget())
    ranking = LinkRanking(next(_versions), 2, score)
    store.links.lease("w", sites=0, urls=1, for_s=1.0, ranking=ranking)
