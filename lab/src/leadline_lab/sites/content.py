"""What stands in the middle of each kind of page."""

from collections.abc import Sequence

from msgspec import Struct

from leadline_lab.draw import Draw, key_of
from leadline_lab.interfaces import other_form
from leadline_lab.markup.model import (
    Anchor,
    Block,
    Facts,
    Heading,
    Inline,
    Item,
    Links,
    Listing,
    PageModel,
    Prose,
)
from leadline_lab.schemas import DOMAIN_OF, SCHEMAS
from leadline_lab.sites.anchors import page_name, search_text, styled, wrong_text
from leadline_lab.sites.estate import ON_ITEMS, Estate
from leadline_lab.sites.frames import special_anchor
from leadline_lab.sites.plan import Place
from leadline_lab.sites.traps import snares

_ARTICLE_WORDS = (40, 90, 140, 190, 240, 300, 360, 430, 520, 680, 1_200)
"""Deciles of the running text of an item page."""
_SNIPPET_WORDS = 12
_STRENGTH_STEP = 250
_WORDS_PER_SENTENCE = 12
_PARAGRAPH = 4
"""Sentences."""
_HOME_ITEMS = 8
_RELATED = 8
_SELLING = frozenset({"shop", "library", "classifieds", "portal"})


class Outlink(Struct, frozen=True):
    """A link to another site and what is said around it."""

    anchor: Anchor
    words: list[str]


def write_page(
    estate: Estate, place: Place, outlinks: Sequence[Outlink], variant: int, now: float
) -> PageModel:
    """The page; `variant` tells apart pages of a trap that share one place."""
    key = key_of(estate.plan.key, "page", place.number, variant)
    draw = Draw(key)
    main = _WRITERS[place.role](estate, place, draw, key)
    for number in _standing(estate, place):
        _insert(draw, main, estate.shown(number, now))
    if estate.plan.population.is_hub and place.role != "fixed":
        main += _catalogue(outlinks)
    else:
        main += _mentions(outlinks)
    for number in estate.plan.attached.get(place.number, ()):
        _insert(draw, main, _way(estate, draw, number))
    main += snares(estate, place, draw, variant)
    may_mislead = place.role in {"home", "list", "gate"} and not estate.plan.is_single
    if may_mislead and draw.chance(2 * estate.profile.deceptive):
        _insert(draw, main, _decoy(estate, draw))
    crumbs = _crumbs(estate, place) if estate.has_crumbs else ()
    return PageModel(_title(estate, place), tuple(main), crumbs)


def _strength(estate: Estate, draw: Draw, low: int, high: int) -> int:
    """In a few steps only, for each of which a voice keeps its words at hand."""
    strength = estate.topic_share * draw.between(low, high) // 1000
    return (strength + _STRENGTH_STEP // 2) // _STRENGTH_STEP * _STRENGTH_STEP


def _prose(estate: Estate, key: int, topic: str, words: int, strength: int) -> Prose:
    said = estate.voice.sentences(key, topic, words // _WORDS_PER_SENTENCE + 1, strength)
    starts = range(0, len(said), _PARAGRAPH)
    return Prose(tuple((" ".join(said[at : at + _PARAGRAPH]),) for at in starts))


def _title(estate: Estate, place: Place) -> str:
    return f"{_name(estate, place)} - {estate.name}" if place.number else estate.name


def _name(estate: Estate, place: Place) -> str:
    plan = estate.plan
    if place.role == "list":
        return estate.paths.section_names[place.section]
    if place.role == "item":
        return estate.paths.item_name(place)
    if place.role == "fixed":
        return page_name(plan.language, plan.fixed[place.index])
    if place.role in {"form", "gate"}:
        special = plan.specials[place.index]
        schema = SCHEMAS[plan.interfaces[special.interface].schema]
        draw = Draw(key_of(plan.key, "name", place.number))
        return search_text(draw, schema, plan.language, special.level)
    return estate.name


def _home(estate: Estate, place: Place, draw: Draw, key: int) -> list[Block]:
    plan = estate.plan
    strength = _strength(estate, draw, 800, 1_200)
    main: list[Block] = [
        Heading(estate.name, 1),
        _prose(estate, key, plan.topic(place), draw.between(40, 160), strength),
    ]
    picked = [
        plan.place(plan.item_page(section, plan.per_list + draw.below(shape.items - plan.per_list)))
        for section, shape in enumerate(plan.sections)
        if shape.items > plan.per_list
    ]
    main.append(_listing(estate, draw, picked[:_HOME_ITEMS], key))
    if not estate.has_menu and not plan.is_single:
        sections = enumerate(estate.paths.section_names)
        anchors = tuple(Anchor(estate.paths.list_page(n, 0), text) for n, text in sections)
        main.append(Links("list", anchors))
    return main


def _list(estate: Estate, place: Place, draw: Draw, key: int) -> list[Block]:
    plan = estate.plan
    section = plan.sections[place.section]
    start = place.index * plan.per_list
    if start >= section.items:
        start = draw.below(max(1, section.items - plan.per_list))
    numbers = range(start, min(start + plan.per_list, section.items))
    places = [plan.place(plan.item_page(place.section, index)) for index in numbers]
    main: list[Block] = [Heading(_name(estate, place), 1), _listing(estate, draw, places, key)]
    if draw.chance(400):
        n_words = draw.between(20, 80)
        strength = _strength(estate, draw, 600, 1_200)
        main.insert(1, _prose(estate, key, section.topic, n_words, strength))
    pager = _pager(estate, place)
    if pager:
        main.append(Links("pager", pager))
    return main


def _pager(estate: Estate, place: Place) -> tuple[Anchor, ...]:
    section = estate.plan.sections[place.section]
    last = section.lists - 1
    if "endless" in estate.plan.traps:
        last = max(last, place.index + 1)
    near = range(max(0, place.index - 3), min(last, place.index + 4) + 1)
    anchors = [
        Anchor(estate.paths.list_page(place.section, n), str(n + 1))
        for n in near
        if n != place.index
    ]
    if place.index < last:
        href = estate.paths.list_page(place.section, place.index + 1)
        anchors.append(Anchor(href, page_name(estate.plan.language, "next")))
    return tuple(anchors)


def _listing(estate: Estate, draw: Draw, places: Sequence[Place], key: int) -> Listing:
    plan, paths = estate.plan, estate.paths
    topic = plan.topic(places[0]) if places else plan.population.topic
    strength = _strength(estate, draw, 600, 1_300)
    words = estate.voice.words(
        key_of(key, "snippets"), topic, _SNIPPET_WORDS * len(places), strength
    )
    has_snippets = draw.chance(700)
    wrong = estate.words(draw.pick(("product", topic, "general:en")))
    items = []
    for number, place in enumerate(places):
        name = paths.item_name(place)
        href = paths.page(place)
        anchor = styled(draw, estate.profile, href, name, wrong_text(draw, wrong), plan.language)
        snippet = " ".join(words[number * _SNIPPET_WORDS : (number + 1) * _SNIPPET_WORDS])
        text = (f"{name}. {snippet}",) if anchor.text != name else (snippet,)
        items.append(Item(anchor, text if has_snippets or anchor.text != name else ()))
    return Listing(tuple(items))


def _item(estate: Estate, place: Place, draw: Draw, key: int) -> list[Block]:
    plan = estate.plan
    topic = plan.topic(place)
    strength = _strength(estate, draw, 450, 1_350)
    n_words = draw.quantile(_ARTICLE_WORDS)
    main: list[Block] = [Heading(_name(estate, place), 1)]
    if plan.population.kind in _SELLING:
        main.append(_facts(estate, draw, topic))
    main.append(_prose(estate, key, topic, n_words, strength))
    shape = plan.sections[place.section]
    related = [
        plan.place(plan.item_page(place.section, draw.below(shape.items))) for _ in range(_RELATED)
    ]
    main.append(
        Links(
            "related",
            tuple(_item_anchor(estate, draw, other) for other in related if other != place),
            title=page_name(plan.language, "related"),
        )
    )
    _add_other(estate, main, ON_ITEMS)
    return main


def _item_anchor(estate: Estate, draw: Draw, place: Place) -> Anchor:
    name = estate.paths.item_name(place)
    wrong = wrong_text(draw, estate.words("general:en"))
    href = estate.paths.page(place)
    return styled(draw, estate.profile, href, name, wrong, estate.plan.language)


def _facts(estate: Estate, draw: Draw, topic: str) -> Facts:
    schema = SCHEMAS.get(topic) or SCHEMAS["product"]
    words = estate.words(topic)
    pairs = []
    for attribute in schema.attributes[:7]:
        label = (attribute.labels.get(estate.plan.language) or attribute.labels["en"])[0]
        value = str(draw.between(1, 2_000))
        if attribute.kind in {"title", "text", "person", "place", "category"}:
            value = wrong_text(draw, words)
        pairs.append((label, value))
    return Facts(tuple(pairs))


def _fixed(estate: Estate, place: Place, draw: Draw, key: int) -> list[Block]:
    plan = estate.plan
    name = plan.fixed[place.index]
    strength = _strength(estate, draw, 100, 400)
    prose = _prose(estate, key, plan.topic(place), draw.between(40, 250), strength)
    main: list[Block] = [Heading(_name(estate, place), 1), prose]
    if name == "sitemap":
        sections = enumerate(estate.paths.section_names)
        anchors = tuple(Anchor(estate.paths.list_page(n, 0), text) for n, text in sections)
        main.append(Links("list", anchors))
    _add_other(estate, main, estate.forms_on(place.index))
    return main


def _gate(estate: Estate, place: Place, draw: Draw, key: int) -> list[Block]:
    plan = estate.plan
    strength = _strength(estate, draw, 200, 1_000)
    topic = _domain(estate, place)
    prose = _prose(estate, key, topic, draw.between(30, 150), strength)
    section = draw.below(len(plan.sections))
    shape = plan.sections[section]
    places = [
        plan.place(plan.item_page(section, draw.below(shape.items)))
        for _ in range(min(shape.items, draw.between(2, 9)))
    ]
    main: list[Block] = [Heading(_name(estate, place), 1), prose]
    if places:
        main.append(Links("list", tuple(_item_anchor(estate, draw, other) for other in places)))
    return main


def _form_page(estate: Estate, place: Place, draw: Draw, key: int) -> list[Block]:
    strength = _strength(estate, draw, 400, 1_100)
    topic = _domain(estate, place)
    prose = _prose(estate, key, topic, draw.between(10, 120), strength)
    return [Heading(_name(estate, place), 1), prose]


def _standing(estate: Estate, place: Place) -> list[int]:
    """Interfaces whose forms stand in the middle of this page."""
    plan = estate.plan
    if place.role == "home":
        return [i.number for i in plan.interfaces if not i.depth and not i.is_everywhere]
    return [number for number, page in plan.page_of.items() if page == place.number]


def _domain(estate: Estate, place: Place) -> str:
    special = estate.plan.specials[place.index]
    schema = estate.plan.interfaces[special.interface].schema
    return DOMAIN_OF.get(schema) or estate.plan.population.topic


def _add_other(estate: Estate, main: list[Block], kinds: frozenset[str]) -> None:
    plan = estate.plan
    for place, kind in enumerate(estate.other_forms):
        if kind in kinds:
            action = estate.paths.sent(place)
            main.append(other_form(kind, key_of(plan.key, "other", place), plan.language, action))


def _way(estate: Estate, draw: Draw, number: int) -> Block:
    """The link to a special page, alone or among others."""
    plan = estate.plan
    telling = special_anchor(estate, draw, number)
    wrong = wrong_text(draw, estate.words(plan.population.topic))
    anchor = styled(draw, estate.profile, telling.href, telling.text, wrong, plan.language)
    before = " ".join(estate.voice.words(draw.number(), plan.population.topic, draw.between(3, 12)))
    if draw.chance(500):
        said = telling.text if draw.chance(500) else before
        return Prose(((f"{said} ", anchor, " "),))
    return Links("list", (anchor,))


def _decoy(estate: Estate, draw: Draw) -> Block:
    """A link that speaks of searching and leads elsewhere."""
    plan = estate.plan
    schema = SCHEMAS.get(plan.population.topic) or SCHEMAS["product"]
    text = search_text(draw, schema, plan.language, draw.below(2))
    number = draw.below(plan.first_special) or plan.first_list
    return Links("list", (Anchor(estate.paths.page(plan.place(number)), text),))


def _insert(draw: Draw, main: list[Block], block: Block) -> None:
    main.insert(1 + draw.below(len(main)), block)


def _mentions(outlinks: Sequence[Outlink]) -> list[Block]:
    """Links to other sites in running text."""
    if not outlinks:
        return []
    paragraphs: list[tuple[Inline, ...]] = []
    for outlink in outlinks:
        half = len(outlink.words) // 2
        before, after = outlink.words[:half], outlink.words[half:]
        paragraphs.append((" ".join(before) + " ", outlink.anchor, " " + " ".join(after) + "."))
    return [Prose(tuple(paragraphs))]


def _catalogue(outlinks: Sequence[Outlink]) -> list[Block]:
    """A hub's list of sites."""
    items = tuple(Item(outlink.anchor, (" ".join(outlink.words),)) for outlink in outlinks)
    return [Listing(items)] if items else []


def _crumbs(estate: Estate, place: Place) -> tuple[Anchor, ...]:
    if not place.number:
        return ()
    crumbs = [Anchor("/", page_name(estate.plan.language, "home"))]
    if place.role == "item":
        href = estate.paths.list_page(place.section, 0)
        crumbs.append(Anchor(href, estate.paths.section_names[place.section]))
    return tuple(crumbs)


_WRITERS = {
    "home": _home,
    "fixed": _fixed,
    "gate": _gate,
    "form": _form_page,
    "list": _list,
    "item": _item,
}
