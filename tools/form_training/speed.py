"""How long the default judge looks at a form."""

import time
from collections.abc import Callable, Sequence
from itertools import groupby

from leadline.core.page import Form
from leadline.forms.searchable import SearchableJudge

_ROUNDS = 7

Batches = Sequence[Sequence[Form]]


def measure_speed(judge: SearchableJudge, forms: Sequence[Form]) -> dict[str, float]:
    """CPU time of one core: a first pass over words never met, then the quickest of some rounds.

    Pages are the batches a crawl has: some three forms each.
    """
    pages = [list(page) for _, page in groupby(forms, key=lambda form: form.page)]
    return {
        "first_pass": _quickest(judge.chances, [forms], 1),
        "all_at_once": _quickest(judge.chances, [forms], _ROUNDS),
        "page_by_page": _quickest(judge.chances, pages, _ROUNDS),
        "page_by_page_with_why": _quickest(judge.judge_all, pages, _ROUNDS),
    }


def _quickest(judged: Callable[[Sequence[Form]], object], batches: Batches, rounds: int) -> float:
    taken = min(_time(judged, batches) for _ in range(rounds))
    return round(1e6 * taken / sum(len(batch) for batch in batches), 1)


def _time(judged: Callable[[Sequence[Form]], object], batches: Batches) -> float:
    start = time.process_time()
    for batch in batches:
        judged(batch)
    return time.process_time() - start
