"""Finds forms, visits and events of a store that is followed, without reading through it."""

from leadline.core.crawl import CandidateId, Event, StoredForm, Visit
from leadline.core.url import Site, Url
from leadline.ui.rows import alike_by_signature
from leadline.ui.web.seen.following import Following

MOST_KINDRED = 200
"""Forms that are compared with one: some 50 ms."""
_MOST_READ = 500
"""Forms or events read for one answer."""


class FollowedLookup:
    """`ui.lookup.Lookup` from what was read. Beyond _MOST_READ of anything is left out."""

    def __init__(self, seen: Following) -> None:
        self._seen = seen

    def form(self, beginning: str) -> StoredForm | None:
        at = self._seen.forms.with_beginning(beginning)
        return None if at is None else self._forms([at])[0]

    def alike(self, form: StoredForm) -> list[str]:
        """Those that are one with it are sent to the same site."""
        own = self._seen.forms.by_signature[form.judged.signature]
        nearby = self._seen.forms.sent_alike(form.judged.form, MOST_KINDRED)
        found = self._forms(sorted({*nearby, own}))
        return list(alike_by_signature(found)[form.judged.signature])

    def forms_of_visit(self, visit: CandidateId) -> list[StoredForm]:
        return self._forms(self._seen.forms.of_visit(visit))

    def forms_of_site(self, site: Site) -> list[StoredForm]:
        number = self._seen.sites.find(site)
        return [] if number is None else self._forms(self._seen.forms.of_site(number))

    def redirected_to(self, url: Url) -> Visit | None:
        mark = self._seen.visits.ending_at(url)
        found = [] if mark is None else self._seen.catalogue.visits_marked([mark])
        return next((visit for visit in found if visit.final_url == url), None)

    def events_about(self, subject: str) -> list[Event]:
        """The latest ones."""
        marks = self._seen.events.about(subject)[-_MOST_READ:]
        found = self._seen.catalogue.events_numbered(marks)
        return [event for event in found if event.subject == subject]

    def _forms(self, numbers: list[int]) -> list[StoredForm]:
        lines = self._seen.forms.lines
        marks = [lines[at].mark for at in numbers[:_MOST_READ]]
        return [entry.form for entry in self._seen.catalogue.forms_numbered(marks)]
