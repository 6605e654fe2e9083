"""The receipt of a harvest: what is believed, what was told and collected, what is covered."""

from leadline.core.harvest import Query
from leadline.harvester import beliefs
from leadline.harvester.beliefs import Evidence, doubt_event
from leadline.store.memory import MemoryStore
from leadline.views.receipt import make_receipt, receipt_facts
from tests.harvester.session.sources import Shelf
from tests.harvester.session.test_doubt import session_of


async def test_a_receipt_has_the_coverage_that_the_harvest_printed_and_its_beliefs() -> None:
    store = MemoryStore()
    session = session_of(Shelf(cap=30), store)
    await session.run()
    signature = session.harvest.subject.signature
    store.note(doubt_event(1.0, signature, Evidence(beliefs.BLOCKED, 0, 1, "one odd page")))
    (head,) = store.harvests.all()
    receipt = make_receipt(store, head)
    assert receipt.coverage == session.progress.coverage
    assert receipt.records == session.progress.tally.records
    held = {belief.name: belief for belief in receipt.beliefs}
    assert "30" in held[beliefs.CAP].value
    assert held[beliefs.CAP].is_held
    assert held[beliefs.BLOCKED].against == 1
    assert receipt.cut_queries > 3
    facts = receipt_facts(receipt)
    assert any("30 records" in str(one) for one in facts["beliefs"])  # type: ignore[attr-defined]


async def test_a_slice_says_what_was_told_and_collected() -> None:
    store = MemoryStore()
    session = session_of(Shelf(), store)
    await session.run()
    (head,) = store.harvests.all()
    receipt = make_receipt(store, head)
    asked = [one.query for one in store.harvests.queries(head.id)]
    assert Query.of(q="alder") in asked
    first = next(one for one in receipt.slices if one.asked == "q=alder")
    assert (first.told, first.collected, first.is_cut) == (100, 100, False)
