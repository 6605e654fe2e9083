"""What a store file still holds after closing, crashing, filling up and being shared."""

import math
import random
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import msgspec
import numpy as np
import pytest

from leadline.core.crawl import Budget, Event, Priority
from leadline.core.harvest import Cell
from leadline.core.store import Store, StoreView
from leadline.errors import DamagedStoreError, StoreError, StoreLockedError, StoreVersionError
from leadline.store import open_store, open_store_view
from leadline.store.change_feed import open_change_feed
from leadline.store.schema import APPLICATION_ID, MIGRATIONS
from tests.postgres.fixtures import place_of
from tests.store import harvest_samples
from tests.store.recorder import LINKS, SEEDS, links_of, record_page
from tests.store.samples import (
    candidate,
    give_back,
    judged,
    record,
    rescore,
    site,
    state,
    take,
    url,
    visit,
)

KILLS = 10
ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawl.db"


@pytest.fixture(params=["postgres", "sqlite"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Of each durable kind."""
    return place_of(request.param, request, tmp_path)


def start_recorder(path: Path | str, *limit: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.store.recorder", str(path), *map(str, limit)]
    recorder = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert recorder.stdout is not None
    assert recorder.stdout.readline() == "recording\n"
    return recorder


def check_consistent(store: Store) -> int:
    """Every visit is there with all it brought, and nothing else; how many there are."""
    visits = list(store.reader.visits())
    numbers = [v.id for v in visits]
    assert len(set(numbers)) == len(numbers)
    assert sorted(form.judged.signature for form in store.reader.forms()) == sorted(
        f"form of {number}" for number in numbers
    )
    assert all(form.sightings == 1 for form in store.reader.forms())
    assert sorted(event.subject for event in store.reader.events()) == sorted(map(str, numbers))
    pages = Counter(v.site for v in visits)
    assert {s.site: s.pages for s in store.reader.sites()} == pages
    counts = store.reader.counts()
    if visits:
        assert counts.known == SEEDS + LINKS * len(visits)
        assert counts.waiting == counts.known - len(visits)
    found = [link for number in numbers[-50:] for link in links_of(number)]
    assert all(store.pages.are_known([link.url for link in found]))
    for link in found[::25]:
        known = store.reader.candidate(link.url)
        assert known is not None
        assert known[1] == link
    return len(visits)


def test_after_kill_9_every_visit_is_whole(place: Path | str) -> None:
    chance, seen = random.Random(5), 0
    for turn in range(1, 1 + (KILLS if isinstance(place, Path) else KILLS // 2)):
        recorder = start_recorder(place)
        with pytest.raises(subprocess.TimeoutExpired):  # longer on a machine that is slow today
            recorder.wait(chance.uniform(0.05, 0.6) * (1 if seen else turn))
        recorder.send_signal(signal.SIGKILL)
        recorder.communicate()
        store = open_store(place, width=2, memory_links=50)
        visits = check_consistent(store)
        store.close()
        assert visits >= seen
        seen = visits
    assert seen > 0


def test_a_full_disk_stops_the_crawl_and_loses_nothing_committed(path: Path) -> None:
    recorder = start_recorder(path, 2_000_000)
    told, _ = recorder.communicate(timeout=180)
    assert "cannot be written" in told
    assert recorder.returncode == 3
    store = open_store(path, width=2)
    assert check_consistent(store) > 0
    (lease,) = take(store, 1)
    record_page(store, lease)
    store.flush()
    check_consistent(store)
    store.close()


def test_an_unclosed_lease_returns(place: Path | str) -> None:
    store = open_store(place)
    store.links.put([candidate(1)])
    (lease,) = take(store, 1)
    assert take(store, 1) == []
    store.close()
    store = open_store(place)
    assert take(store, 1) == [lease]
    store.close()


def fill(store: Store) -> None:
    """One of everything a store can hold."""
    store.links.put([candidate(1, 0, 1, 0.25, features=(3, 4)), candidate(2, 1), candidate(3, 2)])
    store.links.put([candidate(4, 1, skip="a trap"), candidate(5, 3), candidate(6, 3)])
    first, second, third = take(store, 3)
    forms = [judged("one"), judged("two", relevant=0.1)]
    seen = visit(first, digest=2**63 + 5, final_url=url(99, 9), relevance=math.inf)
    record(store, seen, state(first, forms=1), forms=forms, rest_s=5_000.0)
    record(store, visit(second, outcome="timeout"), state(second, closed="dead"), forms=forms[:1])
    give_back(store, third, 7_500.0)
    store.links.rank_sites([(site(3), Priority(0, 3.5))])
    store.note(Event(3.0, "note", "subject", "detail"))
    store.save("model", bytes(range(256)))


def snapshot(store: StoreView) -> tuple[object, ...]:
    return (
        store.reader.counts(),
        list(store.reader.visits()),
        list(store.reader.forms()),
        list(store.reader.events()),
        sorted(store.reader.sites(), key=lambda s: s.site),
        store.load("model"),
        [store.reader.candidate(url(number, number % 4)) for number in range(8)],
        store.pages.are_known([url(1), url(99, 9), url(77)]),
        store.pages.have_digests([(site(1), 2**63 + 5)])[0],
        store.pages.have_forms(["two"])[0],
    )


def test_reopening_brings_everything_back(place: Path | str) -> None:
    store = open_store(place, width=2)
    fill(store)
    before = snapshot(store)
    store.close()
    store = open_store(place, width=2)
    assert snapshot(store) == before
    assert store.links.wait_s() == 0.0
    store.close()


def test_a_reader_sees_what_is_committed_while_a_crawl_writes(place: Path | str) -> None:
    store = open_store(place, width=2)
    fill(store)
    store.flush()
    reader = open_store_view(place)
    assert snapshot(reader) == snapshot(store)
    assert reader.pages.path(take(store, 1)[0].id) != []
    assert reader.reader.site(site(2)) == store.reader.site(site(2))
    reader.close()
    store.close()


def test_ranks_and_rests_survive(place: Path | str) -> None:
    store = open_store(place, width=2)
    fill(store)

    def by_second(tiers, scores, features) -> None:  # type: ignore[no-untyped-def]
        tiers[:] = 4
        scores[:] = features[:, 1]

    rescore(store, by_second)
    waiting = store.reader.counts().waiting
    store.close()
    store = open_store(place, width=2)
    assert store.reader.counts().waiting == waiting
    (ranked,) = take(store, 1)
    assert ranked.candidate.site == site(0)
    assert ranked.candidate.priority[:2] == (4, 4.0)
    assert take(store, 9) == []
    assert 0.0 < (store.links.wait_s() or 0.0) <= 7_500.0
    store.close()


def test_a_store_has_one_writer(place: Path | str) -> None:
    store = open_store(place)
    with pytest.raises(StoreLockedError, match="read-only"):
        open_store(place)
    store.close()
    open_store(place).close()


def test_a_killed_writer_leaves_no_lock(place: Path | str) -> None:
    recorder = start_recorder(place)
    with pytest.raises(StoreLockedError):
        open_store(place)
    recorder.kill()
    recorder.communicate()
    open_store(place).close()


def test_what_is_not_a_store_is_refused(path: Path) -> None:
    path.write_bytes(b"something else" * 1000)
    with pytest.raises(StoreError, match="not those of a SQLite file"):
        open_store(path)
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    with pytest.raises(StoreError, match="something else"):
        open_store(path)
    with pytest.raises(StoreError, match="no store"):
        open_store_view(path.with_name("absent.db"))


def test_a_store_of_another_version_says_what_to_do(path: Path) -> None:
    open_store(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    for opener in (open_store, open_store_view):
        with pytest.raises(StoreVersionError, match="upgrade"):
            opener(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 0")
    connection.close()
    for opener in (open_store, open_store_view):
        with pytest.raises(DamagedStoreError, match="store check"):
            opener(path)


def test_what_cannot_be_written_surfaces_at_the_next_call(place: Path | str) -> None:
    store = open_store(place)
    store.links.put([candidate(1)])
    store.flush()
    store.note(Event(1.0, "half a pair: \ud800"))
    with pytest.raises(StoreError, match="cannot be written"):
        store.flush()
    with pytest.raises(StoreError, match="cannot be written"):
        store.pages.are_known([url(1)])
    store.close()
    store = open_store(place)
    assert store.pages.are_known([url(1)]) == [True]
    assert list(store.reader.events()) == []
    store.close()


def test_a_closed_store_refuses(place: Path | str) -> None:
    store = open_store(place)
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.links.put([candidate(1)])


def test_another_width_reads_the_same_features(place: Path | str) -> None:
    store = open_store(place, width=2)
    store.links.put([candidate(1, features=(7, 8))])
    store.close()
    seen: list[list[int]] = []

    def look(tiers, scores, features) -> None:  # type: ignore[no-untyped-def]
        assert len(tiers) == len(scores)
        seen.extend(features.tolist())

    for width in (1, 2, 3):
        store = open_store(place, width=width)
        rescore(store, look)
        assert take(store, 1)[0].candidate.features == np.array([7, 8], "<i4").tobytes()
        store.close()
    assert seen == [[7], [7, 8], [7, 8, 0]]


def test_what_waits_is_told_alike_by_who_writes_and_who_looks(path: Path) -> None:
    store = open_store(path, width=2, memory_links=2)
    store.links.put([candidate(n, n % 3, n % 4, n / 10) for n in range(20)])
    (lease,) = take(store, 1)
    record(store, visit(lease), state(lease, closed="enough"))
    store.flush()
    before = store.reader.count_waiting()
    assert sum(before.tiers.values()) == store.reader.counts().waiting
    reader = open_store_view(path)
    assert reader.reader.count_waiting() == before
    reader.close()
    store.close()
    store = open_store(path, width=2, memory_links=2)
    assert store.reader.count_waiting() == before
    store.close()


def fill_harvest(store: Store) -> None:
    """A harvest with one of everything."""
    head = store.harvests.begin(harvest_samples.subject(), 1.0)
    for number in (1, 2):
        store.harvests.begin_query(head.id, harvest_samples.asked(number))
        found = [harvest_samples.record(number), harvest_samples.record(3)]
        page = harvest_samples.page(number, has_more=True)
        store.harvests.add_page(head.id, page, found, b"lists")
    store.harvests.end_query(head.id, 1, harvest_samples.outcome(1))
    ((first, _),) = store.harvests.without_detail(head.id, 1)
    store.harvests.add_detail(head.id, first, [Cell("detail:p", "more")], 1, 9.0)


def harvest_snapshot(store: StoreView) -> tuple[object, ...]:
    (head,) = store.harvests.all()
    return (
        head,
        store.harvests.find(head.subject.signature),
        list(store.harvests.queries(head.id)),
        list(store.harvests.pages(head.id)),
        list(store.harvests.records(head.id)),
        store.harvests.without_detail(head.id, 9),
        store.harvests.tally(head.id),
    )


def test_reopening_brings_harvests_back(place: Path | str) -> None:
    store = open_store(place)
    fill_harvest(store)
    before = harvest_snapshot(store)
    reader = open_store_view(place)
    assert harvest_snapshot(reader) == before
    reader.close()
    store.close()
    store = open_store(place)
    assert harvest_snapshot(store) == before
    head = next(store.harvests.all())
    known = store.harvests.add_page(
        head.id, harvest_samples.page(2, 2), [harvest_samples.record(n) for n in (1, 9)]
    )
    assert known.fresh == 1
    store.close()


def test_a_store_without_harvests_is_read_as_it_is_and_brought_up_to_date(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(
        f"{MIGRATIONS[0]}; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1"
    )
    connection.execute("INSERT INTO events VALUES (1, 2.0, 'note', 'of old', '')")
    connection.commit()
    connection.close()
    reader = open_store_view(path)
    assert [event.subject for event in reader.reader.events()] == ["of old"]
    assert [*reader.harvests.all(), *reader.harvests.records()] == []
    reader.close()
    store = open_store(path)
    fill_harvest(store)
    assert [event.subject for event in store.reader.events()] == ["of old"]
    assert store.harvests.tally(next(store.harvests.all()).id).records == 3
    store.close()


FORMAT_OF_2026 = 3
"""Of stores that did not say under which topic a form was judged."""


def old_store(path: Path) -> None:
    """Two crawls with another topic each, as an older version left them."""
    connection = sqlite3.connect(path)
    connection.executescript(";".join(MIGRATIONS[:FORMAT_OF_2026]))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT_OF_2026}")
    connection.execute("INSERT INTO sites VALUES (0, ?)", (site(0),))
    for number, topic in enumerate(("book", "hotel")):
        at, form = 10.0 * number, judged(f"form for {topic}")
        started, fallback = (at, "started", topic, ""), (at + 1, "second-wind", "ffc", "")
        connection.executemany(
            "INSERT INTO events (at, kind, subject, detail) VALUES (?, ?, ?, ?)",
            [started, fallback],
        )
        connection.execute(
            "INSERT INTO forms (signature, site, visit, at, searchable, relevant, sightings,"
            " judged) VALUES (?, 0, ?, ?, 0.9, 0.9, 1, ?)",
            (form.signature, number + 1, at + 2, msgspec.msgpack.encode(form)),
        )
    run = '{"state": "running", "since": 5.0, "reason": ""}'
    connection.executemany("INSERT INTO saved VALUES (?, ?)", [("run", run), ("asked", b"7")])
    connection.commit()
    connection.close()


@pytest.mark.parametrize("is_read_only", [True, False])
def test_an_old_store_says_under_which_topics_its_forms_were_judged(
    path: Path, *, is_read_only: bool
) -> None:
    old_store(path)
    store: StoreView = open_store_view(path) if is_read_only else open_store(path)
    assert [form.topic for form in store.reader.forms()] == ["book", "hotel"]
    assert [event.kind for event in store.reader.events()] == ["started", "fallback"] * 2
    store.close()
    with closing(open_change_feed(path)) as feed:
        assert [entry.form.topic for entry in feed.forms(0, 9)] == ["book", "hotel"]


def test_the_run_of_an_old_store_was_cut_off_and_what_it_spent_counts(path: Path) -> None:
    old_store(path)
    store = open_store(path)
    assert store.run.state().state == "cut off"
    store.run.begin(Budget(pages=7))
    assert store.run.stop_reason() == "budget: pages"
    store.close()
