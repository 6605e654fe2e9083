"""A store with everything in it, and ways to damage it."""

import random
import shutil
from contextlib import closing
from pathlib import Path

from msgspec import structs

from leadline.core.inbox import Label, Order
from leadline.store import open_store
from leadline.store.care.pages import PageFile
from leadline.ui.cli.app import run
from tests.store import harvest_samples as samples
from tests.ui import small_web
from tests.ui.conftest import way_to

QUERIES = 40
RECORDS_A_PAGE = 10


def crawl_store(path: Path, port: int, pages: int = 150) -> list[str]:
    """Crawl the small web into a store and add a harvest; the command that resumes it."""
    command = ["crawl", "book", "--seeds", *small_web.SEEDS, *way_to(port), "--store", str(path)]
    command.append("-q")
    assert run([*command, "--pages", str(pages)]) == 0
    with closing(open_store(path)) as store:
        for order in (Order("pause", 1.0), Order("resume", 2.0)):
            given = store.inbox.give(order)
            store.inbox.finish(given.id, 3.0, "done")
        signature = next(iter(store.reader.forms())).judged.signature
        store.inbox.label([Label("form", signature, "right", 1.0, "book", 0.5)])
        harvests = store.harvests
        subject = structs.replace(samples.subject(signature), interface=b"", reader=b"")
        number = harvests.begin(subject, 1.0).id
        for query in range(1, QUERIES + 1):
            harvests.begin_query(number, samples.asked(query))
            for page in (1, 2):
                first = 7 * (2 * query + page)
                shown = [samples.record(n) for n in range(first, first + RECORDS_A_PAGE)]
                harvests.add_page(number, samples.page(query, page, has_more=page == 1), shown)
            harvests.end_query(number, query, samples.outcome(query))
        store.flush()
        for record, url in harvests.without_detail(number, 50):
            harvests.add_detail(number, record, samples.record(len(url)).cells, 1, 5.0)
    for end in ("-wal", "-shm"):
        path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
    return command


def copy_store(source: Path, folder: Path) -> Path:
    target = folder / source.name
    shutil.copy(source, target)
    for end in ("-wal", "-shm", ".lock"):
        target.with_name(f"{target.name}{end}").unlink(missing_ok=True)
    return target


def flip_byte(path: Path, dice: random.Random) -> int:
    """Change one byte of a page that is in use; where."""
    free = PageFile(path).free_pages()
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    at = dice.randrange(len(data))
    while at // size + 1 in free:
        at = dice.randrange(len(data))
    data[at] ^= dice.randrange(1, 256)
    path.write_bytes(data)
    return at
