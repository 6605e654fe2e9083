"""How the addresses of two pages differ: whether one leads onward from the other."""

import re
from typing import NamedTuple

from leadline.core.url import Url, origin_of, path_of
from leadline.forms.hazards import spoken
from leadline.harvester.paging.words import KEYS, PLACE

BACK = -1
"""A smaller number in the same place."""
STRANGE = 0
"""Another page of the site."""
SAME = 1
"""The same page with other parameters."""
ONWARD = 2
"""A larger number in one place of the same address."""

_split_query = re.compile(r"[&;]").split
_number = re.compile(r"\d{1,9}").fullmatch
_runs = re.compile(r"\d+|\D+").findall
_extension = re.compile(r"\.\w{2,5}$").sub
_HOMES = ("/index", "/default")
_words = re.compile(r"[^\W\d_]+").findall
_tail = re.compile(
    r"(?P<head>.*?)(?P<word>[^\W\d_]{0,20})[-_/.,:=]?(?P<number>\d{1,9})(?P<end>/|\.\w{2,5})?",
    re.DOTALL,
).fullmatch
_SMALL = 100
"""The second page has this number or a smaller one, whether pages or results are counted."""
_MAX_PATH_CHARS = 400
"""Longer paths are compared as a whole."""


class Step(NamedTuple):
    """From one address to another."""

    kin: int
    name: str = ""
    """Of the parameter or path piece that changed, where there is only one that can be it."""
    value: int | None = None
    """What it became, where that is a number."""
    by: int = 0
    """How much larger that is; 0 where it was not there before."""


class Parts(NamedTuple):
    path: str
    parameters: dict[str, str]


def parts_of(url: Url) -> Parts:
    """Path and parameters; the first value of those given several times."""
    path, _, query = path_of(url).partition("?")
    found: dict[str, str] = {}
    for pair in _split_query(query):
        name, _, value = pair.partition("=")
        if name or value:
            found.setdefault(name, value)
    return Parts(path, found)


def step_between(before: Url, after: Url) -> Step:
    if origin_of(before) != origin_of(after):
        return Step(STRANGE)
    old, new = parts_of(before), parts_of(after)
    if old.path == new.path:
        return _by_parameters(old.parameters, new.parameters)
    if _changed(old.parameters, new.parameters):
        return _of_named_place(new)
    return _by_path(old.path, new.path)


def _changed(old: dict[str, str], new: dict[str, str]) -> list[str]:
    return [name for name in {**old, **new} if old.get(name, "") != new.get(name, "")]


def _by_parameters(old: dict[str, str], new: dict[str, str]) -> Step:
    changed = _changed(old, new)
    places = [name for name in changed if is_place(name)] or changed
    steps = [_numeric(name, old.get(name, ""), new.get(name, "")) for name in places]
    found = [step for step in steps if step is not None]
    if not changed or len(found) != len(steps) or len({step.kin for step in found}) > 1:
        return Step(SAME, places[0] if len(places) == 1 else "")
    if len(places) == len(changed) == 1:
        return found[0]
    if is_place(places[0]):
        is_pure = len(places) == len(changed) or found[0].kin == BACK
        return found[0] if is_pure else found[0]._replace(kin=SAME)
    # Several numbers moved together, and none is called a place.
    moved = {(step.value, step.by) for step in found}
    return found[0] if len(moved) == 1 else Step(SAME)


def _numeric(name: str, old: str, new: str) -> Step | None:
    """None where no number became another one."""
    if is_key(name) and new:
        # Keys of records rise and fall as the order of the answer has it.
        return Step(ONWARD, name)
    if _number(new) and not old:
        return Step(ONWARD, name, int(new)) if int(new) > 0 else Step(BACK, name, 0)
    if _number(old) and not new:
        return Step(BACK, name)
    if not (_number(old) and _number(new)):
        return None
    by = int(new) - int(old)
    return Step(ONWARD if by > 0 else BACK, name, int(new), by)


def _by_path(old: str, new: str) -> Step:
    if max(len(old), len(new)) > _MAX_PATH_CHARS:
        return Step(STRANGE)
    old_runs, new_runs = _runs(old), _runs(new)
    if len(old_runs) == len(new_runs):
        pairs = zip(old_runs, new_runs, strict=True)
        changed = [n for n, (a, b) in enumerate(pairs) if a != b]
        at = changed[0]
        if len(changed) == 1 and (step := _numeric("/", old_runs[at], new_runs[at])):
            return step._replace(name=_word_before("".join(new_runs[:at])))
    return _grown(old, new)


def _grown(old: str, new: str) -> Step:
    """`/list` to `/list/page/2`, `list.html` to `list-2.html`, and back."""
    for kin, short, long in ((ONWARD, old, new), (BACK, new, old)):
        found = _tail(long)
        bare = _extension("", short).rstrip("/")
        bares = (bare, bare.rpartition("/")[0]) if bare.endswith(_HOMES) else (bare,)
        if found and _is_stem(bares, found["head"], found["word"]):
            name = _word_before(found["head"] + found["word"])
            return Step(kin, name, int(found["number"]) if kin == ONWARD else None)
    return Step(STRANGE)


def _is_stem(bares: tuple[str, ...], head: str, word: str) -> bool:
    """Whether nothing but a number, and the word for a place, was put after one of these."""
    return head + word in bares or (head.rstrip("-_/.,:") in bares and is_place(word))


def _word_before(path: str) -> str:
    """What a number in a path is called: `page` in `/list/page/2`; `/` when it has no name."""
    words = _words(path[-40:])
    return words[-1] if words and path.rstrip("-_/.,:=").endswith(words[-1]) else "/"


def _of_named_place(new: Parts) -> Step:
    """Another path with other parameters: no kin, but it may name a place in a list."""
    named = [name for name, value in new.parameters.items() if is_place(name) and _number(value)]
    return Step(STRANGE, named[0], int(new.parameters[named[0]])) if named else Step(STRANGE)


def is_place(name: str) -> bool:
    """Whether a parameter is called as those that say where in a list one is."""
    pieces = spoken(name).split()
    return any(piece in PLACE for piece in pieces) or "".join(pieces) in PLACE


def is_surely_onward(step: Step) -> bool:
    """Whether what became larger is a place in a list, and not the number of a thing."""
    if step.kin < SAME:
        return False
    if step.value is None:
        return is_key(step.name)
    return is_place(step.name) or (step.kin == ONWARD and not step.by and step.value <= _SMALL)


def is_key(name: str) -> bool:
    """Whether it is called as those that name the last record seen."""
    return any(piece in KEYS for piece in spoken(name).split())
