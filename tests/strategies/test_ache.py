"""ACHE: begins like its modes say, learns from paths, ranks again."""

from itertools import pairwise

import msgspec
import numpy as np
from msgspec import structs

from leadline.core.crawl import Candidate, CandidateId, PageView, Priority
from leadline.core.url import Site, Url
from leadline.strategies import make_strategy
from leadline.strategies.ache import Ache, AcheSettings, read_iterations
from tests.strategies.test_ffc import page_links, taught, view, visit


def make(**settings: object) -> Ache:
    given = {"levels": 2, "every_forms": 10, "batch": 5, **settings}
    return Ache(AcheSettings.model_validate(given), taught())


def followed(anchor: str, number: int) -> Candidate:
    """A link that was followed, with the features it was found by."""
    row = np.append(page_links(anchor).rows[0], np.int32(1)).astype("<i4")
    url = Url(f"http://w{number}.test/0/x")
    return Candidate(
        url, Site(f"w{number}.test"), Priority(0, 0.5), 3, CandidateId(1), anchor, "\t",
        features=row.tobytes(),
    )  # fmt: skip


def find(strategy: Ache, number: int, *anchors: str) -> bool:
    """Visit a page with a new form, reached by links with these anchors, its own first."""
    path = tuple(followed(anchor, 10 * number + at) for at, anchor in enumerate(anchors))
    seen = view(strategy, [], number=number, candidate=path[0], path=path, new_forms=1, gain=1)
    return strategy.learn(seen, visit(seen))


def miss(strategy: Ache, number: int, anchor: str) -> bool:
    seen = view(strategy, [], number=number, candidate=followed(anchor, 10 * number))
    return strategy.learn(seen, visit(seen))


def taught_by_finds(**settings: object) -> Ache:
    strategy = make(**settings)
    for number in range(30):
        miss(strategy, 1_000 + number, "privacy policy")
    for number in range(2, 12):
        find(strategy, number, "advanced search", "flight schedules")
    return strategy


def priorities(strategy: Ache, seen: PageView) -> list[Priority]:
    return [verdict for verdict in strategy.rank(seen) if isinstance(verdict, Priority)]


def test_online_begins_as_best_first() -> None:
    strategy = make()
    seen = view(strategy, ["search hotels", "privacy policy"])
    assert strategy.rank(seen) == make_strategy("baseline_sc").rank(seen)
    assert not strategy.learn(seen, visit(seen))


def test_it_learns_when_enough_forms_were_found() -> None:
    strategy = make()
    assert not any(find(strategy, n, "advanced search") for n in range(2, 11))
    assert find(strategy, 11, "advanced search")
    assert [iteration.gain for iteration in strategy.iterations] == [10]


def test_it_learns_after_enough_pages_if_there_is_anything_new() -> None:
    strategy = make(every_forms=100, every_pages=20)
    assert not any(miss(strategy, 100 + n, "privacy") for n in range(20))
    for number in range(2, 12):
        find(strategy, number, "advanced search")
    assert len(strategy.iterations) == 1


def test_taken_literally_it_waits_for_a_hundred_forms() -> None:
    literal, corrected = AcheSettings(reading="literal"), AcheSettings()
    assert (literal.forms_between(25), literal.pages_between) == (100, 0)
    assert (corrected.forms_between(25), corrected.pages_between) == (6, 5_000)


def test_the_more_was_found_the_seldomer_it_learns() -> None:
    settings = AcheSettings()
    assert [settings.forms_between(found) for found in (0, 100, 200, 400, 9_000)] == [
        3, 25, 50, 100, 100,
    ]  # fmt: skip
    assert AcheSettings(every_forms=7).forms_between(9_000) == 7


def test_links_on_paths_teach_their_levels() -> None:
    strategy = taught_by_finds()
    seen = view(strategy, ["advanced search", "flight schedules", "privacy policy"])
    assert [priority.tier for priority in priorities(strategy, seen)] == [3, 4, 5]
    (learned,) = strategy.iterations
    assert learned.links == {"level 1": 10, "level 2": 10, "none": 30}
    assert [count.term for count in learned.terms["anchor"]] == [
        "advanc", "flight", "schedul", "search",
    ]  # fmt: skip


def test_a_visited_link_is_no_miss_once_it_has_led_to_a_form() -> None:
    strategy = make()
    hub = followed("flight schedules", 77)
    seen = view(strategy, [], number=50, candidate=hub)
    strategy.learn(seen, visit(seen))
    for number in range(2, 12):
        path = (followed("advanced search", 10 * number), hub)
        found = view(strategy, [], number=number, candidate=path[0], path=path, new_forms=1, gain=1)
        strategy.learn(found, visit(found))
    assert strategy.iterations[0].links == {"level 1": 10, "level 2": 1}


def test_what_counts_for_the_goal_teaches_and_forms_that_do_not_count_teach_nothing() -> None:
    strategy = make()
    for number in range(2, 12):
        path = (followed("hotel guide", 10 * number),)
        page = view(strategy, [], number=number, candidate=path[0], path=path, gain=1)
        strategy.learn(page, visit(page))
        uncounted = followed("advanced search", 10 * number + 5)
        form = view(strategy, [], number=100 + number, candidate=uncounted, new_forms=1)
        strategy.learn(form, visit(form))
    (learned,) = strategy.iterations
    assert learned.gain == 10
    assert [count.term for count in learned.terms["anchor"]] == ["guid", "hotel"]


def test_topic_pages_are_common_so_it_learns_from_them_more_and_more_seldom() -> None:
    strategy, lessons = make(), []
    for number in range(2, 802):
        path = (followed("hotel guide", 10 * number),)
        page = view(strategy, [], number=number, candidate=path[0], path=path, gain=1)
        if strategy.learn(page, visit(page)):
            lessons.append(number)
    waits = [after - before for before, after in pairwise(lessons)]
    assert waits[0] <= 12
    assert waits[-1] >= 40


def test_waiting_links_are_ranked_again_and_a_batch_is_moved() -> None:
    strategy = taught_by_finds()
    seen = view(strategy, ["privacy policy", "flight schedules", "advanced search"] * 3)
    tiers, scores = np.zeros(9, np.int32), np.full(9, 0.9, np.float32)
    strategy.rescore(tiers, scores, seen.features)
    assert tiers.tolist() == [5, 1, 0, 5, 1, 0, 5, 4, 0]


def test_a_waiting_seed_keeps_its_place() -> None:
    strategy = taught_by_finds()
    seed = np.zeros((1, 33), np.int32)
    tiers, scores = np.zeros(1, np.int32), np.ones(1, np.float32)
    strategy.rescore(tiers, scores, seed)
    assert (tiers[0], scores[0]) == (0, 1.0)


def test_offline_is_ffc_and_never_learns() -> None:
    strategy = make(mode="offline")
    seen = view(strategy, ["search hotels", "browse catalog", "privacy policy"])
    assert [priority.tier for priority in priorities(strategy, seen)] == [3, 4, 5]
    for number in range(2, 40):
        find(strategy, number, "advanced search")
    assert strategy.iterations == ()
    assert strategy.path_length == 0


def test_offline_online_begins_with_what_it_was_taught_and_goes_on_from_it() -> None:
    strategy = taught_by_finds(mode="offline-online")
    assert strategy.iterations[0].links["level 1"] == 30 + 10
    terms = {count.term for count in strategy.iterations[0].terms["anchor"]}
    assert {"hotel", "advanc"} <= terms


def test_what_was_learned_survives_and_can_be_read_from_the_state() -> None:
    strategy = taught_by_finds()
    state = strategy.state()
    heir = make()
    heir.restore(state)
    seen = view(strategy, ["advanced search", "privacy policy"])
    assert heir.rank(seen) == strategy.rank(seen)
    assert heir.state() == state
    assert read_iterations(state) == list(strategy.iterations)
    assert isinstance(msgspec.json.decode(msgspec.msgpack.decode(state)["iterations"]), list)


def test_an_old_state_goes_on_with_what_the_store_holds_by_now() -> None:
    strategy, old = make(), make().state()
    for number in range(2, 12):
        find(strategy, number, "advanced search")
    heir = make()
    heir.restore(old)
    late = structs.replace(followed("advanced search", 999), priority=Priority(4, 0.7))
    seen = view(heir, ["search"], number=999, candidate=late)
    assert not heir.learn(seen, visit(seen))
    assert len(heir.rank(seen)) == 1


def test_the_state_stays_small() -> None:
    strategy = make(every_forms=10**6)
    for number in range(3_000):
        miss(strategy, number, f"word{number} policy")
    assert len(strategy.state()) < 300_000
