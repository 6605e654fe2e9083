"""`leadline run` beside the same job by hand: crawl, harvest each form, export.

    python -m bench.whole_job [--requests 1500] [--only lab|applications]

Two webs, each over HTTP. `lab`: the demo's world, "hotels", ten seeds. `applications`: Datasette,
Mezzanine and Omega with films (`LEADLINE_DATA`, else generated ones), some of them in two or three
of these, behind a page that links to the three; that page is the only seed. By hand means: a crawl
of so many pages, one harvest of each form that the crawl accepted with an equal share of the
requests left, an export of things; three shares for the crawl are tried and the best is shown.
`by_name`: a person has found the searches, and harvests each. Both ways have the same budget of
requests, and no pauses. `true` are records that the databases hold, each counted once; `reachable`
how many searching can reach (`lab`: that the databases behind the accepted forms hold). The last
line is one JSON object.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.realdata.conftest import find_data, read_rows
from tests.software import cgi_server, datasette, mezzanine, omega
from tests.software.application import Application
from tests.software.generated import generate_rows

import leadline
from leadline.core.store import StoreView
from leadline.views.stores import open_to_read
from leadline_lab.demo import find_true_records
from leadline_lab.profile import profile_named
from leadline_lab.server.running import LOOPBACK, serving_apart
from leadline_lab.server.serve import open_world
from leadline_lab.truth import Truth
from leadline_lab.world import World

CRAWL_SHARES = (0.1, 0.2, 0.4)
"""Of the budget, what the crawl by hand gets: too little finds few forms, too much leaves nothing
to ask them."""
_PARTS = {"datasette": (0, 1_000), "mezzanine": (800, 1_100), "omega": (900, 1_700)}
"""Which films each application has: the last 200 of the first are in another one too."""


_FRONT = f"""<!DOCTYPE html><title>Film search</title><h1>Films and movies</h1>
<p>Movies of all genres with their cast and story: drama, comedy, thriller and documentary films.
<a href="{cgi_server.PROGRAM_PATH}">Search the films by title, actor or director</a>
"""
"""Of Omega, which has no page of its own but the search."""


class Web(NamedTuple):
    """What is crawled, and how its truth is counted."""

    phrase: str
    topic: str
    seeds: list[str]
    settings: dict[str, object]
    count_true: Callable[[StoreView], tuple[int, int]]
    """Distinct true records held, and those that can be reached."""
    searches: tuple[str, ...] = ()
    """Pages with the searches, where a person would look for them."""


@contextmanager
def lab_web() -> Iterator[Web]:
    world = World(profile_named("demo"), 1)

    def count(store: StoreView) -> tuple[int, int]:
        truth = Truth(world)
        true = {(one.database, one.number) for one in find_true_records(store, world)}
        numbers = [truth.form(head.subject.form) for head in store.harvests.all()]
        databases = {
            (truth.site_of(number), truth.interface(number).database)
            for number in numbers
            if number is not None and truth.interface(number).schema
        }
        return len(true), sum(world.estate(site).source(own).size for site, own in databases)

    with serving_apart(partial(open_world, "demo", 1)) as port:
        settings = {
            "web.resolve": {"*": f"{LOOPBACK}:{port}"},
            "web.first_byte_timeout_s": 2.0,
        }
        yield Web(
            "hotels", "hotel", [str(url) for url in world.seeds("hotel", 10)], settings, count
        )


@contextmanager
def applications_web(folder: Path) -> Iterator[Web]:
    with ExitStack() as stack:
        running: dict[str, Application] = {}
        for name, run in (
            ("datasette", datasette.datasette),
            ("mezzanine", mezzanine.mezzanine),
            ("omega", partial(omega.omega, front=_FRONT)),
        ):
            place = folder / name
            place.mkdir()
            running[name] = stack.enter_context(run(_films(name), place))
        page = _directory({name: one.served.url for name, one in running.items()})
        seed = stack.enter_context(_serving_page(page))
        count = partial(_count_paths, list(running.values()))
        searches = tuple(one.served.url + one.search for one in running.values())
        yield Web("films", "movie", [seed], {}, count, searches)


def _films(name: str) -> Iterator[dict[str, Any]]:
    """In the shape that each application's test takes."""
    folder = find_data()
    rows = read_rows(folder, "records/movies") if folder else generate_rows()
    for number, row in enumerate(islice(rows, *_PARTS[name])):
        if name == "datasette":
            yield row
            continue
        title, told = f"{row['title']} ({row['year']})", row.get("extract") or row["title"]
        cast = ", ".join(row["cast"])
        if name == "mezzanine":
            yield {"title": title, "body": f"{told} Cast: {cast}.", "topics": row["genres"]}
        else:
            yield {
                "name": f"film-{number}",
                "summary": title,
                "description": f"{told}\nCast: {cast}",
            }


def _directory(urls: Mapping[str, str]) -> str:
    """Links to pages that speak of films: Mezzanine's home page is about Mezzanine, its blog is
    about what it holds."""
    links = (
        (f"{urls['datasette']}/", "Cinema database"),
        (f"{urls['mezzanine']}/blog/", "Film blog"),
        (f"{urls['omega']}/", "Film search"),
    )
    items = "".join(
        f'<li><a href="{url}">{name}</a>: films, actors, directors and genres</li>'
        for url, name in links
    )
    return (
        "<!doctype html><title>Film databases</title><h1>Databases of films and movies</h1>"
        f"<p>Where to look up movies, their cast and their genres.</p><ul>{items}</ul>"
    )


@contextmanager
def _serving_page(page: str) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        """Answers `/` with the page, and has nothing else."""

        def do_GET(self) -> None:
            body = page.encode()
            self.send_response(200 if self.path == "/" else 404)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer((LOOPBACK, 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://{LOOPBACK}:{server.server_port}/"
    finally:
        server.shutdown()


def _count_paths(running: list[Application], store: StoreView) -> tuple[int, int]:
    by_place = {urlsplit(one.served.url).netloc: one.reachable for one in running}
    held = set()
    for stored in store.harvests.records():
        for url in (stored.record.url, *stored.record.links):
            place = urlsplit(url or "")
            if place.path in by_place.get(place.netloc, ()):
                held.add((place.netloc, place.path))
                break
            # Omega's results lead to the addresses that its index names, without a host.
            owner = next((n for n, paths in by_place.items() if place.path in paths), None)
            if owner:
                held.add((owner, place.path))
                break
    return len(held), sum(map(len, by_place.values()))


def run_whole(web: Web, requests: int, folder: Path) -> dict[str, object]:
    """`leadline.run`."""
    store, out = folder / "run.leadline", folder / "run.sqlite"
    begun = time.monotonic()
    leadline.run(
        web.phrase, web.seeds, out=out, store=store, requests=requests, settings=_settings(web)
    )
    return _measure(web, store, time.monotonic() - begun)


def run_by_hand(web: Web, requests: int, share: float, folder: Path) -> dict[str, object]:
    """Crawl, harvest each form, export, with the same requests."""
    store = folder / f"hand-{share}.leadline"
    begun = time.monotonic()
    pages = int(share * requests)
    leadline.crawl(web.topic, web.seeds, store=store, pages=pages, settings=_settings(web))
    with leadline.open_store(store) as opened:
        spent = opened.counts.visits
        targets: dict[tuple[str, str], str] = {}
        for form in opened.forms():
            targets.setdefault((form.method, str(form.action).partition("?")[0]), form.signature)
    each = max(1, (requests - spent) // max(1, len(targets)))
    for signature in targets.values():
        leadline.harvest(signature, store, requests=each, settings=_settings(web))
    with leadline.open_store(store) as opened:
        opened.export(folder / f"hand-{share}.sqlite")
    return {"crawl_share": share, **_measure(web, store, time.monotonic() - begun)}


def run_by_name(web: Web, requests: int, folder: Path) -> dict[str, object]:
    """Harvest each search that a person has found by looking, and export."""
    store = folder / "named.leadline"
    begun = time.monotonic()
    for page in web.searches:
        settings = {**_settings(web), "topic.name": web.topic}
        leadline.harvest(page, store, requests=requests // len(web.searches), settings=settings)
    with leadline.open_store(store) as opened:
        opened.export(folder / "named.sqlite")
    return _measure(web, store, time.monotonic() - begun)


def _settings(web: Web) -> dict[str, object]:
    own = {"politeness.delay_s": 0.0, "politeness.sites_per_address": 0, "web.allow_private": True}
    return {**own, **web.settings}


def _measure(web: Web, path: Path, seconds: float) -> dict[str, object]:
    with open_to_read(str(path)) as store:
        heads = list(store.harvests.all())
        tallies = [store.harvests.tally(head.id) for head in heads]
        true, reachable = web.count_true(store)
        visits = store.reader.counts().visits
        forms = store.reader.counts().forms
    with leadline.open_store(path) as opened:
        rows = len(list(opened.things()))
    records = sum(tally.records for tally in tallies)
    return {
        "rows": rows,
        "records": records,
        "true": true,
        "reachable": reachable,
        "covered": round(true / reachable, 3) if reachable else 0.0,
        "requests": visits + sum(tally.requests for tally in tallies),
        "forms": forms,
        "databases": sum(tally.records > 0 for tally in tallies),
        "seconds": round(seconds, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--requests", type=int, default=1_500)
    parser.add_argument("--only", choices=("lab", "applications"))
    given = parser.parse_args()
    found: dict[str, Any] = {"requests": given.requests}
    for name in ("lab", "applications"):
        if given.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            with lab_web() if name == "lab" else applications_web(folder) as web:
                whole = run_whole(web, given.requests, folder)
                print(f"{name}: run      {whole}", flush=True)
                by_hand = [
                    run_by_hand(web, given.requests, share, folder) for share in CRAWL_SHARES
                ]
                for one in by_hand:
                    print(f"{name}: by hand  {one}", flush=True)
                best = max(by_hand, key=lambda one: int(str(one["true"])))
                found[name] = {"run": whole, "by_hand": best}
                if web.searches:
                    named = run_by_name(web, given.requests, folder)
                    print(f"{name}: by name  {named}", flush=True)
                    found[name] = {**found[name], "by_name": named}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
