"""A store opened to look at, also while a crawl writes it."""

from pathlib import Path

from leadline.core.inbox import Inbox
from leadline.core.store import HarvestReader
from leadline.errors import StoreError
from leadline.store.harvests.memory import MemoryHarvests
from leadline.store.harvests.tables import TableHarvests
from leadline.store.inbox import ReadOnlyInbox
from leadline.store.reading import Reader
from leadline.store.schema import (
    TOPIC_BY_EVENTS,
    WITH_HARVESTS,
    WITH_HELD_MATCHES,
    WITH_TOPICS,
    check_version,
)
from leadline.store.sqlite_reading import SqliteReader, translate_errors


class TableView:
    """Tells what is committed at the moment of asking: keeps the guarantees of `StoreView`."""

    def __init__(self, reader: Reader, harvests: HarvestReader, inbox: Inbox) -> None:
        self.reader = reader
        self.pages = reader
        self.harvests = harvests
        self.inbox = inbox

    def load(self, key: str) -> bytes | None:
        return self.reader.read_saved(key)

    def close(self) -> None:
        self.reader.close()


def open_file_view(path: Path) -> TableView:
    """A store file, of this format or an older one."""
    if not path.exists():
        raise StoreError(f"there is no store at {path}")
    reader = SqliteReader(path)
    with translate_errors(path):
        version = check_version(reader.connection, path)
    if version < WITH_TOPICS:
        reader.topic_column = TOPIC_BY_EVENTS
    harvests: HarvestReader = MemoryHarvests()
    if version >= WITH_HARVESTS:
        has_held_matches = version >= WITH_HELD_MATCHES
        harvests = TableHarvests(reader, has_held_matches=has_held_matches)
    return TableView(reader, harvests, ReadOnlyInbox(reader))
