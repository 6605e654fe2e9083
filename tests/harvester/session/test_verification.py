"""What a harvest says is tested again: what held, what did not, and what it cost."""

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from leadline.config import Config, load_config
from leadline.core.harvest import RESULTS, Answer, Query
from leadline.crawler.harvests.assembly import harvest_forms_async
from leadline.crawler.harvests.verification import verify_harvests
from leadline.errors import ConfigError
from leadline.harvester.verification import (
    ANSWERED,
    COMPLETE,
    KEPT_ONCE,
    LOOKED_UP,
    NONSENSE,
    SAMPLE,
    Check,
    Verification,
    choose_sample_words,
    judge_answer,
    judge_results,
)
from leadline.store import open_harvests, open_store_view
from tests.harvester.session.http_shelf import HOME, ShelfSite, opening
from tests.harvester.session.sources import WORDS, IgnoringShelf, Shelf, record


@pytest.fixture
async def site() -> AsyncIterator[ShelfSite]:
    async with ShelfSite(Shelf(page_size=50)) as served:
        yield served


@pytest.fixture
def config(site: ShelfSite, tmp_path: Path) -> Config:
    settings = {
        "store.path": str(tmp_path / "a.leadline"),
        "web.resolve": {"*": site.address},
        "politeness.delay_s": 0.0,
    }
    return load_config(settings=settings)[0]


async def _verify(
    config: Config, requests: int = 50
) -> tuple[Verification, dict[str, bool | None]]:
    (found,) = await verify_harvests(config, "", requests, opening())
    return found, {claim.name: claim.has_held for claim in found.claims}


async def test_a_harvest_that_has_everything_holds_and_nothing_is_added(
    site: ShelfSite, config: Config
) -> None:
    await harvest_forms_async(config, HOME, opener=opening(WORDS[:4]))
    before = len(site.log)
    found, claims = await _verify(config)
    assert claims[ANSWERED]
    assert claims[KEPT_ONCE]
    assert claims[LOOKED_UP]
    assert claims[COMPLETE] is not False
    assert len(site.log) - before == found.requests <= 50
    view = open_store_view(config.store.path)
    assert sum(1 for _ in view.harvests.records()) == found.records
    view.close()


async def test_requests_are_kept_to(site: ShelfSite, config: Config) -> None:
    await harvest_forms_async(config, HOME, opener=opening(WORDS[:4]))
    before = len(site.log)
    found, _ = await _verify(config, 3)
    assert len(site.log) - before == found.requests == 3


async def test_a_source_that_shows_other_records_to_the_same_query_is_told(
    site: ShelfSite, config: Config
) -> None:
    await harvest_forms_async(config, HOME, opener=opening(WORDS[:4]))
    site.shelf.records = tuple(record(number) for number in range(400, 900))
    _, claims = await _verify(config)
    assert claims[ANSWERED] is False


async def test_a_source_that_answers_nonsense_with_records_is_told(
    site: ShelfSite, config: Config
) -> None:
    await harvest_forms_async(config, HOME, opener=opening(WORDS[:4]))
    site.shelf = IgnoringShelf(site.shelf.records)
    _, claims = await _verify(config)
    assert claims[LOOKED_UP] is False


async def test_a_store_without_harvests_is_said_so(config: Config) -> None:
    open_harvests(config.store.path).close()
    with pytest.raises(ConfigError, match="has no harvest with records"):
        await verify_harvests(config, "", 50, opening())


def _sampled(held: int, shown: int) -> dict[str, bool | None]:
    answer = Answer(RESULTS, tuple(record(number) for number in range(shown)))
    check = Check(SAMPLE, Query.of(q="word"))
    result = judge_answer(check, answer, range(shown), set(range(held)))
    claims, _, _ = judge_results([result], (0.9, 1.0))
    return {claim.name: claim.has_held for claim in claims}


def test_a_sample_that_shows_less_than_the_interval_says_refutes_it() -> None:
    assert _sampled(40, 100)[COMPLETE] is False
    assert _sampled(98, 100)[COMPLETE]
    assert _sampled(4, 5)[COMPLETE] is None


def test_records_of_one_title_under_another_key_refute_keys() -> None:
    answer = Answer(RESULTS, (record(1), record(2), record(3)))
    check = Check(
        "control", Query.of(q="a"), frozenset({11, 12, 13}), frozenset({"record 1", "record 2"})
    )
    result = judge_answer(check, answer, [1, 2, 3], {11, 12, 13})
    assert result.twins == 2
    claims, _, _ = judge_results([result], None)
    assert {claim.name: claim.has_held for claim in claims}[KEPT_ONCE] is False


def test_nonsense_that_finds_something_once_in_two_is_no_proof() -> None:
    one, other = (
        judge_answer(
            Check(NONSENSE, Query.of(q="x")), Answer(RESULTS, found), range(len(found)), ()
        )
        for found in ((record(1),), ())
    )
    claims, _, _ = judge_results([one, other], None)
    assert {claim.name: claim.has_held for claim in claims}[LOOKED_UP]


def test_sampled_words_were_not_asked_for() -> None:

    words = choose_sample_words(
        ["alpine flower garden", "alpine town"], {"Alpine"}, random.Random(1), 9
    )
    assert words
    assert "alpine" not in words
