"""Small pages for tests, of words that real pages about a topic would have."""

from leadline.core.page import Page
from leadline.core.url import Url
from leadline.page import parse_page
from leadline.page.words import PageWords

COURT = (
    "court docket judge case filing plaintiff defendant attorney hearing motion clerk appeal "
    "ruling verdict trial litigation county civil criminal record"
).split()
GENERAL = (
    "home contact news about help login register search page site information service today "
    "read more welcome team events privacy terms newsletter account copyright"
).split()


def page(text: str, *, title: str = "Home", host: str = "a.test", language: str = "en") -> Page:
    html = f"<html lang={language}><title>{title}</title><p>{text}".encode()
    return parse_page(html, Url(f"http://{host}/"))


def words(text: str, title: str = "Home", language: str = "en") -> PageWords:
    return PageWords(page(text, title=title, language=language))


def court_page(number: int) -> Page:
    """One of many pages about court records, no two alike."""
    own = [COURT[(number * 7 + step * 3) % len(COURT)] for step in range(14)]
    around = [GENERAL[(number * 5 + step) % len(GENERAL)] for step in range(12)]
    text = " ".join(f"{a} {b}" for a, b in zip(own, around * 2, strict=False))
    return page(f"{text} {text}", title="Records", host=f"court{number}.test")
