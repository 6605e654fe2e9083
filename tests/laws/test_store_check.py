"""`leadline.testing.check_store` holds our stores to what it asks of those of others."""

from collections.abc import Iterable

import pytest

from leadline.core.crawl import Candidate
from leadline.core.store import LinkStore
from leadline.store.memory import MemoryStore
from leadline.store.sqlite import SqliteStore
from leadline.testing import LawBrokenError, check_store


def test_memory_keeps_the_laws() -> None:
    check_store(lambda _: MemoryStore(0), is_durable=False)


def test_sqlite_keeps_the_laws() -> None:
    check_store(lambda folder: SqliteStore(folder / "a.leadline", 0, None))


def test_memory_is_not_durable() -> None:
    with pytest.raises(LawBrokenError, match="visits are there when it is opened again"):
        check_store(lambda _: MemoryStore(0))


class Forgetful:
    """Puts nothing, and says it did."""

    def __init__(self, links: LinkStore) -> None:
        self._links = links

    def put(self, candidates: Iterable[Candidate]) -> int:
        return len(list(candidates))

    def __getattr__(self, name: str) -> object:
        return getattr(self._links, name)


class ForgetfulStore(MemoryStore):
    def __init__(self) -> None:
        super().__init__(0)
        self.links = Forgetful(self.links)  # type: ignore[assignment]


def test_one_that_breaks_a_law_is_told_which() -> None:
    with pytest.raises(LawBrokenError, match="put counts the URLs that are new"):
        check_store(lambda _: ForgetfulStore(), is_durable=False)
