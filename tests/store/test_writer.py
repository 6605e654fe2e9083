"""How the writing thread and the crawl keep pace."""

import sqlite3
import threading
from pathlib import Path

from leadline.core.crawl import Budget
from leadline.store import open_store
from leadline.store.writer import PENDING_LINKS
from tests.store.samples import candidate, take, url


def test_recording_does_not_wait_for_the_disk_until_too_much_is_pending(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    store = open_store(path)
    store.run.begin(Budget())
    store.links.put([candidate(0)])
    store.flush()
    stranger = sqlite3.connect(path, isolation_level=None)
    stranger.execute("BEGIN IMMEDIATE")

    store.links.put([candidate(1)])
    store.links.put([candidate(number) for number in range(2, PENDING_LINKS + 4)])
    (first,) = take(store, 1)
    assert first.candidate.url == url(0)
    # The first batch may have been picked up already; this one is then over the bound.
    late = [candidate(-1 - number) for number in range(PENDING_LINKS)]
    waits = threading.Thread(
        target=lambda: (store.links.put(late), store.links.put([candidate(-1)]))
    )
    waits.start()
    waits.join(0.5)
    assert waits.is_alive()

    stranger.execute("ROLLBACK")
    stranger.close()
    waits.join(180.0)
    assert not waits.is_alive()
    store.flush()
    assert store.reader.counts().known == 2 * PENDING_LINKS + 4
    store.close()


def test_what_is_pending_is_found(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    store = open_store(path, width=1, memory_links=4)
    stranger = sqlite3.connect(path, isolation_level=None)
    stranger.execute("BEGIN IMMEDIATE")

    store.links.put([candidate(number, number, features=(number,)) for number in range(40)])
    assert [lease.candidate.url for lease in take(store, 40)] == [
        url(number, number) for number in range(40)
    ]
    stranger.execute("ROLLBACK")
    stranger.close()
    store.close()
