"""Serves the read model's structs over FastAPI: as JSON, and in the OpenAPI schema.

The types of `leadline.views` are msgspec structs. They are encoded by msgspec, and their schemas
are put into FastAPI's, so that no second set of models has to be kept equal to them.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from itertools import pairwise
from typing import Any, get_origin, get_type_hints

import msgspec
from fastapi import APIRouter, FastAPI, Response
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from msgspec.inspect import StructType, multi_type_info

_REF = "#/components/schemas/{name}"
Schema = dict[str, Any]


class StoreRoute(APIRoute):
    """A route that answers with a type of the read model, or with a Response.

    A route's parameter `mirror` is brought up to date, and held still while the function runs.
    Both happen in the thread of that function: if a dependency held the store, requests that wait
    for it could take up all threads, and the one that holds it would get none to continue with.
    """

    answer_type: Any = None
    """What the function returns; None for a Response."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        returned = get_type_hints(endpoint).get("return")
        is_response = isinstance(returned, type) and issubclass(returned, Response)
        self.answer_type = None if is_response else returned
        # A router makes each route again when it is included: what was wrapped stays as it is.
        if not hasattr(endpoint, "is_wrapped") and not inspect.iscoroutinefunction(endpoint):
            endpoint = _wrap(endpoint)
        # FastAPI would take the return type for a pydantic model.
        super().__init__(path, endpoint, **{**more, "response_model": None})


def _wrap(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    has_mirror = "mirror" in inspect.signature(endpoint).parameters

    def encode(found: object) -> Response:
        if isinstance(found, Response):
            return found
        return Response(msgspec.json.encode(found), media_type="application/json")

    @wraps(endpoint)
    def answer(**arguments: Any) -> Response:
        if not has_mirror:
            return encode(endpoint(**arguments))
        with arguments["mirror"].refresh():
            return encode(endpoint(**arguments))

    answer.is_wrapped = True  # type: ignore[attr-defined]
    return answer


def install_schema(app: FastAPI, router: APIRouter) -> None:
    """Makes `app.openapi()` describe what the routes of the router answer."""
    routes = [route for route in router.routes if isinstance(route, StoreRoute)]
    app.openapi = lambda: _describe(app, routes)  # type: ignore[method-assign]


def _describe(app: FastAPI, routes: Sequence[StoreRoute]) -> Schema:
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        routes = [route for route in routes if route.answer_type]
        types = [route.answer_type for route in routes]
        schemas, components = msgspec.json.schema_components(types, ref_template=_REF)
        for route, answer in zip(routes, schemas, strict=True):
            for method in route.methods or ():
                operation = made["paths"][route.path][method.lower()]
                operation["responses"]["200"]["content"] = {"application/json": {"schema": answer}}
        for info in multi_type_info(types):
            for struct in _find_structs(info, set()):
                _add_descriptions(components, struct)
        made["components"]["schemas"] |= components
        app.openapi_schema = made
    return app.openapi_schema


def _find_structs(info: object, seen: set[int]) -> Iterator[type]:
    """The structs that a type is made of, itself included."""
    if id(info) in seen:
        return
    seen.add(id(info))
    if isinstance(info, StructType):
        yield get_origin(info.cls) or info.cls
    for name in ("fields", "types", "item_types"):
        for part in getattr(info, name, ()):
            yield from _find_structs(getattr(part, "type", part), seen)
    for name in ("item_type", "key_type", "value_type", "type"):
        yield from _find_structs(getattr(info, name, None), seen)


def _add_descriptions(components: Schema, struct: type) -> None:
    for name, text in field_docs(struct).items():
        for component in components.values():
            if component.get("title", "").partition("[")[0] == struct.__name__:
                component["properties"].get(name, {}).setdefault("description", text)


def field_docs(struct: type) -> dict[str, str]:
    """The texts that stand under the fields of a struct and of those it extends."""
    docs: dict[str, str] = {}
    for kind in reversed(struct.__mro__):
        if kind is object or kind.__module__.startswith("msgspec"):
            continue
        try:
            (tree,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
        # Without source files the schema has no descriptions, and is valid all the same.
        except (OSError, TypeError):
            continue
        body: list[ast.stmt] = getattr(tree, "body", [])
        for statement, after in pairwise(body):
            if (
                isinstance(statement, ast.AnnAssign)
                and isinstance(statement.target, ast.Name)
                and isinstance(after, ast.Expr)
                and isinstance(after.value, ast.Constant)
            ):
                docs[statement.target.id] = " ".join(str(after.value.value).split())
    return docs
