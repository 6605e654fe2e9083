"""Doors that strategies found on webs by other makers, to compare the lab's order with theirs.

The figures are those of docs/worlds.md: the web's own grader, three topics each, the held-out seed,
by requests. `c` is an earlier closed web of 833 sites made of real pages, at 2,000 requests.
"""

from collections.abc import Mapping

FOREIGN: Mapping[str, Mapping[int, Mapping[str, float]]] = {
    "a": {
        500: {"expected_gain": 34, "ffc": 38, "sitewise": 31, "baseline_sc": 32},
        1_000: {"expected_gain": 53, "ffc": 53, "sitewise": 47, "baseline_sc": 42},
        2_000: {"expected_gain": 86, "ffc": 72, "sitewise": 59, "baseline_sc": 54},
    },
    "b": {
        500: {"expected_gain": 10, "ffc": 8, "sitewise": 8, "baseline_sc": 9, "apprentice": 9,
              "fixed_depth": 8, "breadth_first": 5},
        1_000: {"expected_gain": 15, "ffc": 12, "sitewise": 11, "baseline_sc": 12,
                "apprentice": 13, "fixed_depth": 10, "breadth_first": 7},
        2_000: {"expected_gain": 21, "ffc": 13, "sitewise": 12, "baseline_sc": 13,
                "apprentice": 15, "fixed_depth": 13, "breadth_first": 11},
    },
    "c": {
        2_000: {"ffc": 95, "baseline_sc": 79, "fixed_depth": 76, "smartcrawler": 73,
                "sitewise": 72, "ache": 67, "breadth_first": 53},
    },
}  # fmt: skip
