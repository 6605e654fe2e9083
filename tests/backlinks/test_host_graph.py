"""Importing host graphs, and asking them."""

import gzip
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.backlinks.graph_import import SortedLinks, import_graph, read_blocks
from leadline.backlinks.host_graph import HostGraph
from leadline.backlinks.providers import HostLinks
from leadline.core.url import Url
from leadline.errors import ConfigError
from tests.backlinks.graphs import HOSTS, LINKS, write_graph, write_lines


def imported(folder: Path, *graph: object) -> HostGraph:
    import_graph(*write_graph(folder, *graph), folder / "hosts.graph")  # type: ignore[arg-type]
    return HostGraph(folder / "hosts.graph")


def test_an_imported_graph_knows_who_links_to_whom(tmp_path: Path) -> None:
    out = tmp_path / "new" / "hosts.graph"
    facts = import_graph(*write_graph(tmp_path), out)
    assert (facts.hosts, facts.links, facts.dropped) == (5, 5, 0)
    assert facts.size_bytes == out.stat().st_size
    assert list(out.parent.iterdir()) == [out]
    graph = HostGraph(out)
    assert (graph.hosts, graph.links) == (5, 5)
    assert graph.find_backlinks("beta.de", 20) == ["alpha.com", "shop.alpha.com", "gamma.org"]
    assert graph.find_backlinks("alpha.com", 20) == ["beta.de", "omega.org"]
    assert graph.find_backlinks("omega.org", 20) == []
    assert graph.find_backlinks("unheard.of", 20) == graph.find_backlinks("ü.de", 20) == []


def test_of_many_hosts_every_so_many_is_named(tmp_path: Path) -> None:
    hosts = [(n, f"{'abcdefghij'[n // 10]}.h{n % 10}") for n in range(100)]
    graph = imported(tmp_path, hosts, [(n, 95) for n in range(100)])
    named = graph.find_backlinks("h5.j", 10)
    assert len(set(named)) == 10
    assert len({name[-1] for name in named}) >= 9
    assert len(graph.find_backlinks("h5.j", 1_000)) == 99


def test_files_may_come_in_parts_unpacked_and_with_more_columns(tmp_path: Path) -> None:
    vertices, edges = tmp_path / "vertices", tmp_path / "edges"
    vertices.mkdir()
    edges.mkdir()
    write_lines(vertices / "part-0.txt", [(n, name, 3) for n, name in enumerate(HOSTS[:2])])
    write_lines(vertices / "part-1.txt.gz", [(n + 2, name) for n, name in enumerate(HOSTS[2:])])
    write_lines(edges / "part-0.txt.gz", LINKS[4:])
    write_lines(edges / "part-1.txt", LINKS[:4])
    (vertices / "README").write_text("no part of it")
    import_graph(vertices, edges, tmp_path / "hosts.graph")
    graph = HostGraph(tmp_path / "hosts.graph")
    assert graph.find_backlinks("beta.de", 20) == ["alpha.com", "shop.alpha.com", "gamma.org"]


def test_ids_may_have_gaps_and_links_of_others_are_left_out(tmp_path: Path) -> None:
    hosts = [(10 * n + 5, name) for n, name in enumerate(HOSTS)]
    links = [(5, 25), (15, 25), (6, 25), (5, 99), (0, 1)]
    facts = import_graph(*write_graph(tmp_path, hosts, links), tmp_path / "hosts.graph")
    assert (facts.links, facts.dropped) == (2, 3)
    graph = HostGraph(tmp_path / "hosts.graph")
    assert graph.find_backlinks("beta.de", 20) == ["alpha.com", "shop.alpha.com"]


def test_a_graph_without_links_is_one(tmp_path: Path) -> None:
    graph = imported(tmp_path, [(0, "com.alpha")], [])
    assert (graph.hosts, graph.links, graph.find_backlinks("alpha.com", 5)) == (1, 0, [])


Pairs = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=300)


@given(Pairs, st.integers(1, 50), st.integers(1, 40))
def test_links_come_back_sorted_once_and_by_whole_targets(
    tmp_path_factory: pytest.TempPathFactory,
    pairs: list[tuple[int, int]],
    run_keys: int,
    added: int,
) -> None:
    links = SortedLinks(tmp_path_factory.mktemp("runs") / "links", run_keys)
    keys = np.array([target << 32 | source for target, source in pairs], np.uint64)
    for start in range(0, len(keys), added):
        links.add(keys[start : start + added])
    pieces = list(links.merge())
    assert [key for piece in pieces for key in piece.tolist()] == sorted(set(keys.tolist()))
    of_piece = defaultdict(set)
    for number, piece in enumerate(pieces):
        for key in piece.tolist():
            of_piece[key >> 32].add(number)
    assert all(len(numbers) == 1 for numbers in of_piece.values())


def test_a_random_graph_is_told_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leadline.backlinks.graph_import.RUN_KEYS", 100)
    random = np.random.default_rng(7)
    hosts = sorted(f"com.h{n}" for n in range(200))
    pairs = [(int(a), int(b)) for a, b in random.zipf(1.3, (5_000, 2)) % 200]
    graph = imported(tmp_path, list(enumerate(hosts)), pairs)
    for number, host in enumerate(hosts):
        linking = sorted({a for a, b in pairs if b == number and a != number})
        expected = [f"{hosts[a].removeprefix('com.')}.com" for a in linking]
        assert graph.find_backlinks(f"{host.removeprefix('com.')}.com", 1_000) == expected


@pytest.mark.parametrize("size", [1, 7, 10, 1_000])
def test_blocks_are_whole_lines_whatever_their_size(tmp_path: Path, size: int) -> None:
    file = tmp_path / "lines.txt"
    file.write_bytes(b"one\ntwo\n\nthree\nend")
    if size == 1:
        with pytest.raises(ConfigError, match="not made of lines"):
            list(read_blocks(file, size))
        return
    found = list(read_blocks(file, size))
    assert b"".join(found) == b"one\ntwo\n\nthree\nend\n"
    assert all(block.endswith(b"\n") for block in found)


@pytest.mark.parametrize(
    ("vertices", "edges", "message"),
    [
        ([(0, "b.x"), (1, "a.x")], [], "must be sorted"),
        ([(1, "a.x"), (0, "b.x")], [], "must rise"),
        ([(0, "a.x"), (1 << 33, "b.x")], [], "must rise"),
        ([("a.x", 0)], [], "not `id, tab, reversed host`"),
        ([(0,)], [], "not `id, tab, reversed host`"),
        ([], [], "is empty"),
        ([(0, "a.x"), (1, "b.x")], [(0, "b.x")], "not `id, tab, id`"),
        ([(0, "a.x"), (1, "b.x")], [(0, 1, 0)], "not `id, tab, id`"),
        ([(0, "a.x"), (1, "b.x")], [("ü", 1)], "not `id, tab, id`"),
    ],
)
def test_files_of_another_form_are_refused_and_nothing_is_left(
    tmp_path: Path,
    vertices: list[tuple[int, str]],
    edges: list[tuple[int, int]],
    message: str,
) -> None:
    files = write_graph(tmp_path, vertices, edges)
    with pytest.raises(ConfigError, match=message):
        import_graph(*files, tmp_path / "hosts.graph")
    assert sorted(tmp_path.iterdir()) == sorted(files)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    vertices, edges = write_graph(tmp_path)
    with pytest.raises(ConfigError, match=r"there is no .*nowhere"):
        import_graph(tmp_path / "nowhere", edges, tmp_path / "out")
    edges.write_bytes(gzip.compress(b"0\t1\n" * 10_000)[:-20])
    with pytest.raises(ConfigError, match=r"cannot read .*edges"):
        import_graph(vertices, edges, tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="holds no"):
        import_graph(tmp_path / "empty", edges, tmp_path / "out")


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 500])
def test_another_file_is_no_graph(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "some.graph"
    file.write_bytes(damage)
    with pytest.raises(ConfigError, match="leadline backlinks import"):
        HostGraph(file)
    with pytest.raises(ConfigError, match="cannot read"):
        HostGraph(tmp_path / "nowhere")


def test_a_graph_that_was_cut_is_none(tmp_path: Path) -> None:
    imported(tmp_path)
    file = tmp_path / "hosts.graph"
    file.write_bytes(file.read_bytes()[9:])
    with pytest.raises(ConfigError, match="no host graph"):
        HostGraph(file)


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://beta.de/", ("http://alpha.com/", "http://shop.alpha.com/", "http://gamma.org/")),
        ("https://www.alpha.com/about", ("http://beta.de/", "http://omega.org/")),
        ("http://alpha.com:8080/", ("http://beta.de/", "http://omega.org/")),
        ("http://unknown.alpha.com/", ("http://beta.de/", "http://omega.org/")),
        ("http://nobody.net/", ()),
        ("http://[::1]/", ()),
    ],
)
async def test_home_pages_of_linking_hosts_are_named_for_nothing(
    tmp_path: Path, url: str, found: tuple[str, ...]
) -> None:
    assert await HostLinks(imported(tmp_path)).find_backlinks(Url(url), 20) == (found, 0)
