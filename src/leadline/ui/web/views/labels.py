"""Labels and what they change: scores before and after."""

import time
from collections.abc import Callable

from leadline.core.desk import FORM, Desk, Label
from leadline.topics.relabelling import FormSeen, Relabelled
from leadline.ui.web.models import LabelRequest, LabelView, Listing
from leadline.ui.web.seen.following import Following
from leadline.ui.web.views.judging import labels_of, subject_of, taught
from leadline.ui.web.views.overview import topic_of
from leadline.ui.web.views.scores import score_of


def label_list(seen: Following, offset: int, limit: int) -> Listing[LabelView]:
    """Those in force, the latest first."""
    labels = labels_of(seen)[::-1]
    shown = labels[offset : offset + limit]
    items = tuple(label_view(seen, label) for label in shown)
    return Listing(items=items, total=len(labels), offset=offset, limit=limit)


def labels_about(seen: Following, what: str, subject: str) -> list[LabelView]:
    """The label in force, if there is one."""
    found = [one for one in labels_of(seen) if (one.what, one.subject) == (what, subject)]
    return [label_view(seen, label) for label in found]


def label_view(seen: Following, label: Label) -> LabelView:
    critic = taught(seen)
    subject = subject_of(seen, label) if critic else None
    return LabelView(
        what=label.what,
        subject=label.subject,
        verdict=label.verdict,
        at=label.at,
        before=None if label.before is None else score_of(label.before),
        after=score_now(critic, subject) if critic and subject else None,
    )


def score_now(critic: Relabelled, subject: object) -> float:
    """Of a form or page, by what labels have taught."""
    if isinstance(subject, FormSeen):
        return score_of(critic.form(subject))
    return score_of(critic.page(subject))  # type: ignore[arg-type]


def give_label(
    seen: Following, desk: Desk, asked: LabelRequest, now: Callable[[], float] = time.time
) -> LabelView | None:
    """Keep a label with the score its subject has; None when the store does not have it."""
    signature = _signature(seen, asked)
    label = Label(asked.what, signature, asked.verdict, now(), topic_of(seen))
    subject = subject_of(seen, label)
    if subject is None:
        return None
    given = Label(label.what, subject.subject, label.verdict, label.at, label.topic, subject.score)
    desk.label([given])
    return label_view(seen, given)


def _signature(seen: Following, asked: LabelRequest) -> str:
    """A form may be called by the beginning of its signature."""
    if asked.what != FORM:
        return asked.subject
    at = seen.forms.with_beginning(asked.subject)
    return asked.subject if at is None else seen.forms.lines[at].signature
