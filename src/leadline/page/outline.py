"""The tag tree of a page as rows in document order, for readers that compare its parts.

A `Page` has what crawls need of a page: text, links, forms. Reading a list of results or finding
the next page needs the tree itself.
"""

from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborNode

from leadline.core.url import DEFAULT_RULES, Url, UrlJoiner, UrlRules, canonical
from leadline.page.html_tree import HtmlTree, parse_html
from leadline.page.markup_guard import LONG_SELECT, MAX_DEPTH

TEXT = "#text"
"""The tag of a row that is a piece of text."""
LINE = "#line"
"""The tag of a row where a line of preformatted text ends; its attribute `indent` counts the
blanks that the next line begins with."""
MAX_ROWS = 100_000
"""As many nodes as of a Page: real pages stay far below."""
MAX_RELATIONS = 200
"""Link elements of a head that are read: real heads have some tens."""
_UNSEEN = frozenset({"script", "style", "template", "svg", "math", "noscript", "title", "head"})
_KEPT = frozenset(
    "class id href src alt title rel role name value type action method for lang datetime content "
    "itemprop itemtype colspan hidden open style disabled aria-label aria-current aria-disabled "
    "onclick data-href data-url".split()
)
"""Attributes that are kept; of those beginning with `data-` only the ones that hold an address."""
_NO_ATTRIBUTES: dict[str, str] = {}
_MAX_TEXT_ROWS = 5_000
"""Rows inside an element whose text is asked for: titles, cells and links have a few. Elements of
traps hold one another, each with the text of all."""
_TAB = 8
"""Columns of a tab in preformatted text."""


class Outline:
    """Row 0 is the body. A row's descendants are the rows after it, up to `ends[row]`.

    Preformatted text has a row for each piece of a line and one for each line's end.
    Made from any bytes; never fails. Nothing is changed after it was made.
    """

    __slots__ = (
        "attributes", "ends", "join", "parents", "relations", "tags", "texts", "truncated", "url",
    )  # fmt: skip

    def __init__(self, url: Url, join: UrlJoiner) -> None:
        self.url = url
        self.join = join
        """The absolute URL of an href, or None."""
        self.tags: list[str] = []
        self.parents: list[int] = []
        """-1 for row 0."""
        self.ends: list[int] = []
        """One past the last descendant."""
        self.texts: list[str] = []
        """Of text rows, white space folded; '' of elements."""
        self.attributes: list[dict[str, str]] = []
        self.relations: dict[str, str] = {}
        """What the head's link elements lead to by their relation, the first of each."""
        self.truncated = False

    def __len__(self) -> int:
        return len(self.tags)

    def children(self, row: int) -> Iterator[int]:
        child, end = row + 1, self.ends[row]
        while child < end:
            yield child
            child = self.ends[child]

    def text(self, row: int) -> str:
        """All visible text inside, of the first rows if there are thousands."""
        end = min(self.ends[row], row + _MAX_TEXT_ROWS)
        return " ".join(filter(None, self.texts[row:end]))

    def within(self, row: int, tag: str) -> list[int]:
        """Descendants with that tag."""
        return [other for other in range(row + 1, self.ends[row]) if self.tags[other] == tag]

    def path(self, row: int, top: int = 0) -> str:
        """The tags from below `top` down to the row."""
        steps = []
        while row > top:
            steps.append(self.tags[row])
            row = self.parents[row]
        return "/".join(reversed(steps))

    def link(self, row: int) -> Url | None:
        """Where an anchor leads."""
        return self.join(self.attributes[row].get("href", "").strip())


def outline_of(
    body: bytes, url: Url, content_type: str = "", *, rules: UrlRules = DEFAULT_RULES
) -> Outline:
    """The outline of `body`; time is linear in its length."""
    return outline_from(parse_html(body, content_type), url, rules=rules)


def outline_from(html: HtmlTree, url: Url, *, rules: UrlRules = DEFAULT_RULES) -> Outline:
    """The outline of a tag tree that was parsed before."""
    tree = html.tree
    base = tree.css_first("base[href]")
    href = (base.attributes.get("href") or "") if base is not None else ""
    outline = Outline(url, UrlJoiner(canonical(href, url) or url, rules))
    for node in islice(tree.css("head link[rel][href]"), MAX_RELATIONS):
        for relation in (node.attributes.get("rel") or "").lower().split():
            outline.relations.setdefault(relation, node.attributes.get("href") or "")
    top = tree.body or tree.root
    if top is not None:
        _fill(outline, top)
    return outline


def _fill(outline: Outline, top: LexborNode) -> None:
    _add(outline, top, -1, keeps_lines=False)
    above: list[int] = [0]
    nodes: list[LexborNode] = []
    preformatted: list[int] = []
    node = top.first_child
    while node is not None and len(outline) < MAX_ROWS:
        is_open = _add(outline, node, above[-1], keeps_lines=bool(preformatted))
        child = node.first_child if is_open and len(nodes) < MAX_DEPTH else None
        if child is not None:
            above.append(len(outline) - 1)
            nodes.append(node)
            if outline.tags[-1] == "pre":
                preformatted.append(above[-1])
            node = child
            continue
        following = node.next
        while following is None and nodes:
            row = above.pop()
            outline.ends[row] = len(outline)
            if preformatted and preformatted[-1] == row:
                preformatted.pop()
            following = nodes.pop().next
        node = following
    outline.truncated = node is not None
    for row in above:
        outline.ends[row] = len(outline)


def _add(outline: Outline, node: LexborNode, parent: int, *, keeps_lines: bool) -> bool:
    """Whether the row was added and what is inside is of interest."""
    tag = node.tag or ""
    if tag == LONG_SELECT:
        tag = "select"
    if tag == "-text":
        text = node.text_content or ""
        if keeps_lines and "\n" in text:
            _add_lines(outline, text, parent)
        elif text := " ".join(text.split()):
            _append(outline, TEXT, parent, text, _NO_ATTRIBUTES)
        return False
    if tag in _UNSEEN or tag.startswith(("-", "!")):
        return False
    given = node.attributes
    kept = {name: value or "" for name, value in given.items() if name in _KEPT}
    _append(outline, tag, parent, "", kept or _NO_ATTRIBUTES)
    return True


def _add_lines(outline: Outline, text: str, parent: int) -> None:
    for number, line in enumerate(text.split("\n", MAX_ROWS)):
        if len(outline) + 2 > MAX_ROWS:
            return
        spread = line.expandtabs(_TAB)
        stripped = spread.lstrip()
        if number:
            blanks = len(spread) - len(stripped)
            indent = {"indent": str(blanks)} if blanks else _NO_ATTRIBUTES
            _append(outline, LINE, parent, "", indent)
        if stripped:
            _append(outline, TEXT, parent, " ".join(stripped.split()), _NO_ATTRIBUTES)


def _append(outline: Outline, tag: str, parent: int, text: str, attributes: dict[str, str]) -> None:
    outline.tags.append(tag)
    outline.parents.append(parent)
    outline.texts.append(text)
    outline.attributes.append(attributes)
    outline.ends.append(len(outline.tags))
