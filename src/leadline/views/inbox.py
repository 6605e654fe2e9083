"""What people told a crawl: labels with the scores before and after, and orders."""

from collections.abc import Mapping, Sequence

from msgspec import structs

from leadline.core.inbox import (
    BUDGET,
    EXCLUDE,
    FORM,
    SEEDS,
    Inbox,
    Label,
    Order,
    budget_order,
    exclude_order,
    seeds_order,
)
from leadline.core.url import canonical
from leadline.errors import ConfigError
from leadline.topics.labels import CorrectedCritic, FormSubject, PageSubject
from leadline.views.critic import find_corrected_critic, find_labelled
from leadline.views.listing import Listing, round_score
from leadline.views.mirror.store import StoreMirror


class LabelRow(Label, frozen=True):
    """A label, and what learning from all labels has made of its subject."""

    after: float | None = None
    """The score by what labels have taught since; `before` is the score when it was given."""


def list_labels(mirror: StoreMirror, offset: int, limit: int) -> Listing[LabelRow]:
    """Those in force, the latest first."""
    labels = mirror.store.inbox.labels()[::-1]
    rows = _label_rows(mirror, labels[offset : offset + limit])
    return Listing(tuple(rows), len(labels), offset, limit)


def labels_about(mirror: StoreMirror, what: str, subject: str) -> list[LabelRow]:
    """The label in force, if there is one."""
    labels = mirror.store.inbox.labels()
    return _label_rows(
        mirror, [one for one in labels if (one.what, one.subject) == (what, subject)]
    )


def form_labels(mirror: StoreMirror) -> dict[str, str]:
    """Verdicts by the form's signature."""
    labels = mirror.store.inbox.labels()
    return {label.subject: label.verdict for label in labels if label.what == FORM}


def give_label(mirror: StoreMirror, inbox: Inbox, label: Label) -> LabelRow | None:
    """Saves a label with the score its subject has; None when the store does not have it.

    A form may be called by the beginning of its signature.
    """
    at = mirror.forms.find(label.subject) if label.what == FORM else None
    if at is not None:
        label = structs.replace(label, subject=mirror.forms.lines[at].signature)
    subject = find_labelled(mirror, label)
    if subject is None:
        return None
    given = structs.replace(
        label, subject=subject.subject, topic=mirror.topic, before=subject.score
    )
    inbox.label([given])
    (row,) = _label_rows(mirror, [given])
    return row


def _label_rows(mirror: StoreMirror, labels: Sequence[Label]) -> list[LabelRow]:
    critic = find_corrected_critic(mirror)
    return [_label_row(mirror, critic, label) for label in labels]


def _label_row(mirror: StoreMirror, critic: CorrectedCritic | None, label: Label) -> LabelRow:
    # Without a critic there is no score to compare: its topic is gone.
    subject = find_labelled(mirror, label) if critic else None
    after = score_corrected(critic, subject) if critic and subject else None
    before = None if label.before is None else round_score(label.before)
    return LabelRow(**{**structs.asdict(label), "before": before, "after": after})


def score_corrected(critic: CorrectedCritic, subject: FormSubject | PageSubject) -> float:
    """The score of a form or page by what labels have taught."""
    score = critic.form(subject) if isinstance(subject, FormSubject) else critic.page(subject)
    return round_score(score)


def list_orders(mirror: StoreMirror, offset: int, limit: int) -> Listing[Order]:
    """The latest first."""
    return Listing.cut(mirror.store.inbox.orders()[::-1], offset, limit)


def make_order(
    kind: str, at: float, names: Sequence[str], limits: Mapping[str, float | None]
) -> Order:
    """An order to leave in the inbox; `names` are URLs for seeds, and sites to exclude.

    Raises ConfigError for an order that says nothing, or names what is no URL or site.
    """
    if names and kind not in (SEEDS, EXCLUDE):
        raise ConfigError(f"{kind} takes no names; {names[0]!r} is one too many")
    if limits and kind != BUDGET:
        raise ConfigError(f"{next(iter(limits))} is for the order {BUDGET}, not for {kind}")
    if kind == BUDGET:
        return budget_order(at, **{name: limit or None for name, limit in limits.items()})
    if kind == EXCLUDE:
        return exclude_order(at, names)
    for url in names:
        # The URL is passed on as it was given: the crawl has its own rules for what of it counts.
        if canonical(url) is None:
            raise ConfigError(f"seed {url[:200]!r} is not an http(s) URL; write https://host/path")
    return seeds_order(at, names) if kind == SEEDS else Order(kind, at)
