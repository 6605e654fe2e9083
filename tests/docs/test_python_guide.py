"""The Python of the guide runs as written, but for the seed and the way there."""

import re
from functools import partial
from pathlib import Path

import pytest

import leadline
from tests.api.bookshop import HOME, serving
from tests.docs.blocks import DOCS, blocks_of

PAGE = DOCS / "guides" / "python.md"
GUIDE = PAGE.read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the bookshop in the place of the seed."""
    here = re.sub(r'"https://(www\.)?[a-z.]+/"', f'"{HOME}"', block)
    with serving() as way:
        monkeypatch.setattr(leadline, "crawl", partial(leadline.crawl, settings=way), raising=False)
        exec(compile(here, str(PAGE), "exec"), {})


def test_the_blocks_of_the_guide_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl, *others = [block for block in blocks_of(PAGE) if block.runs]
    assert crawl.title == "books.py"
    run(crawl.code, monkeypatch)
    assert "bookshop.test" in capsys.readouterr().out
    assert len(others) == 2
    for block in others:
        exec(compile(block.code, str(block), "exec"), {})
        assert "bookshop.test" in capsys.readouterr().out
    assert (folder / "records.csv").is_file()


def test_the_guide_names_what_there_is() -> None:
    named = set(re.findall(r"leadline\.([a-z_]+)\(", GUIDE))
    assert named <= set(leadline.__all__)


def test_the_guide_tells_every_table_of_a_store() -> None:
    tables = set(re.findall(r"^\| `store\.(\w+)\(\)`", GUIDE, re.MULTILINE))
    given = {n for n in vars(leadline.Results) if not n.startswith("_")}
    assert tables == given - {"close", "export", "counts", "settings", "stopped"}
