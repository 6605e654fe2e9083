"""The dashboard and the API as one ASGI application."""

import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from leadline.ui.web.access import Access
from leadline.ui.web.api import API, api_router
from leadline.ui.web.assets import install_assets
from leadline.ui.web.errors import ErrorFacts, error_answer, install_errors
from leadline.ui.web.guard import HEADERS, Guard
from leadline.ui.web.pages import install_pages
from leadline.ui.web.seen.following import Following, follow
from leadline.ui.web.starting import Starter

_HERE = Access()
_ABOUT = """What a crawl found, how it goes, and what people tell it: the same answers that the
dashboard is drawn from. Lists come in pages: `offset` leaves out so many, `limit` shows at most so
many, `total` says how many there are. Every error has one shape, `ErrorAnswer`. Where the server
wants a token, send it as `Authorization: Bearer TOKEN`."""


def make_app(
    stores: Mapping[str, Path | str], access: Access = _HERE, starter: Starter | None = None
) -> FastAPI:
    """Serves each store under its name. Raises StoreError when one is not there."""
    followed = {name: follow(name, path) for name, path in stores.items()}
    ending = threading.Event()

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        student = threading.Thread(target=_study, args=(followed, ending), daemon=True)
        student.start()
        yield
        ending.set()
        student.join()
        for one in followed.values():
            one.close()

    app = FastAPI(
        title="leadline",
        version=version("leadline"),
        description=_ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
    )
    app.state.stores = followed
    app.state.ending = ending
    app.state.starter = starter or Starter()
    app.add_middleware(Guard, access=access)
    install_errors(app)
    app.exception_handler(Exception)(_bug)
    app.include_router(api_router)
    install_assets(app)
    install_pages(app)
    return app


def read_all(app: FastAPI) -> Iterator[tuple[str, int, float]]:
    """Read all stores and templates before the first request; the name, visits and seconds of
    each store."""
    for template in app.state.templates.list_templates():
        app.state.templates.get_template(template)
    stores: dict[str, Following] = app.state.stores
    for name, one in stores.items():
        begun = time.monotonic()
        with one.looking() as seen:
            yield name, len(seen.visits), time.monotonic() - begun


def _study(followed: Mapping[str, Following], ending: threading.Event) -> None:
    """Look at the fields of all forms, a few at a time between two requests."""
    pauses_s = 0.0
    while not ending.wait(pauses_s):
        left = max((one.study() for one in followed.values()), default=0)
        # Looking at 25 forms takes ten milliseconds; as long is left to requests.
        pauses_s = 0.01 if left else 1.0


async def _bug(_request: Request, _error: Exception) -> JSONResponse:
    """The traceback goes to the log, and nowhere else. This is made outside the guard."""
    facts = ErrorFacts(what="a bug in leadline", todo="the server's log says where")
    answer = error_answer(500, facts)
    answer.headers.update(HEADERS)
    return answer
