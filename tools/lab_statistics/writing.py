"""Statistics as files: sorted where order means nothing, one entry a line, so that changes show."""

import json
from pathlib import Path
from typing import Any

from leadline_lab import statistics


def write(name: str, found: Any) -> Path:
    """Writes the statistics of that name into the package."""
    path = Path(statistics.__path__[0]) / f"{name}.json"
    path.write_text(as_lines(found) + "\n", encoding="utf-8")
    return path


def as_lines(found: Any) -> str:
    """JSON without indentation: every key on its own line, lists of plain values on one."""
    if isinstance(found, dict) and found:
        inside = ",\n".join(f"{_plain(str(key))}:{as_lines(value)}" for key, value in found.items())
        return "{\n" + inside + "\n}"
    return _plain(found)


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
