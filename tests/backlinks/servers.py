"""Services on loopback that answer who links to a page."""

import asyncio
import json
from collections.abc import Sequence
from urllib.parse import parse_qs

from tests.server.wire import Ask, LoopbackServer, answer_bytes

JSON = "application/json"
NOTHING_FORBIDDEN = "User-agent: *\nDisallow:\n"
SEARXNG_ROBOTS = "User-agent: *\nDisallow: /stats\nDisallow: /*?*q=*\n"
"""The rule that SearXNG ships with."""


class Asked(LoopbackServer):
    """Answers any host from `reply`; `asks` lists all requests but those for robots.txt."""

    def __init__(self, robots: str = NOTHING_FORBIDDEN) -> None:
        super().__init__()
        self.asks: list[Ask] = []
        self._robots = robots

    async def answer(self, ask: Ask, writer: asyncio.StreamWriter) -> bool:
        if ask.path == "/robots.txt":
            writer.write(answer_bytes(self._robots, kind="text/plain"))
        else:
            self.asks.append(ask)
            writer.write(self.reply(ask))
        await writer.drain()
        return True

    def reply(self, ask: Ask) -> bytes:
        raise NotImplementedError


class LinkServer(Asked):
    """A back-link service that knows the same pages for every URL."""

    def __init__(self, pages: Sequence[object] = ()) -> None:
        super().__init__()
        self.pages = pages

    def reply(self, ask: Ask) -> bytes:
        links = [{"url": page, "anchor": "see"} for page in self.pages]
        body = json.dumps({"url": asked(ask)["url"], "links": links, "total": 1_000})
        return answer_bytes(body, kind=JSON)


class SearchServer(Asked):
    """A SearXNG that has results for some queries."""

    def __init__(self, results: dict[str, list[str]], robots: str = NOTHING_FORBIDDEN) -> None:
        super().__init__(robots)
        self.results = results

    @property
    def queries(self) -> list[str]:
        return [asked(ask)["q"] for ask in self.asks]

    def reply(self, ask: Ask) -> bytes:
        question = asked(ask)
        if question.get("format") != "json":
            return answer_bytes("<title>SearXNG</title>")
        found = [{"url": url, "title": "t"} for url in self.results.get(question["q"], ())]
        return answer_bytes(json.dumps({"query": question["q"], "results": found}), kind=JSON)


class Fixed(Asked):
    """One answer, whatever is asked."""

    def __init__(self, answer: bytes) -> None:
        super().__init__()
        self._answer = answer

    def reply(self, ask: Ask) -> bytes:  # noqa: ARG002 (the server's signature)
        return self._answer


def asked(ask: Ask) -> dict[str, str]:
    """The parameters of a question, sent either way."""
    sent = ask.body.decode() if ask.method == "POST" else ask.target.partition("?")[2]
    return {name: values[0] for name, values in parse_qs(sent).items()}
