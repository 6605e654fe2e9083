"""One shape for all errors of the API."""

from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from leadline.errors import ConfigError, LeadlineError, StoreError, StoreLockedError
from leadline.store.address import is_url
from leadline.store.care.checks import find_damage
from leadline.store.damage import DAMAGE_SIGNS


class ErrorFacts(BaseModel):
    """What went wrong."""

    what: str = Field(description="What cannot be had or done.")
    which: str = Field("", description="Of what was sent, the part it is about.")
    todo: str = Field("", description="What to do about it.")


class ErrorAnswer(BaseModel):
    """The body of every answer with a status of 400 or more."""

    error: ErrorFacts


class ApiError(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, what: str, which: str = "", todo: str = "") -> None:
        super().__init__(status, what, which, todo)
        self.status = status
        self.facts = ErrorFacts(what=what, which=which, todo=todo)


def not_found(what: str, which: str, todo: str) -> ApiError:
    return ApiError(404, what, which, todo)


def error_answer(status: int, facts: ErrorFacts) -> JSONResponse:
    body = ErrorAnswer(error=facts).model_dump()
    return JSONResponse(body, status)


def install_errors(app: FastAPI) -> None:
    """Every error in the one shape."""
    app.exception_handler(ApiError)(_api_error)
    app.exception_handler(RequestValidationError)(_validation)
    app.exception_handler(HTTPException)(_http)
    app.exception_handler(LeadlineError)(_ours)
    for sign in set(DAMAGE_SIGNS) - {StoreError}:
        app.exception_handler(sign)(_tell_damage)


async def _api_error(_request: Request, error: ApiError) -> JSONResponse:
    return error_answer(error.status, error.facts)


async def _validation(_request: Request, error: RequestValidationError) -> JSONResponse:
    found = jsonable_encoder([{"at": e["loc"], "says": e["msg"]} for e in error.errors()])
    which = "; ".join(".".join(map(str, e["at"])) for e in found)
    said = "; ".join(dict.fromkeys(str(e["says"]) for e in found))
    return error_answer(
        422,
        ErrorFacts(what=said, which=which, todo="see the API reference for what may be sent"),
    )


async def _http(_request: Request, error: HTTPException) -> JSONResponse:
    answer = error_answer(error.status_code, ErrorFacts(what=str(error.detail)))
    answer.headers.update(error.headers or {})
    return answer


async def _tell_damage(request: Request, error: Exception) -> JSONResponse:
    """A damaged store may fail anywhere that it is read: what fails is blamed on it if the file is
    not sound, and is a fault of ours if it is."""
    mirror = request.app.state.stores.get(request.path_params.get("store", ""))
    served = [mirror] if mirror is not None else [*request.app.state.stores.values()]
    for one in served:
        found = None if is_url(one.path) else await run_in_threadpool(find_damage, Path(one.path))
        if found is not None:
            return await _ours(request, found)
    raise error


async def _ours(_request: Request, error: LeadlineError) -> JSONResponse:
    """What was asked cannot be done, or not at the moment."""
    if isinstance(error, ConfigError):
        return error_answer(422, ErrorFacts(what=str(error)))
    if isinstance(error, StoreLockedError):
        return error_answer(409, ErrorFacts(what=str(error)))
    return error_answer(503, ErrorFacts(what=str(error), todo="see the log of the server"))
