"""A crawl of a topic accepts the right search of software that others wrote, and no other form."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from leadline import crawl_async, load_config
from leadline.core.crawl import LIKELY, StoredForm
from leadline.store import open_store_view
from tests.software.topical import SITES, TopicalSite

_PAGES = 300
"""Of which a share may go into questions; a shop has fewer."""


@pytest.mark.parametrize("name", SITES)
async def test_a_crawl_accepts_the_right_door_and_no_other(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if name == "wiki":
        # Its answers are running text on pages that menus link to, as those of a site's own
        # articles are: docs/critics.md.
        request.applymarker(
            pytest.mark.xfail(reason="a wiki's articles are taken for a site's", strict=True)
        )
    site_folder = tmp_path / name
    site_folder.mkdir()
    with SITES[name](site_folder) as site:
        forms = await crawl_site(site, tmp_path / "crawl.leadline")
    accepted = {path_of(one) for one in forms if one.judged.relevant >= LIKELY}
    assert accepted & site.right
    assert not accepted - site.right


async def crawl_site(site: TopicalSite, store: Path) -> list[StoredForm]:
    """As `leadline crawl TOPIC` from the home page."""
    settings = {
        "seeds": [f"{site.served.url}/"],
        "topic.name": site.topic,
        "scope.stay_on_seed_sites": True,
        "budget.pages": _PAGES,
        "politeness.delay_s": 0.0,
        "web.allow_private": True,
        "store.path": str(store),
    }
    await crawl_async(load_config(settings=settings)[0])
    opened = open_store_view(store)
    try:
        return list(opened.reader.forms())
    finally:
        opened.close()


def path_of(stored: StoredForm) -> str:
    return urlsplit(stored.judged.form.action or "").path
