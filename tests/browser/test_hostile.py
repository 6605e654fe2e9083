"""A hostile page in the store cannot script the dashboard."""

from pathlib import Path

from playwright.sync_api import expect

from leadline.core.harvest import RESULTS, Cell, Query, Record, ResultPage, StoredQuery
from leadline.core.url import Url
from leadline.store import open_store
from tests.browser.browsing import BrowserThread, watching
from tests.browser.stores import dashboard
from tests.views.made_up import HOSTILE, QUERIES, judged, make_store, url

ALARM = "javascript:alert(3)"
PLANTED = "script:not([src]):not([type='application/json']), [onerror], [onload], img[src='x']"


def plant(path: Path) -> str:
    """A store full of markup and of addresses that are none; the form that has most of them."""
    make_store(path)
    store = open_store(path)
    harvest = next(iter(store.harvests.all()))
    number = QUERIES + 1
    store.harvests.begin_query(harvest.id, StoredQuery(number, Query.of(q=HOSTILE), 1.0, 1.0, 1.0))
    bad = Record(ALARM, HOSTILE, (Cell(HOSTILE, HOSTILE),), Url(ALARM))
    store.harvests.add_page(harvest.id, ResultPage(number, 1, 1.0, RESULTS, url(0)), [bad])
    store.close()
    return harvest.subject.signature


def test_hostile_text_does_not_run(thread: BrowserThread, tmp_path: Path) -> None:
    form = plant(tmp_path / "hostile.leadline")
    paths = [
        *("/hostile/", "/hostile/forms?min_score=0", f"/hostile/harvests/{form}?sort=latest"),
        *(f"/hostile/forms/{judged(number).signature}" for number in (0, 1)),
        *("/hostile/learned", "/hostile/sites", "/hostile/control", "/hostile/harvests"),
        *(f"/hostile/explain?subject={subject}" for subject in (form, url(1), url(19))),
    ]
    with (
        dashboard({"hostile": tmp_path / "hostile.leadline"}) as address,
        watching(thread, address) as watched,
    ):
        for path in paths:
            page = watched.go(path)
            assert page.locator(PLANTED).count() == 0, path
            assert page.locator("[href^='javascript' i]").count() == 0, path
        page = watched.go(f"/hostile/harvests/{form}?sort=latest")
        expect(page.locator("#records")).to_contain_text(HOSTILE)
        assert watched.complaints == []
