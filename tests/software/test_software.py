"""Real search applications over HTTP: the form is found, its records are had, nothing changes."""

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from leadline.core.harvest import Record
from leadline.core.page import Form
from leadline.core.url import Url
from leadline.forms.submit import why_refused
from tests.software.application import Application
from tests.software.harvesting import found_forms, harvested
from tests.software.serving import Asked

LEAST_SHARE = 0.9
"""Of the records that searching can reach."""
MOST_EXTRA = 0.05
"""Of what is kept: records held twice, and what is no record at all."""
MOST_REQUESTS = 1000


async def test_the_search_is_found_from_the_home_page_and_may_be_asked(
    application: Application, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if "trac" in request.node.name:
        # A box that says nothing, on pages that hardly show the words of the topic: docs/limits.md.
        request.applymarker(pytest.mark.xfail(reason="a silent box is believed by its site only"))
    if "mezzanine" in request.node.name:
        # Its records are posts of a blog; asked, it answers with running text: docs/limits.md.
        request.applymarker(
            pytest.mark.xfail(reason="answers in running text are of articles", strict=False)
        )
    best = (await found_forms(application, tmp_path / "crawl.leadline"))[0].judged
    assert best.form.action is not None
    assert path_of(best.form.action) == application.search
    assert best.relevant >= 0.5
    assert why_refused(best.form, best.searchable) == ""


async def test_a_harvest_has_what_searching_reaches_and_does_nothing_but_search(
    application: Application, tmp_path: Path
) -> None:
    content, before = application.content(), len(application.served.asked())
    store = tmp_path / "harvest.leadline"
    best = (await found_forms(application, store))[0]
    records = await harvested(best, store)
    asked = application.served.asked()[before:]
    held = named(records, application.reachable)

    assert len(held) >= LEAST_SHARE * len(application.reachable)
    assert len(records) <= (1 + MOST_EXTRA) * len(held)
    assert len(asked) < MOST_REQUESTS
    assert [request for request in asked if not is_search(request, best.judged.form)] == []
    assert application.content() == content


def named(records: Iterable[Record], reachable: frozenset[str]) -> set[str]:
    """The application's names of the records: of its links, the first that leads to one."""
    found: set[str] = set()
    for record in records:
        links = [record.url] if record.url else []
        paths = (path_of(link) for link in (*links, *record.links))
        found.update(next(([path] for path in paths if path in reachable), []))
    return found


def is_search(asked: Asked, form: Form) -> bool:
    """Looking at pages is free; whatever else is sent must be the form's own."""
    own = form.action is not None and asked.target.partition("?")[0] == path_of(form.action)
    return asked.method == "GET" or (asked.method == form.method.upper() and own)


def path_of(url: Url) -> str:
    return urlsplit(url).path
