"""What a person decided about columns, in a TOML file that every run obeys.

Pinned columns are matched with certainty, dropped ones never; merged and renamed fields change
the schema after matching, so that evidence is still gathered under the names it is known by.
"""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct, structs

from leadline.core.table import Column, SchemaField, TopicSchema
from leadline.errors import ConfigError

_TABLES = ("pin", "rename", "merge", "drop")


class ColumnCorrections(Struct, frozen=True):
    """Columns are named `source/place`, the source by the site or the form's signature."""

    pin: Mapping[str, str] = {}
    """The field of a column. Two columns of a source may be pinned to one field."""
    rename: Mapping[str, str] = {}
    """Another name for a field."""
    merge: Mapping[str, str] = {}
    """The field that takes over another's columns."""
    drop: frozenset[str] = frozenset()
    """Columns that are no field."""

    def correct_column(self, column: Column, site: str) -> Column:
        """The column as the person wants it."""
        names = {f"{column.source}/{column.place}", f"{site}/{column.place}"}
        if names & self.drop:
            return structs.replace(column, name="", probability=1.0, why="dropped by a person")
        pinned = next((self.pin[name] for name in names if name in self.pin), "")
        name = pinned or column.name
        name = self.merge.get(name, name)
        name = self.rename.get(name, name)
        if pinned:
            return structs.replace(column, name=name, probability=1.0, why="pinned by a person")
        return structs.replace(column, name=name)

    def correct_schema(self, schema: TopicSchema, columns: Iterable[Column]) -> TopicSchema:
        """The schema with renamed fields, without merged ones, with those that were pinned."""
        fields = [
            structs.replace(field, name=self.rename.get(field.name, field.name))
            for field in schema.fields
            if field.name not in self.merge
        ]
        known = {field.name for field in fields}
        for column in columns:
            if column.name and column.name not in known:
                fields.append(SchemaField(column.name, column.kind, why="named by a person"))
                known.add(column.name)
        return structs.replace(schema, fields=tuple(fields))


def read_corrections(path: str | Path) -> ColumnCorrections:
    """Raises ConfigError for a file that is missing, no TOML, or has tables of no meaning."""
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is no TOML: {error}") from None
    unknown = sorted(set(table) - set(_TABLES))
    if unknown:
        raise ConfigError(f"{path}: no table {unknown[0]!r}; there are: {', '.join(_TABLES)}")
    for name in ("pin", "rename", "merge"):
        said = table.get(name, {})
        if not isinstance(said, dict) or not all(isinstance(v, str) for v in said.values()):
            raise ConfigError(f'{path}: [{name}] must have lines such as: old = "new"')
    dropped = table.get("drop", {}).get("columns", [])
    return ColumnCorrections(
        table.get("pin", {}), table.get("rename", {}), table.get("merge", {}), frozenset(dropped)
    )
