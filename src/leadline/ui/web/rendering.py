"""Draws models as HTML. Everything is escaped: no text of a page is ever taken for markup."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from leadline.ui.web import presenting, wording
from leadline.ui.web.assets import plotly_address

HERE = Path(__file__).parent
_FILTERS = (
    "count", "decimal", "percent", "span", "size", "moment", "address", "thinned", "falling",
)  # fmt: skip
_FUNCTIONS = ("plural", "width", "question")
_SHAPES = ("plain", "run_starts", "queue_words", "grouped")


def templates() -> Environment:
    """The templates with the words they are written in. A missing name is an error, not a gap."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {name: getattr(wording, name) for name in _FILTERS}
    made.globals |= {name: getattr(wording, name) for name in _FUNCTIONS}
    made.filters |= {name: getattr(presenting, name) for name in _SHAPES}
    made.filters["abs"] = abs
    made.globals["plotly_address"] = plotly_address()
    return made
