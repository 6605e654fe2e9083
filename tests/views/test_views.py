"""What people ask of a store."""

from pathlib import Path

import pytest
from msgspec import json

from leadline.core.crawl import Event, Visit
from leadline.core.inbox import Label, Order
from leadline.core.store import RunState
from leadline.errors import ConfigError
from leadline.store import open_store
from leadline.store.inbox import open_inbox
from leadline.store.lock import WriteLock
from leadline.store.reading import RUN_KEY
from leadline.ui.web.rest import OrderRequest
from leadline.views.directory import FormQuery, SiteQuery, describe_form, list_forms, list_sites
from leadline.views.explanation import MirrorLookup, StoreLookup, explain_from_mirror
from leadline.views.forms import form_rows
from leadline.views.harvests import (
    describe_harvest,
    find_harvest,
    list_harvests,
    list_queries,
    list_records,
)
from leadline.views.learned import read_learned
from leadline.views.mirror.store import StoreMirror, open_mirror
from leadline.views.overview import budget_in_force, read_overview, run_state
from leadline.views.progress import (
    AHEAD,
    MOST_POINTS,
    VisitSums,
    expected_gain,
    forms_curve,
    list_runs,
)
from tests.store.samples import record, take
from tests.views import made_up


def test_an_overview_counts_what_the_store_counts(mirror: StoreMirror) -> None:
    found = read_overview(mirror)
    counts = mirror.store.reader.counts()
    assert found.counts.pages == counts.pages == found.pages
    assert found.counts.failed == counts.failed
    assert found.counts.waiting == counts.waiting
    assert found.counts.outcomes == counts.outcomes
    assert found.forms == counts.forms
    assert found.topic == "book"
    assert found.records == mirror.store.harvests.tally(next(iter(mirror.harvests.by_id))).records


def test_the_curve_ends_where_the_crawl_is(mirror: StoreMirror) -> None:
    curve = read_overview(mirror).curve
    assert len(curve) <= MOST_POINTS
    assert curve[-1].pages == mirror.store.reader.counts().pages
    assert curve[-1].forms == sum(visit.forms for visit in mirror.store.reader.visits())
    assert [point.pages for point in curve] == sorted(point.pages for point in curve)


def test_samples_and_runs_are_told(mirror: StoreMirror) -> None:
    found = read_overview(mirror)
    assert found.samples[-1].queues.keys() == {"waiting"}
    (run,) = found.runs
    assert (run.pages, run.reason) == (found.pages, "budget: pages")
    assert found.state == "stopped"
    assert found.reason == "budget: pages"
    assert "sample" not in {event.kind for event in found.events}


def test_a_run_that_was_cut_off_ends_before_the_next(mirror: StoreMirror) -> None:
    at = made_up.START
    told = [Event(at, "started"), Event(at + 10, "started"), Event(at + 90, "stopped", detail="x")]
    first, second = list_runs(told, VisitSums(mirror))
    assert first.stopped is None
    assert first.pages + second.pages == read_overview(mirror).pages - 1


def test_pages_per_second_are_those_of_the_last_minute(mirror: StoreMirror) -> None:
    assert read_overview(mirror).pages_per_s == pytest.approx(0.8, abs=0.05)
    last = made_up.START + made_up.VISITS - 1
    assert VisitSums(mirror).pages_per_s(last - 10) == pytest.approx(0.8)
    assert VisitSums(mirror).pages_per_s(last) == 0


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
    mirror = open_mirror("own", own_store)
    states = []
    with mirror.refresh():
        states.append(run_state(mirror).state)
        lock = WriteLock(own_store)
        states.append(run_state(mirror).state)
        lock.release()
    writing = open_store(own_store)
    for state in ("paused", "stopping"):
        writing.save(RUN_KEY, json.encode(RunState(state, 5.0)))
        writing.flush()
        states.append(run_state(mirror).state)
    writing.close()
    states.append(run_state(mirror).state)
    mirror.close()
    assert states == ["stopped", "running", "paused", "stopping", "cut off"]


def test_the_directory_is_filtered(mirror: StoreMirror) -> None:
    while mirror.forms.study(mirror.feed):
        pass
    assert list_forms(mirror, FormQuery(min_score=0)).total == len(mirror.forms)
    relevant = list_forms(mirror, FormQuery())
    assert all(form.score >= 0.5 for form in relevant.items)
    assert [f.score for f in relevant.items] == sorted(f.score for f in relevant.items)[::-1]
    by_person = list_forms(mirror, FormQuery(field="person", min_score=0))
    assert 0 < by_person.total < len(mirror.forms)
    assert all(any(f.meaning == "person" for f in form.fields) for form in by_person.items)
    french = list_forms(mirror, FormQuery(language="fr", min_score=0))
    assert {form.language for form in french.items} == {"fr"}
    one = list_forms(mirror, FormQuery(site="s1.test", min_score=0))
    assert {form.site for form in one.items} == {"s1.test"}
    assert list_forms(mirror, FormQuery(q="/3 PAGE", min_score=0)).total == 1
    assert list_forms(mirror, FormQuery(q="nowhere", min_score=0)).total == 0
    assert list_forms(mirror, FormQuery(topic="hotel", min_score=0)).total == 0
    assert list_forms(mirror, FormQuery(min_size=1, min_score=0)).total == 1
    assert list_forms(mirror, FormQuery(label="right", min_score=0)).total == 0


@pytest.mark.parametrize("sort", ["score", "newest", "site", "size", "records"])
def test_pages_of_the_directory_join_without_overlap(mirror: StoreMirror, sort: str) -> None:
    whole = list_forms(mirror, FormQuery(min_score=0, sort=sort))
    pieces = [
        form.signature
        for offset in range(0, whole.total, 4)
        for form in list_forms(
            mirror, FormQuery(min_score=0, sort=sort, offset=offset, limit=4)
        ).items
    ]
    assert pieces == [form.signature for form in whole.items]


def test_a_form_is_told_with_its_fields_and_its_like(mirror: StoreMirror) -> None:
    found = describe_form(mirror, 0)
    assert found.signature == made_up.judged(0).signature
    assert [field.name for field in found.fields] == ["q", "title", "genre"]
    assert found.fields[2].options == ("Poetry", "2")
    assert found.similar
    assert found.similar[0].likeness >= found.similar[-1].likeness > 0
    assert all(other.signature != found.signature for other in found.similar)
    assert found.harvest is not None
    assert found.path[0].url == made_up.url(0)
    assert "searchable by" in found.reasons


def test_a_harvest_is_told_with_its_coverage(mirror: StoreMirror) -> None:
    (summary,) = list_harvests(mirror, 0, 10).items
    harvest = find_harvest(mirror, summary.source[:8])
    assert harvest is not None
    found = describe_harvest(mirror, harvest)
    assert found.finished_queries == made_up.QUERIES - 1
    assert found.queries == made_up.QUERIES
    assert found.coverage is not None
    assert found.coverage.held == found.records
    assert found.coverage.size >= found.records
    assert found.curve[-1].records == found.records
    assert found.duplicates == 2 * (made_up.QUERIES - 1)


def test_queries_can_be_read_from_either_end(mirror: StoreMirror) -> None:
    (harvest,) = mirror.harvests.by_id.values()
    forward = list_queries(mirror, harvest, 3, 4)
    assert [one.number for one in forward.items] == [4, 5, 6, 7]
    back = list_queries(mirror, harvest, 3, 4, is_newest_first=True)
    assert [one.number for one in back.items] == [17, 16, 15, 14]
    end = list_queries(mirror, harvest, 18, 4, is_newest_first=True)
    assert [one.number for one in end.items] == [2, 1]
    assert list_queries(mirror, harvest, 50, 4, is_newest_first=True).items == ()
    assert forward.items[0].fresh == 6


def test_records_can_be_read_in_three_orders(mirror: StoreMirror) -> None:
    (harvest,) = mirror.harvests.by_id.values()
    first = list_records(mirror, harvest, 0, 5)
    latest = list_records(mirror, harvest, 0, 5, "latest")
    assert first.items[0].number < latest.items[0].number
    assert list_records(mirror, harvest, 0, 1, "most-seen").items[0].sightings == 2
    assert list_records(mirror, harvest, 10**9, 5, "most-seen").items == ()
    assert first.items[0].cells[0].place == "title"


def test_sites_are_filtered_and_sorted(mirror: StoreMirror) -> None:
    everything = list_sites(mirror, SiteQuery())
    assert everything.total == made_up.SITES
    assert list_sites(mirror, SiteQuery(q="S3")).items[0].site == "s3.test"
    assert list_sites(mirror, SiteQuery(state="left")).total == 0
    names = [site.site for site in list_sites(mirror, SiteQuery(sort="site")).items]
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
def test_what_is_known_of_anything_is_told(mirror: StoreMirror, subject: str, kind: str) -> None:
    found = explain_from_mirror(mirror, subject)
    assert found.kind == kind
    assert bool(found.facts) == (kind != "unknown")


def test_looking_up_is_reading_through_but_quick(mirror: StoreMirror) -> None:
    quick, slow = MirrorLookup(mirror), StoreLookup(mirror.store)
    for stored in mirror.store.reader.forms():
        sign = stored.judged.signature
        assert quick.form(sign[:10]) == slow.form(sign[:10]) == stored
        assert sorted(quick.alike(stored)) == sorted(slow.alike(stored))
        assert quick.forms_of_visit(stored.visit) == slow.forms_of_visit(stored.visit)
        assert quick.forms_of_site(stored.site) == slow.forms_of_site(stored.site)
    for visit in mirror.store.reader.visits():
        if visit.final_url:
            assert quick.redirected_to(visit.final_url) == slow.redirected_to(visit.final_url)
    assert quick.events_about("s4.test") == slow.events_about("s4.test") != []


def test_what_a_crawl_that_learns_nothing_learned_is_said(mirror: StoreMirror) -> None:
    found = read_learned(mirror)
    assert found.strategy == "breadth_first"
    assert found.notes
    assert {one.name for one in found.calibrations} == {"searchable forms", "pages about book"}


def test_labels_tell_of_calibration(own_store: Path) -> None:
    signatures = [made_up.judged(number).signature for number in range(6)]
    open_inbox(own_store).label(
        [Label("form", name, "wrong", 1.0, "book", 0.9) for name in signatures]
    )
    mirror = open_mirror("own", own_store)
    with mirror.refresh():
        found = next(one for one in read_learned(mirror).calibrations if one.bins)
        shown = list_forms(mirror, FormQuery(label="wrong", min_score=0))
    mirror.close()
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
        OrderRequest.model_validate(asked).order(1.0)


def test_links_that_were_passed_over_are_no_visits(tmp_path: Path) -> None:
    path = made_up.make_store(tmp_path / "passed.leadline", visits=4)
    store = open_store(path)
    (lease,) = take(store, 1)
    passed = Visit(lease.id, lease.candidate.url, lease.candidate.site, "passed-over", 1.0)
    record(store, passed, store.links.site(lease.candidate.site))
    store.close()
    mirror = open_mirror("passed", path)
    with mirror.refresh():
        found = read_overview(mirror)
        curve = forms_curve(mirror.store.reader.visits())
    mirror.close()
    assert found.counts.visits == found.curve[-1].visits == curve[-1].visits == 4
    assert (found.counts.passed_over, found.counts.outcomes) == (1, {"page": 4})
    assert found.counts.sites == 4


def test_forms_are_shown_and_filtered_by_the_topic_they_were_found_for(tmp_path: Path) -> None:
    path = made_up.make_store(tmp_path / "two.leadline", visits=2)
    store = open_store(path)
    made_up.visit_next(store, 2, topic="hotel")
    store.close()
    mirror = open_mirror("two", path)
    with mirror.refresh():
        found = {
            topic: [form.topic for form in list_forms(mirror, FormQuery(topic=topic)).items]
            for topic in ("book", "hotel", "jobs")
        }
        rows = {topic: len(form_rows(mirror.store, topic=topic)) for topic in found}
    mirror.close()
    assert found == {"book": ["book"] * 2, "hotel": ["hotel"], "jobs": []}
    assert rows == {"book": 2, "hotel": 1, "jobs": 0}
