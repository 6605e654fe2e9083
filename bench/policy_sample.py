"""Whether the default policy is best on every kind of source, on a sample of the published table.

    python -m bench.policy_sample --every 16

Runs every n-th kind of the experiment `harvest-published`, on its own seeds, by every policy. The
last line is one JSON object: on how many of the kinds the default is best or within 1 %, by how
much it is behind on the others, and the mean area of each policy.
"""

import argparse
import json
import sys
from itertools import groupby

from msgspec import structs

from leadline_lab.harvests.cases import made
from leadline_lab.harvests.plan import harvests_named, trials_of
from leadline_lab.harvests.report import figures_of, rows_of
from leadline_lab.harvests.run import run_trial


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=16)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    plan = harvests_named("harvest-published")
    kinds = plan.kinds[given.first :: given.every]
    trials = [trial for trial in trials_of(plan) if trial.case.kind in kinds]
    results = []
    for case, group in groupby(trials, key=lambda trial: trial.case):
        setting = made(case)
        results += [run_trial(trial, setting) for trial in group]
        sys.stderr.write(f"{len(results)} of {len(trials)}\n")
    sample = structs.replace(plan, kinds=tuple(kinds))
    figures = figures_of(sample, results)
    behind = {
        row.kind: round(row.difference.mean, 3)
        for row in rows_of(sample, results)
        if not row.is_best
    }
    names = ("kinds", "best_or_within_1_percent", "mean_area", "harvests", "cpu_s")
    print(json.dumps({**{name: figures[name] for name in names}, "behind": behind}))


if __name__ == "__main__":
    main()
