"""The laws of the Shared port, run on every shared store."""

from collections.abc import Iterator

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
from leadline.core.inbox import STOP, Order
from leadline.core.kept import Subject
from leadline.core.page import Form
from leadline.core.shared import (
    NOTHING_LEFT,
    PAUSED,
    RUNNING,
    STOPPED,
    Completion,
    Delivery,
    Model,
    Ranking,
    Shared,
    SiteLease,
)
from leadline.core.url import Url
from leadline.errors import LeaseLostError, StoreError
from tests.store.samples import candidate, judged, site, state, url, visit
from tests.store.worlds import WORLDS, World

FOR_S = 10.0
ENDLESS = Budget()


@pytest.fixture(params=sorted(WORLDS))
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    with WORLDS[request.param](request) as opened:
        yield opened


@pytest.fixture
def shared(world: World) -> Shared:
    opened = world.open("a")
    opened.begin(ENDLESS)
    return opened


def lease(shared: Shared, sites: int = 9, urls: int = 9, worker: str = "w") -> list[SiteLease]:
    return shared.lease(worker, sites=sites, urls=urls, for_s=FOR_S)


def lease_one(shared: Shared, urls: int = 9, worker: str = "w") -> SiteLease:
    (taken,) = lease(shared, 1, urls, worker)
    return taken


def done(link: Lease, **changes: object) -> Completion:
    return Completion(visit(link), state(link), **changes)  # type: ignore[arg-type]


def all_done(taken: SiteLease) -> list[Completion]:
    return [done(link) for link in taken.leases]


# Leases


def test_a_lease_has_the_best_links_of_the_best_sites_best_first(shared: Shared) -> None:
    shared.put([candidate(n, of, score=n + 0.1 * of) for n in range(4) for of in range(3)])
    taken = lease(shared, sites=2, urls=3)
    assert [one.site.site for one in taken] == [site(2), site(1)]
    assert [link.candidate.url for link in taken[0].leases] == [url(n, 2) for n in (3, 2, 1)]


def test_a_lease_carries_whole_candidates(shared: Shared) -> None:
    wanted = candidate(1, 2, 3, 0.1, features=(4, 5))
    shared.put([wanted])
    assert lease_one(shared).leases[0].candidate == wanted


def test_a_site_has_one_lease_out(world: World, shared: Shared) -> None:
    shared.put([candidate(n) for n in range(3)])
    taken = lease_one(shared, urls=1)
    assert lease(shared) == lease(world.open("b"), worker="v") == []
    shared.complete(taken, all_done(taken))
    assert len(lease_one(shared).leases) == 2


def test_an_expired_lease_returns_with_a_higher_epoch(world: World, shared: Shared) -> None:
    shared.put([candidate(1)])
    first = lease_one(shared)
    world.wait(FOR_S - 0.1)
    assert lease(shared) == []
    world.wait(0.2)
    second = lease_one(shared)
    assert second.epoch > first.epoch
    assert second.leases == first.leases


def test_a_lease_ends_on_the_clock_of_who_asked(world: World, shared: Shared) -> None:
    shared.put([candidate(1)])
    assert lease_one(shared).until == pytest.approx(world.boottime() + FOR_S)


def test_a_delivery_under_an_old_epoch_is_refused_whole(world: World, shared: Shared) -> None:
    shared.put([candidate(1), candidate(2)])
    lost = lease_one(shared)
    world.wait(FOR_S + 1)
    held = lease_one(shared, worker="v")
    brought = done(
        lost.leases[0],
        found=(candidate(3),),
        forms=(judged("f"),),
        events=(Event(1.0, "left"),),
        lesson=b"?",
    )
    before = shared.counts()
    with pytest.raises(LeaseLostError):
        shared.complete(lost, [brought])
    assert shared.counts() == before
    assert shared.known([url(3)]) == shared.has_forms(["f"]) == [False]
    assert shared.lessons(0, 9) == []
    shared.complete(held, [brought])
    assert shared.counts().visits == 1


def test_of_many_leases_only_the_lost_ones_are_refused(world: World, shared: Shared) -> None:
    shared.put([candidate(1), candidate(1, 1)])
    lost = lease_one(shared)
    world.wait(FOR_S + 1)
    both = lease(shared)
    kept = next(one for one in both if one.site.site != lost.site.site)
    deliveries = [Delivery(one, tuple(all_done(one))) for one in (lost, kept)]
    assert shared.deliver(deliveries) == [lost]
    assert shared.counts().visits == 1


def test_what_is_delivered_twice_is_kept_once(shared: Shared) -> None:
    shared.put([candidate(1), candidate(2)])
    taken = lease_one(shared)
    first = [done(taken.leases[0], lesson=b"one", forms=(judged("f"),))]
    shared.complete(taken, first, is_over=False)
    shared.complete(taken, first, is_over=False)
    assert shared.counts().visits == 1
    assert [lesson.body for lesson in shared.lessons(0, 9)] == [b"one"]
    shared.complete(taken, [done(taken.leases[1])])
    with pytest.raises(LeaseLostError):
        shared.complete(taken, [done(taken.leases[1])])
    assert shared.counts().visits == 2


def test_a_site_can_be_leased_by_name_without_any_link(world: World, shared: Shared) -> None:
    shared.put([candidate(1)])
    held = shared.lease_site("w", site(0), for_s=FOR_S)
    assert held is not None
    assert held.leases == ()
    assert lease(shared) == []
    assert shared.lease_site("v", site(0), for_s=FOR_S) is None
    assert shared.deliver([Delivery(held, rest_s=3.0)]) == []
    assert shared.lease_site("w", site(0), for_s=FOR_S) is None
    world.wait(3.1)
    assert lease_one(shared).epoch > held.epoch


def test_a_site_that_was_never_met_can_be_leased_by_name(world: World, shared: Shared) -> None:
    held = shared.lease_site("w", site(7), for_s=FOR_S, pause_s=5.0)
    assert held is not None
    assert shared.known([url(1, 7)]) == [False]
    world.wait(FOR_S + 4.9)
    assert shared.lease_site("v", site(7), for_s=FOR_S) is None
    world.wait(0.2)
    assert shared.lease_site("v", site(7), for_s=FOR_S) is not None
    assert shared.deliver([Delivery(held)]) == [held]


def test_nothing_is_leased_by_name_while_a_run_rests(shared: Shared) -> None:
    shared.pause()
    assert shared.lease_site("w", site(7), for_s=FOR_S) is None


def test_a_link_that_was_skipped_is_told_with_its_page(shared: Shared) -> None:
    shared.put([candidate(1)])
    taken = lease_one(shared)
    skipped = replace(candidate(2), parent=taken.leases[0].id, skip="off topic")
    shared.complete(taken, [done(taken.leases[0], found=(skipped,))])
    (told,) = shared.skipped()
    assert (told.candidate.url, told.candidate.skip) == (url(2), "off topic")
    assert told.candidate.depth == taken.leases[0].candidate.depth + 1


def test_links_that_were_not_visited_wait_again(shared: Shared) -> None:
    shared.put([candidate(n, score=-n) for n in range(3)])
    taken = lease_one(shared, urls=2)
    shared.complete(taken, [done(taken.leases[0])])
    assert [link.candidate.url for link in lease_one(shared).leases] == [url(1), url(2)]


def test_a_lease_that_goes_on_keeps_its_site(shared: Shared) -> None:
    shared.put([candidate(1), candidate(2)])
    taken = lease_one(shared)
    shared.complete(taken, [done(taken.leases[0])], is_over=False)
    assert lease(shared) == []
    assert shared.counts().visits == 1


# Pauses


def test_a_site_rests_after_a_delivery(world: World, shared: Shared) -> None:
    shared.put([candidate(1), candidate(2)])
    taken = lease_one(shared, urls=1)
    shared.complete(taken, all_done(taken), rest_s=5)
    assert lease(shared) == []
    assert shared.wait_s() == pytest.approx(5)
    world.wait(4.9)
    assert lease(shared) == []
    world.wait(0.2)
    assert shared.wait_s() == 0
    assert lease(shared)


def test_a_site_whose_worker_died_rests_after_the_lease(world: World, shared: Shared) -> None:
    shared.put([candidate(1)])
    shared.lease("w", sites=1, urls=1, for_s=FOR_S, pause_s=5)
    assert shared.wait_s() == pytest.approx(FOR_S + 5)
    world.wait(FOR_S + 4.9)
    assert lease(shared) == []
    world.wait(0.2)
    assert lease(shared)


def test_a_known_pause_counts_too_when_a_worker_died(shared: Shared) -> None:
    shared.put([candidate(1), candidate(2)])
    taken = lease_one(shared, urls=1)
    link = taken.leases[0]
    shared.complete(taken, [Completion(visit(link), state(link, delay_s=30.0))])
    lease_one(shared)
    assert shared.wait_s() == pytest.approx(FOR_S + 30)


def test_nothing_to_wait_for_is_told(shared: Shared) -> None:
    assert shared.wait_s() is None
    shared.put([candidate(1, skip="no")])
    assert shared.wait_s() is None


# Clocks


@pytest.mark.parametrize("jump_s", [-3600.0, -3.0, 3.0, 3600.0])
def test_a_clock_that_is_set_changes_no_pause(world: World, shared: Shared, jump_s: float) -> None:
    shared.put([candidate(1), candidate(2)])
    taken = lease_one(shared, urls=1)
    shared.complete(taken, all_done(taken), rest_s=5)
    world.wait(1)
    world.set_clock(jump_s)
    assert lease(shared) == []
    assert shared.wait_s() == pytest.approx(4, abs=0.1)
    world.wait(3.9)
    assert lease(shared) == []
    world.wait(0.2)
    assert lease(shared)


@pytest.mark.parametrize("jump_s", [-3600.0, 3600.0])
def test_a_clock_that_is_set_changes_no_lease(world: World, shared: Shared, jump_s: float) -> None:
    other = world.open("b")
    shared.put([candidate(1), candidate(2, 1)])
    taken = lease_one(shared)
    assert lease_one(other).site.site != taken.site.site
    world.set_clock(jump_s)
    world.wait(FOR_S - 1)
    assert lease(other) == lease(shared) == []
    world.wait(2)
    assert len(lease(other)) == 2


def test_a_machine_that_stood_still_makes_nobody_hurry(world: World, shared: Shared) -> None:
    other = world.open("b")
    shared.put([candidate(1), candidate(2)])
    assert lease(other)
    world.stand_still("b", 60)
    taken = lease_one(shared, urls=1)
    shared.complete(taken, all_done(taken), rest_s=5)
    assert lease(other) == []
    assert lease(shared) == []
    world.wait(4)
    assert lease(other) == lease(shared) == []
    world.wait(62)
    assert lease(shared)


def test_a_clock_that_was_set_is_noted(world: World, shared: Shared) -> None:
    shared.put([candidate(1)])
    world.set_clock(100)
    lease(shared)
    assert [event.kind for event in world.events()] == ["clock"]


# Budgets and runs


def test_a_budget_of_pages_is_never_overshot(world: World) -> None:
    shared = world.open("a")
    shared.begin(Budget(pages=7))
    shared.put([candidate(n, of) for n in range(5) for of in range(5)])
    first, second = lease(shared, sites=2, urls=3), lease(shared, sites=2, urls=3, worker="v")
    out = [len(one.leases) for one in first + second]
    assert out == [3, 3, 1]
    assert lease(shared) == []
    assert shared.why_stop() == ""
    for taken in first:
        shared.complete(taken, all_done(taken))
    assert lease(shared) == []
    shared.complete(second[0], [])
    assert sum(len(one.leases) for one in lease(shared)) == 1
    world.wait(FOR_S + 1)
    (last,) = lease(shared)
    assert len(last.leases) == 1
    shared.complete(last, all_done(last))
    assert shared.why_stop() == "budget: pages"
    assert shared.counts().visits == 7


def test_only_links_that_are_going_to_be_asked_for_count(world: World) -> None:
    shared = world.open("a")
    shared.begin(Budget(pages=5))
    shared.put([candidate(n, of) for n in range(4) for of in range(9)])

    def leased(worker: str, sites: int) -> list[int]:
        taken = shared.lease(worker, sites=sites, urls=3, turn=2, for_s=FOR_S)
        every.extend(taken)
        return [len(one.leases) for one in taken]

    every: list[SiteLease] = []
    assert leased("w", 1) == [3]
    assert leased("v", 9) == [3, 1]
    assert leased("u", 9) == []
    for taken in every:
        shared.complete(taken, all_done(taken)[:2])
    assert shared.counts().visits == 5
    assert shared.why_stop() == "budget: pages"


def test_what_costs_a_site_nothing_costs_the_budget_nothing(world: World) -> None:
    shared = world.open("a")
    shared.begin(Budget(pages=1))
    shared.put([candidate(n) for n in range(3)])
    for outcome in ("robots", "passed-over"):
        taken = lease_one(shared)
        link = taken.leases[0]
        shared.complete(taken, [Completion(visit(link, outcome=outcome), state(link))])
    assert shared.why_stop() == ""
    taken = lease_one(shared)
    shared.complete(taken, all_done(taken))
    assert shared.why_stop() == "budget: pages"


def test_other_requests_count_against_the_budget(world: World) -> None:
    shared = world.open("a")
    shared.begin(Budget(pages=3))
    shared.put([candidate(n) for n in range(5)])
    shared.spend("w", 2)
    taken = lease_one(shared)
    assert len(taken.leases) == 1
    shared.complete(taken, [])
    shared.spend("w", 1)
    assert (lease(shared), shared.why_stop()) == ([], "budget: pages")


def test_seconds_bytes_and_forms_are_budgets_too(world: World) -> None:
    shared = world.open("a")
    shared.begin(Budget(seconds=60))
    shared.put([candidate(n) for n in range(5)])
    assert shared.why_stop() == ""
    world.wait(61)
    assert shared.why_stop() == "budget: seconds"
    shared.limit(Budget(bytes=100, forms=1))
    assert shared.why_stop() == ""
    taken = lease_one(shared, urls=1)
    shared.complete(taken, [done(taken.leases[0], forms=(judged("f"),))])
    assert shared.why_stop() == "budget: bytes"
    shared.limit(Budget(forms=1))
    assert shared.why_stop() == "budget: forms"
    shared.stop("budget: forms")
    assert shared.begin(Budget(bytes=100))
    assert shared.why_stop() == ""  # bytes count for each run


def test_a_run_begins_once_and_is_paused_resumed_and_stopped(world: World) -> None:
    shared, other = world.open("a"), world.open("b")
    assert shared.run().state == STOPPED
    assert shared.begin(Budget(pages=9))
    assert not other.begin(Budget(pages=3))
    shared.put([candidate(1)])
    shared.pause()
    assert (other.run().state, lease(other), other.why_stop()) == (PAUSED, [], "")
    other.resume()
    taken = lease_one(shared)
    other.stop("enough")
    shared.stop("more than enough")
    assert lease(shared) == []
    assert shared.why_stop() == shared.run().reason == "enough"
    shared.complete(taken, all_done(taken))
    assert shared.counts().visits == 1
    assert other.begin(ENDLESS)
    assert (shared.run().state, shared.run().number) == (RUNNING, 2)


def test_a_run_has_nothing_left_only_when_nothing_is_out(shared: Shared) -> None:
    assert shared.why_stop() == NOTHING_LEFT
    shared.put([candidate(1)])
    assert shared.why_stop() == ""
    taken = lease_one(shared)
    shared.complete(taken, all_done(taken), is_over=False)
    assert shared.why_stop() == ""
    shared.complete(taken, [])
    assert shared.why_stop() == NOTHING_LEFT


def test_workers_are_known_by_what_they_did(world: World, shared: Shared) -> None:
    shared.put([candidate(n, of) for n in range(2) for of in range(2)])
    taken = lease_one(shared, worker="w")
    lease_one(shared, urls=1, worker="v")
    world.wait(2)
    shared.complete(taken, [done(taken.leases[0])], is_over=False)
    v, w = shared.workers()
    assert (v.name, v.out, v.visits, w.name, w.out, w.visits) == ("v", 1, 0, "w", 1, 1)
    assert v.seen_s == pytest.approx(2)
    assert w.seen_s == pytest.approx(0)


def test_a_worker_that_signed_off_is_gone_at_once(shared: Shared) -> None:
    shared.put([candidate(1)])
    taken = lease_one(shared, worker="w")
    shared.complete(taken, all_done(taken))
    assert [one.is_present for one in shared.workers()] == [True]
    shared.sign_off("w")
    assert [(one.is_present, one.visits) for one in shared.workers()] == [(False, 1)]


# What a delivery keeps


def test_a_delivery_keeps_all_that_was_found(world: World, shared: Shared) -> None:
    shared.put([candidate(1)])
    taken = lease_one(shared)
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
    shared.complete(taken, [brought])
    assert shared.known([url(1), url(2, 1), url(3), url(8)]) == [True, True, False, True]
    assert shared.has_forms(["f", "g", "h"]) == [True, True, False]
    assert shared.has_digests([(site(0), 5), (site(1), 5), (site(0), 0)]) == [True, False, False]
    assert [(form.judged.signature, form.sightings) for form in world.forms()] == [
        ("f", 2),
        ("g", 1),
    ]
    assert Event(1.0, "left", "s") in world.events()
    counts = shared.counts()
    assert (counts.known, counts.waiting, counts.skipped) == (3, 1, 1)
    assert (counts.pages, counts.forms, counts.searchable, counts.sites) == (1, 1, 2, 1)
    assert (counts.requests, counts.size_bytes, counts.deep_sites) == (1, 100, 1)
    found = lease_one(shared).leases[0]
    assert [one.url for one in shared.path(found.id, 5)] == [url(1), url(2, 1)]
    assert [one.url for one in shared.path(found.id, 1)] == [url(2, 1)]
    assert shared.path(CandidateId(99), 5) == []


def test_a_url_that_was_skipped_may_still_be_wanted(shared: Shared) -> None:
    assert shared.put([candidate(1, skip="no"), candidate(1, skip="no"), candidate(1)]) == 2
    assert shared.put([candidate(1, skip="no"), candidate(1)]) == 0
    assert [link.candidate.skip for link in lease_one(shared).leases] == [""]


def test_a_closed_site_is_leased_no_more_until_it_is_opened(shared: Shared) -> None:
    shared.put([candidate(1), candidate(2)])
    taken = lease_one(shared, urls=1)
    link = taken.leases[0]
    shared.complete(taken, [Completion(visit(link), state(link, closed="enough"))])
    shared.put([candidate(3)])
    assert lease(shared) == []
    assert (shared.why_stop(), shared.counts().waiting) == (NOTHING_LEFT, 0)
    assert shared.reopen() == 1
    assert len(lease_one(shared).leases) == 2


def test_what_was_passed_over_waits_again_when_sites_are_opened(shared: Shared) -> None:
    shared.put([candidate(1)])
    taken = lease_one(shared)
    link = taken.leases[0]
    shared.complete(taken, [Completion(visit(link, outcome="passed-over"), state(link))])
    assert lease(shared) == []
    assert shared.reopen() == 0
    assert shared.counts().visits == 0
    assert lease_one(shared).leases == (link,)


def test_the_site_a_worker_sees_is_as_the_last_one_left_it(shared: Shared) -> None:
    shared.put([candidate(1), candidate(2)])
    taken = lease_one(shared, urls=1)
    left = state(taken.leases[0], pages=3, errors=2, delay_s=1.5)
    shared.complete(taken, [Completion(visit(taken.leases[0]), left)])
    assert lease_one(shared, worker="v").site == left


def test_links_to_a_busy_site_are_not_forgotten(shared: Shared) -> None:
    shared.put([candidate(1), candidate(1, 1)])
    first, second = lease(shared)
    to_first = candidate(5, 0 if first.site.site == site(0) else 1)
    shared.complete(second, [done(second.leases[0], found=(to_first,))])
    shared.complete(first, all_done(first))
    assert lease_one(shared).leases[0].candidate.url == to_first.url


# Ranks


def test_a_site_goes_by_its_own_rank(shared: Shared) -> None:
    shared.put([candidate(1, 0, score=1), candidate(1, 1, score=2)])
    shared.rank_sites([(site(0), Priority(0, 9.0)), (site(5), Priority(0, 10.0))])
    assert [one.site.site for one in lease(shared)] == [site(0), site(1)]


def test_what_waits_is_told_by_tier(shared: Shared) -> None:
    assert shared.waiting() == Waiting({}, 0)
    shared.put([candidate(n, of, tier=of) for n in range(3) for of in range(3)])
    shared.put([replace(candidate(9, 3), skip="no")])
    taken = lease_one(shared, urls=2)
    assert taken.site.site == site(0)
    # What is on lease waits still; its site does not.
    assert shared.waiting() == Waiting({0: 3, 1: 3, 2: 3}, 2)
    gone = replace(state(taken.leases[0]), closed="left")
    shared.complete(taken, [Completion(visit(taken.leases[0]), gone)])
    assert shared.waiting() == Waiting({1: 3, 2: 3}, 2)


def test_a_site_may_lose_its_own_rank(shared: Shared) -> None:
    shared.put([candidate(1, 0, score=1), candidate(1, 1, score=2)])
    shared.rank_sites([(site(0), Priority(0, 9.0))])
    shared.rank_sites([(site(0), None)])
    assert lease_one(shared).site.site == site(1)


def test_the_rank_of_a_site_that_waits_is_over_with_its_first_visit(shared: Shared) -> None:
    shared.put([candidate(n, of, score=of) for n in range(3) for of in range(2)])
    shared.rank_sites([(site(0), Priority(0, 9.0))], waiting=True)
    taken = lease_one(shared, urls=1)
    assert taken.site.site == site(0)
    shared.complete(taken, [done(taken.leases[0])])
    assert [one.site.site for one in lease(shared)] == [site(1), site(0)]


def test_the_rank_of_a_site_that_waits_holds_no_link_of_a_better_tier_back(
    shared: Shared,
) -> None:
    shared.put([candidate(1, 0, tier=1), candidate(1, 1, tier=1), candidate(1, 2, tier=1)])
    low = [(site(of), Priority(3, 0.0)) for of in range(2)]
    shared.put([candidate(2, 0, tier=0)])
    shared.rank_sites([low[0]], waiting=True)
    assert lease_one(shared, urls=1).site.site == site(0)
    shared.rank_sites([low[1]], waiting=True)
    assert lease_one(shared, urls=1).site.site == site(1)


def test_a_completion_ranks_its_site(shared: Shared) -> None:
    shared.put([candidate(n, of, score=of) for n in range(2) for of in range(2)])
    taken = lease_one(shared, urls=1)
    assert taken.site.site == site(1)
    shared.complete(taken, [done(taken.leases[0], rank=Priority(4, 0.0))])
    assert [one.site.site for one in lease(shared)] == [site(0), site(1)]


def test_links_of_an_older_model_are_ranked_again_when_their_site_is_leased(
    shared: Shared,
) -> None:
    shared.put([candidate(n, score=1 - n / 10, features=(n, n)) for n in range(5)])
    asked: list[int] = []

    def score(tiers: NDArray[np.int32], scores: NDArray[np.float32], features: FeatureRows) -> None:
        asked.append(len(tiers))
        scores[:] = features[:, 1]

    ranking = Ranking(3, 2, score)
    (taken,) = shared.lease("w", sites=1, urls=2, for_s=FOR_S, ranking=ranking)
    assert [link.candidate.url for link in taken.leases] == [url(4), url(3)]
    assert taken.leases[0].candidate.priority == Priority(0, 4.0, "ranked again")
    found = (candidate(7, score=9.0, features=(7, 7)),)
    shared.complete(taken, [done(taken.leases[0], found=found, version=3)])
    (taken,) = shared.lease("w", sites=1, urls=2, for_s=FOR_S, ranking=ranking)
    assert [link.candidate.url for link in taken.leases] == [url(7), url(3)]
    assert asked == [5]


# Learning


def test_lessons_are_told_in_order_each_once(world: World, shared: Shared) -> None:
    shared.put([candidate(n, of) for n in range(3) for of in range(2)])
    first, second = lease(shared)
    told = []
    shared.complete(second, [done(second.leases[0], lesson=b"1")], is_over=False)
    told += shared.lessons(0, 9)
    brought = [done(first.leases[0], lesson=b"2"), done(first.leases[1], lesson=b"3")]
    shared.complete(first, brought)
    shared.complete(second, [done(second.leases[1], lesson=b"4")])
    told += shared.lessons(told[-1].number, 2)
    told += world.open("b").lessons(told[-1].number, 9)
    assert [lesson.body for lesson in told] == [b"1", b"2", b"3", b"4"]
    assert shared.lessons(told[-1].number, 9) == []
    assert shared.lessons(0, 9) == told


def test_the_newest_model_is_told_and_its_lessons_forgotten(world: World, shared: Shared) -> None:
    shared.put([candidate(n) for n in range(2)])
    taken = lease_one(shared)
    shared.complete(taken, [done(link, lesson=bytes([link.id])) for link in taken.leases])
    lessons = shared.lessons(0, 9)
    assert shared.model() is None
    shared.publish(Model(1, b"one", lessons[0].number))
    assert shared.lessons(0, 9) == lessons[1:]
    shared.publish(Model(5, b"five", lessons[0].number))
    other = world.open("b")
    assert other.model() == other.model(4) == Model(5, b"five", lessons[0].number)
    assert other.model(5) is None
    with pytest.raises(LeaseLostError):
        other.publish(Model(5, b"another five"))


# Claims


def test_a_claim_has_one_holder(world: World, shared: Shared) -> None:
    other = world.open("b")
    held = shared.claim("learner", "w", FOR_S)
    assert held is not None
    assert held.until == pytest.approx(world.boottime() + FOR_S)
    assert other.claim("learner", "v", FOR_S) is None
    assert other.claim("another", "v", FOR_S) is not None
    world.wait(FOR_S - 1)
    again = shared.claim("learner", "w", FOR_S)
    assert again is not None
    assert again.epoch == held.epoch
    world.wait(FOR_S - 1)
    assert other.claim("learner", "v", FOR_S) is None
    world.wait(2)
    passed = other.claim("learner", "v", FOR_S)
    assert passed is not None
    assert passed.epoch > held.epoch
    shared.release(held)
    assert shared.claim("learner", "w", FOR_S) is None
    other.release(passed)
    assert shared.claim("learner", "w", FOR_S) is not None


def test_harvests_are_changed_only_under_a_claim_in_force(world: World, shared: Shared) -> None:
    form = Form(url(0), url(1), "get", ())
    held = shared.claim("form f", "w", FOR_S)
    assert held is not None
    harvests = shared.harvests(held)
    harvest = harvests.begin(Subject("f", site(0), form), 1.0)
    with pytest.raises(StoreError):
        harvests.begin(Subject("f", site(0), form), 1.0)
    world.wait(FOR_S + 1)
    other = world.open("b")
    passed = other.claim("form f", "v", FOR_S)
    assert passed is not None
    with pytest.raises(LeaseLostError):
        harvests.keep(harvest)
    found = other.harvests(passed).find("f")
    assert found == harvest
    other.harvests(passed).keep(harvest)


# The rest


def test_values_orders_and_events_are_shared(world: World, shared: Shared) -> None:
    other = world.open("b")
    shared.save("key", b"one")
    shared.save("key", b"two")
    assert (other.load("key"), other.load("none")) == (b"two", None)
    shared.inbox.give(Order(STOP, 1.0))
    assert [order.kind for order in other.inbox.orders()] == [STOP]
    shared.note(Event(1.0, "started"))
    assert world.events() == [Event(1.0, "started")]


def test_what_is_put_at_the_same_time_is_put_once(world: World, shared: Shared) -> None:
    batch = [candidate(n, n % 3) for n in range(50)]
    assert shared.put(batch) + world.open("b").put(batch[::-1]) == 50
    assert shared.counts().known == 50
    assert shared.known([Url("http://s0.test/none")]) == [False]
