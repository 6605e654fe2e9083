"""Real pages of many makers whose list of records was found by reading them, to train the scorer of
result blocks beyond a few services and courts.

`listing_labels.json` says for each page, by a digest of its source, which items its main list has:
digests of the address or text that tells each item from the others. The pages themselves lie in
`LEADLINE_DATA` (paginated pages, modern pages, pages with forms); none of their content is kept
here. Threads of forums and goods of shops count as records as much as articles do; pages on which
it was arguable which list is the main one have no label. All pages are of hosts for development
(`tools.splits`), and none is of a service whose answers are read by `tools.answer_evaluation`.
"""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import xxhash
from publicsuffixlist import PublicSuffixList

from leadline.core.url import Url
from tools.splits import is_held_out

LABELS = Path(__file__).parent / "listing_labels.json"
_suffixes = PublicSuffixList()


class ListingPage(NamedTuple):
    owner: str
    """Its registered domain."""
    digest: str
    html: str
    url: str


def read_listing_pages(folder: Path) -> Iterator[ListingPage]:
    """All pages that may have a label."""
    services = {row["service"].casefold() for row in _rows(folder / "answers/serps.jsonl.gz")}
    sources = (
        ("pagination/autopager.jsonl.gz", "page url"),
        ("pages/modern.jsonl.gz", "domain"),
        ("forms/formasaurus.jsonl.gz", "url"),
    )
    for path, name in sources:
        for row in _rows(folder / path):
            url = row[name] if "://" in row[name] else f"https://{row[name]}/"
            host = url.split("/")[2].partition(":")[0].casefold()
            if not is_held_out(host) and services.isdisjoint(host.split(".")):
                owner = _suffixes.privatesuffix(host) or host
                yield ListingPage(owner, digest_page(row["html"]), row["html"], url)


def read_labels() -> dict[str, frozenset[str]]:
    """Digests of items by the digest of their page."""
    labels = json.loads(LABELS.read_text("utf-8"))
    return {digest: frozenset(items) for digest, items in labels.items()}


def digest_page(source: str) -> str:
    return f"{xxhash.xxh3_64_intdigest(source.encode('utf-8', 'replace')):016x}"


def digest_item(page: str, told: str) -> str:
    """Of the address or the text that tells an item from the others of its page."""
    return f"{xxhash.xxh3_64_intdigest(f'{page} {told}'.encode('utf-8', 'replace')) >> 40:06x}"


def tell_item(urls: Iterable[Url], texts: Iterable[str]) -> Iterator[str]:
    """What may tell an item: its addresses and its texts."""
    yield from urls
    yield from (text[:200] for text in texts if text)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
