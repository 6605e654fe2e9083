"""What people ask of a store."""

from pathlib import Path

import pytest

from leadline.core.crawl import Event
from leadline.core.inbox import Label, Order
from leadline.core.running import KEY, RunState, encoded
from leadline.errors import ConfigError
from leadline.store import open_store
from leadline.store.inbox import open_inbox
from leadline.store.lock import WriteLock
from leadline.ui.lookup import ReadThrough
from leadline.ui.web.models import FormQuery, OrderRequest, SiteQuery
from leadline.ui.web.seen.following import Following, follow
from leadline.ui.web.seen.lookup import FollowedLookup
from leadline.ui.web.views.budgets import budget_in_force
from leadline.ui.web.views.directory import directory
from leadline.ui.web.views.explanation import explanation
from leadline.ui.web.views.form import form_view
from leadline.ui.web.views.gain import AHEAD, expected_gain
from leadline.ui.web.views.harvests import (
    find_harvest,
    harvest_list,
    harvest_view,
    query_list,
    record_list,
)
from leadline.ui.web.views.learned import learned
from leadline.ui.web.views.orders import order_of
from leadline.ui.web.views.overview import overview
from leadline.ui.web.views.runs import runs_of
from leadline.ui.web.views.sites import site_list
from leadline.ui.web.views.state import run_state
from leadline.ui.web.views.sums import MOST_POINTS, VisitSums
from tests.ui.web import made_up


def test_an_overview_counts_what_the_store_counts(seen: Following) -> None:
    found = overview(seen)
    counts = seen.store.counts()
    assert found.counts["pages"] == counts.pages == found.store.pages
    assert found.counts["failed"] == counts.failed
    assert found.counts["waiting"] == counts.waiting
    assert found.outcomes == counts.outcomes
    assert found.store.forms == counts.forms
    assert found.store.topic == "book"
    assert found.store.records == seen.store.harvests.tally(next(iter(seen.harvests.by_id))).records


def test_the_curve_ends_where_the_crawl_is(seen: Following) -> None:
    curve = overview(seen).curve
    assert len(curve) <= MOST_POINTS
    assert curve[-1].pages == seen.store.counts().pages
    assert curve[-1].forms == sum(visit.forms for visit in seen.store.visits())
    assert [point.pages for point in curve] == sorted(point.pages for point in curve)


def test_samples_and_runs_are_told(seen: Following) -> None:
    found = overview(seen)
    assert found.samples[-1].queues.keys() == {"waiting"}
    (run,) = found.runs
    assert (run.pages, run.reason) == (found.store.pages, "budget: pages")
    assert found.store.state == "stopped"
    assert found.store.reason == "budget: pages"
    assert "sample" not in {event.kind for event in found.events}


def test_a_run_that_was_cut_off_ends_before_the_next(seen: Following) -> None:
    at = made_up.START
    told = [Event(at, "started"), Event(at + 10, "started"), Event(at + 90, "stopped", detail="x")]
    first, second = runs_of(told, VisitSums(seen))
    assert first.stopped is None
    assert first.pages + second.pages == overview(seen).store.pages - 1


def test_pages_per_second_are_those_of_the_last_minute(seen: Following) -> None:
    assert overview(seen).pages_per_s == pytest.approx(0.8, abs=0.05)
    last = made_up.START + made_up.VISITS - 1
    assert VisitSums(seen).pages_per_s(last - 10) == pytest.approx(0.8)
    assert VisitSums(seen).pages_per_s(last) == 0


@pytest.mark.parametrize(("forms", "pages"), [(0, 1_000), (7, 1_000), (400, 1_000), (3, 40)])
def test_the_gain_lies_in_its_interval(forms: int, pages: int) -> None:
    gain = expected_gain(forms, pages)
    assert gain is not None
    assert gain.low <= gain.forms <= gain.high
    assert gain.forms == pytest.approx((forms + 0.5) * AHEAD / pages)
    assert gain.low < gain.high


def test_nothing_is_expected_of_no_pages() -> None:
    assert expected_gain(0, 0) is None


def test_many_forms_narrow_the_gain_like_chance_does() -> None:
    """The interval of a negative binomial of large mean is that of a normal distribution."""
    gain = expected_gain(10_000, 1_000)
    assert gain is not None
    spread = (10_000.5 * 2) ** 0.5
    assert gain.high - gain.low == pytest.approx(2 * 1.645 * spread, rel=0.02)


def test_orders_that_wait_change_the_budget_shown() -> None:
    orders = [Order("budget", 1.0, '{"pages": 7, "forms": null}'), Order("budget", 2.0, "nonsense")]
    settings = {"budget": {"pages": 10, "seconds": 0, "forms": 3}}
    shown = budget_in_force(settings, orders)
    assert shown == {"pages": 7, "seconds": None, "bytes": None, "forms": None}


def test_the_state_is_what_the_run_says_unless_it_was_cut_off(own_store: Path) -> None:
    following = follow("own", own_store)
    states = []
    with following.looking():
        states.append(run_state(following).state)
        lock = WriteLock(own_store)
        states.append(run_state(following).state)
        lock.release()
    writing = open_store(own_store)
    for state in ("paused", "stopping"):
        writing.save(KEY, encoded(RunState(state, 5.0)))
        writing.flush()
        states.append(run_state(following).state)
    writing.close()
    states.append(run_state(following).state)
    following.close()
    assert states == ["stopped", "running", "paused", "stopping", "cut off"]


def test_the_directory_is_filtered(seen: Following) -> None:
    while seen.forms.study(seen.catalogue):
        pass
    assert directory(seen, FormQuery(min_score=0)).total == len(seen.forms)
    relevant = directory(seen, FormQuery())
    assert all(form.score >= 0.5 for form in relevant.items)
    assert [f.score for f in relevant.items] == sorted(f.score for f in relevant.items)[::-1]
    by_person = directory(seen, FormQuery(field="person", min_score=0))
    assert 0 < by_person.total < len(seen.forms)
    assert all("person" in form.fields for form in by_person.items)
    french = directory(seen, FormQuery(language="fr", min_score=0))
    assert {form.language for form in french.items} == {"fr"}
    one = directory(seen, FormQuery(site="s1.test", min_score=0))
    assert {form.site for form in one.items} == {"s1.test"}
    assert directory(seen, FormQuery(q="/3 PAGE", min_score=0)).total == 1
    assert directory(seen, FormQuery(q="nowhere", min_score=0)).total == 0
    assert directory(seen, FormQuery(topic="hotel", min_score=0)).total == 0
    assert directory(seen, FormQuery(min_size=1, min_score=0)).total == 1
    assert directory(seen, FormQuery(label="right", min_score=0)).total == 0


@pytest.mark.parametrize("sort", ["score", "newest", "site", "size", "records"])
def test_pages_of_the_directory_join_without_overlap(seen: Following, sort: str) -> None:
    whole = directory(seen, FormQuery(min_score=0, sort=sort))
    pieces = [
        form.signature
        for offset in range(0, whole.total, 4)
        for form in directory(seen, FormQuery(min_score=0, sort=sort, offset=offset, limit=4)).items
    ]
    assert pieces == [form.signature for form in whole.items]


def test_a_form_is_told_with_its_fields_and_its_like(seen: Following) -> None:
    found = form_view(seen, 0)
    assert found.summary.signature == made_up.judged(0).signature
    assert [field.name for field in found.fields] == ["q", "title", "genre"]
    assert found.fields[2].choices == ("Poetry", "2")
    assert found.similar
    assert found.similar[0].likeness >= found.similar[-1].likeness > 0
    assert all(other.signature != found.summary.signature for other in found.similar)
    assert found.harvest is not None
    assert found.path[0].url == made_up.url(0)
    assert "searchable by" in found.reasons


def test_a_harvest_is_told_with_its_coverage(seen: Following) -> None:
    (summary,) = harvest_list(seen, 0, 10).items
    harvest = find_harvest(seen, summary.signature[:8])
    assert harvest is not None
    found = harvest_view(seen, harvest)
    assert found.finished_queries == made_up.QUERIES - 1
    assert found.summary.queries == made_up.QUERIES
    assert found.summary.coverage is not None
    assert found.summary.coverage.held == found.summary.records
    assert found.summary.coverage.size >= found.summary.records
    assert found.curve[-1].records == found.summary.records
    assert found.summary.duplicates == 2 * (made_up.QUERIES - 1)


def test_queries_can_be_read_from_either_end(seen: Following) -> None:
    (harvest,) = seen.harvests.by_id.values()
    forward = query_list(seen, harvest, 3, 4)
    assert [one.number for one in forward.items] == [4, 5, 6, 7]
    back = query_list(seen, harvest, 3, 4, is_newest_first=True)
    assert [one.number for one in back.items] == [17, 16, 15, 14]
    end = query_list(seen, harvest, 18, 4, is_newest_first=True)
    assert [one.number for one in end.items] == [2, 1]
    assert query_list(seen, harvest, 50, 4, is_newest_first=True).items == ()
    assert forward.items[0].fresh == 6


def test_records_can_be_read_in_three_orders(seen: Following) -> None:
    (harvest,) = seen.harvests.by_id.values()
    first = record_list(seen, harvest, 0, 5)
    latest = record_list(seen, harvest, 0, 5, "latest")
    assert first.items[0].number < latest.items[0].number
    assert record_list(seen, harvest, 0, 1, "most-seen").items[0].sightings == 2
    assert record_list(seen, harvest, 10**9, 5, "most-seen").items == ()
    assert first.items[0].cells[0][0] == "title"


def test_sites_are_filtered_and_sorted(seen: Following) -> None:
    everything = site_list(seen, SiteQuery())
    assert everything.total == made_up.SITES
    assert site_list(seen, SiteQuery(q="S3")).items[0].site == "s3.test"
    assert site_list(seen, SiteQuery(state="left")).total == 0
    names = [site.site for site in site_list(seen, SiteQuery(sort="site")).items]
    assert names == sorted(names)


@pytest.mark.parametrize(
    ("subject", "kind"),
    [
        (made_up.judged(0).signature, "form"),
        (made_up.url(2), "url"),
        (made_up.url(19), "url"),
        ("http://s2.test/end/8", "url"),
        ("s1.test", "site"),
        ("nowhere.test", "unknown"),
        ("\x00", "unknown"),
    ],
)
def test_what_is_known_of_anything_is_told(seen: Following, subject: str, kind: str) -> None:
    found = explanation(seen, subject)
    assert found.kind == kind
    assert bool(found.facts) == (kind != "unknown")


def test_looking_up_is_reading_through_but_quick(seen: Following) -> None:
    quick, slow = FollowedLookup(seen), ReadThrough(seen.store)
    for stored in seen.store.forms():
        sign = stored.judged.signature
        assert quick.form(sign[:10]) == slow.form(sign[:10]) == stored
        assert sorted(quick.alike(stored)) == sorted(slow.alike(stored))
        assert quick.forms_of_visit(stored.visit) == slow.forms_of_visit(stored.visit)
        assert quick.forms_of_site(stored.site) == slow.forms_of_site(stored.site)
    for visit in seen.store.visits():
        if visit.final_url:
            assert quick.redirected_to(visit.final_url) == slow.redirected_to(visit.final_url)
    assert quick.events_about("s4.test") == slow.events_about("s4.test") != []


def test_what_a_crawl_that_learns_nothing_learned_is_said(seen: Following) -> None:
    found = learned(seen)
    assert found.strategy == "breadth_first"
    assert found.notes
    assert {one.name for one in found.calibrations} == {"searchable forms", "pages about book"}


def test_labels_tell_of_calibration(own_store: Path) -> None:
    signatures = [made_up.judged(number).signature for number in range(6)]
    open_inbox(own_store).label(
        [Label("form", name, "wrong", 1.0, "book", 0.9) for name in signatures]
    )
    following = follow("own", own_store)
    with following.looking():
        found = next(one for one in learned(following).calibrations if one.bins)
        shown = directory(following, FormQuery(label="wrong", min_score=0))
    following.close()
    assert found.error == pytest.approx(0.9)
    assert shown.total == sum(number % 5 != 4 for number in range(6))
    assert all(form.after is not None and form.after < form.score for form in shown.items)


@pytest.mark.parametrize(
    "asked",
    [
        {"kind": "budget"},
        {"kind": "budget", "budget": {}},
        {"kind": "seeds"},
        {"kind": "seeds", "urls": ["ftp://a.test/"]},
        {"kind": "exclude"},
        {"kind": "exclude", "sites": ["a b"]},
        {"kind": "exclude", "sites": [""]},
    ],
)
def test_an_order_that_says_nothing_is_refused(asked: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        order_of(OrderRequest.model_validate(asked), 1.0)
