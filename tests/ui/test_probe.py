"""`leadline probe`: forms listed, the gate's word on each, and the check."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from leadline.core.http import Request
from leadline.core.url import path_of
from leadline.store import open_store_view
from leadline.ui.cli.exits import Exit
from leadline_lab.reply import Reply
from leadline_lab.server.running import serving
from tests.server.form_site import FRAME, TEXT, listed
from tests.ui.conftest import Command

HTML = (("content-type", "text/html"),)
PAGE = f"""{FRAME}{TEXT}
<form action=/listed><input name=q><button name=go value=1>Search</button></form>
<form action=/login method=post><input name=user><input type=password name=p></form>
<form action=/listed><input name=q><button name=go value=1>Search</button></form>
<form action=/listed method=post role=search><input name=q><button>Find</button></form>"""


class FormWorld:
    """A page with forms, and a list that can be searched; `asked` holds all but robots.txt."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def answer(self, request: Request, now: float) -> Reply:  # noqa: ARG002 (the signature)
        path, _, query = path_of(request.url).partition("?")
        if path == "/robots.txt":
            return Reply(404)
        self.asked.append(f"{request.method} {path} {query}{request.body.decode()}")
        if path == "/":
            return Reply(200, HTML, PAGE.encode())
        if path == "/costly":
            return Reply(200, HTML, b"<li><a href=/x>link</a>" * 50_000)
        if path == "/bare":
            return Reply(200, HTML, b"<p>nothing here")
        sent = parse_qs(query or request.body.decode())
        return Reply(200, HTML, (FRAME + listed(sent.get("q", [""])[0]) + TEXT).encode())


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[FormWorld, list[str]]]:
    world = FormWorld()
    with serving(world) as port:
        resolve = f'web.resolve={{"*" = "127.0.0.1:{port}"}}'
        pairs = [resolve, "web.allow_private=true", "politeness.delay_s=0"]
        yield world, [part for pair in pairs for part in ("--set", pair)]


@pytest.fixture
def world(served: tuple[FormWorld, list[str]]) -> FormWorld:
    served[0].asked.clear()
    return served[0]


@pytest.fixture
def way(served: tuple[FormWorld, list[str]]) -> list[str]:
    return served[1]


URL = "http://library.test/"


def test_forms_are_listed_with_the_gate_s_word_and_asked(
    leadline: Command, world: FormWorld, way: list[str]
) -> None:
    ended = leadline("probe", URL, *way, "--word", "garden", "--word", "harbour", "--json")
    assert ended.code == 0
    search, login, again, post = ended.json["forms"]
    assert (search["number"], search["database"], search["refused"]) == (1, "yes", "")
    assert "password" in login["refused"]
    assert (login["database"], login["requests"]) == ("", 0)
    assert (again["number"], again["database"]) == (3, "yes")
    assert (post["method"], post["database"]) == ("post", "yes")
    asked = [ask.split(" ")[0] for ask in world.asked]
    assert asked == ["GET", *["GET"] * 4, *["POST"] * 4]
    assert "refusal" in ended.err
    assert ended.err.count("submission") == 8


def test_the_table_is_for_people(leadline: Command, way: list[str]) -> None:
    ended = leadline("probe", URL, *way)
    assert "may be submitted" in ended.out
    assert "no: it asks for a password" in ended.out
    assert "yes: '" in ended.out


def test_a_dry_run_prints_what_would_be_sent_and_sends_nothing(
    leadline: Command, world: FormWorld, way: list[str]
) -> None:
    ended = leadline("probe", URL, *way, "--dry-run", "--word", "old garden")
    assert world.asked == ["GET / "]
    assert "GET http://library.test/listed?q=old+garden&go=1" in ended.out
    assert "POST http://library.test/listed" in ended.out
    assert "Content-Type: application/x-www-form-urlencoded" in ended.out
    assert "q=old+garden" in ended.out
    assert ended.err == ""


def test_one_form_can_be_chosen(leadline: Command, world: FormWorld, way: list[str]) -> None:
    ended = leadline("probe", URL, *way, "--form", "2", "--json")
    assert [form["number"] for form in ended.json["forms"]] == [2]
    assert world.asked == ["GET / "]
    ended = leadline("probe", URL, *way, "--form", "9")
    assert (ended.code, "has 4 forms" in ended.err) == (2, True)


def test_the_log_is_kept_in_a_store(leadline: Command, way: list[str], tmp_path: Path) -> None:
    path = tmp_path / "log.leadline"
    leadline("probe", URL, *way, "--store", path, "--form", "1", "--word", "garden")
    leadline("probe", URL, *way, "--store", path, "--form", "2")
    store = open_store_view(path)
    events = list(store.reader.events())
    store.close()
    assert [event.kind for event in events] == ["submission"] * 4 + ["refusal"]
    assert "filled q='garden'" in events[1].detail
    assert len({event.subject for event in events}) == 2


def test_post_can_be_switched_off(leadline: Command, world: FormWorld, way: list[str]) -> None:
    ended = leadline("probe", URL, *way, "--form", "4", "--set", "submit.post=false", "--json")
    assert "switched off" in ended.json["forms"][0]["refused"]
    assert world.asked == ["GET / "]


def test_the_gate_cannot_be_set_lower(leadline: Command, way: list[str]) -> None:
    ended = leadline("probe", URL, *way, "--set", "submit.min_searchable=0.4")
    assert (ended.code, "submit.min_searchable" in ended.err) == (2, True)


def test_a_page_without_forms_and_one_that_cannot_be_had(leadline: Command, way: list[str]) -> None:
    ended = leadline("probe", URL + "bare", *way)
    assert (ended.code, ended.out) == (0, "")
    assert "no form" in ended.err
    assert leadline("probe", "ftp://library.test/").code == 2
    assert leadline("probe", "http://127.0.0.1:1/").code == 4


def test_a_page_that_takes_too_long_to_read_is_a_message(
    leadline: Command, world: FormWorld, way: list[str]
) -> None:
    ended = leadline("probe", f"{URL}costly", *way, "--set", "page.max_seconds=0.01")
    assert ended.code == Exit.NOTHING_FETCHED
    assert "more than 0.0" in ended.err
    assert len(world.asked) == 1
