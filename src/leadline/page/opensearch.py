"""OpenSearch descriptions: the small XML files that tell browsers how a site is searched.

The crawl and the harvest fetch them; `page.parse` finds where they stand. They are read with the
parser of pages, which knows no entities of its own, no DTD and no other files.
"""

from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from leadline.core.page import OPENSEARCH, Form
from leadline.core.url import AS_IT_IS, Url, UrlJoiner
from leadline.page.html_tree import parse_html
from leadline.page.templates import build_template_door

MAX_BYTES = 100_000
"""Of a description: real ones are a few kilobytes, most of it an icon."""
_MAX_URLS = 20
_PAGES = frozenset({"text/html", "application/xhtml+xml", ""})
_MAX_TEXT_CHARS = 300


def is_description(body: bytes) -> bool:
    """Whether an answer is an OpenSearch description, whatever its server calls it."""
    return b"<opensearchdescription" in body[:2_000].lower()


def read_description(body: bytes, url: Url, page: Url, content_type: str = "") -> tuple[Form, ...]:
    """The doors that the description at `url` tells of, as doors of the page that names it.

    Those that answer with pages: what other formats they answer in stands in `attributes`.
    """
    if not is_description(body):
        return ()
    tree = parse_html(body[:MAX_BYTES], content_type).tree
    urls = [node for node in tree.css("url") if _is_results(node)][:_MAX_URLS]
    texts = (tree.css_first(name) for name in ("shortname", "longname", "description"))
    told = dict.fromkeys(_own_text(node) for node in texts if node is not None)
    kinds = [(node.attributes.get("type") or "").strip().lower() for node in urls]
    others = " ".join(dict.fromkeys(kind for kind in kinds if kind not in _PAGES))
    join = UrlJoiner(url, AS_IT_IS)
    doors = (
        build_template_door(
            _template(node),
            page,
            join,
            OPENSEARCH,
            query_names=("searchTerms",),
            text=" ".join(filter(None, told)),
            attributes=others,
        )
        for node, kind in zip(urls, kinds, strict=True)
        if kind in _PAGES
    )
    return tuple({door.action: door for door in doors if door is not None}.values())


def _is_results(node: LexborNode) -> bool:
    attributes = node.attributes
    is_sent_by_get = (attributes.get("method") or "get").lower() == "get"
    return is_sent_by_get and (attributes.get("rel") or "results").lower() == "results"


def _template(node: LexborNode) -> str:
    """With the parameters that browsers' own extension writes as elements of their own."""
    template = node.attributes.get("template") or ""
    pairs = [f"{a.get('name')}={a.get('value') or ''}" for a in _parameters(node) if a.get("name")]
    if not pairs:
        return template
    return f"{template}{'&' if '?' in template else '?'}{'&'.join(pairs)}"


def _parameters(node: LexborNode) -> Iterator[dict[str, str | None]]:
    child = node.first_child
    while child is not None:
        if child.tag == "param":
            yield child.attributes
        child = child.next


def _own_text(node: LexborNode) -> str:
    """Of an element that is never closed, the parser takes what follows for its inside."""
    child = node.first_child
    text = (child.text_content or "") if child is not None and child.tag == "-text" else ""
    return " ".join(text.split())[:_MAX_TEXT_CHARS]
