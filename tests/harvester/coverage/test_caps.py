from leadline.core.harvest import Outcome
from leadline.harvester.coverage.evidence import CapDetector
from tests.harvester.coverage.asked import outcome


def told(*outcomes: Outcome) -> CapDetector:
    caps = CapDetector()
    for one in outcomes:
        caps.learn(one)
    return caps


def test_a_total_above_what_is_shown_names_the_cap_at_once() -> None:
    cut = outcome("sea", 100, 100, total=640, pages=10)
    caps = told(cut, outcome("tin", 12, 12, total=12))
    assert caps.cap == 100
    assert (caps.cut, caps.answers, caps.most_matched) == (1, 2, 640)
    assert caps.is_cut(cut)
    assert not caps.is_cut(outcome("fog", 100, 3, total=100))


def test_answers_that_end_at_one_number_again_and_again_name_it() -> None:
    answers = [outcome(f"word{n}", size, 5) for n, size in enumerate((3, 20, 7, 20, 1, 20, 12))]
    assert told(*answers[:4]).cap is None
    caps = told(*answers)
    assert caps.cap == 20
    assert [caps.is_cut(answer) for answer in answers] == [n in (1, 3, 5) for n in range(7)]
    assert caps.cut == 3


def test_two_answers_that_end_at_a_round_number_suffice() -> None:
    assert told(outcome("sea", 500, 400), outcome("tin", 500, 300)).cap == 500
    assert told(outcome("sea", 493, 400), outcome("tin", 493, 300)).cap is None


def test_many_sizes_near_the_largest_are_no_cap() -> None:
    answers = [outcome(f"word{n}", 5 + n % 5, 5) for n in range(60)]
    assert told(*answers).cap is None


def test_answers_that_hold_all_there_is_are_no_cap() -> None:
    assert told(outcome("a", 400, 400), outcome("e", 400, 0), outcome("o", 400, 0)).cap is None


def test_answers_that_we_left_say_nothing() -> None:
    left = [outcome(f"word{n}", 50, 20, total=900, is_left=True) for n in range(9)]
    caps = told(*left)
    assert caps.cap is None
    assert not caps.is_cut(left[0])


def test_an_estimated_total_a_little_above_is_no_cap() -> None:
    near = outcome("sea", 70, 70, total=90, is_exact=False)
    assert told(near).cap is None
    far = outcome("sea", 70, 70, total=900, is_exact=False)
    assert told(far).cap == 70


def test_pages_are_counted_where_the_order_changes() -> None:
    """Records come twice, so that answers of ten full pages have fewer than a hundred."""
    mixed = [outcome(f"word{n}", 60 + n, 30, total=500 + n, pages=10) for n in range(6)]
    assert told(outcome("fog", 10, 10, total=10), *mixed).cap == 100
    silent = [outcome(f"word{n}", 60 + n, 30, pages=10) for n in range(6)]
    caps = told(outcome("fog", 10, 10), *silent)
    assert caps.cap == 100
    assert caps.cut == 6
    assert all(map(caps.is_cut, silent))
