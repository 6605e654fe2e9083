"""The directory of databases found: filtered, sorted, one page at a time."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from leadline.core.catalogue import FormEntry
from leadline.core.inbox import FORM
from leadline.ui.web.models import FormQuery, FormSort, FormSummary, Listing
from leadline.ui.web.seen.following import Following
from leadline.ui.web.seen.forms import meanings_of
from leadline.ui.web.views.judging import form_seen, taught
from leadline.ui.web.views.overview import topic_of
from leadline.ui.web.views.scores import score_of

_UNKNOWN = -1
_MOST_WORDS = 20


def directory(seen: Following, wanted: FormQuery) -> Listing[FormSummary]:
    found = _sorted(seen, _fitting(seen, wanted), wanted.sort)
    shown = found[wanted.offset : wanted.offset + wanted.limit]
    return Listing(
        items=tuple(summaries(seen, shown.tolist())),
        total=len(found),
        offset=wanted.offset,
        limit=wanted.limit,
    )


def summaries(seen: Following, numbers: Sequence[int]) -> list[FormSummary]:
    """One line for each of the forms, as they are at the moment."""
    entries = seen.catalogue.forms_numbered([seen.forms.lines[at].mark for at in numbers])
    labels, topic, critic = form_labels(seen), topic_of(seen), taught(seen)
    lines = [
        _summary(seen, at, entry, labels, topic) for at, entry in zip(numbers, entries, strict=True)
    ]
    if critic is None:
        return lines
    scores = [score_of(critic.form(form_seen(seen, entry.form))) for entry in entries]
    both = zip(lines, scores, strict=True)
    return [line.model_copy(update={"after": score}) for line, score in both]


def _summary(
    seen: Following, at: int, entry: FormEntry, labels: Mapping[str, str], topic: str
) -> FormSummary:
    line, forms = seen.forms.lines[at], seen.forms
    harvest = seen.harvests.by_signature.get(line.signature)
    is_studied = at < len(forms.meanings)
    size = _size(seen, line.signature)
    return FormSummary(
        signature=line.signature,
        site=seen.sites.names[line.site],
        what=line.what,
        page=line.page,
        topic=entry.form.topic or topic,
        language=line.language,
        score=score_of(line.score),
        searchable=score_of(line.searchable),
        fields=forms.meanings[at] if is_studied else meanings_of(entry.form.judged.form),
        size=None if size == _UNKNOWN else size,
        records=harvest.records if harvest else 0,
        label=labels.get(line.signature, ""),
        at=line.at,
        sightings=entry.form.sightings,
    )


def form_labels(seen: Following) -> dict[str, str]:
    """Verdicts by the form's signature."""
    labels = seen.store.inbox.labels()
    return {label.subject: label.verdict for label in labels if label.what == FORM}


def _fitting(seen: Following, wanted: FormQuery) -> NDArray[np.int64]:
    forms = seen.forms
    is_fitting = forms.scores.cells >= wanted.min_score
    if wanted.min_score <= 0:
        is_fitting |= True
    if wanted.site:
        is_fitting &= np.isin(forms.sites.cells, _sites(seen, wanted.site))
    if wanted.language:
        is_fitting &= forms.language_codes.cells == forms.languages.find(wanted.language)
    if wanted.topic and wanted.topic != topic_of(seen):
        is_fitting &= False
    found = np.flatnonzero(is_fitting)
    words = wanted.q.lower().split()[:_MOST_WORDS]
    if words:
        found = _array(forms.containing(words, found))
    for keep in _rarer(seen, wanted):
        found = _array(at for at in found.tolist() if keep(at))
    return found


def _rarer(seen: Following, wanted: FormQuery) -> Iterable[Callable[[int], bool]]:
    """Claims that are looked at form by form."""
    forms = seen.forms
    if wanted.field:
        meanings = forms.meanings
        yield lambda at: at < len(meanings) and _has(meanings[at], wanted.field)
    if wanted.min_size > 0:
        yield lambda at: _size(seen, forms.lines[at].signature) >= wanted.min_size
    if wanted.label != "any":
        labels = form_labels(seen)
        asked = "" if wanted.label == "none" else wanted.label
        yield lambda at: labels.get(forms.lines[at].signature, "") == asked


def _has(meanings: Sequence[str], wanted: str) -> bool:
    """`place` is also in `place:zip` and `place from`.

    >>> _has(("keyword", "place:zip from"), "place"), _has(("title",), "tit")
    (True, False)
    """
    return any(
        meaning == wanted or meaning.startswith((f"{wanted}:", f"{wanted} "))
        for meaning in meanings
    )


def _sites(seen: Following, part: str) -> list[int]:
    """Numbers of sites in whose names this stands."""
    exact = seen.sites.find(part)
    if exact is not None:
        return [exact]
    part = part.lower()
    return [at for at, name in enumerate(seen.sites.names) if part in name]


def _sorted(seen: Following, found: NDArray[np.int64], sort: FormSort) -> NDArray[np.int64]:
    forms = seen.forms
    scores = -np.nan_to_num(forms.scores.cells[found])
    keys: dict[FormSort, Callable[[], Sequence[object]]] = {
        "score": lambda: (scores,),
        "newest": lambda: (-forms.ats.cells[found],),
        "site": lambda: (scores, seen.sites.places()[forms.sites.cells[found]]),
        "size": lambda: (scores, _by_signature(seen, found, _size)),
        "records": lambda: (scores, _by_signature(seen, found, _records)),
    }
    return found[np.lexsort(keys[sort]())]  # type: ignore[arg-type]


def _by_signature(
    seen: Following, found: NDArray[np.int64], of: Callable[[Following, str], int]
) -> NDArray[np.int64]:
    """Largest first."""
    lines = seen.forms.lines
    return -_array(of(seen, lines[at].signature) for at in found.tolist())


def _size(seen: Following, signature: str) -> int:
    """Records behind a form as its harvest estimates; _UNKNOWN without one."""
    harvest = seen.harvests.by_signature.get(signature)
    coverage = harvest.drawing.coverage if harvest else None
    return coverage.size if coverage else _UNKNOWN


def _records(seen: Following, signature: str) -> int:
    harvest = seen.harvests.by_signature.get(signature)
    return harvest.records if harvest else 0


def _array(numbers: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(numbers, np.int64)
