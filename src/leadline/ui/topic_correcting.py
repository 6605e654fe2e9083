"""`leadline topic train` where labels correct: a shipped topic's like, or forms of one's own."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, structs

from leadline.core.inbox import FORM, PAGE, RIGHT, WRONG, Label
from leadline.forms.searchable import open_searchable_judge
from leadline.forms.signature import signature
from leadline.topics.cases import LabelTraining, rejudge_cases
from leadline.topics.judges import CorrectedTopic, open_base_judge
from leadline.topics.labels import FormSubject, LabelledSubject, PageSubject, correct_critic
from leadline.topics.pack import Pack
from leadline.topics.review import LabelReview, review_labels
from leadline.ui.output import say
from leadline.ui.samples import Sample

_LIKELY = 0.5


class Corrected(Struct, frozen=True, eq=False):
    """A topic that labels have taught, and what they are worth."""

    pack: Pack
    review: LabelReview | None
    """None where no label taught it."""


def corrected_pack(pack: Pack, labels: Sequence[LabelledSubject]) -> Corrected:
    """The pack with what it was taught before and these labels, by its judge as it is."""
    base, taught = open_base_judge(pack), pack.taught
    earlier = rejudge_cases(taught.cases, base)
    if not labels and not earlier:
        return Corrected(pack, None)
    known = CorrectedTopic(base, taught.learned, taught.spelled, earlier)
    now = correct_critic(known, labels).topic
    kept = LabelTraining(now.cases, now.learned, now.spelled)
    return Corrected(structs.replace(pack, taught=kept), review_labels(now.cases))


def labels_of(samples: Sequence[Sample], forms: Sequence[Sample]) -> list[LabelledSubject]:
    """Pages that a user named, as if they had been labelled; of `forms` the search forms too."""
    pages = [
        (_label(PAGE, sample.page.url, is_right=sample.is_about),
         PageSubject.read(sample.page.url, 0.0, sample.page))
        for sample in samples
    ]  # fmt: skip
    return [*pages, *(one for sample in forms for one in _form_labels(sample))]


def _form_labels(sample: Sample) -> list[LabelledSubject]:
    page, judged = sample.page, open_searchable_judge().judge_all(sample.page.forms)
    return [
        (_label(FORM, sign, is_right=True), FormSubject(form, sign, 0.0, 1.0, page.language))
        for form, (chance, _) in zip(page.forms, judged, strict=True)
        if chance >= _LIKELY
        for sign in [signature(form)]
    ]


def _label(what: str, subject: str, *, is_right: bool) -> Label:
    return Label(what, subject, RIGHT if is_right else WRONG, 0.0)


def tell_labels(found: LabelReview) -> None:
    """What the labels changed, and what to know before believing it."""
    say(
        f"{found.labels} labels of {found.sites} sites, {found.right} of them right; by what other "
        f"sites' labels teach, {found.after:.0%} are judged as you did ({found.before:.0%} before)"
    )
    for warning in found.warnings:
        say(f"warning: {warning}")


def own_name(out: Path) -> str:
    """What a topic is called that is written there."""
    return out.resolve().name
