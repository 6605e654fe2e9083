"""From one page of an answer to the others: the next page, page addresses, page sizes."""

from leadline.harvester.paging.next_page import find_next_page, find_url_pattern
from leadline.harvester.paging.page_size import (
    MAX_SIZE,
    PageSize,
    find_larger_size,
    find_largest_size,
)
from leadline.harvester.paging.page_urls import PageUrlPattern

__all__ = [
    "MAX_SIZE",
    "PageSize",
    "PageUrlPattern",
    "find_larger_size",
    "find_largest_size",
    "find_next_page",
    "find_url_pattern",
]
