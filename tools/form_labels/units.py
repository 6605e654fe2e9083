"""What was labelled: forms, and controls that stand in none, each with a key that hides its text.

A key is a hash of the registered domain, the form's target and its controls. Of texts it holds the
placeholder or title of a nameless control alone, so that a parser that finds better labels does
not lose what was labelled.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import xxhash
from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from leadline.core.page import BOX, Field, Form, Option, Page
from leadline.core.url import Url, canonical, host_of, path_of, registered_domain, site_of
from tools.lab_statistics import sources

MODERN = "pages/modern"
_UNSEEN = frozenset({"hidden", "submit", "image", "button", "reset"})
_TICKED = frozenset({"checkbox", "radio"})
_REGIONS = frozenset(
    {"section", "aside", "nav", "header", "footer", "main", "article", "dialog", "fieldset", "body"}
)
"""Elements that keep the tick boxes of one purpose together: a filter, a consent dialog."""

_long_number = re.compile(r"\d{4,}").sub
_MOST_TICKS = 40
"""Of one region: consent dialogs list vendors and menus list pages by the hundred."""


class ModernPage(Struct, frozen=True):
    """One page of 2025, parsed."""

    key: str
    host: str
    """The registered domain."""
    kind: str
    """Its class in the collection: article, forum, product, ..."""
    page: Page
    html: str


def modern_pages(folder: Path) -> Iterator[ModernPage]:
    """The collection names hosts alone; the address is what the page declares of itself."""
    for row in sources.rows(folder, MODERN):
        yield read_modern_page(row["html"], row["domain"], row["page_type"])


def swde_forms(folder: Path) -> Iterator[tuple[str, Form]]:
    """Each form of SWDE's sites under its registered domain."""
    for row in sources.rows(folder, "forms/swde"):
        url = canonical(row["url"])
        forms = sources.read(row["html"], url).forms if url else ()
        if url and forms:
            yield domain_of(url), forms[0]


def formasaurus_searches(folder: Path) -> Iterator[tuple[str, Form]]:
    """Each form that Formasaurus's people called a search. Labels go by order on the page."""
    for real, kinds in sources.formasaurus(folder):
        forms = [form for form in real.page.forms if not form.is_implicit]
        if len(forms) == len(kinds):
            for form, kind in zip(forms, kinds, strict=True):
                if kind == "search":
                    yield real.owner, form


def read_modern_page(html: str, domain: str, kind: str = "") -> ModernPage:
    home = canonical(f"https://{domain}/") or Url("https://unknown.test/")
    page = sources.read(html, home)
    host = domain_of(home)
    if page.canonical and domain_of(page.canonical) == host and page.canonical != home:
        page = sources.read(html, page.canonical)
    return ModernPage(hash_of(html), host, kind, page, html)


def domain_of(url: Url) -> str:
    return registered_domain(host_of(site_of(url)))


def hash_of(*parts: str) -> str:
    return xxhash.xxh3_64_hexdigest("\n".join(parts).encode("utf-8", "replace"))


def units_of(modern: ModernPage) -> list[Form]:
    """The page's forms and search boxes as the crawler reads them, then what it does not read:
    every other box that stands in no form, and tick boxes that stand in none, by region."""
    forms = list(modern.page.forms)
    read = {key for form in forms for key in control_keys(form, modern.host)}
    loose = _loose_forms(modern)
    return forms + [f for f in loose if read.isdisjoint(control_keys(f, modern.host))]


def form_key(form: Form, host: str) -> str:
    """Equal for one form on all pages of a host."""
    shown = [f"{field.kind} {name}" for field, name in _named(visible_fields(form))]
    if not shown:
        shown = [f"{field.kind} {name}" for field, name in _named((*form.fields, *form.submits))]
    target = "" if form.action in (None, form.page) else _target(form.action or form.page)
    return hash_of(host, form.method, target, *shown)


def control_keys(form: Form, host: str) -> list[str]:
    """One per visible field, in order; eight digits, for they are compared within a host only."""
    return [hash_of(host, name)[:8] for _, name in _named(visible_fields(form))]


def visible_fields(form: Form) -> list[Field]:
    return [field for field in form.fields if field.kind not in _UNSEEN]


def _named(fields: Sequence[Field]) -> Iterator[tuple[Field, str]]:
    """Each field under a name that no other field of the form has."""
    met: Counter[str] = Counter()
    for field in fields:
        name = field.name or field.dom_id or field.placeholder or field.title or field.kind
        met[name] += 1
        yield field, name if met[name] == 1 else f"{name} {met[name]}"


def _target(action: Url) -> str:
    """Without long numbers, which name one posting of many that carry the same form."""
    return _long_number("#", f"{host_of(site_of(action))}{path_of(action).partition('?')[0]}")


def _loose_forms(modern: ModernPage) -> Iterator[Form]:
    tree = LexborHTMLParser(modern.html)
    labels = {node.attributes.get("for"): node for node in tree.css("label")}
    regions: dict[int, list[Field]] = {}
    for node in tree.css("input, select, textarea"):
        if node.attributes.get("form") or _ancestor(node, frozenset({"form"})) is not None:
            continue
        field = _read_field(node, labels)
        if field.kind in _TICKED:
            region = _ancestor(node, _REGIONS)
            regions.setdefault(region.mem_id if region else 0, []).append(field)
        elif field.kind not in _UNSEEN:
            yield _implicit(modern, [field])
    for fields in regions.values():
        yield _implicit(modern, fields[:_MOST_TICKS])


def _implicit(modern: ModernPage, fields: Sequence[Field]) -> Form:
    return Form(modern.page.url, None, "get", tuple(fields), source=BOX)


def _ancestor(node: LexborNode, tags: frozenset[str]) -> LexborNode | None:
    parent = node.parent
    while parent is not None and parent.tag not in tags:
        parent = parent.parent
    return parent


def _read_field(node: LexborNode, labels: dict[str | None, LexborNode]) -> Field:
    attributes = node.attributes
    dom_id = attributes.get("id") or ""
    label = labels.get(dom_id) if dom_id else _ancestor(node, frozenset({"label"}))
    text = " ".join((label.text() if label is not None else "").split())
    kind = (attributes.get("type") or "text").lower() if node.tag == "input" else node.tag or ""
    return Field(
        name=attributes.get("name") or "",
        kind=kind,
        label=(text or attributes.get("aria-label") or "")[:200],
        placeholder=attributes.get("placeholder") or "",
        title=attributes.get("title") or "",
        value=attributes.get("value") or "",
        options=tuple(
            Option(option.attributes.get("value") or "", " ".join(option.text().split()))
            for option in node.css("option")
        ),
        is_checked="checked" in attributes,
        is_required="required" in attributes,
        autocomplete=attributes.get("autocomplete") or "",
        dom_id=dom_id,
    )
