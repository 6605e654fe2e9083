"""How well forms of real hosts are judged and let through: by kind of search, and by collection.

`python -m tools.form_training.evaluate FOLDER [--held-out]`: the hosts that are held out
(`tools/splits.py`), which the shipped judge has never seen, or else the hosts it was trained on.
Nothing of a form is printed. The last line is one JSON object.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from bench.gate import passes
from numpy.typing import NDArray

from leadline.core.page import Form
from leadline.forms.searchable import open_searchable_judge
from leadline.forms.submit import is_left_to_scripts
from leadline.learn.evaluation import measure_scores
from tools.form_labels import load_formasaurus_searches, load_labelled_forms
from tools.form_labels.units import form_key, visible_fields
from tools.form_training.examples import SEARCH, read_formasaurus
from tools.splits import is_held_out

_HARMLESS = frozenset({"navigation", "display options"})
"""Kinds of Formasaurus that change nothing if they are sent."""
_MANY = 4
_WHOLE_PAGE_CHARS = 400


class Case(NamedTuple):
    """A real form, as people labelled it."""

    form: Form
    host: str
    is_searchable: bool
    is_safe: bool
    kind: str
    source: str


def read_cases(folder: Path, *, held_out: bool) -> list[Case]:
    """Every form that a crawl would judge; modern ones once a host."""
    modern = [
        Case(e.form, e.host, e.label.searchable, e.label.safe, e.label.kind, "modern")
        for e in load_labelled_forms(folder, only_read=True)
    ]
    searches = load_formasaurus_searches(folder)
    kinds = {(e.host, form_key(e.form, e.host)): e.label.kind for e in searches}
    older = [
        Case(
            e.form,
            e.host,
            e.is_searchable,
            e.is_searchable or e.kind in _HARMLESS,
            kinds.get((e.host, form_key(e.form, e.host)), e.kind),
            "formasaurus",
        )
        for e in read_formasaurus(folder).examples
        if e.kind != SEARCH or (e.host, form_key(e.form, e.host)) in kinds
    ]
    return [case for case in (*modern, *older) if is_held_out(case.host) == held_out]


GROUPS: dict[str, Callable[[Case], bool]] = {
    "site search": lambda case: case.kind == "site-search",
    "database search": lambda case: case.kind == "database-search",
    "four controls or more": lambda case: len(visible_fields(case.form)) >= _MANY,
    "POST": lambda case: case.form.method == "post",
    "page-wide": lambda case: len(case.form.text) > _WHOLE_PAGE_CHARS,
    "selects only": lambda case: {f.kind for f in visible_fields(case.form)} == {"select"},
}


def measure_judge(
    cases: Sequence[Case], chances: NDArray[np.float64]
) -> dict[str, float | dict[str, object]]:
    labels = np.array([case.is_searchable for case in cases], np.bool_)
    found = measure_scores(chances, labels, [case.host for case in cases])
    figures: dict[str, float | dict[str, object]] = {
        "forms": len(cases),
        "searchable": int(labels.sum()),
        **{name: round(figure.value, 4) for name, figure in found._asdict().items()},
        "brier": round(float(np.mean((chances - labels) ** 2)), 4),
    }
    for name, belongs in GROUPS.items():
        chosen = np.array([belongs(case) for case in cases], np.bool_)
        hits, sought = (chances >= 0.5) & chosen, labels & chosen
        figures[name] = {
            "forms": int(chosen.sum()),
            "searchable": int(sought.sum()),
            "error": share(((chances >= 0.5) != labels)[chosen]),
            "recall": share(hits[sought]),
            "precision": share(labels[hits]),
        }
    return figures


def measure_gate(cases: Sequence[Case], chances: NDArray[np.float64]) -> dict[str, object]:
    """What passes with the judge's chances; boxes that only scripts read cannot."""
    passed = [passes(c.form, float(p)) for c, p in zip(cases, chances, strict=True)]
    open_cases = [
        (case, through)
        for case, through in zip(cases, passed, strict=True)
        if case.is_searchable and case.is_safe and not case.form.is_implicit
    ]
    sent = [t for case, t in open_cases if not is_left_to_scripts(case.form)]
    figures: dict[str, object] = {
        "unsafe passed": sum(t for c, t in zip(cases, passed, strict=True) if not c.is_safe),
        "unsafe": sum(not case.is_safe for case in cases),
        "harmless others passed": sum(
            t for c, t in zip(cases, passed, strict=True) if c.is_safe and not c.is_searchable
        ),
        "safe searches": len(open_cases),
        "safe searches passed": share(np.array([t for _, t in open_cases], np.bool_)),
        "of those that HTML can send": [share(np.array(sent, np.bool_)), len(sent)],
    }
    for name, belongs in GROUPS.items():
        own = np.array([t for case, t in open_cases if belongs(case)], np.bool_)
        figures[f"{name} passed"] = [share(own), len(own)]
    return figures


def share(hits: NDArray[np.bool_]) -> float:
    return round(float(hits.mean()), 4) if len(hits) else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="of the real data")
    parser.add_argument("--held-out", action="store_true", help="the hosts that are held out")
    parser.add_argument("--judge", default="default", help="default, c45 or rule")
    asked = parser.parse_args()
    cases = read_cases(asked.folder, held_out=asked.held_out)
    chances = open_searchable_judge(asked.judge).chances([case.form for case in cases])
    report: dict[str, object] = {"hosts": len({case.host for case in cases})}
    for source in ("all", "modern", "formasaurus"):
        chosen = [n for n, case in enumerate(cases) if source in ("all", case.source)]
        own = [cases[n] for n in chosen]
        report[source] = {
            "judge": measure_judge(own, chances[chosen]),
            "gate": measure_gate(own, chances[chosen]),
        }
    for name, figures in report.items():
        print(name, json.dumps(figures))
    print(json.dumps(report))


if __name__ == "__main__":
    main()
