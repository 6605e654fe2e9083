"""Laws every store obeys: what a crawl is promised by the port `Store`, on made-up links.

Memory, SQLite and PostgreSQL are held to more in tests/laws, with clocks that tests set: leases
that expire, and pauses whatever the clocks say.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from leadline.core.crawl import (
    Budget,
    Candidate,
    Event,
    JudgedForm,
    Lease,
    Priority,
    SiteState,
    Visit,
)
from leadline.core.page import Field, Form
from leadline.core.store import Completion, Delivery, PublishedModel, SiteLease, Store
from leadline.core.url import Site, Url, site_of
from leadline.testing.laws import must

OpenStore = Callable[[Path], Store]
"""Opens the store in a folder, or makes it there."""
_FOR_S = 600.0
"""Leases of the laws outlast them."""


def check_store(open_store: OpenStore, *, is_durable: bool = True) -> None:
    """Put all laws to the stores that `open_store` opens in a folder, each time another one.

    With `is_durable`, a store must hold everything when it is opened again in the same folder.
    Raises LawBrokenError.
    """
    for law in (
        puts_a_url_once,
        leases_best_links_first_one_lease_a_site,
        stores_a_delivery_whole_and_once,
        refuses_a_delivery_after_the_lease,
        lets_links_wait_again_that_were_not_visited,
        lets_a_site_rest,
        keeps_to_the_budget_of_pages,
        leases_nothing_while_paused,
        keeps_values_events_and_models,
    ):
        with _open_new(open_store) as (store, _):
            store.run.begin(Budget())
            law(store)
    if is_durable:
        remembers_after_it_was_closed(open_store)


@contextmanager
def _open_new(open_store: OpenStore) -> Iterator[tuple[Store, Path]]:
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        try:
            yield store, Path(folder)
        finally:
            store.close()


def make_link(number: int, site: int = 0, score: float = 0.0) -> Candidate:
    url = Url(f"http://s{site}.test/{number}")
    return Candidate(url, site_of(url), Priority(0, score, "made up"), anchor=f"link {number}")


def _form(signature: str) -> JudgedForm:
    page = Url("http://s0.test/")
    form = Form(page, page, "get", (Field("q", "text", label="Search"),), text="Search")
    return JudgedForm(form, signature, searchable=0.9, relevant=0.9, why="one box")


def _visit(lease: Lease, found: Sequence[Candidate] = (), form: str = "") -> Completion:
    link = lease.candidate
    visit = Visit(lease.id, link.url, link.site, "page", 1.0, status=200)
    forms = (_form(form),) if form else ()
    events = (Event(1.0, "busy", link.url),)
    return Completion(
        visit, SiteState(link.site, pages=1), tuple(found), forms, events, lesson=b"lesson"
    )


def _lease(store: Store, sites: int = 9, urls: int = 9) -> list[SiteLease]:
    return store.links.lease("law", sites=sites, urls=urls, for_s=_FOR_S)


def _lease_one(store: Store, urls: int = 9) -> SiteLease:
    leases = _lease(store, 1, urls)
    must(len(leases) == 1, "a site with waiting links is leased", leases)
    return leases[0]


def puts_a_url_once(store: Store) -> None:
    first = store.links.put([make_link(1), make_link(2), make_link(1)])
    again = store.links.put([make_link(1, score=9.0)])
    must((first, again) == (2, 0), "put counts the URLs that are new", (first, again))
    urls = [make_link(number).url for number in (1, 2, 3)]
    known = store.pages.are_known(urls)
    must(known == [True, True, False], "are_known knows what was put", known)


def leases_best_links_first_one_lease_a_site(store: Store) -> None:
    store.links.put([make_link(n, of, n + 0.1 * of) for n in range(4) for of in range(3)])
    taken = _lease(store, sites=2, urls=3)
    sites = [lease.site.site for lease in taken]
    law = "the sites with the best links come first"
    must(sites == [Site("s2.test"), Site("s1.test")], law, sites)
    urls = [link.candidate.url for link in taken[0].leases]
    wanted = [make_link(n, 2).url for n in (3, 2, 1)]
    must(urls == wanted, "the best links of a site come first", urls)
    others = [lease.site.site for lease in _lease(store)]
    must(others == [Site("s0.test")], "a site has one lease out", others)


def stores_a_delivery_whole_and_once(store: Store) -> None:
    store.links.put([make_link(1)])
    taken = _lease_one(store)
    done = _visit(taken.leases[0], [make_link(1), make_link(2)], form="f")
    for _ in range(2):
        refused = store.links.deliver([Delivery(taken, (done,), is_over=False)])
        must(not refused, "a delivery under a lease that is out is accepted", refused)
    counts = store.reader.counts()
    must(counts.visits == 1, "a visit that is delivered twice counts once", counts)
    must([one.url for one in store.reader.visits()] == [done.visit.url], "its visit is there")
    must(store.pages.are_known([make_link(2).url]) == [True], "its links are there")
    must(store.pages.have_forms(["f", "g"]) == [True, False], "its forms are there")
    must([one.kind for one in store.reader.events()].count("busy") == 1, "its event is there once")
    lessons = [lesson.body for lesson in store.learning.lessons(0, 9)]
    must(lessons == [b"lesson"], "its lesson is there once", lessons)


def refuses_a_delivery_after_the_lease(store: Store) -> None:
    store.links.put([make_link(1), make_link(2)])
    taken = _lease_one(store, urls=1)
    store.links.deliver([Delivery(taken)])
    late = Delivery(taken, (_visit(taken.leases[0], [make_link(3)], form="f"),))
    refused = store.links.deliver([late])
    must(refused == [taken], "a delivery under a lease that has ended is refused", refused)
    must(store.reader.counts().visits == 0, "nothing of it is stored", store.reader.counts())
    known = store.pages.are_known([make_link(3).url]) + store.pages.have_forms(["f"])
    must(known == [False, False], "nothing of it is stored", known)


def lets_links_wait_again_that_were_not_visited(store: Store) -> None:
    store.links.put([make_link(n, score=-n) for n in range(3)])
    first = _lease_one(store, urls=2)
    store.links.deliver([Delivery(first, (_visit(first.leases[0]),))])
    again = _lease_one(store)
    urls = [link.candidate.url for link in again.leases]
    law = "links of a lease that were not visited wait again"
    must(urls == [make_link(1).url, make_link(2).url], law, urls)
    must(again.epoch > first.epoch, "the epoch of a site rises with each lease", again.epoch)


def lets_a_site_rest(store: Store) -> None:
    store.links.put([make_link(1), make_link(2)])
    taken = _lease_one(store, urls=1)
    store.links.deliver([Delivery(taken, (_visit(taken.leases[0]),), rest_s=_FOR_S)])
    early = _lease(store)
    must(not early, "a site is not leased before its pause is over", early)
    wait_s = store.links.wait_s()
    law = "wait_s says how long until a site is ready"
    must(wait_s is not None and 0 < wait_s <= _FOR_S, law, wait_s)


def keeps_to_the_budget_of_pages(store: Store) -> None:
    store.run.set_budget(Budget(pages=3))
    store.links.put([make_link(n, of) for n in range(3) for of in range(3)])
    out = sum(len(lease.leases) for lease in _lease(store, urls=2))
    must(out == 3, "visits and links on lease are never more than the budget of pages", out)


def leases_nothing_while_paused(store: Store) -> None:
    store.links.put([make_link(1)])
    store.run.pause()
    must(not _lease(store), "nothing is leased while a run is paused")
    store.run.resume()
    taken = _lease_one(store)
    store.links.deliver([Delivery(taken, (_visit(taken.leases[0]),))])
    reason = store.run.stop_reason()
    must(bool(reason), "there is a reason to stop when nothing is left to follow")
    store.run.stop(reason)
    must(store.run.state().reason == reason, "a run that stopped knows why", store.run.state())


def keeps_values_events_and_models(store: Store) -> None:
    store.save("key", b"one")
    store.save("key", b"two")
    must(store.load("key") == b"two", "load returns what was saved last", store.load("key"))
    must(store.load("other") is None, "load returns None for what was never saved")
    for number in range(3):
        store.note(Event(float(number), "busy", str(number)))
    noted = [one.subject for one in store.reader.events() if one.kind == "busy"]
    must(noted == ["0", "1", "2"], "events are told in the order in which they were noted", noted)
    store.learning.publish(PublishedModel(1, b"first"))
    store.learning.publish(PublishedModel(2, b"second"))
    model = store.learning.model()
    must(model is not None and model.state == b"second", "the newest model is told", model)


def remembers_after_it_was_closed(open_store: OpenStore) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        store.run.begin(Budget())
        store.links.put([make_link(1), make_link(2)])
        taken = _lease_one(store, urls=1)
        store.links.deliver([Delivery(taken, (_visit(taken.leases[0], form="f"),))])
        _lease_one(store)
        store.save("key", b"value")
        store.flush()
        store.close()
        store = open_store(Path(folder))
        try:
            counts = store.reader.counts()
            must(counts.visits == 1, "visits are there when it is opened again", counts)
            must(store.pages.have_forms(["f"]) == [True], "forms are there, opened again")
            must(store.load("key") == b"value", "values are there, opened again")
            store.run.begin(Budget())
            waiting = [lease.leases[0].candidate.url for lease in _lease(store)]
            law = "a lease that was out returns when it is opened again"
            must(waiting == [make_link(2).url], law, waiting)
        finally:
            store.close()
