"""Labels and what they change: scores before and after."""

import time
from collections.abc import Callable, Sequence

from leadline.core.inbox import FORM, Inbox, Label
from leadline.topics.labels import CorrectedCritic, FormSubject, PageSubject
from leadline.ui.web.models import LabelRequest, LabelView, Listing
from leadline.ui.web.seen.following import Following
from leadline.ui.web.views.judging import labels_of, subject_of, taught
from leadline.ui.web.views.overview import topic_of
from leadline.ui.web.views.scores import score_of


def label_list(seen: Following, offset: int, limit: int) -> Listing[LabelView]:
    """Those in force, the latest first."""
    labels = labels_of(seen)[::-1]
    views = _views(seen, labels[offset : offset + limit])
    return Listing(items=tuple(views), total=len(labels), offset=offset, limit=limit)


def labels_about(seen: Following, what: str, subject: str) -> list[LabelView]:
    """The label in force, if there is one."""
    found = [one for one in labels_of(seen) if (one.what, one.subject) == (what, subject)]
    return _views(seen, found)


def _views(seen: Following, labels: Sequence[Label]) -> list[LabelView]:
    critic = taught(seen)
    return [_view(label, critic, subject_of(seen, label) if critic else None) for label in labels]


def _view(
    label: Label, critic: CorrectedCritic | None, subject: FormSubject | PageSubject | None
) -> LabelView:
    return LabelView(
        what=label.what,
        subject=label.subject,
        verdict=label.verdict,
        at=label.at,
        before=None if label.before is None else score_of(label.before),
        after=score_now(critic, subject) if critic and subject else None,
    )


def score_now(critic: CorrectedCritic, subject: FormSubject | PageSubject) -> float:
    """Of a form or page, by what labels have taught."""
    score = critic.form(subject) if isinstance(subject, FormSubject) else critic.page(subject)
    return score_of(score)


def give_label(
    seen: Following, desk: Inbox, asked: LabelRequest, now: Callable[[], float] = time.time
) -> LabelView | None:
    """Keep a label with the score its subject has; None when the store does not have it."""
    signature = _signature(seen, asked)
    label = Label(asked.what, signature, asked.verdict, now(), topic_of(seen))
    subject = subject_of(seen, label)
    if subject is None:
        return None
    given = Label(label.what, subject.subject, label.verdict, label.at, label.topic, subject.score)
    desk.label([given])
    (view,) = _views(seen, [given])
    return view


def _signature(seen: Following, asked: LabelRequest) -> str:
    """A form may be called by the beginning of its signature."""
    if asked.what != FORM:
        return asked.subject
    at = seen.forms.with_beginning(asked.subject)
    return asked.subject if at is None else seen.forms.lines[at].signature
