"""How pages of 2025 link: menus, ways to a search, opaque addresses. Bounds of drawn profiles.

Counts of hosts that are held out are left out, as everywhere.
"""

import gzip
import json
import re
from pathlib import Path
from typing import Any

from leadline.core.url import Url, path_of
from leadline.page.parse import parse_page
from tools.lab_statistics.anchors import kind_of
from tools.lab_statistics.sources import owner_of
from tools.lab_statistics.spread import mean_quantiles, per_mille
from tools.splits import is_held_out

_frame = re.compile(r"\b(?:nav|header|footer|aside)\b|\.[\w.-]*(?:nav|menu|header|footer)", re.I)
_words = re.compile(r"[a-z]{3,}", re.I)
_endings = re.compile(r"\.(?:html?|php|aspx?|jsp|cgi)$")
_SEARCHES = ("q", "query", "search", "s", "keyword", "keywords", "term", "searchterm")


def count_today(folder: Path) -> dict[str, Any]:
    """Quantiles over the pages, and per mille of pages for what a page has or has not."""
    pages = [_measured(row) for row in _rows(folder) if not is_held_out(row["domain"])]
    measured = [page for page in pages if page["links"]]
    names = [name for name in measured[0] if not name.startswith("has_")]
    has = [name for name in measured[0] if name.startswith("has_")]
    return {
        "pages": len(measured),
        "page": mean_quantiles({name: [page[name] for page in measured] for name in names}),
        "per_mille": {
            name: per_mille(sum(page[name] for page in measured), len(measured)) for name in has
        },
    }


def _rows(folder: Path) -> list[dict[str, Any]]:
    with gzip.open(folder / "pages" / "modern.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _measured(row: dict[str, Any]) -> dict[str, int]:
    url = Url(f"https://{row['domain']}/")
    page = parse_page(row["html"].encode(), url, "text/html; charset=utf-8")
    owner = owner_of(url)
    inside = [link for link in page.links if owner_of(link.target) == owner]
    framed = [link for link in inside if _frame.search(link.tag_path)]
    content = [link for link in inside if not _frame.search(link.tag_path)]
    kinds = [kind_of(link.anchor) for link in content]
    paths = [_endings.sub("", path_of(link.target)) for link in inside]
    named = {field.name.lower() for form in page.forms for field in form.fields if field.name}
    return {
        "links": len(page.links),
        "outward_per_mille": per_mille(len(page.links) - len(inside), len(page.links)),
        "framed": len(framed),
        "framed_per_mille": per_mille(len(framed), len(inside)),
        "content": len(content),
        "empty_per_mille": per_mille(sum(not link.anchor for link in content), len(content)),
        "generic_per_mille": per_mille(kinds.count("generic"), len(content)),
        "opaque_per_mille": per_mille(sum(not _words.search(p) for p in paths), len(paths)),
        "bytes": len(row["html"].encode()),
        "has_menu": int(len(framed) >= 5),
        "has_mega_menu": int(len(framed) >= 60),
        "has_search_form": int(any(name in named for name in _SEARCHES)),
        "has_search_link": int(any(kind_of(link.anchor) == "search" for link in page.links)),
        "has_form": int(bool(page.forms)),
    }
