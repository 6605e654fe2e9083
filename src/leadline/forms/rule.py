"""A rule of thumb for searchable forms, until a trained classifier judges them."""

import re

from leadline.core.page import Form

_FREE = frozenset({"text", "search", "number", "tel", "date", "month"})
_NEVER = {
    "password": "asks for a password",
    "file": "uploads a file",
    "email": "asks for an e-mail address",
    "textarea": "takes a message",
}
_search_word = re.compile(
    r"search|find\b|query|keyword|look ?up|browse|such(?:e|en)\b|recherch|busc|cerca|zoek"
    r"|поиск|検索|搜索",
    re.IGNORECASE,
).search
_other_word = re.compile(
    r"subscrib|newsletter|sign ?up|log ?in|sign ?in|regist|comment|contact|e-?mail|checkout|"
    r"add to (?:cart|basket)|unsubscribe|donat",
    re.IGNORECASE,
).search


def searchable(form: Form) -> tuple[float, str]:
    """A degree of belief that the form queries a database, and why."""
    for field in form.fields:
        if field.kind in _NEVER:
            return 0.02, _NEVER[field.kind]
    free = [f for f in form.fields if f.kind in _FREE and not f.is_disabled]
    choices = [f for f in form.fields if f.kind == "select"]
    if not free and not choices:
        return 0.05, "nothing to fill in"
    words = _words(form)
    if form.has_search_role or any(f.kind == "search" for f in free):
        return 0.97, "marked as a search box"
    if _other_word(words) and not _search_word(words):
        return 0.1, "its words speak of something else"
    if _search_word(words):
        return 0.95 if form.method == "get" else 0.9, "its words speak of searching"
    if form.method == "get" and free:
        return 0.6, "a text box sent by GET"
    return (0.5, "choices only") if choices else (0.25, "a text box sent by POST")


def _words(form: Form) -> str:
    parts = [form.text, form.attributes]
    for field in (*form.fields, *form.submits):
        parts += [field.name, field.label, field.placeholder, field.value, field.dom_id]
    return " ".join(filter(None, parts))[:5_000]
