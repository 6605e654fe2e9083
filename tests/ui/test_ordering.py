"""`leadline order`: steering a crawl in another process, and the next run on a store."""

import shutil
from pathlib import Path

import pytest

from leadline.core.crawl import Budget, Counts
from leadline.store.inbox import open_inbox
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.live import CrawlProgress
from tests.ui.conftest import Command, pages_taking
from tests.ui.test_signals import crawling, until, visits


@pytest.fixture
def copied(store: Path, tmp_path: Path) -> Path:
    """A crawled store that may be changed."""
    return Path(shutil.copy(store, tmp_path / "c.leadline"))


def test_a_crawl_in_another_process_is_steered(leadline: Command, tmp_path: Path) -> None:
    path = tmp_path / "c.leadline"
    with pages_taking(0.5) as port, crawling(path, port, "--quiet") as process:
        until(lambda: visits(path) > 0)
        assert leadline("order", path, "pause").out == "paused\n"
        until(lambda: leadline("status", path, "--json").json["state"] == "paused")
        told = leadline("order", path, "budget", "--pages", 40, "--forms", 0, "--json").json
        assert told["outcome"] == "budget: pages 40, forms without limit"
        refused = leadline("order", path, "seeds", "http://site1.test:99999999/")
        assert refused.code == Exit.BAD_INPUT
        assert refused.out.startswith("refused: http://site1.test:99999999/")
        assert leadline("order", path, "exclude", "site5.test").out.startswith(
            "excluded site5.test"
        )
        assert leadline("order", path, "resume").out == "goes on\n"
        assert leadline("order", path, "stop").out == "stops\n"
        assert process.wait(180) == Exit.DONE
    status = leadline("status", path, "--json").json
    assert (status["state"], status["reason"]) == ("stopped", "stopped by order")
    assert status["politeness"]["left"]["excluded by order"] == 1


def test_what_is_ordered_while_nothing_runs_waits(leadline: Command, copied: Path) -> None:
    left = leadline("order", copied, "budget", "--pages", 300)
    assert left.out == "stored as order 1; nothing runs now, the next run obeys it\n"
    assert [order.detail for order in open_inbox(copied).orders()] == ['{"pages":300}']
    stopped = leadline("order", copied, "stop")
    assert stopped.code == Exit.BAD_INPUT
    assert "nothing to stop" in stopped.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["budget"], "names no limit"),
        (["budget", "--pages", "-3"], "pages"),
        (["budget", "many"], "takes no names"),
        (["stop", "--pages", "3"], "is for the order budget"),
        (["seeds"], "names nothing"),
        (["seeds", "nowhere"], "no such file"),
        (["exclude", ".."], "no site"),
        (["rest"], "rest"),
    ],
)
def test_what_makes_no_sense_is_not_ordered(
    leadline: Command, copied: Path, words: list[str], message: str
) -> None:
    ended = leadline("order", copied, *words)
    assert ended.code == Exit.BAD_INPUT
    assert message in ended.err
    assert open_inbox(copied).orders() == []


def test_who_watches_a_crawl_sees_that_it_is_paused() -> None:
    for is_paused in (False, True):
        progress = CrawlProgress(Budget, is_paused=lambda is_paused=is_paused: is_paused)  # type: ignore[misc]
        line = progress.add(1.0, Counts(pages=3, visits=3)).line()
        assert ("paused" in line) == is_paused
