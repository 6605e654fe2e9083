"""The least requests that the records of a database take, whatever is asked.

C. Sheng, N. Zhang, Y. Tao and X. Jin, "Optimal Algorithms for Crawling a Hidden Database in the
Web", PVLDB 5, 2012: with answers of at most k records, n records take n / k queries at least. Here
pages are what is paid for, so that a page takes the part of an answer.
"""

from math import ceil


def listing_bound(records: int, page_size: int, cap: int | None = None, share: float = 0.9) -> int:
    """Pages that bring this share of the records, if none ever came twice.

    >>> listing_bound(600, 20), listing_bound(600, 20, cap=10)
    (27, 54)
    """
    return max(1, ceil(share * records / min(page_size, cap or page_size)))


def slice_cover_bound(sizes: list[int], cap: int, choices_below: int) -> int:
    """Queries that a menu takes whose choices have so many records: one for each choice, and one
    for each choice of the next menu where a choice overflows the cap.

    >>> slice_cover_bound([50, 150, 20], cap=100, choices_below=12)
    15
    """
    return len(sizes) + choices_below * sum(size > cap for size in sizes)
