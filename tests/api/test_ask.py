"""`leadline.ask` over real HTTP: one question, five sources with differing forms, one table."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import leadline
from leadline.errors import ConfigError, StoreError
from leadline.ui.web.app import make_app
from tests.server.asking import crawl_bookshops, serving_bookshops
from tests.server.bookshops import FIELDS, KATALOG, LISTS, POSTED, SITES, WORDS, Bookshops, held

Shops = tuple[Bookshops, Path, dict[str, object]]


@pytest.fixture(scope="module")
def asked_shops(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shops]:
    """The shops and a store that knows them, whose settings lead there."""
    with serving_bookshops() as (shops, settings):
        store = tmp_path_factory.mktemp("ask") / "books.leadline"
        crawl_bookshops(store, settings)
        yield shops, store, settings


@pytest.fixture
def shops(asked_shops: Shops) -> Bookshops:
    asked_shops[0].log.clear()
    return asked_shops[0]


@pytest.fixture
def store(asked_shops: Shops) -> Path:
    return asked_shops[1]


def ids(table: leadline.AnswerTable, site: str) -> set[int]:
    """The books that the table has from a site."""
    urls = [origin.url for origin in table.origins if origin.site == site]
    return {int(url.rpartition("/")[2]) for url in urls}


def test_one_question_is_put_to_each_form_in_its_own_terms(shops: Bookshops, store: Path) -> None:
    table = leadline.ask(["author=Le Guin", "year=1970..1990"], store)
    asked = {site: values for site, _, values in shops.log}
    assert asked == {
        WORDS: {"q": "Le Guin"},
        FIELDS: {"author": "Le Guin", "from": "1970", "to": "1990"},
        LISTS: {"au": "0"},
        KATALOG: {"vf": "Le Guin", "jv": "1970", "jb": "1990"},
        POSTED: {"token": "t4k3n", "a": "Le Guin"},
    }
    for site in (FIELDS, LISTS, KATALOG, POSTED):
        right = {b.id for b in held(site) if "Le Guin" in b.author and 1970 <= b.year <= 1990}
        assert ids(table, site) == right
    by_site = {source.site: source for source in table.sources}
    # The shop with one box shows no years: nothing was left out, and that is said.
    assert by_site[WORDS].unchecked == ("publication_date=1970..1990",)
    assert by_site[LISTS].checked == ("publication_date=1970..1990",)
    assert all(source.requests <= 3 for source in table.sources)


def test_the_same_book_of_several_shops_is_one_typed_row(shops: Bookshops, store: Path) -> None:
    table = leadline.ask(store=store, fields={"title": "Silver River"})
    (thing,) = table.things
    assert (thing["name"], thing["author"]) == ("The Silver River", ("Stanislaw Lem",))
    assert thing["publication_date"] == "1991"
    sites = {origin.site for origin in table.origins}
    assert sites == {site for site in SITES if 6 in {book.id for book in held(site)}}
    assert shops.log


def test_too_many_words_for_a_search_are_put_more_broadly(shops: Bookshops, store: Path) -> None:
    forms = [row.signature for row in leadline.open_store(store).forms() if row.site == WORDS]
    table = leadline.ask(["author=Lem", "format=paperback"], store, forms=forms)
    assert [values for _, _, values in shops.log] == [{"q": "Lem paperback"}, {"q": "Lem"}]
    assert table.sources[0].records == len([b for b in held(WORDS) if "Lem" in b.author])


def test_what_a_source_cannot_be_asked_is_said_and_nothing_is_sent(
    shops: Bookshops, store: Path
) -> None:
    table = leadline.ask(["isbn=9780441478125"], store)
    outcomes = {source.site: source.outcome for source in table.sources}
    assert outcomes.pop(WORDS) == "nothing"
    assert set(outcomes.values()) == {"not asked"}
    assert [site for site, _, _ in shops.log] == [WORDS]


def test_a_source_that_fails_is_a_line_with_its_reason(asked_shops: Shops) -> None:
    _, store, settings = asked_shops
    gone = {**settings, "web.resolve": {"*": "127.0.0.1:9"}}
    table = leadline.ask(["author=Lem"], store, settings=gone)
    assert {source.outcome for source in table.sources} == {"failed"}
    assert all(source.why for source in table.sources)
    assert table.things == ()


def test_requests_of_a_source_are_bounded(shops: Bookshops, store: Path) -> None:
    forms = [row.signature for row in leadline.open_store(store).forms() if row.site == POSTED]
    table = leadline.ask(["author=Lem"], store, requests=1, forms=forms)
    # One request brings the form's page with its token, and no answer.
    assert (table.sources[0].outcome, table.sources[0].requests) == ("failed", 1)
    assert not shops.log


def test_a_question_ends_when_its_time_is_over(shops: Bookshops, store: Path) -> None:
    table = leadline.ask(["author=Lem"], store, seconds=1e-6)
    assert {source.outcome for source in table.sources} == {"failed"}
    assert {source.why for source in table.sources} == {"the time for the question was over"}
    assert not shops.log


def test_every_submission_is_logged_in_the_store(shops: Bookshops, store: Path) -> None:
    leadline.ask(["author=Calvino"], store)
    with leadline.open_store(store) as opened:
        sent = [e.detail for e in opened.events() if e.kind == "submission"]
    assert sum("Calvino" in detail for detail in sent) == len(shops.log) - 1


def test_an_impossible_question_is_refused_before_anything_is_sent(
    shops: Bookshops, store: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="author"):
        leadline.ask(["authxr=Lem"], store)
    with pytest.raises(StoreError, match="there is no store"):
        leadline.ask("dragons", tmp_path / "none.leadline")
    assert not (tmp_path / "none.leadline").exists()
    assert not shops.log


async def test_asking_awaits_too(shops: Bookshops, store: Path) -> None:
    table = await leadline.ask_async(["author=Borges"], store)
    assert len(table) == len(table.things) > 0
    assert shops.log


def test_the_api_answers_a_question(shops: Bookshops, store: Path) -> None:
    with TestClient(make_app({"books": store}), base_url="http://127.0.0.1") as client:
        asked = {"fields": {"author": "Lem", "price": "<=20"}, "requests": 2}
        answer = client.post("/api/v1/stores/books/ask", json=asked)
        wrong = client.post("/api/v1/stores/books/ask", json={"fields": {"authxr": "Lem"}})
    assert answer.status_code == 200, answer.text
    assert {source["site"] for source in answer.json()["sources"]} == set(SITES)
    assert all(thing["price"] <= 20 for thing in answer.json()["things"])
    assert wrong.status_code == 422
    assert shops.log
