"""A small web for the tests of both transports: one path per behaviour, on every `.test` host."""

import gzip
from collections.abc import Sequence

from leadline.core.http import Request
from leadline.core.url import Url, canonical, host_of, path_of, site_of
from leadline_lab.draw import key_of
from leadline_lab.reply import Reply

HTML = (("content-type", "text/html; charset=utf-8"),)
ROBOTS = b"User-agent: nobody\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n"
PACKED = gzip.compress(b"<p>x" * 99, mtime=0)
UNKNOWN = Reply(0, fault="unknown host")


def page(body: str, status: int = 200, **parts: float | str) -> Reply:
    return Reply(status, HTML, body.encode(), **parts)  # type: ignore[arg-type]


def moved(location: str, status: int = 302) -> Reply:
    return Reply(status, (*HTML, ("location", location)), b"<p>moved")


REPLIES = {
    "/": page("<title>home</title><a href=/a>a</a>"),
    "/robots.txt": Reply(200, (("content-type", "text/plain"),), ROBOTS),
    "/private/x": page("nobody may see this"),
    "/umlaut": page("<p>gr\u00fc\u00dfe"),
    "/old": moved("/a?x=1", 301),
    "/away": moved("http://other.test/"),
    "/nowhere": moved("ftp://other.test/"),
    "/unplaced": Reply(302, HTML, b"where?"),
    "/ring": moved("/ring2", 307),
    "/ring2": moved("/ring"),
    "/reset": Reply(0, fault="reset"),
    "/timeout": Reply(0, fault="timeout"),
    "/cut": page("<p>this page ends in the middle", fault="cut"),
    "/cut-empty": page("", fault="cut"),
    "/slow": page("<p>at last", delay_s=0.05),
    "/busy": page("later", 429),
    "/rest": Reply(503, (*HTML, ("retry-after", "120")), b"rest"),
    "/gateway": page("bad gateway", 502),
    "/broken": page("oops", 500),
    "/empty": Reply(204),
    "/picture": Reply(200, (("content-type", "image/png"),), b"\x89PNG"),
    "/packed": Reply(200, (*HTML, ("content-encoding", "gzip")), PACKED),
    "/mispacked": Reply(200, (*HTML, ("content-encoding", "gzip")), b"not gzip at all"),
    "/large": page("x" * 1_000_001),
    "/cookie": Reply(200, (*HTML, ("set-cookie", "a=1"), ("set-cookie", "b=2")), b"<p>eat"),
}  # fmt: skip


class SmallWorld:
    """Answers by path. `asked` lists the requests, in order."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    def answer(self, request: Request, now: float) -> Reply:  # noqa: ARG002 (the signature)
        self.asked.append(request)
        host = host_of(site_of(request.url))
        if not host.endswith(".test"):
            return UNKNOWN
        path = path_of(request.url).partition("?")[0]
        if host == "silent.test" and path == "/robots.txt":
            return REPLIES["/timeout"]
        if host == "ill.test" and path == "/robots.txt":
            return page("ill", 500)
        if path == "/echo":
            return page(echo(request))
        return REPLIES.get(path) or page(
            f"<title>{request.url}</title>", 200 if path == "/a" else 404
        )

    @property
    def domains(self) -> Sequence[str]:
        return ["book"]

    def seeds(self, domain: str, n: int) -> Sequence[Url]:
        return [url_of(f"http://{domain}{number}.test/?a=1&b=2") for number in range(n)]


def open_small_world() -> SmallWorld:
    return SmallWorld()


def echo(request: Request) -> str:
    parts = (request.method, request.url, request.content_type, request.referrer or "-")
    return "\n".join((*parts, request.body.decode("latin-1")))


def url_of(text: str) -> Url:
    url = canonical(text)
    assert url is not None
    return url


def get(path: str, host: str = "a.test") -> Request:
    return Request(url_of(f"http://{host}{path}"))


class LinkedWorld(SmallWorld):
    """A web whose links and topics are known: site n is linked to from n pages elsewhere."""

    key = key_of(1, "linked world")

    def backlinks(self, url: Url, limit: int) -> Sequence[tuple[Url, str]]:
        name = host_of(site_of(url)).partition(".")[0].removeprefix("s")
        n = int(name) if name.isdecimal() else 0
        rows = [
            (url_of(f"http://from{number % 40}.test/page/{1000 + number}"), f"anchor {number}")
            for number in range(n)
        ]
        return rows[:limit]

    def sites_about(self, words: list[str], limit: int) -> Sequence[tuple[Url, str, str]]:
        if "books" not in words:
            return []
        rows = [
            (url_of(f"http://books{number}.test/"), f"Books & {number}", "<b>all</b> books")
            for number in range(30)
        ]
        return rows[:limit]
