"""On how many real pages that offer a search is a way to search found?

    python bench/doors.py FOLDER [--held-out]

FOLDER holds the real pages; their labels say by what each offers a search. A page counts as found
if it has a form, a box or a template that is judged searchable, or links to an OpenSearch
description; `with links` counts candidates from links to results too. The last line is JSON.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from tools.form_labels import load_labelled_pages

from leadline.core.crawl import LIKELY
from leadline.core.page import LINK, Page
from leadline.forms.searchable import SearchableJudge, open_searchable_judge
from leadline.page import parse_page

_UTF_8 = "text/html; charset=utf-8"


def find_sources(page: Page, judge: SearchableJudge) -> set[str]:
    """The kinds of doors that the page is found to have."""
    chances = [chance for chance, _ in judge.judge_all(page.forms)]
    found = {
        form.source
        for form, chance in zip(page.forms, chances, strict=True)
        if chance >= LIKELY or form.source == LINK
    }
    return found | ({"opensearch"} if page.search_descriptions else set())


def measure(folder: Path, *, held_out: bool) -> dict[str, object]:
    judge = open_searchable_judge()
    offering = found = with_links = by_form = claimed = silent = 0
    missed: Counter[str] = Counter()
    sources: Counter[str] = Counter()
    for modern, label in load_labelled_pages(folder):
        if label.held_out is not held_out:
            continue
        body = modern.html.encode("utf-8", "replace")
        page = parse_page(body, modern.page.url, _UTF_8)
        doors = find_sources(page, judge)
        sources.update(doors)
        if not label.offers_search:
            silent += 1
            claimed += bool(doors - {LINK})
            continue
        offering += 1
        by_form += bool(doors & {"form", "box", "region"})
        found += bool(doors - {LINK})
        with_links += bool(doors)
        if not doors - {LINK}:
            missed["+".join(label.doors)] += 1
    return {
        "pages that offer a search": offering,
        "found by a form or a box": by_form,
        "found": found,
        "share found": round(found / offering, 3),
        "with links": with_links,
        "missed, by what they offer": dict(missed.most_common()),
        "pages that offer none": silent,
        "of them with a door all the same": claimed,
        "pages by kind of door": dict(sources.most_common()),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--held-out", action="store_true")
    arguments = parser.parse_args()
    print(json.dumps(measure(arguments.folder, held_out=arguments.held_out)))
