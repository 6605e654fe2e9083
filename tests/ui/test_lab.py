"""The commands of the lab: figures on the last line, bad input named."""

import json

import pytest

from tests.ui.conftest import Command


def test_what_there_is_ends_with_one_line_of_json(leadline: Command) -> None:
    ended = leadline("lab", "list")
    assert ended.code == 0
    assert "density" in json.loads(ended.out.splitlines()[-1])["experiments"]
    assert "profiles:" in ended.err


def test_seeds_are_urls_one_a_line(leadline: Command) -> None:
    ended = leadline("lab", "seeds", "book", "--profile", "small", "--count", 3)
    assert len(ended.out.split()) == 3
    assert all(url.startswith("http://") for url in ended.out.split())


def test_a_fingerprint_is_the_same_again(leadline: Command) -> None:
    arguments = ("lab", "fingerprint", "--pages", 3, "--json")
    assert leadline(*arguments).json == leadline(*arguments).json


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("run", "nosuch"), "smoke"),
        (("seeds", "boats"), "airfare"),
        (("seeds", "book", "--count", "-3"), ">= 1"),
        (("serve", "--profile", "nosuch"), "demo"),
        (("serve", "--port", "99999"), "65535"),
        (("run", "smoke", "--jobs", "0"), ">= 1"),
        (("fingerprint", "--pages", "0"), ">= 1"),
        (("audit", "--profile", "nosuch"), "demo"),
    ],
)
def test_bad_input_says_what_would_do(
    leadline: Command, arguments: tuple[str, ...], named: str
) -> None:
    ended = leadline("lab", *arguments)
    assert ended.code == 2
    assert named in ended.err
