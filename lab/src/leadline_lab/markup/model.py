"""A page before it has any markup: what a template family turns into HTML."""

from msgspec import Struct


class Anchor(Struct, frozen=True, gc=False):
    """A link to be."""

    href: str
    text: str
    title: str = ""
    image: str = ""
    """Alternative text of an image that stands instead of the text; '' for a text link."""
    nofollow: bool = False


Inline = str | Anchor
"""Running text, or a link inside it. Not escaped."""


class Control(Struct, frozen=True):
    """One control of a form."""

    name: str
    kind: str = "text"
    """An input type, or `select`, `radio`, `checkbox`, `textarea`."""
    label: str = ""
    value: str = ""
    placeholder: str = ""
    options: tuple[tuple[str, str], ...] = ()
    """(value, text) of a select or of a group of radio buttons."""
    is_required: bool = False
    size: int = 0


class FormModel(Struct, frozen=True):
    """A form to be."""

    action: str
    """'' for the page itself."""
    controls: tuple[Control, ...]
    method: str = "get"
    submits: tuple[tuple[str, str], ...] = (("", "Search"),)
    """(name, label) of each submit button; none for a form sent by the return key."""
    legend: str = ""
    """A heading or a sentence that stands before the controls."""
    name: str = ""
    """For the id, name or class of the form tag; '' for none."""
    has_search_role: bool = False
    is_scripted: bool = False
    """Exists only after a script has run."""
    encoding: str = ""


class Heading(Struct, frozen=True):
    text: str
    level: int = 2


class Prose(Struct, frozen=True):
    """Paragraphs of running text with links in it."""

    paragraphs: tuple[tuple[Inline, ...], ...]


class Links(Struct, frozen=True):
    """Links without text between them."""

    kind: str
    """`menu`, `crumbs`, `tags`, `pager`, `list`, `related`, `footer`."""
    anchors: tuple[Anchor, ...]
    title: str = ""
    groups: tuple[int, ...] = ()
    """Of a mega menu: how many anchors fall under each first one, in order; () for a flat menu."""


class Item(Struct, frozen=True):
    """One thing of a listing: a product, an article, a search result."""

    anchor: Anchor
    text: tuple[Inline, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    """(name, value): author, price, date ..."""
    image: str = ""
    """Alternative text; '' for no image."""


class Listing(Struct, frozen=True):
    """Things of one kind. `layout` is '' for the family's own, else what the page insists on."""

    items: tuple[Item, ...]
    layout: str = ""
    """`table`, `list`, `cards`, `definitions`, `preformatted`."""
    title: str = ""


class Facts(Struct, frozen=True):
    """Names and values of one thing: a detail page's core."""

    pairs: tuple[tuple[str, str], ...]


class Grid(Struct, frozen=True):
    """A table of cells, a calendar for example."""

    rows: tuple[tuple[tuple[Inline, ...], ...], ...]
    head: tuple[str, ...] = ()


Block = Heading | Prose | Links | Listing | Facts | Grid | FormModel


class SiteFrame(Struct, frozen=True):
    """What all pages of a site share."""

    name: str
    language: str
    header: tuple[Block, ...] = ()
    aside: tuple[Block, ...] = ()
    footer: tuple[Block, ...] = ()


class PageModel(Struct, frozen=True):
    """What one page adds."""

    title: str
    main: tuple[Block, ...]
    crumbs: tuple[Anchor, ...] = ()
    description: str = ""
    canonical: str = ""
    robots: str = ""
    """Content of the robots meta tag, '' for none."""
