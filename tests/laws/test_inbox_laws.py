"""The laws of the Inbox port, run on the inbox of every store."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from leadline.core.inbox import (
    FORM,
    NONE,
    ORDERS,
    PAGE,
    PAUSE,
    RIGHT,
    SEEDS,
    STOP,
    WRONG,
    Inbox,
    Label,
    Order,
)
from leadline.errors import ConfigError, StoreError
from leadline.store import STORES
from tests.postgres.fixtures import place_of


@pytest.fixture(params=sorted(STORES))
def inbox(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Inbox]:
    store = STORES[request.param](
        place_of(request.param, request, tmp_path), width=0, memory_links=None
    )
    yield store.inbox
    store.close()


def test_an_empty_desk_has_nothing(inbox: Inbox) -> None:
    assert inbox.orders() == []
    assert inbox.labels() == []


def test_orders_come_out_as_they_were_given(inbox: Inbox) -> None:
    given = [inbox.give(Order(kind, float(at), f"of {kind}")) for at, kind in enumerate(ORDERS)]
    assert [order.id for order in given] == [1, 2, 3, 4, 5, 6]
    assert inbox.orders() == given
    assert inbox.orders(after=4) == given[4:]
    assert inbox.orders(limit=2) == given[:2]
    assert inbox.orders(after=2, limit=1) == [given[2]]
    assert inbox.orders(after=9) == []
    assert inbox.orders(after=-5, limit=-1) == []


def test_a_number_beyond_all_orders_is_no_order(inbox: Inbox) -> None:
    inbox.give(Order(PAUSE, 1.0))
    assert inbox.orders(after=1 << 80) == []
    assert len(inbox.orders(limit=1 << 80)) == 1
    for number in (0, 2, -1, 1 << 80):
        with pytest.raises(StoreError, match="never given"):
            inbox.finish(number, 2.0, "obeyed")


def test_an_order_waits_until_it_is_finished_whatever_it_was_given_as(inbox: Inbox) -> None:
    given = inbox.give(Order(STOP, 1.0, id=77, done_at=5.0, outcome="done long ago"))
    assert given == Order(STOP, 1.0, id=1)
    assert inbox.orders() == [given]


def test_an_order_is_finished_once(inbox: Inbox) -> None:
    first, second = inbox.give(Order(PAUSE, 1.0)), inbox.give(Order(SEEDS, 2.0, "[]"))
    inbox.finish(first.id, 3.0, "paused")
    inbox.finish(first.id, 4.0, "paused again")
    assert inbox.orders() == [structs.replace(first, done_at=3.0, outcome="paused"), second]


def test_the_last_label_of_a_subject_counts(inbox: Inbox) -> None:
    a, b = Label(FORM, "a", RIGHT, 1.0, "book", 0.2), Label(FORM, "b", WRONG, 1.0)
    page = Label(PAGE, "a", RIGHT, 2.0)
    inbox.label([a, b])
    inbox.label([page])
    assert inbox.labels() == [a, b, page]
    changed = structs.replace(a, verdict=WRONG, at=3.0)
    inbox.label([changed])
    assert inbox.labels() == [b, page, changed]


def test_a_label_can_be_taken_back_and_given_again(inbox: Inbox) -> None:
    label = Label(FORM, "a", RIGHT, 1.0)
    inbox.label([label, structs.replace(label, verdict=NONE)])
    assert inbox.labels() == []
    inbox.label([label])
    assert inbox.labels() == [label]


def test_many_labels_come_in_order(inbox: Inbox) -> None:
    labels = [Label(PAGE, f"http://a.test/{n % 300}", RIGHT, float(n)) for n in range(500)]
    inbox.label(labels)
    assert inbox.labels() == labels[200:]


def test_what_nobody_could_obey_or_learn_from_is_refused(inbox: Inbox) -> None:
    good = Label(FORM, "a", RIGHT, 1.0)
    with pytest.raises(ConfigError, match="pause, resume, stop"):
        inbox.give(Order("rest", 1.0))
    with pytest.raises(ConfigError, match="half a character"):
        inbox.give(Order(SEEDS, 1.0, "\ud800"))
    for bad in (
        Label("site", "a", RIGHT, 1.0),
        Label(FORM, "a", "perhaps", 1.0),
        Label(FORM, "\udfff", RIGHT, 1.0),
    ):
        with pytest.raises(ConfigError):
            inbox.label([good, bad])
    assert inbox.orders() == []
    assert inbox.labels() == []


def test_threads_may_speak_at_once(inbox: Inbox) -> None:
    def speak(name: str) -> None:
        for number in range(10):
            inbox.give(Order(PAUSE, float(number), name))
            inbox.label([Label(FORM, f"{name}{number}", RIGHT, 1.0)])

    threads = [threading.Thread(target=speak, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    orders = inbox.orders()
    assert [order.id for order in orders] == list(range(1, 31))
    for name in "abc":
        assert [order.at for order in orders if order.detail == name] == list(range(10))
    assert len(inbox.labels()) == 30
