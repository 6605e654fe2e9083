"""The frame of a site: what stands on each of its pages."""

from leadline_lab.draw import Draw, key_of
from leadline_lab.interfaces import other_form
from leadline_lab.markup.model import Anchor, Block, Links, SiteFrame
from leadline_lab.schemas import SCHEMAS
from leadline_lab.sites.anchors import page_name, search_text
from leadline_lab.sites.estate import Estate
from leadline_lab.sites.naming import title


def site_frame(estate: Estate, partners: tuple[Anchor, ...]) -> SiteFrame:
    """Header, side and foot of every page; `partners` are links to other sites."""
    plan = estate.plan
    draw = Draw(key_of(plan.key, "frame"))
    header: list[Block] = [_menu(estate, draw)]
    aside: list[Block] = []
    footer: list[Block] = [Links("footer", _foot(estate))]
    for interface in plan.interfaces:
        if interface.is_everywhere:
            model = estate.shown(interface.number)
            (header if draw.chance(700) else aside).append(model)
    if estate.tags and not plan.is_single:
        aside.append(Links("tags", _tags(estate, draw)))
    if partners:
        aside.append(Links("related", partners, title=draw.pick(("Links", "Partners", "Blogroll"))))
    for place, kind in enumerate(estate.other_forms):
        if kind in estate.framed:
            action = estate.paths.sent(place)
            form = other_form(kind, key_of(plan.key, "other", place), plan.language, action)
            (footer if draw.chance(500) else aside).append(form)
    return SiteFrame(estate.name, plan.language, tuple(header), tuple(aside), tuple(footer))


def _menu(estate: Estate, draw: Draw) -> Links:
    plan, paths = estate.plan, estate.paths
    anchors = [Anchor("/", page_name(plan.language, "home"))]
    groups: list[int] = []
    if plan.is_single or not estate.has_menu:
        anchors += [special_anchor(estate, draw, number) for number in plan.in_menu]
        return Links("menu", tuple(anchors))
    for section, name in enumerate(paths.section_names):
        anchors.append(Anchor(paths.list_page(section, 0), name))
        shown = 0
        if estate.menu_items:
            # Not from the first list: its items are two links away, and ways to forms rely on it.
            first, items = plan.per_list, plan.sections[section].items
            shown = max(0, min(estate.menu_items // len(plan.sections) + 1, items - first))
            for index in range(first, first + shown):
                place = plan.place(plan.item_page(section, index))
                anchors.append(Anchor(paths.page(place), paths.item_name(place)))
        groups.append(shown)
    for number in plan.in_menu:
        anchors.append(special_anchor(estate, draw, number))
        groups.append(0)
    return Links("menu", tuple(anchors), groups=(0, *groups) if estate.menu_items else ())


def special_anchor(estate: Estate, draw: Draw, number: int) -> Anchor:
    """A link to a special page that says what it is."""
    plan = estate.plan
    special = plan.specials[number - plan.first_special]
    schema = SCHEMAS[plan.interfaces[special.interface].schema]
    level = special.level
    if not level and Draw(key_of(plan.key, "odd", number)).chance(estate.profile.odd_words):
        level = 1
    text = search_text(draw, schema, plan.language, level)
    return Anchor(estate.paths.page(plan.place(number)), text)


def _foot(estate: Estate) -> tuple[Anchor, ...]:
    plan = estate.plan
    return tuple(
        Anchor(estate.paths.page(plan.place(1 + index)), page_name(plan.language, name))
        for index, name in enumerate(plan.fixed)
    )


def _tags(estate: Estate, draw: Draw) -> tuple[Anchor, ...]:
    """A cloud of words, each leading to some list page."""
    plan = estate.plan
    found = []
    for _ in range(0 if plan.is_single else estate.tags):
        section = draw.below(len(plan.sections))
        words = estate.words(plan.sections[section].topic)
        index = draw.below(plan.sections[section].lists)
        word = title(words, draw.number()).split()[0].lower()
        found.append(Anchor(estate.paths.list_page(section, index), word))
    return tuple(found)
