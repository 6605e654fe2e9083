"""`python -m tests.e2e.faulty_parser SEED PORT STORE`: a crawl whose critic ends the process that
it judges some pages in, as a fault in C code would, and is trusted like one of ours."""

import sys

from leadline.config import load_config
from leadline.crawler import reading
from leadline.crawler.assembly import crawl
from leadline.plugins import NoSettings, Part
from leadline.topics.critic import CRITICS
from tests.crawler.harmful import HarmfulCritic


def main(seed: str, port: str, store: str) -> None:
    reading.is_ours = lambda critic: True  # noqa: ARG005 - as it is called
    CRITICS["harmful"] = Part(lambda _settings, _topic: HarmfulCritic(), NoSettings)
    settings = {
        "seeds": [seed],
        "topic.name": "book",
        "topic.critic": "harmful",
        "strategy.name": "breadth_first",
        "web.resolve": {"*": f"127.0.0.1:{port}"},
        "politeness.delay_s": 0.0,
        "store.path": store,
        "budget.pages": 0,
        "scope.leave_traps": False,
    }
    sys.stdout.write(crawl(load_config(settings=settings)[0]).reason)


if __name__ == "__main__":
    main(*sys.argv[1:])
