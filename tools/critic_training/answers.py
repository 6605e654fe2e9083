"""What the answer to a question says of a door: weights fitted on webs by other makers.

    python -m tools.critic_training.answers WORLDS DATA --collect a --seeds 1 2 --out FOLDER
    python -m tools.critic_training.answers WORLDS DATA --collect b --seeds 1 2 --out FOLDER
    python -m tools.critic_training.answers WORLDS DATA --out FOLDER

The first two put the question of a crawl to doors of each topic and to others, searches of the
topic's own sites over articles and databases of other topics, half and half, without a crawl. The
last fits a logistic regression on what came: each kind of door weighs the same, so that what it
says are likelihood ratios, and each web by itself and both together. The weights are rounded by
hand into `forms.evidence.ANSWERS`. Seeds 1 and 2 are for building. The last line is JSON.
"""

import argparse
import json
import random
import sys
from collections import Counter
from math import log
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from msgspec import structs

from leadline.core.http import Request
from leadline.core.url import Url, canonical, site_of
from leadline.forms.probe import ProbeAnswer
from leadline.forms.question import DoorQuestion, QuestionFindings, QuestionWords, measure_prose
from leadline.forms.submit import Submission, prepare, why_refused
from leadline.learn.linear import logit
from leadline.page import parse_page
from leadline.page.words import PageWords
from leadline.topics.critic import TopicCritic
from tools.claims import (
    OFF_TOPIC,
    RELEVANT,
    SITE_SEARCH,
    AnyWorld,
    Reader,
    WorldA,
    WorldB,
    WorldDoor,
    teach,
)

_MOST = 30
"""Doors of each kind and topic."""
_SEED = 7
_PENALTY = 1.0


def collect(world: AnyWorld, reader: Reader, topic: str) -> list[dict[str, Any]]:
    """One row for each door that was asked."""
    critic = teach(world, reader, topic, "all")
    words = QuestionWords(world.truth["topics"][topic]["words"])
    rng = random.Random(_SEED)
    doors = list(world.doors(topic))
    chosen = []
    for label in (RELEVANT, SITE_SEARCH, OFF_TOPIC):
        kind = [one for one in doors if one.label == label]
        near = [one for one in kind if one.is_near] if label == SITE_SEARCH else []
        kind = near or kind
        chosen += rng.sample(kind, min(_MOST, len(kind)))
    rng.shuffle(chosen)
    rows = []
    for door in chosen:
        found = ask_door(world, reader, critic, door, words)
        if found is not None:
            rows.append({"topic": topic, "label": door.label, "near": door.is_near} | found)
    return rows


def ask_door(
    world: AnyWorld, reader: Reader, critic: TopicCritic, door: WorldDoor, words: QuestionWords
) -> dict[str, Any] | None:
    """What the answers say; None if the door may not be asked."""
    read = reader.read(door.page)
    if read is None:
        return None
    page, _ = read
    own = [one for one in critic.judge(*read).forms if world.match(one) == door.id]
    best = max(own, key=lambda one: one.searchable, default=None)
    if best is None or why_refused(best.form, best.searchable):
        return None
    topical, common = words.choose(page, best.form)
    question = DoorQuestion(best.form, page, topical, common)
    while (query := question.next_query()) is not None:
        decision = prepare(best.form, query.values, best.searchable)
        if not isinstance(decision, Submission):
            return None
        status, kind, body, at = fetch(world, decision.request)
        question.take(ProbeAnswer(query, status, parse_page(body, canonical(at) or page.url, kind)))
    findings = question.read_findings()
    for word, is_found in zip((topical, common), findings.found, strict=False):
        words.note(word, is_found=is_found)
    known = {link.target for other in reader.read_site(page) for link in other[0].links}
    known |= {link.target for link in page.links}
    answer = describe_findings(findings, known, critic)
    if answer["database"] == "yes" and (answer["familiar"] or 0) < 0.5:
        words.hear(findings.leaves)
    return {"page": page.url, "form": best.searchable, "method": best.form.method} | answer


def describe_findings(
    findings: QuestionFindings, known: set[Url], critic: TopicCritic
) -> dict[str, Any]:
    page = findings.page
    own = [url for url in findings.targets if page and site_of(url) == site_of(page.url)]
    relevance = None
    if page is not None and findings.leaves:
        bare = structs.replace(
            page, leaves=findings.leaves, title="", description="", links=(), forms=()
        )
        relevance = critic.judge(bare, PageWords(bare)).relevance
    return {
        "database": findings.database,
        "why": findings.why,
        "knows": findings.knows_topic,
        "relevance": relevance,
        "familiar": sum(url in known for url in own) / len(own) if own else None,
        "links": len(findings.targets),
        "prose": measure_prose(findings.leaves),
        "texts": len(findings.leaves),
    }


def fetch(world: AnyWorld, request: Request) -> tuple[int, str, bytes, str]:
    """As `AnyWorld.fetch`, by POST too."""
    if request.method == "GET":
        return world.fetch(request.url)
    if isinstance(world, WorldA):
        parts = urlsplit(request.url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        got = world._render.respond("POST", parts.hostname, target, request.body.decode())
        status, headers, body = got.status, got.headers, got.body.encode()
        kind = got.ctype
    else:
        status, told, body, _ = world._render.respond("POST", request.url, request.body)
        headers = dict(told)
        kind = headers.get("Content-Type", "")
    if status in (301, 302, 303):
        return world.fetch(canonical(headers["Location"], request.url) or request.url)
    return status, kind, body, request.url


NAMES = (
    *("found", "knows the topic", "links", "texts per link"),
    *("nothing", "relevance", "familiar", "prose"),
)


def describe_row(row: dict[str, Any]) -> list[float]:
    """As `forms.evidence` weighs them."""
    is_found = row["database"] == "yes"
    told = row["relevance"]
    odds = max(-3.0, min(3.0, logit(told))) if is_found and told is not None else 0.0
    texts = max(1.0, row["texts"] / max(1, row["links"]))
    return [
        float(is_found),
        float(is_found and row["knows"]),
        min(log(1 + row["links"], 2), 5.0) if is_found else 0.0,
        min(log(texts, 2), 4.0) if is_found else 0.0,
        float(row["database"] == "no"),
        odds,
        float(row["familiar"] or 0.0),
        min(float(row["prose"]), 0.8) if is_found else 0.0,
    ]


def fit(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Penalised logistic regression; right doors weigh as much as the two other kinds together."""
    x = np.array([[1.0, *describe_row(row)] for row in rows])
    y = np.array([row["label"] == RELEVANT for row in rows], float)
    counts = Counter(row["label"] for row in rows)
    others = sum(1 for label in counts if label != RELEVANT)
    share = [
        (1.0 if row["label"] == RELEVANT else 1 / max(1, others)) / counts[row["label"]]
        for row in rows
    ]
    weights = np.array(share) * len(rows) / 2
    penalty = np.diag([1e-3, *[_PENALTY] * (x.shape[1] - 1)])
    beta = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-(x @ beta)))
        gradient = x.T @ (weights * (p - y)) + penalty @ beta
        hessian = (x * (weights * p * (1 - p))[:, None]).T @ x + penalty
        beta -= np.linalg.solve(hessian, gradient)
    return dict(zip(("intercept", *NAMES), np.round(beta, 2).tolist(), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.critic_training.answers")
    parser.add_argument("worlds", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--collect", choices=("a", "b"))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--out", type=Path, required=True, help="outside the repository")
    options = parser.parse_args()
    if options.collect:
        sys.path.insert(0, str(options.worlds / options.collect))
        sys.dont_write_bytecode = True
        cache = options.out / options.collect
        cache.mkdir(parents=True, exist_ok=True)
        for seed in options.seeds:
            make = WorldA if options.collect == "a" else WorldB
            world = make(options.data, cache, seed)
            reader = Reader(world)
            rows = [row for name in world.truth["topics"] for row in collect(world, reader, name)]
            file = options.out / f"answers-{options.collect}-{seed}.json"
            file.write_text(json.dumps(rows))
            print(json.dumps({"rows": len(rows), "file": file.name}))
        return
    by_web: dict[str, list[dict[str, Any]]] = {}
    for file in sorted(options.out.glob("answers-*.json")):
        by_web.setdefault(file.name.split("-")[1], []).extend(json.loads(file.read_text()))
    fits = {web: fit(rows) for web, rows in by_web.items()}
    fits["all"] = fit([row for rows in by_web.values() for row in rows])
    table: dict[str, dict[str, Counter[str]]] = {}
    for web, rows in by_web.items():
        for row in rows:
            kind = row["database"] + (" knows" if row["knows"] else "")
            is_known = (row["familiar"] or 0) >= 0.5
            name = f"{kind} familiar" if is_known else kind
            table.setdefault(web, {}).setdefault(row["label"], Counter())[name] += 1
    print(json.dumps({"fits": fits, "table": table}, indent=1))
    print(json.dumps({"fits": fits}))


if __name__ == "__main__":
    main()
