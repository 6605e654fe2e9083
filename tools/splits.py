"""Which real hosts, services, courts and sites are held out for testing: one rule, drawn once.

A name is held out by a hash of its registered domain (or of the name itself, for services and
courts), so that all pages of one owner fall on one side and the rule cannot be bent afterwards.
Nobody reads held-out members or their errors while features, word lists or rules are written; what
was looked at, and when, is written down beside the figures in docs/critics.md.
"""

import xxhash
from publicsuffixlist import PublicSuffixList

HELD_OUT_PERCENT = 30
SALT = "leadline held out 1"
"""Changing it draws another split, and makes every earlier look at the data count."""

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
