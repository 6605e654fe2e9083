"""A shared store that lives in one process: the reference for all others."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from msgspec.structs import replace

from leadline.core.crawl import (
    Budget,
    Candidate,
    CandidateId,
    Counts,
    Event,
    Priority,
    SiteState,
    Skipped,
    Waiting,
)
from leadline.core.inbox import Inbox
from leadline.core.ports import Harvests
from leadline.core.shared import (
    NOTHING_LEFT,
    PAUSED,
    RUNNING,
    STOPPED,
    Claim,
    Completion,
    Delivery,
    Lesson,
    Model,
    Ranking,
    Run,
    SiteLease,
    Worker,
)
from leadline.core.url import Site, Url
from leadline.errors import LeaseLostError
from leadline.frontier.ranks import rank_of
from leadline.store.leases import boottime, walk_back
from leadline.store.memory import find_backlinks
from leadline.store.shared.clocks import Measured, judge
from leadline.store.shared.guarded import GuardedHarvests
from leadline.store.shared.tables import SiteRow, Tables


class MemoryShared:
    """The face that one machine has of the tables. Keeps the guarantees of `Shared` as long as
    the process lives."""

    def __init__(
        self,
        tables: Tables,
        machine: str = "",
        now: Callable[[], float] = time.time,
        boot: Callable[[], float] = boottime,
    ) -> None:
        self._tables = tables
        self._machine = machine
        self._wall = now
        self._boot = boot

    def begin(self, budget: Budget) -> bool:
        with self._timed() as now:
            tables = self._tables
            if tables.run.state != STOPPED:
                return False
            tables.run = Run(RUNNING, "", budget, tables.run.number + 1)
            tables.begun_at, tables.begun_bytes = now, tables.counts().size_bytes
            return True

    def limit(self, budget: Budget) -> None:
        self._set(budget=budget)

    def pause(self) -> None:
        if self._tables.run.state == RUNNING:
            self._set(state=PAUSED)

    def resume(self) -> None:
        if self._tables.run.state == PAUSED:
            self._set(state=RUNNING)

    def stop(self, reason: str) -> None:
        if self._tables.run.state != STOPPED:
            self._set(state=STOPPED, reason=reason)

    def run(self) -> Run:
        return self._tables.run

    def why_stop(self) -> str:
        with self._timed() as now:
            tables, run = self._tables, self._tables.run
            if run.state == STOPPED:
                return run.reason or STOPPED
            counts = tables.counts()
            spent = run.budget.spent(
                pages=tables.paid,
                seconds=now - tables.begun_at,
                size_bytes=counts.size_bytes - tables.begun_bytes,
                forms=counts.forms,
            )
            is_busy = any(row.worker or row.is_open for row in tables.sites.values())
            return spent or ("" if is_busy else NOTHING_LEFT)

    def spend(self, worker: str, pages: int) -> None:  # noqa: ARG002
        with self._tables.lock:
            self._tables.spent += pages

    def workers(self) -> list[Worker]:
        with self._timed() as now:
            tables, rows = self._tables, self._tables.sites.values()
            return [
                Worker(
                    name,
                    max(0.0, now - seen_at),
                    sum(row.out for row in rows if row.worker == name),
                    tables.visits_of[name],
                )
                for name, seen_at in sorted(tables.seen_at.items())
            ]

    def sign_off(self, worker: str) -> None:
        with self._tables.lock:
            self._tables.seen_at[worker] = -math.inf

    def put(self, candidates: Sequence[Candidate]) -> int:
        with self._tables.lock:
            return self._tables.admit(candidates)

    def lease(
        self,
        worker: str,
        *,
        sites: int,
        urls: int,
        turn: int | None = None,
        for_s: float,
        pause_s: float = 0.0,
        ranking: Ranking | None = None,
    ) -> list[SiteLease]:
        until, turn = self._boot() + for_s, urls if turn is None else turn
        with self._timed() as now:
            self._tables.seen_at[worker] = now
            self._return_expired(now)
            leased: list[SiteLease] = []
            for row in self._ready(now)[:sites]:
                room = self._room()
                links = self._tables.best(row, urls if room >= turn else room, ranking)
                if not links:
                    break
                row.out = min(turn, len(links))
                self._hand_out(row, worker, now + for_s, pause_s)
                leased.append(SiteLease(replace(row.state, ready_at=0.0), row.epoch, until, links))
            return leased

    def lease_site(
        self, worker: str, site: Site, *, for_s: float, pause_s: float = 0.0
    ) -> SiteLease | None:
        until = self._boot() + for_s
        with self._timed() as now:
            self._tables.seen_at[worker] = now
            self._return_expired(now)
            row = self._tables.site(site)
            if row.worker or row.ready_at > now or self._tables.run.state != RUNNING:
                return None
            self._hand_out(row, worker, now + for_s, pause_s)
            return SiteLease(replace(row.state, ready_at=0.0), row.epoch, until, ())

    def wait_s(self) -> float | None:
        with self._timed() as now:
            rows = [row for row in self._tables.sites.values() if row.is_open]
            free_at = [max(row.ready_at, row.until) if row.worker else row.ready_at for row in rows]
            return max(0.0, min(free_at) - now) if free_at else None

    def complete(
        self,
        lease: SiteLease,
        done: Sequence[Completion],
        *,
        rest_s: float = 0.0,
        is_over: bool = True,
    ) -> None:
        if self.deliver([Delivery(lease, tuple(done), rest_s, is_over)]):
            raise LeaseLostError(f"the lease of {lease.site.site} has passed to another worker")

    def deliver(self, deliveries: Sequence[Delivery]) -> list[SiteLease]:
        with self._timed() as now:
            refused: list[SiteLease] = []
            for delivery in deliveries:
                row = self._tables.site(delivery.lease.site.site)
                if row.epoch != delivery.lease.epoch or not row.worker:
                    refused.append(delivery.lease)
                else:
                    self._take_in(row, delivery, now)
            return refused

    def rank_sites(
        self, ranks: Sequence[tuple[Site, Priority | None]], *, waiting: bool = False
    ) -> None:
        with self._tables.lock:
            for site, priority in ranks:
                row = self._tables.site(site)
                rank = None if priority is None else rank_of(priority.tier, priority.score)
                if not waiting or not (row.is_visited or row.has_better(rank)):
                    row.rank = rank

    def reopen(self) -> int:
        with self._tables.lock:
            return self._tables.reopen()

    def skipped(self) -> Iterator[Skipped]:
        with self._tables.lock:
            return iter(list(self._tables.skipped()))

    def site(self, site: Site) -> SiteState:
        with self._tables.lock:
            return replace(self._tables.site(site).state, ready_at=0.0)

    def known(self, urls: Sequence[Url]) -> list[bool]:
        with self._tables.lock:
            return [url in self._tables.known for url in urls]

    def has_forms(self, signatures: Sequence[str]) -> list[bool]:
        with self._tables.lock:
            return [signature in self._tables.forms for signature in signatures]

    def has_digests(self, texts: Sequence[tuple[Site, int]]) -> list[bool]:
        with self._tables.lock:
            return [text in self._tables.digests for text in texts]

    def path(self, visit: CandidateId, length: int) -> list[Candidate]:
        with self._tables.lock:
            return walk_back(visit, self._tables.candidates.get)[-length:] if length else []

    def linking(self, target: Url, limit: int) -> list[Url]:
        with self._tables.lock:
            return find_backlinks(target, self._tables.candidates)[:limit]

    def lessons(self, after: int, limit: int) -> list[Lesson]:
        with self._tables.lock:
            told = [Lesson(number, body) for number, body in self._tables.lessons.items()]
            return [lesson for lesson in told if lesson.number > after][:limit]

    def publish(self, model: Model) -> None:
        with self._tables.lock:
            newest = self._tables.model
            if newest is not None and newest.version >= model.version:
                raise LeaseLostError(f"model {newest.version} is there: another learner took over")
            self._tables.model = model
            for number in [n for n in self._tables.lessons if n <= model.upto]:
                del self._tables.lessons[number]

    def model(self, newer_than: int = 0) -> Model | None:
        model = self._tables.model
        return model if model is not None and model.version > newer_than else None

    def claim(self, name: str, worker: str, for_s: float) -> Claim | None:
        until = self._boot() + for_s
        with self._timed() as now:
            held = self._tables.claims.get(name, Claim(name, "", 0, 0.0))
            if held.worker not in ("", worker) and held.until > now:
                return None
            epoch = held.epoch + (held.worker != worker)
            claim = Claim(name, worker, epoch, now + for_s)
            self._tables.claims[name] = claim
            return replace(claim, until=until)

    def release(self, claim: Claim) -> None:
        with self._tables.lock:
            held = self._tables.claims.get(claim.name)
            if held is not None and held.epoch == claim.epoch:
                self._tables.claims[claim.name] = replace(held, worker="")

    def save(self, key: str, value: bytes) -> None:
        self._tables.saved[key] = value

    def load(self, key: str) -> bytes | None:
        return self._tables.saved.get(key)

    def note(self, event: Event) -> None:
        with self._tables.lock:
            self._tables.events.append(event)

    def counts(self) -> Counts:
        with self._tables.lock:
            return self._tables.counts()

    def waiting(self) -> Waiting:
        with self._tables.lock:
            return self._tables.what_waits()

    def harvests(self, claim: Claim) -> Harvests:
        def check() -> None:
            held = self._tables.claims.get(claim.name)
            if held is None or (held.worker, held.epoch) != (claim.worker, claim.epoch):
                raise LeaseLostError(f"the claim on {claim.name} has passed to another worker")

        return GuardedHarvests(self._tables.harvests, check)

    @property
    def inbox(self) -> Inbox:
        return self._tables.inbox

    def close(self) -> None:
        """Nothing to do."""

    @contextmanager
    def _timed(self) -> Iterator[float]:
        """The crawl time, with the tables to oneself."""
        tables = self._tables
        with tables.lock:
            offset = self._wall() + tables.shift - self._boot()
            verdict = judge(tables.clocks.get(self._machine), Measured(offset, offset))
            if verdict.move_s:
                self._move(verdict.move_s)
            tables.clocks[self._machine] = verdict.clock
            yield self._wall() + tables.shift

    def _move(self, move_s: float) -> None:
        tables = self._tables
        tables.shift += move_s
        tables.events.append(Event(self._wall(), "clock", self._machine, f"{-move_s:+.1f} s"))
        for machine, clock in tables.clocks.items():
            tables.clocks[machine] = clock._replace(held_s=clock.held_s + max(0.0, -move_s))

    def _set(self, **changes: object) -> None:
        with self._tables.lock:
            self._tables.run = replace(self._tables.run, **changes)

    @staticmethod
    def _hand_out(row: SiteRow, worker: str, until: float, pause_s: float) -> None:
        row.worker, row.epoch, row.until = worker, row.epoch + 1, until
        row.ready_at = until + max(pause_s, row.state.delay_s)

    def _return_expired(self, now: float) -> None:
        for row in self._tables.sites.values():
            if row.worker and row.until <= now:
                row.worker, row.epoch, row.out = "", row.epoch + 1, 0

    def _ready(self, now: float) -> list[SiteRow]:
        if self._tables.run.state != RUNNING:
            return []
        rows = self._tables.sites.values()
        ready = [row for row in rows if row.is_open and not row.worker and row.ready_at <= now]
        return sorted(ready, key=lambda row: row.place)

    def _room(self) -> int:
        limit = self._tables.run.budget.pages
        taken = self._tables.paid + self._tables.out
        return max(0, limit - taken) if limit is not None else 1 << 30

    def _take_in(self, row: SiteRow, delivery: Delivery, now: float) -> None:
        self._tables.seen_at[row.worker] = now
        for done in delivery.done:
            self._tables.take_in(row, done)
        row.out -= min(row.out, len(delivery.done))
        if delivery.is_over:
            row.worker, row.out, row.ready_at = "", 0, now + delivery.rest_s
