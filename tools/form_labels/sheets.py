"""Sheets to read forms from, for the person who labels them: printed, never kept."""

import re
from collections.abc import Iterable, Iterator

from selectolax.lexbor import LexborHTMLParser

from leadline.core.page import Field, Form
from tools.form_labels.units import ModernPage, form_key, units_of, visible_fields

_MOST_OPTIONS, _MOST_FIELDS, _TEXT_CHARS = 8, 30, 110
_says_search = re.compile(
    r"search|find|such|recherch|busc|cerca|zoek|s[oö]k|szuk|ara\b|поиск|检索|搜|検索|검색|بحث",
    re.IGNORECASE,
).search


def sheets(pages: Iterable[ModernPage]) -> Iterator[str]:
    """A heading for each page, and under it every form that was not printed before."""
    met: set[str] = set()
    number = 0
    for index, modern in enumerate(pages):
        yield f"== P{index} {modern.page.url[:110]} {modern.kind} | {modern.page.title[:60]}"
        yield "   " + _page_signs(modern)
        for form in units_of(modern):
            key = form_key(form, modern.host)
            if key not in met:
                met.add(key)
                yield f"[{number}] {_describe(form)}"
                number += 1


def _page_signs(modern: ModernPage) -> str:
    tree = LexborHTMLParser(modern.html)
    signs = []
    if tree.css_first('link[rel~="search"]') is not None:
        signs.append("OpenSearch")
    if "SearchAction" in modern.html:
        place = modern.html.find("SearchAction")
        signs.append("SearchAction " + re.sub(r"\s+", "", modern.html[place : place + 130])[12:])
    links = [
        f"{link.anchor[:25]}>{link.target.partition('//')[2].partition('/')[2][:35]}"
        for link in modern.page.links
        if _says_search(link.anchor) or re.search(r"search|suche|recherche", link.target)
    ]
    signs += [f"link {text}" for text in links[:3]]
    buttons = [
        (node.attributes.get("aria-label") or " ".join(node.text().split()))[:30]
        for node in tree.css("button")
        if _says_search((node.attributes.get("aria-label") or "") + node.text()[:60])
    ]
    signs += [f"button {text}" for text in buttons[:2]]
    return " ; ".join(signs)


def _describe(form: Form) -> str:
    fields = visible_fields(form)
    hidden = [field.name for field in form.fields if field.kind == "hidden"]
    action = "" if form.action in (None, form.page) else (form.action or "").partition("//")[2][:70]
    parts = [
        "LOOSE" if form.is_implicit else f"{form.method.upper()} {action}",
        "; ".join(_describe_field(i, f) for i, f in enumerate(fields[:_MOST_FIELDS])),
        f"+{len(fields) - _MOST_FIELDS}" if len(fields) > _MOST_FIELDS else "",
        "hid " + ",".join(hidden)[:60] if hidden and len(fields) < 4 else "",
        "btn " + ", ".join((b.label or b.value or b.name or b.kind)[:25] for b in form.submits[:4])
        if form.submits
        else "",
        "txt " + form.text[:_TEXT_CHARS] if form.text else "",
        "att " + form.attributes[:60] if form.attributes and not action else "",
    ]
    return " | ".join(filter(None, parts))


def _describe_field(index: int, field: Field) -> str:
    named = field.name or "#" + field.dom_id
    said = [f"{index}:{field.kind} {named[:28]}"]
    if field.label:
        said.append(f"'{field.label[:40]}'")
    if field.placeholder and field.placeholder != field.label:
        said.append(f"ph'{field.placeholder[:40]}'")
    if field.options:
        texts = "/".join((o.text or o.value)[:14] for o in field.options[:_MOST_OPTIONS])
        said.append("{" + texts + f" n{len(field.options)}" + "}")
    return " ".join(said)
