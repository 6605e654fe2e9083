"""How quickly forms are judged: is it searchable, whose domain is it, and both as HIFI.

    python bench/critics.py [--sites 150] [--seed 1]

Forms of a small lab world, page by page as a crawl meets them. CPU time of one core, the quickest
of seven rounds. `both` judges forms whose words are numbered, `all` numbers them too. The last
line is JSON.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import NamedTuple

from leadline.core.page import Form, Page
from leadline.forms.domain import Hifi, open_domain_judge
from leadline.forms.searchable import open_searchable_judge
from leadline.page.words import PageWords, form_words
from leadline_lab.examples import Examples
from leadline_lab.profile import profile_named
from leadline_lab.world import World

ROUNDS = 7
DOMAIN = "hotel"


class Batch(NamedTuple):
    """A page with forms, its words numbered."""

    page: Page
    words: PageWords

    @property
    def forms(self) -> Sequence[Form]:
        return self.page.forms


def batches(sites: int, seed: int) -> list[Batch]:
    """Every page with forms once."""
    examples = Examples(World(profile_named("small"), seed))
    drawn = examples.sites(examples.world.census.populations, sites, "bench")
    found = (form for site in drawn for form in examples.forms_of(site))
    pages = [page for page, _ in groupby(found, key=lambda form: form.page)]
    numbered = [Batch(page, PageWords(page)) for page in pages]
    for batch in numbered:
        batch.words.form(0)
    return numbered


def microseconds(work: Callable[[Batch], object], some: Sequence[Batch]) -> float:
    """Per form."""
    return round(min(_seconds(work, some) for _ in range(ROUNDS)) * 1e6 / _forms(some), 2)


def _forms(some: Sequence[Batch]) -> int:
    return sum(len(batch.forms) for batch in some)


def _seconds(work: Callable[[Batch], object], some: Sequence[Batch]) -> float:
    start = time.process_time()
    for batch in some:
        work(batch)
    return time.process_time() - start


def measure(some: Sequence[Batch]) -> dict[str, float]:
    first, second = open_searchable_judge(), open_domain_judge(DOMAIN)
    both = Hifi(first, second)

    def by_domain(batch: Batch) -> None:
        for number in range(len(batch.forms)):
            second.judge(batch.words.form(number))

    def chances(batch: Batch) -> None:
        first.chances(batch.forms)
        by_domain(batch)

    def forms_words(batch: Batch) -> None:
        for form in batch.forms:
            form_words(form, batch.page.language)

    def everything(batch: Batch) -> None:
        forms_words(batch)
        chances(batch)

    return {
        "searchable": microseconds(lambda batch: first.chances(batch.forms), some),
        "domain": microseconds(by_domain, some),
        "both": microseconds(chances, some),
        "hifi_with_why": microseconds(lambda b: both.judge(b.forms, b.words, 0.5), some),
        "form_words": microseconds(forms_words, some),
        "all": microseconds(everything, some),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    some = batches(given.sites, given.seed)
    found = measure(some)
    rates = {"forms_per_second": round(1e6 / found["both"])}
    rates["with_numbering_per_second"] = round(1e6 / found["all"])
    print(json.dumps({"forms": _forms(some), **found, **rates}))


if __name__ == "__main__":
    main()
