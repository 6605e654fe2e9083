"""One browser, one server, one crawl with a harvest for all tests of this folder."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from leadline_lab.server.running import serving
from leadline_lab.server.serve import open_world
from tests.browser.browsing import BrowserThread, Watched, find_chromium
from tests.browser.stores import PROFILE, SEED, crawl_lab, dashboard, harvest_best

_THREAD: pytest.StashKey[BrowserThread] = pytest.StashKey()


@dataclass(frozen=True)
class Lab:
    """Where the lab's web is served, and what was crawled of it."""

    port: int
    book: Path
    other: Path
    form: str
    """The signature of the form that was harvested."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Several processes share the tests: these stay together, for one browser and one crawl."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool:
    """The bodies of tests run in the browser's thread."""
    names = pyfuncitem._fixtureinfo.argnames
    arguments = {name: pyfuncitem.funcargs[name] for name in names}
    pyfuncitem.config.stash[_THREAD].run(pyfuncitem.obj, **arguments)
    return True


@pytest.fixture(scope="session")
def thread(request: pytest.FixtureRequest) -> Iterator[BrowserThread]:
    path = find_chromium()
    if path is None:
        pytest.skip("no browser: install Debian's chromium to see the dashboard tested in one")
    made = request.config.stash[_THREAD] = BrowserThread()
    made.open(path)
    yield made
    made.close()


@pytest.fixture(scope="session")
def lab(thread: BrowserThread, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:  # noqa: ARG001 - no crawl where there is no browser
    folder = tmp_path_factory.mktemp("stores")
    with serving(open_world(PROFILE, SEED)) as port:
        book = crawl_lab(port, folder / "book.leadline")
        form = harvest_best(port, book)
        breadth = ["--set", "strategy.name=breadth_first"]
        other = crawl_lab(port, folder / "other.leadline", *breadth, pages=60)
        yield Lab(port, book, other, form)


@pytest.fixture(scope="session")
def address(lab: Lab) -> Iterator[str]:
    with dashboard({"book": lab.book, "other": lab.other}) as found:
        yield found


@pytest.fixture(scope="session")
def laptop(thread: BrowserThread) -> BrowserContext:
    """A browser that keeps scripts it was given once, as people's browsers do."""
    return thread.run(thread.context)


@pytest.fixture
def watched(thread: BrowserThread, laptop: BrowserContext, address: str) -> Iterator[Watched]:
    """A page on a laptop, in the light. It must not complain, nor ask anyone else."""
    made = thread.run(lambda: Watched(laptop.new_page(), address))
    yield made
    thread.run(made.page.close)
    assert made.complaints == []
