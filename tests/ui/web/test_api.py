"""The API: its routes, its errors, its stream, and any input at all."""

import asyncio
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import anyio.to_thread
import httpx
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from leadline.config import Config
from leadline.crawler.asking import AskLimits
from leadline.harvester.question import read_question
from leadline.records.asking import AnswerTable
from leadline.records.schemas import find_schema
from leadline.store import open_store
from leadline.store.inbox import open_inbox
from leadline.ui.web.access import ServerAccess
from leadline.ui.web.app import make_app, read_all
from leadline.ui.web.crawl_starter import CrawlStarter
from leadline.ui.web.rest import HEARTBEAT_S, watch_store
from leadline.views.mirror.store import open_mirror
from tests.conftest import EXAMPLES
from tests.ui.web.conftest import client_of, close
from tests.ui.web.things import cache_here
from tests.views import made_up

STORES = "/api/v1/stores"
BOOK = f"{STORES}/book"
SIGNATURE = made_up.judged(0).signature
Operation = schemathesis.schemas.APIOperation[Any, Any, Any, Any]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


async def test_every_list_has_a_total_and_keeps_to_its_limit(client: httpx.AsyncClient) -> None:
    harvest = f"harvests/{SIGNATURE}"
    for path in (
        "forms",
        "sites",
        "events",
        "harvests",
        f"{harvest}/queries",
        f"{harvest}/records",
    ):
        whole = (await client.get(f"{BOOK}/{path}", params={"limit": 200})).json()
        part = (await client.get(f"{BOOK}/{path}", params={"limit": 1, "offset": 1})).json()
        assert whole["total"] == part["total"] >= len(whole["items"])
        assert part["items"] == whole["items"][1:2]
        too_many = await client.get(f"{BOOK}/{path}", params={"limit": 201})
        assert too_many.status_code == 422


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"{STORES}/none/overview", 404),
        (f"{BOOK}/forms/0000", 404),
        (f"{BOOK}/harvests/{made_up.judged(1).signature}", 404),
        (f"{BOOK}/nothing", 404),
        (f"{BOOK}/forms?limt=3", 422),
        (f"{BOOK}/forms?min_score=nan", 422),
        (f"{BOOK}/explain", 422),
        ("/api/v1/compare?left=book&right=none", 404),
        (f"{BOOK}/orders/1", 404),
    ],
)
async def test_an_error_says_what_and_which(
    client: httpx.AsyncClient, path: str, status: int
) -> None:
    answer = await client.get(path)
    assert answer.status_code == status
    error = answer.json()["error"]
    assert error.keys() == {"what", "which", "todo"}
    assert error["what"]


async def test_many_who_wait_keep_no_thread_from_who_is_served(app: FastAPI) -> None:
    threads = anyio.to_thread.current_default_thread_limiter()
    before, threads.total_tokens = threads.total_tokens, 2
    paths = [f"{BOOK}/overview", f"{BOOK}/forms/{SIGNATURE}", f"{BOOK}/harvests/{SIGNATURE}"]
    try:
        async with client_of(app) as client:
            asked = (client.get(path) for path in paths * 6)
            answers = await asyncio.wait_for(asyncio.gather(*asked), 60)
    finally:
        threads.total_tokens = before
    assert {answer.status_code for answer in answers} == {200}


async def test_two_stores_stand_side_by_side(store_file: Path, own_store: Path) -> None:
    app = make_app({"book": store_file, "own": own_store})
    async with client_of(app) as client:
        found = (await client.get("/api/v1/compare?left=book&right=own")).json()
        names = [one["name"] for one in (await client.get(STORES)).json()]
    close(app)
    assert (found["left"]["name"], found["right"]["name"]) == ("book", "own")
    assert names == ["book", "own"]


async def test_a_label_is_kept_with_the_score_it_met(own_store: Path) -> None:
    app = make_app({"book": own_store})
    async with client_of(app) as client:
        asked = {"what": "form", "subject": SIGNATURE[:9], "verdict": "wrong"}
        given = (await client.post(f"{BOOK}/labels", json=asked)).json()
        assert given["subject"] == SIGNATURE
        assert given["before"] == pytest.approx(0.95)
        assert given["after"] < given["before"]
        shown = (await client.get(f"{BOOK}/forms/{SIGNATURE}")).json()
        assert shown["label"] == "wrong"
        assert shown["labels"] == [given]
        page = {"what": "page", "subject": made_up.url(3), "verdict": "right"}
        assert (await client.post(f"{BOOK}/labels", json=page)).json()["before"] == 0.6
        back = {**asked, "verdict": "none"}
        assert (await client.post(f"{BOOK}/labels", json=back)).status_code == 200
        left = (await client.get(f"{BOOK}/labels")).json()
        assert [one["what"] for one in left["items"]] == ["page"]
        unknown = {**asked, "subject": "nowhere"}
        assert (await client.post(f"{BOOK}/labels", json=unknown)).status_code == 404
    close(app)
    (label,) = open_inbox(own_store).labels()
    assert (label.topic, label.before) == ("book", 0.6)


async def test_orders_wait_in_the_inbox(own_store: Path) -> None:
    app = make_app({"book": own_store})
    async with client_of(app) as client:
        for body in (
            {"kind": "pause"},
            {"kind": "budget", "budget": {"pages": 9, "forms": None}},
            {"kind": "seeds", "urls": ["HTTP://A.test"]},
            {"kind": "exclude", "sites": ["A.test "]},
        ):
            assert (await client.post(f"{BOOK}/orders", json=body)).status_code == 200
        refused = await client.post(f"{BOOK}/orders", json={"kind": "seeds", "urls": ["x y"]})
        listed = (await client.get(f"{BOOK}/orders")).json()
        budget = (await client.get(f"{BOOK}/overview")).json()["budget"]
    close(app)
    assert refused.status_code == 422
    assert [one["kind"] for one in listed["items"]] == ["exclude", "seeds", "budget", "pause"]
    details = [json.loads(order.detail) for order in open_inbox(own_store).orders()[1:]]
    assert details == [{"pages": 9, "forms": None}, ["HTTP://A.test"], ["a.test"]]
    assert budget["pages"] == 9


async def test_a_start_resumes_the_store_in_its_own_process(own_store: Path) -> None:
    """The command is one that only tells what it was asked."""
    script = "import sys; print(sys.argv[1:]); sys.stdin.read()"
    app = make_app({"book": own_store}, starter=CrawlStarter((sys.executable, "-c", script)))
    async with client_of(app) as client:
        answer = await client.post(f"{BOOK}/orders", json={"kind": "start"})
        assert answer.json()["kind"] == "start"
    app.state.starter.wait()
    close(app)
    log = own_store.with_name(own_store.name + ".log").read_text()
    assert "'crawl', '--store'" in log
    assert str(own_store) in log


async def test_a_harvest_is_started_in_its_own_process_and_tells_how_it_fares(
    own_store: Path,
) -> None:
    script = "import sys; print(sys.argv[1:]); sys.stdout.flush(); open(sys.argv[3] + '.go').read()"
    os.mkfifo(f"{own_store}.go")
    app = make_app({"book": own_store}, starter=CrawlStarter((sys.executable, "-c", script)))
    asked = {"form": SIGNATURE, "requests": 40}
    async with client_of(app) as client:
        assert (await client.get(f"{BOOK}/harvests/{SIGNATURE}/run")).status_code == 404
        begun = (await client.post(f"{BOOK}/harvests", json=asked)).json()
        assert begun["is_running"]
        # Those that were sent before are added: the command counts over all runs.
        assert begun["requests"] == 40 + made_up.QUERIES
        again = await client.post(f"{BOOK}/harvests", json=asked)
        assert again.status_code == 409
        assert "is being harvested" in again.json()["error"]["what"]
        await asyncio.to_thread(Path(f"{own_store}.go").write_text, "go")
        app.state.starter.wait()
        ended = (await client.get(f"{BOOK}/harvests/{SIGNATURE}/run")).json()
    close(app)
    assert not ended["is_running"]
    expected = ["harvest", SIGNATURE, str(own_store), "--plain", "--budget-requests", "60"]
    assert ended["said"] == str(expected)


async def test_a_form_that_must_not_be_submitted_is_refused_with_the_reason(
    tmp_path: Path,
) -> None:
    path = tmp_path / "own.leadline"
    harmful = made_up.harmful()
    made_up.make_store(path, further=[harmful])
    app = make_app({"book": path}, starter=CrawlStarter((sys.executable, "-c", "")))
    async with client_of(app) as client:
        answer = await client.post(f"{BOOK}/harvests", json={"form": harmful.signature})
        assert answer.status_code == 409
        assert "user name" in answer.json()["error"]["what"]
        assert (await client.post(f"{BOOK}/harvests", json={"form": "f" * 16})).status_code == 404
    close(app)


async def test_a_store_that_is_written_is_not_started(own_store: Path) -> None:
    app = make_app({"book": own_store})
    writing = open_store(own_store)
    async with client_of(app) as client:
        answer = await client.post(f"{BOOK}/orders", json={"kind": "start"})
        state = (await client.get(f"{BOOK}/overview")).json()["state"]
    writing.close()
    close(app)
    assert answer.status_code == 409
    assert state == "running"


async def test_a_store_without_settings_is_not_started(tmp_path: Path) -> None:
    path = tmp_path / "bare.leadline"
    open_store(path).close()
    app = make_app({"book": path})
    async with client_of(app) as client:
        assert (await client.post(f"{BOOK}/orders", json={"kind": "start"})).status_code == 409
        assert (await client.get(f"{BOOK}/overview")).json()["state"] == "never run"
        assert (await client.get(f"{BOOK}/learned")).status_code == 200
        assert (await client.get(f"{BOOK}/forms")).json()["total"] == 0
    close(app)


async def test_the_stream_tells_changes_and_beats_between(own_store: Path) -> None:
    mirror = open_mirror("book", own_store)
    writing = open_store(own_store)
    clock = iter(range(10_000))

    async def sleep(_seconds: float) -> None:
        """The clock goes on, and nobody waits."""

    told = watch_store(mirror, lambda: False, sleep, lambda: float(next(clock)))
    first = await anext(told)
    assert first.startswith("event: change\ndata: {")
    visits = json.loads(first.partition("data: ")[2])["counts"]["visits"]
    assert (await anext(told)).startswith(":")
    made_up.visit_next(writing, made_up.VISITS)
    writing.flush()
    later = await anext(told)
    assert json.loads(later.partition("data: ")[2])["counts"]["visits"] == visits + 1
    assert next(clock) > HEARTBEAT_S
    await told.aclose()
    writing.close()
    mirror.close()


def test_all_stores_are_read_before_the_first_request(app: FastAPI) -> None:
    ((name, visits, seconds),) = read_all(app)
    assert (name, visits) == ("book", len(app.state.stores["book"].visits))
    assert seconds >= 0


async def _ask_nobody(
    config: Config,
    texts: Iterable[str],
    fields: Mapping[str, object] | None,
    limits: AskLimits,
) -> AnswerTable:
    """Reads the question, and sends nothing."""
    question = read_question(texts, find_schema(config.topic.name), fields)
    limits.check()
    return AnswerTable(question.shown, config.topic.name, (), (), (), ())


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> schemathesis.BaseSchema:
    path = made_up.make_store(tmp_path_factory.mktemp("any") / "book.leadline")
    starter = CrawlStarter((sys.executable, "-c", ""))
    things = cache_here()
    app = make_app({"book": path}, ServerAccess(frozenset()), starter, _ask_nobody, things)
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)


def test_whatever_is_sent_is_answered_as_the_schema_says(schema: schemathesis.BaseSchema) -> None:
    """Streams never end, and are tested above."""

    @settings(max_examples=EXAMPLES // 5, suppress_health_check=list(HealthCheck))
    @given(some.data())
    def answers(operation: Operation, data: some.DataObject) -> None:
        mode = data.draw(some.sampled_from(GenerationMode))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        if case.path_parameters.get("store") != "none":
            case.path_parameters["store"] = "book"
        case.validate_response(case.call(), checks=CHECKS)

    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        if not operation.path.endswith("/stream"):
            answers(operation)
