"""Pages without markup into HTML of many makes."""

from leadline.lab.markup.families import FAMILIES
from leadline.lab.markup.template import Frame, Template

__all__ = ["FAMILIES", "Frame", "Template"]
