"""`[backlinks]`: what may be set, and what is refused."""

from pathlib import Path

import pytest

from leadline.backlinks import open_backlinks
from leadline.config import load_config
from leadline.errors import ConfigError, StoreError
from leadline.store import open_store
from leadline_lab.server.fetcher import LabFetcher
from tests.lab.small_world import LinkedWorld


def test_own_links_are_the_default() -> None:
    assert load_config()[0].backlinks.provider == "own"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"provider": "google"}, "Valid: commoncrawl, none, own, searxng, service"),
        ({"provider": "searxng"}, r"needs backlinks\.address"),
        ({"provider": "service"}, r"needs backlinks\.address"),
        ({"provider": "commoncrawl"}, r"needs backlinks\.file"),
        ({"address": "ftp://x"}, "not an http"),
        ({"queries": ["link:{page.x}"]}, "{url}, {page} and {host} only"),
        ({"queries": ["{}"]}, "{url}, {page} and {host} only"),
        ({"queries": ["{nothing}"]}, "{url}, {page} and {host} only"),
        ({"queries": ["link:{url"]}, "link:{url.*expected '}'"),
        ({"queries": []}, "at least 1"),
        ({"max_pages": 0}, "greater than or equal to 1"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_config(settings={f"backlinks.{name}": value for name, value in settings.items()})


def test_nobody_need_be_asked() -> None:
    config, _ = load_config(settings={"backlinks.provider": "none"})
    store = open_store(":memory:")
    with open_backlinks(config.backlinks, store.pages, LabFetcher(LinkedWorld())) as links:
        assert links is None


@pytest.mark.parametrize(("provider", "error"), [("commoncrawl", ConfigError), ("own", StoreError)])
def test_a_file_that_is_not_there_is_told_before_the_crawl(
    tmp_path: Path, provider: str, error: type[Exception]
) -> None:
    settings = {"backlinks.provider": provider, "backlinks.file": str(tmp_path / "nowhere")}
    config, _ = load_config(settings=settings)
    store = open_store(":memory:")
    opening = open_backlinks(config.backlinks, store.pages, LabFetcher(LinkedWorld()))
    with pytest.raises(error, match="nowhere"), opening:
        pass
