"""Reads a few pages of a form's site, for words to begin with."""

from collections.abc import Callable

from leadline.core.http import Request
from leadline.core.page import Form, Page
from leadline.core.ports import Fetcher
from leadline.core.url import Url
from leadline.errors import FetchError
from leadline.harvester.reply import reply_of
from leadline.harvester.survey.site_words import MOST_PAGES, choose_page_to_read, collect_site_words


async def read_site(
    form: Form, page: Page, fetcher: Fetcher, spend: Callable[[int], str]
) -> tuple[str, ...]:
    """Words of further pages. `spend` is told of requests, and says whether there is a reason to
    send no more; it is asked before the first with 0. Pages that cannot be had are passed over."""
    pages, known = [page], list[Url]()
    for _ in range(MOST_PAGES):
        url = choose_page_to_read(form, pages, known)
        if url is None or spend(0):
            break
        known.append(url)
        try:
            response = await fetcher.fetch(Request(url, referrer=form.page))
        except FetchError as error:
            spend(error.requests)
            continue
        spend(response.requests)
        pages.append(reply_of(response).page)
    return collect_site_words(form, pages)
