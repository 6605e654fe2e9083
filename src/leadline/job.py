"""The whole job, from a phrase to a table: topic, seeds, one crawl with its harvests, one export.

`leadline run` and `leadline.run` are this. `plan_job` settles what is wanted and may fetch seeds
and pages to learn from; the crawl itself is an ordinary one whose budget harvests share;
`finish_job` writes the table and says what came of each source.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from leadline.backlinks.providers import find_seeds
from leadline.config import Config, load_config
from leadline.config.runs import EarlierRun, open_to_read, read_earlier_run, settle_crawl
from leadline.core.crawl import LIKELY, JudgedForm
from leadline.core.store import StoreView
from leadline.core.url import Site, Url, canonical
from leadline.crawler.example_pages import fetch_examples
from leadline.errors import ConfigError, FetchError
from leadline.forms.settings import SubmitSettings
from leadline.forms.submit import why_refused
from leadline.harvester.coverage import Coverage
from leadline.learn.model_files import Manifest, digest_of
from leadline.records.dataset import THINGS
from leadline.records.export import build_dataset_of, choose_format, export_dataset, is_remote
from leadline.store.address import IN_MEMORY, place_of
from leadline.topics.background import shipped_background
from leadline.topics.pack import KIND, is_pack, read_pack, write_pack
from leadline.topics.phrases import read_phrase
from leadline.topics.teaching import TopicExamples, make_pack
from leadline.views.harvests import harvest_progress
from leadline.views.mirror.store import open_mirror
from leadline.web import open_fetcher

MOST_SEEDS = 30
"""Found by a search engine: what it names further down is less and less about the phrase."""
_FIRST_ROWS = 5
_not_name = re.compile(r"[^\w]+")


class JobPlan(Struct, frozen=True):
    """A job that may begin."""

    phrase: str
    config: Config
    earlier: EarlierRun
    out: str
    """Where the table goes."""
    notes: tuple[str, ...]
    """What was settled, for people."""


class JobSource(Struct, frozen=True):
    """What came of one database."""

    site: Site
    form: str
    """The form's signature."""
    records: int
    requests: int
    coverage: Coverage | None
    reason: str
    """Why its harvest stopped; '' if it was cut off."""
    address: Url | None = None
    """Where the form is sent to."""


class RefusedForm(Struct, frozen=True):
    """A form of the topic that was not asked."""

    page: Url
    why: str


class FailedSeed(Struct, frozen=True):
    """A seed that brought no page."""

    url: Url
    why: str


class JobResult(Struct, frozen=True):
    """What a job brought."""

    store: str
    table: str
    """The file; '' if nothing was extracted."""
    things: int
    records: int
    columns: tuple[str, ...]
    first: tuple[dict[str, Any], ...]
    """The first things."""
    sources: tuple[JobSource, ...]
    """Those with most records first."""
    refused: tuple[RefusedForm, ...]
    waiting: int = 0
    """Forms of the topic whose harvest did not begin before the run ended."""
    failed_seeds: tuple[FailedSeed, ...] = ()
    """Of the seeds given to this run."""


def name_files(phrase: str) -> str:
    """The stem of a job's files.

    >>> name_files("Museum objects!")
    'museum-objects'
    """
    return _not_name.sub("-", phrase.casefold()).strip("-") or "run"


async def plan_job(
    phrase: str, flags: Mapping[str, object], file: Path | None = None, out: str = ""
) -> JobPlan:
    """Settle topic and seeds. `flags` are settings by dotted name, and win over the job's own.

    A store that exists is resumed. Raises ConfigError, also if there is nothing to start from, if
    the table cannot be written, or if the store is about another topic; StoreError.
    """
    stem = name_files(phrase)
    out = out or f"{stem}.sqlite"
    choose_format(out, THINGS)
    _check_destination(out)
    defaults = {"store.path": f"{stem}.leadline", "harvest.during_crawl": True}
    said: dict[str, object] = {**defaults, **flags}
    path = str(said["store.path"])
    if path == IN_MEMORY:
        raise ConfigError(
            "a run needs a store on disk, to resume: leave --store out or name a file"
        )
    _check_destination(path)
    earlier = read_earlier_run(path)
    notes: list[str] = []
    if earlier.counts.known:
        if "topic.name" not in said and "topic.words" not in said:
            _check_topic(phrase, path, earlier)
        notes.append(f"resuming {path}: {earlier.counts.visits:,} visits so far")
    else:
        if not said.get("seeds"):
            said["seeds"] = await _find_seeds(phrase, said, file)
            notes.append(f"{len(_list(said['seeds']))} seeds found by searching for {phrase!r}")
        if "topic.name" not in said and "topic.words" not in said:
            said["topic.name"] = await _settle_topic(phrase, said, file, notes)
    config, _, earlier = settle_crawl(file, said)
    return JobPlan(phrase, config, earlier, out, tuple(notes))


def _check_destination(place: str) -> None:
    """Raise ConfigError if a file could not be written, before hours are spent on it."""
    folder = Path(place).parent
    if is_remote(place):
        return
    if not folder.is_dir():
        raise ConfigError(f"cannot write {place}: there is no folder {folder}; make it first")
    if Path(place).is_dir():
        raise ConfigError(f"cannot write {place}: it is a folder; name a file in it")
    if not os.access(folder, os.W_OK):
        raise ConfigError(f"cannot write {place}: you may not write to {folder}")


def _check_topic(phrase: str, path: str, earlier: EarlierRun) -> None:
    """Raise ConfigError if the store's topic is not what the phrase stands for: its records would
    go into a table about something else."""
    before = str((earlier.settings.get("topic") or {}).get("name", ""))
    wanted = read_phrase(phrase).name or name_files(phrase)
    held = read_pack(Path(before))[0].name if is_pack(Path(before)) else before
    if held and held != wanted:
        raise ConfigError(
            f"{path} holds a run about {held!r}, and {phrase!r} is {wanted!r}: leave --store out "
            f"or name another one; to continue the run on {held!r}, add --set topic.name={before}"
        )


async def _find_seeds(phrase: str, said: Mapping[str, object], file: Path | None) -> list[Url]:
    config, _ = load_config(file, said)
    fetcher = open_fetcher(config.web, config.robots, config.politeness)
    try:
        seeds = await find_seeds(config.backlinks, fetcher, phrase, MOST_SEEDS)
    except FetchError as error:
        raise ConfigError(
            f"no seeds: {config.backlinks.provider} did not answer ({error}); give some with "
            "--seeds"
        ) from None
    finally:
        await fetcher.close()
    if not seeds:
        raise ConfigError(f"searching for {phrase!r} named no page: give seeds with --seeds")
    return seeds


async def _settle_topic(
    phrase: str, said: Mapping[str, object], file: Path | None, notes: list[str]
) -> str:
    """A shipped topic, or one that is taught by the phrase and the seeds, in a folder beside the
    store."""
    found = read_phrase(phrase)
    notes.append(found.why)
    if found.name:
        return found.name
    folder = Path(str(said["store.path"])).with_suffix(".topic")
    if not is_pack(folder):
        config, _ = load_config(file, said)
        samples = await fetch_examples(_list(said["seeds"]), config, notes.append)
        given = TopicExamples(samples, [], found.words)
        pack = make_pack(name_files(phrase), given, (), shipped_background())
        counts = {"pages": len(samples), "words": len(found.words)}
        manifest = Manifest(KIND, (pack.source,), digest_of(phrase.encode()), counts)
        write_pack(folder, pack, manifest)
        notes.append(f"taught by its words and {len(samples)} seed pages: {folder}")
    return str(folder)


def _list(seeds: object) -> list[str]:
    return [str(seed) for seed in seeds] if isinstance(seeds, list | tuple) else []


def finish_job(plan: JobPlan) -> JobResult:
    """Write the table of what the store holds, and say what came of each source."""
    path = plan.config.store.path
    with closing(open_mirror(path, place_of(path))) as mirror, mirror.refresh():
        harvests = [
            (harvest.head.signature, harvest_progress(mirror, harvest))
            for harvest in mirror.harvests.by_id.values()
        ]
    with open_to_read(path) as store:
        addresses = {
            head.subject.signature: head.subject.form.action for head in store.harvests.all()
        }
        sources = [
            JobSource(
                Site(one.site),
                form,
                one.records,
                one.requests,
                one.coverage,
                one.reason,
                addresses.get(form),
            )
            for form, one in harvests
        ]
        sources.sort(key=lambda source: -source.records)
        asked = {source.form for source in sources}
        relevant = [
            stored.judged for stored in store.reader.forms() if stored.judged.relevant >= LIKELY
        ]
        refused, waiting = _sort_forms(relevant, asked, plan.config.submit)
        failed = tuple(_find_failed(store, plan.config.seeds))
        if not any(source.records for source in sources):
            return JobResult(
                path, "", 0, 0, (), (), tuple(sources), refused, waiting, failed
            )  # fmt: skip
        dataset = build_dataset_of(store)
        first = tuple(msgspec.to_builtins(row) for row in islice(dataset.things(), _FIRST_ROWS))
        written = export_dataset(dataset, plan.out, THINGS)
    columns = tuple(column.name for column in dataset.columns)
    return JobResult(
        path, written.out, dataset.count, dataset.records, columns, first,
        tuple(sources), refused, waiting, failed,
    )  # fmt: skip


def _sort_forms(
    relevant: Sequence[JudgedForm], asked: set[str], settings: SubmitSettings
) -> tuple[tuple[RefusedForm, ...], int]:
    """The forms that may not be asked, and how many databases were left for the next run."""
    targets = {_target(judged) for judged in relevant if judged.signature in asked}
    refused, waiting = [], set()
    for judged in relevant:
        if judged.signature in asked:
            continue
        why = why_refused(judged.form, judged.searchable, settings)
        if why:
            refused.append(RefusedForm(judged.form.page, why))
        else:
            waiting.add(_target(judged))
    return tuple(refused), len(waiting - targets)


def _target(judged: JudgedForm) -> tuple[str, str]:
    """What a form is sent to: two forms with the same one ask one database."""
    return judged.form.method, str(judged.form.action).partition("?")[0]


def _find_failed(store: StoreView, seeds: Sequence[str]) -> Iterator[FailedSeed]:
    """The seeds that brought no page, if any. A crawl of days has a million visits: they are read
    one by one, and only until every seed was met."""
    wanted = {canonical(seed) for seed in seeds} - {None}
    for visit in store.reader.visits():
        if not wanted:
            return
        if visit.url not in wanted:
            continue
        wanted.discard(visit.url)
        if visit.outcome not in ("page", "duplicate"):
            yield FailedSeed(visit.url, visit.reason or visit.outcome)
