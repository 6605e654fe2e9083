"""Archives keep what was fetched, tell damage, and can be crawled again."""

from pathlib import Path

import pytest

from leadline.core.http import Request, Response
from leadline.core.url import Site, Url
from leadline.errors import (
    BadResponseError,
    FetchError,
    NotArchivedError,
    StoreError,
    TooManyRedirectsError,
)
from leadline.web.archive import (
    ArchiveWriter,
    ArchivingFetcher,
    ReplayFetcher,
    read_members,
    read_response,
)
from tests.server.misbehaving import MisbehavingServer
from tests.web.rig import fetching, get, url_of


def page(n: int, body: bytes = b"<p>body</p>") -> tuple[Request, Response]:
    url = url_of(f"http://a.test/{n}")
    headers = (
        ("content-type", "text/html"),
        ("content-encoding", "gzip"),
        ("content-length", "7"),
        ("x-odd", "caf\u00e9 \udcff"),
        ("set-cookie", "a=1"),
        ("set-cookie", "b=2"),
    )
    return Request(url), Response(url, 200, headers, body, at=1.6e9 + n, size_bytes=7)


def write(folder: Path, count: int) -> list[Path]:
    writer = ArchiveWriter(folder)
    for n in range(count):
        writer.write(*page(n))
    writer.close()
    return archives(folder)


def archives(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.warc.gz"))


async def test_what_goes_in_comes_out(tmp_path: Path) -> None:
    fetcher = ReplayFetcher(write(tmp_path, 3))
    for n in range(3):
        request, response = page(n)
        assert await fetcher.fetch(request) == response
    assert fetcher.ready_at(Site("a.test")) == 0.0
    await fetcher.close()


@pytest.mark.parametrize("body", [b"", b"\0\xff" * 50_000, b"\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"])
async def test_any_body_comes_out(tmp_path: Path, body: bytes) -> None:
    writer = ArchiveWriter(tmp_path)
    request, response = page(1, body)
    writer.write(request, response)
    writer.close()
    fetcher = ReplayFetcher(archives(tmp_path))
    assert (await fetcher.fetch(request)).body == body


async def test_what_is_not_in_it_is_an_outcome(tmp_path: Path) -> None:
    fetcher = ReplayFetcher(write(tmp_path, 1))
    with pytest.raises(NotArchivedError) as caught:
        await fetcher.fetch(get("/other"))
    assert caught.value.kind == "not-archived"


async def test_posts_to_one_url_are_told_apart(tmp_path: Path) -> None:
    writer = ArchiveWriter(tmp_path)
    url = url_of("http://a.test/search")
    for query in (b"q=1", b"q=2"):
        response = Response(url, 200, (), b"results of " + query, at=0.0)
        writer.write(Request(url, "POST", query), response)
    writer.close()
    fetcher = ReplayFetcher(archives(tmp_path))
    assert (await fetcher.fetch(Request(url, "POST", b"q=1"))).body == b"results of q=1"
    assert (await fetcher.fetch(Request(url, "POST", b"q=2"))).body == b"results of q=2"
    with pytest.raises(NotArchivedError):
        await fetcher.fetch(Request(url))


async def test_a_live_crawl_replays_with_its_redirects(
    server: MisbehavingServer, tmp_path: Path
) -> None:
    requests = [get("/chain/2"), get("/packed/br"), get("/fine"), get("/broken")]
    async with fetching(server) as inner:
        live = ArchivingFetcher(inner, ArchiveWriter(tmp_path))
        answers = [await live.fetch(request) for request in requests]
        with pytest.raises(FetchError):
            await live.fetch(get("/picture"))
        expected = pytest.approx(inner.ready_at(Site("a.test")), abs=0.1)
        assert live.ready_at(Site("a.test")) == expected
        await live.close()
    replay = ReplayFetcher(archives(tmp_path))
    for request, answer in zip(requests, answers, strict=True):
        again = await replay.fetch(request)
        assert (again.url, again.status, again.headers) == (
            answer.url,
            answer.status,
            answer.headers,
        )
        assert (again.body, again.hops) == (answer.body, answer.hops)
    assert (await replay.fetch(get("/chain/1"))).body == b"the end"


def test_every_record_stands_in_a_gzip_member_with_its_digest(tmp_path: Path) -> None:
    (path,) = write(tmp_path, 2)
    found = [member for _, member in read_members(path)]
    kinds = [member.split(b"WARC-Type: ")[1].split(b"\r\n")[0] for member in found]
    assert kinds == [b"warcinfo", b"response", b"request", b"response", b"request"]
    assert all(b"WARC-Block-Digest: sha1:" in member for member in found)
    assert all(b"WARC-Payload-Digest: sha1:" in member for member in found[1:])


def test_files_are_rotated_by_size(tmp_path: Path) -> None:
    writer = ArchiveWriter(tmp_path, max_file_bytes=1_000)
    for n in range(6):
        writer.write(*page(n))
    writer.close()
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) > 1
    assert names[0] == "leadline-00000.warc.gz"


async def test_a_file_cut_anywhere_keeps_all_before_the_cut(tmp_path: Path) -> None:
    (path,) = write(tmp_path, 3)
    whole = path.read_bytes()
    starts = [offset for offset, member in read_members(path) if read_response(member)]
    for cut in range(0, len(whole), 37):
        path.write_bytes(whole[:cut])
        entries = [entry for _, member in read_members(path) if (entry := read_response(member))]
        complete = sum(cut >= offset + 1 for offset in starts)
        assert complete - 1 <= len(entries) <= complete
        assert all(entry.is_sound for entry in entries)


async def test_writing_after_a_crash_begins_another_file(tmp_path: Path) -> None:
    (path,) = write(tmp_path, 2)
    path.write_bytes(path.read_bytes()[:-30])
    broken = path.read_bytes()
    paths = write(tmp_path, 3)
    assert len(paths) == 2
    assert path.read_bytes() == broken
    fetcher = ReplayFetcher(paths)
    assert (await fetcher.fetch(page(2)[0])).status == 200


async def test_a_damaged_body_is_told_by_its_digest(tmp_path: Path) -> None:
    (path,) = write(tmp_path, 1)
    _, member = next(found for found in read_members(path) if read_response(found[1]))
    entry = read_response(member.replace(b"<p>body</p>", b"<p>evil</p>"))
    assert entry is not None
    assert not entry.is_sound


async def test_a_damaged_copy_is_an_outcome(tmp_path: Path) -> None:
    (path,) = write(tmp_path, 1)
    fetcher = ReplayFetcher([path])
    path.write_bytes(b"not gzip at all")
    with pytest.raises(BadResponseError):
        await fetcher.fetch(page(0)[0])
    path.unlink()
    with pytest.raises(BadResponseError):
        await fetcher.fetch(page(0)[0])


async def test_a_circle_of_archived_redirects_ends(tmp_path: Path) -> None:
    writer = ArchiveWriter(tmp_path)
    a, b = Url("http://a.test/a"), Url("http://a.test/b")
    for start, end in ((a, b), (b, a)):
        writer.write(Request(start), Response(start, 302, (("location", end),), b"", 0.0))
    writer.close()
    fetcher = ReplayFetcher(archives(tmp_path))
    with pytest.raises(TooManyRedirectsError):
        await fetcher.fetch(Request(a))


def test_a_disk_that_refuses_stops_the_crawl(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    with pytest.raises(StoreError, match="archive"):
        ArchiveWriter(blocked / "folder").write(*page(0))


def test_junk_members_are_passed_over() -> None:
    for junk in (b"", b"WARC/1.1\r\n\r\n", b"WARC/1.0\r\nContent-Length: x\r\n\r\n", b"\xff" * 99):
        assert read_response(junk) is None
