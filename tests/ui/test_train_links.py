"""`leadline train links`: from pages with forms to a classifier that a crawl can use."""

import json
from pathlib import Path

import pytest

from leadline.core.ports import BacklinkAnswer
from leadline.core.url import Url
from leadline.learn.link_levels import read_link_model
from leadline.strategies import make_strategy
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.options import TrainLinksOptions
from leadline.ui.cli.train import run_train_links
from tests.ui.conftest import Command, way_to
from tests.ui.small_web import SEEDS


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class HomePages:
    """Says that every page is linked to by the home page of its site, and that by the hubs."""

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        home = Url(url[: url.index("/", 8) + 1])
        pages = (home,) if url != home else tuple(Url(seed) for seed in SEEDS)
        return BacklinkAnswer(pages[:limit], 1)


def options(port: int, *forms: str, **changes: object) -> TrainLinksOptions:
    pairs = [text for text in way_to(port) if "=" in text] + ["politeness.delay_s=0"]
    return TrainLinksOptions(forms=forms, set_=tuple(pairs), **changes)  # type: ignore[arg-type]


FORMS = ("http://harbour-books.demo/catalogue", "http://old-mill-library.demo/catalogue")


def test_a_classifier_is_trained_and_shown(port: int, capfd: pytest.CaptureFixture[str]) -> None:
    given = options(port, *FORMS, levels=2, json=True)
    assert run_train_links("book", given, HomePages()) == Exit.DONE
    told = json.loads(capfd.readouterr().out)
    assert told["folder"] == str(Path("links/book"))
    assert told["links"]["level 1"] >= 1
    taught, manifest = read_link_model(Path("links/book"))
    assert manifest.counts["forms"] == 2
    assert manifest.counts["requests"] == told["requests"] > 4
    assert taught.levels.classes[0] == 1
    make_strategy("ffc", {"model": "links/book"})


def test_its_words_are_told_in_a_table(port: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_train_links("book", options(port, *FORMS, levels=1), HomePages()) == Exit.DONE
    told = capfd.readouterr()
    assert "level 1" in told.out
    assert "strategy.model=links/book" in told.err


def test_without_a_provider_it_says_what_is_missing(leadline: Command) -> None:
    ended = leadline("train", "links", "book", "--forms", *FORMS)
    assert ended.code == Exit.BAD_INPUT
    assert "backlinks.provider" in ended.err


def test_nothing_found_is_told(port: int, capfd: pytest.CaptureFixture[str]) -> None:
    given = options(port, "http://nowhere.test/x/y")
    assert run_train_links("book", given, HomePages()) == Exit.NOTHING_FETCHED
    assert "try more --forms" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--forms"),
        (("--forms", "no-such-file.txt"), "no such file"),
        (("--forms", *FORMS, "--levels", "9"), "from 1 to 4"),
        (("--forms", *FORMS, "--out", "."), "exists"),
    ],
)
def test_what_cannot_be_done_is_said(
    leadline: Command, arguments: tuple[str, ...], said: str
) -> None:
    ended = leadline("train", "links", "book", *arguments)
    assert ended.code == Exit.BAD_INPUT
    assert said in ended.err


@pytest.mark.parametrize("strategy", ["ffc", "ache"])
def test_a_crawl_uses_the_classifier_and_goes_on_where_it_stopped(
    port: int, way: list[str], leadline: Command, strategy: str
) -> None:
    assert run_train_links("book", options(port, *FORMS, levels=2), HomePages()) == Exit.DONE
    chosen = ["--strategy", strategy, "--set", "strategy.model=links/book"]
    for pages in (30, 60):
        common = ["--seeds", *SEEDS, *way, "--store", "s.leadline", "-q", "--pages", pages]
        assert leadline("crawl", "book", *common, *chosen).code == Exit.DONE
    assert leadline("status", "s.leadline", "--json").json["counts"]["visits"] >= 60
