"""Which doors a crawl of a taught topic accepts on webs of other makers, with and without asking.

    python -m tools.crawl_claims WORLDS DATA --web a --seeds 1 --budget 600 --out FOLDER

Crawls as `tools.web_trials` does: the loop, the critic and the settings that ship, a topic taught
by the seeds and words that the web gives, no waiting. Recall is of the topic's doors whose page
was fetched, precision of the stored forms with a probability of one half or more, both counted
once a door; the truth is looked at afterwards only. Seeds 1 and 2 are for building, 5 and 6 for one
look. One web a run. The last line is JSON.
"""

import argparse
import asyncio
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import uvloop

from leadline.config import Config
from leadline.core.crawl import LIKELY, JudgedForm
from leadline.store.memory import MemoryStore
from leadline_lab.experiments.shelf import open_shelf
from tools.claims import AnyWorld, WorldA, WorldB, label_claim
from tools.door_replay import sum_up
from tools.foreign_webs import WebTopic, open_web
from tools.web_trials import Trial, crawl_web, find_first, make_config, shelf_stamp, teach


def set_asking(config: Config, *, is_asking: bool) -> Config:
    crawl = config.crawl.model_copy(update={"ask_forms": is_asking})
    return config.model_copy(update={"crawl": crawl})


def grade_crawl(
    world: AnyWorld, topic: WebTopic, met: set[str], store: MemoryStore, *, show: bool
) -> dict[str, Any]:
    """Doors met, accepted and right; and why the others are not."""
    best: dict[str, JudgedForm] = {}
    for stored in store.reader.forms():
        form = stored.judged
        name = world.match(form) or f"none:{form.form.action}"
        if name not in best or best[name].relevant < form.relevant:
            best[name] = form
    claims = {name for name, form in best.items() if form.relevant >= LIKELY}
    right = claims & topic.doors.keys()
    lost = Counter(_name_loss(best.get(name)) for name in met - claims)
    wrong = Counter(label_claim(world, name) for name in claims - right)
    if show:
        for name in sorted(met - claims):
            _show("MISSED", name, best.get(name))
        for name in sorted(claims - right):
            _show(f"WRONG {label_claim(world, name)}", name, best[name])
    events = list(store.reader.events())
    probes = sum(event.kind == "submission" for event in events)
    asked: defaultdict[str, int] = defaultdict(int)
    for name, form in best.items():
        answers = form.evidence.answers if form.evidence else None
        if answers is not None:
            kind = "own" if name in topic.doors else "other"
            asked[f"{kind} {answers.database} {(answers.relevance or 0.0) >= LIKELY}"] += 1
    return {
        "met": len(met),
        "claims": len(claims),
        "right": len(right & met),
        "right_unmet": len(right - met),
        "lost": dict(lost),
        "wrong": dict(wrong),
        "asked": dict(asked),
        "probes": probes,
        "requests": store.reader.counts().requests + probes,
    }


def _name_loss(form: JudgedForm | None) -> str:
    if form is None:
        return "not read"
    if form.searchable < LIKELY:
        return "not believed to search"
    answers = form.evidence.answers if form.evidence else None
    if answers is not None:
        return f"asked: {answers.database}"
    return "not asked, by POST" if form.form.method == "post" else "not asked"


def _show(what: str, name: str, form: JudgedForm | None) -> None:
    """For building: what was missed and what was wrongly claimed, with the sums."""
    print(f"{what} {name}")
    if form is None:
        return
    parts = ", ".join(f"{part} {weight:+.2f}" for part, weight in form.parts)
    evidence = form.evidence
    page = f"page {evidence.page:.2f} known {evidence.known}" if evidence else ""
    print(
        f"   {form.form.method} {form.form.page} searchable {form.searchable:.2f} relevant "
        f"{form.relevant:.2f} {page}: {parts}\n   {form.why} | {form.form.text[:100]!r}"
    )
    if evidence and evidence.answers:
        print(f"   {evidence.answers}")


def run_all(options: argparse.Namespace) -> list[dict[str, Any]]:
    rows = []
    for seed in options.seeds:
        cache = options.out / options.web
        web = open_web(options.web, seed, options.worlds, options.data, cache)
        make = WorldA if options.web == "a" else WorldB
        world = make(options.data, cache, seed)
        shelf = open_shelf(cache / f"pages-{seed}-{shelf_stamp()}.sqlite")
        for name in options.topics or web.topics:
            topic = web.topics[name]
            pack = teach(web, name, topic, cache / "topics" / f"{name}-{seed}")
            for is_asking in {"both": (True, False), "yes": (True,), "no": (False,)}[options.ask]:
                trial = Trial(options.web, seed, name, options.strategy, options.budget)
                config = set_asking(make_config(trial, pack, topic.seeds), is_asking=is_asking)
                with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                    counted, _, store, _ = runner.run(crawl_web(web, config, topic, shelf))
                met = set(find_first(web, topic, counted.asked))
                row = {"web": options.web, "seed": seed, "topic": name, "asking": is_asking}
                row |= grade_crawl(world, topic, met, store, show=options.show)
                rows.append(row)
                print(json.dumps(row), flush=True)
        shelf.close()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.crawl_claims", description=__doc__)
    parser.add_argument("worlds", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--web", choices=("a", "b"), required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--topics", nargs="+", help="by default all of the web")
    parser.add_argument("--strategy", default="expected_gain")
    parser.add_argument("--budget", type=int, default=600, help="pages of each crawl")
    parser.add_argument("--ask", choices=("both", "yes", "no"), default="both")
    parser.add_argument("--show", action="store_true", help="what is missed and wrong, and why")
    parser.add_argument("--out", type=Path, required=True, help="outside the repository")
    options = parser.parse_args()
    for name in ("worlds", "data", "out"):
        setattr(options, name, getattr(options, name).resolve())
    rows = run_all(options)
    print(json.dumps({"runs": len(rows), "sums": sum_up(rows)}))


if __name__ == "__main__":
    main()
