"""`python -m leadline.ui.demo`: a whole crawl of a small invented web, in half a minute."""

import shutil
import sys
from pathlib import Path

from leadline.config import Config, load_config
from leadline.ui.crawl import Earlier, conclude, watch_crawl
from leadline.ui.demo_web import SEEDS, SITES, serving
from leadline.ui.exits import Exit
from leadline.ui.options import CrawlOptions
from leadline.ui.output import say

FOLDER = Path("demo-out")
DELAY_S = 0.2
"""A fifth of the default: all sites are ours, and a demo should not take two minutes."""
LONGEST_S = 40.0


def demo_config(port: int, folder: Path, delay_s: float) -> Config:
    """Default settings, but for the shorter pause and the way to the demo's web."""
    config, _ = load_config(
        settings={
            "seeds": SEEDS,
            "topic.name": "book",
            "store.path": str(folder / "demo.leadline"),
            "budget.seconds": LONGEST_S,
            "politeness.delay_s": delay_s,
            "web.resolve": {"*": f"127.0.0.1:{port}"},
            "web.allow_private": True,
        },
        source="demo",
    )
    return config


def run_demo(folder: Path = FOLDER, delay_s: float = DELAY_S) -> Exit:
    """Crawl the demo's web into `folder`, which is made afresh."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    with serving() as port:
        say(f"An invented web of {SITES} sites is served on 127.0.0.1:{port}, over real HTTP.")
        say(f"Crawling it for search forms about books: {delay_s} s between two requests to one")
        say("site (the default is 1 s), robots.txt obeyed, one request at a time per site.")
        say("")
        config = demo_config(port, folder, delay_s)
        run = watch_crawl(config, Earlier())
    if run is None:
        return Exit.INTERRUPTED
    conclude(run, config, CrawlOptions())
    return run.exit


if __name__ == "__main__":
    sys.exit(run_demo())
