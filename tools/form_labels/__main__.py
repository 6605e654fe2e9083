"""Counts the labels; says what is not labelled and which labels find no form."""

import json
import sys
from collections import Counter
from pathlib import Path

from tools.form_labels.labels import (
    form_labels,
    join_labels,
    load_formasaurus_searches,
    load_swde_forms,
    page_labels,
)
from tools.form_labels.sheets import sheets
from tools.form_labels.units import modern_pages, units_of
from tools.splits import is_held_out


def main(folder: Path, *, is_reading: bool) -> None:
    """With `is_reading`, prints forms to read instead, but none that is held out."""
    pages = list(modern_pages(folder))
    if is_reading:
        print("\n".join(sheets(m for m in pages if not is_held_out(m.host))))
        return
    known = form_labels()
    found = join_labels(pages, known)
    labelled = {id(one.form) for one in found}
    figures: dict[str, object] = {
        "pages": len(pages),
        "forms and boxes, repeated ones too": sum(len(units_of(modern)) for modern in pages),
        "labels": len(known),
        "labels that found their form": len({one.label.form for one in found}),
        "forms joined": len(labelled),
        "of them read by the parser": len(join_labels(pages, known, only_read=True)),
    }
    for name, is_test in (("seen", False), ("held out", True)):
        part = [label for label in known if label.held_out is is_test]
        figures[name] = {
            "hosts": len({label.host for label in part}),
            "forms": len(part),
            "searchable": sum(label.searchable for label in part),
            "safe": sum(label.safe for label in part),
            "kinds": dict(Counter(label.kind for label in part).most_common()),
            "searches with four controls or more": sum(
                label.searchable and len(label.controls) > 3 for label in part
            ),
            "roles": dict(
                Counter(role for label in part for role in label.roles.values()).most_common()
            ),
        }
        doors = [label.doors for label in page_labels() if label.held_out is is_test]
        figures[f"{name}, pages"] = {
            "all": len(doors),
            "offer a search": sum(map(bool, doors)),
            "doors": dict(Counter(door for page in doors for door in page).most_common()),
            "without form or box": sum(
                bool(page) and not {"form", "box"} & set(page) for page in doors
            ),
        }
    for name, others in (
        ("swde", load_swde_forms(folder)),
        ("formasaurus, searches", load_formasaurus_searches(folder)),
    ):
        for is_test in (False, True):
            figures[f"{name}, {'held out' if is_test else 'seen'}"] = dict(
                Counter(one.label.kind for one in others if one.held_out is is_test).most_common()
            )
    print(json.dumps(figures))


if __name__ == "__main__":
    main(Path(sys.argv[1]), is_reading="--read" in sys.argv[2:])
