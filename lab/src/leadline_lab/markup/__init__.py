"""Pages without markup into HTML of many makes."""

from leadline_lab.markup.families import FAMILIES
from leadline_lab.markup.template import Frame, Template

__all__ = ["FAMILIES", "Frame", "Template"]
