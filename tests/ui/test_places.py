"""Exports to other places than a local file: an S3 server, and whatever fsspec knows."""

import gzip
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pyarrow.parquet
import pytest

from leadline.errors import ConfigError
from leadline.records.export import open_destination
from leadline.ui.cli.app import run
from leadline.ui.cli.exits import Exit
from leadline.web.archive import read_members, read_response
from tests.server import s3
from tests.ui import small_web
from tests.ui.conftest import Command


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with s3.serving(tmp_path_factory.mktemp("s3")) as address:
        yield address


@pytest.fixture
def away(served: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The file system of an S3 server with one bucket."""
    for name, value in s3.environment(served).items():
        monkeypatch.setenv(name, value)
    system = fsspec.filesystem("s3", skip_instance_cache=True)
    if not system.exists(s3.BUCKET):
        system.mkdir(s3.BUCKET)
    yield system
    fsspec.get_filesystem_class("s3").clear_instance_cache()


def test_every_format_arrives_as_it_would_here(
    leadline: Command, store: Path, tmp_path: Path, away: Any
) -> None:
    for name in ("forms.jsonl", "forms.csv", "forms.parquet"):
        assert leadline("export", store, tmp_path / name).code == 0
        ended = leadline("export", store, f"s3://{s3.BUCKET}/out/{name}", "--json")
        assert ended.code == 0, ended.err
        assert ended.json["rows"] > 0
        there, here = away.cat(f"{s3.BUCKET}/out/{name}"), (tmp_path / name).read_bytes()
        if name.endswith(".parquet"):
            tables = (pyarrow.parquet.read_table(io.BytesIO(data)) for data in (there, here))
            assert next(tables).equals(next(tables))
        else:
            assert there == here


def test_what_takes_several_parts_is_whole(away: Any) -> None:
    with open_destination(f"s3://{s3.BUCKET}/many.jsonl") as stream:
        for number in range(52):
            stream.write(bytes([number]) * (1 << 20))
    away.invalidate_cache()
    assert away.info(f"{s3.BUCKET}/many.jsonl")["size"] == 52 << 20
    assert away.cat(f"{s3.BUCKET}/many.jsonl", start=(51 << 20) - 1, end=(51 << 20) + 1) == b"23"


def break_off(out: str, size: int) -> None:
    with open_destination(out) as stream:
        stream.write(b"x" * size)
        raise ValueError("power cut")


@pytest.mark.parametrize("size", [10, 52 << 20])
def test_nothing_is_left_of_an_export_that_broke_off(away: Any, size: int) -> None:
    with pytest.raises(ValueError, match="power cut"):
        break_off(f"s3://{s3.BUCKET}/half", size)
    away.invalidate_cache()
    assert not away.exists(f"{s3.BUCKET}/half")


def test_a_bucket_that_is_not_there(leadline: Command, store: Path, away: Any) -> None:
    ended = leadline("export", store, "s3://no-such-bucket/forms.csv")
    assert ended.code == Exit.BAD_INPUT
    assert "cannot write s3://no-such-bucket/forms.csv" in ended.err
    assert "make the bucket first" in ended.err
    assert away


def test_missing_credentials_are_asked_for(
    leadline: Command, store: Path, away: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    away.clear_instance_cache()
    ended = leadline("export", store, f"s3://{s3.BUCKET}/forms.csv")
    assert ended.code == Exit.BAD_INPUT
    assert "AWS_ACCESS_KEY_ID" in ended.err
    assert "Traceback" not in ended.err


def test_wrong_credentials_are_told_as_such(
    leadline: Command, store: Path, away: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another")
    away.clear_instance_cache()
    ended = leadline("export", store, f"s3://{s3.BUCKET}/forms.csv")
    assert ended.code == Exit.BAD_INPUT
    assert "give credentials that may write there" in ended.err


def test_a_server_that_does_not_answer(
    leadline: Command, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in s3.environment("127.0.0.1:9").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    ended = leadline("export", store, "s3://shelf/forms.csv")
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    assert ended.code == Exit.BAD_INPUT
    assert "check the network, and AWS_ENDPOINT_URL" in ended.err


def test_other_places_of_fsspec(leadline: Command, store: Path) -> None:
    assert leadline("export", store, "memory://shelf/sites.jsonl", "--what", "sites").code == 0
    lines = fsspec.filesystem("memory").cat("/shelf/sites.jsonl").splitlines()
    assert json.loads(lines[0])["site"]


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("nowhere://shelf/forms.csv", "Protocol not known: nowhere; write a path, or a URL as s3"),
        ("s3://forms.csv", "s3://forms.csv names no file; write s3://bucket/key"),
        ("gs://shelf/forms.csv", "install gcsfs"),
    ],
)
def test_places_that_cannot_be(leadline: Command, store: Path, out: str, said: str) -> None:
    ended = leadline("export", store, out)
    assert ended.code == Exit.BAD_INPUT
    assert said in ended.err


def test_without_fsspec_the_extra_is_named(
    leadline: Command, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    ended = leadline("export", store, "s3://shelf/forms.csv")
    assert ended.code == Exit.BAD_INPUT
    assert "pip install 'leadline[s3]'" in ended.err


def test_a_local_export_loads_nothing_for_it(store: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from leadline.ui.cli.app import run; code = run(sys.argv[1:]);"
        "sys.exit(code or ('fsspec' in sys.modules) or ('botocore' in sys.modules))"
    )
    arguments = ["export", str(store), str(tmp_path / "forms.csv")]
    assert subprocess.run([sys.executable, "-c", code, *arguments], check=False).returncode == 0


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with (
        pytest.raises(ConfigError, match="No such file"),
        open_destination(str(tmp_path / "a" / "b.csv")),
    ):
        pass


@pytest.fixture(scope="module")
def archived(way: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose crawl kept its pages, the last one broken off."""
    folder = tmp_path_factory.mktemp("archived")
    store, kept = folder / "a.leadline", folder / "kept"
    crawl = ["crawl", "book", "--seeds", *small_web.SEEDS, *way, "--store", str(store), "-q"]
    for pages in ("8", "16"):
        assert run([*crawl, "--pages", pages, "--archive", str(kept)]) == 0
    last = sorted(kept.iterdir())[-1]
    last.write_bytes(last.read_bytes()[:-20])
    return store


def test_pages_are_gathered_into_one_warc(
    leadline: Command, archived: Path, tmp_path: Path
) -> None:
    out = tmp_path / "pages.warc.gz"
    done = leadline("export", archived, out, "--json").json
    entries = [entry for _, member in read_members(out) if (entry := read_response(member))]
    assert done["what"] == "pages"
    assert done["rows"] == len(entries) > 10
    assert all(entry.is_sound for entry in entries)
    visits = leadline("export", archived, "-", "--what", "visits").out.splitlines()
    fetched = [json.loads(line) for line in visits]
    pages = {visit["url"] for visit in fetched if visit["outcome"] == "page"}
    assert len(pages - {entry.response.url for entry in entries}) <= 1, (
        "all but what was broken off"
    )


def test_pages_unpacked_are_the_same_records(
    leadline: Command, archived: Path, tmp_path: Path
) -> None:
    packed, plain = tmp_path / "pages.warc.gz", tmp_path / "pages.warc"
    assert leadline("export", archived, packed).code == 0
    assert leadline("export", archived, plain, "--what", "pages").code == 0
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert plain.read_bytes().startswith(b"WARC/1.1\r\n")


def test_the_folder_of_pages_may_be_named(
    leadline: Command, store: Path, archived: Path, tmp_path: Path
) -> None:
    kept = archived.parent / "kept"
    assert leadline("export", store, tmp_path / "a.warc.gz", "--archive", kept).code == 0
    ended = leadline("export", store, tmp_path / "b.warc.gz", "--archive", tmp_path)
    assert ended.code == Exit.BAD_INPUT
    assert "there are no WARC files in" in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["a.warc.gz"]


def test_a_crawl_that_kept_no_pages_says_how_to(
    leadline: Command, store: Path, tmp_path: Path
) -> None:
    ended = leadline("export", store, tmp_path / "pages.warc.gz")
    assert ended.code == Exit.BAD_INPUT
    assert "leadline crawl --archive FOLDER" in ended.err


@pytest.mark.parametrize(
    ("out", "what"), [("a.warc.gz", "forms"), ("a.csv", "pages"), ("-", "pages")]
)
def test_pages_and_warc_belong_together(
    leadline: Command, store: Path, out: str, what: str
) -> None:
    assert leadline("export", store, out, "--what", what).code == Exit.BAD_INPUT
