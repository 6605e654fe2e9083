"""A process that harvests, to be killed.

python -m tests.e2e.harvest_child <address> <store>
"""

import sys

from leadline.config import load_config
from leadline.crawler.harvests.assembly import harvest_forms
from tests.harvester.session.http_shelf import HOME, opening


def main(address: str, store: str) -> None:
    settings = {
        "web.resolve": {"*": address},
        "web.allow_private": True,
        "politeness.delay_s": 0.0,
        "store.path": store,
        "harvest.min_yield": 0.0,
        "harvest.details": True,
    }
    result = harvest_forms(load_config(settings=settings)[0], HOME, opener=opening())
    (drawn,) = result.harvests
    sys.stdout.write(f"{drawn.reason}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
