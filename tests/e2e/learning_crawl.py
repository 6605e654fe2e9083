"""Crawls of a small world of the lab that die by kill -9 while they learn, and then go on.

`python -m tests.e2e.learning_crawl FOLDER`: for each strategy a child crawls on a store in FOLDER
and kills itself in the middle of its second ranking of all that waits; another goes on to the
end of the budget. The last line is one JSON object of what each store then holds.
"""

import asyncio
import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from leadline.core.crawl import Budget
from leadline.core.ports import Strategy
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import PASSED_OVER, CrawlPlan
from leadline.crawler.links import LinkRules, Scope, make_seed
from leadline.errors import RobotsDeniedError
from leadline.store import open_store, open_store_view
from leadline_lab.experiments.critics import make_critic
from leadline_lab.experiments.lab_web import open_lab_world
from leadline_lab.experiments.pages import CachedWeb
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.training import LinkModels
from leadline_lab.experiments.trial import Contender, Ticks, Trial, make_contender

PAGES = 240
SAVED_EVERY = 20
DOMAIN = "hotel"
CONTENDERS = (
    Contender("apprentice", {"batch_pages": 50, "least_examples": 20}),
    Contender("ffc", {"batch": 20}),
    Contender("ache", {"mode": "offline-online", "every_forms": 1}),
    Contender("smartcrawler", {"first_sites": 1}),
    Contender("ache", {"every_forms": 50}, "ache, pages"),
    Contender("expected_gain", {"rank_every": 2}),
    Contender("sitewise", {"first_sites": 2}, "sitewise, sites"),
)
"""Those that learn, or at least rank anew what waits; with settings that let them begin early. A
goal other than forms is named at the end."""
WORLD, MAKE_FETCHER = open_lab_world("small", 1)


def die_in(strategy: Strategy, turn: int) -> None:
    """Let it be killed after it ranked all that waits for the `turn`-th time, before any of that
    is kept."""
    rescore: Any = strategy.rescore
    turns = 0

    def dying(*arguments: Any) -> None:
        nonlocal turns
        turns += 1
        rescore(*arguments)
        if turns == turn:
            os.kill(os.getpid(), signal.SIGKILL)

    strategy.rescore = dying  # type: ignore[method-assign, assignment]


async def crawl(contender: Contender, file: Path, models: LinkModels, turn: int) -> None:
    """From where the store is to the end of the budget; with a `turn`, to its death."""
    trial = Trial(contender, "small", 1, DOMAIN, PAGES, critic="oracle")
    trained = await models.get(WORLD, DOMAIN) if contender.is_trained else None
    strategy = make_contender(trial, WORLD.truth, trained)
    store = open_store(file, width=strategy.features.width if strategy.features else 0)
    learned = store.load(f"strategy:{strategy.name}")
    if learned is not None:
        strategy.restore(learned)
    if turn:
        die_in(strategy, turn)
    now = Ticks()
    web = CachedWeb(WORLD, MAKE_FETCHER, MemoryShelf(), now)
    store.links.put([make_seed(url) for url in WORLD.seeds(DOMAIN, 10)])
    reader = web.reader(make_critic("oracle", WORLD, DOMAIN, 1))
    rules = LinkRules(Scope().why_not)
    goal = contender.name.rpartition(", ")[2] if ", " in contender.name else "forms"
    plan = CrawlPlan(goal, Budget(pages=PAGES), rules, width=1, checkpoint_pages=SAVED_EVERY)
    await Crawl(CrawlParts(store, web, reader, strategy), plan, now).run()
    await web.close()
    store.close()


def in_child(contender: Contender, file: Path, models: LinkModels, turn: int) -> int:
    """How the child that crawled ended: 0, or minus the signal it died by."""
    child = os.fork()
    if not child:
        asyncio.run(crawl(contender, file, models, turn))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def held(file: Path) -> dict[str, object]:
    store = open_store_view(file)
    visits = list(store.reader.visits())
    paid = [v for v in visits if v.outcome not in (RobotsDeniedError.kind, PASSED_OVER)]
    forms = [form.judged.signature for form in store.reader.forms()]
    twice = [url for url, count in Counter(v.url for v in visits).items() if count > 1]
    store.close()
    return {"pages": len(paid), "twice": len(twice), "forms_twice": len(forms) - len({*forms})}


def main() -> None:
    folder = Path(sys.argv[1])
    models = LinkModels(folder / "models")
    found = {}
    for contender in CONTENDERS:
        file = folder / f"{contender.name.replace(' ', '-')}.leadline"
        died = in_child(contender, file, models, turn=2)
        before = held(file)["pages"]
        ended = in_child(contender, file, models, turn=0)
        found[contender.name] = {"died": died, "before": before, "ended": ended} | held(file)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
