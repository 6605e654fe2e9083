"""What of a store is found by something other than its number."""

from typing import Protocol

from leadline.core.crawl import CandidateId, Event, StoredForm, Visit
from leadline.core.ports import Store
from leadline.core.url import Site, Url
from leadline.ui.rows import alike_by_signature


class Lookup(Protocol):
    """Finds forms, visits and events: by reading through a store, or by who has read it before."""

    def form(self, beginning: str) -> StoredForm | None:
        """The first one whose signature begins so."""
        ...

    def alike(self, form: StoredForm) -> list[str]:
        """Signatures of forms so like it that they may be one with it."""
        ...

    def forms_of_visit(self, visit: CandidateId) -> list[StoredForm]:
        """Those first met there."""
        ...

    def forms_of_site(self, site: Site) -> list[StoredForm]: ...

    def redirected_to(self, url: Url) -> Visit | None:
        """The first visit that ended there."""
        ...

    def events_about(self, subject: str) -> list[Event]: ...


class ReadThrough:
    """Reads through all of a store for each question."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def form(self, beginning: str) -> StoredForm | None:
        found = (f for f in self._store.forms() if f.judged.signature.startswith(beginning))
        return next(found, None)

    def alike(self, form: StoredForm) -> list[str]:
        return list(alike_by_signature(list(self._store.forms()))[form.judged.signature])

    def forms_of_visit(self, visit: CandidateId) -> list[StoredForm]:
        return [form for form in self._store.forms() if form.visit == visit]

    def forms_of_site(self, site: Site) -> list[StoredForm]:
        return [form for form in self._store.forms() if form.site == site]

    def redirected_to(self, url: Url) -> Visit | None:
        return next((visit for visit in self._store.visits() if visit.final_url == url), None)

    def events_about(self, subject: str) -> list[Event]:
        return [event for event in self._store.events() if event.subject == subject]
