"""The REST API: the same answers that the pages are drawn from, as JSON."""

from fastapi import APIRouter

from leadline.ui.web.api.reading import router as reading

API = "/api/v1"

api_router = APIRouter(prefix=API)
api_router.include_router(reading)

__all__ = ["API", "api_router"]
