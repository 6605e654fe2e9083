"""Made-up stores, and their mirrors."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from leadline.views.mirror.store import StoreMirror, open_mirror
from tests.views.made_up import make_store


@pytest.fixture(scope="session")
def store_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Only to be read."""
    return make_store(tmp_path_factory.mktemp("stores") / "book.leadline")


@pytest.fixture
def own_store(tmp_path: Path) -> Path:
    """One that a test may write on."""
    return make_store(tmp_path / "own.leadline")


@pytest.fixture
def mirror(store_file: Path) -> Iterator[StoreMirror]:
    made = open_mirror("book", store_file)
    with made.refresh():
        yield made
    made.close()
