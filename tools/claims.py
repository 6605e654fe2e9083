"""How well the critic tells the doors of a topic from other doors on webs that other people built.

    python -m tools.claims WORLDS DATA --world a --seeds 3 4 --given all words pages --out FOLDER

No crawl: the pages come out of the worlds' own code, without HTTP. A topic is taught from what a
user has (seeds and words, words alone, or seeds alone). Then come all doors of the topic that links
lead to, and as many others: half from the topic's own sites if the truth knows such, half from
anywhere; site searches, other databases, forms that search nothing. Each is judged as a crawl
judges it: by its page, the home page and a few pages that this links to. A door is claimed if the
critic holds a form to its address for relevant. Nothing is asked. Seed 1 is for building, others
are for reporting. The last line is JSON. One world a run: their modules have the same names.
"""

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from msgspec import structs

from leadline.core.crawl import JudgedForm, Judgement, SiteEvidence
from leadline.core.page import Form, Page
from leadline.core.url import canonical, is_home_page, origin_of, site_of
from leadline.crawler.example_pages import find_owner
from leadline.crawler.search_descriptions import is_worth_asking
from leadline.forms.evidence import add_page, revise_judgement
from leadline.page import parse_page
from leadline.page.doors import select_new_doors
from leadline.page.opensearch import read_description
from leadline.page.words import PageWords
from leadline.topics.background import shipped_background
from leadline.topics.critic import TopicCritic
from leadline.topics.judges import open_judge
from leadline.topics.teaching import PageExample, TopicExamples, make_pack

RELEVANT, OFF_TOPIC, SITE_SEARCH, UNSAFE = "relevant", "off-topic", "site-search", "unsafe"
GIVEN = ("all", "words", "pages")
_SITE_PAGES = 4
"""Read of each site beside the door's page: the home page and what it links to first, as a crawl
has them when it stays on a site for a while."""
_SEED = 7


class WorldDoor(NamedTuple):
    """A door of the truth, and a page that shows it."""

    id: str
    page: str
    label: str
    kind: str
    wording: str
    language: str
    is_near: bool
    """On a site of the topic."""


class WorldA:
    """Truth and pages of world `a`."""

    def __init__(self, data: Path, cache: Path, seed: int) -> None:
        import build  # type: ignore[import-not-found]
        import grade  # type: ignore[import-not-found]

        self._grade = grade
        self.world, self._render = build.make(str(data), str(cache), seed, 600)
        kept = cache / f"truth-{seed}.json"
        if not kept.exists():
            truth = build.truth(self.world, build.graph(self.world, self._render))
            kept.write_text(json.dumps(truth))
        self.truth = json.loads(kept.read_text())
        by_host: dict[str, list[Any]] = {}
        for key, door in self.truth["doors"].items():
            by_host.setdefault(door["site"], []).append((key, door))
        self.truth["by_host"] = by_host

    def fetch(self, url: str) -> tuple[int, str, bytes, str]:
        """Status, kind, body and address after redirects."""
        for _ in range(4):
            parts = urlsplit(url)
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            answer = self._render.respond("GET", parts.hostname, target)
            if answer.status not in (301, 302):
                return answer.status, answer.ctype, answer.body.encode(), url
            url = canonical(answer.headers["Location"], url) or url
        return 404, "", b"", url

    def doors(self, topic: str) -> Iterator[WorldDoor]:
        known = self.truth["topics"][topic]
        for key in known["reachable"]:
            door = self.truth["doors"][key]
            if not door["script_only"]:
                yield self._door(key, door, known["first_page"][key], RELEVANT, topic)
        for key, door in self.truth["doors"].items():
            if door["subject"] != topic and not door["script_only"]:
                label = {"articles": SITE_SEARCH, "unsafe": UNSAFE}.get(door["subject"], OFF_TOPIC)
                page = door["page"] or f"http://{door['site']}/"
                page = page if page.startswith("http") else f"http://{door['site']}{page}"
                yield self._door(key, door, page, label, topic)

    def _door(self, key: str, door: dict[str, Any], page: str, label: str, topic: str) -> WorldDoor:
        near = self.truth["hosts"][door["site"]]["topic"] == topic
        rest = (door["kind"], door["wording"], door["lang"])
        return WorldDoor(key, page, label, *rest, near)

    def match(self, form: JudgedForm) -> str | None:
        action = form.form.action or form.form.page
        names = [field.name for field in form.form.fields if field.name]
        found: str | None = self._grade.match(
            self.truth, {"url": form.form.page, "action": action, "names": names}
        )
        return found


class WorldB:
    """Truth and pages of world `b`."""

    def __init__(self, data: Path, _cache: Path, seed: int) -> None:
        import grade
        import render  # type: ignore[import-not-found]
        import world  # type: ignore[import-not-found]

        self._bare = grade.bare
        self.world = world.World(str(data), seed, 800)
        self._render = render.Render(self.world, timing=False)
        self.truth = json.loads(json.dumps(self.world.truth()))
        doors = self.truth["doors"].items()
        self._by_action = {grade.bare(door["action"]): key for key, door in doors}
        self._by_page = {grade.bare(door["page"]): key for key, door in doors}

    def fetch(self, url: str) -> tuple[int, str, bytes, str]:
        for _ in range(4):
            status, headers, body, _ = self._render.respond("GET", url, b"", 0.0)
            told = dict(headers)
            if status not in (301, 302):
                return status, told.get("Content-Type", ""), body, url
            url = canonical(told["Location"], url) or url
        return 404, "", b"", url

    def doors(self, topic: str) -> Iterator[WorldDoor]:
        known = self.truth["topics"][topic]
        wanted, reachable = set(known["relevant"]), set(known["reachable"])
        met: set[str] = set()
        for key in (*known["reachable"], *self.truth["doors"]):
            door = self.truth["doors"][key]
            if key in met or (key in wanted and key not in reachable):
                continue
            met.add(key)
            label = door["kind"] if door["kind"] != "database" else OFF_TOPIC
            label = RELEVANT if door.get("topic") == topic and door["kind"] == "database" else label
            site = self.world.sites.get(door["host"])
            near = getattr(site, "topic", None) == topic
            language = getattr(site, "lang", "")
            yield WorldDoor(key, door["page"], label, door["form"], "", language, near)

    def match(self, form: JudgedForm) -> str | None:
        action = self._bare(form.form.action or form.form.page)
        found: str | None = self._by_action.get(action) or self._by_page.get(
            self._bare(form.form.page)
        )
        return found


AnyWorld = WorldA | WorldB


class Reader:
    """Pages of a world, each parsed once."""

    def __init__(self, world: AnyWorld) -> None:
        self._world = world
        self._read: dict[str, tuple[Page, PageWords] | None] = {}

    def read(self, url: str) -> tuple[Page, PageWords] | None:
        if url not in self._read:
            status, kind, body, at = self._world.fetch(url)
            place = canonical(at)
            if status != 200 or place is None or "html" not in kind:
                self._read[url] = None
            else:
                page = parse_page(body, place, kind)
                self._read[url] = (page, PageWords(page))
        return self._read[url]

    def read_site(self, page: Page) -> list[tuple[Page, PageWords]]:
        """Some pages of the site of a page: its home page, and what this links to first."""
        site = site_of(page.url)
        # The origin with its scheme, whatever form a site is written in.
        home = self.read(f"{origin_of(page.url)}/")
        if home is None:
            return []
        found = [home]
        for link in home[0].links:
            if len(found) >= _SITE_PAGES:
                break
            own = site_of(link.target) == site and not is_home_page(link.target)
            if own and link.target != page.url and (one := self.read(link.target)):
                found.append(one)
        return found

    def describe(self, page: Page) -> tuple[Page, PageWords] | None:
        """The page with what its OpenSearch descriptions add."""
        doors: list[Form] = []
        for url in page.search_descriptions:
            status, kind, body, _ = self._world.fetch(url)
            if status == 200:
                doors += read_description(body, url, page.url, kind)
        fresh = select_new_doors(page.forms, doors)
        if not fresh:
            return None
        page = structs.replace(page, forms=(*page.forms, *fresh))
        return page, PageWords(page)


def teach(world: AnyWorld, reader: Reader, topic: str, given: str) -> TopicCritic:
    """As `leadline topic new` does."""
    known = world.truth["topics"][topic]
    words = tuple(known["words"]) if given != "pages" else ()
    samples = []
    for url in known["seeds"] if given != "words" else ():
        read = reader.read(url)
        if read is not None:
            samples.append(PageExample(read[0], find_owner(read[0].url)))
    examples = TopicExamples(samples, [], words)
    return TopicCritic(open_judge(make_pack(f"my-{topic}", examples, (), shipped_background())))


class Claimed(NamedTuple):
    door: WorldDoor
    best: JudgedForm | None
    """The most relevant form to its address."""
    claims: list[tuple[str, JudgedForm]]
    """All relevant forms of its page, with the doors they are."""
    page_chance: float


def judge_door(world: AnyWorld, reader: Reader, critic: TopicCritic, door: WorldDoor) -> Claimed:
    """As a crawl does that has read some pages of the site."""
    read = reader.read(door.page)
    if read is None:
        return Claimed(door, None, [], 0.0)
    page, words = read
    judgement = critic.judge(page, words)
    if page.search_descriptions and is_worth_asking(judgement):
        richer = reader.describe(page)
        if richer is not None:
            page, words = richer
            judgement = critic.judge(page, words)
    site = SiteEvidence()
    for other in reader.read_site(page):
        if other[0].url != page.url:
            site = add_page(site, critic.judge(*other))
    site = add_page(site, judgement)
    revised = revise_judgement(judgement, site)
    return _find_claims(world, door, revised)


def _find_claims(world: AnyWorld, door: WorldDoor, judgement: Judgement) -> Claimed:
    best: JudgedForm | None = None
    claims = []
    for form in judgement.forms:
        meant = world.match(form)
        if meant == door.id and (best is None or form.relevant > best.relevant):
            best = form
        if form.relevant >= 0.5:
            claims.append((meant or f"none:{form.form.action}", form))
    return Claimed(door, best, claims, judgement.relevance)


def choose_doors(world: AnyWorld, topic: str, rng: random.Random) -> list[WorldDoor]:
    """All of the topic, and as many others, half of them from its own sites, in any order."""
    doors = list(world.doors(topic))
    own = [door for door in doors if door.label == RELEVANT]
    near = [door for door in doors if door.label != RELEVANT and door.is_near]
    far = [door for door in doors if door.label != RELEVANT and not door.is_near]
    chosen = rng.sample(near, min(len(near), (len(own) + 1) // 2))
    chosen += rng.sample(far, min(len(far), len(own) - len(chosen)))
    rng.shuffle(mixed := own + chosen)
    return mixed


def measure(
    world: AnyWorld, reader: Reader, topic: str, given: str, *, show: bool
) -> dict[str, Any]:
    critic = teach(world, reader, topic, given)
    doors = choose_doors(world, topic, random.Random(_SEED))
    known = set(world.truth["topics"][topic]["relevant"])
    found = [judge_door(world, reader, critic, door) for door in doors]
    claims = {meant for one in found for meant, _ in one.claims}
    right = claims & known
    own = [one for one in found if one.door.label == RELEVANT]
    hits = [one for one in own if one.door.id in claims]
    wrong = Counter(label_claim(world, meant) for meant in claims - right)
    kinds: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one in own:
        for name in (one.door.kind, f"{one.door.kind} {one.door.wording}", one.door.language):
            kinds[name][0] += one.door.id in claims
            kinds[name][1] += 1
    if show:
        _show(found, claims, known)
    return {
        "topic": topic,
        "given": given,
        "doors": len(own),
        "recall": round(len(hits) / max(1, len(own)), 3),
        "claims": len(claims),
        "precision": round(len(right) / max(1, len(claims)), 3),
        "searchable": sum(bool(one.best and one.best.searchable >= 0.5) for one in own),
        "pages": round(sum(one.page_chance >= 0.5 for one in own) / max(1, len(own)), 3),
        "wrong": dict(wrong),
        "kinds": {name: f"{a}/{b}" for name, (a, b) in sorted(kinds.items())},
    }


def label_claim(world: AnyWorld, meant: str) -> str:
    door = world.truth["doors"].get(meant)
    if door is None:
        return "no door"
    if isinstance(world, WorldA):
        return {"articles": SITE_SEARCH, "unsafe": UNSAFE}.get(door["subject"], OFF_TOPIC)
    kind: str = door["kind"]
    return OFF_TOPIC if kind == "database" else kind


def _show(found: Sequence[Claimed], claims: set[str], known: set[str]) -> None:
    """For building: what was missed and what was wrongly claimed, with the sums."""
    for one in found:
        missed = one.door.label == RELEVANT and one.door.id not in claims
        wrong = [form for meant, form in one.claims if meant not in known]
        if missed:
            _show_form("MISSED", one, one.best)
        for form in wrong:
            _show_form("WRONG", one, form)


def _show_form(what: str, one: Claimed, form: JudgedForm | None) -> None:
    door = one.door
    print(f"{what} {door.id} {door.label} {door.kind}/{door.wording}/{door.language} {door.page}")
    if form is None:
        print("   no form to its address was read")
        return
    parts = ", ".join(f"{name} {weight:+.2f}" for name, weight in form.parts)
    known = form.evidence.known if form.evidence else None
    print(
        f"   page {one.page_chance:.2f} searchable {form.searchable:.2f} relevant "
        f"{form.relevant:.2f} known {known}: {parts}\n   {form.why} | {form.form.text[:100]!r}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.claims", description=__doc__)
    parser.add_argument("worlds", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--world", choices=("a", "b"), required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--topics", nargs="+", help="by default all of the world")
    parser.add_argument("--given", nargs="+", choices=GIVEN, default=["all"])
    parser.add_argument("--out", type=Path, required=True, help="outside the repository")
    parser.add_argument("--show", action="store_true", help="what is missed and wrong, and why")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(options.worlds / options.world))
    sys.dont_write_bytecode = True
    rows = []
    for seed in options.seeds:
        make = WorldA if options.world == "a" else WorldB
        world = make(options.data, options.out, seed)
        reader = Reader(world)
        for topic in options.topics or world.truth["topics"]:
            for given in options.given:
                row = {"world": options.world, "seed": seed}
                row |= measure(world, reader, topic, given, show=options.show)
                rows.append(row)
                print(json.dumps(row), flush=True)
    print(json.dumps({"runs": len(rows), "sums": sum_up(rows)}))


def sum_up(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """By what was given: shares over all doors and claims, and the worst topic."""
    sums = {}
    for given in dict.fromkeys(row["given"] for row in rows):
        mine = [row for row in rows if row["given"] == given]
        doors, claims = (sum(row[name] for row in mine) for name in ("doors", "claims"))
        hits = sum(row["recall"] * row["doors"] for row in mine)
        right = sum(row["precision"] * row["claims"] for row in mine)
        sums[given] = {
            "recall": round(hits / max(1, doors), 3),
            "precision": round(right / max(1, claims), 3),
            "worst_recall": min(row["recall"] for row in mine),
            "worst_precision": min(row["precision"] for row in mine),
        }
    return sums


if __name__ == "__main__":
    main()
