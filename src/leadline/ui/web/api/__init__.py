"""The REST API: the same answers that the pages are drawn from, as JSON."""

from fastapi import APIRouter

from leadline.ui.web.api.harvests import router as harvests
from leadline.ui.web.api.reading import router as reading
from leadline.ui.web.api.steering import router as steering
from leadline.ui.web.api.stream import router as stream

API = "/api/v1"

api_router = APIRouter(prefix=API)
for part in (reading, harvests, steering, stream):
    api_router.include_router(part)

__all__ = ["API", "api_router"]
