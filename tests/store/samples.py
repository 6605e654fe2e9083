"""Small made-up crawls for testing stores."""

import numpy as np

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    JudgedForm,
    Lease,
    Priority,
    SiteState,
    Visit,
)
from leadline.core.page import Field, Form
from leadline.core.url import Site, Url


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
