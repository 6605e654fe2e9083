"""Which searches to harvest: by signature, page or search address, or all of a store."""

from collections.abc import Sequence
from itertools import chain
from typing import Protocol

from leadline.config import Config
from leadline.core.harvest import (
    HarvestSource,
)
from leadline.core.http import Request
from leadline.core.page import TEMPLATE, Form
from leadline.core.ports import Fetcher
from leadline.core.store import HarvestReader, StoreReader
from leadline.core.url import AS_IT_IS, Site, Url, UrlJoiner, canonical, site_of
from leadline.crawler.harvests.crawl_harvests import make_source
from leadline.crawler.harvests.look_around import find_answer_door, look_around
from leadline.crawler.harvests.source_opener import find_page_after
from leadline.crawler.search_descriptions import DESCRIPTION_TYPES
from leadline.errors import ConfigError, FetchError, StoreLockedError, WrongTypeError
from leadline.forms.searchable import open_searchable_judge
from leadline.forms.signature import signature
from leadline.forms.submit import order_forms, why_refused
from leadline.harvester.answers.reader import AnswerReader
from leadline.harvester.session.source import FormSubmitter, PagingFunctions, WebSource
from leadline.harvester.survey.describe import describe_form
from leadline.page.opensearch import read_description
from leadline.page.templates import build_template_door, is_template
from leadline.store import is_crawled

ALL = "all"
"""Every stored form that a crawl would harvest."""
_MOST_DOORS = 3
"""Doors of one page that are compared."""
_ALIKE = 0.3
"""Difference of two probabilities of being searchable that the first answer may overturn."""
_VOUCHED = 1.0
"""Searchable, of a search that a person gave as such."""
_MOST_NAMED = 5
"""Forms named in the message that a prefix fits several."""


class FormSource(Protocol):
    """Where stored forms and harvests are found: any store, and any view of one."""

    @property
    def reader(self) -> StoreReader: ...

    @property
    def harvests(self) -> HarvestReader: ...


async def find_sources(
    wanted: str,
    store: FormSource,
    fetcher: Fetcher,
    config: Config,
    submitter: FormSubmitter | None = None,
) -> list[HarvestSource]:
    """Finds what to harvest: by signature, by the page that a form stands on, by the URL template
    of a search, or all of the store. With a `submitter` several forms of a page are compared by
    what they answer to a word.

    Raises ConfigError if nothing fits, FetchError for a page out of reach.
    """
    if is_template(wanted):
        return [_read_template(wanted, store, config)]
    if wanted != ALL and ("/" in wanted or "." in wanted):
        return [await _find_on_page(wanted, store, fetcher, config, submitter)]
    return find_stored_sources(wanted, store, config)


def find_stored_sources(wanted: str, store: FormSource, config: Config) -> list[HarvestSource]:
    """The same among what the store has. Raises ConfigError if nothing fits."""
    if wanted != ALL:
        return [_find_named(wanted, store)]
    found = [
        make_source(stored.judged)
        for stored in store.reader.forms()
        if stored.judged.relevant >= config.harvest.min_relevance
        and not why_refused(stored.judged.form, stored.judged.searchable, config.submit)
    ]
    if not found:
        raise ConfigError("the store has no relevant form that may be submitted; crawl for some")
    return found


def _find_named(wanted: str, store: FormSource) -> HarvestSource:
    harvested = (head.subject for head in store.harvests.all())
    found = (make_source(stored.judged) for stored in store.reader.forms())
    fitting: dict[str, HarvestSource] = {}
    for subject in chain(harvested, found):
        if subject.signature.startswith(wanted):
            fitting.setdefault(subject.signature, subject)
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    if not fitting:
        raise ConfigError(
            f"no form {wanted!r} in the store; see leadline forms --all, or give a page's URL"
        )
    names = ", ".join(list(fitting)[:_MOST_NAMED])
    raise ConfigError(f"{len(fitting)} forms begin with {wanted!r}: {names}; write more of it")


async def _find_on_page(
    text: str,
    store: FormSource,
    fetcher: Fetcher,
    config: Config,
    submitter: FormSubmitter | None,
) -> HarvestSource:
    url = canonical(text if "://" in text else f"http://{text}", rules=config.urls.rules)
    if url is None:
        raise ConfigError(f"{text!r} is not an http(s) URL; write https://host/path")
    if reason := why_left_to_crawl(store, site_of(url)):
        raise StoreLockedError(reason)
    types = config.web.accept_types
    accept = (*types, *DESCRIPTION_TYPES) if types else ()
    try:
        response = await fetcher.fetch(Request(url, accept=accept, is_meant=True))
    except WrongTypeError as error:
        # Data has no forms: its own address is the only door that it shows.
        if doors := find_answer_door(url, config):
            return doors[0]
        raise ConfigError(
            f"{url} is no page ({error.reason}), and nothing in its address is called like a "
            "query; write {query} where the words go: https://host/api?name={query}"
        ) from error
    kind = response.header("content-type")
    home = canonical("/", response.url)
    if home and (described := read_description(response.body, response.url, home, kind)):
        return choose_form(described, response.url, config)
    found = await look_around(response, fetcher, config)
    if not found.doors:
        raise ConfigError(found.explain(response.url))
    if submitter is None or store.harvests.find(found.doors[0].signature) is not None:
        return found.doors[0]
    return await _choose_door(found.doors, submitter, fetcher, config)


async def _choose_door(
    doors: Sequence[HarvestSource], submitter: FormSubmitter, fetcher: Fetcher, config: Config
) -> HarvestSource:
    """The first door, if no other looks as much like a search; of several alike the one that
    answers a word of its page with most records."""
    best = doors[0]
    rivals = [one for one in doors[1:_MOST_DOORS] if best.searchable - one.searchable <= _ALIKE]
    if not rivals:
        return best
    counts = [await _count_shown(door, submitter, fetcher, config) for door in (best, *rivals)]
    return (best, *rivals)[counts.index(max(counts))]


async def _count_shown(
    door: HarvestSource, submitter: FormSubmitter, fetcher: Fetcher, config: Config
) -> int:
    """Records that a door shows for a word of its own page: one or two requests."""
    reader = AnswerReader(door.form)
    source = WebSource(
        *(door.form, door.searchable, fetcher, submitter, reader),
        PagingFunctions(find_page_after),
        settings=config.submit,
    )
    try:
        reply = await source.open()
        interface = describe_form(source.form, reply.page, config.topic.keywords)
        if not interface.boxes or not interface.words:
            return 0
        answer = await source.ask(interface.make_text_query(interface.words[0]))
    except FetchError:
        return 0
    return max(len(answer.records), answer.total or 0)


def _read_template(text: str, store: FormSource, config: Config) -> HarvestSource:
    """The search that a person describes by its address, with a place for the query."""
    address = text if "://" in text else f"http://{text}"
    home = canonical("/", address.partition("{")[0].partition("%s")[0])
    door = build_template_door(address, home, UrlJoiner(home, AS_IT_IS), TEMPLATE) if home else None
    if door is None or door.action is None:
        raise ConfigError(
            f"{text!r} is no search address; write https://host/path?q={{query}}, with {{query}} "
            "where the words stand, and not in the host or behind a #"
        )
    if reason := why_left_to_crawl(store, site_of(door.action)):
        raise StoreLockedError(reason)
    # Whoever writes the address vouches that it searches; what is sent there is checked as ever.
    if why := why_refused(door, _VOUCHED, config.submit):
        raise ConfigError(f"{text!r} is not asked: {why}")
    return HarvestSource(signature(door), site_of(door.action), door, _VOUCHED)


def choose_form(forms: tuple[Form, ...], url: Url, config: Config) -> HarvestSource:
    """The best of a page's forms to ask. Raises ConfigError if none may be submitted."""
    judge = open_searchable_judge()
    refused = []
    for form in order_forms(forms, judge.chance):
        chance = judge.chance(form)
        why = why_refused(form, chance, config.submit)
        if not why:
            return HarvestSource(signature(form), site_of(form.action or form.page), form, chance)
        refused.append(why)
    why = f": {refused[0]}" if refused else ""
    raise ConfigError(f"none of the {len(forms)} forms on {url} may be submitted{why}")


def why_left_to_crawl(store: FormSource, site: Site) -> str:
    """Why a site is not asked while a crawl runs on the same store; '' if it may be.

    Two processes know nothing of each other's requests: a site that the crawl may ask is the
    crawl's, so that it is still asked once at a time. Sites that the crawl has left are free."""
    if not is_crawled(store) or store.reader.site(site).closed:
        return ""
    return (
        f"blocked: a crawl on this store may ask {site}; wait until it has left the site or ended"
    )
