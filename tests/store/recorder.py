"""A process that records as fast as it can, to be killed. What a page brings is a function of it.

python -m tests.store.recorder <store> [largest file in bytes]
"""

import resource
import sys
from collections.abc import Iterator

from leadline.core.crawl import Candidate, CandidateId, Event, Lease
from leadline.core.store import Store
from leadline.errors import StoreError
from leadline.store import open_store
from tests.store.samples import candidate, judged, record, state, take, visit

SEEDS = 20
LINKS = 6


def links_of(number: CandidateId) -> list[Candidate]:
    """The links on the page of candidate `number`."""
    base = 1_000 + number * LINKS
    sites = [(number * 7 + at) % 40 for at in range(LINKS)]
    return [
        candidate(base + at, sites[at], score=at / 7, parent=number, features=(number, at))
        for at in range(LINKS)
    ]


def record_page(store: Store, lease: Lease) -> None:
    number = lease.id
    before = store.links.site(lease.candidate.site)
    after = state(lease, pages=before.pages + 1)
    form, event = judged(f"form of {number}"), Event(1.0, "met", str(number))
    record(store, visit(lease), after, links_of(number), [form], [event])


def leases(store: Store) -> Iterator[Lease]:
    store.links.put([candidate(number, number) for number in range(SEEDS)])
    while True:
        yield from take(store, 4)


def main() -> int:
    path, *limit = sys.argv[1:]
    store = open_store(path, width=2, memory_links=50)
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit[0]), resource.RLIM_INFINITY))
    sys.stdout.write("recording\n")
    sys.stdout.flush()
    try:
        for lease in leases(store):
            record_page(store, lease)
    except StoreError as error:
        sys.stdout.write(f"{error}\n")
        store.close()
    return 3


if __name__ == "__main__":
    sys.exit(main())
