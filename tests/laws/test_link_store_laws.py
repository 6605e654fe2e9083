"""The laws of links, runs, pages and learning, run on every store."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from leadline.core.crawl import (
    Budget,
    CandidateId,
    Event,
    FeatureRows,
    Lease,
    Priority,
    Waiting,
)
from leadline.core.harvest import HarvestSource
from leadline.core.inbox import STOP, Order
from leadline.core.page import Form
from leadline.core.store import (
    NEVER,
    NOTHING_LEFT,
    PAUSED,
    RUNNING,
    Completion,
    Delivery,
    LinkRanking,
    PublishedModel,
    SiteLease,
    Store,
)
from leadline.core.url import Url
from leadline.errors import LeaseLostError, StoreError
from tests.store.samples import candidate, judged, site, state, url, visit
from tests.store.worlds import STORE_WORLDS, StoreWorld

FOR_S = 10.0
ENDLESS = Budget()


@pytest.fixture(params=sorted(STORE_WORLDS))
def world(request: pytest.FixtureRequest) -> Iterator[StoreWorld]:
    with STORE_WORLDS[request.param](request) as opened:
        yield opened


@pytest.fixture
def store(world: StoreWorld) -> Store:
    opened = world.open("a")
    opened.run.begin(ENDLESS)
    return opened


def complete(
    store: Store,
    taken: SiteLease,
    done: Sequence[Completion],
    *,
    rest_s: float = 0.0,
    is_over: bool = True,
) -> None:
    """Deliver one lease; raises LeaseLostError when it is refused."""
    if store.links.deliver([Delivery(taken, tuple(done), rest_s, is_over)]):
        raise LeaseLostError("refused")


def lease(store: Store, sites: int = 9, urls: int = 9, worker: str = "w") -> list[SiteLease]:
    return store.links.lease(worker, sites=sites, urls=urls, for_s=FOR_S)


def lease_one(store: Store, urls: int = 9, worker: str = "w") -> SiteLease:
    (taken,) = lease(store, 1, urls, worker)
    return taken


def done(link: Lease, **changes: object) -> Completion:
    return Completion(visit(link), state(link), **changes)  # type: ignore[arg-type]


def all_done(taken: SiteLease) -> list[Completion]:
    return [done(link) for link in taken.leases]


# Leases


def test_a_lease_has_the_best_links_of_the_best_sites_best_first(store: Store) -> None:
    store.links.put([candidate(n, of, score=n + 0.1 * of) for n in range(4) for of in range(3)])
    taken = lease(store, sites=2, urls=3)
    assert [one.site.site for one in taken] == [site(2), site(1)]
    assert [link.candidate.url for link in taken[0].leases] == [url(n, 2) for n in (3, 2, 1)]


def test_a_lease_carries_whole_candidates(store: Store) -> None:
    wanted = candidate(1, 2, 3, 0.1, features=(4, 5))
    store.links.put([wanted])
    assert lease_one(store).leases[0].candidate == wanted


def test_a_site_has_one_lease_out(world: StoreWorld, store: Store) -> None:
    store.links.put([candidate(n) for n in range(3)])
    taken = lease_one(store, urls=1)
    assert lease(store) == lease(world.open("b"), worker="v") == []
    complete(store, taken, all_done(taken))
    assert len(lease_one(store).leases) == 2


def test_an_expired_lease_returns_with_a_higher_epoch(world: StoreWorld, store: Store) -> None:
    store.links.put([candidate(1)])
    first = lease_one(store)
    world.wait(FOR_S - 0.1)
    assert lease(store) == []
    world.wait(0.2)
    second = lease_one(store)
    assert second.epoch > first.epoch
    assert second.leases == first.leases


def test_a_lease_ends_on_the_clock_of_who_asked(world: StoreWorld, store: Store) -> None:
    store.links.put([candidate(1)])
    assert lease_one(store).until == pytest.approx(world.boottime() + FOR_S)


def test_a_delivery_under_an_old_epoch_is_refused_whole(world: StoreWorld, store: Store) -> None:
    store.links.put([candidate(1), candidate(2)])
    lost = lease_one(store)
    world.wait(FOR_S + 1)
    held = lease_one(store, worker="v")
    brought = done(
        lost.leases[0],
        found=(candidate(3),),
        forms=(judged("f"),),
        events=(Event(1.0, "left"),),
        lesson=b"?",
    )
    before = store.reader.counts()
    with pytest.raises(LeaseLostError):
        complete(store, lost, [brought])
    assert store.reader.counts() == before
    assert store.pages.are_known([url(3)]) == store.pages.have_forms(["f"]) == [False]
    assert store.learning.lessons(0, 9) == []
    complete(store, held, [brought])
    assert store.reader.counts().visits == 1


def test_of_many_leases_only_the_lost_ones_are_refused(world: StoreWorld, store: Store) -> None:
    store.links.put([candidate(1), candidate(1, 1)])
    lost = lease_one(store)
    world.wait(FOR_S + 1)
    both = lease(store)
    kept = next(one for one in both if one.site.site != lost.site.site)
    deliveries = [Delivery(one, tuple(all_done(one))) for one in (lost, kept)]
    assert store.links.deliver(deliveries) == [lost]
    assert store.reader.counts().visits == 1


def test_what_is_delivered_twice_is_kept_once(store: Store) -> None:
    store.links.put([candidate(1), candidate(2)])
    taken = lease_one(store)
    first = [done(taken.leases[0], lesson=b"one", forms=(judged("f"),))]
    complete(store, taken, first, is_over=False)
    complete(store, taken, first, is_over=False)
    assert store.reader.counts().visits == 1
    assert [lesson.body for lesson in store.learning.lessons(0, 9)] == [b"one"]
    complete(store, taken, [done(taken.leases[1])])
    with pytest.raises(LeaseLostError):
        complete(store, taken, [done(taken.leases[1])])
    assert store.reader.counts().visits == 2


def test_a_site_can_be_leased_by_name_without_any_link(world: StoreWorld, store: Store) -> None:
    store.links.put([candidate(1)])
    held = store.links.lease_site("w", site(0), for_s=FOR_S)
    assert held is not None
    assert held.leases == ()
    assert lease(store) == []
    assert store.links.lease_site("v", site(0), for_s=FOR_S) is None
    assert store.links.deliver([Delivery(held, rest_s=3.0)]) == []
    assert store.links.lease_site("w", site(0), for_s=FOR_S) is None
    world.wait(3.1)
    assert lease_one(store).epoch > held.epoch


def test_a_site_that_was_never_met_can_be_leased_by_name(world: StoreWorld, store: Store) -> None:
    held = store.links.lease_site("w", site(7), for_s=FOR_S, pause_s=5.0)
    assert held is not None
    assert store.pages.are_known([url(1, 7)]) == [False]
    world.wait(FOR_S + 4.9)
    assert store.links.lease_site("v", site(7), for_s=FOR_S) is None
    world.wait(0.2)
    assert store.links.lease_site("v", site(7), for_s=FOR_S) is not None
    assert store.links.deliver([Delivery(held)]) == [held]


def test_nothing_is_leased_by_name_while_a_run_rests(store: Store) -> None:
    store.run.pause()
    assert store.links.lease_site("w", site(7), for_s=FOR_S) is None


def test_a_link_that_was_skipped_is_told_with_its_page(store: Store) -> None:
    store.links.put([candidate(1)])
    taken = lease_one(store)
    skipped = replace(candidate(2), parent=taken.leases[0].id, skip="off topic")
    complete(store, taken, [done(taken.leases[0], found=(skipped,))])
    (told,) = store.links.skipped_links()
    assert (told.candidate.url, told.candidate.skip) == (url(2), "off topic")
    assert told.candidate.depth == taken.leases[0].candidate.depth + 1


def test_links_that_were_not_visited_wait_again(store: Store) -> None:
    store.links.put([candidate(n, score=-n) for n in range(3)])
    taken = lease_one(store, urls=2)
    complete(store, taken, [done(taken.leases[0])])
    assert [link.candidate.url for link in lease_one(store).leases] == [url(1), url(2)]


def test_a_lease_that_goes_on_keeps_its_site(store: Store) -> None:
    store.links.put([candidate(1), candidate(2)])
    taken = lease_one(store)
    complete(store, taken, [done(taken.leases[0])], is_over=False)
    assert lease(store) == []
    assert store.reader.counts().visits == 1


# Pauses


def test_a_site_rests_after_a_delivery(world: StoreWorld, store: Store) -> None:
    store.links.put([candidate(1), candidate(2)])
    taken = lease_one(store, urls=1)
    complete(store, taken, all_done(taken), rest_s=5)
    assert lease(store) == []
    assert store.links.wait_s() == pytest.approx(5)
    world.wait(4.9)
    assert lease(store) == []
    world.wait(0.2)
    assert store.links.wait_s() == 0
    assert lease(store)


def test_a_site_whose_worker_died_rests_after_the_lease(world: StoreWorld, store: Store) -> None:
    store.links.put([candidate(1)])
    store.links.lease("w", sites=1, urls=1, for_s=FOR_S, pause_s=5)
    assert store.links.wait_s() == pytest.approx(FOR_S + 5)
    world.wait(FOR_S + 4.9)
    assert lease(store) == []
    world.wait(0.2)
    assert lease(store)


def test_a_known_pause_counts_too_when_a_worker_died(store: Store) -> None:
    store.links.put([candidate(1), candidate(2)])
    taken = lease_one(store, urls=1)
    link = taken.leases[0]
    complete(store, taken, [Completion(visit(link), state(link, delay_s=30.0))])
    lease_one(store)
    assert store.links.wait_s() == pytest.approx(FOR_S + 30)


def test_nothing_to_wait_for_is_told(store: Store) -> None:
    assert store.links.wait_s() is None
    store.links.put([candidate(1, skip="no")])
    assert store.links.wait_s() is None


# Clocks


@pytest.mark.parametrize("jump_s", [-3600.0, -3.0, 3.0, 3600.0])
def test_a_clock_that_is_set_changes_no_pause(
    world: StoreWorld, store: Store, jump_s: float
) -> None:
    store.links.put([candidate(1), candidate(2)])
    taken = lease_one(store, urls=1)
    complete(store, taken, all_done(taken), rest_s=5)
    world.wait(1)
    world.set_clock(jump_s)
    assert lease(store) == []
    assert store.links.wait_s() == pytest.approx(4, abs=0.1)
    world.wait(3.9)
    assert lease(store) == []
    world.wait(0.2)
    assert lease(store)


@pytest.mark.parametrize("jump_s", [-3600.0, 3600.0])
def test_a_clock_that_is_set_changes_no_lease(
    world: StoreWorld, store: Store, jump_s: float
) -> None:
    other = world.open("b")
    store.links.put([candidate(1), candidate(2, 1)])
    taken = lease_one(store)
    assert lease_one(other).site.site != taken.site.site
    world.set_clock(jump_s)
    world.wait(FOR_S - 1)
    assert lease(other) == lease(store) == []
    world.wait(2)
    assert len(lease(other)) == 2


def test_a_machine_that_stood_still_makes_nobody_hurry(world: StoreWorld, store: Store) -> None:
    other = world.open("b")
    store.links.put([candidate(1), candidate(2)])
    assert lease(other)
    world.stand_still("b", 60)
    taken = lease_one(store, urls=1)
    complete(store, taken, all_done(taken), rest_s=5)
    assert lease(other) == []
    assert lease(store) == []
    world.wait(4)
    assert lease(other) == lease(store) == []
    world.wait(62)
    assert lease(store)


# Budgets and runs


def test_a_budget_of_pages_is_never_overshot(world: StoreWorld) -> None:
    store = world.open("a")
    store.run.begin(Budget(pages=7))
    store.links.put([candidate(n, of) for n in range(5) for of in range(5)])
    first, second = lease(store, sites=2, urls=3), lease(store, sites=2, urls=3, worker="v")
    out = [len(one.leases) for one in first + second]
    assert out == [3, 3, 1]
    assert lease(store) == []
    assert store.run.stop_reason() == ""
    for taken in first:
        complete(store, taken, all_done(taken))
    assert lease(store) == []
    complete(store, second[0], [])
    assert sum(len(one.leases) for one in lease(store)) == 1
    world.wait(FOR_S + 1)
    (last,) = lease(store)
    assert len(last.leases) == 1
    complete(store, last, all_done(last))
    assert store.run.stop_reason() == "budget: pages"
    assert store.reader.counts().visits == 7


def test_only_links_that_are_going_to_be_asked_for_count(world: StoreWorld) -> None:
    store = world.open("a")
    store.run.begin(Budget(pages=5))
    store.links.put([candidate(n, of) for n in range(4) for of in range(9)])

    def leased(worker: str, sites: int) -> list[int]:
        taken = store.links.lease(worker, sites=sites, urls=3, turn=2, for_s=FOR_S)
        every.extend(taken)
        return [len(one.leases) for one in taken]

    every: list[SiteLease] = []
    assert leased("w", 1) == [3]
    assert leased("v", 9) == [3, 1]
    assert leased("u", 9) == []
    for taken in every:
        complete(store, taken, all_done(taken)[:2])
    assert store.reader.counts().visits == 5
    assert store.run.stop_reason() == "budget: pages"


def test_what_costs_a_site_nothing_costs_the_budget_nothing(world: StoreWorld) -> None:
    store = world.open("a")
    store.run.begin(Budget(pages=1))
    store.links.put([candidate(n) for n in range(3)])
    for outcome in ("robots", "passed-over"):
        taken = lease_one(store)
        link = taken.leases[0]
        complete(store, taken, [Completion(visit(link, outcome=outcome), state(link))])
    assert store.run.stop_reason() == ""
    taken = lease_one(store)
    complete(store, taken, all_done(taken))
    assert store.run.stop_reason() == "budget: pages"


def test_other_requests_count_against_the_budget(world: StoreWorld) -> None:
    store = world.open("a")
    store.run.begin(Budget(pages=3))
    store.links.put([candidate(n) for n in range(5)])
    store.run.spend("w", 2)
    taken = lease_one(store)
    assert len(taken.leases) == 1
    complete(store, taken, [])
    store.run.spend("w", 1)
    assert (lease(store), store.run.stop_reason()) == ([], "budget: pages")


def test_forms_that_are_judged_again_count_as_they_are_judged_now(store: Store) -> None:
    store.links.put([candidate(1), candidate(2)])
    taken, accepted = lease_one(store), ["f", "g"]
    visits = [
        done(link, forms=(judged(sign, relevant=0.9), judged(f"{sign} other", relevant=0.1)))
        for link, sign in zip(taken.leases, accepted, strict=True)
    ]
    complete(store, taken, visits)
    assert store.reader.counts().forms == 2
    store.links.rejudge_forms({accepted[0]: 0.0, f"{accepted[1]} other": 1.0, "unknown": 1.0})
    store.links.rejudge_forms({accepted[0]: 0.0})
    now = {form.judged.signature: form.judged.relevant for form in store.reader.forms()}
    assert now == {
        accepted[0]: 0.0,
        f"{accepted[0]} other": 0.1,
        accepted[1]: 0.9,
        f"{accepted[1]} other": 1.0,
    }
    assert store.reader.counts().forms == 2
    store.links.rejudge_forms({accepted[1]: 0.0})
    assert store.reader.counts().forms == 1


def test_seconds_bytes_and_forms_are_budgets_too(world: StoreWorld) -> None:
    store = world.open("a")
    store.run.begin(Budget(seconds=60))
    store.links.put([candidate(n) for n in range(5)])
    assert store.run.stop_reason() == ""
    world.wait(61)
    assert store.run.stop_reason() == "budget: seconds"
    store.run.set_budget(Budget(bytes=100, forms=1))
    assert store.run.stop_reason() == ""
    taken = lease_one(store, urls=1)
    complete(store, taken, [done(taken.leases[0], forms=(judged("f"),))])
    assert store.run.stop_reason() == "budget: bytes"
    store.run.set_budget(Budget(forms=1))
    assert store.run.stop_reason() == "budget: forms"
    store.run.stop("budget: forms")
    assert store.run.begin(Budget(bytes=100))
    assert store.run.stop_reason() == ""  # bytes count for each run


def test_a_run_begins_once_and_is_paused_resumed_and_stopped(world: StoreWorld) -> None:
    store, other = world.open("a"), world.open("b")
    assert store.run.state().state == NEVER
    assert store.run.begin(Budget(pages=9))
    assert not other.run.begin(Budget(pages=3))
    store.links.put([candidate(1)])
    store.run.pause()
    assert (other.run.state().state, lease(other), other.run.stop_reason()) == (PAUSED, [], "")
    other.run.resume()
    taken = lease_one(store)
    other.run.stop("enough")
    store.run.stop("more than enough")
    assert lease(store) == []
    assert store.run.stop_reason() == store.run.state().reason == "enough"
    complete(store, taken, all_done(taken))
    assert store.reader.counts().visits == 1
    assert other.run.begin(ENDLESS)
    assert (store.run.state().state, store.run.state().number) == (RUNNING, 2)


def test_a_run_has_nothing_left_only_when_nothing_is_out(store: Store) -> None:
    assert store.run.stop_reason() == NOTHING_LEFT
    store.links.put([candidate(1)])
    assert store.run.stop_reason() == ""
    taken = lease_one(store)
    complete(store, taken, all_done(taken), is_over=False)
    assert store.run.stop_reason() == ""
    complete(store, taken, [])
    assert store.run.stop_reason() == NOTHING_LEFT


def test_workers_are_known_by_what_they_did(world: StoreWorld, store: Store) -> None:
    store.links.put([candidate(n, of) for n in range(2) for of in range(2)])
    taken = lease_one(store, worker="w")
    lease_one(store, urls=1, worker="v")
    world.wait(2)
    complete(store, taken, [done(taken.leases[0])], is_over=False)
    v, w = store.run.workers()
    assert (v.name, v.out, v.visits, w.name, w.out, w.visits) == ("v", 1, 0, "w", 1, 1)
    assert v.seen_s == pytest.approx(2)
    assert w.seen_s == pytest.approx(0)


def test_a_worker_that_signed_off_is_gone_at_once(store: Store) -> None:
    store.links.put([candidate(1)])
    taken = lease_one(store, worker="w")
    complete(store, taken, all_done(taken))
    assert [one.is_present for one in store.run.workers()] == [True]
    store.run.sign_off("w")
    assert [(one.is_present, one.visits) for one in store.run.workers()] == [(False, 1)]


# What a delivery keeps


def test_a_delivery_keeps_all_that_was_found(store: Store) -> None:
    store.links.put([candidate(1)])
    taken = lease_one(store)
    link = taken.leases[0]
    brought = Completion(
        visit(link, final_url=url(8), digest=5),
        state(link, forms=1),
        found=(
            candidate(1),
            candidate(2, 1, parent=link.id),
            candidate(3, skip="no"),
            candidate(8),
        ),
        forms=(judged("f"), judged("f"), judged("g", relevant=0.1)),
        events=(Event(1.0, "left", "s"),),
    )
    complete(store, taken, [brought])
    assert store.pages.are_known([url(1), url(2, 1), url(3), url(8)]) == [True, True, False, True]
    assert store.pages.have_forms(["f", "g", "h"]) == [True, True, False]
    assert store.pages.have_digests([(site(0), 5), (site(1), 5), (site(0), 0)]) == [
        True,
        False,
        False,
    ]
    assert [(form.judged.signature, form.sightings) for form in store.reader.forms()] == [
        ("f", 2),
        ("g", 1),
    ]
    assert Event(1.0, "left", "s") in list(store.reader.events())
    counts = store.reader.counts()
    assert (counts.known, counts.waiting, counts.skipped) == (3, 1, 1)
    assert (counts.pages, counts.forms, counts.searchable, counts.sites) == (1, 1, 2, 1)
    assert (counts.requests, counts.size_bytes, counts.deep_sites) == (1, 100, 1)
    found = lease_one(store).leases[0]
    assert [one.url for one in store.pages.path(found.id, 5)] == [url(1), url(2, 1)]
    assert [one.url for one in store.pages.path(found.id, 1)] == [url(2, 1)]
    assert store.pages.path(CandidateId(99), 5) == []


def test_a_url_that_was_skipped_may_still_be_wanted(store: Store) -> None:
    assert store.links.put([candidate(1, skip="no"), candidate(1, skip="no"), candidate(1)]) == 2
    assert store.links.put([candidate(1, skip="no"), candidate(1)]) == 0
    assert [link.candidate.skip for link in lease_one(store).leases] == [""]


def test_a_closed_site_is_leased_no_more_until_it_is_opened(store: Store) -> None:
    store.links.put([candidate(1), candidate(2)])
    taken = lease_one(store, urls=1)
    link = taken.leases[0]
    complete(store, taken, [Completion(visit(link), state(link, closed="enough"))])
    store.links.put([candidate(3)])
    assert lease(store) == []
    assert (store.run.stop_reason(), store.reader.counts().waiting) == (NOTHING_LEFT, 0)
    assert store.links.reopen_sites() == 1
    assert len(lease_one(store).leases) == 2


def test_what_was_passed_over_waits_again_when_sites_are_opened(store: Store) -> None:
    store.links.put([candidate(1)])
    taken = lease_one(store)
    link = taken.leases[0]
    complete(store, taken, [Completion(visit(link, outcome="passed-over"), state(link))])
    assert lease(store) == []
    assert store.links.reopen_sites() == 0
    assert store.reader.counts().visits == 0
    assert lease_one(store).leases == (link,)


def test_the_site_a_worker_sees_is_as_the_last_one_left_it(store: Store) -> None:
    store.links.put([candidate(1), candidate(2)])
    taken = lease_one(store, urls=1)
    left = state(taken.leases[0], pages=3, errors=2, delay_s=1.5)
    complete(store, taken, [Completion(visit(taken.leases[0]), left)])
    assert lease_one(store, worker="v").site == left


def test_links_to_a_busy_site_are_not_forgotten(store: Store) -> None:
    store.links.put([candidate(1), candidate(1, 1)])
    first, second = lease(store)
    to_first = candidate(5, 0 if first.site.site == site(0) else 1)
    complete(store, second, [done(second.leases[0], found=(to_first,))])
    complete(store, first, all_done(first))
    assert lease_one(store).leases[0].candidate.url == to_first.url


# Ranks


def test_a_site_goes_by_its_own_rank(store: Store) -> None:
    store.links.put([candidate(1, 0, score=1), candidate(1, 1, score=2)])
    store.links.rank_sites([(site(0), Priority(0, 9.0)), (site(5), Priority(0, 10.0))])
    assert [one.site.site for one in lease(store)] == [site(0), site(1)]


def test_what_waits_is_told_by_tier(store: Store) -> None:
    assert store.reader.count_waiting() == Waiting({}, 0)
    store.links.put([candidate(n, of, tier=of) for n in range(3) for of in range(3)])
    store.links.put([replace(candidate(9, 3), skip="no")])
    taken = lease_one(store, urls=2)
    assert taken.site.site == site(0)
    # What is on lease waits still; its site does not.
    assert store.reader.count_waiting() == Waiting({0: 3, 1: 3, 2: 3}, 2)
    gone = replace(state(taken.leases[0]), closed="left")
    complete(store, taken, [Completion(visit(taken.leases[0]), gone)])
    assert store.reader.count_waiting() == Waiting({1: 3, 2: 3}, 2)


def test_a_site_may_lose_its_own_rank(store: Store) -> None:
    store.links.put([candidate(1, 0, score=1), candidate(1, 1, score=2)])
    store.links.rank_sites([(site(0), Priority(0, 9.0))])
    store.links.rank_sites([(site(0), None)])
    assert lease_one(store).site.site == site(1)


def test_the_rank_of_a_site_that_waits_is_over_with_its_first_visit(store: Store) -> None:
    store.links.put([candidate(n, of, score=of) for n in range(3) for of in range(2)])
    store.links.rank_sites([(site(0), Priority(0, 9.0))], waiting=True)
    taken = lease_one(store, urls=1)
    assert taken.site.site == site(0)
    complete(store, taken, [done(taken.leases[0])])
    assert [one.site.site for one in lease(store)] == [site(1), site(0)]


def test_the_rank_of_a_site_that_waits_holds_no_link_of_a_better_tier_back(
    store: Store,
) -> None:
    store.links.put([candidate(1, 0, tier=1), candidate(1, 1, tier=1), candidate(1, 2, tier=1)])
    low = [(site(of), Priority(3, 0.0)) for of in range(2)]
    store.links.put([candidate(2, 0, tier=0)])
    store.links.rank_sites([low[0]], waiting=True)
    assert lease_one(store, urls=1).site.site == site(0)
    store.links.rank_sites([low[1]], waiting=True)
    assert lease_one(store, urls=1).site.site == site(1)


def test_a_completion_ranks_its_site(store: Store) -> None:
    store.links.put([candidate(n, of, score=of) for n in range(2) for of in range(2)])
    taken = lease_one(store, urls=1)
    assert taken.site.site == site(1)
    complete(store, taken, [done(taken.leases[0], rank=Priority(4, 0.0))])
    assert [one.site.site for one in lease(store)] == [site(0), site(1)]


def test_links_of_an_older_model_are_ranked_again_when_their_site_is_leased(
    store: Store,
) -> None:
    store.links.put([candidate(n, score=1 - n / 10, features=(n, n)) for n in range(5)])
    asked: list[int] = []

    def score(tiers: NDArray[np.int32], scores: NDArray[np.float32], features: FeatureRows) -> None:
        asked.append(len(tiers))
        scores[:] = features[:, 1]

    ranking = LinkRanking(3, 2, score)
    (taken,) = store.links.lease("w", sites=1, urls=2, for_s=FOR_S, ranking=ranking)
    assert [link.candidate.url for link in taken.leases] == [url(4), url(3)]
    assert taken.leases[0].candidate.priority == Priority(0, 4.0, "ranked again")
    found = (candidate(7, score=9.0, features=(7, 7)),)
    complete(store, taken, [done(taken.leases[0], found=found, version=3)])
    (taken,) = store.links.lease("w", sites=1, urls=2, for_s=FOR_S, ranking=ranking)
    assert [link.candidate.url for link in taken.leases] == [url(7), url(3)]
    assert asked == [5]


# Learning


def test_lessons_are_told_in_order_each_once(world: StoreWorld, store: Store) -> None:
    store.links.put([candidate(n, of) for n in range(3) for of in range(2)])
    first, second = lease(store)
    told = []
    complete(store, second, [done(second.leases[0], lesson=b"1")], is_over=False)
    told += store.learning.lessons(0, 9)
    brought = [done(first.leases[0], lesson=b"2"), done(first.leases[1], lesson=b"3")]
    complete(store, first, brought)
    complete(store, second, [done(second.leases[1], lesson=b"4")])
    told += store.learning.lessons(told[-1].number, 2)
    told += world.open("b").learning.lessons(told[-1].number, 9)
    assert [lesson.body for lesson in told] == [b"1", b"2", b"3", b"4"]
    assert store.learning.lessons(told[-1].number, 9) == []
    assert store.learning.lessons(0, 9) == told


def test_the_newest_model_is_told_and_its_lessons_forgotten(
    world: StoreWorld, store: Store
) -> None:
    store.links.put([candidate(n) for n in range(2)])
    taken = lease_one(store)
    complete(store, taken, [done(link, lesson=bytes([link.id])) for link in taken.leases])
    lessons = store.learning.lessons(0, 9)
    assert store.learning.model() is None
    store.learning.publish(PublishedModel(1, b"one", lessons[0].number))
    assert store.learning.lessons(0, 9) == lessons[1:]
    store.learning.publish(PublishedModel(5, b"five", lessons[0].number))
    other = world.open("b")
    assert (
        other.learning.model()
        == other.learning.model(4)
        == PublishedModel(5, b"five", lessons[0].number)
    )
    assert other.learning.model(5) is None
    with pytest.raises(LeaseLostError):
        other.learning.publish(PublishedModel(5, b"another five"))


# Claims


def test_a_claim_has_one_holder(world: StoreWorld, store: Store) -> None:
    other = world.open("b")
    held = store.learning.claim("learner", "w", FOR_S)
    assert held is not None
    assert held.until == pytest.approx(world.boottime() + FOR_S)
    assert other.learning.claim("learner", "v", FOR_S) is None
    assert other.learning.claim("another", "v", FOR_S) is not None
    world.wait(FOR_S - 1)
    again = store.learning.claim("learner", "w", FOR_S)
    assert again is not None
    assert again.epoch == held.epoch
    world.wait(FOR_S - 1)
    assert other.learning.claim("learner", "v", FOR_S) is None
    world.wait(2)
    passed = other.learning.claim("learner", "v", FOR_S)
    assert passed is not None
    assert passed.epoch > held.epoch
    store.learning.release(held)
    assert store.learning.claim("learner", "w", FOR_S) is None
    other.learning.release(passed)
    assert store.learning.claim("learner", "w", FOR_S) is not None


def test_harvests_are_changed_only_under_a_claim_in_force(world: StoreWorld, store: Store) -> None:
    form = Form(url(0), url(1), "get", ())
    held = store.learning.claim("form f", "w", FOR_S)
    assert held is not None
    harvests = store.claimed_harvests(held)
    harvest = harvests.begin(HarvestSource("f", site(0), form), 1.0)
    with pytest.raises(StoreError):
        harvests.begin(HarvestSource("f", site(0), form), 1.0)
    world.wait(FOR_S + 1)
    other = world.open("b")
    passed = other.learning.claim("form f", "v", FOR_S)
    assert passed is not None
    with pytest.raises(LeaseLostError):
        harvests.keep(harvest)
    found = other.claimed_harvests(passed).find("f")
    assert found == harvest
    other.claimed_harvests(passed).keep(harvest)


# The rest


def test_values_orders_and_events_are_shared(world: StoreWorld, store: Store) -> None:
    other = world.open("b")
    store.save("key", b"one")
    store.save("key", b"two")
    assert (other.load("key"), other.load("none")) == (b"two", None)
    store.inbox.give(Order(STOP, 1.0))
    assert [order.kind for order in other.inbox.orders()] == [STOP]
    store.note(Event(1.0, "started"))
    assert list(store.reader.events()) == [Event(1.0, "started")]


def test_what_is_put_at_the_same_time_is_put_once(world: StoreWorld, store: Store) -> None:
    batch = [candidate(n, n % 3) for n in range(50)]
    assert store.links.put(batch) + world.open("b").links.put(batch[::-1]) == 50
    assert store.reader.counts().known == 50
    assert store.pages.are_known([Url("http://s0.test/none")]) == [False]


def test_a_form_keeps_the_topic_under_which_it_was_judged(store: Store) -> None:
    store.links.put([candidate(1), candidate(2)])
    for topic in ("book", "hotel"):
        taken = lease_one(store, urls=1)
        complete(store, taken, [done(taken.leases[0], forms=(judged("f"),), topic=topic)])
    (form,) = store.reader.forms()
    assert (form.topic, form.sightings) == ("book", 2)


def test_what_is_passed_over_is_no_visit(store: Store) -> None:
    store.links.put([candidate(1), candidate(2)])
    taken = lease_one(store)
    first, second = taken.leases
    passed = Completion(visit(first, outcome="passed-over", requests=0), state(first))
    complete(store, taken, [passed, done(second)])
    counts = store.reader.counts()
    assert (counts.visits, counts.passed_over, counts.failed) == (1, 1, 0)
    assert counts.outcomes == {"page": 1}
