"""The Python of the README and of the guide runs as written, but for the seed and the way there."""

import re
from functools import partial
from pathlib import Path

import pytest

import leadline
from tests.api.bookshop import HOME, serving
from tests.docs.test_quickstart import BLOCK, DOCS

GUIDE = (DOCS / "guides" / "python.md").read_text(encoding="utf-8")
README = (DOCS.parent / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the bookshop in the place of the seed."""
    here = re.sub(r'"https://(www\.)?[a-z.]+/"', f'"{HOME}"', block)
    with serving() as way:
        monkeypatch.setattr(leadline, "crawl", partial(leadline.crawl, settings=way), raising=False)
        exec(compile(here, "README.md", "exec"), {})


def test_the_eight_lines_of_the_readme_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    lines = [line for line in block.splitlines() if line and not line.startswith("import")]
    assert len(lines) <= 8
    run(block, monkeypatch)
    assert "bookshop.test" in capsys.readouterr().out
    assert (folder / "records.csv").read_text("utf-8").count("bookshop.test") > 10


def test_the_blocks_of_the_guide_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (crawl,) = re.findall(
        r'^```python title="books.py"\n(.*?)^```', GUIDE, re.DOTALL | re.MULTILINE
    )
    run(crawl, monkeypatch)
    assert "bookshop.test" in capsys.readouterr().out
    blocks = [code for _, code in BLOCK.findall(GUIDE)]
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, "python.md", "exec"), {})
        assert "bookshop.test" in capsys.readouterr().out
    assert (folder / "records.csv").is_file()


def test_the_other_blocks_are_python_and_name_what_there_is() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    for block in blocks:
        compile(f"async def cell():\n{re.sub('^', ' ', block, flags=re.MULTILINE)}", "cell", "exec")
    named = set(re.findall(r"leadline\.([a-z_]+)\(", GUIDE))
    assert named <= set(leadline.__all__)


def test_the_guide_tells_every_table_of_a_store() -> None:
    tables = set(re.findall(r"^\| `store\.(\w+)\(\)`", GUIDE, re.MULTILINE))
    given = {n for n in vars(leadline.Results) if not n.startswith("_")}
    assert tables == given - {"close", "export", "counts", "settings", "stopped"}
