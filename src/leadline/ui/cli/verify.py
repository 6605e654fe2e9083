"""`leadline verify`: what held of a harvest's coverage, and what did not."""

import asyncio
from pathlib import Path

from leadline.config import parse_pairs, settings_file
from leadline.config.runs import settle_harvest
from leadline.crawler.harvests.source_opener import MakeOpener, make_opener
from leadline.crawler.harvests.verification import verify_harvests
from leadline.errors import ConfigError
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.output import print_json, print_text
from leadline.views.text import clean

_VERDICTS = {True: "holds", False: "does not hold", None: "cannot be told"}


def run_verify(
    store: str,
    form: str,
    requests: int,
    config: Path | None,
    pairs: tuple[str, ...],
    *,
    as_json: bool,
    opener: MakeOpener = make_opener,
) -> Exit:
    """The whole command."""
    if requests < 1:
        raise ConfigError(f"--requests {requests} asks nothing; give 1 or more")
    settled = settle_harvest(settings_file(config), {**parse_pairs(pairs), "store.path": store})
    found = asyncio.run(verify_harvests(settled, form, requests, opener))
    if as_json:
        print_json(found)
    else:
        for one in found:
            print_text(f"{one.site} ({one.form}): {one.records:,} records, {one.requests} requests")
            for claim in one.claims:
                print_text(f"  {claim.name}: {_VERDICTS[claim.has_held]}: {clean(claim.why)}")
    is_wrong = any(claim.has_held is False for one in found for claim in one.claims)
    return Exit.NOT_VERIFIED if is_wrong else Exit.DONE
