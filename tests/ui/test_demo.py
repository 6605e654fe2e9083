"""The demo ends by itself, shows what it found and how, and can be run again."""

from pathlib import Path

import pytest

from leadline_lab.demo import run_demo


def test_the_demo_crawls_a_world_for_books_and_starts_afresh(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "demo-out"
    folder.mkdir()
    (folder / "demo.leadline").write_text("left over from another time")
    assert run_demo(folder, delay_s=0.0, pages=250) == 0
    out, err = capfd.readouterr()
    assert ".test" in out
    assert "0.0 s between two requests" in err
    assert f"store:   {folder / 'demo.leadline'}" in err
    assert "relevant forms found" in err
    assert "┼" in err
    assert "by the truth of this web" in err
    assert (folder / "demo.leadline.html").is_file()
