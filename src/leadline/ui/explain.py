"""`leadline explain`: why a URL, site or form was ranked, followed, skipped or accepted."""

import time
from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Event,
    Priority,
    SiteState,
    StoredForm,
    Visit,
)
from leadline.core.ports import Store
from leadline.core.url import Url, canonical, site_of
from leadline.errors import ConfigError
from leadline.ui.deciding import Deciding, verdict
from leadline.ui.exits import Exit
from leadline.ui.lookup import Lookup, ReadThrough
from leadline.ui.opening import looking_at, saved_settings
from leadline.ui.output import clean, print_json, print_text, say
from leadline.ui.ranking import Ranking
from leadline.ui.rows import form_row

Facts = dict[str, Any]
"""What is told, in the order of telling; values are texts, numbers, lists or more facts."""
_LEAST_SIGNATURE = 6
"""Letters of a signature by which a form may be called."""
_SHOWN = 100
"""Forms and events of a site that are told."""


def run_explain(store: str, subject: str, *, is_fetched: bool = False, as_json: bool) -> Exit:
    """The whole command."""
    with looking_at(store) as opened:
        settings = saved_settings(opened)
        deciding = Deciding.of(settings)
        ranking = Ranking.of(opened, settings)
        facts = explain(opened, subject, deciding, ranking, ReadThrough(opened))
    url = canonical(subject)
    if is_fetched and url is None:
        raise ConfigError(f"--fetch needs a URL: {subject!r} is none; write https://host/path")
    if is_fetched and url is not None:
        page = deciding.fetched(url)
        if page is None:
            return Exit.NOTHING_FETCHED
        facts = {**(facts or {"url": url}), "the page now": deciding.about_page(page)}
    if facts is None:
        say(
            f"leadline: {store} has never met {subject!r}; "
            "give a URL, a site (host) or a form's signature from 'leadline forms'"
        )
        return Exit.NOT_KNOWN
    if as_json:
        print_json(facts)
    else:
        _print(facts)
    return Exit.DONE


def explain(
    store: Store, subject: str, deciding: Deciding, ranking: Ranking, lookup: Lookup
) -> Facts | None:
    """All that is known of a form signature, URL or site, whichever it is; None if nothing."""
    form = _form(store, subject, deciding, lookup)
    return form or _url(store, subject, ranking, lookup) or _site(store, subject, lookup)


def _form(store: Store, subject: str, deciding: Deciding, lookup: Lookup) -> Facts | None:
    stored = lookup.form(subject) if len(subject) >= _LEAST_SIGNATURE else None
    if stored is None:
        return None
    return {
        "form": stored.judged.signature,
        **_form_facts(store, stored),
        **deciding.about_form(stored.judged.form, _language(store, stored)),
        "looks like": lookup.alike(stored),
        "path from the seed": _path(store, stored.visit),
    }


def _language(store: Store, stored: StoredForm) -> str:
    visit = store.visit(stored.visit)
    return visit.language if visit else ""


def _url(store: Store, subject: str, ranking: Ranking, lookup: Lookup) -> Facts | None:
    url = canonical(subject)
    if url is None:
        return None
    known = store.candidate(url)
    if known is None:
        return _redirect_end(url, lookup)
    number, candidate = known
    visit = store.visit(number)
    site = store.site(candidate.site)
    facts: Facts = {
        "url": url,
        "state": _state(candidate, visit, site),
        "priority": _priority(candidate.priority),
        "ranked today by": ranking.why(candidate),
        "links inside its site": candidate.depth,
        "anchor": candidate.anchor,
        "words around it": candidate.around.replace("\t", " … "),
        "path from the seed": _path(store, number),
        "visit": _visit(visit) if visit else None,
        "forms first met there": [
            _form_facts(store, form) for form in lookup.forms_of_visit(number)
        ],
        "site": _site_facts(site),
    }
    return {name: fact for name, fact in facts.items() if fact not in (None, "", [])}


def _redirect_end(url: Url, lookup: Lookup) -> Facts | None:
    visit = lookup.redirected_to(url)
    if visit is None:
        return None
    return {"url": url, "state": "the end of a redirect", "visit": _visit(visit)}


def _state(candidate: Candidate, visit: Visit | None, site: SiteState) -> str:
    if visit is not None:
        return f"visited: {visit.outcome}"
    if candidate.skip:
        return f"skipped: {candidate.skip}"
    if site.closed:
        return f"not visited: its site was left ({site.closed})"
    return "waiting"


def _priority(priority: Priority) -> str:
    return f"tier {priority.tier}, score {priority.score:.3f}: {priority.why or 'no reason given'}"


def _path(store: Store, number: CandidateId) -> list[str]:
    steps = store.path(number)
    return [
        f"{s.url}  [{s.anchor or ('seed' if s.parent is None else 'no anchor')}]" for s in steps
    ]


def _visit(visit: Visit) -> Facts:
    facts: Facts = to_builtins(visit)
    facts["at"] = _when(visit.at)
    return {name: fact for name, fact in facts.items() if fact not in (None, "") and name != "id"}


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(at))


def _form_facts(store: Store, stored: StoredForm) -> Facts:
    row = form_row(store, stored)
    return {
        "what": row.what,
        "verdict": verdict(row.score, row.searchable, row.why),
        "submits to": f"{row.method.upper()} {row.action}",
        "fields": [f"{field.shown}: {field.why}" for field in row.fields],
        "ranges": list(row.ranges),
        "page": row.page,
        "seen": row.sightings,
    }


def _site(store: Store, subject: str, lookup: Lookup) -> Facts | None:
    url = canonical(subject if "://" in subject else f"http://{subject}/")
    if url is None:
        return None
    site = store.site(site_of(url))
    if not (site.pages or site.errors or store.candidate(url)):
        return None
    forms, events = lookup.forms_of_site(site.site), lookup.events_about(site.site)
    return {
        "site": site.site,
        **_site_facts(site),
        "forms": [_form_facts(store, form) for form in forms[:_SHOWN]],
        **_further("further forms", forms),
        "events": [_event(event) for event in events[:_SHOWN]],
        **_further("further events", events),
    }


def _further(name: str, found: Sequence[object]) -> Facts:
    return {name: len(found) - _SHOWN} if len(found) > _SHOWN else {}


def _site_facts(site: SiteState) -> Facts:
    return {
        "name": site.site,
        "state": f"left: {site.closed}" if site.closed else "open",
        "pages": site.pages,
        "relevant forms": site.forms,
        "searchable forms": site.searchable,
        "errors": f"{site.errors}, {site.errors_in_a_row} in a row",
        "may be asked from": _when(site.ready_at) if site.ready_at else "now",
    }


def _event(event: Event) -> str:
    return f"{_when(event.at)}  {event.kind}  {event.detail}"


def _print(facts: Facts, indent: str = "") -> None:
    for name, fact in facts.items():
        if isinstance(fact, dict):
            print_text(f"{indent}{name}:")
            _print(fact, f"{indent}  ")
        elif isinstance(fact, list):
            print_text(f"{indent}{name}:{'' if fact else ' none'}")
            _print_list(fact, f"{indent}  ")
        else:
            print_text(clean(f"{indent}{name}: {fact}"))


def _print_list(items: list[Any], indent: str) -> None:
    for number, item in enumerate(items, start=1):
        if isinstance(item, dict):
            print_text(f"{indent}{number}.")
            _print(item, f"{indent}   ")
        else:
            print_text(clean(f"{indent}{number}. {item}"))
