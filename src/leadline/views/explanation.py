"""Why a URL, site or form was ranked, followed, skipped or accepted."""

import math
import time
from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct, to_builtins

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Event,
    JudgedForm,
    SiteState,
    StoredForm,
    Visit,
)
from leadline.core.store import StoreView
from leadline.core.url import Site, Url, canonical, site_of
from leadline.views.critic import (
    Facts,
    StoreCritic,
    StoreRanking,
    find_critic,
    find_ranking,
    reason_words,
    verdict_words,
)
from leadline.views.forms import LEAST_SIGNATURE, alike_by_signature, form_row
from leadline.views.mirror.store import StoreMirror
from leadline.views.receipt import make_receipt, receipt_facts

MOST_COMPARED = 200
"""Forms that are compared with one: some 50 ms."""
_SHOWN = 100
"""Forms and events of a site that are shown."""
_MOST_READ = 500
"""Forms or events that a mirror reads for one answer."""
_KINDS = ("form", "url", "site")
"""What facts are about is their first name."""


class Explanation(Struct, frozen=True):
    """Why a URL, site or form was ranked, followed, skipped or accepted."""

    subject: str
    kind: str
    """url, site, form or unknown."""
    facts: dict[str, Any]
    """Names and what is known, nested."""


class Lookup(Protocol):
    """Finds forms, visits and events of a store by something other than their number."""

    def candidate(self, url: Url) -> tuple[CandidateId, Candidate] | None: ...

    def form(self, beginning: str) -> StoredForm | None:
        """The first one whose signature begins so."""
        ...

    def alike(self, form: StoredForm) -> list[str]:
        """Signatures of forms so like it that they may be the same one."""
        ...

    def forms_of_visit(self, visit: CandidateId) -> list[StoredForm]:
        """Those first met there."""
        ...

    def forms_of_site(self, site: Site) -> list[StoredForm]: ...

    def redirected_to(self, url: Url) -> Visit | None:
        """The first visit that ended there."""
        ...

    def events_about(self, subject: str) -> list[Event]: ...


class StoreLookup:
    """Reads through all of a store for each question."""

    def __init__(self, store: StoreView) -> None:
        self._store = store

    def candidate(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        return self._store.reader.candidate(url)

    def form(self, beginning: str) -> StoredForm | None:
        found = (f for f in self._store.reader.forms() if f.judged.signature.startswith(beginning))
        return next(found, None)

    def alike(self, form: StoredForm) -> list[str]:
        return list(alike_by_signature(list(self._store.reader.forms()))[form.judged.signature])

    def forms_of_visit(self, visit: CandidateId) -> list[StoredForm]:
        return [form for form in self._store.reader.forms() if form.visit == visit]

    def forms_of_site(self, site: Site) -> list[StoredForm]:
        return [form for form in self._store.reader.forms() if form.site == site]

    def redirected_to(self, url: Url) -> Visit | None:
        return next(
            (visit for visit in self._store.reader.visits() if visit.final_url == url), None
        )

    def events_about(self, subject: str) -> list[Event]:
        return [event for event in self._store.reader.events() if event.subject == subject]


class MirrorLookup:
    """Answers from a mirror, without reading through the store; _MOST_READ of anything at most."""

    def __init__(self, mirror: StoreMirror) -> None:
        self._mirror = mirror

    def candidate(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        # Searching all hashes takes a tenth of a second for millions of them; a site that was
        # never met has none.
        is_met = self._mirror.sites.find(site_of(url)) is not None
        return self._mirror.store.reader.candidate(url) if is_met else None

    def form(self, beginning: str) -> StoredForm | None:
        at = self._mirror.forms.find(beginning)
        return None if at is None else self._read_forms([at])[0]

    def alike(self, form: StoredForm) -> list[str]:
        # Forms that are the same one are sent to the same site.
        own = self._mirror.forms.by_signature[form.judged.signature]
        nearby = self._mirror.forms.find_same_target(form.judged.form, MOST_COMPARED)
        found = self._read_forms(sorted({*nearby, own}))
        return list(alike_by_signature(found)[form.judged.signature])

    def forms_of_visit(self, visit: CandidateId) -> list[StoredForm]:
        return self._read_forms(self._mirror.forms.find_by_visit(visit))

    def forms_of_site(self, site: Site) -> list[StoredForm]:
        number = self._mirror.sites.find(site)
        return [] if number is None else self._read_forms(self._mirror.forms.find_by_site(number))

    def redirected_to(self, url: Url) -> Visit | None:
        mark = self._mirror.visits.find_redirect_to(url)
        found = [] if mark is None else self._mirror.feed.visits_marked([mark])
        return next((visit for visit in found if visit.final_url == url), None)

    def events_about(self, subject: str) -> list[Event]:
        """The latest ones."""
        marks = self._mirror.events.find_about(subject)[-_MOST_READ:]
        found = self._mirror.feed.events_numbered(marks)
        return [event for event in found if event.subject == subject]

    def _read_forms(self, numbers: list[int]) -> list[StoredForm]:
        lines = self._mirror.forms.lines
        marks = [lines[at].mark for at in numbers[:_MOST_READ]]
        return [entry.form for entry in self._mirror.feed.forms_numbered(marks)]


def explain_from_mirror(mirror: StoreMirror, subject: str) -> Explanation:
    """Of an unknown subject there are no facts."""
    critic, ranking = find_critic(mirror), find_ranking(mirror)
    facts: Facts | None = {
        "not explained": "the topic or a model of the crawl's settings is no longer there"
    }
    if critic is not None and ranking is not None:
        facts = explain(mirror.store, subject.strip(), critic, ranking, MirrorLookup(mirror))
    kind = next((kind for kind in _KINDS if facts and kind in facts), "unknown")
    return Explanation(subject, kind, _without_nan(facts or {}))


def _without_nan(fact: Any) -> Any:
    """JSON has no word for what is not a number."""
    if isinstance(fact, dict):
        return {name: _without_nan(inner) for name, inner in fact.items()}
    if isinstance(fact, list | tuple):
        return [_without_nan(inner) for inner in fact]
    return None if isinstance(fact, float) and not math.isfinite(fact) else fact


def explain(
    store: StoreView, subject: str, critic: StoreCritic, ranking: StoreRanking, lookup: Lookup
) -> Facts | None:
    """All that is known of a form signature, URL or site, whichever it is; None if nothing."""
    return (
        _explain_form(store, subject, critic, lookup)
        or _explain_url(store, subject, ranking, lookup)
        or _explain_site(store, subject, lookup)
    )


def _explain_form(
    store: StoreView, subject: str, critic: StoreCritic, lookup: Lookup
) -> Facts | None:
    stored = lookup.form(subject) if len(subject) >= LEAST_SIGNATURE else None
    if stored is None:
        return _explain_harvest(store, subject)
    visit = store.reader.visit(stored.visit)
    return {
        "form": stored.judged.signature,
        **_form_facts(store, stored),
        "log-odds of the topic": reason_words(stored.judged.parts, len(stored.judged.parts)),
        **_answer_facts(stored.judged),
        **critic.explain_form(stored.judged.form, visit.language if visit else ""),
        "looks like": lookup.alike(stored),
        "path from the seed": _path(store, stored.visit),
        **_harvest_facts(store, stored.judged.signature),
    }


def _explain_harvest(store: StoreView, subject: str) -> Facts | None:
    """Of a form that a person named: no crawl judged it."""
    if len(subject) < LEAST_SIGNATURE:
        return None
    heads = (head for head in store.harvests.all() if head.subject.signature.startswith(subject))
    head = next(heads, None)
    if head is None:
        return None
    signature, form = head.subject.signature, head.subject.form
    page = {"form": signature, "page": form.page, "searchable": f"{head.subject.searchable:.2f}"}
    return {**page, **_harvest_facts(store, signature)}


def _harvest_facts(store: StoreView, signature: str) -> Facts:
    """The receipt of its harvest, if there is one."""
    heads = (head for head in store.harvests.all() if head.subject.signature == signature)
    head = next(heads, None)
    return {} if head is None else {"harvest": receipt_facts(make_receipt(store, head))}


def _answer_facts(judged: JudgedForm) -> Facts:
    """What it answered when the crawl asked it."""
    answers = judged.evidence.answers if judged.evidence else None
    if answers is None:
        return {}
    about = "" if answers.relevance is None else f"; about the topic {answers.relevance:.2f}"
    return {"asked": f"database: {answers.database}: {answers.why}{about}"}


def _explain_url(
    store: StoreView, subject: str, ranking: StoreRanking, lookup: Lookup
) -> Facts | None:
    url = canonical(subject)
    if url is None:
        return None
    known = lookup.candidate(url)
    # A page is known by the URL of its link; who asks may have it from the address bar.
    if known is None:
        end = lookup.redirected_to(url)
        state = "the end of a redirect"
        return {"url": url, "state": state, "visit": _visit_facts(end)} if end else None
    number, candidate = known
    visit, site, priority = (
        store.reader.visit(number),
        store.reader.site(candidate.site),
        candidate.priority,
    )
    facts: Facts = {
        "url": url,
        "state": _state_words(candidate, visit, site),
        "priority": f"tier {priority.tier}, score {priority.score:.3f}: "
        f"{priority.why or 'no reason given'}",
        "ranked today by": ranking.explain(candidate),
        "links inside its site": candidate.depth,
        "anchor": candidate.anchor,
        "words around it": candidate.around.replace("\t", " … "),
        "path from the seed": _path(store, number),
        "visit": _visit_facts(visit) if visit else None,
        "forms first met there": [
            _form_facts(store, form) for form in lookup.forms_of_visit(number)
        ],
        "site": _site_facts(site),
    }
    return {name: fact for name, fact in facts.items() if fact not in (None, "", [])}


def _state_words(candidate: Candidate, visit: Visit | None, site: SiteState) -> str:
    if visit is not None:
        return f"visited: {visit.outcome}"
    if candidate.skip:
        return f"skipped: {candidate.skip}"
    if site.closed:
        return f"not visited: its site was left ({site.closed})"
    return "waiting"


def _path(store: StoreView, number: CandidateId) -> list[str]:
    steps = store.pages.path(number)
    return [
        f"{s.url}  [{s.anchor or ('seed' if s.parent is None else 'no anchor')}]" for s in steps
    ]


def _visit_facts(visit: Visit) -> Facts:
    facts: Facts = to_builtins(visit)
    facts["at"] = _time_words(visit.at)
    return {name: fact for name, fact in facts.items() if fact not in (None, "") and name != "id"}


def _time_words(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(at))


def _form_facts(store: StoreView, stored: StoredForm) -> Facts:
    row = form_row(stored, store.reader.visit(stored.visit))
    return {
        "what": row.what,
        "verdict": verdict_words(row.score, row.searchable, row.why),
        "submits to": f"{row.method.upper()} {row.action}",
        "fields": [f"{field.shown}: {field.why}" for field in row.fields],
        "ranges": list(row.ranges),
        "page": row.page,
        "seen": row.sightings,
    }


def _explain_site(store: StoreView, subject: str, lookup: Lookup) -> Facts | None:
    # People give hosts without a scheme.
    url = canonical(subject if "://" in subject else f"http://{subject}/")
    if url is None:
        return None
    site = store.reader.site(site_of(url))
    if not (site.pages or site.errors or lookup.candidate(url)):
        return None
    forms, events = lookup.forms_of_site(site.site), lookup.events_about(site.site)
    return {
        "site": site.site,
        **_site_facts(site),
        "forms": [_form_facts(store, form) for form in forms[:_SHOWN]],
        **_count_further("further forms", forms),
        "events": [f"{_time_words(one.at)}  {one.kind}  {one.detail}" for one in events[:_SHOWN]],
        **_count_further("further events", events),
    }


def _count_further(name: str, found: Sequence[object]) -> Facts:
    return {name: len(found) - _SHOWN} if len(found) > _SHOWN else {}


def _site_facts(site: SiteState) -> Facts:
    return {
        "name": site.site,
        "state": f"left: {site.closed}" if site.closed else "open",
        "pages": site.pages,
        "relevant forms": site.forms,
        "searchable forms": site.searchable,
        "errors": f"{site.errors}, {site.errors_in_a_row} in a row",
        "may be asked from": _time_words(site.ready_at) if site.ready_at else "now",
    }
