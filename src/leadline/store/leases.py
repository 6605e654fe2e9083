"""Links, runs, pages and learning of a store that answers from memory: its journal is elsewhere.

One process has such a store, with as many workers as it likes. `CrawlIndex` holds what is asked
at each page; the journal takes what is recorded and finds what is too large for memory.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from msgspec.structs import replace

from leadline.core.crawl import (
    LIKELY,
    Budget,
    Candidate,
    CandidateId,
    JudgedForm,
    Priority,
    SiteState,
    Skipped,
)
from leadline.core.servers import ServerLines, ServerRequest, ServerSharing, ServerTurn
from leadline.core.store import (
    NOTHING_LEFT,
    PAUSED,
    RUNNING,
    STOPPED,
    STOPPING,
    Claim,
    Completion,
    Delivery,
    LinkRanking,
    PublishedModel,
    RunState,
    SiteLease,
    StoredLesson,
    WorkerStatus,
    correct_run_state,
)
from leadline.core.url import Site, Url
from leadline.errors import LeaseLostError
from leadline.store.batch import Batch
from leadline.store.index import UNPAID, Arrival, CrawlIndex
from leadline.store.journal import Journal
from leadline.store.reading import OLD_SPENT_KEY, RUN_KEY, RunRecord, decode_run, walk_back
from leadline.store.rows import judge_again

_NO_LIMIT = 1 << 30
_MOST_SERVERS = 100_000
"""Servers remembered before idle ones go."""


def boottime() -> float:
    """Seconds since this machine was started, its sleep included."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class StoreClock:
    """Wall-clock time when the store was opened, and from there on at the pace of `boot`: who
    sets the wall clock shortens no pause and prolongs none."""

    def __init__(
        self, now: Callable[[], float] = time.time, boot: Callable[[], float] = boottime
    ) -> None:
        self.boot = boot
        self._apart = now() - boot()

    def now(self) -> float:
        return self.boot() + self._apart


@dataclass(slots=True, eq=False)
class HeldLease:
    """A lease that is out; times are those of the store's clock."""

    worker: str
    epoch: int
    until: float
    ready_at: float
    """When the site may be asked again if nothing is ever delivered."""
    out: int
    """Links that count against the budget."""


class LeaseTable:
    """The leases that are out, by the numbers of their sites."""

    def __init__(self) -> None:
        self.held: dict[int, HeldLease] = {}
        self.out = 0
        self._epoch = 0
        self._expires_at = math.inf
        """No lease is over before."""

    def add(self, site: int, worker: str, until: float, ready_at: float, out: int) -> int:
        """The epoch of the lease: one count for all sites, so it rises for each of them."""
        self._epoch += 1
        self.held[site] = HeldLease(worker, self._epoch, until, ready_at, out)
        self.out += out
        self._expires_at = min(self._expires_at, until)
        return self._epoch

    def find(self, site: int | None, epoch: int) -> HeldLease | None:
        """The lease of a site, if it has this epoch."""
        held = None if site is None else self.held.get(site)
        return held if held is not None and held.epoch == epoch else None

    def remove(self, site: int) -> HeldLease:
        held = self.held.pop(site)
        self.out -= held.out
        return held

    def count_done(self, held: HeldLease, links: int) -> None:
        links = min(held.out, links)
        held.out -= links
        self.out -= links

    def remove_expired(self, now: float) -> list[tuple[int, HeldLease]]:
        if now < self._expires_at:
            return []
        over = [site for site, held in self.held.items() if held.until <= now]
        expired = [(site, self.remove(site)) for site in over]
        self._expires_at = min((held.until for held in self.held.values()), default=math.inf)
        return expired


class IndexedRun:
    """`RunStore` of one process. What only the process needs is not written: a run that it leaves
    behind was cut off."""

    def __init__(
        self, index: CrawlIndex, journal: Journal, clock: StoreClock, leases: LeaseTable
    ) -> None:
        self._index = index
        self._journal = journal
        self._clock = clock
        self._leases = leases
        self._begun_at = 0.0
        self._begun_bytes = 0
        self.seen_at: dict[str, float] = {}
        self.visits_of: Counter[str] = Counter()
        saved = journal.read_saved(RUN_KEY)
        record = msgspec.json.decode(saved, type=RunRecord) if saved else RunRecord()
        older = int(journal.read_saved(OLD_SPENT_KEY) or 0)
        self._spent = older if record.spent is None else record.spent
        self._state = correct_run_state(decode_run(saved), is_written=False)

    def begin(self, budget: Budget) -> bool:
        with self._journal.lock:
            if self._state.is_under_way:
                return False
            now = self._clock.now()
            self._begun_at, self._begun_bytes = now, self._index.totals.size_bytes
            self._set(RunState(RUNNING, now, "", budget, self._state.number + 1))
            return True

    def set_budget(self, budget: Budget) -> None:
        with self._journal.lock:
            self._set(replace(self._state, budget=budget))

    def pause(self) -> None:
        with self._journal.lock:
            if self._state.state == RUNNING:
                self._set(replace(self._state, state=PAUSED, since=self._clock.now()))

    def resume(self) -> None:
        with self._journal.lock:
            if self._state.state == PAUSED:
                now = self._clock.now()
                self._begun_at += now - self._state.since
                self._set(replace(self._state, state=RUNNING, since=now))

    def stop(self, reason: str) -> None:
        with self._journal.lock:
            if self._state.is_under_way:
                now = self._clock.now()
                self._set(replace(self._state, state=STOPPED, since=now, reason=reason))

    def state(self) -> RunState:
        return self._state

    def stop_reason(self) -> str:
        with self._journal.lock:
            run, totals = self._state, self._index.totals
            if not run.is_under_way:
                return run.reason or run.state
            until = self._clock.now() if run.state == RUNNING else run.since
            spent = run.budget.find_spent_limit(
                pages=self._paid,
                seconds=until - self._begun_at,
                size_bytes=totals.size_bytes - self._begun_bytes,
                forms=totals.forms,
            )
            is_busy = self._leases.held or self._index.frontier.free_sites()
            return spent or ("" if is_busy else NOTHING_LEFT)

    def spend(self, worker: str, pages: int) -> None:  # noqa: ARG002
        with self._journal.lock:
            self._spent += pages
            self._set(self._state)

    def workers(self) -> list[WorkerStatus]:
        with self._journal.lock:
            now, held = self._clock.now(), self._leases.held.values()
            return [
                WorkerStatus(
                    name,
                    max(0.0, now - seen_at),
                    sum(lease.out for lease in held if lease.worker == name),
                    self.visits_of[name],
                )
                for name, seen_at in sorted(self.seen_at.items())
            ]

    def sign_off(self, worker: str) -> None:
        with self._journal.lock:
            self.seen_at[worker] = -math.inf
            self._set(self._state)

    @property
    def room(self) -> int:
        """Pages that may still be leased."""
        limit = self._state.budget.pages
        return _NO_LIMIT if limit is None else max(0, limit - self._paid - self._leases.out)

    @property
    def _paid(self) -> int:
        outcomes = self._index.totals.outcomes
        return self._spent + outcomes.total() - sum(outcomes[kind] for kind in UNPAID)

    def _set(self, state: RunState) -> None:
        self._state = state
        told = state.state
        if told == STOPPED and self._leases.held:
            told = STOPPING
        fields = (told, state.since, state.reason, state.budget, state.number)
        with self._journal as batch:
            batch.saved[RUN_KEY] = msgspec.json.encode(RunRecord(*fields, self._spent))


class IndexedLinks:
    """`LinkStore` of one process."""

    def __init__(
        self,
        index: CrawlIndex,
        journal: Journal,
        clock: StoreClock,
        leases: LeaseTable,
        run: IndexedRun,
    ) -> None:
        self._index = index
        self._journal = journal
        self._clock = clock
        self._leases = leases
        self._run = run
        self._sites_queued = len(index.frontier.names)
        self._version = 0
        """Of the model by which all waiting links are ranked."""

    def put(self, candidates: Iterable[Candidate]) -> int:
        with self._journal as batch:
            arrivals = self._index.admit(list(candidates))
            self._queue(batch, arrivals)
        return len(arrivals)

    def lease(
        self,
        worker: str,
        *,
        sites: int,
        urls: int,
        turn: int | None = None,
        for_s: float,
        pause_s: float = 0.0,
        ranking: LinkRanking | None = None,
    ) -> list[SiteLease]:
        until, turn = self._clock.boot() + for_s, urls if turn is None else turn
        leased: list[SiteLease] = []
        with self._journal.lock:
            now = self._begin(worker)
            if self._run.state().state != RUNNING:
                return leased
            if ranking is not None and ranking.version > self._version:
                self._rank_again(ranking)
            while len(leased) < sites and (room := self._run.room):
                taken = self._index.frontier.lease(now, urls if room >= turn else room)
                if taken is None:
                    break
                number, links = taken
                out = min(turn, len(links))
                leased.append(self._hand_out(worker, number, links, (until, for_s, pause_s), out))
        return leased

    def lease_site(
        self, worker: str, site: Site, *, for_s: float, pause_s: float = 0.0
    ) -> SiteLease | None:
        until, frontier = self._clock.boot() + for_s, self._index.frontier
        with self._journal.lock:
            now, number = self._begin(worker), frontier.number(site)
            is_free = number not in self._leases.held and frontier.ready_at(number) <= now
            if not is_free or self._run.state().state != RUNNING:
                return None
            frontier.hold(number)
            return self._hand_out(worker, number, [], (until, for_s, pause_s), 0)

    def wait_s(self) -> float | None:
        frontier = self._index.frontier
        with self._journal.lock:
            self._journal.check()
            at = [
                max(held.until, held.ready_at)
                for site, held in self._leases.held.items()
                if held.until < math.inf and frontier.has_links(site)
            ]
            ready_at = frontier.next_ready()
            if ready_at is not None:
                at.append(ready_at)
            return max(0.0, min(at) - self._clock.now()) if at else None

    def deliver(self, deliveries: Sequence[Delivery]) -> list[SiteLease]:
        refused: list[SiteLease] = []
        with self._journal as batch:
            now = self._clock.now()
            for delivery in deliveries:
                lease = delivery.lease
                number = self._index.frontier.find(lease.site.site)
                held = self._leases.find(number, lease.epoch)
                if number is None or held is None:
                    refused.append(lease)
                else:
                    self._take_in(batch, number, held, delivery, now)
        return refused

    def rank_sites(
        self, ranks: Sequence[tuple[Site, Priority | None]], *, waiting: bool = False
    ) -> None:
        with self._journal as batch:
            for site, priority in ranks:
                number = self._index.rank_site(site, priority, is_guess=waiting)
                if number is not None:
                    batch.site_ranks[number] = priority
            self._queue(batch, [])

    def reopen_sites(self) -> int:
        index, journal = self._index, self._journal
        # What is passed over in the same batch would come after the deletion.
        journal.flush()
        with journal as batch:
            opened = index.reopen()
            batch.is_reopening = True
            batch.states.update(opened)
            batch.site_ranks.update(dict.fromkeys(opened))
        journal.flush()
        with journal.lock:
            # Those on lease are among what the frontier holds.
            frontier, links = index.frontier, journal.waiting_links()
            waiting, _ = frontier.ranks()
            links = links.pick(~np.isin(links.ids, waiting))
            sites, ranks, ids = (column.tolist() for column in links)
            frontier.add(ids, sites, ranks, journal.features(links.ids))
        return len(opened)

    def close_sites(self, is_meant: Callable[[Site], bool], why: str) -> list[Site]:
        with self._journal as batch:
            closed = self._index.close_sites(is_meant, why)
            self._queue(batch, [])
            batch.states.update(closed)
        return [state.site for state in closed.values()]

    def rejudge_forms(self, relevant: Mapping[str, float | JudgedForm]) -> None:
        index, journal = self._index, self._journal
        if not relevant:
            return
        journal.flush()
        met = journal.forms_signed(list(relevant))
        with journal as batch:
            for form in met:
                judged = judge_again(form.judged, relevant[form.judged.signature])
                change = (judged.relevant >= LIKELY) - (form.judged.relevant >= LIKELY)
                batch.rejudged[judged.signature] = judged
                batch.rejudged_change += change
                before = index.site(form.site)
                state = replace(before, forms=max(0, before.forms + change))
                index.totals.forms += change
                index.totals.deep_sites += (state.forms > 0) - (before.forms > 0)
                index.states[form.site] = batch.states[index.frontier.number(form.site)] = state

    def skipped_links(self) -> Iterator[Skipped]:
        self._journal.flush()
        return self._journal.skipped_links()

    def site(self, site: Site) -> SiteState:
        with self._journal.lock:
            self._journal.check()
            return self._index.site(site)

    def _begin(self, worker: str) -> float:
        """A worker calls: the time, after leases that are over have returned."""
        self._journal.check()
        now = self._run.seen_at[worker] = self._clock.now()
        for site, held in self._leases.remove_expired(now):
            self._index.frontier.release(site, held.ready_at)
        return now

    def _rank_again(self, ranking: LinkRanking) -> None:
        frontier = self._index.frontier
        moved = frontier.rescore(ranking.score, ranking.least)
        with self._journal as batch:
            batch.rank_again(*moved)
        self._version = ranking.version

    def _hand_out(
        self,
        worker: str,
        number: int,
        links: list[tuple[int, int]],
        times: tuple[float, float, float],
        out: int,
    ) -> SiteLease:
        index, (until, for_s, pause_s) = self._index, times
        state = index.site(index.frontier.names[number])
        ends_at = self._run.seen_at[worker] + for_s
        ready_at = ends_at + max(pause_s, state.delay_s)
        epoch = self._leases.add(number, worker, ends_at, ready_at, out)
        leases = tuple(
            index.lease(CandidateId(id_), rank, self._journal.read_leased(CandidateId(id_)))
            for id_, rank in links
        )
        if state.ready_at:
            state = replace(state, ready_at=0.0)
        return SiteLease(state, epoch, until, leases)

    def _take_in(
        self, batch: Batch, number: int, held: HeldLease, delivery: Delivery, now: float
    ) -> None:
        index, run = self._index, self._run
        run.seen_at[held.worker] = now
        # A site that need not rest stays among the ready ones at once: 0 is always over.
        ready_at = now + delivery.rest_s if delivery.rest_s > 0 else 0.0
        if not delivery.is_over:
            ready_at = held.ready_at
        done = [one for one in delivery.done if index.frontier.is_leased(one.visit.id)]
        for one in done:
            self._record(batch, number, one, ready_at)
        run.visits_of[held.worker] += len(done)
        if delivery.is_over:
            self._leases.remove(number)
            index.frontier.release(number, ready_at)
            if not done:
                state = index.site(delivery.lease.site.site)
                index.states[state.site] = batch.states[number] = replace(state, ready_at=ready_at)
                self._queue(batch, [])
        else:
            self._leases.count_done(held, len(done))

    def _record(self, batch: Batch, number: int, done: Completion, ready_at: float) -> None:
        index, visit = self._index, done.visit
        if visit.final_url is not None:
            index.add_known(visit.final_url)
        arrivals = index.admit(done.found)
        if done.rank is not None:
            if index.rank_site(visit.site, done.rank) is not None:
                batch.site_ranks[number] = done.rank
        elif number in index.guessed and visit.outcome not in UNPAID:
            index.rank_site(visit.site, None)
            batch.site_ranks[number] = None
        site = done.site
        if site.ready_at != ready_at:
            site = replace(site, ready_at=ready_at)
        site = index.close_visit(visit, site)
        self._queue(batch, arrivals)
        batch.visits[visit.id] = visit, number
        batch.states[number] = site
        for judged in done.forms:
            if index.admit_form(judged):
                batch.forms.append((judged, number, visit, done.topic))
            else:
                batch.sightings[judged.signature] += 1
        batch.events.extend(done.events)
        if done.lesson:
            index.lessons_told += 1
            batch.lessons[index.lessons_told] = done.lesson

    def _queue(self, batch: Batch, arrivals: list[Arrival]) -> None:
        """Queue what arrived, and the sites that got a number since."""
        batch.arrivals.update({arrival.id: arrival for arrival in arrivals})
        names = self._index.frontier.names
        batch.sites.extend((at, names[at]) for at in range(self._sites_queued, len(names)))
        self._sites_queued = len(names)


class IndexedServers:
    """`ServerStore` of one process."""

    def __init__(self, journal: Journal, clock: StoreClock) -> None:
        self._journal = journal
        self._clock = clock
        self._lines: ServerLines | None = None

    def reserve(self, requests: Sequence[ServerRequest]) -> list[ServerTurn]:
        with self._journal.lock:
            now = self._clock.now()
            if self._lines is None:
                # What an earlier process asked last is not known: each server rests once.
                rest_s = max((s for one in requests for _, s in one.servers), default=0.0)
                self._lines = ServerLines(now + rest_s if self._has_run() else now)
            self._lines.forget_idle(now, _MOST_SERVERS)
            return [self._lines.reserve(one, now) for one in requests]

    def describe_sharing(self) -> ServerSharing:
        with self._journal.lock:
            lines = self._lines
            return ServerSharing() if lines is None else lines.describe_sharing(self._clock.now())

    def _has_run(self) -> bool:
        return next(self._journal.visits(None), None) is not None


class IndexedPages:
    """`PageIndex` of one process."""

    def __init__(self, index: CrawlIndex, journal: Journal) -> None:
        self._index = index
        self._journal = journal

    def are_known(self, urls: Sequence[Url]) -> list[bool]:
        with self._journal.lock:
            self._journal.check()
            return self._index.are_known(urls)

    def have_forms(self, signatures: Sequence[str]) -> list[bool]:
        with self._journal.lock:
            self._journal.check()
            return [signature in self._index.signatures for signature in signatures]

    def have_digests(self, texts: Sequence[tuple[Site, int]]) -> list[bool]:
        with self._journal.lock:
            self._journal.check()
            return [self._index.has_digest(site, digest) for site, digest in texts]

    def path(self, visit: CandidateId, length: int | None = None) -> list[Candidate]:
        with self._journal.lock:
            self._journal.check()
            return walk_back(visit, self._journal.candidate, length)

    def backlinks(self, target: Url, limit: int) -> list[Url]:
        self._journal.flush()
        return self._journal.backlinks(target, limit)


class IndexedLearning:
    """`LearningStore` of one process."""

    def __init__(self, index: CrawlIndex, journal: Journal, clock: StoreClock) -> None:
        self._index = index
        self._journal = journal
        self._clock = clock
        self._claims: dict[str, Claim] = {}
        """With `until` on the store's clock."""

    def lessons(self, after: int, limit: int) -> list[StoredLesson]:
        self._journal.flush()
        return self._journal.lessons(after, limit)

    def publish(self, model: PublishedModel) -> None:
        with self._journal as batch:
            newest = self._journal.model()
            if newest is not None and newest.version >= model.version:
                raise LeaseLostError(f"model {newest.version} is there: another learner took over")
            batch.model = model

    def model(self, newer_than: int = 0) -> PublishedModel | None:
        with self._journal.lock:
            self._journal.check()
            model = self._journal.model()
            return model if model is not None and model.version > newer_than else None

    def claim(self, name: str, worker: str, for_s: float) -> Claim | None:
        until = self._clock.boot() + for_s
        with self._journal.lock:
            now = self._clock.now()
            held = self._claims.get(name, Claim(name, "", 0, 0.0))
            if held.worker not in ("", worker) and held.until > now:
                return None
            claim = Claim(name, worker, held.epoch + (held.worker != worker), now + for_s)
            self._claims[name] = claim
            return replace(claim, until=until)

    def release(self, claim: Claim) -> None:
        with self._journal.lock:
            held = self._claims.get(claim.name)
            if held is not None and held.epoch == claim.epoch:
                self._claims[claim.name] = replace(held, worker="")

    def check(self, claim: Claim) -> None:
        """Raise LeaseLostError unless the claim is still its holder's."""
        held = self._claims.get(claim.name)
        if held is None or (held.worker, held.epoch) != (claim.worker, claim.epoch):
            raise LeaseLostError(f"the claim on {claim.name} has passed to another worker")
