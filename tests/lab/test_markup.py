"""Template families: what a page model says is what a parser reads, in every family."""

from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leadline.core.page import Form, Page
from leadline.core.url import Url
from leadline.page import parse_page
from leadline.page.words import split_words
from leadline_lab.markup import FAMILIES, Template
from leadline_lab.markup.families import family_of
from leadline_lab.markup.model import (
    Anchor,
    Block,
    Control,
    Facts,
    FormModel,
    Grid,
    Heading,
    Inline,
    Item,
    Links,
    Listing,
    PageModel,
    Prose,
    SiteFrame,
)

HERE = Url("http://a.test/here/page.html")
EVERY = pytest.mark.parametrize("family", range(FAMILIES))
NASTY = "a <b>bold</b> \"claim\" & 'reply' &amp; &copy; %s %(nav)s [M] [H] $nav ~ @id </script>"
FOREIGN = "Straße café поиск 検索 – “quoted” €"  # noqa: RUF001
LAYOUTS = ("", "table", "list", "cards", "definitions", "preformatted")


def at(number: int, text: str = "") -> Anchor:
    return Anchor(f"http://a.test/p/{number}?n={number}&m=1", text or f"thing {number} here")


SEARCH = FormModel(
    "/find",
    (
        Control("title", "text", "Title words", size=30, is_required=True),
        Control("author", "search", "Author", value='say "x" & y'),
        Control("note", "textarea", "Remarks", value="\none <two>"),
        Control("kind", "select", "Kind", value="b", options=(("", "Any"), ("b", "B & B"))),
        Control("shape", "radio", "Shape", value="r", options=(("r", "Round"), ("s", "Square"))),
        Control("fresh", "checkbox", "Only fresh ones", value="yes"),
        Control("state", "hidden", value="x'y"),
    ),
    method="post",
    submits=(("go", "Look up"), ("", "Now")),
    legend="Look for something",
    name="lookup",
    has_search_role=True,
)
BOX = FormModel("", (Control("q", "text", placeholder="what"),), name="box")
ITEMS = tuple(
    Item(at(40 + n), ("about ", at(50 + n), ", so"), (("Maker", f"Smith {n}"), ("", f"{n} kg")))
    for n in range(4)
)
BLOCKS: tuple[Block, ...] = (
    Heading("First level", 1),
    Heading("Second level"),
    Heading("Third level", 3),
    Prose((("Some ", at(1), " words."), ("No link at all.",), (at(2),), ("glued", at(3), "word"))),
    *(Links(kind, (at(10), Anchor("", "nowhere"), at(11)), f"box {kind}")
      for kind in ("menu", "crumbs", "tags", "pager", "list", "related", "footer")),
    Links("menu", tuple(at(20 + n) for n in range(8)), groups=(3, 0, 1)),
    Links("footer", tuple(at(30 + n) for n in range(11))),
    *(Listing(ITEMS, layout, "found things") for layout in LAYOUTS),
    Listing((Item(at(60)), Item(Anchor("", "no link"), image="a pear"), ITEMS[0])),
    Facts((("Weight", "3 kg"), ("Owner", "Ann Lee"))),
    Grid(((("one",), (at(70),)), (("two ", at(71)), ())), ("left", "right")),
    Grid(((("alone",),),)),
    SEARCH,
    BOX,
)  # fmt: skip
FRAME = SiteFrame(
    "House of Things",
    "en",
    (Links("menu", (at(80), at(81))), BOX),
    (Links("menu", (at(82), at(83)), "sections"), Links("tags", (at(84),)), Heading("Aside")),
    (Links("footer", (at(85), at(86))), Prose((("All rights.",),))),
)
PAGE = PageModel(
    'Things & "more" <here>', BLOCKS, (at(90), Anchor("", "here")), 'about "it"', HERE, "nofollow"
)


def read(family: int, *blocks: Block, frame: SiteFrame | None = None, key: int = 5) -> Page:
    template = Template(family, key)
    shared = template.frame(frame or SiteFrame("", "en"))
    return parse_page(template.page(shared, PageModel("t", blocks)), HERE)


def inlines(parts: tuple[Inline, ...]) -> Iterator[Anchor]:
    return (part for part in parts if isinstance(part, Anchor))


def anchors_of(block: Block) -> Iterator[Anchor]:
    if isinstance(block, Prose):
        yield from chain.from_iterable(map(inlines, block.paragraphs))
    elif isinstance(block, Links):
        yield from block.anchors
    elif isinstance(block, Listing):
        for item in block.items:
            yield item.anchor
            yield from inlines(item.text)
    elif isinstance(block, Grid):
        yield from chain.from_iterable(inlines(cell) for row in block.rows for cell in row)


def links_of(*blocks: Block) -> list[tuple[str, str]]:
    anchors = chain.from_iterable(map(anchors_of, blocks))
    return [(a.href, a.image or a.text) for a in anchors if a.href]


def said(parts: tuple[Inline, ...]) -> Iterator[str]:
    return (part if isinstance(part, str) else part.text for part in parts)


def texts_of(block: Block) -> Iterator[str]:
    """What has to be seen; names of facts stand once or with each thing, so they are left out."""
    if isinstance(block, Heading):
        yield block.text
    elif isinstance(block, Prose):
        yield from chain.from_iterable(map(said, block.paragraphs))
    elif isinstance(block, Links):
        yield from (block.title, *(a.text for a in block.anchors))
    elif isinstance(block, Listing):
        yield block.title
        for item in block.items:
            yield from (item.anchor.text, *said(item.text), *(value for _, value in item.facts))
    elif isinstance(block, Facts):
        yield from chain.from_iterable(block.pairs)
    elif isinstance(block, Grid):
        yield from block.head
        yield from chain.from_iterable(said(cell) for row in block.rows for cell in row)
    else:
        yield block.legend


def extras_of(block: Block) -> Iterator[str]:
    """What may be seen, and no more often than it stands here."""
    if isinstance(block, Listing):
        yield from (name for item in block.items for name, _ in item.facts)
    elif isinstance(block, FormModel):
        yield from (label for _, label in block.submits)
        for control in block.controls:
            yield from (control.label, *(text for _, text in control.options))


def words_in(texts: Iterator[str]) -> Counter[str]:
    return Counter(chain.from_iterable(map(split_words, texts)))


def links_on(page: Page) -> list[tuple[str, str]]:
    return [(link.target, link.anchor) for link in page.links]


@EVERY
@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: type(block).__name__)
def test_a_block_keeps_its_links_in_order_and_its_words(family: int, block: Block) -> None:
    page = read(family, block)
    assert links_on(page) == links_of(block)
    seen, due = words_in(iter(page.leaves)), words_in(texts_of(block))
    assert not due - seen
    assert not seen - due - words_in(extras_of(block))


@EVERY
def test_a_page_has_the_links_and_words_of_its_frame_once(family: int) -> None:
    template = Template(family, 3)
    page = parse_page(template.page(template.frame(FRAME), PAGE), HERE)
    beside = (*FRAME.header, *FRAME.aside, *FRAME.footer)
    everything = (*beside, Links("crumbs", PAGE.crumbs), *BLOCKS)
    assert sorted(links_on(page)) == sorted(links_of(*everything))
    seen = words_in(iter(page.leaves))
    due = words_in(chain([FRAME.name], *map(texts_of, everything)))
    assert not due - seen
    assert not seen - due - words_in(chain.from_iterable(map(extras_of, everything)))
    assert (page.title, page.description, page.canonical) == (PAGE.title, 'about "it"', HERE)
    assert page.is_nofollow
    assert not page.truncated


def shape(form: Form) -> list[tuple[object, ...]]:
    return [
        (f.name, f.kind, f.size, f.is_required, [(o.value, o.text) for o in f.options])
        for f in sorted(form.fields, key=lambda field: field.kind == "hidden")
    ]


def model_shape(form: FormModel) -> list[tuple[object, ...]]:
    return [
        (c.name, c.kind, c.size, c.is_required, list(c.options))
        for c in sorted(form.controls, key=lambda control: control.kind == "hidden")
    ]


@EVERY
def test_a_form_is_read_as_it_was_meant(family: int) -> None:
    form, box = read(family, SEARCH, BOX, key=family).forms
    assert (form.action, form.method) == ("http://a.test/find", "post")
    assert (box.action, box.method) == (HERE, "get")
    assert form.has_search_role
    assert "lookup" in form.attributes
    assert shape(form) == model_shape(SEARCH)
    assert shape(box) == model_shape(BOX)
    assert [(s.name, s.label) for s in form.submits] == [("go", "Look up"), ("", "Now")]
    values = {field.name: field.value for field in form.fields}
    assert values["author"] == 'say "x" & y'
    assert values["note"] == "\none <two>".removeprefix("\n")
    assert (values["fresh"], values["state"]) == ("yes", "x'y")
    chosen = {f.name: [o.value for o in f.options if o.is_selected] for f in form.fields}
    assert (chosen["kind"], chosen["shape"]) == (["b"], ["r"])


@EVERY
def test_labels_are_found_where_the_family_has_any(family: int) -> None:
    (form,) = read(family, SEARCH, key=family).forms
    fields = {field.name: field for field in form.fields}
    title = fields["title"]
    if family_of(family).has_no_labels:
        assert title.placeholder == "Title words"
        assert title.label_source not in ("for", "wrap", "cell")
    else:
        assert title.label.rstrip(":") == "Title words"
        assert fields["note"].label.rstrip(":") == "Remarks"
    assert fields["kind"].label.rstrip(":") == "Kind"
    assert fields["fresh"].label == "Only fresh ones"


@EVERY
def test_a_scripted_form_is_not_there_until_the_script_runs(family: int) -> None:
    scripted = replace(SEARCH, is_scripted=True, legend="</script><form>" + SEARCH.legend)
    page = read(family, scripted, Heading("After it"))
    assert page.forms == ()
    assert [leaf for leaf in page.leaves if leaf] == ["After it"]
    text = Template(family, 5).block(scripted).lower()
    assert text.count("<script") == text.count("</script>") == 1


@EVERY
@pytest.mark.parametrize("text", [NASTY, FOREIGN])
def test_hostile_texts_survive(family: int, text: str) -> None:
    href = "http://a.test/x?a='1'&copy=%22&b=(2)#c"
    anchor = Anchor(href, text, title=text, nofollow=True)
    form = FormModel(
        "/x?a=1&lt=2",
        (
            Control("a[b] 'c'", "text", text, value=text, placeholder=text),
            Control("s", "select", text, options=((text, text),)),
        ),
        legend=text,
    )
    frame = SiteFrame(text, "en", (Links("menu", (anchor,)),))
    model = (Prose(((text, anchor),)), Facts(((text, text),)), form, Listing((Item(anchor),)))
    template = Template(family, 8)
    page = parse_page(template.page(template.frame(frame), PageModel(text, model)), HERE)
    assert page.title == text
    assert {(link.anchor, link.title, link.nofollow) for link in page.links} == {(text, text, True)}
    assert {str(link.target) for link in page.links} == {str(_canonical(href))}
    assert page.leaves.count(text) >= 6
    (found,) = page.forms
    assert str(found.action) == "http://a.test/x?a=1&lt=2"
    field, select = found.fields
    assert (field.name, field.value, field.placeholder) == ("a[b] 'c'", text, text)
    assert [(option.value, option.text) for option in select.options] == [(text, text)]


def _canonical(href: str) -> Url:
    (link,) = parse_page(f'<a href="{href.replace("&", "&amp;")}">x</a>'.encode(), HERE).links
    return link.target


@given(
    st.integers(0, FAMILIES - 1),
    st.integers(0, 2**64 - 1),
    st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs")), min_size=1),
)
def test_any_text_comes_back(family: int, key: int, text: str) -> None:
    text = text[:100]
    page = read(family, Prose(((Anchor("http://a.test/b", text), "."),)), key=key)
    assert [link.anchor for link in page.links] == [text]


@EVERY
def test_an_image_link_has_the_text_of_its_image(family: int) -> None:
    page = read(family, Links("list", (Anchor("/a", "", image="old & map"), at(2))))
    assert [link.anchor for link in page.links] == ["old & map", "thing 2 here"]


@EVERY
def test_the_same_key_gives_the_same_bytes(family: int) -> None:
    pages = [
        template.page(template.frame(FRAME), PAGE)
        for template in (Template(family, 7), Template(family, 7), Template(family, 8))
    ]
    assert pages[0] == pages[1] != pages[2]


def tag_paths(page: Page) -> tuple[str, ...]:
    """Of all links, classes left out."""
    return tuple(
        "/".join(tag.partition(".")[0] for tag in link.tag_path.split("/")) for link in page.links
    )


def test_families_differ_in_the_tags_around_their_links() -> None:
    plain = [b for b in BLOCKS if not isinstance(b, FormModel)]
    paths = {tag_paths(read(family, *plain, frame=FRAME)) for family in range(FAMILIES)}
    assert len(paths) == FAMILIES >= 40


def test_sites_of_one_family_differ_in_class_names() -> None:
    pages = [read(30, *BLOCKS, frame=FRAME, key=key) for key in range(20)]
    assert len({tuple(link.tag_path for link in page.links) for page in pages}) >= 18


def test_one_site_in_ten_is_not_in_utf_8() -> None:
    sites = [(key % FAMILIES, key) for key in range(1_500)]
    charsets = Counter(Template(*site).frame(FRAME).charset for site in sites)
    assert set(charsets) == {"utf-8", "iso-8859-1", "windows-1252"}
    assert 0.88 < charsets["utf-8"] / len(sites) < 0.92


def test_a_site_whose_language_needs_it_is_in_utf_8() -> None:
    russian = SiteFrame("Дом", "ru")
    charsets = {Template(n % 8, n).frame(russian).charset for n in range(200)}
    assert charsets == {"utf-8"}


def test_what_a_character_set_lacks_is_written_as_a_reference() -> None:
    keys = (key for key in range(100) if Template(20, key).frame(FRAME).charset == "iso-8859-1")
    template = Template(20, next(keys))
    body = template.page(template.frame(FRAME), PageModel("t", (Heading("café поиск"),)))
    assert b"caf\xe9 &#1087;" in body
    assert "café поиск" in parse_page(body, HERE).leaves


class Balance(HTMLParser):
    """Notes end tags that close something else than what was opened last."""

    EMPTY = frozenset({"br", "hr", "img", "input", "link", "meta"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")


@EVERY
def test_what_is_opened_is_closed(family: int) -> None:
    template = Template(family, 3)
    if template.family.dialect.omits_ends or template.family.choices["prose"] == "plain":
        assert template.family.era <= 2, "only old families leave out end tags"
        return
    balance = Balance()
    balance.feed(template.page(template.frame(FRAME), PAGE).decode(errors="replace"))
    assert (balance.wrong, balance.open) == ([], [])


def test_an_unknown_family_is_refused() -> None:
    with pytest.raises(ValueError, match="from 0 on"):
        Template(FAMILIES, 1)
