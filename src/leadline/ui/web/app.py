"""The dashboard and the API as one ASGI application."""

import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from leadline.records.asking import Asker, ask_store
from leadline.ui.web.access import HEADERS, AccessGuard, ServerAccess
from leadline.ui.web.crawl_starter import CrawlStarter
from leadline.ui.web.errors import ErrorFacts, error_answer, install_errors
from leadline.ui.web.pages import install_pages
from leadline.ui.web.rest import API
from leadline.ui.web.rest import router as rest_router
from leadline.ui.web.schema import install_schema
from leadline.ui.web.things_cache import ThingsCache
from leadline.views.mirror.store import StoreMirror, open_mirror

_LOCAL = ServerAccess()
_ABOUT = """What a crawl found, how it is doing, and what people tell it: the same answers that the
dashboard shows. Lists come in pages: `offset` leaves out so many, `limit` shows at most so many,
`total` says how many there are. Every error has one shape, `ErrorAnswer`. If the server needs a
token, send it as `Authorization: Bearer TOKEN`."""


def make_app(
    stores: Mapping[str, Path | str],
    access: ServerAccess = _LOCAL,
    starter: CrawlStarter | None = None,
    asker: Asker = ask_store,
    things: ThingsCache | None = None,
) -> FastAPI:
    """Serves each store under its name. Raises StoreError when one is not there."""
    mirrors = {name: open_mirror(name, path) for name, path in stores.items()}
    ending = threading.Event()

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        studying = threading.Thread(target=_study_forms, args=(mirrors, ending), daemon=True)
        studying.start()
        yield
        ending.set()
        studying.join()
        app.state.things.close()
        for mirror in mirrors.values():
            mirror.close()

    app = FastAPI(
        title="leadline",
        version=version("leadline"),
        description=_ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
    )
    app.state.stores = mirrors
    app.state.ending = ending
    app.state.starter = starter or CrawlStarter()
    app.state.asker = asker
    app.state.things = things or ThingsCache()
    app.add_middleware(AccessGuard, access=access)
    install_errors(app)
    app.exception_handler(Exception)(_report_bug)
    app.include_router(rest_router)
    install_pages(app)
    install_schema(app, rest_router)
    return app


def read_all(app: FastAPI) -> Iterator[tuple[str, int, float]]:
    """Reads all stores and templates before the first request; yields the name, visits and seconds
    of each store."""
    for template in app.state.templates.list_templates():
        app.state.templates.get_template(template)
    stores: dict[str, StoreMirror] = app.state.stores
    for name, mirror in stores.items():
        begun = time.monotonic()
        with mirror.refresh():
            yield name, len(mirror.visits), time.monotonic() - begun


def _study_forms(mirrors: Mapping[str, StoreMirror], ending: threading.Event) -> None:
    """Interprets the fields of all forms, a few at a time between two requests."""
    pauses_s = 0.0
    while not ending.wait(pauses_s):
        left = max((mirror.study_forms() for mirror in mirrors.values()), default=0)
        # Interpreting 25 forms takes ten milliseconds; requests get as long in between.
        pauses_s = 0.01 if left else 1.0


async def _report_bug(_request: Request, _error: Exception) -> JSONResponse:
    """The traceback goes to the log, and nowhere else. This is made outside the guard."""
    facts = ErrorFacts(what="a bug in leadline", todo="the server's log says where")
    answer = error_answer(500, facts)
    answer.headers.update(HEADERS)
    return answer
