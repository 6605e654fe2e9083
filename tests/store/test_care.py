"""A damaged store says so, in one line that names the file and the next command."""

import json
import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from leadline.core.crawl import Event
from leadline.errors import StoreError
from leadline.store import open_store
from leadline.store.care.checks import check_file
from leadline.store.schema import APPLICATION_ID, MIGRATIONS
from leadline.ui.cli.app import run
from leadline.ui.cli.exits import Exit
from tests.store.damaged import copy_store, crawl_store, flip_byte
from tests.ui import small_web

PAGE = 4096
PROPER = {
    *(Exit.DONE, Exit.BAD_INPUT, Exit.STORE, Exit.NOT_KNOWN, Exit.NOTHING_FETCHED),
    Exit.NOT_VERIFIED,
}


@pytest.fixture(scope="module")
def web() -> Iterator[int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small_web, "LATENCY_S", (0.0, 0.0))
        with small_web.serving() as port:
            yield port


@pytest.fixture(scope="module")
def resume(web: int, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    path = tmp_path_factory.mktemp("whole") / "crawl.leadline"
    return path, crawl_store(path, web)


@pytest.fixture
def path(resume: tuple[Path, list[str]], tmp_path: Path) -> Path:
    """A store that a test may damage."""
    return copy_store(resume[0], tmp_path)


def _resume(resume: tuple[Path, list[str]], path: Path, pages: int) -> list[str]:
    command = [str(path) if word == str(resume[0]) else word for word in resume[1]]
    return [*command, "--pages", str(pages)]


def _read_commands(path: Path) -> list[list[str]]:
    name = str(path)
    return [
        ["status", name],
        ["forms", name, "--all"],
        ["records", name],
        ["explain", name, small_web.SEEDS[0]],
        ["report", name, "--out", str(path.with_suffix(".html"))],
        *(["export", name, str(path.with_name(f"{w}.csv"))] for w in ("forms",)),
        ["export", name, str(path.with_name("records.jsonl")), "--what", "records"],
        ["export", name, str(path.with_name("things.sqlite"))],
        ["ask", name, "river", "--requests", "1", "--seconds", "5"],
        ["verify", name, "--requests", "1"],
        ["store", "check", name],
        ["store", "backup", name, str(path.with_name("copy.leadline"))],
    ]


def test_a_whole_store_is_sound(path: Path) -> None:
    checked = check_file(path)
    assert checked.damage == []
    assert checked.notes == []
    assert checked.unsummed == 0
    assert min(checked.rows[name] for name in ("urls", "visits", "forms", "records", "labels")) > 0


@pytest.mark.parametrize("seed", range(8))
def test_no_damage_ends_in_a_traceback(
    path: Path, resume: tuple[Path, list[str]], seed: int, capfd: pytest.CaptureFixture[str]
) -> None:
    dice = random.Random(seed)
    if seed % 4 == 3:
        os.truncate(path, dice.randrange(1, path.stat().st_size))
    else:
        for _ in range(1 + 9 * (seed % 3)):
            flip_byte(path, dice)
    for command in (*_read_commands(path), _resume(resume, path, 160)):
        path.with_name("copy.leadline").unlink(missing_ok=True)
        code = run(command)
        err = capfd.readouterr().err
        assert code in PROPER, (command, err)
        if code == Exit.STORE:
            assert str(path) in err, (command, err)
            assert "leadline store" in err, (command, err)


@pytest.mark.parametrize("site", [-3, 10**12])
def test_a_candidate_whose_site_has_a_senseless_number_is_salvaged(path: Path, site: int) -> None:
    with closing(sqlite3.connect(path)) as store, store:
        (number, named) = store.execute(
            "SELECT urls.id, sites.site FROM urls JOIN sites ON sites.id = urls.site"
        ).fetchone()
        store.execute("UPDATE urls SET site = ? WHERE id = ?", (site, number))
    new = path.with_name("new.leadline")
    assert run(["store", "salvage", str(path), str(new)]) == Exit.DONE
    with closing(sqlite3.connect(new)) as store:
        row = store.execute(
            "SELECT sites.site FROM urls JOIN sites ON sites.id = urls.site WHERE urls.id = ?",
            (number,),
        ).fetchone()
    assert row == (named,)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_salvaged_is_sound_and_the_crawl_resumes(
    path: Path, resume: tuple[Path, list[str]], seed: int
) -> None:
    dice = random.Random(100 + seed)
    data = bytearray(path.read_bytes())
    pages = len(data) // PAGE
    if seed % 4 == 0:
        # Everything SQLite needs to know before it reads anything.
        data[:PAGE] = bytes(PAGE)
    elif seed % 4 == 1:
        for _ in range(5):
            at = dice.randrange(1, pages) * PAGE
            data[at : at + PAGE] = bytes(PAGE)
    elif seed % 4 == 2:
        del data[dice.randrange(len(data) // 2, len(data)) :]
    else:
        for _ in range(200):
            data[dice.randrange(100, len(data))] ^= 0xFF
    path.write_bytes(data)
    new = path.with_name("new.leadline")
    assert run(["store", "salvage", str(path), str(new)]) == Exit.DONE
    assert check_file(new).damage == []
    assert path.read_bytes() == bytes(data)
    assert run(_resume(resume, new, 170)) == Exit.DONE
    assert check_file(new).damage == []
    with closing(open_store(new)) as store:
        for harvest in store.harvests.all():
            shown = sum(page.fresh for page, _ in store.harvests.pages(harvest.id))
            assert shown == store.harvests.tally(harvest.id).records


def test_a_lost_page_of_a_table_costs_its_rows_only(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT pageno FROM dbstat WHERE name = 'urls' AND pagetype = 'leaf'"
        try:
            number = connection.execute(query).fetchall()[3][0]
        except sqlite3.OperationalError:
            pytest.skip("this SQLite has no dbstat")
    data = bytearray(path.read_bytes())
    data[(number - 1) * PAGE : number * PAGE] = bytes(PAGE)
    path.write_bytes(data)
    new = path.with_name("new.leadline")
    assert run(["store", "salvage", str(path), str(new)]) == Exit.DONE
    before, after = check_file(path).rows, check_file(new).rows
    assert after["records"] == before["records"]
    assert after["visits"] == before["visits"]


@pytest.mark.parametrize(
    "column", ["visits.title", "urls.anchor", "events.detail", "records.title", "forms.judged"]
)
def test_a_byte_changed_inside_a_row_is_noticed(path: Path, column: str) -> None:
    table, name = column.split(".")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            f"UPDATE {table} SET {name} = substr({name}, 1, 5) || 'x' || substr({name}, 7)"
            f" WHERE rowid = (SELECT max(rowid) FROM {table} WHERE length({name}) > 8)"
        )
        connection.commit()
    assert any(finding.where == table for finding in check_file(path).damage)
    assert run(["store", "check", str(path)]) == Exit.STORE


def _as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _as_text(path: Path) -> None:
    path.write_text("these are notes\n" * 500)


def _as_other_database(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


def _without_schema(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[100:PAGE] = bytes(PAGE - 100)
    path.write_bytes(data)


def _with_bad_header(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[18:24] = b"\xff" * 6
    path.write_bytes(data)


def _with_cut_log(path: Path) -> None:
    """Everything was in the log, and of the log only the beginning is left."""
    path.unlink()
    folder = path.with_name("other")
    folder.mkdir()
    store = open_store(folder / path.name)
    try:
        store.note(Event(1.0, "started"))
        store.flush()
        shutil.copy(folder / path.name, path)
        log = (folder / f"{path.name}-wal").read_bytes()
        path.with_name(f"{path.name}-wal").write_bytes(log[:20])
    finally:
        store.close()


def _with_foreign_log(path: Path) -> None:
    other = path.with_name("foreign")
    other.mkdir()
    store = open_store(other / "crawl.leadline")
    try:
        store.note(Event(1.0, "started"))
        store.flush()
        shutil.copy(other / "crawl.leadline-wal", path.with_name(f"{path.name}-wal"))
    finally:
        store.close()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "folder": _as_folder,
    "text": _as_text,
    "other database": _as_other_database,
    "no schema": _without_schema,
    "header": _with_bad_header,
    "cut log": _with_cut_log,
    "zero-filled": lambda path: path.write_bytes(bytes(path.stat().st_size)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_every_damage_is_one_line_with_the_way_out(
    path: Path,
    resume: tuple[Path, list[str]],
    damage: Callable[[Path], object],
    capfd: pytest.CaptureFixture[str],
) -> None:
    damage(path)
    for command in (["status", str(path)], _resume(resume, path, 160)):
        capfd.readouterr()
        assert run(command) == Exit.STORE
        err = capfd.readouterr().err
        assert err.count("\n") == 1
        assert str(path) in err
        assert any(
            hint in err for hint in ("leadline store", "name a", "a file that you may", "anew")
        )


def test_a_log_of_another_store_is_told_or_harmless(
    path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _with_foreign_log(path)
    assert run(["status", str(path)]) in (Exit.DONE, Exit.STORE)
    capfd.readouterr()
    assert run(["store", "check", str(path)]) == Exit.STORE
    assert "is of another file" in capfd.readouterr().out


def test_a_log_that_breaks_off_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.leadline"
    store = open_store(path)
    for number in range(5):
        store.note(Event(float(number), "started"))
        store.flush()
    copy = tmp_path / "copy.leadline"
    shutil.copy(path, copy)
    log = bytearray((tmp_path / "a.leadline-wal").read_bytes())
    store.close()
    log[len(log) // 2] ^= 1
    (tmp_path / "copy.leadline-wal").write_bytes(log)
    assert "breaks off" in check_file(copy).damage[0].what


def test_a_backup_while_a_crawl_writes_is_whole(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.leadline"
    with closing(open_store(path)) as store:
        for number in range(20):
            store.note(Event(float(number), "started"))
        store.flush()
        assert run(["store", "backup", str(path), str(target)]) == Exit.DONE
        store.note(Event(99.0, "stopped"))
    checked = check_file(target)
    assert checked.damage == []
    assert checked.rows["events"] == check_file(path).rows["events"] - 1
    assert not list(tmp_path.glob("*.part*"))


def test_a_backup_overwrites_nothing(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.leadline"
    target.write_text("mine")
    assert run(["store", "backup", str(path), str(target)]) == Exit.BAD_INPUT
    assert target.read_text() == "mine"


def test_a_damaged_store_is_not_backed_up(path: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE visits SET title = title || 'x' WHERE seq = 3")
        connection.commit()
    target = tmp_path / "copy.leadline"
    assert run(["store", "backup", str(path), str(target)]) == Exit.STORE
    assert not target.exists()


def test_an_older_store_opens_and_is_said_to_have_no_checksums(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "old.leadline"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            f"{';'.join(MIGRATIONS[:6])};"
            "INSERT INTO events (at, kind, subject, detail) VALUES (1, 'started', 'book', '');"
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 6"
        )
    assert run(["store", "check", str(path)]) == Exit.DONE
    assert "no checksums" in capfd.readouterr().out
    with closing(open_store(path)) as store:
        store.note(Event(2.0, "stopped"))
    checked = check_file(path)
    assert (checked.damage, checked.summed, checked.unsummed) == ([], 1, 1)


def test_a_file_that_was_only_begun_is_crawled_into(tmp_path: Path) -> None:
    """A kill -9 in the first milliseconds leaves a database without tables."""
    path = tmp_path / "new.leadline"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("VACUUM")
    with closing(open_store(path)) as store:
        assert store.reader.counts().known == 0


def test_check_says_which_settings_hold_a_password(path: Path) -> None:
    settings = json.dumps({"web": {"proxy": "http://ann:hunter2@proxy.test:1"}}).encode()
    with closing(open_store(path)) as store:
        store.save("config", settings)
    (note,) = check_file(path).notes
    assert "web.proxy" in note.what
    assert "hunter2" not in note.what


def test_nothing_to_read_is_an_error_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "zeros.leadline"
    path.write_bytes(bytes(8 * PAGE))
    with pytest.raises(StoreError, match="damaged"):
        check_file(path)
    assert run(["store", "salvage", str(path), str(tmp_path / "new.leadline")]) == Exit.STORE
    assert not (tmp_path / "new.leadline").exists()
