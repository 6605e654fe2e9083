"""Which forms are meant: by signature, by the page they stand on, or all of a directory."""

from collections.abc import Iterator

from leadline.config import Config
from leadline.core.http import Request
from leadline.core.kept import Subject
from leadline.core.page import Form
from leadline.core.ports import Fetcher, Store
from leadline.core.url import Url, canonical, site_of
from leadline.crawler.harvests.handover import subject_of
from leadline.errors import ConfigError
from leadline.forms.searchable import open_searchable_judge
from leadline.forms.signature import signature
from leadline.forms.submit import order_forms, why_refused
from leadline.page import parse_page

ALL = "all"
"""Every form of the directory that a crawl would hand over."""
_MOST_NAMED = 5


async def find_subjects(
    wanted: str, store: Store, fetcher: Fetcher, config: Config
) -> list[Subject]:
    """What to harvest. Raises ConfigError when nothing fits, FetchError for a page out of reach."""
    if wanted != ALL and ("/" in wanted or "." in wanted):
        return [await _on_page(wanted, fetcher, config)]
    return stored_subjects(wanted, store, config)


def stored_subjects(wanted: str, store: Store, config: Config) -> list[Subject]:
    """The same of what the store has. Raises ConfigError when nothing fits."""
    return _every(store, config) if wanted == ALL else [_named(wanted, store)]


def _every(store: Store, config: Config) -> list[Subject]:
    found = [
        subject_of(stored.judged)
        for stored in store.forms()
        if stored.judged.relevant >= config.harvest.min_relevance
        and not why_refused(stored.judged.form, stored.judged.searchable, config.submit)
    ]
    if not found:
        raise ConfigError("the store has no relevant form that may be submitted; crawl for some")
    return found


def _known(store: Store) -> Iterator[Subject]:
    """Of harvests, then of the directory."""
    for head in store.harvests.all():
        yield head.subject
    for stored in store.forms():
        yield subject_of(stored.judged)


def _named(wanted: str, store: Store) -> Subject:
    fitting: dict[str, Subject] = {}
    for subject in _known(store):
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


async def _on_page(text: str, fetcher: Fetcher, config: Config) -> Subject:
    url = canonical(text if "://" in text else f"http://{text}", rules=config.urls.rules)
    if url is None:
        raise ConfigError(f"{text!r} is not an http(s) URL; write https://host/path")
    response = await fetcher.fetch(Request(url))
    kind = response.header("content-type")
    page = parse_page(response.body, response.url, kind, rules=config.urls.rules)
    return best_of(page.forms, response.url, config)


def best_of(forms: tuple[Form, ...], url: Url, config: Config) -> Subject:
    """The form to ask of a page's. Raises ConfigError when none may be."""
    judge = open_searchable_judge()
    refused = []
    for form in order_forms(forms, judge.chance):
        chance = judge.chance(form)
        why = why_refused(form, chance, config.submit)
        if not why:
            return Subject(signature(form), site_of(form.action or form.page), form, chance)
        refused.append(why)
    told = f": {refused[0]}" if refused else ""
    raise ConfigError(f"none of the {len(forms)} forms on {url} may be submitted{told}")
