"""Reads a few pages of a form's site, for words to begin with."""

from collections.abc import Callable

from leadline.core.http import Request
from leadline.core.page import Form, Page
from leadline.core.ports import Fetcher
from leadline.core.url import Url
from leadline.errors import FetchError
from leadline.harvest.asking.site_words import MOST_PAGES, page_to_read, words_of_site
from leadline.harvest.reply import reply_of


async def read_site(
    form: Form, page: Page, fetcher: Fetcher, spend: Callable[[int], str]
) -> tuple[str, ...] | str:
    """Words of further pages; or the reason to stop. `spend` is told of requests, and asked
    before each with 0, whether there is such a reason. Pages that cannot be had are passed over.
    """
    pages, known = [page], list[Url]()
    for _ in range(MOST_PAGES):
        url = page_to_read(form, pages, known)
        if url is None:
            break
        if reason := spend(0):
            return reason
        known.append(url)
        try:
            response = await fetcher.fetch(Request(url, referrer=form.page))
        except FetchError as error:
            spend(error.requests)
            continue
        spend(response.requests)
        pages.append(reply_of(response).page)
    return words_of_site(form, pages)
