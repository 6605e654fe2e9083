"""Draws models as HTML. Everything is escaped: no text of a page is ever taken for markup."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from leadline.ui.web import wording

HERE = Path(__file__).parent
STATIC = HERE / "static"
_FILTERS = (
    "count", "decimal", "percent", "span", "size", "moment", "address", "thinned", "falling",
)  # fmt: skip
_FUNCTIONS = ("plural", "width", "question")


def drawing() -> Environment:
    """The templates with the words they are written in. A missing name is an error, not a gap."""
    templates = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {name: getattr(wording, name) for name in _FILTERS}
    templates.globals |= {name: getattr(wording, name) for name in _FUNCTIONS}
    return templates
