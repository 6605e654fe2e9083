"""What comes next, on every store: exactly what sorting everything would give."""

import math
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from numpy.typing import NDArray

from leadline.core.crawl import Candidate, FeatureRows, Lease, Priority
from leadline.core.ports import Scores
from leadline.core.store import Store
from leadline.core.url import Site
from leadline.store.leases import StoreClock
from leadline.store.memory import MemoryStore
from leadline.store.postgres.journal import AlonePostgresStore
from leadline.store.sqlite import SqliteStore
from tests.postgres.fixtures import empty
from tests.store.samples import candidate, give_back, record, rescore, site, state, take, visit

Key = tuple[int, float]
OPENERS: dict[str, Callable[[str, int | None, StoreClock], Store]] = {
    "memory": lambda _, __, clock: MemoryStore(1, clock),
    "postgres": lambda url, links, clock: AlonePostgresStore(url, 1, links, clock),
    "sqlite": lambda path, links, clock: SqliteStore(Path(path), 1, links, clock),
}
LARGEST = float(np.finfo(np.float32).max)
SITES = 4

sites = st.integers(0, SITES - 1)
tiers = st.integers(0, 2) | st.just(65_535)
scores = st.sampled_from([0.0, -0.0, 0.5, 1.0, math.nan, math.inf]) | st.floats(width=32)
links = st.tuples(st.integers(0, 400), sites, tiers, scores, st.integers(0, 5))


def sort_key(tier: int, score: float) -> Key:
    """Lower tiers first, then higher scores; NaN last."""
    tidy = -LARGEST if math.isnan(score) else max(-LARGEST, min(LARGEST, score))
    return tier, -float(np.float32(tidy))


def by_feature(tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:
    tiers[:] = features[:, 0] % 2
    scores[:] = scores / 2 + features[:, 0]


@dataclass
class Sorted:
    """A frontier that sorts everything for every question."""

    known: set[str] = field(default_factory=set)
    waiting: dict[int, tuple[Site, Key, int]] = field(default_factory=dict)
    leased: dict[int, Site] = field(default_factory=dict)
    ready_at: dict[Site, float] = field(default_factory=dict)
    closed: set[Site] = field(default_factory=set)
    ranks: dict[Site, Key] = field(default_factory=dict)

    def put(self, found: list[Candidate]) -> None:
        for link in found:
            if link.url not in self.known:
                self.known.add(link.url)
                key = sort_key(link.priority.tier, link.priority.score)
                feature = int.from_bytes(link.features[:4], "little")
                self.waiting[len(self.known)] = link.site, key, feature

    def free(self) -> dict[Site, tuple[Key, int]]:
        """The best link of each site with a link that is neither closed nor leased."""
        best: dict[Site, tuple[Key, int]] = {}
        for number, (of_site, key, _) in self.waiting.items():
            if of_site not in self.closed and of_site not in self.leased.values():
                best[of_site] = min(best.get(of_site, (key, number)), (key, number))
        return best

    def take(self, n: int, now: float) -> list[int]:
        free = self.free()
        allowed = [s for s in free if self.ready_at.get(s, 0.0) <= now]
        allowed.sort(key=lambda s: (self.ranks.get(s, free[s][0]), free[s]))
        numbers = [free[s][1] for s in allowed[:n]]
        self.leased.update({number: self.waiting[number][0] for number in numbers})
        return numbers

    def rescore(self) -> None:
        for number, (of_site, (_, negative), feature) in self.waiting.items():
            score = np.float32(-negative) / np.float32(2) + np.float32(feature)
            self.waiting[number] = of_site, sort_key(feature % 2, float(score)), feature


class FrontierMachine(RuleBasedStateMachine):
    """Does anything to a store and to `Sorted`, and compares."""

    kind = "memory"
    memory_links: int | None = None
    url = ""
    """Of a database, where the kind needs one."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        if self.url:
            empty(self.url)
        # Far from 0, which stands for sites that were never asked.
        self.now = 1_000.0
        self.store = self.open()
        self.model = Sorted()
        self.leases: list[Lease] = []

    def open(self) -> Store:
        path = Path(self.folder.name) / "crawl.db"
        clock = StoreClock(lambda: self.now, lambda: self.now)
        return OPENERS[self.kind](self.url or str(path), self.memory_links, clock)

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    @rule(found=st.lists(links, max_size=8))
    def put(self, found: list[tuple[int, int, int, float, int]]) -> None:
        candidates = [candidate(*link[:4], features=(link[4],)) for link in found]
        self.store.links.put(candidates)
        self.model.put(candidates)

    @rule(n=st.integers(1, SITES), wait_s=st.integers(0, 2))
    def take(self, n: int, wait_s: int) -> None:
        self.now += wait_s
        taken = take(self.store, n)
        assert [lease.id for lease in taken] == self.model.take(n, self.now)
        self.leases.extend(taken)

    @precondition(lambda self: self.leases)
    @rule(
        which=st.integers(0, SITES),
        pause_s=st.integers(0, 3),
        closed=st.sampled_from(["", "", "", "", "enough"]),
        found=st.lists(links, max_size=4),
    )
    def record(
        self, which: int, pause_s: int, closed: str, found: list[tuple[int, int, int, float, int]]
    ) -> None:
        lease = self.leases.pop(which % len(self.leases))
        candidates = [candidate(*link[:4], features=(link[4],)) for link in found]
        after = state(lease, closed=closed)
        record(self.store, visit(lease), after, candidates, rest_s=pause_s)
        self.model.put(candidates)
        del self.model.waiting[lease.id], self.model.leased[lease.id]
        self.model.ready_at[lease.candidate.site] = self.now + pause_s
        if closed:
            self.model.closed.add(lease.candidate.site)

    @precondition(lambda self: self.leases)
    @rule(which=st.integers(0, SITES), pause_s=st.integers(0, 3))
    def give_back(self, which: int, pause_s: int) -> None:
        lease = self.leases.pop(which % len(self.leases))
        give_back(self.store, lease, pause_s)
        del self.model.leased[lease.id]
        self.model.ready_at[lease.candidate.site] = self.now + pause_s

    @rule(of_site=sites, rank=st.none() | st.tuples(tiers, scores))
    def rank_site(self, of_site: int, rank: tuple[int, float] | None) -> None:
        self.store.links.rank_sites([(site(of_site), Priority(*rank) if rank else None)])
        self.model.ranks.pop(site(of_site), None)
        if rank:
            self.model.ranks[site(of_site)] = sort_key(*rank)

    @rule(of_site=sites)
    def close(self, of_site: int) -> None:
        closed = self.store.links.close_sites(lambda name: name == site(of_site), "enough")
        assert set(closed).isdisjoint(self.model.closed)
        self.model.closed.update(closed)

    @rule()
    def rescore(self) -> None:
        rescore(self.store, by_feature)
        self.model.rescore()

    @precondition(lambda self: self.kind != "memory")
    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = self.open()
        self.leases.clear()
        self.model.leased.clear()

    @invariant()
    def wait_s_is_the_least(self) -> None:
        free = self.model.free()
        wait_s = self.store.links.wait_s()
        if not free:
            assert wait_s is None
        else:
            earliest = min(self.model.ready_at.get(s, 0.0) for s in free)
            assert wait_s == max(0.0, earliest - self.now)

    @invariant()
    def counts_agree(self) -> None:
        counts = self.store.reader.counts()
        of_closed = [
            number
            for number, (of_site, *_) in self.model.waiting.items()
            if of_site in self.model.closed and number not in self.model.leased
        ]
        assert counts.known == len(self.model.known)
        assert counts.waiting == len(self.model.waiting) - len(of_closed)
        waiting = self.store.reader.count_waiting()
        tiers = Counter(
            key[0] for number, (_, key, _) in self.model.waiting.items() if number not in of_closed
        )
        assert waiting.tiers == dict(tiers)
        assert list(waiting.tiers) == sorted(tiers)
        assert waiting.sites == len(self.model.free())


@pytest.mark.parametrize(
    ("kind", "memory_links"),
    [
        *((kind, None) for kind in sorted(OPENERS)),
        ("sqlite", 1),
        ("sqlite", 6),
    ],
)
def test_the_order_is_that_of_sorting_everything(
    kind: str, memory_links: int | None, request: pytest.FixtureRequest
) -> None:
    class Machine(FrontierMachine):
        pass

    Machine.kind, Machine.memory_links = kind, memory_links
    if kind == "postgres":
        Machine.url = request.getfixturevalue("postgres_url")
    examples = settings(
        deadline=None,
        max_examples={"memory": 100, "sqlite": 20, "postgres": 6}[kind],
        stateful_step_count=40,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Machine, settings=examples)
