"""What a worker knows between two models."""

import pytest

from leadline.core.crawl import BacklinkQuery, Visit
from leadline.core.store import PublishedModel
from leadline.core.url import Url
from leadline.crawler.decisions import Decider
from leadline.crawler.learning import WorkerModel
from leadline.crawler.lessons import (
    BacklinkReply,
    ModelState,
    pack_model,
    read_signed,
    unpack_lesson,
)
from leadline.crawler.store_calls import DirectCalls
from leadline.store.memory import MemoryStore
from leadline.strategies import make_strategy
from leadline.strategies.smart import Sitewise
from leadline.testing.strategy_laws import add_features, make_view, make_visit
from tests.crawler.test_asking import WIDE

ABOUT = BacklinkQuery(Url("http://a.test/"), "why not", pages=3)
HUB = Url("http://hub.test/list")


@pytest.fixture
async def model() -> WorkerModel:
    decider = Decider(WIDE, make_strategy("sitewise"))
    return WorkerModel("w", MemoryStore(), DirectCalls(), decider, make_strategy, lambda: 0.0)


def asked_by(model: WorkerModel) -> int:
    assert isinstance(model.strategy, Sitewise)
    return len(model.strategy.reverse.asked)


def learn(model: WorkerModel, number: int) -> bytes:
    view = add_features(model.strategy, make_view(["books"], [], 1.0, number))
    visit: Visit = make_visit(view)
    return model.learn(view, visit)


def new_model(version: int) -> PublishedModel:
    """One of a learner that has heard nothing yet."""
    state = make_strategy("sitewise").state()
    return PublishedModel(version, pack_model(ModelState("sitewise", state)), 0)


async def test_the_next_lesson_tells_what_was_asked_and_answered(model: WorkerModel) -> None:
    model.note_backlink_query(ABOUT)
    model.rank_backlinks(ABOUT, [HUB])
    lesson = unpack_lesson(learn(model, 1))
    assert lesson.queries == (ABOUT,)
    assert lesson.replies == (BacklinkReply(ABOUT, (HUB,)),)
    assert not unpack_lesson(learn(model, 2)).queries
    other = make_strategy("sitewise")
    lesson.teach(other)
    assert isinstance(other, Sitewise)
    assert (len(other.reverse.asked), other.reverse.found) == (1, 1)


async def test_a_model_that_has_not_heard_of_a_query_does_not_make_it_forgotten(
    model: WorkerModel,
) -> None:
    model.note_backlink_query(ABOUT)
    model.take(new_model(1))
    assert asked_by(model) == 1
    body = learn(model, 1)
    model.take(new_model(2))
    assert asked_by(model) == 1
    signed = read_signed(model.sign(make_visit(make_view(["books"], [], 1.0, 1)).id, body))
    assert (signed.worker, signed.serial) == ("w", 1)


async def test_the_next_lesson_tells_of_pages_that_labels_have_changed(model: WorkerModel) -> None:
    view = add_features(model.strategy, make_view(["books"], [], 1.0, 7))
    model.learn_again(view, make_visit(view))
    lesson = unpack_lesson(learn(model, 1))
    assert [unpack_lesson(body).visit.id for body in lesson.corrections] == [make_visit(view).id]
    assert lesson.teach(make_strategy("sitewise"))
    assert not unpack_lesson(learn(model, 2)).corrections
