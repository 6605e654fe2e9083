"""What real pages are made of: counts written by `tools.lab_statistics`, never running text."""

import json
from functools import lru_cache
from importlib import resources
from typing import Any


@lru_cache(maxsize=16)
def load(name: str) -> Any:
    """Of words, anchors, urls, paths, fields, shapes, today or real. Shared: not to be changed."""
    text = resources.files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    return json.loads(text)
