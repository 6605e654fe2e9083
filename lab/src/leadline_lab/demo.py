"""`python -m leadline_lab.demo`: a whole crawl of a synthetic deep Web, in half a minute."""

import shutil
import sys
from functools import partial
from pathlib import Path

from leadline.config import Config, load_config
from leadline.config.runs import EarlierRun
from leadline.core.store import StoreView
from leadline.core.url import Url
from leadline.ui.cli.crawl import conclude, watch_crawl
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.options import CrawlOptions
from leadline.ui.cli.output import say
from leadline.views.progress import forms_curve
from leadline.views.stores import open_to_read
from leadline_lab.plot import harvest_plot
from leadline_lab.profile import profile_named
from leadline_lab.server.running import serving_apart
from leadline_lab.server.serve import open_world
from leadline_lab.truth import Truth
from leadline_lab.world import World

FOLDER = Path("demo-out")
DOMAIN = "book"
PROFILE, SEED = "demo", 1
SEEDS = 12
DELAY_S = 0.2
"""A fifth of the default: all sites are ours, and a demo should not take two minutes."""
LONGEST_S = 25.0
MOST_PAGES = 20_000
PATIENCE_S = 3.0
"""With sites that never answer; the end of the demo waits for the last of them."""
_LIKELY = 0.5


def demo_config(port: int, seeds: list[Url], folder: Path, delay_s: float, pages: int) -> Config:
    """Default settings, but for shorter pauses and the way to the demo's web."""
    config, _ = load_config(
        settings={
            "seeds": seeds,
            "topic.name": DOMAIN,
            "store.path": str(folder / "demo.leadline"),
            "budget.seconds": LONGEST_S,
            "budget.pages": pages,
            "web.first_byte_timeout_s": PATIENCE_S,
            "politeness.delay_s": delay_s,
            # All sites of the demo answer at one address of this machine.
            "politeness.sites_per_address": 0,
            "web.resolve": {"*": f"127.0.0.1:{port}"},
            "web.allow_private": True,
        },
        source="demo",
    )
    return config


def run_demo(folder: Path = FOLDER, delay_s: float = DELAY_S, pages: int = MOST_PAGES) -> Exit:
    """Crawl the demo's web into `folder`, which is made afresh."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    world = World(profile_named(PROFILE), SEED)
    with serving_apart(partial(open_world, PROFILE, SEED)) as port:
        say(f"A synthetic deep Web of {world.census.sites:,} sites and {world.pages:,} pages is")
        say(
            f"served on 127.0.0.1:{port}, over real HTTP. Crawling it for search forms about books:"
        )
        say(
            f"{delay_s} s between two requests to one site (the default is 1 s), robots.txt obeyed,"
        )
        say("one request at a time per site.")
        say("")
        config = demo_config(port, world.seeds(DOMAIN, SEEDS), folder, delay_s, pages)
        run = watch_crawl(config, EarlierRun())
    if run is None:
        return Exit.INTERRUPTED
    conclude(run, config, CrawlOptions())
    with open_to_read(config.store.path) as store:
        _say_curve(store)
        _say_truth(store, world)
    return run.exit


def _say_curve(store: StoreView) -> None:
    say("\nrelevant forms found, as the critic sees them:")
    say(harvest_plot(forms_curve(store.reader.visits(), 200)))


def _say_truth(store: StoreView, world: World) -> None:
    """What only a synthetic web can tell: how many of the forms are what they seem."""
    truth = Truth(world)
    listed = [found for found in store.reader.forms() if found.judged.relevant >= _LIKELY]
    numbers = [truth.form(found.judged.form) for found in listed]
    right = sum(number is not None and DOMAIN in truth.domains_of(number) for number in numbers)
    say(f"\nby the truth of this web, {right} of these {len(listed)} forms search books.")


if __name__ == "__main__":
    sys.exit(run_demo())
