"""Bytes to `Page` in one walk over the tag tree: text, links, forms, language.

Every fetched page passes here; `docs/performance.md` has what it costs.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import py3langid
from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from leadline.core.page import Form, Link, Page
from leadline.core.url import DEFAULT_RULES, Url, UrlJoiner, UrlRules, canonical
from leadline.page.doors import SearchMarkup, find_doors
from leadline.page.forms import (
    MAX_VALUE_CHARS,
    Control,
    FormFrame,
    FormParts,
    PageContext,
    build_editable_box,
    build_forms,
)
from leadline.page.html_tree import HtmlTree, open_shadow_roots, parse_html
from leadline.page.marks import MarkCollector
from leadline.page.markup_guard import LONG_SELECT, MAX_DEPTH
from leadline.page.search_boxes import find_editable_boxes


class PageLimits(Struct, frozen=True):
    """How much of a page is read. Real pages stay far below; hostile ones are cut."""

    nodes: int = 100_000
    """Elements, and texts that stand beside them."""
    links: int = 5_000
    forms: int = 200
    controls: int = 5_000
    path_depth: int = 32
    anchor_chars: int = 300
    value_chars: int = MAX_VALUE_CHARS
    """Of a control's default value: hidden state may be long, and is of use only whole."""


DEFAULT_LIMITS = PageLimits()

_UNSEEN = frozenset(
    {"script", "style", "template", "title", "svg", "math", "object", "audio", "video"}
)
"""Elements whose inside is no visible text of the page."""
_MARKS = frozenset({"-comment", "-doctype", "!doctype", "-undef", "-document"})
"""Nodes of the parser that are no elements."""
_PAIRED = frozenset({"a", "form"})
"""Elements whose end matters."""
_CONTROLS = frozenset({"input", "select", LONG_SELECT, "textarea", "button"})
_DATA = frozenset({"script", "template", "datalist", "meta", "link"})
"""Elements that show nothing themselves, but tell of forms and doors."""
_MAX_FRAMES = 3
"""Frames with a document of their own that are looked into for forms."""
_MAX_DESCRIPTIONS = 3
"""Of searches, that a page links to: each costs a request."""
_LINKS = {"a": "href", "area": "href", "iframe": "src", "frame": "src"}
_NAMED_BY_CLASS = frozenset(
    {"div", "ul", "ol", "nav", "section", "table", "aside", "header", "footer", "main", "article"}
)
"""Elements whose first class tells parts of a page apart; those of items seldom do."""
_refresh_url = re.compile(r"url\s*=\s*[\"']?([^\"'>\s]+)", re.IGNORECASE).search


def parse_page(
    body: bytes,
    url: Url,
    content_type: str = "",
    *,
    rules: UrlRules = DEFAULT_RULES,
    limits: PageLimits = DEFAULT_LIMITS,
    is_checked: bool = False,
) -> Page:
    """The page in `body`. Any bytes give a page; time is linear in their number.

    `is_checked` is for who has asked `is_quick_to_parse` before.
    """
    html = parse_html(body, content_type, is_checked=is_checked)
    return page_from(html, url, rules=rules, limits=limits)


def page_from(
    html: HtmlTree,
    url: Url,
    *,
    rules: UrlRules = DEFAULT_RULES,
    limits: PageLimits = DEFAULT_LIMITS,
    with_regions: bool = True,
) -> Page:
    """The page in a tag tree that was parsed before. Without regions, a form around a whole page
    stays one form, as those who label forms see it."""
    walk = _Walk(html, url, rules, limits)
    if walk.has_shadow_roots:
        opened = open_shadow_roots(html)
        if opened.body != html.body:
            walk = _Walk(opened, url, rules, limits)
    head, join = walk.head, walk.join
    context = PageContext(
        url, join, html.charset, limits.value_chars, html.body, with_regions=with_regions
    )
    forms = _find_forms(walk, context)
    return Page(
        url=url,
        title=head.title,
        leaves=tuple(walk.leaves),
        links=tuple(walk.links),
        forms=(*forms, *find_doors(url, join, walk.markup, walk.links, forms)),
        language=detect_language(head.language, walk.leaves),
        canonical=join(head.canonical) if head.canonical else None,
        base=head.base,
        description=head.description,
        is_noindex="noindex" in head.robots or "none" in head.robots,
        is_nofollow="nofollow" in head.robots or "none" in head.robots,
        search_descriptions=tuple(filter(None, map(join, head.search_descriptions))),
        marks=walk.marks.finish(html.body),
        truncated=walk.truncated or html.truncated,
    )


def _find_forms(walk: "_Walk", context: PageContext) -> tuple[Form, ...]:
    """The forms and boxes of the page, and those of frames that it holds whole."""
    forms = build_forms(walk.form_parts(), context)
    for document in walk.frames:
        html = parse_html(document.encode("utf-8", "replace"), "text/html; charset=utf-8")
        inner = _Walk(html, context.page, walk.rules, walk.limits)
        forms += build_forms(inner.form_parts(), context._replace(body=html.body))
    if not forms:
        boxes = find_editable_boxes(walk.tree, context.body)
        forms = tuple(build_editable_box(node, context) for node in boxes)
    return forms


class _Head:
    """What the page says about itself: base, title, language, robots, canonical, searches."""

    def __init__(
        self, tree: LexborHTMLParser, url: Url, markup: SearchMarkup, marks: MarkCollector
    ) -> None:
        self.search_descriptions: list[str] = []
        self._markup = markup
        self._marks = marks
        self.base = ""
        self.title = ""
        self.language = ""
        self.robots = ""
        self.canonical = ""
        self.description = ""
        self.refresh = ""
        self._url = url
        root = tree.root
        if root is not None and root.tag == "html":
            self.language = root.attributes.get("lang") or ""
        # The base may stand anywhere in broken pages; the rest is read from the head.
        for node in islice(_iter_children(tree.head), 500):
            if node.tag_id != _TEXT_ID:
                self._read(node)

    def _read(self, node: LexborNode) -> None:
        tag = node.tag
        if tag == "meta":
            self._read_meta(node.attributes)
        elif tag == "title" and not self.title:
            self.title = collapse_spaces(node.text())[:500]
        elif tag == "base" and not self.base:
            self.base = canonical(node.attributes.get("href") or "", self._url) or ""
        elif tag == "link":
            self._read_link(node.attributes)
        elif tag == "script":
            read_script(node, self._markup, self._marks)

    def _read_link(self, attributes: dict[str, str | None]) -> None:
        relation = (attributes.get("rel") or "").lower()
        href = attributes.get("href") or ""
        self._marks.add_link(relation, (attributes.get("type") or "").lower())
        if relation == "canonical":
            self.canonical = href
        elif "search" in relation.split() and href:
            kind = (attributes.get("type") or "").lower()
            is_known = len(self.search_descriptions) >= _MAX_DESCRIPTIONS
            if "opensearch" in kind and not is_known:
                self.search_descriptions.append(href)

    def _read_meta(self, attributes: dict[str, str | None]) -> None:
        name = (attributes.get("name") or attributes.get("http-equiv") or "").lower()
        content = attributes.get("content") or ""
        self._marks.add_meta(name or (attributes.get("property") or "").lower(), content)
        if name == "robots":
            self.robots += content.lower()
        elif name == "description":
            self.description = collapse_spaces(content)[:500]
        elif name == "refresh":
            found = _refresh_url(content)
            self.refresh = found[1] if found else ""
        elif name == "content-language" and not self.language:
            self.language = content


def read_script(node: LexborNode, markup: SearchMarkup, marks: MarkCollector) -> None:
    """Takes structured data; scripts that act are passed over."""
    if (node.attributes.get("type") or "").strip().lower() == "application/ld+json":
        text = node.text() or ""
        markup.add_script(text)
        marks.add_data(text)


def _iter_children(node: LexborNode | None) -> Iterator[LexborNode]:
    child = node.first_child if node is not None else None
    while child is not None:
        yield child
        child = child.next


def _has_spaces(text: str) -> bool:
    """Whether there are runs of white space, or other than blanks. Testing is faster than
    splitting."""
    return "  " in text or "\n" in text or "\t" in text


def _fold_spaces(text: str) -> str:
    return " ".join(text.split()) if _has_spaces(text) else text


def collapse_spaces(text: str) -> str:
    """`text` with runs of white space as one blank."""
    return " ".join(text.split())


_Anchor = tuple[str, dict[str, str | None], int, int, str, str]
"""A link as the walk met it: href, attributes, first leaf and the one after its last, tag path,
and the alternative text of its first picture. Naming the fields would cost every page 4 %."""


class _Walk:
    """Collects leaves, links, forms and controls in document order.

    Goes from node to node by itself, because the tree's own traversal does not
    tell where an element ends, and anchors, forms and tag paths need to know.
    """

    def __init__(self, html: HtmlTree, url: Url, rules: UrlRules, limits: PageLimits) -> None:
        self.tree = html.tree
        self.markup = SearchMarkup()
        self.marks = MarkCollector()
        self.head = _Head(html.tree, url, self.markup, self.marks)
        self.rules = rules
        self.limits = limits
        self.join = UrlJoiner(self.head.base or url, rules)
        self.datalists: list[LexborNode] = []
        self.frames: list[str] = []
        """Documents of frames that stand in the page itself."""
        self.has_shadow_roots = False
        self.leaves: list[str] = []
        self.links: list[Link] = []
        self.forms: list[FormFrame] = []
        self.controls: list[Control] = []
        self.labels: list[LexborNode] = []
        self.truncated = ""
        self._above: list[LexborNode] = []
        self._tags: list[str] = []
        self._anchors: list[_Anchor] = []
        # The open link, as attributes of the walk: an object for each would cost every page 2 %.
        self._href = ""
        self._anchor_attributes: dict[str, str | None] = {}
        self._anchor_start = 0
        self._anchor_image = ""
        self._is_in_form = False
        top = html.tree.body or html.tree.root
        if top is not None:
            self.walk(top)
        self._add_refresh(self.head.refresh)
        self._build_links()

    def walk(self, root: LexborNode) -> None:  # noqa: C901, PLR0912 (no calls in the hot loop)
        append, above, tags = self.leaves.append, self._above, self._tags
        names = _COMMON_TAGS
        tags.append(root.tag or "")
        # The one hot loop of a crawl: no calls for text nodes, and none for plain elements.
        node = root.first_child
        for _ in range(self.limits.nodes):
            if node is None:
                break
            number = node.tag_id
            if number == _TEXT_ID:
                # Half of all texts are the white space between two tags.
                if not node.is_empty_text_node and (text := (node.text_content or "").strip()):
                    append(text)
            elif (
                (tag := names.get(number, ""))
                or (tag := node.tag or "") not in _INTERESTING
                or self._enter(node, tag)
            ):
                child = node.first_child
                if child is None or len(above) >= MAX_DEPTH:
                    append("")
                elif child.tag_id == _TEXT_ID and child.next is None:
                    # Most elements hold one text and nothing else.
                    if text := (child.text_content or "").strip():
                        append(text)
                else:
                    above.append(node)
                    tags.append(tag if tag not in _NAMED_BY_CLASS else _with_class(node, tag))
                    node = child
                    continue
                if tag in _PAIRED:
                    self._leave(tag)
            following = node.next
            while following is None and above:
                tag = tags.pop()
                if tag in _PAIRED:
                    self._leave(tag)
                following = above.pop().next
            node = following
        self._finish(is_cut=node is not None)

    def _finish(self, *, is_cut: bool) -> None:
        if is_cut:
            self.truncated = "nodes"
        if self._href:
            self._close_anchor()
        if self.forms:
            self.forms[-1].close(len(self.leaves))
        # One look at all leaves at once: on many pages none has spaces to fold.
        if _has_spaces("\0".join(self.leaves)):
            self.leaves[:] = map(_fold_spaces, self.leaves)

    def form_parts(self) -> FormParts:
        """What forms are built from."""
        return FormParts(
            self.forms, self.controls, self.labels, self.leaves, self.links, self.datalists
        )

    def _add_refresh(self, href: str) -> None:
        """A page that redirects its reader by a meta tag links to where it sends them."""
        target = self.join(href) if href else None
        if target is not None:
            self.links.append(Link(target, "", 0, -1, "meta", 0))

    def _build_links(self) -> None:
        """The links of all anchors that lead somewhere, once all leaves are there."""
        links, leaves, limits = self.links, self.leaves, self.limits
        cut = limits.anchor_chars
        targets = self.join.join_each([anchor[0].strip() for anchor in self._anchors])
        for target, anchor in zip(targets, self._anchors, strict=False):
            _, attributes, start, end, tags, image = anchor
            if len(links) >= limits.links:
                self.truncated = "links"
                return
            if target is None:
                continue
            text = leaves[start] if end == start + 1 else " ".join(leaves[start:end]).strip()
            title = attributes.get("title") or ""
            # Links around a picture are named by its alternative text.
            if not text:
                text = collapse_spaces(image or title or attributes.get("aria-label") or "")
            rel = attributes.get("rel")
            # By position: naming the fields takes twice as long.
            links.append(
                Link(
                    target,
                    text[:cut],
                    start,
                    end - 1,
                    tags,
                    len(links),
                    rel is not None and "nofollow" in rel.lower(),
                    collapse_spaces(title)[:cut] if title else "",
                )
            )

    def _enter(self, node: LexborNode, tag: str) -> bool:
        """Collects an element; returns whether to walk what is inside."""
        if tag in _LINKS:
            return self._open_anchor(node, tag)
        if tag in _CONTROLS:
            return self._add_control(node, "select" if tag == LONG_SELECT else tag)
        if tag == "form":
            return self._open_form(node)
        if tag == "label":
            self.labels.append(node)
            return True
        if tag == "article":
            self.marks.articles += 1
            return True
        if tag == "time":
            self.marks.times += 1
            return True
        if tag == "img":
            self.leaves.append("")
            if self._href and not self._anchor_image:
                self._anchor_image = node.attributes.get("alt") or ""
        elif tag in _DATA:
            self._read_data(node, tag)
        return False

    def _read_data(self, node: LexborNode, tag: str) -> None:
        """Elements that show nothing, but say something of forms and doors."""
        if tag == "script":
            read_script(node, self.markup, self.marks)
        elif tag == "template":
            attributes = node.attributes
            if "shadowrootmode" in attributes or "shadowroot" in attributes:
                self.has_shadow_roots = True
        elif tag == "datalist":
            self.datalists.append(node)
        else:
            self.markup.add_property(node.attributes)

    def _leave(self, tag: str) -> None:
        if tag == "a":
            if self._href:
                self._close_anchor()
        elif tag == "form":
            self._is_in_form = False
            if self.forms:
                self.forms[-1].close(len(self.leaves))

    def _open_anchor(self, node: LexborNode, tag: str) -> bool:
        attributes = node.attributes
        if tag == "iframe" and attributes.get("srcdoc") and len(self.frames) < _MAX_FRAMES:
            self.frames.append(attributes["srcdoc"] or "")
        if href := attributes.get(_LINKS[tag]):
            # Anchors do not nest: an unclosed one ends where the next begins.
            if self._href:
                self._close_anchor()
            self._href, self._anchor_attributes = href, attributes
            self._anchor_start, self._anchor_image = len(self.leaves), ""
        if tag == "a":
            return True
        self._leave("a")
        return False

    def _close_anchor(self) -> None:
        tags = self._tags
        if len(tags) > self.limits.path_depth:
            tags = tags[: self.limits.path_depth]
        self._anchors.append(
            (
                self._href,
                self._anchor_attributes,
                self._anchor_start,
                len(self.leaves),
                "/".join(tags),
                self._anchor_image,
            )
        )
        self._href = ""

    def _open_form(self, node: LexborNode) -> bool:
        if len(self.forms) >= self.limits.forms:
            self.truncated = "forms"
            return True
        if self.forms:
            self.forms[-1].close(len(self.leaves))
        is_detached = node.first_child is None
        self.forms.append(FormFrame(node, len(self.leaves), is_detached=is_detached))
        self._is_in_form = not is_detached
        return not is_detached

    def _add_control(self, node: LexborNode, tag: str) -> bool:
        if len(self.controls) >= self.limits.controls:
            self.truncated = "controls"
            return False
        self.controls.append(Control(node, tag, len(self.leaves), self._owner()))
        if tag == "button":
            return True
        self.leaves.append("")
        return False

    def _owner(self) -> int | None:
        """The form that a control stands in. Parsers that follow the standard close a form opened
        between table cells at once, and leave its controls outside: they belong to it still."""
        if self.forms and (self._is_in_form or self.forms[-1].is_detached):
            return len(self.forms) - 1
        return None


def _with_class(node: LexborNode, tag: str) -> str:
    classes = (node.attributes.get("class") or "").split(None, 1)
    return f"{tag}.{classes[0]}" if classes else tag


_TEXT_ID = next(LexborHTMLParser("text").css("body")[0].iter(include_text=True)).tag_id
"""The parser's number for a text node: comparing numbers takes half the time of comparing names."""
_COMMON_TAGS = {
    LexborHTMLParser("").create_node(name).tag_id: name
    for name in (
        "div span p ul ol li dl dt dd table tbody thead tfoot tr td th h1 h2 h3 h4 h5 h6 b strong"
        " i em u s small big font sup sub code cite abbr br hr section nav header"
        " footer main aside figure figcaption blockquote center address pre picture source fieldset"
        " legend"
    ).split()
}
"""Names of common elements by the parser's numbers for them: its own answer takes twice as long."""
_OTHERS = frozenset({"form", "img", "label", "article", "time"})
_INTERESTING = _MARKS | _UNSEEN | _CONTROLS | frozenset(_LINKS) | _DATA | _OTHERS


_ENOUGH_CHARS = 80
"""Of text to detect a language in: on less it is a guess."""
_SAMPLE_CHARS = 300
"""Of text that the language is detected in."""
_SENTENCE_CHARS = 30
"""Shorter leaves are menus and buttons, and say little about the language."""


def detect_language(declared: str, leaves: Sequence[str]) -> str:
    """What the page declares, else what its text looks like: two letters in lower case, or ''."""
    code = declared.strip()[:2].lower()
    if len(code) == 2 and code.isascii() and code.isalpha():
        return code
    parts: list[str] = []
    size = 0
    for leaf in leaves:
        if len(leaf) > _SENTENCE_CHARS:
            parts.append(leaf[:_SAMPLE_CHARS])
            size += len(leaf)
            if size > _SAMPLE_CHARS:
                break
    sample = " ".join(parts)[:_SAMPLE_CHARS]
    return str(py3langid.classify(sample)[0]) if len(sample) >= _ENOUGH_CHARS else ""
