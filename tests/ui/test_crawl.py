"""`leadline crawl`, run for real on a small web on loopback."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from leadline.store import open_store_view
from tests.ui.conftest import Command, paid_for, way_to
from tests.ui.small_web import SEEDS


def test_a_crawl_tells_what_it_found_and_where(
    leadline: Command, way: list[str], tmp_path: Path
) -> None:
    store = tmp_path / "a.leadline"
    ended = leadline("crawl", "book", "--seeds", *SEEDS, *way, "--store", store, "--pages", 150)
    assert ended.code == 0
    assert "words of searching" in ended.out
    assert f"store:   {store}" in ended.err
    assert "the page budget is spent" in ended.err
    assert "leadline forms" in ended.err
    assert (tmp_path / "a.leadline.html").read_text().startswith("<!doctype html>")
    assert "\x1b" not in ended.out + ended.err


def test_json_goes_to_stdout_and_progress_to_stderr(
    leadline: Command, way: list[str], tmp_path: Path
) -> None:
    store = tmp_path / "a.leadline"
    ended = leadline(
        *("crawl", "book", "--seeds", *SEEDS, *way, "--store", store, "--pages", 100, "--json")
    )
    assert ended.json["reason"] == "budget: pages"
    assert paid_for(ended.json["counts"]) == 100
    assert ended.json["forms"][0]["score"] > 0.5
    assert "stopped:" in ended.err


def test_quiet_says_nothing(leadline: Command, way: list[str], tmp_path: Path) -> None:
    store = tmp_path / "a.leadline"
    ended = leadline(
        *("crawl", "book", "--seeds", *SEEDS, *way, "--store", store, "--pages", 20, "--quiet")
    )
    assert (ended.code, ended.out, ended.err) == (0, "", "")


def test_a_second_run_goes_on_with_the_settings_of_the_first(
    leadline: Command, way: list[str], tmp_path: Path
) -> None:
    store = tmp_path / "a.leadline"
    leadline("crawl", "book", "--seeds", *SEEDS, *way, "--store", store, "--pages", 50)
    ended = leadline("crawl", "--store", store, "--pages", 80, "--json")
    assert f"resuming {store}:" in ended.err
    assert paid_for(ended.json["counts"]) == 80
    opened = open_store_view(store)
    urls = [visit.url for visit in opened.reader.visits()]
    opened.close()
    assert len(urls) == len(set(urls)) == ended.json["counts"]["visits"]


def test_another_strategy_may_take_over(leadline: Command, way: list[str], tmp_path: Path) -> None:
    store = tmp_path / "a.leadline"
    own = ("--strategy", "baseline_sc", "--set", "strategy.max_forms=3")
    leadline("crawl", "book", "--seeds", *SEEDS, *way, *own, "--store", store, "--pages", 20)
    ended = leadline("crawl", "--store", store, "--strategy", "random", "--pages", 30)
    assert ended.code == 0
    assert leadline("status", store, "--json").json["strategy"] == "random"


def test_seeds_may_stand_in_a_file(leadline: Command, way: list[str], tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("# where to begin\nhttp://shelf-guide.demo/  # books\n\nweb-atlas.demo/#top\n")
    store = tmp_path / "a.leadline"
    ended = leadline(
        *("crawl", "book", "--seeds", seeds, *way, "--store", store, "--pages", 2, "--json")
    )
    assert ended.json["counts"]["pages"] == 2


def test_leadline_toml_of_the_folder_is_read(
    leadline: Command, way: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("leadline.toml").write_text(
        f'seeds = ["{SEEDS[0]}"]\n[topic]\nname = "book"\n[budget]\npages = 3\n'
    )
    assert paid_for(leadline("crawl", *way, "--json").json["counts"]) == 3
    assert Path("crawl.leadline").is_file()
    assert paid_for(leadline("status", "--json").json["counts"]) == 3


def test_a_store_in_memory_still_tells_what_was_found(leadline: Command, way: list[str]) -> None:
    ended = leadline(
        *("crawl", "book", "--seeds", *SEEDS, *way, "--store", ":memory:", "--pages", 100, "--json")
    )
    assert ended.json["report"] is None
    assert ended.json["forms"]
    assert not Path(":memory:").exists()


def test_when_every_visit_failed_the_exit_code_says_so(leadline: Command, tmp_path: Path) -> None:
    closed = way_to(9)
    ended = leadline(
        *("crawl", "book", "--seeds", "http://a.test/", *closed, "--set", "robots.obey=false"),
        *("--set", "politeness.first_backoff_s=0", "--store", tmp_path / "a", "--seconds", 10),
    )
    assert ended.code == 4
    assert "every visit failed" in ended.err
    assert "connection" in ended.err


class Unfollowed(BaseHTTPRequestHandler):
    """A home page whose links are all marked nofollow."""

    def do_GET(self) -> None:
        body = b"<title>Books</title>" + b"".join(
            b"<a rel=nofollow href=/%d>Books</a>" % number for number in range(3)
        )
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_crawl_that_was_kept_from_all_links_says_so(leadline: Command, tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Unfollowed) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        ended = leadline(
            *("crawl", "book", "--seeds", f"http://127.0.0.1:{server.server_port}/"),
            *("--set", "web.allow_private=true", "--store", tmp_path / "a.leadline"),
        )
        server.shutdown()
    assert "skipped: 3 links" in ended.err
    assert "obey_nofollow" in ended.err
