"""The Python of the guide to steering and of the page on the store runs; every order is told of."""

import re
from pathlib import Path

import pytest

from leadline.core.inbox import ORDERS

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = DOCS / "guides" / "steering.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", [GUIDE, DOCS / "concepts" / "store.md"], ids=lambda p: p.stem)
def test_the_python_of_the_page_runs(page: Path) -> None:
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert len(blocks) == 2
    exec("\n".join(blocks), {})


def test_every_order_is_told_of() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert [kind for kind in ORDERS if f"| `{kind}` |" not in text] == []
