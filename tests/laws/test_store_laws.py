"""The laws of the Store port, run on every store."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from leadline.core.crawl import Event, Lease, Priority, SiteState
from leadline.core.store import Store
from leadline.core.url import Url
from leadline.errors import StoreError
from leadline.store.leases import StoreClock
from tests.laws.test_frontier_laws import OPENERS
from tests.postgres.fixtures import place_of
from tests.store.samples import (
    candidate,
    give_back,
    judged,
    record,
    rescore,
    site,
    state,
    take,
    url,
    visit,
)
from tests.store.worlds import MIDDAY, Clocks


@pytest.fixture(params=sorted(OPENERS))
def clocked(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Store, Clocks]]:
    clocks = Clocks()
    opened = OPENERS[request.param](
        str(place_of(request.param, request, tmp_path)),
        None,
        StoreClock(clocks.wall, clocks.boottime),
    )
    yield opened, clocks
    opened.close()


@pytest.fixture
def store(clocked: tuple[Store, Clocks]) -> Store:
    return clocked[0]


def take_one(store: Store) -> Lease:
    (lease,) = take(store, 1)
    return lease


def test_a_url_is_put_once(store: Store) -> None:
    assert store.links.put([candidate(1), candidate(2), candidate(1)]) == 2
    assert store.links.put([candidate(1, tier=3)]) == 0
    assert store.reader.counts().known == 2
    assert store.pages.are_known([url(1), url(2), url(3)]) == [True, True, False]


def test_a_found_url_that_is_known_is_passed_over(store: Store) -> None:
    store.links.put([candidate(1), candidate(2, score=9.0)])
    lease = take_one(store)
    record(store, visit(lease), state(lease), [candidate(1, 0, 5), candidate(3), candidate(3)])
    assert store.reader.counts().known == 3
    assert store.reader.counts().waiting == 2


def test_a_lease_carries_the_whole_candidate(store: Store) -> None:
    wanted = candidate(1, 2, 3, 0.1, features=(4, 5))
    store.links.put([wanted])
    assert take_one(store).candidate == wanted
    store.flush()
    found = store.reader.candidate(wanted.url)
    assert found is not None
    assert found[1] == wanted


def test_a_site_has_one_lease_out(store: Store) -> None:
    store.links.put([candidate(number) for number in range(3)])
    lease = take_one(store)
    assert take(store, 5) == []
    assert store.links.wait_s() is None
    record(store, visit(lease), state(lease))
    assert len(take(store, 5)) == 1


def test_a_resting_site_is_not_taken_early(clocked: tuple[Store, Clocks]) -> None:
    store, clocks = clocked
    store.links.put([candidate(1), candidate(2), candidate(3)])
    lease = take_one(store)
    record(store, visit(lease), state(lease), rest_s=10.0)
    clocks.elapsed += 9.9
    assert take(store, 1) == []
    assert store.links.wait_s() == pytest.approx(0.1)
    clocks.elapsed += 0.2
    lease = take_one(store)
    give_back(store, lease, 10.0)
    clocks.elapsed += 9.9
    assert take(store, 1) == []
    assert next(store.reader.sites()).ready_at == pytest.approx(MIDDAY + 20.1)
    clocks.elapsed += 0.2
    assert take_one(store) == lease


def test_a_site_that_became_ready_stays_so_when_the_clock_goes_back(
    clocked: tuple[Store, Clocks],
) -> None:
    store, clocks = clocked
    store.links.put([candidate(1), candidate(2), candidate(3, 1)])
    lease = take_one(store)
    record(store, visit(lease), state(lease), rest_s=10.0)
    clocks.elapsed += 10.0
    clocks.set_by -= 3_600.0
    assert {lease.candidate.site for lease in take(store, 5)} == {site(0), site(1)}


def test_what_is_given_back_returns_to_its_place(store: Store) -> None:
    store.links.put([candidate(1, score=1.0), candidate(2, score=1.0)])
    lease = take_one(store)
    give_back(store, lease, 0.0)
    assert take_one(store) == lease


def test_a_closed_site_is_asked_no_more(store: Store) -> None:
    store.links.put([candidate(1), candidate(2), candidate(3, 1)])
    lease = take_one(store)
    record(store, visit(lease), state(lease, closed="nothing there"), [candidate(4)])
    assert [lease.candidate.url for lease in take(store, 9)] == [url(3, 1)]
    assert store.links.put([candidate(5)]) == 1
    assert take(store, 9) == []
    assert store.reader.counts().waiting == 1  # the one leased
    assert store.links.site(site(0)).closed == "nothing there"


def test_a_site_that_is_opened_again_has_what_waited_there(store: Store) -> None:
    store.links.put(
        [candidate(1, score=1), candidate(2, score=0.5), candidate(3, 1), candidate(4, 1)]
    )
    first, other = take(store, 2)
    record(store, visit(first), state(first, closed="enough"), [candidate(5, score=0.1)])
    store.links.rank_sites([(site(0), Priority(7, 0.0))])
    record(store, visit(other), state(other))
    assert store.links.reopen_sites() == 1
    assert store.links.site(site(0)).closed == ""
    assert store.reader.counts().waiting == 3
    leases = take(store, 9)
    assert [lease.candidate.url for lease in leases] == [url(2), url(4, 1)]
    record(store, visit(leases[0]), state(leases[0]))
    assert take_one(store).candidate.url == url(5)
    assert store.links.reopen_sites() == 0
    assert store.reader.counts().waiting == 2  # both leased


def test_what_was_passed_over_waits_again_when_sites_are_opened(store: Store) -> None:
    store.links.put([candidate(1), candidate(2, 1)])
    for lease in take(store, 2):
        record(store, visit(lease, outcome="passed-over"), state(lease))
    assert store.links.reopen_sites() == 0
    store.flush()
    assert (store.reader.counts().visits, store.reader.counts().waiting) == (0, 2)
    lease = take(store, 2)[0]
    record(store, visit(lease), state(lease))
    assert [seen.outcome for seen in store.reader.visits()] == ["page"]


def test_skipped_links_are_told_with_their_depth_and_the_page_they_stood_on(store: Store) -> None:
    store.links.put([candidate(1)])
    lease = take_one(store)
    found = [candidate(2, skip="a", parent=lease.id), candidate(3, 1, skip="b", parent=lease.id)]
    record(store, visit(lease, relevance=0.7), state(lease), found)
    told = [
        (s.candidate.url, s.candidate.skip, s.candidate.depth) for s in store.links.skipped_links()
    ]
    assert told == [(url(2), "a", 1), (url(3, 1), "b", 0)]
    assert [round(one.relevance, 3) for one in store.links.skipped_links()] == [0.7, 0.7]


def test_a_skipped_candidate_is_not_leased_and_keeps_its_reason(store: Store) -> None:
    store.links.put([candidate(1, skip="a calendar")])
    assert take(store, 1) == []
    assert store.links.wait_s() is None
    assert store.pages.are_known([url(1)]) == [False]
    assert store.links.put([candidate(1, skip="a calendar again")]) == 0
    assert (store.reader.counts().skipped, store.reader.counts().waiting) == (1, 0)
    found = store.reader.candidate(url(1))
    assert found is not None
    assert found[1].skip == "a calendar"


def test_a_skipped_url_that_is_met_again_may_be_wanted(store: Store) -> None:
    store.links.put([candidate(1, skip="its page is off topic")])
    assert store.links.put([candidate(1)]) == 1
    assert store.pages.are_known([url(1)]) == [True]
    assert store.links.put([candidate(1, skip="its page is off topic")]) == 0
    lease = take_one(store)
    assert lease.candidate.url == url(1)
    found = store.reader.candidate(url(1))
    assert found is not None
    assert found[1].skip == ""


def test_a_site_rank_overrules_its_links(store: Store) -> None:
    store.links.put([candidate(1, 0, 0, 9.0), candidate(2, 1, 5, 0.0)])
    store.links.rank_sites([(site(1), Priority(0, 10.0))])
    first = take_one(store)
    assert first.candidate.site == site(1)
    give_back(store, first, 0.0)
    store.links.rank_sites([(site(1), None)])
    assert take_one(store).candidate.site == site(0)


def test_rescoring_changes_the_order_and_the_lease_tells(store: Store) -> None:
    store.links.put(
        [candidate(1, 0, 0, 2.0, features=(7, 0)), candidate(2, 1, 0, 1.0, features=(8, 0))]
    )

    def prefer_eight(tiers, scores, features) -> None:  # type: ignore[no-untyped-def]
        tiers[:] = 3
        scores[:] = features[:, 0] == 8

    rescore(store, prefer_eight)
    first, second = take(store, 2)
    assert (first.candidate.url, first.candidate.priority[:2]) == (url(2, 1), (3, 1.0))
    assert second.candidate.priority[:2] == (3, 0.0)


def test_a_lease_given_back_after_rescoring_has_its_fresh_rank(store: Store) -> None:
    store.links.put(
        [candidate(1, 0, 0, 2.0, features=(1, 0)), candidate(2, 1, 0, 1.0, features=(2, 0))]
    )
    lease = take_one(store)

    def turn_round(tiers, scores, features) -> None:  # type: ignore[no-untyped-def]
        tiers[:] = 0
        scores[:] = features[:, 0]

    rescore(store, turn_round)
    give_back(store, lease, 0.0)
    assert [lease.candidate.url for lease in take(store, 2)] == [url(2, 1), url(1)]


def test_a_tier_out_of_range_changes_nothing(store: Store) -> None:
    with pytest.raises(ValueError, match="tier"):
        store.links.put([candidate(1), candidate(2, tier=70_000)])
    assert store.reader.counts().known == 0
    assert store.pages.are_known([url(1)]) == [False]


def test_what_is_not_leased_cannot_be_recorded(store: Store) -> None:
    store.links.put([candidate(1)])
    lease = take_one(store)
    record(store, visit(lease), state(lease))
    with pytest.raises(StoreError, match="lease"):
        record(store, visit(lease), state(lease))
    with pytest.raises(StoreError, match="lease"):
        give_back(store, lease, 0.0)
    assert store.reader.counts().visits == 1


def test_a_redirect_end_is_known(store: Store) -> None:
    store.links.put([candidate(1)])
    lease = take_one(store)
    record(store, visit(lease, final_url=Url("http://end.test/")), state(lease))
    assert store.pages.are_known([Url("http://end.test/")]) == [True]
    assert store.reader.candidate(Url("http://end.test/")) is None
    assert store.reader.counts().known == 1


def test_forms_are_counted_once(store: Store) -> None:
    store.links.put([candidate(1), candidate(2, 1)])
    for lease, forms in zip(take(store, 2), (["a", "b"], ["b", "c", "c"]), strict=True):
        record(store, visit(lease), state(lease), forms=[judged(name) for name in forms])
    assert [(form.judged.signature, form.sightings) for form in store.reader.forms()] == [
        ("a", 1),
        ("b", 2),
        ("c", 2),
    ]
    assert store.pages.have_forms(["a"])[0]
    assert not store.pages.have_forms(["d"])[0]
    assert store.reader.counts().forms == 3
    first = next(store.reader.forms())
    assert (first.judged, first.site) == (judged("a"), site(0))


def test_only_likely_forms_count_as_relevant(store: Store) -> None:
    store.links.put([candidate(1)])
    lease = take_one(store)
    forms = [judged("a", relevant=0.2), judged("b", relevant=0.8)]
    record(store, visit(lease), state(lease, forms=1), forms=forms)
    counts = store.reader.counts()
    assert (counts.forms, counts.searchable, counts.deep_sites) == (1, 2, 1)


def test_a_text_is_remembered_for_its_site(store: Store) -> None:
    store.links.put([candidate(1)])
    lease = take_one(store)
    record(store, visit(lease, digest=2**64 - 1), state(lease))
    assert store.pages.have_digests([(site(0), 2**64 - 1)])[0]
    assert not store.pages.have_digests([(site(0), 1)])[0]
    assert not store.pages.have_digests([(site(1), 2**64 - 1)])[0]
    assert not store.pages.have_digests([(site(0), 0)])[0]


def test_a_path_walks_back_to_the_seed(store: Store) -> None:
    store.links.put([candidate(0)])
    for depth in range(1, 4):
        lease = take_one(store)
        record(store, visit(lease), state(lease), [candidate(depth, depth, parent=lease.id)])
    last = take_one(store)
    assert [step.url for step in store.pages.path(last.id)] == [
        url(0),
        url(1, 1),
        url(2, 2),
        url(3, 3),
    ]
    assert store.pages.path(last.id + 1) == []  # type: ignore[arg-type]


def open_pages(store: Store) -> list[Lease]:
    """Pages of the sites 0, 1 and 2, leased."""
    store.links.put([candidate(number, number) for number in range(3)])
    return take(store, 3)


def test_pages_that_link_to_a_page_are_those_it_was_met_on(store: Store) -> None:
    zero, one, two = open_pages(store)
    record(store, visit(zero), state(zero), [candidate(7, 9, parent=zero.id, skip="off topic")])
    record(store, visit(one), state(one), [candidate(7, 9, parent=one.id)])
    record(store, visit(two), state(two), [candidate(7, 9, parent=two.id), candidate(8, 9)])
    assert store.pages.backlinks(url(7, 9), 20) == [url(0, 0), url(1, 1)]
    assert store.pages.backlinks(url(7, 9), 1) == [url(0, 0)]
    assert store.pages.backlinks(url(8, 9), 20) == []
    assert store.pages.backlinks(url(0, 0), 20) == []
    assert store.pages.backlinks(url(99, 9), 20) == []


def test_pages_that_link_to_a_home_page_are_those_of_others_that_link_to_its_site(
    store: Store,
) -> None:
    zero, one, two = open_pages(store)
    home = Url(f"http://{site(1)}/")
    record(store, visit(two), state(two), [candidate(n, 1, parent=two.id) for n in (5, 6)])
    record(store, visit(one), state(one), [candidate(4, 1, parent=one.id)])
    record(store, visit(zero), state(zero), [candidate(8, 1, parent=zero.id)])
    assert store.pages.backlinks(home, 20) == [url(2, 2), url(0, 0)]
    assert store.pages.backlinks(home, 1) == [url(2, 2)]
    assert store.pages.backlinks(Url("http://unheard-of.test/"), 20) == []


def test_a_site_with_very_many_links_still_tells_who_links_there(store: Store) -> None:
    zero, one, _ = open_pages(store)
    own = [candidate(n, 0, parent=zero.id) for n in range(10, 1_300)]
    record(store, visit(zero), state(zero), own)
    record(store, visit(one), state(one), [candidate(9_999, 0, parent=one.id)])
    assert store.pages.backlinks(Url(f"http://{site(0)}/"), 20) == [url(1, 1)]


def test_visits_come_in_order_of_recording(store: Store) -> None:
    store.links.put([candidate(number, number) for number in range(4)])
    leases = take(store, 4)
    for lease in reversed(leases):
        record(store, visit(lease, title=f"page {lease.id}", digest=2**63 + 1), state(lease))
    recorded = list(store.reader.visits())
    assert [v.id for v in recorded] == [lease.id for lease in reversed(leases)]
    assert recorded[0] == store.reader.visit(leases[-1].id)
    assert [v.id for v in store.reader.visits(since=leases[2].id)] == [leases[1].id, leases[0].id]
    assert list(store.reader.visits(since=leases[-1].id + 99)) == []  # type: ignore[arg-type]
    assert store.reader.visit(leases[-1].id + 99) is None  # type: ignore[arg-type]


def test_counts_add_up(store: Store) -> None:
    store.links.put([candidate(number, number) for number in range(4)])
    outcomes = ("page", "duplicate", "timeout")
    for lease, outcome in zip(take(store, 3), outcomes, strict=True):
        record(store, visit(lease, outcome=outcome, requests=2), state(lease))
    counts = store.reader.counts()
    assert (counts.visits, counts.pages, counts.failed, counts.sites) == (3, 1, 1, 3)
    assert (counts.requests, counts.size_bytes, counts.waiting) == (6, 300, 1)
    assert counts.outcomes == {"page": 1, "duplicate": 1, "timeout": 1}


def test_events_and_values_are_kept(store: Store) -> None:
    first, second = Event(1.0, "site-closed", "a.test", "empty"), Event(2.0, "note")
    store.note(first)
    store.links.put([candidate(1)])
    lease = take_one(store)
    record(store, visit(lease), state(lease), events=[second])
    assert list(store.reader.events()) == [first, second]
    assert store.load("model") is None
    store.save("model", b"one")
    store.save("model", b"two")
    assert store.load("model") == b"two"
    store.flush()
    assert store.load("model") == b"two"


def test_the_states_of_sites_are_kept(store: Store) -> None:
    store.links.put([candidate(1), candidate(2, 1)])
    lease = take_one(store)
    kept = state(lease, pages=3, errors=1, delay_s=2.5, forms=2, searchable=4, errors_in_a_row=1)
    record(store, visit(lease), kept)
    assert store.links.site(site(0)) == kept
    assert store.links.site(site(1)) == SiteState(site(1))
    assert list(store.reader.sites()) == [kept]


def test_an_empty_store_gives_nothing(store: Store) -> None:
    assert take(store, 5) == []
    assert store.links.wait_s() is None
    rescore(store, _fail)
    assert [
        *store.reader.visits(),
        *store.reader.forms(),
        *store.reader.events(),
        *store.reader.sites(),
    ] == []
    assert store.links.put([]) == 0


def test_closing_twice_is_harmless(store: Store) -> None:
    store.close()
    store.close()


_fail: Callable[..., None] = pytest.fail


def test_sites_can_be_closed_whether_they_were_visited_or_not(store: Store) -> None:
    store.links.put([candidate(1), candidate(2), candidate(3, 1), candidate(4, 2), candidate(5, 3)])
    lease = take_one(store)
    others = take(store, 1)
    record(store, visit(lease), state(lease))
    closed = store.links.close_sites(lambda name: name in (site(0), site(1), site(2)), "unwanted")
    assert sorted(closed) == [site(0), site(1), site(2)]
    assert store.links.site(site(0)).closed == store.links.site(site(2)).closed == "unwanted"
    assert store.links.site(site(0)).pages == 1
    assert [lease.candidate.url for lease in take(store, 9)] == [url(5, 3)]
    give_back(store, others[0], 0.0)
    assert take(store, 9) == []
    assert store.links.close_sites(lambda name: name == site(0), "unwanted") == []
    assert store.links.put([candidate(6, 2)]) == 1
    assert take(store, 9) == []
    store.flush()
    assert {s.site for s in store.reader.sites() if s.closed} == {site(0), site(1), site(2)}
