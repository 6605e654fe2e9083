"""All about one form: its fields, where it was found, why it counts, and its like."""

from leadline.core.catalogue import FormEntry
from leadline.core.inbox import FORM
from leadline.core.page import Field, Form
from leadline.forms.likeness import compared, outline
from leadline.forms.meaning import Meaning, meanings
from leadline.ui.rows import SILENT, label_of, ranges_of
from leadline.ui.web.models import FieldView, FormView, SimilarForm, Step
from leadline.ui.web.seen.following import Following
from leadline.ui.web.seen.lookup import MOST_KINDRED
from leadline.ui.web.views.directory import summaries
from leadline.ui.web.views.harvests import harvest_summary
from leadline.ui.web.views.judging import deciding_of
from leadline.ui.web.views.labels import labels_about

_CHOICES = 50
_SIMILAR = 8
_LEAST_ALIKE = 0.25
"""Forms of the same controls on different sites have half, sent elsewhere there a quarter."""
_TEXT_CHARS = 4_000


def form_view(seen: Following, at: int) -> FormView:
    """The form of that number in `seen.forms`."""
    (entry,) = seen.catalogue.forms_numbered([seen.forms.lines[at].mark])
    judged = entry.form.judged
    form, harvest = judged.form, seen.harvests.by_signature.get(judged.signature)
    (summary,) = summaries(seen, [at])
    return FormView(
        summary=summary,
        method=form.method,
        action=form.action or "",
        text=form.text[:_TEXT_CHARS],
        submits=tuple(button.value or button.label for button in form.submits),
        fields=_fields(form),
        ranges=tuple(ranges_of(form)),
        why=judged.why,
        reasons=_reasons(seen, entry),
        path=_path(seen, entry),
        similar=_similar(seen, at, entry),
        harvest=harvest_summary(seen, harvest) if harvest else None,
        labels=tuple(labels_about(seen, FORM, judged.signature)),
    )


def _fields(form: Form) -> tuple[FieldView, ...]:
    pairs = zip(form.fields, meanings(form), strict=True)
    return tuple(_field(field, meant) for field, meant in pairs if field.kind not in SILENT)


def _field(field: Field, meant: Meaning) -> FieldView:
    choices = tuple(option.text or option.value for option in field.options[:_CHOICES])
    return FieldView(
        name=field.name,
        kind=field.kind,
        label=label_of(field),
        meaning=meant.shown,
        why=meant.why,
        choices=choices,
        all_choices=len(field.options),
        placeholder=field.placeholder,
        is_required=field.is_required,
    )


def _reasons(seen: Following, entry: FormEntry) -> dict[str, tuple[str, ...]]:
    """What speaks for and against it; nothing where the crawl's topic is gone."""
    deciding = deciding_of(seen)
    if deciding is None:
        return {}
    facts = deciding.about_form(entry.form.judged.form, entry.language)
    return {name: tuple(found) for name, found in facts.items()}


def _path(seen: Following, entry: FormEntry) -> tuple[Step, ...]:
    steps = seen.store.path(entry.form.visit)
    return tuple(Step(url=step.url, anchor=step.anchor) for step in steps)


def _similar(seen: Following, at: int, entry: FormEntry) -> tuple[SimilarForm, ...]:
    form = entry.form.judged.form
    others = [other for other in seen.forms.kindred(form, MOST_KINDRED) if other != at]
    entries = seen.catalogue.forms_numbered([seen.forms.lines[other].mark for other in others])
    own = outline(form)
    scored = [
        (compared(own, outline(one.form.judged.form)), other)
        for one, other in zip(entries, others, strict=True)
    ]
    best = sorted((pair for pair in scored if pair[0].score >= _LEAST_ALIKE), key=_likest)
    shown = best[:_SIMILAR]
    lines = summaries(seen, [other for _, other in shown])
    return tuple(
        SimilarForm(**dict(line), likeness=likeness.score, differs=likeness.why)
        for line, (likeness, _) in zip(lines, shown, strict=True)
    )


def _likest(pair: tuple[object, int]) -> tuple[float, int]:
    return -pair[0].score, pair[1]  # type: ignore[attr-defined]
