"""`leadline backlinks import`."""

from pathlib import Path

from leadline.backlinks.host_graph import HostGraph
from leadline.ui.cli.exits import Exit
from tests.backlinks.graphs import LINKS, write_graph
from tests.ui.conftest import Command


def test_an_import_tells_what_it_brought(tmp_path: Path, leadline: Command) -> None:
    files = write_graph(tmp_path, links=[*LINKS, (0, 99)])
    out = tmp_path / "hosts.graph"
    ended = leadline("backlinks", "import", *map(str, files), "--out", str(out))
    assert ended.code == Exit.DONE
    assert "5 hosts, 5 links" in ended.out
    assert "left out 1 links" in ended.out
    assert HostGraph(out).links == 5
    again = leadline("backlinks", "import", *map(str, files), "--out", str(out), "--json").json
    size = out.stat().st_size
    assert again == {
        "file": str(out),
        "graph": {"hosts": 5, "links": 5, "dropped": 1, "size_bytes": size},
    }


def test_files_that_are_no_graph_are_bad_input(tmp_path: Path, leadline: Command) -> None:
    vertices, edges = write_graph(tmp_path)
    swapped = leadline(
        "backlinks", "import", str(edges), str(vertices), "--out", str(tmp_path / "x")
    )
    assert swapped.code == Exit.BAD_INPUT
    assert "leadline: " in swapped.err
