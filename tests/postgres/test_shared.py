"""A shared store under many workers at once, and under a server that dies."""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager

import psycopg
import pytest

from leadline.core.crawl import Budget, Candidate, Event, SiteState
from leadline.core.store import LEARNER, Completion, Delivery, PublishedModel, SiteLease
from leadline.errors import StoreLockedError, StoreUnreachableError
from leadline.store import open_store, open_store_view
from leadline.store.change_feed import open_change_feed
from leadline.store.lock import is_locked
from leadline.store.postgres import reader
from leadline.store.postgres.connection import Connection, connect
from leadline.store.postgres.deliveries import FoundLink, add_links, distinct_links
from leadline.store.postgres.schema import migrate
from leadline.store.postgres.store import PostgresStore
from tests.postgres.server import Server
from tests.store.samples import candidate, judged, record, site, state, take, url, visit
from tests.store.worlds import DatabaseWorld

WORKERS = 6
SITES = 12
PAGES = 150


@pytest.fixture
def shared(postgres_url: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(postgres_url)) as opened:
        opened.run.begin(Budget())
        yield opened


def complete(
    shared: PostgresStore, taken: SiteLease, done: Sequence[Completion], rest_s: float = 0.0
) -> None:
    assert shared.links.deliver([Delivery(taken, tuple(done), rest_s)]) == []


def lease_one(shared: PostgresStore, worker: str = "w") -> SiteLease:
    (taken,) = shared.links.lease(worker, sites=1, urls=9, for_s=60.0)
    return taken


def completion(taken: SiteLease, at: int = 0, **changes: object) -> Completion:
    link = taken.leases[at]
    return Completion(visit(link), state(link), **changes)  # type: ignore[arg-type]


def work(url_: str, name: str, held: Counter[str], failures: list[str]) -> None:
    """Leases and delivers until nothing is left; each page links to pages of other sites."""
    with closing(PostgresStore(url_)) as shared:
        while not shared.run.stop_reason():
            taken = shared.links.lease(name, sites=3, urls=4, for_s=60.0)
            for one in taken:
                held[one.site.site] += 1
                if held[one.site.site] != 1:
                    failures.append(f"{one.site.site} was leased twice")
            deliveries = [_delivery(one) for one in taken]
            for one in taken:
                held[one.site.site] -= 1
            if shared.links.deliver(deliveries):
                failures.append(f"a delivery of {name} was refused")


def _delivery(taken: SiteLease) -> Delivery:
    done: list[Completion] = []
    for link in taken.leases:
        number = int(link.candidate.url.rsplit("/", 1)[1])
        found = tuple(candidate(2 * number + way, (number + way) % SITES) for way in (1, 2, 3))
        forms = (judged(f"form {number % 7}"),)
        after = SiteState(link.candidate.site, pages=taken.site.pages + len(done) + 1)
        done.append(Completion(visit(link), after, found, forms, lesson=str(link.id).encode()))
    return Delivery(taken, tuple(done))


def test_who_takes_part_is_told_to_those_who_look(shared: PostgresStore, postgres_url: str) -> None:
    with closing(open_change_feed(postgres_url)) as catalogue:
        assert catalogue.team() is None
        shared.links.put([candidate(number, number) for number in range(3)])
        taken = lease_one(shared, "a")
        shared.links.deliver([Delivery(taken, (completion(taken, lesson=b"seen"),))])
        lease_one(shared, "b")
        shared.learning.claim(LEARNER, "b", 60.0)
        shared.learning.publish(PublishedModel(3, b"known"))
        with connect(postgres_url) as connection:
            connection.execute("UPDATE workers SET seen_at = seen_at - 100")
        team = catalogue.team()
        assert team is not None
        assert [(one.name, one.out, one.visits) for one in team.workers] == [
            ("a", 0, 1),
            ("b", 1, 0),
        ]
        # What the second one has on lease is not back yet.
        assert [one.name for one in team.present] == ["b"]
        assert [one.name for one in team.gone] == ["a"]
        assert 100 <= team.workers[0].seen_s < 160
        assert (team.learner, team.model, team.lessons) == ("b", 3, 1)


def test_what_waits_in_a_large_store_is_estimated(
    shared: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared.links.put([candidate(number, number % 20, tier=number % 2) for number in range(20_000)])
    monkeypatch.setattr(reader, "_MOST", 10_000)
    waiting = shared.reader.count_waiting()
    assert set(waiting.tiers) == {0, 1}
    assert sum(waiting.tiers.values()) == pytest.approx(20_000, rel=0.5)
    assert waiting.sites == 20


def test_many_workers_keep_every_visit_once_and_the_budget(postgres_url: str) -> None:
    with closing(PostgresStore(postgres_url)) as shared:
        shared.links.put([candidate(number, number) for number in range(SITES)])
        shared.run.begin(Budget(pages=PAGES))
    held: Counter[str] = Counter()
    failures: list[str] = []
    workers = [
        threading.Thread(target=work, args=(postgres_url, f"w{n}", held, failures))
        for n in range(WORKERS)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []
    with closing(open_store_view(postgres_url)) as store:
        counts = store.reader.counts()
        visits = list(store.reader.visits())
        assert len({one.id for one in visits}) == len(visits) == counts.visits == PAGES
        assert sum(s.pages for s in store.reader.sites()) == PAGES
        assert sum(form.sightings for form in store.reader.forms()) == PAGES
        assert counts.known == counts.waiting + PAGES
        assert counts.sites == len({one.site for one in visits})
    with closing(PostgresStore(postgres_url)) as shared:
        assert shared.run.stop_reason() == "budget: pages"
        assert sum(worker.out for worker in shared.run.workers()) == 0
        lessons = shared.learning.lessons(0, PAGES + 1)
        assert sorted(int(one.body) for one in lessons) == sorted(one.id for one in visits)


def test_a_link_that_is_committed_late_is_not_overlooked(
    postgres_url: str, shared: PostgresStore
) -> None:
    shared.links.put([candidate(1)])
    taken = lease_one(shared)
    with closing(PostgresStore(postgres_url)) as other:
        with other._session.transaction() as connection:
            bring(other, connection, candidate(2))
            complete(shared, taken, [completion(taken)])
            assert shared.links.lease("w", sites=1, urls=1, for_s=60.0) == []
        assert lease_one(shared).leases[0].candidate.url == url(2)


def test_links_that_others_bring_at_the_same_time_arrive_once(
    postgres_url: str, shared: PostgresStore
) -> None:
    shared.links.put([candidate(1)])
    taken = lease_one(shared)
    with closing(PostgresStore(postgres_url)) as other, ThreadPoolExecutor() as threads:
        with other._session.transaction() as connection:
            bring(other, connection, candidate(2))
            putting = threads.submit(shared.links.put, [candidate(n) for n in (1, 2, 3)])
            wait_for_one_who_waits(postgres_url)
        assert putting.result() == 1
        with other._session.transaction() as connection:
            bring(other, connection, candidate(4))
            found = tuple(candidate(n) for n in (3, 4, 5))
            done = [completion(taken, found=found)]
            completing = threads.submit(complete, shared, taken, done)
            wait_for_one_who_waits(postgres_url)
        completing.result()
        assert (
            shared.reader.counts().visits,
            shared.reader.counts().known,
            shared.reader.counts().waiting,
        ) == (1, 5, 4)
        assert len(lease_one(shared).leases) == 4


def bring(shared: PostgresStore, connection: Connection, link: Candidate) -> None:
    """Let a link arrive within a transaction that is not over yet."""
    numbers = shared.links._numbers.known_sites(connection, [link.site])
    add_links(connection, shared._session.copier, distinct_links([FoundLink(link, 0)]), numbers, 0)


def wait_for_one_who_waits(url: str) -> None:
    """Until a transaction waits for another one."""
    query = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"
    with connect(url) as connection:
        while not connection.execute(query).fetchall()[0][0]:
            time.sleep(0.01)


def test_a_lesson_that_is_committed_late_is_told_later(
    postgres_url: str, shared: PostgresStore
) -> None:
    with psycopg.connect(postgres_url) as late, psycopg.connect(postgres_url) as early:
        late.execute("INSERT INTO lessons (body) VALUES ('first')")
        early.execute("INSERT INTO lessons (body) VALUES ('second')")
        early.commit()
        (told,) = shared.learning.lessons(0, 9)
        assert told.body == b"second"
        late.commit()
        assert [one.body for one in shared.learning.lessons(told.number, 9)] == [b"first"]
        assert [one.body for one in shared.learning.lessons(0, 9)] == [b"second", b"first"]


def test_who_follows_a_store_is_told_nothing_too_early(
    postgres_url: str, shared: PostgresStore
) -> None:
    query = (
        "INSERT INTO events (at, kind, subject, detail) SELECT 1, 'late', '', ''"
        " FROM pg_current_xact_id()"
    )
    with (
        psycopg.connect(postgres_url) as late,
        closing(open_change_feed(postgres_url)) as catalogue,
    ):
        late.execute(query)
        shared.note(Event(2.0, "early"))
        assert catalogue.events(0, 9) == []
        late.commit()
        late.execute("SELECT pg_current_xact_id()")
        told = catalogue.events(0, 9)
        assert [entry.event.kind for entry in told] == ["late", "early"]


def test_one_process_or_many_never_both(postgres_url: str, shared: PostgresStore) -> None:
    assert is_locked(postgres_url)
    with pytest.raises(StoreLockedError):
        open_store(postgres_url)
    shared.close()
    # The server sees a moment later that a connection has gone.
    deadline = time.monotonic() + 180
    while is_locked(postgres_url):
        assert time.monotonic() < deadline
    with closing(open_store(postgres_url)), pytest.raises(StoreLockedError):
        PostgresStore(postgres_url)


def test_what_one_process_left_many_go_on_with_and_back(postgres_url: str) -> None:
    with closing(open_store(postgres_url, width=2)) as store:
        store.links.put([candidate(n, of, score=of) for n in range(3) for of in range(3)])
        (lease,) = take(store, 1)
        record(store, visit(lease), state(lease, closed="enough"), [candidate(9, 1, score=9.0)])
    with closing(PostgresStore(postgres_url)) as shared:
        shared.run.begin(Budget())
        assert shared.reader.counts().waiting == 7
        best, other = shared.links.lease("w", sites=9, urls=1, for_s=60.0)
        assert best.leases[0].candidate.url == url(9, 1)
        assert other.site.site == site(0)
        complete(shared, best, [completion(best, found=(candidate(50, 7),))], rest_s=1e6)
        complete(shared, other, [])
    with closing(open_store(postgres_url, width=2)) as store:
        assert store.reader.counts().visits == 2
        assert {lease.candidate.site for lease in take(store, 9)} == {site(0), site(7)}
        assert 1e5 < (store.links.wait_s() or 0.0) <= 1e6  # site 1 rests
        assert store.reader.candidate(url(50, 7)) is not None


def test_text_with_a_nul_is_kept_without_it(shared: PostgresStore) -> None:
    shared.links.put([candidate(1)])
    taken = lease_one(shared)
    link = taken.leases[0]
    complete(shared, taken, [Completion(visit(link, title="a\0b"), state(link, closed="\0"))])
    assert shared.reader.counts().visits == 1
    shared.note(Event(1.0, "a\0b"))
    assert shared.pages.are_known([url(1), "http://s0.test/\0"]) == [True, False]  # type: ignore[list-item]


def test_lines_cannot_hang(postgres_url: str) -> None:
    names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]
    with connect(postgres_url) as connection:
        for name in names:
            assert connection.execute(f"SHOW {name}").fetchall() != [("0",)]
        told = connection.info.get_parameters()
        assert (told["connect_timeout"], told["tcp_user_timeout"]) == ("10", "10000")
    said = f"{postgres_url}&connect_timeout=3&options=-c%20lock_timeout%3D7"
    with connect(said) as connection:
        assert connection.execute("SHOW lock_timeout").fetchall() == [("7ms",)]
        assert connection.info.get_parameters()["connect_timeout"] == "3"


def test_a_statement_that_waits_too_long_may_be_tried_again(
    postgres_url: str, shared: PostgresStore
) -> None:
    shared.links.put([candidate(1)])
    taken = lease_one(shared)
    with psycopg.connect(postgres_url) as other:
        other.execute("SELECT FROM sites FOR UPDATE")
        with shared._session.hold_connection() as connection:
            connection.execute("SET lock_timeout = 20")
        with pytest.raises(StoreUnreachableError, match="try again"):
            complete(shared, taken, [completion(taken)])
    complete(shared, taken, [completion(taken)])
    assert shared.reader.counts().visits == 1


def test_a_worker_that_stands_still_within_a_statement_lets_go_of_its_sites(
    postgres_url: str, shared: PostgresStore
) -> None:
    def stand_still(other: PostgresStore) -> None:
        with other._session.transaction() as connection:
            connection.execute("SELECT FROM sites FOR UPDATE")
            with connection.cursor().copy("COPY ranking FROM STDIN"):
                assert shared.links.lease("w", sites=1, urls=9, for_s=60.0) == []
                time.sleep(0.2)
                with shared._session.hold_connection() as line:
                    shared._session.end_still(line, 0.1)

    shared.links.put([candidate(1)])
    with closing(PostgresStore(postgres_url)) as other, pytest.raises(StoreUnreachableError):
        stand_still(other)
    assert lease_one(shared).leases[0].candidate.url == url(1)


def test_a_worker_that_stood_still_within_a_transaction_may_try_again(
    shared: PostgresStore,
) -> None:
    def stand_still() -> None:
        with shared._session.transaction() as connection:
            connection.execute("SET idle_in_transaction_session_timeout = 20")
            # The server ends it soon; how soon is a matter of what else the machine does.
            for _ in range(600):
                time.sleep(0.1)
                connection.execute("SELECT 1")

    with pytest.raises(StoreUnreachableError, match="try again"):
        stand_still()
    assert shared.links.put([candidate(1)]) == 1


@contextmanager
def durable_server() -> Iterator[tuple[Server, str]]:
    with ExitStack() as undo:
        server = Server({"synchronous_commit": "on", "fsync": "on"})
        undo.callback(server.stop)
        with connect(server.url()) as connection:
            migrate(connection, server.url())
        yield server, server.url()


def test_a_server_that_is_killed_forgets_nothing(postgres_server: Server) -> None:
    assert postgres_server.pid  # or there is none to be had
    with durable_server() as (server, address), closing(PostgresStore(address)) as shared:
        shared.run.begin(Budget())
        shared.links.put([candidate(n, of) for n in range(2) for of in range(2)])
        first, second = shared.links.lease("w", sites=2, urls=2, for_s=60.0)
        complete(shared, first, [completion(first, lesson=b"!")])
        server.kill()
        with pytest.raises(StoreUnreachableError):
            complete(shared, second, [completion(second)])
        with pytest.raises(StoreUnreachableError):
            shared.reader.counts()
        server.start()
        assert shared.reader.counts().visits == 1
        assert [lesson.body for lesson in shared.learning.lessons(0, 9)] == [b"!"]
        again = shared.links.lease("v", sites=9, urls=9, for_s=60.0)
        assert [one.site.site for one in again] == [first.site.site]
        complete(shared, second, [completion(second)])
        assert shared.reader.counts().visits == 2


def test_a_server_that_is_not_there_is_said_without_the_password() -> None:
    with pytest.raises(StoreUnreachableError) as caught:
        PostgresStore("postgresql://me:secret@127.0.0.1:1/crawl")
    assert "secret" not in str(caught.value)
    assert "me:***@127.0.0.1:1/crawl" in str(caught.value)


def test_a_clock_that_was_set_is_noted(postgres_url: str) -> None:
    with ExitStack() as undo:
        world = DatabaseWorld(postgres_url, undo)
        store = world.open("a")
        store.run.begin(Budget())
        store.links.put([candidate(1)])
        world.set_clock(100)
        store.links.lease("w", sites=1, urls=1, for_s=10.0)
        assert [event.kind for event in store.reader.events()] == ["clock"]
