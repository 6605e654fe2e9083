"""The critic of a store's crawl, as it was and as labels have taught it since."""

from collections.abc import Callable, Hashable, Iterator
from typing import TypeVar

from leadline.core.crawl import StoredForm
from leadline.core.inbox import FORM, Label
from leadline.core.url import canonical
from leadline.errors import ConfigError
from leadline.topics.labels import (
    CorrectedCritic,
    FormSubject,
    LabelledSubject,
    PageSubject,
    correct_critic,
)
from leadline.ui.deciding import Deciding
from leadline.ui.ranking import Ranking
from leadline.ui.web.seen.following import Following

T = TypeVar("T")


def kept(seen: Following, name: str, key: Hashable, make: Callable[[], T]) -> T:
    """What was made for the same key, or made anew; one of each name is held."""
    held = seen.kept.get(name)
    if held is None or held[0] != key:
        held = seen.kept[name] = (key, make())
    found: T = held[1]
    return found


def deciding_of(seen: Following) -> Deciding | None:
    """The critic by the settings that the store keeps; None when its topic is gone."""
    return kept(seen, "deciding", seen.store.load("config"), lambda: _deciding(seen))


def ranking_of(seen: Following) -> Ranking | None:
    """The strategy as the store keeps it; None when it cannot be made again."""
    config = seen.store.load("config")
    name = seen.settings.get("strategy", {}).get("name", "")
    state = seen.store.load(f"strategy:{name}")
    return kept(seen, "ranking", (config, state), lambda: _ranking(seen))


def labels_of(seen: Following) -> tuple[Label, ...]:
    return tuple(seen.store.inbox.labels())


def taught(seen: Following) -> CorrectedCritic | None:
    """The critic after learning from the labels in force; None without any."""
    labels, deciding = labels_of(seen), deciding_of(seen)
    if not labels or deciding is None:
        return None
    key = labels, seen.store.load("config")
    return kept(seen, "taught", key, lambda: _taught(seen, deciding, labels))


def form_seen(seen: Following, stored: StoredForm) -> FormSubject:
    return FormSubject.of(stored, seen.store.visit(stored.visit))


def subject_of(seen: Following, label: Label) -> FormSubject | PageSubject | None:
    """What a label is about; None when the store does not have it."""
    if label.what == FORM:
        at = seen.forms.by_signature.get(label.subject)
        if at is None:
            return None
        (entry,) = seen.catalogue.forms_numbered([seen.forms.lines[at].mark])
        return form_seen(seen, entry.form)
    url = canonical(label.subject)
    known = None if url is None else seen.store.candidate(url)
    visit = seen.store.visit(known[0]) if known else None
    return PageSubject.of(visit, known[1]) if visit is not None and known else None


def labelled(seen: Following) -> Iterator[LabelledSubject]:
    """The labels in force whose subjects the store has."""
    for label in labels_of(seen):
        subject = subject_of(seen, label)
        if subject is not None:
            yield label, subject


def _deciding(seen: Following) -> Deciding | None:
    try:
        return Deciding.of(seen.settings)
    except ConfigError:
        return None


def _ranking(seen: Following) -> Ranking | None:
    try:
        return Ranking.of(seen.store, seen.settings)
    except ConfigError:
        return None


def _taught(seen: Following, deciding: Deciding, labels: tuple[Label, ...]) -> CorrectedCritic:
    subjects = ((label, subject_of(seen, label)) for label in labels)
    known: list[LabelledSubject] = [
        (label, found) for label, found in subjects if found is not None
    ]
    return correct_critic(deciding.critic.topic, known)
