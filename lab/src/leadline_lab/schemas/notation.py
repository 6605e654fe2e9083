"""A short notation for schemas, so that a domain fits on a screen and translators can read it.

    [book_library: book]                 name and domain
    one: book | Buch | livre | libro     languages in the order en | de | fr | es
    many: ...                            ways to say it parted by semicolons
    prompts: ...
    paths: catalog opac
    title (title) title ti: Title; Title words | Titel
        | Titre | Título                 indented lines go on with the line above
        * History; Art                   choices, or the steps a price or number is asked in

An attribute line is: name, kind in brackets, names of controls, colon, labels.
"""

import re

from leadline_lab.schema import Attribute, Schema, Worded

LANGUAGES = ("en", "de", "fr", "es")

_head = re.compile(r"\[(\w+): (\w+)\]").fullmatch
_attribute = re.compile(r"(\w+) \((\w+)\) ([^:]+): ([^*]+)(?:\*(.+))?").fullmatch


def read_schemas(text: str) -> dict[str, Schema]:
    """Schemas by name, in the order of the text."""
    schemas: dict[str, Schema] = {}
    name = domain = ""
    lines: list[str] = []
    for line in [*_joined(text), "[end: end]"]:
        head = _head(line)
        if head is None:
            lines.append(line)
            continue
        if name:
            schemas[name] = _schema(domain, lines)
        name, domain, lines = head[1], head[2], []
    return schemas


def read_words(text: str) -> dict[str, Worded]:
    """Wordings by name, one a line: `email: E-mail; Email address | E-Mail`."""
    parts = (line.split(": ", 1) for line in _joined(text))
    return {name: worded(wordings) for name, wordings in parts}


def worded(text: str) -> Worded:
    """Ways to say one thing, from `Title; Book title | Titel`; languages not given are left out."""
    return dict(zip(LANGUAGES, map(_listed, text.split("|")), strict=False))


def _joined(text: str) -> list[str]:
    lines: list[str] = []
    for line in filter(str.strip, text.splitlines()):
        if line[0] == " ":
            lines[-1] += " " + line.strip()
        else:
            lines.append(line.strip())
    return lines


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(";"))


def _schema(domain: str, lines: list[str]) -> Schema:
    named = dict(line.split(": ", 1) for line in lines[:4])
    return Schema(
        domain=domain,
        attributes=tuple(map(_read_attribute, lines[4:])),
        one=worded(named["one"]),
        many=worded(named["many"]),
        prompts=worded(named["prompts"]),
        paths=tuple(named["paths"].split()),
    )


def _read_attribute(line: str) -> Attribute:
    found = _attribute(line)
    if found is None:
        raise ValueError(f"no attribute line: {line!r}")
    name, kind, names, labels, choices = found.groups()
    return Attribute(
        name=name,
        kind=kind,
        labels=worded(labels),
        names=tuple(names.split()),
        choices=_listed(choices) if choices else (),
    )
