"""What a user may set about fetching, asking robots.txt, and politeness."""

import ipaddress
import re
from functools import cache
from importlib.metadata import version
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator

from leadline.core.secrets import mask_given
from leadline.core.settings import Flag, Settings
from leadline.plugins import check_part
from leadline.web.fetchers import FETCHERS

KIB = 1024
MIB = 1024 * KIB
DAY_S = 86_400.0
PROXY_SCHEMES = ("http", "https", "socks4", "socks5")


def _check_proxy(proxy: str) -> str:
    if proxy and (urlsplit(proxy).scheme not in PROXY_SCHEMES or not urlsplit(proxy).hostname):
        what = mask_given(proxy)
        raise ValueError(f"{what} is no proxy: write http://, https://, socks5:// or socks4://")
    return proxy


CookieMode = Literal["auto", "always", "never"]


def _read_cookie_mode(value: object) -> object:
    """Stores of earlier versions say true or false."""
    if isinstance(value, bool):
        return "always" if value else "never"
    return value


def _check_networks(ranges: tuple[str, ...]) -> tuple[str, ...]:
    for text in ranges:
        ipaddress.ip_network(text, strict=False)
    return ranges


def split_target(target: str) -> tuple[str, int]:
    """Address and port of a resolve target; port 0 keeps that of the URL.

    >>> split_target("127.0.0.1:8080"), split_target("[::1]:80"), split_target("::1")
    (('127.0.0.1', 8080), ('::1', 80), ('::1', 0))
    """
    address, port = target, ""
    if target.startswith("["):
        address, _, port = target[1:].partition("]")
        port = port.removeprefix(":")
    elif target.count(":") == 1:
        address, _, port = target.partition(":")
    number = int(port or 0)
    if not 0 <= number <= 65_535:
        raise ValueError(f"{target!r} has no such port")
    return str(ipaddress.ip_address(address)), number


def _check_targets(resolve: dict[str, str]) -> dict[str, str]:
    for target in resolve.values():
        split_target(target)
    return {host.lower(): target for host, target in resolve.items()}


@cache
def _find_version() -> str:
    """Read once: it takes as long as three pages."""
    return version("leadline")


class WebSettings(Settings):
    """`[web]`: how pages are fetched. Further keys are the fetcher's own settings."""

    model_config = ConfigDict(frozen=True, extra="allow")

    fetcher: str = Field(
        default="http", description="What fetches pages: http, or a fetcher that you installed."
    )
    contact_url: str = Field(
        default="https://example.org/leadline-bot",
        description="Page that tells site owners who is crawling; part of the user agent.",
    )
    user_agent: str = Field(
        default="",
        pattern=r"^[\x20-\x7e]*$",
        description="User agent sent with each request; empty: leadline/<version> (+contact_url).",
    )
    connect_timeout_s: float = Field(
        default=10.0, gt=0, le=300, description="Longest wait for name lookup, connection and TLS."
    )
    first_byte_timeout_s: float = Field(
        default=20.0,
        gt=0,
        le=600,
        description="Longest silence before the first byte and between two pieces of an answer.",
    )
    total_timeout_s: float = Field(
        default=60.0, gt=0, le=3600, description="Longest time for one request and its answer."
    )
    max_body_bytes: int = Field(
        default=5 * MIB, ge=1, le=1024 * MIB, description="Largest body, as transferred."
    )
    max_unpacked_bytes: int = Field(
        default=20 * MIB, ge=1, le=4096 * MIB, description="Largest body, unpacked."
    )
    max_header_bytes: int = Field(
        default=32 * KIB, ge=KIB, le=MIB, description="Longest single header line of an answer."
    )
    max_headers: int = Field(
        default=200, ge=10, le=10_000, description="Most header lines of an answer."
    )
    max_redirects: int = Field(default=5, ge=0, le=50, description="Most redirects followed.")
    accept_types: tuple[str, ...] = Field(
        default=("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"),
        description="Content types whose bodies are read; empty: all.",
    )
    proxy: Annotated[str, AfterValidator(_check_proxy)] = Field(
        default="",
        repr=False,
        description="http://, https://, socks5:// or socks4:// proxy; empty: none. Its password "
        "is stored nowhere: give it with each run, best as LEADLINE_WEB_PROXY.",
    )
    resolve: Annotated[dict[str, str], AfterValidator(_check_targets)] = Field(
        default_factory=dict,
        description="Host (`a.test`, `*.test`, `*`) to the address[:port] really connected to.",
    )
    allow_private: bool = Field(
        default=False, description="Permit private, loopback and other non-public addresses."
    )
    allow_addresses: Annotated[tuple[str, ...], AfterValidator(_check_networks)] = Field(
        default=(), description="Non-public networks to permit, such as 10.1.0.0/16."
    )
    cookies: Annotated[CookieMode, BeforeValidator(_read_cookie_mode)] = Field(
        default="auto",
        description="Send sites their cookies back: `always`, `never`, or `auto`: with requests "
        "of a harvest's session, and to sites that redirect in a circle without them.",
    )
    verify_tls: bool = Field(default=True, description="Check certificates.")
    ca_file: str = Field(
        default="", description="PEM file of authorities trusted besides the system's."
    )
    keep_alive_s: float = Field(
        default=15.0, ge=0, le=600, description="How long an idle connection is kept."
    )
    dns_ttl_s: int = Field(default=300, ge=0, le=86_400, description="How long names are cached.")
    dns_threads: int = Field(default=16, ge=1, le=256, description="Name lookups at a time.")

    @model_validator(mode="after")
    def _fetcher_exists(self) -> "WebSettings":
        check_part(FETCHERS, self.fetcher, self.own)
        return self

    @model_validator(mode="after")
    def _one_way_out(self) -> "WebSettings":
        if self.proxy and self.resolve:
            raise ValueError("proxy and resolve exclude each other: the proxy decides where to go")
        return self

    @property
    def own(self) -> dict[str, Any]:
        """The settings that belong to the fetcher itself."""
        return dict(self.__pydantic_extra__ or {})

    @property
    def agent(self) -> str:
        """The user agent as sent."""
        return self.user_agent or f"leadline/{_find_version()} (+{self.contact_url})"

    @property
    def token(self) -> str:
        """The product name that robots.txt is searched for: letters, `_` and `-` (RFC 9309)."""
        found = re.match(r"[A-Za-z_-]*", self.agent.strip())
        return found[0] if found else ""


class RobotsSettings(Settings):
    """`[robots]`: how robots.txt is obeyed (RFC 9309)."""

    obey: bool = Field(default=True, description="Ask for robots.txt and obey it.")
    ttl_s: float = Field(
        default=DAY_S, ge=60, le=30 * DAY_S, description="How long one answer holds."
    )
    max_bytes: int = Field(
        default=512 * KIB, ge=500, le=16 * MIB, description="Bytes read; the rest is ignored."
    )
    max_redirects: int = Field(default=5, ge=0, le=20, description="Most redirects followed.")
    max_crawl_delay_s: float = Field(
        default=60.0, ge=0, le=DAY_S, description="Longest Crawl-delay honoured in full."
    )
    unreachable_wait_s: float = Field(
        default=60.0,
        gt=0,
        le=DAY_S,
        description="First pause after a robots.txt that answers 5xx or not at all; doubles.",
    )
    unreachable_tries: int = Field(
        default=3,
        ge=1,
        le=100,
        description="Tries without any answer before the site counts as not connectable.",
    )
    unreachable_days: float = Field(
        default=30.0,
        ge=0,
        le=3650,
        description="Days of 5xx answers after which the site counts as having no rules.",
    )
    cache_origins: int = Field(
        default=20_000, ge=10, le=10_000_000, description="Origins whose rules stay in memory."
    )


class PolitenessSettings(Settings):
    """`[politeness]`: the pause between two requests to one site."""

    delay_s: Annotated[float, Flag("--delay", ("crawl", "harvest"))] = Field(
        default=1.0,
        ge=0,
        le=DAY_S,
        description="Least pause between two requests to one site, in seconds.",
    )
    sites_per_address: int = Field(
        default=8,
        ge=0,
        le=10_000,
        description="How many sites' worth of requests one address gets: no span of delay_s has "
        "more requests to it than this, by all workers together; 0: no limit.",
    )
    sites_per_domain: int = Field(
        default=4,
        ge=0,
        le=10_000,
        description="The same for the hosts of one registered domain.",
    )
    max_delay_s: float = Field(
        default=300.0, ge=0, le=DAY_S, description="Longest pause by slow or refused answers."
    )
    first_backoff_s: float = Field(
        default=2.0,
        ge=0,
        le=DAY_S,
        description="Pause after the first 429, 503 or timeout; doubles.",
    )
    max_retry_after_s: float = Field(
        default=3600.0, ge=0, le=30 * DAY_S, description="Longest Retry-After honoured in full."
    )
    slow_answer_s: float = Field(
        default=1.0, gt=0, le=600, description="Smoothed latency from which a site counts as slow."
    )
    slowdown: float = Field(
        default=3.0, ge=0, le=100, description="Pause at a slow site, as a multiple of its latency."
    )
    max_hold_s: float = Field(
        default=30.0,
        ge=0,
        le=DAY_S,
        description="Longest pause a fetch sits out; beyond it the site counts as busy.",
    )
    max_sites: int = Field(
        default=50_000, ge=10, le=100_000_000, description="Sites remembered before idle ones go."
    )
