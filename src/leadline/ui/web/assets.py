"""Scripts and styles: our own, and Plotly's from its wheel. Nothing comes from elsewhere."""

import gzip
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, FastAPI, Header, Query, Response
from fastapi.staticfiles import StaticFiles

STATIC = Path(__file__).parent / "static"
PLOTLY = "/assets/plotly.min.js"
_YEAR = "private, max-age=31536000, immutable"

router = APIRouter(include_in_schema=False)


def plotly_address() -> str:
    """With its version, so that browsers keep it until there is another one."""
    return f"{PLOTLY}?v={version('plotly')}"


@router.get(PLOTLY)
def plotly_script(
    v: Annotated[str, Query(max_length=20)] = "",
    accept_encoding: Annotated[str, Header()] = "",
) -> Response:
    """Plotly's own script, packed where the browser can unpack it."""
    headers = {"Cache-Control": _YEAR if v == version("plotly") else "no-cache"}
    headers["Vary"] = "Accept-Encoding"
    script = _plotly()
    if "gzip" in accept_encoding:
        headers["Content-Encoding"] = "gzip"
        script = _packed_plotly()
    return Response(script, media_type="text/javascript", headers=headers)


def install_assets(app: FastAPI) -> None:
    app.include_router(router)
    app.mount("/static", _Revalidated(directory=STATIC), name="static")


class _Revalidated(StaticFiles):
    """Browsers keep a file and ask whether it changed."""

    def file_response(self, *arguments: object, **more: object) -> Response:
        answer = super().file_response(*arguments, **more)  # type: ignore[arg-type]
        answer.headers["Cache-Control"] = "no-cache"
        return answer


@cache
def _plotly() -> bytes:
    return files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()


@cache
def _packed_plotly() -> bytes:
    return gzip.compress(_plotly(), 6, mtime=0)
