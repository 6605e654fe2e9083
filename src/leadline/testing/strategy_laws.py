"""Laws every strategy obeys. tests/laws puts them to ours, `check_strategy` to any other."""

import json
import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import msgspec
import numpy as np
from msgspec import structs

from leadline.core.crawl import (
    BacklinkQuery,
    Candidate,
    CandidateId,
    ExtraUrl,
    Judgement,
    PageView,
    Priority,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.knowledge import Knowledge
from leadline.core.page import Link, Page
from leadline.core.ports import Strategy
from leadline.core.url import Site, Url, site_of
from leadline.learn.link_features import link_rows
from leadline.page.words import PageWords
from leadline.testing.laws import must

WORDS = tuple("search books cheap hotel flights home about jobs".split())
HOSTS = ("a.test", "b.test")
_MOST_LEAVES = 12
MakeStrategy = Callable[[], Strategy]
TIERS = 65536


def make_view(
    leaves: Sequence[str], hosts: Sequence[str], relevance: float, number: int = 1, **counts: int
) -> PageView:
    """Of a page with these texts, the first of which are links to these hosts. `counts` are
    `depth`, `pages` and `forms` of the site, `new_forms` and `gain`."""
    links = tuple(
        Link(Url(f"http://{host}/{leaf}/{n}"), leaf, n, n, "body/p", n)
        for n, (host, leaf) in enumerate(zip(hosts, leaves, strict=False))
    )
    url, site = Url("http://a.test/"), Site("a.test")
    return PageView(
        id=CandidateId(number),
        candidate=Candidate(url, site, Priority(0, 1.0), counts.get("depth", 0), CandidateId(1)),
        page=Page(url, "t", tuple(leaves), links, ()),
        judgement=Judgement(relevance),
        site=SiteState(site, pages=counts.get("pages", 1), forms=counts.get("forms", 0)),
        links=links,
        sites=tuple(site_of(link.target) for link in links),
        repeats=(False,) * len(links),
        new_forms=counts.get("new_forms", 0),
        gain=counts.get("gain", 0),
    )


def draw_view(chance: Random) -> PageView:
    """One of very many."""
    leaves = chance.choices(WORDS, k=chance.randint(1, _MOST_LEAVES))
    return make_view(
        leaves,
        chance.choices(HOSTS, k=chance.randint(0, len(leaves))),
        chance.choice((0.0, 1.0, chance.random())),
        chance.randint(1, 10**9),
        depth=chance.randint(0, 6),
        pages=chance.randint(1, 200),
        forms=chance.randint(0, 9),
        new_forms=chance.randint(0, 2),
        gain=chance.randint(0, 2),
    )


def add_features(strategy: Strategy, view: PageView) -> PageView:
    """The view with the features that the strategy asks for."""
    if strategy.features is None:
        return view
    rows = link_rows(strategy.features, PageWords(view.page), view.links)
    seen = structs.replace(view, features=rows)
    if not strategy.features.own:
        return seen
    own = strategy.own_features(seen)
    wanted = (len(view.links), strategy.features.own)
    must(own.shape == wanted, f"own_features has the shape {wanted}", f"it is {own.shape}")
    return structs.replace(seen, features=np.hstack([rows, own]))


def make_visit(view: PageView) -> Visit:
    """The visit that brought it."""
    return Visit(view.id, view.page.url, view.site.site, "page", 0.0, reward=float(view.gain))


def check_strategy(make: MakeStrategy, rounds: int = 100, seed: int = 0) -> None:
    """Put all laws to the strategies that `make` makes, each time a fresh one, on made-up pages.

    Raises LawBrokenError.
    """
    chance = Random(seed)
    leaves_a_site_only_with_a_reason(make)
    for _ in range(rounds):
        view = draw_view(chance)
        lessons = [draw_view(chance) for _ in range(chance.randint(1, 5))]
        found = [Url(f"http://c.test/{number}") for number in range(chance.randint(0, 3))]
        gives_one_verdict_per_link(make, view)
        learns_nothing_from_ranking(make, view)
        names_a_queue_for_all_that_waits(make, view)
        gives_one_verdict_per_page_that_links_there(make, view, found)
        carries_on_what_it_learned(make, lessons, view)
        ranks_again_within_bounds(make, lessons)
        tells_what_it_learned_in_one_shape(make, lessons)
        begins_anew_with_what_it_learned(make, lessons, view)


def gives_one_verdict_per_link(make: MakeStrategy, view: PageView) -> None:
    strategy = make()
    verdicts = strategy.rank(add_features(strategy, view))
    law = f"rank gives one verdict for each of the {len(view.links)} links"
    must(len(verdicts) == len(view.links), law, f"it gave {len(verdicts)}")
    for verdict in verdicts:
        must(bool(verdict.why), "each verdict says why", verdict)
        if isinstance(verdict, Priority):
            must(0 <= verdict.tier < TIERS, f"tiers are from 0 to {TIERS - 1}", verdict)
            must(bool(np.isfinite(verdict.score)), "scores are finite", verdict)


def learns_nothing_from_ranking(make: MakeStrategy, view: PageView) -> None:
    strategy = make()
    before = strategy.state()
    seen = add_features(strategy, view)
    first, extra_candidate = list(strategy.rank(seen)), list(strategy.extra_urls(seen))
    again = list(strategy.rank(add_features(strategy, view)))
    must(again == first, "rank says the same when asked again", f"{first} became {again}")
    must(
        list(strategy.extra_urls(seen)) == extra_candidate,
        "extra_urls says the same when asked again",
    )
    strategy.rank_site(view.site, seen)
    strategy.rank_site(view.site)
    strategy.admit(view.candidate, view.site)
    strategy.explain_rank(view.candidate)
    must(
        strategy.state() == before,
        "only learn, note_backlink_query and rank_backlinks change the state",
    )


def names_a_queue_for_all_that_waits(make: MakeStrategy, view: PageView) -> None:
    strategy = make()
    seen = add_features(strategy, view)
    wanted = [v.tier for v in strategy.rank(seen) if isinstance(v, Priority)]
    extra_urls = [w.priority.tier for w in strategy.extra_urls(seen) if isinstance(w, ExtraUrl)]
    strategy.learn(seen, make_visit(view))
    before, tiers = strategy.state(), Counter(wanted + extra_urls)
    queues = strategy.name_queues(tiers)
    must(bool(queues) and all(queues), "every queue has a name", queues)
    must(min(queues.values()) >= 0, "no queue has less than nothing", queues)
    law = "what waits is in one queue each"
    must(sum(queues.values()) == sum(tiers.values()), law, f"{dict(tiers)} became {queues}")
    must(strategy.state() == before, "naming queues does not change the state")


def gives_one_verdict_per_page_that_links_there(
    make: MakeStrategy, view: PageView, found: Sequence[Url]
) -> None:
    strategy = make()
    strategy.learn(add_features(strategy, view), make_visit(view))
    strategy.note_backlink_query(BacklinkQuery(view.page.url))
    verdicts = strategy.rank_backlinks(BacklinkQuery(view.page.url), found)
    law = f"rank_backlinks gives one verdict for each of the {len(found)} pages"
    must(len(verdicts) == len(found), law, f"it gave {len(verdicts)}")
    must(all(verdict.why for verdict in verdicts), "each verdict says why", verdicts)


def carries_on_what_it_learned(
    make: MakeStrategy, lessons: Sequence[PageView], view: PageView
) -> None:
    strategy = make()
    for lesson in lessons:
        strategy.learn(add_features(strategy, lesson), make_visit(lesson))
    heir = make()
    heir.restore(strategy.state())
    clone = pickle.loads(pickle.dumps(strategy))  # noqa: S301 (our own bytes)
    expected = _answers(strategy, view)
    for how, other in (("restored from its state", heir), ("pickled", clone)):
        said = _answers(other, view)
        must(said == expected, f"{how} it answers as before", f"{expected} became {said}")


def _answers(strategy: Strategy, view: PageView) -> list[object]:
    seen = add_features(strategy, view)
    return [
        list(strategy.rank(seen)),
        list(strategy.extra_urls(seen)),
        strategy.rank_site(view.site, seen),
        strategy.admit(view.candidate, view.site),
        strategy.explain_rank(view.candidate),
    ]


def ranks_again_within_bounds(make: MakeStrategy, lessons: Sequence[PageView]) -> None:
    strategy = make()
    if strategy.features is None:
        return
    rows = []
    for lesson in lessons:
        seen = add_features(strategy, lesson)
        strategy.learn(seen, make_visit(lesson))
        rows.append(seen.features)
    features = np.concatenate(rows)
    tiers, scores = np.zeros(len(features), np.int32), np.zeros(len(features), np.float32)
    strategy.rescore(tiers, scores, features)
    must(bool(((tiers >= 0) & (tiers < TIERS)).all()), f"tiers are from 0 to {TIERS - 1}", tiers)
    must(bool(np.isfinite(scores).all()), "scores are finite", scores)


def tells_what_it_learned_in_one_shape(make: MakeStrategy, lessons: Sequence[PageView]) -> None:
    strategy = make()
    for lesson in lessons:
        strategy.learn(add_features(strategy, lesson), make_visit(lesson))
    said = strategy.describe_knowledge()
    must(json.loads(json.dumps(said)) == said, "what it learned is JSON", said)
    learned = msgspec.convert(said, Knowledge)
    tells = bool(learned.notes or (learned.iterations and learned.weights))
    must(tells, "learned has iterations and weights, or notes that say why there are none", said)
    numbers = [each.number for each in learned.iterations]
    must(numbers == [*range(1, len(numbers) + 1)], "iterations are numbered from 1", numbers)
    for model, weights in learned.weights.items():
        sizes = [abs(weight) for _, weight in weights]
        must(
            sizes == sorted(sizes, reverse=True), f"weights of {model} come strongest first", sizes
        )
    heir = make()
    heir.restore(strategy.state())
    must(
        heir.describe_knowledge() == said,
        "restored from its state it tells the same of its learning",
    )


def begins_anew_with_what_it_learned(
    make: MakeStrategy, lessons: Sequence[PageView], view: PageView
) -> None:
    strategy = make()
    strategy.start_lessons()
    for lesson in lessons:
        strategy.learn(add_features(strategy, lesson), make_visit(lesson))
    strategy.start_anew()
    verdicts = strategy.rank(add_features(strategy, view))
    must(len(verdicts) == len(view.links), "a strategy that was taught ranks every link", verdicts)
    heir = make()
    heir.restore(strategy.state())
    said = _answers(heir, view)
    must(said == _answers(strategy, view), "what it was taught is part of its state", said)


def leaves_a_site_only_with_a_reason(make: MakeStrategy) -> None:
    verdict = make().rank_site(SiteState(Site("a.test"), pages=10**6, forms=10**6))
    must(not isinstance(verdict, Skip) or bool(verdict.why), "a site is left with a reason")
