"""Which sources a harvest suspects of inventing records: honest ones of the lab, and inventors.

    python bench/suspicion.py [--sources 120] [--requests 120]

Honest sources are databases of the lab of every kind, one for each seed, harvested by the default
policy; a suspicion of one of them is a false alarm. Inventors (tests/harvester/session/sources.py)
are harvested with the default budget. The last line is a JSON object.
"""

import argparse
import asyncio
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.harvester.session.sources import INVENTORS, WORDS
from tests.store.harvest_samples import subject

from leadline.core.ports import Source
from leadline.harvester.coverage import CoverageMonitor
from leadline.harvester.coverage.monitor import count_held_matches
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Box, Interface
from leadline.harvester.policies import make_policy
from leadline.harvester.session.retries import HarvestBudget
from leadline.harvester.session.session import HarvestSession, OpenedSource, SessionPlan
from leadline.store.memory import MemoryStore
from leadline_lab.harvests.asking import LabSource
from leadline_lab.harvests.cases import Case, Kind, grid, made

POLICY = "yield_per_cost"


def harvest(source: Source, interface: Interface, requests: int) -> tuple[str, MemoryStore]:
    """One harvest by the default policy; why it stopped, and its store."""

    async def run() -> tuple[str, MemoryStore]:
        store, holdings = MemoryStore(), Holdings()
        opened = OpenedSource(
            store.harvests.begin(subject(), time.time()),
            source,
            make_policy(POLICY, interface, holdings),
            holdings,
            monitor=CoverageMonitor(interface),
            count_matches=lambda query: count_held_matches(holdings, interface, query),
            type_words=interface.make_text_query if interface.boxes else None,
        )
        plan = SessionPlan(HarvestBudget(requests))
        return await HarvestSession(store, opened, plan).run(), store

    return asyncio.run(run())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=int, default=120)
    parser.add_argument("--requests", type=int, default=120)
    options = parser.parse_args()
    kinds = [*grid(form=("keyword", "advanced")), Kind(is_drawn=True)]
    alarms = examined = 0
    for seed in range(1, options.sources + 1):
        setting = made(Case(kinds[seed * 7 % len(kinds)], seed))
        source = LabSource(setting.index, setting.form.bound)
        reason, store = harvest(source, setting.interface, options.requests)
        alarms += reason.startswith("suspected")
        head = store.harvests.find(subject().signature)
        # Controls are the only requests of these harvests that are no pages of results.
        examined += head is not None and head.requests > 0
    interface = Interface(boxes=(Box("q"),), words=WORDS)
    inventors = {}
    for name, make in INVENTORS.items():
        reason, store = harvest(make(), interface, 10_000)
        head = store.harvests.find(subject().signature)
        tally = store.harvests.tally(head.id) if head else None
        inventors[name] = {
            "suspected": reason.startswith("suspected"),
            "requests": tally.requests if tally else 0,
            "records": tally.records if tally else 0,
            "reason": reason,
        }
    figures = {
        "honest": options.sources,
        "examined": examined,
        "false_alarms": alarms,
        "inventors": inventors,
    }
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
