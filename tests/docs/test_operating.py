"""The guide to operating for days: its backup is a store, its signs are kinds there are."""

import re
from pathlib import Path

import pytest

from leadline.core.events import EVENT_KINDS
from leadline.core.url import Url
from leadline.crawler.links import make_seed
from leadline.errors import FetchError
from leadline.store import open_store, open_store_view
from leadline.store.schema import MIGRATIONS
from tests.docs.blocks import DOCS, blocks_of
from tests.docs.test_blocks import run_blocks

GUIDE = DOCS / "guides" / "operating.md"
TEXT = GUIDE.read_text("utf-8")


def test_a_backup_made_while_a_crawl_writes_is_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    crawling = open_store("books.leadline")
    crawling.links.put([make_seed(Url(f"http://a.test/{number}")) for number in range(100)])
    crawling.flush()
    run_blocks([block for block in blocks_of(GUIDE) if block.runs])
    copy = open_store_view("copy.leadline")
    assert copy.reader.counts() == crawling.reader.counts()
    copy.close()
    crawling.close()


def test_the_format_told_is_the_present_one() -> None:
    assert f"the present one is {len(MIGRATIONS)}." in TEXT


def test_outcomes_to_look_at_are_outcomes() -> None:
    (table,) = re.findall(r"^\| sign \|.*?\n\n", TEXT, re.M | re.S)
    named = set(re.findall(r"^\|[^|]*`([a-z-]+)`", table, re.M))
    kinds = {kind.kind for kind in FetchError.__subclasses__()} | set(EVENT_KINDS)
    assert named
    assert named <= kinds
