"""Where stores are, and what is shown and kept of that."""

from pathlib import Path

import pytest

from leadline.config import load_config
from leadline.store.address import (
    is_database,
    mask_password,
    name_of,
    password_of,
    place_of,
    quote_address,
    without_password,
)

SECRET = "postgresql://me:s%40cret@db.example:5432/crawl?sslmode=require&password=other"


def test_a_database_is_told_from_a_file() -> None:
    assert is_database(SECRET)
    assert is_database("postgres:///crawl")
    assert not is_database("postgresql.leadline")
    assert not is_database(Path("postgresql:/crawl"))
    assert place_of(SECRET) == SECRET
    assert place_of("a/b.leadline") == Path("a/b.leadline")


@pytest.mark.parametrize(
    ("url", "hidden", "kept"),
    [
        (
            SECRET,
            "postgresql://me:***@db.example:5432/crawl?sslmode=require&password=***",
            "postgresql://me@db.example:5432/crawl?sslmode=require",
        ),
        (
            "postgresql:///crawl?password=p",
            "postgresql:///crawl?password=***",
            "postgresql:///crawl",
        ),
        ("postgresql://me@db/crawl", "postgresql://me@db/crawl", "postgresql://me@db/crawl"),
        ("a:b@c.leadline", "a:b@c.leadline", "a:b@c.leadline"),
    ],
)
def test_passwords_are_neither_shown_nor_kept(url: str, hidden: str, kept: str) -> None:
    assert mask_password(url) == hidden
    assert without_password(url) == kept


def test_a_place_can_be_pasted_into_a_shell() -> None:
    assert quote_address("crawl.leadline") == "crawl.leadline"
    assert quote_address("postgresql://me:secret@host/db") == "postgresql://me@host/db"
    assert (
        quote_address("postgresql:///db?host=/run&user=me")
        == "'postgresql:///db?host=/run&user=me'"
    )


def test_the_settings_that_are_saved_hold_no_password() -> None:
    config, origins = load_config(None, {"store.path": SECRET})
    assert config.store.path == SECRET
    for text in (config.model_dump_json(), repr(config.model_dump()), repr(config), repr(origins)):
        assert "cret" not in text
        assert "other" not in text


def test_a_store_has_a_short_name() -> None:
    assert name_of(SECRET) == "crawl"
    assert name_of("postgresql://me@db/") == "postgres"
    assert name_of(Path("a/book.leadline")) == "book"


def test_a_password_is_read_as_it_was_meant() -> None:
    assert password_of(SECRET) == "s@cret"
    assert password_of("postgresql:///crawl") == ""
