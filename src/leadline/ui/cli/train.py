"""`leadline train links` and `apprentice`: what a crawl begins with."""

import asyncio
import datetime
from collections.abc import Sequence
from pathlib import Path

from leadline.backlinks.providers import open_backlinks
from leadline.config import Config, load_config, parse_pairs, read_seeds, settings_file
from leadline.core.ports import Backlinks
from leadline.core.store import StoreView
from leadline.core.url import Url, canonical
from leadline.crawler.backward import BackwardPlan, BackwardResult, crawl_backward
from leadline.crawler.network import add_trials
from leadline.errors import ConfigError
from leadline.learn.link_levels import (
    LINK_MODEL,
    LinkLevels,
    LinkModel,
    class_sizes,
    count_chosen_terms,
    learn_levels,
    write_link_model,
)
from leadline.learn.link_selection import OFFLINE
from leadline.learn.model_files import Manifest, digest_of
from leadline.store.memory import MemoryStore
from leadline.strategies.apprentice import Apprentice, train_apprentice, write_apprentice
from leadline.strategies.apprentice_features import ApprenticeSettings
from leadline.strategies.ffc import FEATURES
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.options import TrainLinksOptions
from leadline.ui.cli.output import print_json, print_text, say, show, table
from leadline.views.stores import open_to_read, saved_settings, topic_of
from leadline.web import open_fetcher

OWN_LINKS = Path("links")
"""Where link classifiers go by default, in the working directory."""
_SHOWN = 10
_MOST_LEVELS = 4


def run_train_links(
    topic: str, options: TrainLinksOptions, backlinks: Backlinks | None = None
) -> Exit:
    """The whole command; `backlinks` takes the place of the provider in the settings."""
    config = load_config(settings_file(options.config), parse_pairs(options.set_))[0]
    plan, forms = _plan(options), _forms(options.forms, config)
    folder = _folder(topic, options.out)
    gathered = asyncio.run(_gather(forms, backlinks, plan, config))
    if not gathered.lesson.levels.get(1):
        say(f"leadline: no backlink of the {len(forms)} pages could be fetched; try more --forms")
        return Exit.NOTHING_FETCHED
    taught = LinkModel(learn_levels(gathered.lesson, OFFLINE), gathered.lesson)
    write_link_model(folder, taught, _manifest(topic, forms, gathered, plan))
    _tell(folder, taught.levels, gathered, options)
    return Exit.DONE


def _plan(options: TrainLinksOptions) -> BackwardPlan:
    if not 1 <= options.levels <= _MOST_LEVELS:
        raise ConfigError(f"--levels {options.levels}: give a number from 1 to {_MOST_LEVELS}")
    if options.pages < 1 or options.back_links < 1:
        raise ConfigError("--pages and --back-links: give numbers from 1 on")
    return BackwardPlan(options.levels, options.back_links, options.pages)


def _forms(given: Sequence[str], config: Config) -> list[Url]:
    if not given:
        raise ConfigError("nothing to begin with: give pages that have forms with --forms")
    urls: dict[Url, None] = {}
    for text in read_seeds(given):
        url = canonical(text if "://" in text else f"http://{text}", rules=config.urls.rules)
        if url is None:
            raise ConfigError(f"form page {text!r} is not an http(s) URL; write https://host/path")
        urls[url] = None
    return list(urls)


def _folder(topic: str, out: Path | None) -> Path:
    folder = out or OWN_LINKS / Path(topic).name
    if folder.exists():
        raise ConfigError(f"{folder} exists: give another folder with --out, or remove it")
    return folder


async def _gather(
    forms: Sequence[Url], backlinks: Backlinks | None, plan: BackwardPlan, config: Config
) -> BackwardResult:
    settings = config.backlinks
    if backlinks is None and settings.provider == "own" and not settings.file:
        raise ConfigError(
            "training asks who links to a page, and there is no crawl yet that would know: set "
            "backlinks.provider, or backlinks.file to the store of a finished crawl"
        )
    fetcher = add_trials(config, open_fetcher(config.web, config.robots, config.politeness))
    try:
        with open_backlinks(settings, MemoryStore().pages, fetcher) as provider:
            asked = backlinks or provider
            if asked is None:
                raise ConfigError("training asks who links to a page: set backlinks.provider")
            return await crawl_backward(forms, asked, fetcher, plan, FEATURES)
    finally:
        await fetcher.close()


def _manifest(
    topic: str, forms: Sequence[Url], gathered: BackwardResult, plan: BackwardPlan
) -> Manifest:
    pages = {f"pages of level {level}": count for level, count in sorted(gathered.pages.items())}
    return Manifest(
        LINK_MODEL,
        (f"pages that link to forms about {topic}",),
        digest_of(*(url.encode() for url in forms)),
        {"forms": len(forms), "requests": gathered.requests, **pages},
        settings={"levels": plan.levels, "back links": plan.back_links, "pages": plan.pages},
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
    )


def _tell(
    folder: Path, levels: LinkLevels, gathered: BackwardResult, options: TrainLinksOptions
) -> None:
    sizes = class_sizes(levels)
    if options.json:
        found = {"folder": str(folder), "links": sizes, "requests": gathered.requests}
        print_json({**found, "terms": count_chosen_terms(levels)})
        return
    columns = ("where", "word", *(f"#{name}" for name in sizes))
    rows = (
        (space, count.term, *count.counts.values())
        for space, counts in count_chosen_terms(levels, _SHOWN).items()
        for count in counts
    )
    show(table("Words of links, and the links of each level they stand in", columns, rows))
    say(f"links:    {', '.join(f'{name} {size}' for name, size in sizes.items())}")
    say(f"requests: {gathered.requests}")
    say(f"model:    {folder}")
    say(f"next:     leadline crawl ... --strategy ffc --set strategy.model={folder}")


def run_train(store: str, out: Path, *, as_json: bool) -> Exit:
    """The whole command."""
    with open_to_read(store) as opened:
        settings = crawled_with(opened)
        manifest = write_apprentice(
            out,
            train_apprentice(opened, settings),
            settings,
            (f"a crawl about {topic_of(opened)}",),
        )
    if as_json:
        print_json({"model": str(out), **manifest.counts})
        return Exit.DONE
    counts = manifest.counts
    print_text(
        f"{out}: {counts['links']} links, {counts['high']} of them to relevant pages, "
        f"{counts['features']} features"
    )
    print_text(f"use it with --set strategy.mode=offline-online --set strategy.model={out}")
    return Exit.DONE


def crawled_with(store: StoreView) -> ApprenticeSettings:
    """The settings its links were described by. Raises ConfigError for another strategy's crawl."""
    own = dict(saved_settings(store).get("strategy", {}))
    name = own.pop("name", "")
    for shared in ("goal", "fallback", "learn_from"):
        own.pop(shared, None)
    if name != Apprentice.name:
        raise ConfigError(
            f"this store was crawled by strategy {name!r}, which keeps no features of links: "
            "crawl with --strategy apprentice, in mode watching for the order of baseline"
        )
    return ApprenticeSettings.model_validate({**own, "mode": "online", "model": ""})
