"""`leadline train apprentice`, from a crawl of a small web."""

from pathlib import Path

from tests.ui.conftest import Command
from tests.ui.small_web import SEEDS


def test_a_crawl_makes_a_model_that_another_crawl_begins_with(
    leadline: Command, way: list[str], tmp_path: Path
) -> None:
    first, model = tmp_path / "first.leadline", tmp_path / "model"
    own = ["--strategy", "apprentice", "--set", "strategy.batch_pages=40"]
    own += ["--set", "strategy.least_examples=1"]
    seeds = ["--seeds", *SEEDS, *way]
    assert leadline("crawl", "book", *seeds, *own, "--store", first, "--pages", 120, "-q").code == 0
    made = leadline("train", "apprentice", first, "--out", model, "--json").json
    assert made["links"] > made["high"] > 0
    assert f"{made['links']} links" in leadline("train", "apprentice", first, "--out", model).out
    own += ["--set", "strategy.mode=offline", "--set", f"strategy.model={model}"]
    second = tmp_path / "second.leadline"
    assert leadline("crawl", "book", *seeds, *own, "--store", second, "--pages", 30, "-q").code == 0


def test_a_crawl_without_features_makes_none(
    leadline: Command, store: Path, tmp_path: Path
) -> None:
    ended = leadline("train", "apprentice", store, "--out", tmp_path / "model")
    assert ended.code != 0
    assert "expected_gain" in ended.err
    assert not (tmp_path / "model").exists()
