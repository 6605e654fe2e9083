"""Bytes to Page in one walk over the tag tree."""

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from leadline.core.page import Link, Page
from leadline.core.url import DEFAULT_RULES, Url, UrlJoiner, UrlRules, canonical
from leadline.page.decode import charset_of
from leadline.page.forms import Control, FormFrame, FormParts, build_forms
from leadline.page.hostile import without_traps
from leadline.page.language import language_of


class PageLimits(Struct, frozen=True):
    """How much of a page is read. Real pages stay far below; hostile ones are cut."""

    nodes: int = 100_000
    links: int = 5_000
    forms: int = 200
    controls: int = 5_000
    anchor_nodes: int = 200
    """Nodes inside one anchor: whole-card links have tens."""
    path_depth: int = 32
    anchor_chars: int = 300


DEFAULT_LIMITS = PageLimits()

_UNSEEN = frozenset(
    {"script", "style", "template", "title", "svg", "math", "object", "audio", "video"}
)
"""Elements whose inside is no visible text of the page."""
_MARKS = frozenset({"-comment", "-doctype", "!doctype", "-undef", "-document"})
_CONTROLS = frozenset({"input", "select", "textarea", "button"})
_LINKS = {"a": "href", "area": "href", "iframe": "src", "frame": "src"}
_NAMED_BY_CLASS = frozenset(
    {"div", "ul", "ol", "nav", "section", "table", "aside", "header", "footer", "main", "article"}
)
"""Elements whose first class tells parts of a page apart; those of items seldom do."""
_NEVER = 1 << 60
_refresh_url = re.compile(r"url\s*=\s*[\"']?([^\"'>\s]+)", re.IGNORECASE).search


def parse_page(
    body: bytes,
    url: Url,
    content_type: str = "",
    *,
    rules: UrlRules = DEFAULT_RULES,
    limits: PageLimits = DEFAULT_LIMITS,
) -> Page:
    """The page in `body`. Any bytes give a page; time is linear in their number."""
    charset = charset_of(body, content_type)
    if charset != "utf-8":
        body = body.decode(charset, "replace").encode("utf-8", "replace")
    body, cut = without_traps(body)
    tree = LexborHTMLParser(body)
    head = _Head(tree, url)
    join = UrlJoiner(head.base or url, rules)
    walk = _Walk(join, limits)
    walk.add_refresh(head.refresh)
    top = tree.body or tree.root
    if top is not None:
        walk.over(top)
    return Page(
        url=url,
        title=head.title,
        leaves=tuple(walk.leaves),
        links=tuple(walk.links),
        forms=build_forms(walk.found(), url, head.base or url, charset),
        language=language_of(head.language, walk.leaves),
        canonical=join(head.canonical) if head.canonical else None,
        base=head.base,
        description=head.description,
        is_noindex="noindex" in head.robots or "none" in head.robots,
        is_nofollow="nofollow" in head.robots or "none" in head.robots,
        truncated=walk.truncated or cut,
    )


class _Head:
    """What the page says about itself: base, title, language, robots, canonical."""

    def __init__(self, tree: LexborHTMLParser, url: Url) -> None:
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
        for node in islice(_children(tree.head), 500):
            self._read(node)

    def _read(self, node: LexborNode) -> None:
        tag = node.tag
        if tag == "meta":
            self._read_meta(node.attributes)
        elif tag == "title" and not self.title:
            self.title = fold(node.text())[:500]
        elif tag == "base" and not self.base:
            self.base = canonical(node.attributes.get("href") or "", self._url) or ""
        elif tag == "link" and (node.attributes.get("rel") or "").lower() == "canonical":
            self.canonical = node.attributes.get("href") or ""

    def _read_meta(self, attributes: dict[str, str | None]) -> None:
        name = (attributes.get("name") or attributes.get("http-equiv") or "").lower()
        content = attributes.get("content") or ""
        if name == "robots":
            self.robots += content.lower()
        elif name == "description":
            self.description = fold(content)[:500]
        elif name == "refresh":
            found = _refresh_url(content)
            self.refresh = found[1] if found else ""
        elif name == "content-language" and not self.language:
            self.language = content


def _children(node: LexborNode | None) -> Iterator[LexborNode]:
    child = node.first_child if node is not None else None
    while child is not None:
        yield child
        child = child.next


def fold(text: str) -> str:
    """`text` with runs of white space as one blank."""
    return " ".join(text.split())


class _Walk:
    """Collects leaves, links, forms and controls in document order.

    The tree gives nodes in order but not where elements end, so for each
    anchor and form the nodes inside are counted ahead; the counts are capped,
    which keeps the whole linear.
    """

    def __init__(self, join: UrlJoiner, limits: PageLimits) -> None:
        self.leaves: list[str] = []
        self.links: list[Link] = []
        self.forms: list[FormFrame] = []
        self.controls: list[Control] = []
        self.labels: list[LexborNode] = []
        self.truncated = ""
        self._join = join
        self._limits = limits
        self._paths: dict[int, str] = {}
        self._anchor: LexborNode | None = None
        self._anchor_start = 0
        self._anchor_href = ""
        self._anchor_image = ""
        self._anchor_attributes: dict[str, str | None] = {}
        self._anchor_end = _NEVER
        self._form_end = _NEVER
        self._due = _NEVER

    def over(self, root: LexborNode) -> None:
        append = self.leaves.append
        resume = index = 0
        due = self._due
        for index, node in enumerate(islice(root.traverse(include_text=True), self._limits.nodes)):
            if index >= due:
                due = self._close_due(index)
            if index < resume:
                continue
            tag = node.tag
            if tag == "-text":
                text = (node.text_content or "").split()
                if text:
                    append(" ".join(text))
            elif tag in _INTERESTING:
                resume = self._enter(node, tag, index)
                due = self._due
            elif node.first_child is None:
                append("")
        self._finish(index)

    def _finish(self, last: int) -> None:
        if last + 1 == self._limits.nodes:
            self.truncated = "nodes"
        if self._anchor is not None:
            self._close_anchor(self._anchor)
        if self.forms:
            self.forms[-1].close(len(self.leaves))

    def found(self) -> FormParts:
        """What forms are built from."""
        return FormParts(self.forms, self.controls, self.labels, self.leaves)

    def add_refresh(self, href: str) -> None:
        """A page that sends its reader on links to where it sends them."""
        target = self._join(href) if href else None
        if target is not None:
            self.links.append(Link(target, "", 0, -1, "meta", 0))

    def _enter(self, node: LexborNode, tag: str, index: int) -> int:
        """Take in an element; the index of the node to go on from."""
        if tag in _LINKS:
            self._open_anchor(node, tag, index)
        elif tag in _CONTROLS:
            return self._add_control(node, tag, index)
        elif tag == "form":
            self._open_form(node, index)
        elif tag == "img":
            self.leaves.append("")
            if self._anchor is not None and not self._anchor_image:
                self._anchor_image = node.attributes.get("alt") or ""
        elif tag == "label":
            self.labels.append(node)
        elif tag not in _MARKS:
            return self._end(node, index, self._limits.nodes)
        return index + 1

    def _end(self, node: LexborNode, index: int, cap: int) -> int:
        """The index of the first node after `node` and all inside it, which `cap` limits."""
        child = node.first_child
        if child is None:
            return index + 1
        if child.next is None and child.first_child is None:
            return index + 2
        return index + sum(1 for _ in islice(node.traverse(include_text=True), cap + 1))

    def _close_due(self, index: int) -> int:
        """Close what ended before the node at `index`; when to look again."""
        if self._anchor is not None and index >= self._anchor_end:
            self._close_anchor(self._anchor)
        if index >= self._form_end:
            self.forms[-1].close(len(self.leaves))
            self._form_end = _NEVER
        self._due = min(self._anchor_end, self._form_end)
        return self._due

    def _open_anchor(self, node: LexborNode, tag: str, index: int) -> None:
        attributes = node.attributes
        href = attributes.get(_LINKS[tag])
        if not href:
            return
        if self._anchor is not None:
            self._close_anchor(self._anchor)
        self._anchor = node
        self._anchor_href = href
        self._anchor_image = ""
        self._anchor_attributes = attributes
        self._anchor_start = len(self.leaves)
        self._anchor_end = self._end(node, index, self._limits.anchor_nodes)
        self._due = min(self._anchor_end, self._form_end)

    def _close_anchor(self, node: LexborNode) -> None:
        self._anchor = None
        self._anchor_end = _NEVER
        if len(self.links) >= self._limits.links:
            self.truncated = "links"
            return
        target = self._join(self._anchor_href.strip())
        if target is None:
            return
        start, end = self._anchor_start, len(self.leaves)
        anchor = (
            self.leaves[start] if end == start + 1 else " ".join(self.leaves[start:end]).strip()
        )
        attributes = self._anchor_attributes
        title = attributes.get("title") or ""
        if not anchor:
            anchor = fold(self._anchor_image or title or attributes.get("aria-label") or "")
        cut = self._limits.anchor_chars
        rel = attributes.get("rel")
        self.links.append(
            Link(
                target=target,
                anchor=anchor[:cut],
                first_leaf=start,
                last_leaf=end - 1,
                tag_path=self._path(node),
                position=len(self.links),
                nofollow=rel is not None and "nofollow" in rel.lower(),
                title=fold(title)[:cut] if title else "",
            )
        )

    def _open_form(self, node: LexborNode, index: int) -> None:
        if len(self.forms) >= self._limits.forms:
            self.truncated = "forms"
            return
        if self.forms:
            self.forms[-1].close(len(self.leaves))
        self._form_end = self._end(node, index, self._limits.nodes // 10)
        self._due = min(self._anchor_end, self._form_end)
        is_detached = self._form_end == index + 1
        self.forms.append(FormFrame(node, len(self.leaves), is_detached=is_detached))

    def _add_control(self, node: LexborNode, tag: str, index: int) -> int:
        if len(self.controls) >= self._limits.controls:
            self.truncated = "controls"
            return index + 1
        self.controls.append(Control(node, tag, len(self.leaves), self._owner()))
        if tag == "button":
            return index + 1
        self.leaves.append("")
        return self._end(node, index, self._limits.nodes)

    def _owner(self) -> int | None:
        """The form a control stands in; spec parsers detach forms opened inside tables."""
        if not self.forms:
            return None
        if self._form_end != _NEVER or self.forms[-1].is_detached:
            return len(self.forms) - 1
        return None

    def _path(self, node: LexborNode) -> str:
        """Tags and first classes from the body down to the link's parent."""
        parent = node.parent
        chain: list[LexborNode] = []
        known: str | None = None
        while parent is not None and len(chain) < self._limits.path_depth:
            known = self._paths.get(parent.mem_id)
            if known is not None:
                break
            chain.append(parent)
            parent = parent.parent
        path = known or ""
        for step in reversed(chain):
            path = self._paths[step.mem_id] = _step(path, step)
        return path


def _step(known: str, node: LexborNode) -> str:
    tag = node.tag or ""
    if tag in ("html", "-undef", "-document", ""):
        return ""
    if tag in _NAMED_BY_CLASS:
        classes = (node.attributes.get("class") or "").split(None, 1)
        if classes:
            tag = f"{tag}.{classes[0]}"
    return f"{known}/{tag}" if known else tag


_INTERESTING = _MARKS | _UNSEEN | _CONTROLS | frozenset(_LINKS) | {"form", "img", "label"}
