"""`python -m tools.reference.python`: writes the reference of the public Python names."""

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from pydantic import BaseModel

import leadline
from leadline.ui.cli.output import say

PAGE = Path("docs/reference/python.md")
_HEAD = """\
<!-- Made by `python -m tools.reference.python`; edit the code instead. -->

# Python API

Everything up to [what they hold](#what-they-hold) is imported from `leadline`. It is the same as
the command line: [settings](config.md) have the same names, stores are the same files. What can
go wrong is a `ConfigError`, a `StoreError` or a `FetchError`, all of `leadline.errors`.
"""
_PARTS = """\
## leadline.parts

Single parts that need no store and no network, imported from `leadline.parts`; with examples in
[the guide](../guides/parts.md).
"""
_HELD = """\
## What they hold

Values that the above are made of, with the module each is in.
"""
_WIDEST = 88
_MODULES = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])")
_FORWARD = re.compile(r"(: |-> )'([^']*)'")
_OBJECT = re.compile(r"= <[^>]*>")


def render_python() -> str:
    """docs/reference/python.md."""
    things = {name: getattr(leadline, name) for name in leadline.__all__}
    calls = [name for name in sorted(things) if not isinstance(things[name], type)]
    kinds = [name for name in sorted(things) if isinstance(things[name], type)]
    parts = [_HEAD]
    for name in (*calls, *kinds):
        parts.append(f"## {name}\n")
        parts += _class(things[name]) if name in kinds else _call(name, things[name])
    parts += _part_pages()
    parts.append(_HELD)
    for kind in held_by([things[name] for name in kinds]):
        parts.append(f"### {kind.__name__}\n\n`{kind.__module__}.{kind.__name__}`\n")
        parts += _class(kind)
    return "\n".join(parts)


def _part_pages() -> Iterator[str]:
    """The functions and types of `leadline.parts`, which stand alone."""
    yield _PARTS
    named = {name: getattr(leadline.parts, name) for name in leadline.parts.__all__}
    for name, thing in sorted(named.items(), key=lambda pair: isinstance(pair[1], type)):
        yield f"### {name}\n"
        yield from _class(thing) if isinstance(thing, type) else _call(name, thing)


def held_by(kinds: list[type]) -> list[type]:
    """The structs of ours that fields of these are made of, and theirs; by name."""
    seen = dict.fromkeys(kinds)
    waiting = list(kinds)
    while waiting:
        fresh = [kind for kind in _parts_of(waiting.pop()) if kind not in seen]
        seen.update(dict.fromkeys(fresh))
        waiting += fresh
    return sorted(set(seen) - set(kinds), key=lambda kind: kind.__name__)


def _parts_of(kind: type) -> Iterator[type]:
    if issubclass(kind, BaseModel):
        return
    names = vars(sys.modules[kind.__module__])
    given = [str(inspect.signature(method).return_annotation) for _, method in _methods(kind)]
    for annotation in (*(of for _, of, _ in _annotated(kind)), *given):
        for word in re.findall(r"\w+", annotation):
            named = names.get(word)
            if isinstance(named, type) and issubclass(named, Struct):
                yield named


def _call(name: str, thing: Any) -> Iterator[str]:
    yield f"```pyi\n{_signature(name, thing)}\n```\n"
    yield f"{_words(thing.__doc__)}\n"


def _class(kind: type) -> Iterator[str]:
    yield f"{_words(kind.__doc__)}\n"
    if issubclass(kind, BaseModel):
        yield "Its fields are the [settings](config.md).\n"
        return
    rows = [f"| `{name}` | `{_cell(of)}` | {_cell(says)} |" for name, of, says in _annotated(kind)]
    if rows:
        yield "\n".join(["| field | type | what |\n|---|---|---|", *rows, ""])
    for name, method in _methods(kind):
        yield f"**{kind.__name__}.{name}**\n\n```pyi\n{_signature(name, method)}\n```\n"
        yield f"{_words(method.__doc__)}\n"


def _signature(name: str, thing: Any) -> str:
    signature = inspect.signature(thing)
    word = "async def" if inspect.iscoroutinefunction(inspect.unwrap(thing)) else "def"
    whole = f"{word} {name}{_plain(str(signature))}"
    if len(whole) <= _WIDEST:
        return whole
    lines = ",\n".join(f"    {_plain(line)}" for line in _parameters(signature))
    ends = inspect.formatannotation(signature.return_annotation)
    return f"{word} {name}(\n{lines},\n){_plain(f' -> {ends}')}"


def _parameters(signature: inspect.Signature) -> Iterator[str]:
    """Each as it is written, with the star before the first that must be named."""
    has_star = False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            has_star = True
        if parameter.kind is parameter.KEYWORD_ONLY and not has_star:
            has_star = True
            yield "*"
        yield str(parameter)


def _plain(text: str) -> str:
    """Types by their own names, without the modules they come from; no addresses of objects."""
    text = _OBJECT.sub("= ...", _FORWARD.sub(r"\1\2", text))
    return _MODULES.sub("", text).replace("NoneType", "None").replace("~", "")


def _words(text: str | None) -> str:
    """A docstring as Markdown; examples become blocks of code."""
    paragraphs = inspect.cleandoc(text or "").split("\n\n")
    return "\n\n".join(
        f"```pycon\n{part}\n```" if part.startswith(">>>") else part for part in paragraphs
    )


def _annotated(kind: type) -> Iterator[tuple[str, str, str]]:
    """Public fields as written in the class: name, type, and the words that follow it."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    body: list[ast.stmt] = getattr(tree, "body", [])
    for statement, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            if not name.startswith("_"):
                yield name, ast.unparse(statement.annotation), _said(after)


def _said(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return " ".join(str(statement.value.value).split())
    return ""


def _methods(kind: type) -> Iterator[tuple[str, Any]]:
    for name, member in vars(kind).items():
        if not name.startswith("_") and inspect.isfunction(inspect.unwrap(member)):
            yield name, member


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main(page: Path = PAGE) -> None:
    """Write it."""
    page.write_text(render_python(), encoding="utf-8")
    say(f"wrote {page}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE)
