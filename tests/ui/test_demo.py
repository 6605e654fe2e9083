"""The demo is the whole job: it ends by itself, with rows and the truth beside them."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from leadline_lab.demo import run_demo


def test_the_demo_goes_from_a_phrase_to_a_table_and_starts_afresh(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "demo-out"
    folder.mkdir()
    (folder / "books.leadline").write_text("left over from another time")
    assert run_demo(folder, delay_s=0.0, requests=500) == 0
    out, err = capfd.readouterr()
    assert 'leadline run "books"' in err
    assert "0.0 s between two requests" in err
    assert "is the shipped topic book" in err
    assert "accepted forms search books" in err
    assert "serve" in err
    with closing(sqlite3.connect(folder / "books.sqlite")) as made:
        (things,) = made.execute("SELECT count(*) FROM things").fetchone()
    assert things > 100
    assert "name" in out.split("\n")[0]
