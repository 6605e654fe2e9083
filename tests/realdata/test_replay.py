"""Focused crawls of real linked pages again, by their labels."""

import os
from pathlib import Path

import pytest

from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.trial import Contender
from leadline_lab.replay.collections import Collection, read_webkb, read_wikipedia
from leadline_lab.replay.judging import TopicJudge, lessons_of
from leadline_lab.replay.running import BASELINE, OFFLINE, Ground, replay
from leadline_lab.replay.web import StoredWeb
from tests.realdata.conftest import ROOT


@pytest.fixture(scope="module")
def folder() -> Path:
    found = Path(os.environ.get("LEADLINE_DATA", ROOT.parent / "shared" / "data"))
    if not (found / "pages" / "webkb.jsonl.gz").is_file():
        pytest.skip("no real pages: set LEADLINE_DATA to the folder that holds them")
    return found


@pytest.fixture(scope="module")
def webkb(folder: Path) -> Collection:
    return read_webkb(folder)


def check_parts(collection: Collection) -> None:
    parts = [collection.lessons, *collection.webs.values()]
    urls = [page.url for part in parts for page in part]
    assert len(set(urls)) == len(urls)
    for web in collection.webs.values():
        for target in collection.targets:
            assert sum(target in page.topics for page in web) >= 19


def test_no_page_is_in_two_parts(folder: Path, webkb: Collection) -> None:
    check_parts(webkb)
    check_parts(read_wikipedia(folder))


def test_a_model_of_one_university_helps_at_another(webkb: Collection) -> None:
    judge = TopicJudge(lessons_of(webkb.lessons), "student")
    texas, cornell = (
        Ground(StoredWeb(webkb.webs[name]), "student", judge, MemoryShelf(), is_charged=False)
        for name in ("texas", "cornell")
    )
    baseline, offline = replay(texas, BASELINE), replay(texas, OFFLINE, cornell)
    assert offline.recall > baseline.recall
    assert offline.loss < baseline.loss
    # Early on, examples of the first link to a page alone do better here than of every link.
    first = Contender("apprentice", {**OFFLINE.settings, "pairs": "first"})
    assert replay(texas, first, cornell).early_loss < baseline.early_loss
