"""Nothing is sent to addresses that are not public, however they are written or reached."""

import ipaddress
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import AddressRefusedError, ConnectionFailedError, SiteBusyError
from leadline.web.addresses import AddressGuard, HostMap, is_public
from tests.server.misbehaving import MisbehavingServer
from tests.web.rig import fetching, get

REFUSED = [
    "127.0.0.1",
    "127.255.255.254",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "0.1.2.3",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "2001:0:7f00:1:0:0:80ff:fffe",
    "2001:0:808:808:0:0:80ff:fffe",
    "fe80::1",
    "fec0::1",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "ff0e::1",
    "2001:db8::1",
    "3fff::1",
    "100::1",
]
PUBLIC = [
    "8.8.8.8",
    "93.184.216.34",
    "100.128.0.1",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::1",
]


@pytest.mark.parametrize("text", REFUSED)
def test_non_public_addresses_are_refused(text: str) -> None:
    assert not is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize("text", PUBLIC)
def test_public_addresses_pass(text: str) -> None:
    assert is_public(ipaddress.ip_address(text))


@given(st.ip_addresses(v=4))
def test_an_address_inside_ipv6_is_as_public_as_outside(address: ipaddress.IPv4Address) -> None:
    for prefix in ("::ffff:0:0", "64:ff9b::"):
        inside = ipaddress.IPv6Address(int(ipaddress.IPv6Address(prefix)) + int(address))
        assert is_public(inside) == is_public(address)


@given(st.text(max_size=20))
def test_what_is_no_address_is_refused(text: str) -> None:
    guard = AddressGuard(allow_private=True, allow_addresses=())
    try:
        ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        assert not guard.permits(text)


def test_named_networks_are_allowed() -> None:
    guard = AddressGuard(allow_private=False, allow_addresses=("10.1.0.0/16", "::1"))
    assert guard.permits("10.1.2.3")
    assert guard.permits("::1")
    assert not guard.permits("10.2.0.1")
    assert not guard.permits("fe80::1%eth0")


LITERALS = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "0.0.0.0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[fe80::1]",
    "127.0.0.1.",
]


@pytest.mark.parametrize("host", LITERALS)
async def test_literal_private_addresses_are_refused(host: str) -> None:
    async with MisbehavingServer() as server, fetching(None) as fetcher:
        with pytest.raises(AddressRefusedError):
            await fetcher.fetch(get("/fine", f"{host}:{server.port}"))
        assert not server.asks


@pytest.mark.parametrize("host", [*LITERALS, "localhost", "sneaky.example"])
async def test_redirects_to_private_addresses_are_refused(
    server: MisbehavingServer, host: str
) -> None:
    def lookup(_host: str) -> list[str]:
        return ["127.0.0.1"]

    async with fetching(server, lookup=lookup) as fetcher:
        with pytest.raises(AddressRefusedError):
            await fetcher.fetch(get(f"/to/302?http://{host}:{server.port}/fine"))
    assert server.count("/fine") == 0


class Rebinding:
    """A name server that answers differently each time."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)

    def __call__(self, _host: str) -> Sequence[str]:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


async def test_an_answer_that_changes_to_a_private_address_is_refused() -> None:
    # 127.0.0.2 plays the public address, since tests stay on loopback.
    web = {"allow_addresses": ("127.0.0.2/32",), "dns_ttl_s": 0, "keep_alive_s": 0}
    lookup = Rebinding(["127.0.0.2"], ["127.0.0.1"])
    async with (
        MisbehavingServer(host="127.0.0.2") as server,
        fetching(None, web=web, lookup=lookup, robots={"obey": False}) as fetcher,
    ):
        first = get("/once_then_close", f"rebind.example:{server.port}")
        assert (await fetcher.fetch(first)).status == 200
        with pytest.raises(AddressRefusedError):
            await fetcher.fetch(first)
        assert len(server.asks) == 1


async def test_of_mixed_answers_only_the_permitted_are_used() -> None:
    web = {"allow_addresses": ("127.0.0.2/32",)}
    lookup = Rebinding(["127.0.0.1", "::1", "127.0.0.2"])
    async with (
        MisbehavingServer(host="127.0.0.2") as server,
        fetching(None, web=web, lookup=lookup) as fetcher,
    ):
        response = await fetcher.fetch(get("/fine", f"mixed.example:{server.port}"))
    assert response.status == 200


@pytest.mark.parametrize("host", ["node1", "shop.b2c4", "1st.example"])
async def test_a_name_with_digits_is_a_name(server: MisbehavingServer, host: str) -> None:
    async with fetching(None, web={"resolve": {host: server.address}}) as fetcher:
        assert (await fetcher.fetch(get("/fine", host))).status == 200


async def test_private_addresses_can_be_allowed() -> None:
    async with (
        MisbehavingServer() as server,
        fetching(None, web={"allow_private": True}) as fetcher,
    ):
        response = await fetcher.fetch(get("/fine", f"127.0.0.1:{server.port}"))
    assert response.status == 200


async def test_an_unknown_host_fails_to_connect() -> None:
    def lookup(_host: str) -> list[str]:
        return []

    async with fetching(None, lookup=lookup) as fetcher:
        with pytest.raises(ConnectionFailedError, match="no such host"):
            await fetcher.fetch(get("/", "nowhere.example"))


async def test_a_host_name_dns_cannot_carry_fails_to_connect() -> None:
    async with fetching(None) as fetcher:
        with pytest.raises((ConnectionFailedError, SiteBusyError)):
            await fetcher.fetch(get("/", "a" * 70 + ".example"))


@pytest.mark.parametrize(
    ("host", "found"),
    [
        ("a.test", ("127.0.0.1", 1)),
        ("b.test", ("127.0.0.2", 2)),
        ("x.b.test", ("127.0.0.3", 0)),
        ("y.x.b.test", ("127.0.0.3", 0)),
        ("test", ("::1", 9)),
        ("8.8.8.8", ("::1", 9)),
    ],
)
def test_the_closest_entry_of_the_map_counts(host: str, found: tuple[str, int]) -> None:
    hosts = HostMap(
        {
            "a.test": "127.0.0.1:1",
            "*.test": "127.0.0.2:2",
            "*.b.test": "127.0.0.3",
            "*": "[::1]:9",
        }
    )
    assert hosts.find(host) == found
    assert HostMap({}).find(host) is None


async def test_a_mapped_star_catches_literal_addresses_too(server: MisbehavingServer) -> None:
    async with fetching(None, web={"resolve": {"*": server.address}}) as fetcher:
        response = await fetcher.fetch(get("/fine", "8.8.8.8"))
    assert b"8.8.8.8" in response.body
