"""`leadline backlinks import`: Common Crawl's host graph made ready to be asked."""

import time
from pathlib import Path

from leadline.backlinks.graph_import import import_graph
from leadline.ui.exits import Exit
from leadline.ui.output import print_json, print_text, say

_MB = 1e6


def run_import(vertices: Path, edges: Path, out: Path, *, as_json: bool) -> Exit:
    begun = time.monotonic()
    say(f"reading {vertices} and {edges}; {out} is written at the end")
    imported = import_graph(vertices, edges, out)
    if as_json:
        print_json({"file": str(out), "graph": imported})
        return Exit.DONE
    print_text(
        f"{out}: {imported.hosts:,} hosts, {imported.links:,} links, "
        f"{imported.size_bytes / _MB:,.1f} MB, in {time.monotonic() - begun:.1f} s"
    )
    if imported.dropped:
        print_text(f"left out {imported.dropped:,} links of hosts that are not in {vertices}")
    return Exit.DONE
