"""Tables of a store written to a file, here or where fsspec reaches, such as s3://bucket/key."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple, get_args

import msgspec

from leadline.core.crawl import Event, SiteState, Visit
from leadline.core.store import StoreView
from leadline.errors import ConfigError
from leadline.records.dataset import TABLES as DATASET_TABLES
from leadline.records.dataset import THINGS, Dataset, build_dataset, write_package
from leadline.records.exporters import EXPORTERS, SqliteExporter, XlsxExporter, make_exporter
from leadline.views.forms import FormRow, form_rows
from leadline.views.harvests import QueryRow, RecordRow, flat_records, query_rows, record_rows
from leadline.views.stores import saved_settings, topic_of
from leadline.web.archive import archive_files, merge_archives

TableName = Literal[
    "things", "origins", "values", "columns",
    "forms", "visits", "sites", "events", "records", "queries", "pages",
]  # fmt: skip
PAGES, FORMS = "pages", "forms"


class ExportTable(NamedTuple):
    """What may be written: its rows, and their type."""

    rows: Callable[[StoreView], Iterable[object]]
    type: type[msgspec.Struct]


TABLES: dict[str, ExportTable] = {
    "forms": ExportTable(form_rows, FormRow),
    "visits": ExportTable(lambda store: store.reader.visits(), Visit),
    "sites": ExportTable(lambda store: store.reader.sites(), SiteState),
    "events": ExportTable(lambda store: store.reader.events(), Event),
    "records": ExportTable(record_rows, RecordRow),
    "queries": ExportTable(query_rows, QueryRow),
}
TABLE_NAMES: tuple[str, ...] = get_args(TableName)
_WARC = (".warc.gz", ".warc")


class ExportResult(msgspec.Struct, frozen=True):
    """What was written."""

    what: str
    rows: int
    out: str
    package: str = ""
    """The file beside that tells what the columns are; '' if there is none."""


def export(
    store: StoreView, out: str, what: TableName | None = None, archive: str = ""
) -> ExportResult:
    """Write to a path or a URL, whose ending says the format; pages come from the archive of the
    store's crawl, or from the folder `archive`. Raises ConfigError."""
    ending, chosen = choose_format(out, what)
    if chosen == PAGES:
        files = find_archive_files(store, archive)
        with open_destination(out) as stream:
            pages = merge_archives(files, stream, is_packed=ending == ".warc.gz")
        return ExportResult(PAGES, pages, out)
    chosen = chosen or choose_table(store)
    if chosen in DATASET_TABLES:
        return export_dataset(build_dataset_of(store), out, chosen)
    with open_destination(out) as stream:
        count = write_table(store, chosen, ending.removeprefix("."), stream)
    return ExportResult(chosen, count, out)


def choose_table(store: StoreView) -> str:
    """What is written if nobody says: the things found, or forms if nothing was harvested."""
    return THINGS if any(store.harvests.all()) else FORMS


def build_dataset_of(store: StoreView) -> Dataset:
    """The things of the store's own topic."""
    return build_dataset(store, topic_of(store))


def export_dataset(dataset: Dataset, out: str, what: str) -> ExportResult:
    """Write one of its tables; beside things a file that tells what the columns are."""
    format_name = choose_format(out)[0].removeprefix(".")
    with open_destination(out) as stream:
        count = write_dataset(dataset, what, format_name, stream)
    package = ""
    if what == THINGS:
        package = f"{out.removesuffix(f'.{format_name}')}.datapackage.json"
        with open_destination(package) as stream:
            stream.write(write_package(dataset))
    return ExportResult(what, count, out, package)


def write_dataset(dataset: Dataset, what: str, format_name: str, stream: BinaryIO) -> int:
    """Write one of a dataset's tables; the things go together with the other tables about them into
    a format that holds several. How many rows."""
    exporter = make_exporter(format_name)
    if what == THINGS and isinstance(exporter, SqliteExporter | XlsxExporter):
        return exporter.write_tables(dataset.tables(), stream)
    table = dataset.table(what)
    return exporter.write(table.rows, table.kind, stream)


def choose_format(out: str, what: TableName | None = None) -> tuple[str, str]:
    """The ending that says the format, and what is written: '' for the default of tables, which is
    the things found, or the forms if nothing was harvested. Raises ConfigError."""
    endings = (*(f".{name}" for name in EXPORTERS), *_WARC)
    ending = next((known for known in endings if out.lower().endswith(known)), "")
    if not ending:
        further = "".join(f", .{name}" for name in EXPORTERS if name not in EXPORTERS.own)
        raise ConfigError(
            f"{out}: the ending says the format; write .sqlite, .jsonl, .csv, .parquet or .xlsx"
            f"{further}, or - for JSON lines on stdout, and .warc.gz for pages"
        )
    chosen = what or (PAGES if ending in _WARC else "")
    if (chosen == PAGES) != (ending in _WARC):
        raise ConfigError(
            f"{out}: pages are written as .warc.gz or .warc, and nothing else is; "
            f"say --what {PAGES}, or take another ending"
        )
    return ending, chosen


def write_table(store: StoreView, what: str, format_name: str, stream: BinaryIO) -> int:
    """Write a table with the exporter of that name; how many rows."""
    if what in DATASET_TABLES:
        return write_dataset(build_dataset_of(store), what, format_name, stream)
    exporter = make_exporter(format_name)
    kind = TABLES[what]
    is_flat = what == "records" and exporter.is_flat
    return exporter.write(flat_records(store) if is_flat else kind.rows(store), kind.type, stream)


def find_archive_files(store: StoreView, folder: str = "") -> list[Path]:
    """Where the pages of a crawl were archived. Raises ConfigError when they were not."""
    where: str = folder or saved_settings(store).get("archive", {}).get("folder", "")
    if not where:
        raise ConfigError(
            "this crawl archived no pages; do so with: leadline crawl --archive FOLDER, "
            "or name a folder that has them with --archive"
        )
    files = archive_files(Path(where))
    if not files:
        raise ConfigError(
            f"there are no WARC files in {where}; name their folder with --archive if they moved"
        )
    return files


_CREDENTIALS = (
    "give credentials that may write there: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a "
    "profile in ~/.aws"
)
_HINTS: dict[str, str] = {
    "PermissionError": _CREDENTIALS,
    "NoCredentialsError": _CREDENTIALS,
    "PartialCredentialsError": _CREDENTIALS,
    "FileNotFoundError": "make the bucket first, or check its name",
    "EndpointConnectionError": "check the network, and AWS_ENDPOINT_URL if it is set",
}


def is_remote(out: str) -> bool:
    """Whether it is a URL and not a path."""
    return "://" in out


@contextmanager
def open_destination(out: str) -> Iterator[BinaryIO]:
    """A stream to a file that is there under its name only when it is complete, as far as the
    place allows. Raises ConfigError when the place refuses."""
    with _open_remote(out) if is_remote(out) else _open_file(out) as stream:
        yield stream


@contextmanager
def _open_file(out: str) -> Iterator[BinaryIO]:
    path = Path(out)
    unfinished = path.with_name(f".{path.name}.part")
    try:
        with unfinished.open("wb") as stream:
            yield stream
        unfinished.replace(path)
    except OSError as error:
        raise ConfigError(f"cannot write {out}: {error.strerror}") from None
    finally:
        # What could not be made need not be there, nor its folder.
        with suppress(OSError):
            unfinished.unlink()


@contextmanager
def _open_remote(out: str) -> Iterator[BinaryIO]:
    system, path = _find_system(out)
    try:
        # What is written in a transaction is thrown away unless all of it came to its end.
        with system.transaction, system.open(path, "wb") as stream:
            yield stream
    except _import_refusals() as error:
        hint = _HINTS.get(type(error).__name__, "")
        raise ConfigError(f"cannot write {out}: {error}{hint and '; '}{hint}") from None


def _find_system(out: str) -> tuple[Any, str]:
    """The file system of a URL, and the path there."""
    try:
        import fsspec

        system, path = fsspec.core.url_to_fs(out)
    except ImportError as error:
        raise ConfigError(
            f"{out}: open_destination there needs more: {error}; for s3:// install it with: "
            "pip install 'leadline[s3]'"
        ) from None
    except ValueError as error:
        raise ConfigError(f"{out}: {error}; write a path, or a URL as s3://bucket/key") from None
    if not path.strip("/").partition("/")[2] and out.startswith("s3:"):
        raise ConfigError(f"{out} names no file; write s3://bucket/key")
    return system, path


def _import_refusals() -> tuple[type[Exception], ...]:
    """What a place raises when it will not have a file; S3's own, where S3 was used."""
    module = sys.modules.get("botocore.exceptions")
    return (OSError, module.BotoCoreError, module.ClientError) if module else (OSError,)
