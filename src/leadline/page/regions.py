"""A form around a whole page holds several: each button with the controls that belong to it.

Frameworks that keep a page's state in one form put every search, login and newsletter box of the
page into it. A region is sent as a browser would send the whole form when its button is pressed:
the controls of the others go along as they are.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import structs
from selectolax.lexbor import LexborNode

from leadline.core.page import REGION, Field, Form, Link
from leadline.page.labels import visible_text

_LEAST_LINKS = 10
"""Inside a form that wraps a page; forms of one purpose hold a few at most."""
_MAX_DEPTH = 40
"""Elements between a control and the element that it shares with its button."""
_MAX_REGIONS = 40
_MAX_NODES = 2_000
"""Of a region, read for its text."""
_NEAR_LEAVES = 3
"""Texts before a button that stands in no region, taken for its own."""
_SUBMITS = frozenset({"submit", "image"})
_UNSENT = frozenset({"submit", "image", "button", "reset", "file"})


class PlacedControl(Protocol):
    """What regions need to know of a control."""

    node: LexborNode
    kind: str
    leaf: int
    position: int


def is_page_wide(first_leaf: int, end_leaf: int, links: Sequence[Link]) -> bool:
    """Whether a form with these leaves wraps its page: it holds half of the page's links."""
    inside = sum(first_leaf <= link.first_leaf < end_leaf for link in links)
    return inside >= max(_LEAST_LINKS, len(links) / 2)


def cut_regions(
    form: Form, controls: Sequence[PlacedControl], leaves: Sequence[str]
) -> tuple[Form, ...]:
    """The form's regions as forms of their own; the form itself if it has but one."""
    regions = _find_regions(controls)
    if len(regions) < 2:
        return (form,)
    by_position = {c.position: number for number, r in enumerate(regions) for c in r.controls}
    return tuple(
        _cut_region(form, number, region, by_position, leaves)
        for number, region in enumerate(regions)
    )


class _Region:
    def __init__(self, root: LexborNode | None) -> None:
        self.root = root
        """The element that holds the region and no other; None for what stands in none."""
        self.controls: list[PlacedControl] = []


def _find_regions(controls: Sequence[PlacedControl]) -> list[_Region]:
    """Those with a button, in document order; at the end the buttons that stand alone, with the
    controls that no button is near to."""
    buttons = [c for c in controls if c.kind in _SUBMITS][:_MAX_REGIONS]
    filled = [c for c in controls if c.kind not in _UNSENT and c.kind != "hidden"]
    if len(buttons) < 2 or not filled:
        return []
    holds_filled = {node.mem_id for c in filled for node in _ancestors(c.node)}
    holds_buttons = Counter(node.mem_id for c in buttons for node in _ancestors(c.node))
    roots: dict[int, _Region] = {}
    rest = _Region(None)
    for button in buttons:
        root = _find_root(button.node, holds_filled, holds_buttons)
        if root is not None:
            roots.setdefault(root.mem_id, _Region(root))
    for control in controls:
        if control.kind != "hidden":
            ids = (node.mem_id for node in _ancestors(control.node))
            own = next((roots[number] for number in ids if number in roots), rest)
            own.controls.append(control)
    return [
        region
        for region in (*roots.values(), rest)
        if any(c.kind in _SUBMITS for c in region.controls)
    ]


def _find_root(
    button: LexborNode, holds_filled: set[int], holds_buttons: Counter[int]
) -> LexborNode | None:
    """The largest element around a button that holds a control and no button of another region:
    from the smallest one that holds a control, as long as no further button comes in."""
    found: LexborNode | None = None
    most = 0
    for node in _ancestors(button):
        if found is None:
            if node.mem_id in holds_filled:
                found, most = node, holds_buttons[node.mem_id]
        elif holds_buttons[node.mem_id] == most:
            found = node
        else:
            break
    return found


def _ancestors(node: LexborNode) -> Iterator[LexborNode]:
    """From the nearest up to the form."""
    parent = node.parent
    for _ in range(_MAX_DEPTH):
        if parent is None or parent.tag in ("form", "body"):
            return
        yield parent
        parent = parent.parent


def _cut_region(
    form: Form, number: int, region: _Region, owners: dict[int, int], leaves: Sequence[str]
) -> Form:
    fields = []
    for field in form.fields:
        is_own = field.kind == "hidden" or owners.get(field.position) == number
        fields += [field] if is_own else _defaults(field)
    if region.root is not None:
        text, attributes = visible_text(region.root, _MAX_NODES), region.root.attributes
    else:
        places = [control.leaf for control in region.controls]
        near = leaves[max(0, min(places) - _NEAR_LEAVES) : max(places) + 1]
        text, attributes = " ".join(filter(None, near)), {}
    names = (attributes.get(name) for name in ("id", "class", "role", "aria-label"))
    return structs.replace(
        form,
        fields=tuple(fields),
        submits=tuple(b for b in form.submits if owners.get(b.position) == number),
        text=text,
        attributes=" ".join(filter(None, names)),
        has_search_role=region.root is not None and _says_search(region.root),
        source=REGION,
    )


def _says_search(root: LexborNode) -> bool:
    """Whether the region, or an element around it, is marked as a search."""
    if root.tag == "search" or root.attributes.get("role") == "search":
        return True
    near = zip(range(3), _ancestors(root), strict=False)
    return any(n.tag == "search" or n.attributes.get("role") == "search" for _, n in near)


def _defaults(field: Field) -> list[Field]:
    """What a browser sends of a control that nobody touched, as hidden fields."""
    if field.is_disabled or not field.name or field.kind in _UNSENT:
        return []
    values = [field.value]
    if field.kind == "checkbox":
        values = values if field.is_checked else []
    elif field.kind in ("radio", "select"):
        chosen = [option for option in field.options if option.is_selected]
        if not field.is_multiple:
            # A drop-down list always shows something: its first option that can be had.
            is_dropped = field.kind == "select" and field.size <= 1
            enabled = [option for option in field.options if not option.is_disabled]
            chosen = chosen[-1:] or (enabled[:1] if is_dropped else [])
        values = [option.value for option in chosen if not option.is_disabled]
    return [Field(field.name, "hidden", value=v, position=field.position) for v in values]
