"""What carries no meaning gives nothing away, and what would is found."""

import pytest

from leadline_lab.audit import SITES, opaque, run_audit, suspicious
from leadline_lab.audit.learner import Row, tell_apart
from leadline_lab.audit.marks import class_names, letters, number, size
from leadline_lab.draw import Draw, key_of
from leadline_lab.profile import profile_named
from leadline_lab.world import World


def drawn(n: int, leak_per_mille: int) -> list[Row]:
    """Things with numbers, of which some say what the thing is by being low."""
    rows = []
    for site in range(n):
        draw = Draw(key_of(7, site))
        is_wanted = draw.chance(500)
        code = draw.between(1_000, 9_999)
        if draw.chance(leak_per_mille):
            code = draw.between(1_000, 5_000) if is_wanted else draw.between(5_001, 9_999)
        rows.append(Row(site, is_wanted, number(str(code))))
    return rows


@pytest.mark.floors
def test_opaque_parts_are_at_chance() -> None:
    verdicts = opaque(World(profile_named("dev"), 1), SITES)
    assert list(suspicious(verdicts, 0.46, 0.54)) == []
    # The bounds are honest: chance alone would have to go three standard deviations.
    assert (
        max(float(str(told["spread"])) for by in verdicts.values() for told in by.values()) < 0.013
    )


def test_a_leak_is_found_however_few_things_have_it() -> None:
    assert tell_apart(drawn(4_000, 1_000)).auc > 0.95
    part = tell_apart(drawn(4_000, 150))
    assert part.auc > 0.54
    assert not part.is_chance


def test_where_there_is_none_none_is_found() -> None:
    verdict = tell_apart(drawn(4_000, 0))
    assert 0.46 < verdict.auc < 0.54
    assert verdict.is_chance
    assert 0.012 < verdict.spread < 0.014


def test_things_of_one_kind_cannot_be_told_apart() -> None:
    assert str(tell_apart([Row(site, True, ("x",)) for site in range(9)]).auc) == "nan"


def test_templates_say_nothing_of_topics() -> None:
    figures = run_audit("demo", 1, sites=150, pages=150)
    page = figures["page"]
    assert isinstance(page, dict)
    for question in ("on a target domain", "deep site", "search page"):
        assert page[question]["class names outside forms"]["p"] > 0.001
        assert page[question]["headers"]["auc"] == 0.5


@pytest.mark.parametrize(
    ("marks", "some"),
    [
        (letters("bada"), {"ba", "ada", "0@b", "-0@a", "length 4"}),
        (number("1024"), {"size 11 8", "0 of 16", "hundreds 10"}),
        ((size(0), size(15), size(17)), {"size 0 0", "size 4 15", "size 5 8"}),
        (class_names("<p class=a><b class='c a' id=\"d\">"), {"a", "c", "d"}),
    ],
)
def test_marks_are_what_a_learner_could_go_by(marks: tuple[str, ...], some: set[str]) -> None:
    assert some <= set(marks)
