"""The way to the Web that crawls and harvests share: scope, fetcher, archive."""

import time
from collections.abc import Sequence
from pathlib import Path

from leadline.config import Config
from leadline.core.ports import Fetcher, Store
from leadline.core.url import Url, host_of, registered_domain, site_of
from leadline.crawler.scope import Scope
from leadline.web import HttpFetcher, open_fetcher
from leadline.web.archive import ArchiveWriter
from leadline.web.replay import ArchivingFetcher


def scope_of(config: Config, seeds: Sequence[Url]) -> Scope:
    allow = list(config.scope.allow)
    if config.scope.stay_on_seed_sites:
        allow += {registered_domain(host_of(site_of(url))) for url in seeds}
    return Scope(allow=allow, deny=config.scope.deny, skip_extensions=config.scope.skip_extensions)


def fetcher_of(config: Config, store: Store, scope: Scope) -> HttpFetcher:
    started = time.time()
    # Requests of a run that was cut off may be as recent as its end; the store
    # cannot know them all, so every site rests once before a crawl goes on.
    has_run = store.counts().visits or any(store.harvests.all())
    quiet_until = started + config.politeness.delay_s if has_run else 0.0
    fetcher = open_fetcher(
        config.web,
        config.robots,
        config.politeness,
        in_scope=scope.why_not,
        load=store.load,
        save=store.save,
        quiet_until=quiet_until,
    )
    for state in store.sites():
        ready_at = max(state.ready_at, started + state.delay_s)
        if ready_at > max(quiet_until, started):
            fetcher.gate.restore(state.site, ready_at, state.delay_s)
    return fetcher


def archiving(config: Config, fetcher: HttpFetcher) -> Fetcher:
    if not config.archive.folder:
        return fetcher
    writer = ArchiveWriter(Path(config.archive.folder), config.archive.max_file_bytes)
    return ArchivingFetcher(fetcher, writer)
