"""Forms as a person sees them: which controls belong together and what each is called.

`page.parse` collects form elements and controls in its walk; here they become `Form`s.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from typing import NamedTuple

from msgspec import structs
from selectolax.lexbor import LexborNode

from leadline.core.page import BOX, Field, Form, Link, Option
from leadline.core.url import Url, UrlJoiner
from leadline.page.form_owners import find_owners
from leadline.page.labels import MAX_LABEL_CHARS, ControlLabels
from leadline.page.regions import cut_regions, is_page_wide
from leadline.page.search_boxes import inside_search, is_search_area, is_search_box

MAX_OPTIONS = 2_000
"""Of one select. Lists of all a country's towns are near this; more are traps."""
MAX_VALUE_CHARS = 2_000
"""Of a default value, unless a reader asks for more: crawls store many forms and send few."""
_MAX_LONE_BOXES = 50
"""Search boxes in no form: pages have one or two, each is judged as a form."""
_NEAR_ANCESTORS = 20
"""How far up a disabled fieldset is looked for; forms are not nested deeper, but traps are."""

SUBMIT_KINDS = frozenset({"submit", "image"})
TEXT_KINDS = frozenset({"text", "search", "textarea", "url", "tel", "number", "email"})

INPUT_TYPES = frozenset(
    "button checkbox color date datetime-local email file hidden image month number password radio "
    "range reset search submit tel text time url week".split()
)
"""Of the standard; an input of any other type is a text box."""


class FormFrame:
    """A form element on its page: which leaves lie inside it."""

    def __init__(self, node: LexborNode, first_leaf: int, *, is_detached: bool) -> None:
        self.node = node
        self.first_leaf = first_leaf
        self.end_leaf = -1
        self.is_detached = is_detached
        """Opened inside a table, so that its controls stand outside of it."""

    def close(self, end_leaf: int) -> None:
        """The first call wins, but a detached form ends where the next one begins."""
        if self.end_leaf < 0 or self.is_detached:
            self.end_leaf = end_leaf


class Control:
    """A control element, where it stands, and the form it stands in."""

    def __init__(self, node: LexborNode, tag: str, leaf: int, owner: int | None) -> None:
        self.node = node
        self.tag = tag
        self.leaf = leaf
        self.owner = owner
        self.position = 0
        """Among the controls of its form."""
        self.attributes = node.attributes
        self.kind = _kind_of(tag, self.attributes)


def _kind_of(tag: str, attributes: dict[str, str | None]) -> str:
    if tag == "input":
        kind = (attributes.get("type") or "text").strip().lower()
        return kind if kind in INPUT_TYPES else "text"
    if tag == "button":
        kind = (attributes.get("type") or "submit").strip().lower()
        return kind if kind in ("button", "reset") else "submit"
    if tag == "textarea":
        return "search" if is_search_area(attributes) else tag
    return tag


class FormParts(NamedTuple):
    """What a walk over a page found of its forms, in document order."""

    frames: Sequence[FormFrame]
    controls: Sequence[Control]
    labels: Sequence[LexborNode]
    leaves: Sequence[str]
    links: Sequence[Link] = ()
    datalists: Sequence[LexborNode] = ()


class PageContext(NamedTuple):
    """The page that forms stand on, and how they are read."""

    page: Url
    join: UrlJoiner
    charset: str = ""
    value_chars: int = MAX_VALUE_CHARS
    """Of a default value, stored."""
    body: bytes = b""
    """What the page was parsed from."""
    with_regions: bool = True
    """Whether forms around a whole page are cut."""


def build_forms(parts: FormParts, context: PageContext) -> tuple[Form, ...]:
    """Every form of the page, then the search boxes that stand in none."""
    frames, controls, label_nodes, leaves, links, datalists = parts
    if not controls:
        return ()
    places = frozenset(c.leaf for c in controls if c.tag != "button")
    labels = ControlLabels(label_nodes, leaves, places, datalists)
    groups, orphans = _group_by_form(frames, controls, context.body)
    forms: list[Form] = []
    for number, frame in enumerate(frames):
        group = groups[number]
        form = _build_form(frame, group, labels, leaves, context)
        if form is None:
            continue
        charset = form.charset or context.charset
        form = structs.replace(form, charset=charset, position=number)
        is_cut = context.with_regions and len(form.submits) > 1
        if is_cut and is_page_wide(frame.first_leaf, frame.end_leaf, links):
            forms += cut_regions(form, group, leaves)
        else:
            forms.append(form)
    boxes = (
        control
        for number, control in enumerate(orphans)
        if is_search_box(
            control.node,
            control.kind,
            [other.node for other in orphans[number + 1 : number + 3]],
        )
    )
    forms += [
        _build_box(build_field([control], labels), context, position=len(frames))
        for control in islice(boxes, _MAX_LONE_BOXES)
    ]
    return tuple(forms)


def build_editable_box(node: LexborNode, context: PageContext) -> Form:
    """A box that is no control of HTML, but an element that a script has people type into."""
    attributes = node.attributes
    texts = (attributes.get(name) for name in ("aria-label", "data-placeholder", "title"))
    label = next(filter(None, texts), "")[:MAX_LABEL_CHARS]
    field = Field("", "search", label, "aria" if label else "", dom_id=attributes.get("id") or "")
    return _build_box(field, context)


def _build_box(field: Field, context: PageContext, position: int = 0) -> Form:
    return Form(
        context.page,
        None,
        "get",
        (field,),
        charset=context.charset,
        position=position,
        source=BOX,
    )


def _group_by_form(
    frames: Sequence[FormFrame], controls: Sequence[Control], body: bytes = b""
) -> tuple[list[list[Control]], list[Control]]:
    groups, orphans = _group_by_tree(frames, controls)
    if orphans and body and _may_be_misnested(frames, groups, orphans):
        owners = find_owners(body, [control.tag for control in controls], len(frames))
        for control, owner in zip(controls, owners or (), strict=False):
            if control.owner is None:
                control.owner = owner
        groups, orphans = _group_by_tree(frames, controls)
    return groups, orphans


def _group_by_tree(
    frames: Sequence[FormFrame], controls: Iterable[Control]
) -> tuple[list[list[Control]], list[Control]]:
    # A control may name its form by id, wherever it stands.
    ids = {frame.node.attributes.get("id"): number for number, frame in enumerate(frames)}
    groups: list[list[Control]] = [[] for _ in frames]
    orphans = []
    for control in controls:
        named = control.attributes.get("form")
        owner = ids.get(named, control.owner) if named else control.owner
        if owner is None:
            orphans.append(control)
        else:
            control.position = len(groups[owner])
            groups[owner].append(control)
    return groups, orphans


def _may_be_misnested(
    frames: Sequence[FormFrame], groups: Sequence[Sequence[Control]], orphans: Sequence[Control]
) -> bool:
    """Whether a form lacks a button or a control, and controls follow it before the next form:
    only then is the source worth reading again."""
    starts = [frame.first_leaf for frame in frames[1:]]
    places = [control.leaf for control in orphans if control.kind != "button"]
    for frame, group, end in zip_longest(frames, groups, starts):
        kinds = {control.kind for control in group}
        is_whole = kinds & SUBMIT_KINDS and kinds - SUBMIT_KINDS - {"hidden"}
        first = bisect_left(places, frame.end_leaf)
        if not is_whole and first < len(places) and (end is None or places[first] <= end):
            return True
    return False


def _build_form(
    frame: FormFrame,
    controls: Sequence[Control],
    labels: ControlLabels,
    leaves: Sequence[str],
    context: PageContext,
) -> Form | None:
    attributes = frame.node.attributes
    method = (attributes.get("method") or "get").strip().lower()
    # A dialog form sends nothing.
    if method == "dialog" or not controls:
        return None
    action = (attributes.get("action") or "").strip()
    submits = [c for c in controls if c.kind in SUBMIT_KINDS]
    others = [c for c in controls if c.kind not in SUBMIT_KINDS]
    role = (attributes.get("role") or "").lower()
    return Form(
        page=context.page,
        action=context.join(action) if action else context.page,
        method="post" if method == "post" else "get",
        fields=tuple(
            build_field(group, labels, context.value_chars) for group in _radio_groups(others)
        ),
        submits=tuple(_build_button(control, labels, context) for control in submits),
        encoding=(attributes.get("enctype") or "application/x-www-form-urlencoded").lower(),
        charset=(attributes.get("accept-charset") or "").split(",")[0].strip(),
        text=" ".join(filter(None, leaves[frame.first_leaf : max(frame.end_leaf, 0)])),
        attributes=" ".join(
            filter(None, (attributes.get(n) for n in ("id", "name", "class", "action", "role")))
        ),
        has_search_role=role == "search" or inside_search(frame.node),
    )


def _radio_groups(controls: Iterable[Control]) -> list[list[Control]]:
    """Radio buttons of one name are one choice; every other control is its own."""
    groups: dict[object, list[Control]] = {}
    for number, control in enumerate(controls):
        name = control.attributes.get("name")
        key = ("radio", name) if control.kind == "radio" and name else number
        groups.setdefault(key, []).append(control)
    return list(groups.values())


def build_field(
    group: Sequence[Control], labels: ControlLabels, value_chars: int = MAX_VALUE_CHARS
) -> Field:
    """One control, or the radio buttons of one name."""
    control = group[0]
    attributes = control.attributes
    label, source = labels.of(control.node, control.kind, control.leaf)
    return Field(
        name=attributes.get("name") or "",
        kind=control.kind,
        label=label,
        label_source=source,
        placeholder=attributes.get("placeholder") or "",
        title=attributes.get("title") or "",
        value=_value(control, value_chars),
        options=_radio_options(group, labels)
        if control.kind == "radio"
        else _options(control, labels),
        is_checked="checked" in attributes,
        is_required="required" in attributes,
        is_disabled=all(_is_disabled(c.node) for c in group),
        is_multiple="multiple" in attributes,
        size=_number(attributes.get("size")),
        max_length=_number(attributes.get("maxlength")),
        pattern=attributes.get("pattern") or "",
        autocomplete=attributes.get("autocomplete") or "",
        dom_id=attributes.get("id") or "",
        position=([c for c in group if "checked" in c.attributes] or group)[-1].position,
    )


def _build_button(control: Control, labels: ControlLabels, context: PageContext) -> Field:
    """With its own address and method. A button that leads nowhere by HTTP is disabled."""
    button = build_field([control], labels)
    action = (control.attributes.get("formaction") or "").strip()
    method = (control.attributes.get("formmethod") or "").strip().lower()
    if not action and not method:
        return button
    target = context.join(action) if action else None
    return structs.replace(
        button,
        action=target,
        method=("post" if method == "post" else "get") if method else "",
        is_disabled=button.is_disabled or method == "dialog" or (bool(action) and target is None),
    )


def _is_disabled(node: LexborNode) -> bool:
    """By itself or by a fieldset around it. Controls in its legend stay enabled by the standard,
    but no query stands there."""
    if "disabled" in node.attributes:
        return True
    parent = node.parent
    for _ in range(_NEAR_ANCESTORS):
        if parent is None or parent.tag in ("form", "body"):
            return False
        if parent.tag == "fieldset" and "disabled" in parent.attributes:
            return True
        parent = parent.parent
    return False


def _value(control: Control, most_chars: int = MAX_VALUE_CHARS) -> str:
    if control.tag == "textarea":
        # The parser keeps the line break after the tag, which browsers drop.
        return (control.node.text() or "").removeprefix("\n")[:most_chars]
    default = "on" if control.kind in ("checkbox", "radio") else ""
    value = control.attributes.get("value")
    return (default if value is None else value)[:most_chars]


def _options(control: Control, labels: ControlLabels) -> tuple[Option, ...]:
    """Of a select its choices, of a box the values that a datalist suggests for it."""
    if control.tag == "select":
        return _choices(control.node)
    suggested = labels.datalist(control.attributes.get("list") or "")
    return tuple(islice(_options_in(suggested), MAX_OPTIONS)) if suggested is not None else ()


# The same select stands on all pages of a site: its markup is written out in a fifth of the time
# that reading its options takes.
_known_choices: dict[str, tuple[Option, ...]] = {}
_MOST_CHOICES = 500
"""Selects remembered; those with more markup than this are read each time:"""
_MOST_MARKUP_CHARS = 20_000


def _choices(select: LexborNode) -> tuple[Option, ...]:
    markup = select.html or ""
    found = _known_choices.get(markup)
    if found is None:
        found = tuple(islice(_options_in(select), MAX_OPTIONS))
        if len(markup) <= _MOST_MARKUP_CHARS:
            if len(_known_choices) >= _MOST_CHOICES:
                _known_choices.clear()
            _known_choices[markup] = found
    return found


def _options_in(select: LexborNode) -> Iterator[Option]:
    # A stack instead of recursion: groups that are never closed nest as deep as the page is long.
    waiting = [(select.first_child, False)]
    while waiting:
        child, is_disabled = waiting.pop()
        if child is None:
            continue
        waiting.append((child.next, is_disabled))
        attributes = child.attributes
        if child.tag == "option":
            text = " ".join((attributes.get("label") or child.text()).split())
            value = attributes.get("value")
            yield Option(
                " ".join(child.text().split()) if value is None else value,
                text,
                "selected" in attributes,
                is_disabled or "disabled" in attributes,
            )
        elif child.tag == "optgroup":
            waiting.append((child.first_child, "disabled" in attributes))


def _radio_options(group: Sequence[Control], labels: ControlLabels) -> tuple[Option, ...]:
    return tuple(
        Option(
            _value(c),
            labels.of(c.node, c.kind, c.leaf)[0],
            "checked" in c.attributes,
            _is_disabled(c.node),
        )
        for c in group[:MAX_OPTIONS]
    )


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 7 else 0
