"""What addresses of search results look like: which parameters and path words tell them apart.

    python -m tools.search_shapes FOLDER

Counts the parameter that holds the query, and the path word before it, in the search templates of
FOLDER, and how often ordinary links of modern pages have them. Writes log-odds to
`src/leadline/page/search_shapes.json`: names alone, no host. Held-out hosts are left out.
"""

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from tools.form_labels.units import modern_pages
from tools.lab_statistics import sources
from tools.splits import is_held_out

OUT = Path("src/leadline/page/search_shapes.json")
SLOT = "{{{s}}}"
LEAST_SEEN = 3
"""Templates that have a name: fewer may be one software, or a slip."""
LEAST_WEIGHT = 0.7
"""Log-odds: a name twice as frequent among searches as among links."""
_pairs = re.compile(r"[&;]").split


def find_template_shapes(folder: Path) -> Iterator[tuple[str, str]]:
    """`parameter` or `path`, and the name."""
    for row in sources.rows(folder, "sources/search-templates"):
        if is_held_out(row["host"]):
            continue
        parts = urlsplit(row["template"])
        named = [
            pair.partition("=")[0] for pair in _pairs(parts.query) if pair.endswith("=" + SLOT)
        ]
        if named:
            yield "parameter", named[0].lower()
        elif SLOT in parts.path:
            before = parts.path.partition(SLOT)[0]
            if before.endswith("/") and (word := before.strip("/").rpartition("/")[2]):
                yield "path", word.lower()


def find_link_shapes(folder: Path) -> Iterator[tuple[str, str]]:
    """The same of every link on the modern pages; of a path, each word before its last."""
    for modern in modern_pages(folder):
        if is_held_out(modern.host):
            continue
        for target in {link.target for link in modern.page.links}:
            parts = urlsplit(target)
            names = {pair.partition("=")[0].lower() for pair in _pairs(parts.query) if "=" in pair}
            yield "links", ""
            yield from (("parameter", name) for name in names)
            steps = parts.path.lower().strip("/").split("/")
            if len(steps) > 1:
                yield "path", steps[-2]


def weigh(folder: Path) -> dict[str, dict[str, float]]:
    """Log-odds by kind and name."""
    searches, links = Counter(find_template_shapes(folder)), Counter(find_link_shapes(folder))
    total, others = sum(searches.values()), links[("links", "")]
    weights: dict[str, dict[str, float]] = {"parameter": {}, "path": {}}
    for (kind, name), count in sorted(searches.items()):
        # Half a link more, so that a name that no ordinary link has gets a weight at all.
        weight = math.log(count / total) - math.log((links[(kind, name)] + 0.5) / others)
        if count >= LEAST_SEEN and weight >= LEAST_WEIGHT:
            weights[kind][name] = round(weight, 2)
    return weights


def main(folder: Path) -> None:
    weights = weigh(folder)
    OUT.write_text(json.dumps(weights, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    print(json.dumps({kind: len(names) for kind, names in weights.items()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
