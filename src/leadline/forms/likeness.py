"""How alike two forms are, and which of many look alike: near duplicates that signatures part."""

from collections.abc import Sequence

from msgspec import Struct

from leadline.core.page import Field, Form
from leadline.forms.hazard_words import fold
from leadline.forms.signature import (
    UNSEEN,
    control_name,
    signature,
    steady_path,
    target_path,
    target_site,
)

ALIKE = 0.75
"""Likeness from which two forms are taken for one: one more box to tick costs a lone text box a
fifth, one more text box or list half. Chosen on one half of real sites."""
_WEIGHTS = {"checkbox": 0.25, "radio": 0.5}
"""Of controls beside lists and boxes to type into: pages add them freely."""
_BY_LABEL = 0.8
"""What a control counts that has another name but the same kind and label."""
_HIDDEN_SHARE = 0.1
"""Of a likeness, given by hidden controls: they come and go."""
_OTHER_SITE, _OTHER_METHOD = 0.5, 0.6
_OTHER_VALUE, _OTHER_FOLDER, _OTHER_PATH = 0.95, 0.9, 0.5
"""What is left when forms are sent elsewhere: only values written into the path differ
(`/ref=top`), only the folder (`/login/find`), or more."""
_OWN_LABELS = frozenset({"for", "wrap", "aria", "placeholder"})


class Likeness(Struct, frozen=True):
    """How alike two forms are."""

    score: float
    """From 0 to 1; 1 for forms of one signature."""
    why: str
    """In what they differ, or that they do not."""


class Outline(Struct, frozen=True):
    """What of a form is compared."""

    signature: str
    site: str
    path: str
    own_path: str
    """Of its page, for a form that is sent there; '' otherwise."""
    method: str
    seen: dict[str, float]
    """Weights of the controls that people see, by name and kind."""
    labels: dict[str, str]
    """Kind and label of those that have one."""
    hidden: frozenset[str]


def outline(form: Form) -> Outline:
    seen = [field for field in form.fields if field.kind not in UNSEEN]
    path = target_path(form)
    return Outline(
        signature=signature(form),
        site=target_site(form),
        path=path,
        own_path=steady_path(form.page) if path == "." else "",
        method=form.method,
        seen={control_name(field): _WEIGHTS.get(field.kind, 1.0) for field in seen},
        labels={control_name(field): _label(field) for field in seen if _label(field)},
        hidden=frozenset(control_name(f) for f in form.fields if f.kind == "hidden"),
    )


def _label(field: Field) -> str:
    text = fold(field.label if field.label_source in _OWN_LABELS else "").strip(" :*")
    return f"{text}:{field.kind}" if text else ""


def likeness(one: Form, other: Form) -> Likeness:
    """The same whichever comes first."""
    return compared(outline(one), outline(other))


def compared(one: Outline, other: Outline) -> Likeness:
    if one.signature == other.signature:
        return Likeness(1.0, "the same signature")
    parts = {
        "controls": _controls(one, other),
        "path": _paths(one, other),
        "method": 1.0 if one.method == other.method else _OTHER_METHOD,
        "site": 1.0 if one.site == other.site else _OTHER_SITE,
    }
    score = 1.0
    for part in parts.values():
        score *= part
    differing = [f"{name} {part:.2f}" for name, part in parts.items() if part < 1.0]
    return Likeness(round(score, 4), ", ".join(differing) or "different numbers only")


def _controls(one: Outline, other: Outline) -> float:
    """The share of controls, by weight, that both have."""
    both = one.seen.keys() & other.seen.keys()
    shared = sum(one.seen[name] for name in both)
    alone = [_unshared(outlined, both) for outlined in (one, other)]
    relabelled = alone[0].keys() & alone[1].keys()
    shared += _BY_LABEL * sum(alone[0][label] for label in relabelled)
    whole = sum((one.seen | other.seen).values()) - sum(alone[1][label] for label in relabelled)
    seen = shared / whole if whole else 1.0
    hidden = one.hidden | other.hidden
    if not hidden:
        return seen
    return (1 - _HIDDEN_SHARE) * seen + _HIDDEN_SHARE * len(one.hidden & other.hidden) / len(hidden)


def _unshared(outlined: Outline, both: set[str]) -> dict[str, float]:
    """Weights by label of the controls that only one form has."""
    labels = outlined.labels.items()
    return {label: outlined.seen[name] for name, label in labels if name not in both}


def _paths(one: Outline, other: Outline) -> float:
    first, second = one.own_path or one.path, other.own_path or other.path
    if one.path == other.path or first == second:
        return 1.0
    ways = [path.strip("/").split("/") for path in (first, second)]
    bare = [[step.partition("=")[0] for step in way] for way in ways]
    if bare[0] == bare[1]:
        return _OTHER_VALUE
    shared = one.seen.keys() & other.seen.keys() | one.hidden & other.hidden
    # A lone box has the name that lone boxes have everywhere.
    return _OTHER_FOLDER if ways[0][-1] == ways[1][-1] and len(shared) > 1 else _OTHER_PATH


def look_alikes(forms: Sequence[Form], least: float = ALIKE) -> list[list[int]]:
    """Numbers of forms that look alike, each form once, in the order of first members.

    A form joins the group whose first member it is most like, so that a chain
    of small differences makes no large one.
    """
    outlines = [outline(form) for form in forms]
    found: list[list[int]] = []
    by_site: dict[str, list[list[int]]] = {}
    for number, outlined in enumerate(outlines):
        nearby = by_site.setdefault(outlined.site, [])
        scores = [compared(outlines[group[0]], outlined).score for group in nearby]
        if scores and max(scores) >= least:
            nearby[scores.index(max(scores))].append(number)
        else:
            nearby.append([number])
            found.append(nearby[-1])
    return found
