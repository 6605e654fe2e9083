"""The demo ends by itself, finds what its web hides, and can be run again."""

from pathlib import Path

import pytest

from leadline.ui import demo_web
from leadline.ui.demo import run_demo


def test_the_demo_finds_the_forms_about_books_and_starts_afresh(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_web, "LATENCY_S", (0.0, 0.0))
    folder = tmp_path / "demo-out"
    folder.mkdir()
    (folder / "demo.leadline").write_text("left over from another time")
    assert run_demo(folder, delay_s=0.0) == 0
    out, err = capfd.readouterr()
    books, *_ = demo_web.THEMES
    found = {name for name in books.sites if f"{name}.demo" in out}
    assert len(found) >= 14
    assert "0.0 s between two requests" in err
    assert f"store:   {folder / 'demo.leadline'}" in err
    assert (folder / "demo.leadline.html").is_file()


def test_a_page_is_a_function_of_its_url() -> None:
    for path in ("/", "/catalogue/2", "/about"):
        first = demo_web.answer("harbour-books.demo", path)
        assert first == demo_web.answer("harbour-books.demo", path)
