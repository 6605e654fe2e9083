"""WARC archives of what was fetched: writing them, reading them, and fetchers around them."""

import base64
import hashlib
import io
import warnings
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, structs

from leadline.core.http import Hop, Request, Response
from leadline.core.ports import Fetcher
from leadline.core.url import Site, Url, path_of, site_of
from leadline.errors import (
    BadResponseError,
    NotArchivedError,
    StoreError,
    TooManyRedirectsError,
)
from leadline.web.exchange import find_redirect
from leadline.web.fetcher import follow_redirect

with warnings.catch_warnings():
    # fastwarc 1.1 warns of its own legacy names while it is being imported.
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.stream_io import GzipWriter
    from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

_FOLDED = ("content-encoding", "content-length", "transfer-encoding")
"""Headers that no longer fit the unpacked body; kept under Common Crawl's prefix."""
_PREFIX = "x-crawler-"
_KEY_FIELD = "Leadline-Request-Key"
"""WARC allows own fields; this one tells apart POSTs to one URL."""
_ANSWER = b"WARC-Type: response"
_LEVEL = 4
"""gzip: half the time of level 9 for a few per cent more space."""
_CHUNK_BYTES = 1 << 20
_MAX_MEMBER_BYTES = 256 << 20
"""A record that unpacks to more is taken for damage."""
_MAX_REDIRECTS = 50
"""More than any setting lets a live crawl follow and file."""


def request_key(request: Request) -> str:
    """What a request is filed under."""
    if request.method == "GET":
        return request.url
    return f"{request.method} {request.url} {hashlib.sha1(request.body).hexdigest()}"  # noqa: S324 (WARC's own digest)


class ArchiveWriter:
    """Appends answers to numbered `.warc.gz` files in a folder, one gzip member per record.

    Each writer begins a file of its own and never touches an older one, so a
    file that broke off with a crash stays as it is. All records of one answer
    leave in a single write.
    """

    def __init__(self, folder: Path, max_file_bytes: int = 1 << 30) -> None:
        self._folder = folder
        self._max_file_bytes = max_file_bytes
        self._file: BinaryIO | None = None
        self._size_bytes = 0

    def write(self, request: Request, response: Response) -> None:
        """Raises StoreError when the disk refuses."""
        read_members = io.BytesIO()
        for asked, status, headers, body in _steps(request, response):
            _write_pair(read_members, asked, response.at, http_bytes(status, headers, body), body)
        try:
            self._append(read_members.getvalue())
        except OSError as error:
            raise StoreError(f"cannot write to the archive in {self._folder}: {error}") from error

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _append(self, read_members: bytes) -> None:
        if self._file is None or self._size_bytes > self._max_file_bytes:
            self.close()
            self._file = self._begin()
        written = 0
        while written < len(read_members):
            written += self._file.write(read_members[written:])
        self._size_bytes += len(read_members)

    def _begin(self) -> BinaryIO:
        self._folder.mkdir(parents=True, exist_ok=True)
        taken = [int(path.name[9:14]) for path in archive_files(self._folder)]
        path = self._folder / f"leadline-{max(taken, default=-1) + 1:05}.warc.gz"
        head = io.BytesIO()
        note = f"software: leadline/{version('leadline')}\r\nformat: WARC File Format 1.1\r\n"
        _write_record(head, WarcRecordType.warcinfo, {"WARC-Filename": path.name}, note.encode())
        file = path.open("xb", buffering=0)
        self._size_bytes = file.write(head.getvalue())
        return file


def archive_files(folder: Path) -> list[Path]:
    """The files that writers have begun there, the oldest first."""
    return sorted(folder.glob("leadline-[0-9]*.warc.gz"))


def http_bytes(status: int, headers: Iterable[tuple[str, str]], body: bytes) -> bytes:
    """An answer as HTTP/1.1, its length fitting the unpacked body."""
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = "Unknown"
    lines = [f"HTTP/1.1 {status} {phrase}"]
    for name, value in headers:
        lines.append(f"{_PREFIX if name in _FOLDED else ''}{name}: {value}")
    lines.append(f"content-length: {len(body)}")
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body


_Step = tuple[Request, int, Iterable[tuple[str, str]], bytes]


def _steps(request: Request, response: Response) -> Iterator[_Step]:
    for hop in response.hops:
        yield request, hop.status, [("location", hop.location)], b""
        request = follow_redirect(request, hop)
    yield request, response.status, response.headers, response.body


def _write_pair(out: BinaryIO, asked: Request, at: float, answer: bytes, body: bytes) -> None:
    line = f"{asked.method} {path_of(asked.url)} HTTP/1.1\r\nhost: {site_of(asked.url)}\r\n\r\n"
    when = datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds")
    fields = {
        "WARC-Target-URI": asked.url,
        "WARC-Date": when.replace("+00:00", "Z"),
        "WARC-Payload-Digest": _digest(body),
        _KEY_FIELD: request_key(asked),
    }
    response_id = _write_record(out, WarcRecordType.response, fields, answer)
    fields["WARC-Concurrent-To"] = response_id
    fields["WARC-Payload-Digest"] = _digest(asked.body)
    _write_record(out, WarcRecordType.request, fields, line.encode() + asked.body)


def _write_record(
    out: BinaryIO, kind: WarcRecordType, fields: dict[str, str], content: bytes
) -> str:
    record = WarcRecord()
    record.init_headers(kind)
    if kind is not WarcRecordType.warcinfo:
        record.is_http = True
    for name, value in fields.items():
        record.headers[name] = value
    record.set_bytes_content(content)
    member = GzipWriter(out, compression_level=_LEVEL)
    record.write(member, checksum_data=True)
    member.finish()
    return record.record_id or ""


def _digest(body: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(body).digest()).decode()  # noqa: S324


def read_members(path: Path, offset: int = 0) -> Iterator[tuple[int, bytes]]:
    """Offset and unpacked bytes of each complete gzip member from `offset` on.

    Ends without complaint where the file breaks off or is no gzip any more.
    """
    with path.open("rb") as file:
        file.seek(offset)
        rest = b""
        while found := _next_member(file, rest):
            unpacked, rest = found
            yield offset, unpacked
            offset = file.tell() - len(rest)


def _next_member(file: BinaryIO, rest: bytes) -> tuple[bytes, bytes] | None:
    """One member and the bytes read beyond it; None at the end or at damage."""
    member = zlib.decompressobj(wbits=31)
    parts: list[bytes] = []
    room = _MAX_MEMBER_BYTES
    while not member.eof:
        rest = rest or file.read(_CHUNK_BYTES)
        if not rest or room <= 0:
            return None
        try:
            parts.append(member.decompress(rest, room))
        except zlib.error:
            return None
        room -= len(parts[-1])
        rest = member.unused_data or member.unconsumed_tail
    return b"".join(parts), rest


def merge_archives(files: Iterable[Path], out: BinaryIO, *, is_packed: bool = True) -> int:
    """All complete records of some files as one, packed or not; how many answers there are.

    What a crash left half written is left out.
    """
    answers = 0
    for path in files:
        with path.open("rb") as file, path.open("rb") as raw:
            rest = b""
            while found := _next_member(file, rest):
                unpacked, rest = found
                packed = raw.read(file.tell() - len(rest) - raw.tell())
                out.write(packed if is_packed else unpacked)
                answers += _ANSWER in unpacked[: unpacked.find(b"\r\n\r\n")]
    return answers


class ArchivedResponse(Struct, frozen=True):
    """One response as it is archived, redirects each for itself."""

    key: str
    """What its request is filed under."""
    response: Response
    is_sound: bool
    """Whether the body agrees with its digest; True when there is none to agree with."""


def read_response(member: bytes) -> ArchivedResponse | None:
    """The HTTP response in an unpacked member; None when it holds something else."""
    try:
        record = next(iter(ArchiveIterator(io.BytesIO(member), WarcRecordType.response)), None)
        if record is None or not record.is_http_parsed:
            return None
        is_sound = "WARC-Payload-Digest" not in record.headers or record.verify_payload_digest()
        return _to_response(record, is_sound)
    except (ValueError, OSError, zlib.error):
        # fastwarc's words for headers it cannot read.
        return None


def _to_response(record: WarcRecord, is_sound: bool) -> ArchivedResponse:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    pairs = [
        (name.decode("latin-1").lower(), value.decode("utf-8", "surrogateescape"))
        for name, value in record.http_headers.items_bytes()
    ]
    is_folded = any(name.startswith(_PREFIX) for name, _ in pairs)
    headers = tuple(
        (name.removeprefix(_PREFIX), value)
        for name, value in pairs
        if name != "content-length" or not is_folded
    )
    body = record.reader.read()
    size = next((value for name, value in headers if name == "content-length"), "")
    response = Response(
        Url(url),
        record.http_headers.status_code or 0,
        headers,
        body,
        record.record_date.timestamp(),
        size_bytes=int(size) if size.isdecimal() and len(size) < 16 else len(body),
    )
    return ArchivedResponse(record.headers.get(_KEY_FIELD) or url, response, is_sound)


class ArchivingFetcher:
    """Any Fetcher, with a copy of each answer to an archive.

    Raises StoreError, besides the FetchErrors of the inner one, when a copy cannot be kept.
    """

    def __init__(self, inner: Fetcher, writer: ArchiveWriter) -> None:
        self._inner = inner
        self._writer = writer

    async def fetch(self, request: Request) -> Response:
        response = await self._inner.fetch(request)
        self._writer.write(request, response)
        return response

    def ready_at(self, site: Site) -> float:
        return self._inner.ready_at(site)

    def delay_of(self, site: Site) -> float:
        return self._inner.delay_of(site)

    async def close(self) -> None:
        self._writer.close()
        await self._inner.close()


class ReplayFetcher:
    """Answers from archives alone; the latest copy of a page counts. Any site is always ready.

    Obeys the robots.txt that the archived crawl obeyed: what that forbade is not in the files.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        """Reads all files once to find what they hold. Raises OSError for a missing one."""
        self._places: dict[str, tuple[Path, int]] = {}
        for path in paths:
            for offset, member in read_members(path):
                entry = read_response(member)
                if entry:
                    self._places[entry.key] = (path, offset)

    async def fetch(self, request: Request) -> Response:
        """Raises NotArchivedError, or BadResponseError for a damaged copy."""
        hops: list[Hop] = []
        while True:
            response = self._read(request)
            location = find_redirect(response)
            if location is None:
                # Filed under the URL that was asked for, which the file may write otherwise.
                return structs.replace(
                    response, url=request.url, hops=tuple(hops), requests=len(hops) + 1
                )
            hops.append(Hop(request.url, response.status, location))
            if len(hops) > _MAX_REDIRECTS:
                raise TooManyRedirectsError(hops[0].url, "redirects in a circle")
            request = follow_redirect(request, hops[-1])

    def ready_at(self, site: Site) -> float:  # noqa: ARG002 (the port's signature)
        return 0.0

    def delay_of(self, site: Site) -> float:  # noqa: ARG002 (the port's signature)
        return 0.0

    async def close(self) -> None:
        self._places.clear()

    def _read(self, request: Request) -> Response:
        place = self._places.get(request_key(request))
        if place is None:
            raise NotArchivedError(request.url, "not in the archives")
        try:
            _, member = next(read_members(*place), (0, b""))
        except OSError as error:
            raise BadResponseError(request.url, f"its archive cannot be read: {error}") from error
        entry = read_response(member)
        if entry is None or not entry.is_sound:
            raise BadResponseError(request.url, "its archived copy is damaged")
        return entry.response
