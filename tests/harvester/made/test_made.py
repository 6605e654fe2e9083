"""Search sites made up for tests, each odd in its own way: their records come, and nothing else."""

from pathlib import Path

import pytest

from tests.harvester.made.answers import ANSWERS
from tests.harvester.made.data_answers import DATA_ANSWERS
from tests.harvester.made.habits import HABITS
from tests.harvester.made.harvesting import harvest_made
from tests.harvester.made.interfaces import INTERFACES
from tests.harvester.made.site import MadeSite

KINDS = (*INTERFACES, *DATA_ANSWERS, *ANSWERS, *HABITS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
async def test_a_made_up_site_is_harvested(kind: type[MadeSite], tmp_path: Path) -> None:
    done = await harvest_made(kind, tmp_path / "a.leadline")
    assert done.share >= kind.least_share, done
    assert done.false <= kind.most_false, done
    assert not kind.least_share or (done.to_90 or 0) <= kind.most_to_90, done
    least = (done.low or 0) - kind.most_false
    assert least <= done.size <= (done.high or done.size), done
    assert kind.says in done.reason
