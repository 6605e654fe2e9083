"""Whether two forms are the same form."""

import re

import xxhash

from leadline.core.page import Form
from leadline.core.url import host_of, path_of, registered_domain, site_of

_digits = re.compile(r"\d+")


def signature(form: Form) -> str:
    """Equal for one form met on many pages: registered domain, action path, names and kinds.

    A form that submits to its own page carries that page's path, so digits in
    paths are ignored: a search box repeated on every item page is one form.
    """
    target = form.action or form.page
    path = _digits.sub("0", path_of(target).partition("?")[0])
    if form.action is None or form.action == form.page:
        path = "."
    controls = sorted(f"{field.name}:{field.kind}" for field in form.fields)
    parts = [registered_domain(host_of(site_of(target))), path, form.method, *controls]
    return xxhash.xxh3_64_hexdigest("\n".join(parts).encode("utf-8", "replace"))
