"""Sites of the lab that wear real pages, shown on pages written for the test."""

import gzip
import json
from pathlib import Path

import pytest
from tools.splits import is_held_out

from leadline.core.http import Request
from leadline.core.url import Url
from leadline.errors import ConfigError
from leadline.page.parse import parse_page
from leadline_lab.experiments.many_makers import available_profiles
from leadline_lab.markup.shells import FOLDER, is_kept_back, make_shell, shells
from leadline_lab.profile import profile_named
from leadline_lab.world import World

LINKS = "".join(f'<li><a class="top" href="/{n}">Word {n}</a></li>' for n in range(40))
WORN = (
    f"<html><head><title>Theirs</title></head><body><header class=bar><ul>{LINKS}</ul>"
    "<form action=/find><input name=q></form></header><main><p>Their text</p></main>"
    "<footer>Their footer</footer><script>track()</script></body></html>"
)
OPEN_DOMAIN = next(f"site{n}.com" for n in range(99) if not is_held_out(f"site{n}.com"))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pages").mkdir()
    row = json.dumps({"domain": OPEN_DOMAIN, "html": WORN})
    (tmp_path / "pages" / "modern.jsonl.gz").write_bytes(gzip.compress(row.encode()))
    monkeypatch.setenv(FOLDER, str(tmp_path))
    shells.cache_clear()
    return tmp_path


def test_a_shell_keeps_frame_and_anchors_and_drops_main_part_forms_and_scripts() -> None:
    shell = make_shell(WORN)
    assert shell is not None
    assert shell.anchors[0] == ("top", "Word 0")
    whole = shell.before + shell.after
    assert "Their footer" in shell.after
    for gone in ("<form", "<script", "Their text"):
        assert gone not in whole


def test_a_page_without_a_main_part_or_links_is_not_worn() -> None:
    assert make_shell("<body><p>only text</p></body>") is None
    assert make_shell("<body><main>main</main><a href=/>one</a></body>") is None


@pytest.mark.usefixtures("data")
def test_a_site_that_wears_a_page_has_its_own_menu_in_the_pages_anchors() -> None:
    world = World(profile_named("real-4"), 1)
    url = world.seeds("book", 1)[0]
    found = world.locate(url)
    assert found is not None
    page = parse_page(world.answer(Request(url)).body, url, "text/html")
    assert "Their footer" in page.text
    assert "Their text" not in page.text
    menu = {link.target for link in page.links if "header.bar" in link.tag_path}
    plan, root = found.estate.plan, found.estate.root
    fixed = Url(root + found.estate.paths.page(plan.place(1)))
    assert fixed in menu
    assert not any(link.target.endswith("/39") for link in page.links)


def test_without_real_pages_the_profile_is_left_out_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    shells.cache_clear()
    assert not any(profile_named(name).real_pages for name in available_profiles())
    with pytest.raises(ConfigError, match=FOLDER):
        shells()


def test_pages_that_judge_are_not_worn() -> None:
    names = [f"www.site{n}.co.uk" for n in range(50)]
    assert [is_kept_back(name) for name in names] == [is_held_out(name) for name in names]
    assert any(map(is_kept_back, names))
