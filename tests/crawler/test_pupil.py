"""What a worker knows between two models."""

import pytest

from leadline.core.crawl import BacklinkQuery, Visit
from leadline.core.shared import Model
from leadline.core.url import Url
from leadline.crawler.decisions import Decider
from leadline.crawler.lessons import Answered, Taught, packed_model, unpacked, unsigned
from leadline.crawler.pupil import Pupil
from leadline.crawler.store_calls import StoreCalls, run_at_once
from leadline.store.shared.memory import MemoryShared
from leadline.store.shared.tables import Tables
from leadline.strategies import make_strategy
from leadline.strategies.smart import Sitewise
from leadline.testing.strategy_laws import add_features, make_view, make_visit
from tests.crawler.test_asking import WIDE

ABOUT = BacklinkQuery(Url("http://a.test/"), "why not", pages=3)
HUB = Url("http://hub.test/list")


@pytest.fixture
async def pupil() -> Pupil:
    deciding = Decider(WIDE, make_strategy("sitewise"))
    return Pupil(
        "w", MemoryShared(Tables()), StoreCalls(run_at_once), deciding, make_strategy, lambda: 0.0
    )


def asked_by(pupil: Pupil) -> int:
    assert isinstance(pupil.strategy, Sitewise)
    return len(pupil.strategy.reverse.asked)


def learn(pupil: Pupil, number: int) -> bytes:
    sight = add_features(pupil.strategy, make_view(["books"], [], 1.0, number))
    visit: Visit = make_visit(sight)
    return pupil.learn(sight, visit)


def new_model(version: int) -> Model:
    """One of a learner that has heard nothing yet."""
    state = make_strategy("sitewise").state()
    return Model(version, packed_model(Taught("sitewise", state)), 0)


async def test_the_next_lesson_tells_what_was_asked_and_answered(pupil: Pupil) -> None:
    pupil.note_backlink_query(ABOUT)
    pupil.rank_backlinks(ABOUT, [HUB])
    told = unpacked(learn(pupil, 1))
    assert told.asked == (ABOUT,)
    assert told.answers == (Answered(ABOUT, (HUB,)),)
    assert not unpacked(learn(pupil, 2)).asked
    other = make_strategy("sitewise")
    told.teach(other)
    assert isinstance(other, Sitewise)
    assert (len(other.reverse.asked), other.reverse.found) == (1, 1)


async def test_a_model_that_has_not_heard_of_a_question_does_not_make_it_forgotten(
    pupil: Pupil,
) -> None:
    pupil.note_backlink_query(ABOUT)
    pupil.take(new_model(1))
    assert asked_by(pupil) == 1
    body = learn(pupil, 1)
    pupil.take(new_model(2))
    assert asked_by(pupil) == 1
    signed = unsigned(pupil.sign(make_visit(make_view(["books"], [], 1.0, 1)).id, body))
    assert (signed.worker, signed.serial) == ("w", 1)
