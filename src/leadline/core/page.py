"""What a page holds: its text leaf by leaf, its links, its forms.

Types are msgspec Structs: frozen, ten times quicker to build than frozen
dataclasses, and written out without a second description (decision 0002).
"""

from msgspec import Struct

from leadline.core.url import Url


class Link(Struct, frozen=True, gc=False):
    """An edge not yet followed: where it leads and where it stood on its page.

    The leaves `first_leaf`..`last_leaf` of its page lie inside the anchor
    (offset 0 of <term, offset> features); the words around it are read from
    the page's leaves, so that sixty links do not carry the page sixty times.
    """

    target: Url
    anchor: str
    """Visible text of the anchor; the alternative text of its image if there is none."""
    first_leaf: int
    last_leaf: int
    """Inclusive; `first_leaf - 1` when the anchor holds no leaf at all."""
    tag_path: str
    """From the body down: `body/div.menu/ul/li`, classes included."""
    position: int
    """The link's number on its page, from 0."""
    nofollow: bool = False
    title: str = ""
    """The title attribute."""


class Option(Struct, frozen=True, gc=False):
    """One choice of a select, or of a group of radio buttons."""

    value: str
    text: str
    is_selected: bool = False
    is_disabled: bool = False


class Field(Struct, frozen=True, gc=False):
    """One control of a form; radio buttons of one name are one field."""

    name: str
    kind: str
    """The input type in lower case, or `select`, `textarea`, `button`."""
    label: str = ""
    label_source: str = ""
    """Where the label was found: for, wrap, aria, cell, before, placeholder, title, name."""
    placeholder: str = ""
    title: str = ""
    """The title attribute."""
    value: str = ""
    """The default value; of a textarea its text, of a checkbox what is sent when ticked."""
    options: tuple[Option, ...] = ()
    is_checked: bool = False
    is_required: bool = False
    is_disabled: bool = False
    is_multiple: bool = False
    size: int = 0
    """The size attribute, 0 when absent."""
    max_length: int = 0
    pattern: str = ""
    autocomplete: str = ""
    dom_id: str = ""
    position: int = 0
    """Its number among all controls of its form, buttons included, in document order."""
    action: Url | None = None
    """Of a button: where it sends the form to, if it says so itself."""
    method: str = ""
    """Of a button: `get` or `post`, if it says so itself."""


FORM = "form"
"""A form element."""
BOX = "box"
"""A search box outside any form element, which only a script reads."""
REGION = "region"
"""One button of a form around a whole page, and the controls that belong to it."""
OPENSEARCH = "opensearch"
"""The URL template of an OpenSearch description."""
SEARCH_ACTION = "search-action"
"""The target of a schema.org SearchAction."""
TEMPLATE = "template"
"""A URL template that a person gave."""
LINK = "link"
"""A template made of the address of a page of results, met in a link."""
LISTING = "listing"
"""The address of a list that is read page by page: nothing can be asked there."""

SOURCES = (FORM, BOX, REGION, OPENSEARCH, SEARCH_ACTION, TEMPLATE, LINK, LISTING)
TEMPLATE_SOURCES = frozenset({OPENSEARCH, SEARCH_ACTION, TEMPLATE, LINK, LISTING})
"""Doors that are a URL template. Where their action holds `{name}`, what is put into the field of
that name stands there when they are asked, instead of in the query."""


class Form(Struct, frozen=True, gc=False):
    """A door: a way to search, reduced to what a classifier, a query and a reader need.

    Most are HTML forms; `source` says what the others are.
    """

    page: Url
    """The page it stands on."""
    action: Url | None
    """Where it submits to; None when the action cannot be reached by HTTP."""
    method: str
    """`get` or `post`; `dialog` forms are not reported."""
    fields: tuple[Field, ...]
    submits: tuple[Field, ...] = ()
    """Submit buttons, image buttons and `<button>`s, in document order."""
    encoding: str = "application/x-www-form-urlencoded"
    charset: str = ""
    """accept-charset, else the page's own."""
    text: str = ""
    """Visible text inside the form, option texts left out."""
    attributes: str = ""
    """The form tag's own id, name, class, action and role, as one string."""
    has_search_role: bool = False
    position: int = 0
    source: str = FORM
    """What kind of door it is: one of SOURCES."""

    @property
    def is_implicit(self) -> bool:
        """Whether it is no form element of its page, nor a part of one."""
        return self.source not in (FORM, REGION)

    @property
    def is_template(self) -> bool:
        """Whether it is made of a URL template, and not of controls."""
        return self.source in TEMPLATE_SOURCES


class PageMarks(Struct, frozen=True, gc=False):
    """What the markup of a page says about the kind of things it shows."""

    types: tuple[str, ...] = ()
    """Types that structured data declare, and `og:` with the type of Open Graph; each once."""
    articles: int = 0
    """Elements of that name; so are the next."""
    times: int = 0
    has_feed: bool = False
    """Whether it links to one."""
    names_author: bool = False
    names_generator: bool = False
    """Whether a `meta` element does."""


NO_MARKS = PageMarks()


_BEFORE_LEAVES = 8
_BEFORE_CHARS = 160
"""A question and the links that answer it (`Delete this entry? Yes No`) stand so near."""


class Page(Struct, frozen=True, gc=False):
    """A fetched page, parsed. Made from any bytes; parsing never fails."""

    url: Url
    title: str
    leaves: tuple[str, ...]
    """Text of every leaf of the tag tree in document order; '' for textless ones."""
    links: tuple[Link, ...]
    forms: tuple[Form, ...]
    language: str = ""
    """Two letters, declared or detected; '' when unknown."""
    canonical: Url | None = None
    base: str = ""
    description: str = ""
    is_noindex: bool = False
    is_nofollow: bool = False
    search_descriptions: tuple[Url, ...] = ()
    """Where the OpenSearch descriptions stand that the page links to: each tells of a door."""
    marks: PageMarks = NO_MARKS
    truncated: str = ""
    """Which cap cut the page short: nodes, links, forms, controls, depth or attributes; or ''."""

    @property
    def text(self) -> str:
        """The visible text, one leaf a line."""
        return "\n".join(leaf for leaf in self.leaves if leaf)

    def text_before(self, link: Link) -> str:
        """The nearest text before a link, at most _BEFORE_CHARS of it."""
        near: list[str] = []
        chars = 0
        for leaf in reversed(
            self.leaves[max(0, link.first_leaf - _BEFORE_LEAVES) : link.first_leaf]
        ):
            if leaf and chars < _BEFORE_CHARS:
                near.append(leaf)
                chars += len(leaf)
        return " ".join(reversed(near))[-_BEFORE_CHARS:]
