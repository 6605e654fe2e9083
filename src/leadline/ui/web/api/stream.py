"""Tells browsers when something changed, as server-sent events."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from leadline.ui.web.api.asking import ERRORS, Followed
from leadline.ui.web.models import Pulse
from leadline.ui.web.seen.following import Following
from leadline.ui.web.views.overview import headline
from leadline.ui.web.views.state import StoreState, state_of

EVERY_S = 1.0
HEARTBEAT_S = 15.0
"""Proxies close what is silent for a minute."""

router = APIRouter(responses=ERRORS, tags=["crawl"])
Moment = tuple[tuple[int, ...], StoreState]


class EventStream(StreamingResponse):
    media_type = "text/event-stream"


@router.get(
    "/stores/{store}/stream",
    response_class=EventStream,
    responses={200: {"description": "Events named `change`, whose data is a Pulse as JSON."}},
)
async def follow_store(store: Followed) -> EventStream:
    """A `change` event at once and then about every second while something changes; it ends when
    the client goes."""
    return EventStream(changes(store), headers={"X-Accel-Buffering": "no"})


async def changes(
    store: Following,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    tick: Callable[[], float] = time.monotonic,
) -> AsyncIterator[str]:
    """Server-sent events as text."""
    last: Moment | None = None
    said_at = tick()
    while True:
        moment, told = await run_in_threadpool(_look, store, last)
        if told is not None:
            yield f"event: change\ndata: {told.model_dump_json()}\n\n"
            last, said_at = moment, tick()
        elif tick() - said_at >= HEARTBEAT_S:
            yield ": still here\n\n"
            said_at = tick()
        await sleep(EVERY_S)


def _look(store: Following, last: Moment | None) -> tuple[Moment, Pulse | None]:
    with store.looking() as seen:
        moment = seen.moment, state_of(seen)
        return moment, headline(seen) if moment != last else None
