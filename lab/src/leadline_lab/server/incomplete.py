"""What a service knows of the truth: a part of it, with some that is no longer true."""

import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from leadline.core.url import Url, host_of, origin_of, site_of
from leadline_lab.draw import Draw, key_of

MOST = 20
"""Results to one question, over all its pages."""
POOL = 80
"""True ones looked at: at the least recall they still make more than `MOST`."""
_RECALL = (300, 500)
"""Per mille of the truth that is known, drawn per question."""
_STALE = 100
"""Per mille of the results that are no longer true."""
_last_number = re.compile(r"\d+(?=\D*$)")
_PAGES = ("home", "main", "welcome", "start", "index")


class Hit(Struct, frozen=True):
    """One result."""

    url: Url
    title: str
    snippet: str = ""


class Findings(Struct, frozen=True):
    """Results in their order, and how many the service believes there to be."""

    hits: tuple[Hit, ...] = ()
    total: int = 0


Outdate = Callable[[Hit, Draw], Hit]
"""Makes of a true result one that was true once."""


def recalled(truth: Sequence[Hit], index_key: int, question_key: int, outdate: Outdate) -> Findings:
    """What is known of the truth about one question.

    A page is in the index or not by `index_key`; how much of the index a question
    reaches, and where stale results stand among the good ones, by `question_key`.
    """
    draw = Draw(question_key)
    recall = draw.between(*_RECALL)
    known = [hit for hit in truth if key_of(index_key, hit.url) * 1000 >> 64 < recall]
    true_urls = {hit.url for hit in truth}
    hits: list[Hit] = []
    at = 0
    while at < len(known) and len(hits) < MOST:
        if draw.chance(_STALE):
            # Made of any known one: a stale result gives away nothing that is not known.
            old = outdate(draw.pick(known), draw)
            if old.url not in true_urls and all(old.url != other.url for other in hits):
                hits.append(old)
        else:
            hits.append(known[at])
            at += 1
    total = len(known) * draw.between(80, 125) // 100
    return Findings(tuple(hits), max(total, len(hits)))


def gone_page(hit: Hit, draw: Draw) -> Hit:
    """A page of the same site that is no more, by a URL of the site's own kind."""
    number = _last_number.search(hit.url, len(origin_of(hit.url)))
    if number is not None:
        least = 10 ** (len(number[0]) - 1)
        other = str(draw.between(least, 10 * least - 1))
        url = hit.url[: number.start()] + other + hit.url[number.end() :]
    else:
        url = f"{origin_of(hit.url)}/{draw.pick(_PAGES)}-{draw.between(1_000, 99_999)}"
    return Hit(Url(url), hit.title, hit.snippet)


def gone_site(hit: Hit, draw: Draw) -> Hit:
    """The home page of a site that is no more."""
    host = host_of(site_of(hit.url))
    name, dot, ending = host.rpartition(".")
    return Hit(Url(f"http://{name}{draw.pick('qxj')}{dot}{ending}/"), hit.title, hit.snippet)


def home_page(hit: Hit) -> Hit:
    """The home page of the same site: it is there, but need not say what is sought."""
    return Hit(Url(origin_of(hit.url) + "/"), hit.title, hit.snippet)
