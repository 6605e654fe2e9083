"""Asks sources a few queries to test what their harvests say: the I/O of `leadline verify`.

No record is added and no harvest continues: what a test brings was not chosen to be collected, and
counts in no estimate. An event says what came of it.
"""

import random
import time
from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec

from leadline.config import Config
from leadline.config.runs import check_store
from leadline.core.crawl import Event
from leadline.core.harvest import Harvest, Query
from leadline.core.ports import Fetcher
from leadline.core.store import HarvestRunStore
from leadline.crawler.harvests.assembly import open_store_and_web
from leadline.crawler.harvests.doors import list_keys
from leadline.crawler.harvests.source_opener import MakeOpener, make_opener
from leadline.errors import BudgetSpentError, ConfigError, FetchError
from leadline.forms.query import make_nonsense
from leadline.frontier.seen_urls import text_hashes
from leadline.harvester.interface import Interface
from leadline.harvester.session.retries import BudgetedFetcher
from leadline.harvester.session.stored_coverage import estimate_stored_coverage
from leadline.harvester.verification import (
    CONTROL,
    NONSENSE,
    SAMPLE,
    Check,
    CheckResult,
    Verification,
    VerifiedClaim,
    choose_sample_words,
    judge_answer,
    judge_results,
    order_checks,
)

MOST_REQUESTS = 50
_TEXTS = 400
"""Records of a harvest whose words are drawn from."""
_WORDS = 40
_KNOWN = 40
"""Queries that are known to be answered, from which controls are drawn."""
_decode = msgspec.msgpack.Decoder(Interface).decode


async def verify_harvests(
    config: Config,
    form: str = "",
    requests: int = MOST_REQUESTS,
    opener: MakeOpener = make_opener,
) -> list[Verification]:
    """Tests every harvest of a store that has records, or those whose signature begins with `form`.

    At most `requests` are sent for each. Raises ConfigError, StoreError.
    """
    # What opens a store for harvests makes it where there is none.
    check_store(config.store.path)
    async with open_store_and_web(config) as (store, fetcher):
        heads = [h for h in store.harvests.all() if h.subject.signature.startswith(form)]
        heads = [head for head in heads if store.harvests.tally(head.id).records]
        if not heads:
            which = f"of a form that begins with {form!r} " if form else ""
            raise ConfigError(
                f"{config.store.path} has no harvest {which}with records; run `leadline harvest`"
            )
        found = []
        for head in heads:
            done = await _verify(config, store, fetcher, head, requests, opener)
            store.note(Event(time.time(), "harvest-verified", done.form, _describe(done.claims)))
            found.append(done)
        store.flush()
        return found


async def _verify(
    config: Config,
    store: HarvestRunStore,
    fetcher: Fetcher,
    head: Harvest,
    requests: int,
    opener: MakeOpener,
) -> Verification:
    budgeted = BudgetedFetcher(fetcher, requests, lambda: 0)
    tally = store.harvests.tally(head.id)
    results: list[CheckResult] = []
    trouble = ""
    try:
        opened = await opener(config, store, budgeted)(head, str, is_dry=True)
        if isinstance(opened, str):
            trouble = opened
        else:
            held = list_keys(store, head.id)
            for check in _plan(store, head):
                if budgeted.uncounted >= requests:
                    break
                answer = await opened.source.ask(check.query)
                hashes = [int(key) for key in text_hashes([r.key for r in answer.records])]
                results.append(judge_answer(check, answer, hashes, held))
    except BudgetSpentError:
        pass
    except FetchError as error:
        trouble = f"its site does not answer: {error.reason}"
    claims, share, interval = judge_results(results, _told_shares(config, store, head))
    if trouble:
        claims = (VerifiedClaim("asked", False, trouble), *claims)
    form, site = head.subject.signature, head.subject.site
    sent = budgeted.uncounted
    return Verification(form, site, tally.records, sent, claims, share, interval)


def _plan(store: HarvestRunStore, head: Harvest) -> Iterator[Check]:
    """What to ask one source, in order."""
    harvests, subject = store.harvests, head.subject
    draw = random.Random(f"verify {subject.signature}")
    asked: set[str] = set()
    known: list[Check] = []
    pages = harvests.pages(head.id)
    following = next(pages, None)
    for one in harvests.queries(head.id):
        asked.update(word for _, value in one.query.values for word in value.split())
        keys: set[int] = set()
        titles: set[str] = set()
        while following is not None and following[0].query == one.number:
            page, records = following
            if page.number == 1:
                keys.update(int(key) for key in text_hashes([r.key for r in records]))
                titles.update(record.title for record in records)
            following = next(pages, None)
        if keys and one.query.text:
            known.append(Check(CONTROL, one.query, frozenset(keys), frozenset(titles)))
    controls = draw.sample(known[-_KNOWN:], min(len(known), _KNOWN))
    interface = _decode(subject.interface) if subject.interface else None
    make = interface.make_text_query if interface is not None and interface.boxes else None
    if make is None and controls:
        # The box of a query that was answered.
        name = controls[0].query.values[-1][0]
        make = lambda text: Query(((name, text),))  # noqa: E731
    if make is None:
        return
    others = [other for other in harvests.all() if other.id != head.id]
    texts = [text for other in others for text in _texts(store, other)]
    texts = texts or _texts(store, head)
    words = choose_sample_words(texts, asked, draw, _WORDS)
    strange = [make_nonsense(f"verify {subject.signature}", turn) for turn in range(2)]
    yield from order_checks(
        controls,
        [Check(SAMPLE, make(word)) for word in words],
        [Check(NONSENSE, make(word)) for word in strange],
    )


def _texts(store: HarvestRunStore, head: Harvest) -> list[str]:
    records = islice(store.harvests.records(head.id), _TEXTS)
    return [
        " ".join([kept.record.title, *(cell.text for cell in kept.record.cells)])
        for kept in records
    ]


def _told_shares(
    config: Config, store: HarvestRunStore, head: Harvest
) -> tuple[float, float] | None:
    """The share that the harvest holds by its own estimate: the least and the largest one."""
    coverage = estimate_stored_coverage(store.harvests, head, config.harvest.stopping)
    if coverage is None or coverage.high is None:
        return None
    records = store.harvests.tally(head.id).records
    return records / max(records, coverage.high), records / max(records, coverage.low)


def _describe(claims: Sequence[VerifiedClaim]) -> str:
    verdicts = {True: "holds", False: "does not hold", None: "cannot be told"}
    return "; ".join(f"{one.name} {verdicts[one.has_held]}: {one.why}" for one in claims)
