"""What holding many records takes: memory and time of the holdings, alone and with a policy.

    python bench/holdings.py                          100,000, 300,000 and a million records
    python bench/holdings.py --records 100000 --policy zipf

Each size is a process of its own, so that its peak is its own. A record has a title, a text of 25
words, a person, a category, a day and a price; words come by Zipf's law from a vocabulary that has
no end, as texts have new words as long as they go on. Every answer brings a thousand records that
are new and two hundred that are held.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np

from leadline.core.harvest import RESULTS, Cell, Outcome, Query, Record
from leadline.core.ports import QueryPolicy
from leadline.harvester.coverage import CoverageMonitor, count_held_matches
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Box, Interface
from leadline.harvester.policies import make_policy

_ANSWER, _AGAIN = 1_000, 200
_TEXT, _TITLE = 25, 6
_LETTERS = "etaoinshrdlcumwfgypbvk"
_EXPONENT = 1.35
"""Of the words: a million records then have some two million different ones."""
_PEOPLE, _CATEGORIES = 200_000, 300
_INTERFACE = Interface(boxes=(Box("q", "Search"),), words=("first",))


def records(count: int, seed: int = 0) -> Iterator[Record]:
    """The same ones each time."""
    random = np.random.default_rng(seed)
    for first in range(0, count, _ANSWER):
        size = min(_ANSWER, count - first)
        words = random.zipf(_EXPONENT, (size, _TEXT + _TITLE)) % (1 << 40)
        people = random.zipf(1.2, size) % _PEOPLE
        others = random.integers(0, 10_000, size)
        for row in range(size):
            yield _record(first + row, words[row], int(people[row]), int(others[row]))


def _record(number: int, words: "np.typing.NDArray[np.int64]", person: int, other: int) -> Record:
    text = [_word(one) for one in words.tolist()]
    title = " ".join(text[:_TITLE]).capitalize()
    cells = (
        Cell("h3/a", title),
        Cell("p", " ".join(text[_TITLE:])),
        Cell("author", f"{_word(person + 7).title()} {_word(3 * person + 11).title()}"),
        Cell("category", _word(other % _CATEGORIES + 50)),
        Cell("date", f"{1950 + other % 75}-{1 + other % 12:02}-{1 + other % 28:02}"),
        Cell("price", f"{other / 100:.2f}"),
    )
    return Record(f"https://example.org/item/{number}", title, cells)


@lru_cache(maxsize=4096)
def _word(number: int) -> str:
    """Frequent ones are short."""
    letters = []
    number += 20
    while number:
        number, letter = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[letter])
    return "".join(letters)


def measure(count: int, policy: str) -> dict[str, object]:
    """In this process."""
    before = _resident_mb("VmRSS")
    holdings = Holdings()
    chooser = make_policy(policy, _INTERFACE, holdings) if policy != "none" else None
    monitor = CoverageMonitor(_INTERFACE)
    spent = 0.0
    answer: list[Record] = []
    for record in records(count):
        answer.append(record)
        if len(answer) == _ANSWER:
            begun = time.process_time()
            _take(holdings, chooser, monitor, answer)
            spent += time.process_time() - begun
            answer = []
    return {
        "records": len(holdings),
        "policy": policy,
        "terms": len(holdings.terms),
        "mb": round(_resident_mb("VmRSS") - before),
        "peak mb": round(_resident_mb("VmHWM") - before),
        "cpu s": round(spent, 1),
    }


def _take(
    holdings: Holdings, policy: QueryPolicy | None, monitor: CoverageMonitor, answer: list[Record]
) -> None:
    choice = policy.choose() if policy is not None else None
    query = choice.query if choice is not None else Query.of(q=answer[0].title)
    matches = count_held_matches(holdings, _INTERFACE, query)
    fresh = holdings.add_all(answer)
    keys = {hash(record.key) & (1 << 64) - 1 for record in answer}
    outcome = Outcome(query, RESULTS, fresh + _AGAIN, fresh, pages=12, requests=12)
    monitor.learn(outcome, keys, matches, expected=choice.fresh if choice is not None else 0.0)
    if policy is not None:
        policy.learn(outcome)


def _resident_mb(name: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--records", type=int, nargs="+", default=[100_000, 300_000, 1_000_000])
    parser.add_argument("--policy", nargs="+", default=["none", "yield_per_cost"])
    parser.add_argument("--here", action="store_true", help="measure in this process")
    chosen = parser.parse_args()
    for policy in chosen.policy:
        for count in chosen.records:
            if chosen.here:
                sys.stdout.write(json.dumps(measure(count, policy)) + "\n")
            else:
                command = [sys.executable, __file__, "--here", "--policy", policy]
                subprocess.run([*command, "--records", str(count)], check=True)


if __name__ == "__main__":
    main()
