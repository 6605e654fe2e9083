"""What is told about the limits of a source by its answers."""

from leadline.core.harvest import RESULTS, Outcome, Query
from leadline.harvester.policies.answer_limits import AnswerLimits


def _answer(returned: int, pages: int) -> Outcome:
    return Outcome(Query.of(q=f"{returned} {pages}"), RESULTS, returned, returned, pages=pages)


def test_an_answer_that_ends_before_others_did_was_seen_whole() -> None:
    limits = AnswerLimits()
    limits.learn(_answer(18, pages=2))
    assert limits.ends_early(_answer(7, pages=1))


def test_one_that_ends_where_all_end_may_have_been_cut() -> None:
    # Two pages of ten, some records twice: eighteen may be all there are, or all that is shown.
    limits = AnswerLimits()
    for returned in (18, 20, 17):
        limits.learn(_answer(returned, pages=2))
    assert not limits.ends_early(_answer(18, pages=2))
