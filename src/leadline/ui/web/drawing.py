"""A page from a template: what every page shows around its own content, and errors as pages."""

from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute
from jinja2 import Environment
from pydantic import ValidationError

from leadline.errors import LeadlineError
from leadline.ui.web.errors import ApiError
from leadline.ui.web.models import StoreSummary

PLACES = (
    ("overview", "", "Overview"),
    ("directory", "forms", "Directory"),
    ("harvests", "harvests", "Harvests"),
    ("learned", "learned", "What it learned"),
    ("sites", "sites", "Sites"),
    ("explain", "explain", "Explain"),
    ("labels", "labels", "Labels"),
    ("control", "control", "Control"),
    ("compare", "compare", "Compare"),
)
"""Name, address and words of each page of a store."""
_LIVE = frozenset({"overview", "control"})
"""Pages that move by themselves."""
_UNREADABLE, _UNAVAILABLE = 422, 503


class Drawing:
    """Draws pages of one request."""

    def __init__(self, templates: Environment) -> None:
        self._templates = templates

    def page(self, name: str, store: StoreSummary | None, **facts: object) -> HTMLResponse:
        """The page `name` of a store, from the template of that name."""
        around = {"page": name, "store": store, "places": PLACES, "is_live": name in _LIVE}
        template = self._templates.get_template(f"{name}.html")
        return HTMLResponse(template.render(**around, **facts))

    def error(self, status: int, title: str, message: str) -> HTMLResponse:
        answer = self.page("error", None, title=title, message=message)
        answer.status_code = status
        return answer


def drawing_of(request: Request) -> Drawing:
    return Drawing(request.app.state.templates)


Draw = Annotated[Drawing, Depends(drawing_of)]


class PageRoute(APIRoute):
    """A route whose errors are pages too: people do not read JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def drawn(request: Request) -> Response:
            try:
                return await answer(request)
            except ApiError as error:
                facts = error.facts
                message = "; ".join(filter(None, (facts.which, facts.todo)))
                return drawing_of(request).error(error.status, _sentence(facts.what), message)
            except (RequestValidationError, ValidationError) as error:
                return drawing_of(request).error(_UNREADABLE, "This cannot be asked", _told(error))
            except LeadlineError as error:
                return drawing_of(request).error(_UNAVAILABLE, "Not at the moment", str(error))

        return drawn


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _told(error: RequestValidationError | ValidationError) -> str:
    """Which field, and what is wrong with it."""
    found = error.errors()
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in found)
