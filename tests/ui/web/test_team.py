"""What the dashboard says of the workers of a shared store."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from fastapi import FastAPI

from leadline.core.crawl import Budget
from leadline.core.store import LEARNER
from leadline.store import open_shared_store
from leadline.ui.web.app import make_app
from tests.store.samples import candidate
from tests.ui.web.conftest import client_of, close


@pytest.fixture
def app(postgres_url: str) -> Iterator[FastAPI]:
    made = make_app({"team": postgres_url})
    yield made
    close(made)


async def test_workers_of_a_shared_store_are_shown(app: FastAPI, postgres_url: str) -> None:
    client = client_of(app)
    assert (await client.get("/api/v1/stores/team/overview")).json()["team"] is None
    with closing(open_shared_store(postgres_url)) as shared:
        shared.run.begin(Budget())
        shared.links.put([candidate(number) for number in range(5)])
        shared.links.lease("node-a", sites=1, urls=3, for_s=60.0)
        shared.learning.claim(LEARNER, "node-a", 60.0)
    team = (await client.get("/api/v1/stores/team/overview")).json()["team"]
    (worker,) = team["workers"]
    assert worker.pop("seen_s") < 60
    assert worker == {"name": "node-a", "out": 3, "visits": 0}
    assert (team["learner"], team["model"]) == ("node-a", 0)
    page = (await client.get("/team/")).text
    assert 'data-part="team"' in page
    assert "node-a" in page
