"""What typed records cost: learning a wrapper, reading a page by it, typing a record of a list.

    python bench/records.py [--records 2000]

Everything is made up here, so no data is needed. The last line is JSON.
"""

import argparse
import json
import time

from tests.records.made_harvests import make_store

from leadline.core.url import Url
from leadline.extraction.wrapper_learning import SourcePage, learn_wrapper, read_slots
from leadline.page.outline import outline_of
from leadline.records.table import build_table

PAGES = 20


def make_page(number: int) -> SourcePage:
    """A page with sixty facts, a menu of forty links and thirty other things."""
    menu = "".join(f"<li><a href=/{n}>Menu entry {n}</a></li>" for n in range(40))
    facts = "".join(
        f"<tr><th>Fact {n}:</th><td>value {number * n} of {number}</td></tr>" for n in range(60)
    )
    others = "".join(f"<li><a>Other {number}-{n}</a> ${n}.50</li>" for n in range(30))
    body = f"<ul>{menu}</ul><h1>Thing {number}</h1><table>{facts}</table><ul>{others}</ul>"
    html = f"<title>Thing {number}</title><body>{body}</body>"
    return SourcePage(outline_of(html.encode(), Url(f"http://x.test/{number}")), f"Thing {number}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=2_000)
    given = parser.parse_args()
    pages = [make_page(number) for number in range(PAGES)]
    start = time.process_time()
    wrapper = learn_wrapper("bench", pages)
    learned = time.process_time() - start
    start = time.process_time()
    for page in pages:
        read_slots(wrapper, page)
    read = (time.process_time() - start) / PAGES
    rows = [
        {
            "title": f"Thing {n}", "Author": f"Ann Smith {n}", "Price": f"${n}.50",
            "Published": f"May {n % 28 + 1}, 2010", "Pages": f"{n} pages", "ISBN": "0-471-11709-9",
            "Language": "English", "Publisher": f"House {n % 50}", "div.a/span.b": f"text {n}",
        }
        for n in range(given.records)
    ]  # fmt: skip
    store = make_store({"one": rows})
    start = time.process_time()
    table = build_table(store, "book")
    matched = time.process_time() - start
    start = time.process_time()
    count = sum(1 for _ in table.rows())
    typed = (time.process_time() - start) / count
    figures = {
        "learn_s_a_source": round(learned, 3),
        "slots": len(wrapper.slots),
        "read_ms_a_page": round(1000 * read, 2),
        "match_s_a_source": round(matched, 3),
        "type_ms_a_record": round(1000 * typed, 3),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
