"""Which real hosts, services, courts and sites are held out for testing: one rule, drawn once.

A name is held out by a hash of its registered domain (or of the name itself, for services and
courts), so that all pages of one owner fall on one side and the rule cannot be bent afterwards.
Nobody reads held-out members or their errors while features, word lists or rules are written; what
was looked at, and when, is written down beside the figures in docs/critics.md.
"""

from collections.abc import Mapping

import xxhash
from publicsuffixlist import PublicSuffixList

HELD_OUT_PERCENT = 30
SALT = "leadline held out 1"
"""Changing it draws another split, and makes every earlier look at the data count."""

SITES = "leadline attribute sites 1"
"""Begins what is hashed of the sites that join those held out by their host."""
_suffixes = PublicSuffixList()


def is_held_out(name: str) -> bool:
    """Whether a host, or any other name of an owner, belongs to the test part.

    >>> is_held_out("www.example.com") == is_held_out("shop.example.com")
    True
    """
    owner = name.strip().lower()
    if "." in owner:
        owner = _suffixes.privatesuffix(owner.partition(":")[0]) or owner
    return xxhash.xxh3_64_intdigest(f"{SALT} {owner}".encode()) % 100 < HELD_OUT_PERCENT


LEAST_HELD_OUT = 2
"""Sites of one kind that are held out at least: two say more than one of what is not known."""


def choose_held_out(kind: str, hosts: Mapping[str, str]) -> frozenset[str]:
    """The held-out sites of a kind (a vertical of SWDE), of names by their host.

    `is_held_out` decides; where it holds out fewer than two sites (none of seven job sites, one of
    seven movie sites), those with the lowest hash of kind and name join them.
    """
    held = {name for name, host in hosts.items() if is_held_out(host)}
    by_hash = sorted(
        hosts, key=lambda name: xxhash.xxh3_64_intdigest(f"{SITES} {kind} {name}".encode())
    )
    wanting = max(0, LEAST_HELD_OUT - len(held))
    return frozenset({*held, *[name for name in by_hash if name not in held][:wanting]})
