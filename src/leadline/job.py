"""The whole job, from a phrase to a table: topic, seeds, one crawl with its harvests, one export.

`leadline run` and `leadline.run` are this. `plan_job` settles what is wanted and may fetch seeds
and pages to learn from; the crawl itself is an ordinary one whose budget harvests share;
`finish_job` writes the table and says what came of each source.
"""

import re
from collections.abc import Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from leadline.backlinks.providers import find_seeds
from leadline.config import Config, load_config
from leadline.config.runs import EarlierRun, open_to_read, read_earlier_run, settle_crawl
from leadline.core.crawl import LIKELY
from leadline.core.url import Site, Url
from leadline.crawler.example_pages import fetch_examples
from leadline.errors import ConfigError, FetchError
from leadline.forms.submit import why_refused
from leadline.harvester.coverage import Coverage
from leadline.learn.model_files import Manifest, digest_of
from leadline.records.dataset import THINGS
from leadline.records.export import build_dataset_of, export_dataset
from leadline.store.address import IN_MEMORY, place_of
from leadline.topics.background import shipped_background
from leadline.topics.pack import KIND, is_pack, write_pack
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


class RefusedForm(Struct, frozen=True):
    """A form of the topic that was not asked."""

    page: Url
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

    A store that exists is resumed with the topic it has. Raises ConfigError, also if there is
    nothing to start from; StoreError.
    """
    stem = name_files(phrase)
    defaults = {"store.path": f"{stem}.leadline", "harvest.during_crawl": True}
    said: dict[str, object] = {**defaults, **flags}
    path = str(said["store.path"])
    if path == IN_MEMORY:
        raise ConfigError(
            "a run needs a store on disk, to resume: leave --store out or name a file"
        )
    earlier = read_earlier_run(path)
    notes: list[str] = []
    if earlier.counts.known:
        notes.append(f"resuming {path}: {earlier.counts.visits} visits so far")
    else:
        if not said.get("seeds"):
            said["seeds"] = await _find_seeds(phrase, said, file)
            notes.append(f"{len(_list(said['seeds']))} seeds found by searching for {phrase!r}")
        if "topic.name" not in said and "topic.words" not in said:
            said["topic.name"] = await _settle_topic(phrase, said, file, notes)
    config, _, earlier = settle_crawl(file, said)
    return JobPlan(phrase, config, earlier, out or f"{stem}.sqlite", tuple(notes))


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
    sources = [
        JobSource(Site(one.site), form, one.records, one.requests, one.coverage, one.reason)
        for form, one in harvests
    ]
    with open_to_read(path) as store:
        asked = {source.form for source in sources}
        refused = [
            RefusedForm(stored.judged.form.page, why)
            for stored in store.reader.forms()
            if stored.judged.relevant >= LIKELY and stored.judged.signature not in asked
            for why in [
                why_refused(stored.judged.form, stored.judged.searchable, plan.config.submit)
            ]
            if why
        ]
        if not any(source.records for source in sources):
            return JobResult(path, "", 0, 0, (), (), tuple(sources), tuple(refused))
        dataset = build_dataset_of(store)
        first = tuple(msgspec.to_builtins(row) for row in islice(dataset.things(), _FIRST_ROWS))
        written = export_dataset(dataset, plan.out, THINGS)
    sources.sort(key=lambda source: -source.records)
    columns = tuple(column.name for column in dataset.columns)
    return JobResult(
        path, written.out, dataset.count, dataset.records, columns, first,
        tuple(sources), tuple(refused),
    )  # fmt: skip
