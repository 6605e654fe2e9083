"""TLS and proxies."""

import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trustme

from leadline.core.http import Request
from leadline.errors import AddressRefusedError, ConnectionFailedError
from tests.server.misbehaving import MisbehavingServer
from tests.server.proxies import HttpProxy, Refusing, SocksProxy
from tests.web.rig import fetching, get, url_of

HOST = "secure.example"


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
async def secure(authority: trustme.CA) -> AsyncIterator[MisbehavingServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(HOST).configure_cert(context)
    async with MisbehavingServer(tls=context) as running:
        yield running


@pytest.fixture
def ca_file(authority: trustme.CA, tmp_path: Path) -> str:
    path = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(path))
    return str(path)


def get_tls(path: str, host: str = HOST) -> Request:
    return Request(url_of(f"https://{host}{path}"))


def public(_host: str) -> list[str]:
    return ["93.184.216.34"]


def private(_host: str) -> list[str]:
    return ["10.0.0.1"]


def unknown(_host: str) -> list[str]:
    raise OSError("no name server here")


async def test_tls_works_with_the_map_and_a_trusted_authority(
    secure: MisbehavingServer, ca_file: str
) -> None:
    web = {"resolve": {"*": secure.address}, "ca_file": ca_file}
    async with fetching(None, web=web) as fetcher:
        response = await fetcher.fetch(get_tls("/fine"))
    assert response.status == 200
    assert secure.asks[-1].host == HOST


async def test_an_unknown_authority_is_a_failed_connection(secure: MisbehavingServer) -> None:
    async with fetching(None, web={"resolve": {"*": secure.address}}) as fetcher:
        with pytest.raises(ConnectionFailedError, match="TLS"):
            await fetcher.fetch(get_tls("/fine"))
    assert not secure.asks


async def test_a_certificate_for_another_name_is_a_failed_connection(
    secure: MisbehavingServer, ca_file: str
) -> None:
    web = {"resolve": {"*": secure.address}, "ca_file": ca_file}
    async with fetching(None, web=web) as fetcher:
        with pytest.raises(ConnectionFailedError, match="TLS"):
            await fetcher.fetch(get_tls("/fine", "other.example"))
    assert not secure.asks


async def test_plain_http_where_tls_is_expected_is_a_failed_connection() -> None:
    async with (
        Refusing() as server,
        fetching(None, web={"resolve": {"*": server.address}}) as fetcher,
    ):
        with pytest.raises(ConnectionFailedError):
            await fetcher.fetch(get_tls("/fine"))


async def test_verification_can_be_switched_off(secure: MisbehavingServer) -> None:
    web = {"resolve": {"*": secure.address}, "verify_tls": False}
    async with fetching(None, web=web) as fetcher:
        assert (await fetcher.fetch(get_tls("/fine"))).status == 200


async def test_an_http_proxy_gets_the_whole_url(server: MisbehavingServer) -> None:
    async with HttpProxy(server.port) as proxy:
        web = {"proxy": f"http://{proxy.address}"}
        async with fetching(None, web=web, lookup=public) as fetcher:
            response = await fetcher.fetch(get("/fine?x=1", "site.example"))
    assert response.status == 200
    assert proxy.targets[-1] == "http://site.example/fine?x=1"


async def test_an_http_proxy_tunnels_tls(secure: MisbehavingServer, ca_file: str) -> None:
    async with HttpProxy(secure.port) as proxy:
        web = {"proxy": f"http://{proxy.address}", "ca_file": ca_file}
        async with fetching(None, web=web, lookup=public) as fetcher:
            response = await fetcher.fetch(get_tls("/fine"))
    assert response.status == 200
    assert proxy.targets[-1] == f"{HOST}:443"


async def test_a_socks_proxy_gets_the_name(server: MisbehavingServer) -> None:
    async with SocksProxy(server.port) as proxy:
        web = {"proxy": f"socks5://{proxy.address}"}
        async with fetching(None, web=web, lookup=unknown) as fetcher:
            response = await fetcher.fetch(get("/fine", "site.example"))
    assert response.status == 200
    assert proxy.targets[-1] == "site.example:80"


async def test_a_socks_proxy_carries_tls(secure: MisbehavingServer, ca_file: str) -> None:
    async with SocksProxy(secure.port) as proxy:
        web = {"proxy": f"socks5://{proxy.address}", "ca_file": ca_file}
        async with fetching(None, web=web, lookup=public) as fetcher:
            assert (await fetcher.fetch(get_tls("/fine"))).status == 200


@pytest.mark.parametrize("scheme", ["http", "socks5"])
@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "169.254.169.254", "inside.example"])
async def test_no_proxy_is_asked_for_private_addresses(
    server: MisbehavingServer, scheme: str, host: str
) -> None:
    async with HttpProxy(server.port) as proxy:
        web = {"proxy": f"{scheme}://{proxy.address}"}
        async with fetching(None, web=web, lookup=private) as fetcher:
            with pytest.raises(AddressRefusedError):
                await fetcher.fetch(get("/fine", host))
        assert not proxy.targets


@pytest.mark.parametrize("scheme", ["http", "socks5", "socks4"])
async def test_a_proxy_that_is_not_there_is_a_failed_connection(scheme: str) -> None:
    async with Refusing() as proxy:
        gone = proxy.address
    async with fetching(None, web={"proxy": f"{scheme}://{gone}"}, lookup=public) as fetcher:
        with pytest.raises(ConnectionFailedError):
            await fetcher.fetch(get("/fine", "site.example"))


@pytest.mark.parametrize("scheme", ["http", "socks5"])
async def test_a_proxy_that_refuses_is_a_failed_connection(scheme: str) -> None:
    async with Refusing() as proxy:
        web = {"proxy": f"{scheme}://{proxy.address}"}
        async with fetching(None, web=web, lookup=public) as fetcher:
            with pytest.raises(ConnectionFailedError):
                await fetcher.fetch(get_tls("/fine"))
