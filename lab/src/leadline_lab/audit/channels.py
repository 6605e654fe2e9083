"""What could give away what it should not: rows of marks for each channel."""

import re
from collections.abc import Callable, Iterable

from msgspec import structs

from leadline.core.http import Request
from leadline.core.url import Url
from leadline_lab.audit import marks
from leadline_lab.audit.learner import Row
from leadline_lab.audit.samples import Labelled
from leadline_lab.databases.gate import hidden_values
from leadline_lab.databases.records import key_of_record
from leadline_lab.draw import Draw, key_of
from leadline_lab.reply import Reply
from leadline_lab.schemas import DOMAIN_OF
from leadline_lab.sites.estate import Estate
from leadline_lab.sites.traps import add_session, robots_text
from leadline_lab.world import World

Rows = dict[str, list[Row]]
"""By channel."""

_forms = re.compile(r"<form\b.*?</form>", re.DOTALL | re.IGNORECASE)
_images = re.compile(r"/i/([1-9]\d*)\.gif")
_session = re.compile(rb"=([0-9a-f]{16})")
_ABOUT = 1
"""A fixed page: every site has it, and what it says of the topic is little."""


def hosts(world: World, sites: Iterable[Labelled]) -> Rows:
    """What host names say besides their words."""
    rows: Rows = {"host syllables": [], "host shape": []}
    for site, is_wanted in sites:
        name, host = world.hosts.name(site), world.hosts.host(site)
        label = host.removeprefix("www.").rpartition(".")[0]
        words = [word for word in (name, label.replace(name, "").strip("-")) if word]
        rows["host syllables"].append(Row(site, is_wanted, marks.letters(name)))
        rows["host shape"].append(Row(site, is_wanted, marks.shape(host, words)))
    return rows


def site_numbers(world: World, sites: Iterable[Labelled]) -> Rows:
    """Numbers and sessions that the URLs of a site carry, their style, its template."""
    rows: Rows = {name: [] for name in ("page numbers", "sessions", "template family", "URL style")}
    for site, is_wanted in sites:
        estate = world.estate(site)
        codes = tuple(mark for n in range(1, 4) for mark in marks.number(str(estate.paths.code(n))))
        rows["page numbers"].append(Row(site, is_wanted, codes))
        session = _session.findall(add_session(estate, b"<a href=/x>", "/?", ""))[0].decode()
        rows["sessions"].append(Row(site, is_wanted, marks.letters(session)))
        family = (f"family {estate.template.family.number}",)
        rows["template family"].append(Row(site, is_wanted, family))
        rows["URL style"].append(Row(site, is_wanted, _style(estate)))
    return rows


def robots_lines(world: World, sites: Iterable[Labelled]) -> Rows:
    """How long robots.txt is, at sites that forbid something."""
    rows: list[Row] = []
    for site, is_wanted in sites:
        estate = world.estate(site)
        if "robots" in estate.plan.traps:
            lines = (marks.size(robots_text(estate).count("\n")),)
            rows.append(Row(site, is_wanted, lines))
    return {"robots.txt lines": rows}


def relabelled(rows: Rows, is_wanted: dict[int, bool]) -> Rows:
    """The same marks for another question about their sites."""
    return {
        name: [structs.replace(row, is_wanted=is_wanted[row.site]) for row in own]
        for name, own in rows.items()
    }


def _style(estate: Estate) -> tuple[str, ...]:
    """What the URLs of a site have in common: script, parameter, ending, folders."""
    paths = estate.paths
    page = paths.page(estate.plan.place(_ABOUT))
    record, sent = paths.record(0, "").rpartition("0")[0], paths.sent(0).rpartition("0")[0]
    common = page.partition("=")[0] if paths.is_opaque else f".{page.partition('.')[2]}"
    return (f"opaque {paths.is_opaque}", common, record, sent)


def form_pages(estates: Iterable[Estate]) -> Rows:
    """Numbers in the URLs of search pages and of as many others, where URLs are numbers only."""
    rows: list[Row] = []
    for estate in estates:
        plan, paths = estate.plan, estate.paths
        if not paths.is_opaque:
            continue
        own = sorted(plan.page_of.values())
        for is_form, pages in ((True, own), (False, _others(estate, len(own)))):
            for page in pages:
                found = marks.numbers_in(paths.page(plan.place(page)))
                rows.append(Row(plan.site, is_form, found))
    return {"page numbers": rows}


def _others(estate: Estate, n: int) -> list[int]:
    """Pages without a search form of their own; the later ones of lists are shown by their URL."""
    plan = estate.plan
    draw = Draw(key_of(plan.key, "audit"))
    places = (plan.place(draw.between(1, plan.pages - 1)) for _ in range(n))
    return [p.number for p in places if p.role != "form" and not (p.role == "list" and p.index)]


def interfaces(estates: Iterable[Estate]) -> Rows:
    """Numbers in front of and behind search forms: of target domains, and of all others."""
    rows: Rows = {name: [] for name in ("action numbers", "record keys", "hidden values")}
    for estate in estates:
        site = estate.plan.site
        for interface in estate.plan.interfaces:
            is_target = interface.schema in DOMAIN_OF
            if estate.paths.is_opaque:
                action = estate.paths.action(interface.number)
                rows["action numbers"].append(Row(site, is_target, marks.numbers_in(action)))
            if interface.schema:
                key, hidden = _behind(estate, interface.number)
                rows["record keys"].append(Row(site, is_target, marks.number(key)))
                found = tuple(mark for value in hidden for mark in marks.letters(value))
                rows["hidden values"].append(Row(site, is_target, found))
    return rows


def _behind(estate: Estate, number: int) -> tuple[str, list[str]]:
    """The key of some record behind an interface, and what its form must send back."""
    source = estate.source(estate.plan.interfaces[number].database)
    draw = Draw(key_of(estate.plan.key, "audit record", number))
    return key_of_record(source, draw.below(source.size)), list(hidden_values(source, 0.0).values())


def repeated_names(estates: Iterable[Estate]) -> Rows:
    """Numbers that tell apart pages of one name, where URLs are words: search pages and others."""
    rows: list[Row] = []
    for estate in estates:
        plan, paths = estate.plan, estate.paths
        pages = [] if paths.is_opaque else list(range(1, plan.first_list))
        for page in pages:
            found = marks.numbers_in(paths.page(plan.place(page)))
            if found:
                rows.append(Row(plan.site, plan.place(page).role == "form", found))
    return {"numbers after names": rows}


def repeated_actions(estates: Iterable[Estate]) -> Rows:
    """Numbers that tell apart actions of one name: of target domains, and of all others."""
    rows: list[Row] = []
    for estate in estates:
        for interface in estate.plan.interfaces:
            found = marks.numbers_in(estate.paths.action(interface.number))
            if found and not estate.paths.is_opaque:
                rows.append(Row(estate.plan.site, interface.schema in DOMAIN_OF, found))
    return {"numbers after action names": rows}


def search_or_other(estates: Iterable[Estate]) -> Rows:
    """Numbers in the actions of search forms and of forms that are none."""
    rows: list[Row] = []
    for estate in estates:
        paths, plan = estate.paths, estate.plan
        if paths.is_opaque:
            actions = [(paths.action(i.number), True) for i in plan.interfaces]
            actions += [(paths.sent(n), False) for n, _ in enumerate(estate.other_forms)]
            rows += [Row(plan.site, is_it, marks.numbers_in(path)) for path, is_it in actions]
    return {"action numbers": rows}


def pages_of_sites(world: World, sites: Iterable[Labelled]) -> Rows:
    """What a page that says little shows besides its words."""
    pages = ((site, _ABOUT, is_wanted) for site, is_wanted in sites)
    return _of_pages(world, pages)


def pages_with_forms(world: World, estates: Iterable[Estate]) -> Rows:
    """The same of a search page and another page of each site."""
    pages = []
    for estate in estates:
        own = sorted(estate.plan.page_of.values())[:1]
        pages += [(estate.plan.site, page, True) for page in own]
        pages += [(estate.plan.site, page, False) for page in _others(estate, len(own))]
    return _of_pages(world, pages)


def _of_pages(world: World, pages: Iterable[tuple[int, int, bool]]) -> Rows:
    rows: Rows = {name: [] for name in _SHOWN}
    for site, page, is_wanted in pages:
        estate = world.estate(site)
        path = estate.paths.page(estate.plan.place(page))
        reply = world.answer(Request(Url(estate.root + path)))
        if reply.status == 200:
            text = reply.body.decode("utf-8", "replace")
            for name, show in _SHOWN.items():
                found = show(reply, text)
                # A page without the thing says nothing of what the thing looks like.
                if found:
                    rows[name].append(Row(site, is_wanted, found))
    return rows


_SHOWN: dict[str, Callable[[Reply, str], tuple[str, ...]]] = {
    "size in bytes": lambda reply, _: (marks.size(len(reply.body)),),
    "headers": lambda reply, _: tuple(f"{name}: {value}" for name, value in reply.headers),
    "number of links": lambda _, text: (marks.size(text.lower().count("<a ")),),
    "number of forms": lambda _, text: (marks.size(text.lower().count("<form")),),
    "class names outside forms": lambda _, text: marks.class_names(_forms.sub("", text)),
    "image numbers": lambda _, text: tuple(_images.findall(text)),
}
