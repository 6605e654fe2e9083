"""`python -m tools.reference.rest`: writes the reference of the REST API from its schema."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from leadline.ui.cli.output import say
from leadline.ui.web.app import make_app

PAGE = Path("docs/reference/api.md")
Schema = dict[str, Any]
_MADE = "<!-- Made by `python -m tools.reference.rest`; edit the code instead. -->"
_USE = """The server is `leadline serve STORE` (see [serving](../guides/serving.md)). Its schema in
OpenAPI is at `/api/v1/openapi.json`. What is sent goes as JSON, with `Content-Type:
application/json`. Times are seconds since 1970. Within version 1 fields may be added; none is taken
away or gets another meaning."""
_REF = "#/components/schemas/"


def schema() -> Schema:
    """The API's own description; which stores are served makes no difference to it."""
    return make_app({}).openapi()


def render(told: Schema) -> str:
    """docs/reference/api.md."""
    models: Schema = told["components"]["schemas"]
    lines = [_MADE, "", "# REST API", "", *_beginning(told), "", "## Routes", ""]
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            lines += _operation(method, path, operation)
    lines += ["## Models", ""]
    for name in sorted(models):
        lines += _model(name, models[name])
    return "\n".join(lines).rstrip() + "\n"


def _beginning(told: Schema) -> list[str]:
    about = " ".join(told["info"]["description"].split())
    return [about, "", *_USE.splitlines()]


def _operation(method: str, path: str, operation: Schema) -> Iterator[str]:
    yield f"### {method.upper()} {path}"
    yield ""
    yield _text(operation.get("description", operation["summary"]))
    yield ""
    rows = [_parameter(one) for one in operation.get("parameters", ())]
    yield from _table(("parameter", "type", "default", "what it is"), rows)
    body = operation.get("requestBody")
    if body:
        yield f"Takes {_type(body['content']['application/json']['schema'])}."
        yield ""
    yield f"Answers {_answer(operation)}. Errors: {', '.join(_errors(operation))}."
    yield ""


def _parameter(told: Schema) -> tuple[str, ...]:
    kind = told["schema"]
    default = kind.get("default", "")
    is_said = told.get("required", False)
    shown = "required" if is_said else f"`{default}`" if default != "" else ""
    what = told.get("description") or kind.get("description", "")
    return f"`{told['name']}`", _type(kind), shown, _text(what)


def _answer(operation: Schema) -> str:
    told = operation["responses"]["200"]
    content = told.get("content", {}).get("application/json")
    return _type(content["schema"]) if content else f"a stream: {_text(told['description'])}"


def _errors(operation: Schema) -> list[str]:
    return sorted(status for status in operation["responses"] if status >= "400")


def _model(name: str, told: Schema) -> Iterator[str]:
    yield f"### {name}"
    yield ""
    if told.get("description"):
        yield _text(told["description"])
        yield ""
    fields = told.get("properties", {})
    rows = [
        (f"`{field}`", _type(kind), _text(kind.get("description", "")))
        for field, kind in fields.items()
    ]
    yield from _table(("field", "type", "what it is"), rows)


def _type(kind: Schema) -> str:
    """In words, with links to models.

    >>> _type({"type": "array", "items": {"type": "string"}})
    'list of string'
    """
    if "$ref" in kind:
        name = kind["$ref"].removeprefix(_REF)
        return f"[{name}](#{name.lower()})"
    if "anyOf" in kind:
        return " or ".join(_type(one) for one in kind["anyOf"])
    if "enum" in kind:
        return ", ".join(f"`{value}`" for value in kind["enum"])
    if kind.get("type") == "array":
        inner = kind.get("items") or {"anyOf": kind.get("prefixItems", [])}
        return f"list of {_type(inner)}"
    if kind.get("type") == "object" and isinstance(kind.get("additionalProperties"), dict):
        return f"object of {_type(kind['additionalProperties'])}"
    return _bounded(kind)


def _bounded(kind: Schema) -> str:
    word = str(kind.get("type", "anything"))
    signs = {"minimum": "≥", "maximum": "≤", "minLength": "length ≥", "maxLength": "length ≤"}
    bounds = [f"{sign} {kind[name]:,}" for name, sign in signs.items() if name in kind]
    pattern = [f"as `{kind['pattern']}`"] if "pattern" in kind else []
    return ", ".join([word, *bounds, *pattern]).replace("|", "\\|")


def _text(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", "\\|")


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    if rows:
        yield f"| {' | '.join(head)} |"
        yield f"|{'---|' * len(head)}"
        yield from (f"| {' | '.join(row)} |" for row in rows)
        yield ""


def main(page: Path = PAGE) -> None:
    """Write it."""
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(render(schema()), encoding="utf-8")
    say(f"wrote {page}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE)
