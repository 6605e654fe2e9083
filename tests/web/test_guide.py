"""The guide speaks of every setting, and the tests of every misbehaviour."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from leadline.web import PolitenessSettings, RobotsSettings, WebSettings
from tests.server.misbehaving import MisbehavingServer
from tests.server.table import RESOURCES
from tests.web.test_misbehaviours import ANSWERS, FAILURES

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/guides/web.md").read_text()


@pytest.mark.parametrize("model", [WebSettings, RobotsSettings, PolitenessSettings])
def test_every_setting_is_in_the_guide(model: type[BaseModel]) -> None:
    missing = [name for name in model.model_fields if f"`{name}" not in GUIDE]
    assert not missing


def test_every_kind_of_failure_is_in_the_guide() -> None:
    missing = {error.kind for error in FAILURES.values() if f"`{error.kind}`" not in GUIDE}
    assert not missing


def test_every_misbehaviour_is_tested() -> None:
    assert MisbehavingServer is not None
    tested = {path.split("/")[1].partition("?")[0] for path in (*FAILURES, *ANSWERS)}
    sources = "".join(path.read_text() for path in (ROOT / "tests/web").glob("test_*.py"))
    assert not [name for name in RESOURCES if name not in tested and f'"/{name}' not in sources]
