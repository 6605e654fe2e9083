"""The next page on real pages, of which one half of the sites was not looked at."""

import json
import os
from itertools import islice
from pathlib import Path

import pytest
from tools.paging_evaluation import (
    Case,
    count_next_pages,
    count_verdicts,
    judge_marked_pages,
    judge_other_pages,
)

from tests.realdata.conftest import ROOT

FLOORS = json.loads((ROOT / "bench/floors.json").read_text())["harvest"]["paging"]
RECORD_PAGES = 280
"""Of the pages of single records, those of the first seven sites."""


@pytest.fixture(scope="module")
def folder() -> Path:
    found = Path(os.environ.get("LEADLINE_DATA", ROOT.parent / "shared" / "data"))
    if not found.is_dir():
        pytest.skip("no real data: set LEADLINE_DATA to its folder")
    return found


@pytest.fixture(scope="module")
def cases(folder: Path) -> list[Case]:
    return list(judge_marked_pages(folder))


def test_the_next_page_is_found_and_none_is_invented(cases: list[Case]) -> None:
    found, floors = count_verdicts(cases), FLOORS["all"]
    assert found["pages"] == 95
    assert found["found_share"] >= floors["found_at_least"]
    assert found["wrong"] <= floors["wrong_at_most"]
    assert found["false_share"] <= floors["false_at_most"]


def test_the_same_holds_on_sites_that_were_not_looked_at(cases: list[Case]) -> None:
    found = count_verdicts([case for case in cases if case.is_held_out])
    assert found["found_share"] >= FLOORS["held_out"]["found_at_least"]
    assert found["false_share"] <= FLOORS["held_out"]["false_at_most"]


def test_pages_of_single_records_lead_nowhere(folder: Path) -> None:
    found = list(islice(judge_other_pages(folder / "pages" / "swde.jsonl.gz"), RECORD_PAGES))
    assert count_next_pages(found)["share"] <= FLOORS["records"]["share_at_most"]
