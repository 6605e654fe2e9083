"""Which kinds of events a source tree notes, read from its code.

A kind is a text, a constant of its module, or the parameter of a function of the same module whose
callers give one of these.
"""

import ast
from collections.abc import Iterator
from pathlib import Path


def noted_kinds(folder: Path) -> tuple[set[str], list[str]]:
    """The kinds, and the places where the kind cannot be told."""
    kinds: set[str] = set()
    unclear: list[str] = []
    texts = {path: path.read_text("utf-8") for path in sorted(folder.rglob("*.py"))}
    trees = {path: ast.parse(text) for path, text in texts.items() if "Event(" in text}
    for path, tree in trees.items():
        for given in _kinds_given(tree):
            kind = _text(given, tree)
            if kind is None:
                unclear.append(f"{path}:{given.lineno}")
            else:
                kinds.add(kind)
    return kinds, unclear


def _kinds_given(tree: ast.Module) -> Iterator[ast.expr]:
    """The second argument of each Event(), or what callers hand on to it."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        names = [argument.arg for argument in function.args.args]
        for given in _calls(function, "Event", 1, "kind"):
            is_handed_on = isinstance(given, ast.Name) and given.id in names
            if not is_handed_on:
                yield given
            elif isinstance(given, ast.Name):
                place = names.index(given.id) - (names[0] == "self")
                yield from _calls(tree, function.name, place, given.id)


def _calls(tree: ast.AST, name: str, place: int, keyword: str) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name_of(node.func) == name:
            yield from node.args[place : place + 1]
            yield from (word.value for word in node.keywords if word.arg == keyword)


def _name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        is_other = isinstance(function.value, ast.Name) and function.value.id == "asyncio"
        return "" if is_other else function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _text(given: ast.expr, tree: ast.Module) -> str | None:
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        return given.value
    if isinstance(given, ast.Name):
        return _constants(tree).get(given.id)
    return None


def _constants(tree: ast.Module) -> dict[str, str]:
    return {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.value, str)
    }
