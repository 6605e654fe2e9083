"""What every route needs: the store that is asked, and what may be asked of lists."""

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request

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
ERRORS: Responses = {
    404: {"model": ErrorAnswer, "description": "There is no such thing."},
    422: {"model": ErrorAnswer, "description": "What was sent cannot be read."},
}
LOCKED: Responses = {409: {"model": ErrorAnswer, "description": "Not at the moment."}}


def followed(request: Request, store: StoreName) -> Following:
    stores: dict[str, Following] = request.app.state.stores
    found = stores.get(store)
    if found is None:
        raise not_found("there is no such store", store, f"there are: {', '.join(stores)}")
    return found


def _looked_at(store: Annotated[Following, Depends(followed)]) -> Iterator[Following]:
    """What is new is read first, and nothing changes until the answer is made."""
    with store.looking() as seen:
        yield seen


Followed = Annotated[Following, Depends(followed)]
Seen = Annotated[Following, Depends(_looked_at, scope="function")]
