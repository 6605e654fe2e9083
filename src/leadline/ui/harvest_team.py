"""`leadline harvest --shared` and `--cluster`: forms shared out to several workers."""

import asyncio
from contextlib import suppress

import uvloop
from msgspec import to_builtins

from leadline.config import Config
from leadline.core.kept import Subject
from leadline.core.shared import Shared
from leadline.crawler.harvests.team import HARVESTED, begin_harvest, harvesting
from leadline.crawler.harvests.wanted import stored_subjects
from leadline.crawler.team import own_name
from leadline.errors import ConfigError
from leadline.store.address import is_database, shown
from leadline.store.postgres.shared import open_shared
from leadline.ui.exits import Exit
from leadline.ui.options import HarvestOptions
from leadline.ui.output import print_json, say
from leadline.ui.steering import Steering
from leadline.views.stores import open_to_read


def run_team_harvest(form: str, config: Config, options: HarvestOptions) -> Exit:
    """The whole command, from the settings on."""
    place = config.store.path
    if not is_database(place):
        raise ConfigError(
            f"harvests are shared out on a PostgreSQL store, not on {place!r}: "
            "leadline harvest all postgresql://user@host/database --shared"
        )
    with open_to_read(place) as store:
        subjects = stored_subjects(form, store, config)
    shared = open_shared(place)
    try:
        has_begun = begin_harvest(shared)
        if not options.quiet:
            say(f"{len(subjects)} forms, shared out to all workers on {shown(place)}")
        reasons = _draw(config, shared, subjects, options)
        if has_begun:
            shared.stop(HARVESTED)
    finally:
        shared.close()
    return _tell(reasons, options)


def _draw(
    config: Config, shared: Shared, subjects: list[Subject], options: HarvestOptions
) -> dict[str, str]:
    if options.cluster:
        from leadline.crawler.cluster import Size, connect, harvest_on

        connect(options.cluster)
        return harvest_on(config, [subject.signature for subject in subjects], Size(options.actors))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(take_part(config, shared, subjects))


async def take_part(config: Config, shared: Shared, subjects: list[Subject]) -> dict[str, str]:
    """Why each harvest of this worker stopped."""
    async with harvesting(config, shared, own_name()) as worker:
        Steering(say).attach(worker)
        with suppress(asyncio.CancelledError):
            await worker.run(subjects)
        return worker.reasons


def _tell(reasons: dict[str, str], options: HarvestOptions) -> Exit:
    if options.json:
        print_json(to_builtins(reasons))
    elif not options.quiet:
        for signature, reason in sorted(reasons.items()):
            say(f"{signature}: {reason}")
    return Exit.DONE
