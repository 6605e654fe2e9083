"""`python -m tools.topic_training.translated`: calibrates topics for translated words.

In such a language a topic knows some twenty-five words and nothing else. So English pages, invented
from the shipped background, are read by the English counterparts of these words alone, and their
scores are made into probabilities. Takes a minute; the last line printed is one JSON object.
"""

import json
import sys
from pathlib import Path

import numpy as np

from leadline.learn.linear import Platt
from leadline.learn.naive_bayes import LogOdds
from leadline.page.words import vocabulary
from leadline.topics.background import Background, PageInventor, shipped_background
from leadline.topics.pack import read_pack, shipped_folder
from leadline.topics.training import calibrate
from leadline.topics.translation import read_translations
from leadline.topics.vocabulary import DOMAINS

_FILE = Path(__file__).parents[2] / "src/leadline/topics/translations/calibration.json"
_PAGES = 200
_SEED = 11
_KEPT, _LEAST_OWN = 0.8, 1.0
"""As in leadline.topics.translation."""


def restrict_odds(name: str, odds: LogOdds) -> LogOdds:
    """The weights of those English words only that have translations."""
    known = dict(zip(odds.words.tolist(), odds.weights.tolist(), strict=True))
    kept: dict[int, float] = {}
    for row in read_translations()["pl"]:
        for part in row.english.split("-"):
            number = vocabulary("en").word(part)
            weight = known.get(number, 0.0)
            weight = max(weight, _LEAST_OWN) if row.topic == name else weight
            if number and weight:
                kept[number] = max(_KEPT * weight, kept.get(number, -9.0))
    words = np.array(sorted(kept), np.int32)
    return LogOdds(words, np.array([kept[word] for word in words.tolist()], np.float32))


def calibrate_translated(name: str, background: Background) -> Platt:
    """From scores by these words alone to probabilities."""
    odds = restrict_odds(name, read_pack(shipped_folder(name))[0].odds)
    about = PageInventor.of(background, _SEED).draw_about(name, _PAGES)
    others = PageInventor.of(background.without([name]), _SEED).draw_other(3 * _PAGES)
    return calibrate([odds.score(ids) for ids in about], [odds.score(ids) for ids in others])


def main() -> None:
    background = shipped_background()
    found = {name: calibrate_translated(name, background) for name in DOMAINS}
    rounded = {name: [round(p.slope, 3), round(p.offset, 3)] for name, p in found.items()}
    _FILE.write_text(json.dumps(rounded, indent=1) + "\n")
    sys.stdout.write(json.dumps(rounded) + "\n")


if __name__ == "__main__":
    main()
