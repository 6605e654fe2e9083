"""The fetcher asks for nothing that would change something, however it came to the URL."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec import structs

from leadline.core.state_change import ChangeJudge
from leadline.errors import OutOfScopeError
from tests.adversary.damage_site import DamageSite, serve_damage
from tests.web.rig import fetching, get


@pytest.fixture
async def site() -> AsyncIterator[tuple[DamageSite, dict[str, object]]]:
    """The site, and settings that lead to it."""
    damage = DamageSite()
    with serve_damage(damage) as port:
        yield damage, {"resolve": {"*": f"127.0.0.1:{port}"}}


@pytest.mark.parametrize("path", ["/records/5/delete", "/?logout=1", "/cart/add?id=3"])
async def test_a_url_that_would_change_something_is_not_asked_for(
    site: tuple[DamageSite, dict[str, object]], path: str
) -> None:
    damage, web = site
    async with fetching(None, web=web) as fetcher:
        with pytest.raises(OutOfScopeError, match="would "):
            await fetcher.fetch(get(path))
    # Not even robots.txt.
    assert damage.asked == []


async def test_a_url_that_a_person_named_is_asked_for(
    site: tuple[DamageSite, dict[str, object]],
) -> None:
    damage, web = site
    async with fetching(None, web=web) as fetcher:
        await fetcher.fetch(structs.replace(get("/records/5/delete"), is_meant=True))
    assert "/records/5/delete" in damage.asked


async def test_redirects_are_judged_whoever_named_the_first_url(
    site: tuple[DamageSite, dict[str, object]],
) -> None:
    damage, web = site
    async with fetching(None, web=web) as fetcher:
        for number in range(20):
            with pytest.raises(OutOfScopeError, match="would "):
                await fetcher.fetch(structs.replace(get(f"/go/{number}"), is_meant=True))
    assert "/go/19" in damage.asked
    assert damage.list_hits() == []


async def test_a_pattern_allows_it(site: tuple[DamageSite, dict[str, object]]) -> None:
    damage, web = site
    judge = ChangeJudge(["http://a.test/records/*"])
    async with fetching(None, web=web, why_harmful=judge.why_harmful) as fetcher:
        await fetcher.fetch(get("/records/5/delete"))
        with pytest.raises(OutOfScopeError):
            await fetcher.fetch(get("/posts/5/delete"))
    assert "/records/5/delete" in damage.asked


async def test_robots_txt_leads_to_no_change() -> None:
    asked: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
        asked.append(path)
        moved = path == "/robots.txt"
        head = "302 Found\r\nLocation: /account/logout" if moved else "200 OK"
        writer.write(f"HTTP/1.1 {head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, fetching(None, web={"resolve": {"*": f"127.0.0.1:{port}"}}) as fetcher:
        await fetcher.fetch(get("/page"))
    assert asked == ["/robots.txt", "/page"]
