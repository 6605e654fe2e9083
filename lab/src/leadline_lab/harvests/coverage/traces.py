"""Harvests kept query by query, so that estimates can be made again without asking again."""

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from leadline.core.harvest import Outcome
from leadline.errors import StoreError
from leadline.frontier.seen_urls import text_hashes
from leadline.harvester.coverage.monitor import count_held_matches
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.harvester.policies import make_policy
from leadline_lab.harvests.cases import Case, Setting
from leadline_lab.harvests.reading import Answering, Read


class Step(Struct, frozen=True):
    """One query of a harvest."""

    expected: float
    """New records, as the policy said before."""
    expected_requests: float
    shown: int | None
    """Records held before that show what was typed; None unless that was one word."""
    outcome: Outcome
    keys: bytes
    """Hashes of the distinct records that came, 8 bytes each."""

    def hashes(self) -> list[int]:
        found: list[int] = np.frombuffer(self.keys, np.uint64).tolist()
        return found


class Trace(Struct, frozen=True):
    """One harvest, and the truth about its source."""

    case: Case
    policy: str
    budget: int
    reachable: int
    """Records that some query through the form brings."""
    database: int
    """Records there are."""
    cap: int
    total: str
    """Whether the number of matches is told: `exact`, `estimated`, `absent`."""
    interface: Interface
    steps: tuple[Step, ...]
    is_exhausted: bool
    """The policy had nothing left to ask."""

    @property
    def name(self) -> str:
        return f"{self.policy} {self.case.seed} {self.case.kind.name}"


class Ground(Struct, frozen=True):
    """What a source offers, and the truth about it."""

    case: Case
    interface: Interface
    reachable: int
    database: int
    cap: int
    total: str


def ground_of(setting: Setting, case: Case) -> Ground:
    source = setting.index.source
    return Ground(
        case,
        setting.interface,
        int(setting.is_reachable.sum()),
        source.size,
        source.behaviour.cap,
        source.behaviour.total,
    )


def trace(source: Answering, ground: Ground, policy: str, budget: int) -> Trace:
    """Harvest until the policy stops or `budget` requests are spent."""
    holdings = Holdings()
    chooser = make_policy(policy, ground.interface, holdings, seed=ground.case.seed)
    steps: list[Step] = []
    left = budget
    while left > 0 and (choice := chooser.choose()):
        shown = count_held_matches(holdings, ground.interface, choice.query)
        read = Read(choice, holdings)
        left -= sum(1 for _ in read.pages(source, chooser, left))
        outcome, keys = read.outcome(), np.array(text_hashes(read.keys), np.uint64)
        steps.append(Step(choice.fresh, choice.requests, shown, outcome, keys.tobytes()))
        chooser.learn(outcome)
    return Trace(
        ground.case,
        policy,
        budget,
        reachable=ground.reachable,
        database=ground.database,
        cap=ground.cap,
        total=ground.total,
        interface=ground.interface,
        steps=tuple(steps),
        is_exhausted=left > 0,
    )


class TraceFolder:
    """One file for each trace, there whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def has(self, case: Case, policy: str) -> bool:
        return self._file(case, policy).exists()

    def put(self, kept: Trace) -> None:
        file = self._file(kept.case, kept.policy)
        waiting = file.with_name(f"{file.name}.{os.getpid()}")
        waiting.write_bytes(msgspec.msgpack.encode(kept))
        waiting.replace(file)

    def all(self) -> Iterator[Trace]:
        """By seed. Raises StoreError for a damaged file."""
        for file in sorted(self.path.glob("*.trace")):
            try:
                yield msgspec.msgpack.decode(file.read_bytes(), type=Trace)
            except msgspec.DecodeError as error:
                raise StoreError(f"cannot read {file}: {error}; delete it, ask again") from error

    def _file(self, case: Case, policy: str) -> Path:
        kind = case.kind.name.replace(" ", "-")
        return self.path / f"{case.seed:05}-{kind}-{policy}.trace"
