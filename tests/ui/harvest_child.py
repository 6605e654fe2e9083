"""`leadline harvest` of a shelf in a process of its own, to be told to stop.

python -m tests.ui.harvest_child <address> <store>
"""

import sys

from leadline.ui.cli.harvest import run_harvest
from leadline.ui.cli.options import HarvestOptions
from tests.harvester.session.http_shelf import HOME, opening


def main(address: str, store: str) -> int:
    way = (f'web.resolve={{"*" = "{address}"}}', "web.allow_private=true")
    return run_harvest(HOME, store, HarvestOptions(set_=way, delay=0.0, plain=True), opening())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
