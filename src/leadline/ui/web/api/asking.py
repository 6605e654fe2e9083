"""What every route needs: the store that is asked, and what may be asked of lists."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from fastapi.routing import APIRoute

from leadline.ui.web.errors import ErrorAnswer, not_found
from leadline.ui.web.models import LARGEST, MOST
from leadline.ui.web.seen.following import Following

Offset = Annotated[int, Query(ge=0, le=LARGEST, description="Leave out so many.")]
Limit = Annotated[int, Query(ge=1, le=MOST, description="Show at most so many.")]
Signature = Annotated[
    str, Path(min_length=1, max_length=64, description="A form's signature, or its beginning.")
]
StoreName = Annotated[str, Path(min_length=1, max_length=200, description="A store's name.")]

Responses = dict[int | str, dict[str, Any]]


def _answers(told: dict[int, str]) -> Responses:
    return {status: {"model": ErrorAnswer, "description": why} for status, why in told.items()}


ERRORS = _answers(
    {
        401: "A token is needed.",
        403: "The server is not known by this name, or another site's page asked.",
        404: "There is no such thing.",
        422: "What was sent cannot be read, or cannot be done.",
    }
)
WRITING = _answers(
    {
        400: "The body is no JSON.",
        409: "Not at the moment.",
        413: "The body is too large.",
        415: "Only JSON is taken.",
    }
)


def followed(request: Request, store: StoreName) -> Following:
    stores: dict[str, Following] = request.app.state.stores
    found = stores.get(store)
    if found is None:
        raise not_found("there is no such store", store, f"there are: {', '.join(stores)}")
    return found


Followed = Annotated[Following, Depends(followed)]
Seen = Annotated[Following, Depends(followed)]
"""A store that is looked at while the route's function runs: for functions of a LookingRoute."""


class LookingRoute(APIRoute):
    """Reads what is new of the store `seen`, and keeps it still while the route's function runs.

    Both happen in the thread of that function. Were the store held from a dependency on, those
    who wait for it could take up all threads, and who holds it would get none to go on with.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        super().__init__(path, _looking(endpoint), **more)


def _looking(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """Routers make each route anew when they are joined: what was wrapped stays as it is."""
    if "seen" not in signature(endpoint).parameters or hasattr(endpoint, "is_looking"):
        return endpoint

    @wraps(endpoint)
    def looking(**arguments: Any) -> Any:
        with arguments["seen"].looking():
            return endpoint(**arguments)

    looking.is_looking = True  # type: ignore[attr-defined]
    return looking
