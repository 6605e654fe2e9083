"""Bytes to page: decode, parse, links with their context, forms. Pure functions; never raise."""

from leadline.page.parse import PageLimits, parse_page

__all__ = ["PageLimits", "parse_page"]
