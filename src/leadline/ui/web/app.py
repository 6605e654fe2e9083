"""The dashboard and the API as one ASGI application."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI

from leadline.ui.web.api import api_router
from leadline.ui.web.assets import install_assets
from leadline.ui.web.errors import install_errors
from leadline.ui.web.pages import install_pages
from leadline.ui.web.seen.following import follow


def make_app(stores: Mapping[str, Path]) -> FastAPI:
    """Serves each store under its name. Raises StoreError when one is not there."""
    followed = {name: follow(name, path) for name, path in stores.items()}

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        for one in followed.values():
            one.close()

    app = FastAPI(
        title="leadline",
        version=version("leadline"),
        description="What a crawl found, how it goes, and what people tell it.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    app.state.stores = followed
    install_errors(app)
    app.include_router(api_router)
    install_assets(app)
    install_pages(app)
    return app
