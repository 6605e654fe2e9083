"""Orders and labels in a store file: left beside a crawl, kept across crashes and formats."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs

from leadline.core.inbox import FORM, PAUSE, RIGHT, STOP, WRONG, Label, Order
from leadline.errors import StoreError, StoreLockedError
from leadline.store import open_store, open_store_view
from leadline.store.inbox import open_inbox
from leadline.store.lock import WriteLock, is_locked
from leadline.store.schema import APPLICATION_ID, MIGRATIONS, WITH_INBOX
from tests.store.recorder import SEEDS, leases, record_page
from tests.store.samples import candidate
from tests.store.test_durability import ROOT, check_consistent, start_recorder

LABEL = Label(FORM, "a form", RIGHT, 1.0, "book", 0.4)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawl.db"


def old_store(path: Path, version: int = WITH_INBOX - 1) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(
        f"{';'.join(MIGRATIONS[:version])};"
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {version}"
    )
    connection.execute("INSERT INTO events VALUES (1, 2.0, 'note', 'of old', '')")
    connection.commit()
    connection.close()


def test_labels_and_orders_outlive_the_store(path: Path) -> None:
    store = open_store(path)
    store.inbox.label([LABEL])
    order = store.inbox.give(Order(PAUSE, 1.0))
    store.inbox.finish(order.id, 2.0, "paused")
    told = store.inbox.orders()
    store.close()
    for opened in (open_store_view(path), open_store(path)):
        assert opened.inbox.labels() == [LABEL]
        assert opened.inbox.orders() == told
        opened.close()


def test_a_desk_is_written_while_a_crawl_writes_its_store(path: Path) -> None:
    store = open_store(path, width=2)
    desk, reader = open_inbox(path), open_store_view(path)
    left = [structs.replace(LABEL, subject=str(n)) for n in range(40)]
    for label, lease in zip(left, leases(store), strict=False):
        record_page(store, lease)
        desk.label([label])
        order = desk.give(Order(STOP, 1.0))
        assert store.inbox.orders() == reader.inbox.orders() == desk.orders()
        store.inbox.finish(order.id, 2.0, "obeyed")
    assert store.inbox.labels() == reader.inbox.labels() == left
    assert {order.outcome for order in desk.orders()} == {"obeyed"}
    assert check_consistent(store) == 40
    reader.close()
    store.close()


def test_another_process_may_crawl_meanwhile(path: Path) -> None:
    recorder = start_recorder(path)
    assert is_locked(path)
    desk = open_inbox(path)
    for number in range(20):
        desk.label([structs.replace(LABEL, subject=str(number))])
        desk.give(Order(PAUSE, float(number)))
    assert recorder.poll() is None
    recorder.send_signal(signal.SIGKILL)
    recorder.communicate()
    assert not is_locked(path)
    store = open_store(path, width=2, memory_links=50)
    assert check_consistent(store) >= 0
    assert [label.subject for label in store.inbox.labels()] == [str(n) for n in range(20)]
    assert [order.at for order in store.inbox.orders()] == list(range(20))
    store.close()


def test_what_the_desk_has_taken_survives_kill_9(path: Path) -> None:
    store = open_store(path)
    command = [sys.executable, "-m", "tests.store.labeller", str(path)]
    labeller = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert labeller.stdout is not None
    while labeller.stdout.readline() != "7\n":
        assert labeller.poll() is None
    labeller.send_signal(signal.SIGKILL)
    rest = labeller.communicate()[0].split()
    taken = int(rest[-1]) if rest else 7
    labels = [label.subject for label in store.inbox.labels()]
    whole = [f"{number} {part}" for number in range(1, len(labels) // 2 + 1) for part in "ab"]
    assert labels == whole
    assert len(labels) // 2 - taken in (0, 1)
    assert len(store.inbox.orders()) - taken in (0, 1)
    store.links.put([candidate(1)])
    store.close()


@pytest.mark.parametrize("version", range(1, WITH_INBOX))
def test_an_older_store_is_read_as_it_is_and_brought_up_to_date(path: Path, version: int) -> None:
    old_store(path, version)
    reader = open_store_view(path)
    assert reader.inbox.labels() == []
    assert reader.inbox.orders() == []
    open_inbox(path).label([LABEL])
    assert reader.inbox.labels() == [LABEL]
    assert [event.subject for event in reader.reader.events()] == ["of old"]
    reader.close()
    store = open_store(path)
    assert store.inbox.labels() == [LABEL]
    assert [event.subject for event in store.reader.events()] == ["of old"]
    store.close()


def test_an_older_store_is_not_changed_under_who_writes_it(path: Path) -> None:
    old_store(path)
    lock = WriteLock(path)
    with pytest.raises(StoreLockedError, match="stop that crawl"):
        open_inbox(path)
    lock.release()
    assert open_inbox(path).labels() == []
    assert not is_locked(path)


def test_a_desk_read_only_refuses_every_change(path: Path) -> None:
    open_store(path).close()
    reader = open_store_view(path)
    for change in (
        lambda: reader.inbox.give(Order(PAUSE, 1.0)),
        lambda: reader.inbox.finish(1, 1.0, ""),
        lambda: reader.inbox.label([structs.replace(LABEL, verdict=WRONG)]),
    ):
        with pytest.raises(StoreError, match="read-only"):
            change()
    reader.close()


def test_a_desk_needs_a_store(path: Path) -> None:
    with pytest.raises(StoreError, match="no store at"):
        open_inbox(path)
    path.touch()
    with pytest.raises(StoreError, match="holds no tables"):
        open_inbox(path)
    path.write_bytes(b"something else entirely" * 100)
    with pytest.raises(StoreError, match="not those of a SQLite file"):
        open_inbox(path)


def test_whether_a_store_is_written_can_be_told(path: Path) -> None:
    assert not is_locked(path)
    store = open_store(path)
    store.links.put([candidate(number, number) for number in range(SEEDS)])
    assert is_locked(path)
    reader = open_store_view(path)
    store.close()
    assert not is_locked(path)
    reader.close()
