"""The coverage of a stored harvest: that which the harvest itself printed last."""

import msgspec

from leadline.core.harvest import Harvest
from leadline.core.store import HarvestReader
from leadline.harvester.coverage import Coverage, CoverageMonitor
from leadline.harvester.coverage.monitor import StoppingSettings
from leadline.harvester.interface import Interface
from leadline.harvester.session.answer_pages import AnswerPages

_decode = msgspec.msgpack.Decoder(Interface).decode


def interface_of(harvest: Harvest) -> Interface:
    """What its survey found that can be asked."""
    return _decode(harvest.subject.interface) if harvest.subject.interface else Interface()


def estimate_stored_coverage(
    harvests: HarvestReader, harvest: Harvest, settings: StoppingSettings | None = None
) -> Coverage | None:
    """None before anything came. An answer that the end of a run cut short counts as far as it was
    read, as in the run itself."""
    monitor = CoverageMonitor(interface_of(harvest), settings)
    pages = iter(harvests.pages(harvest.id))
    following = next(pages, None)
    for asked in harvests.queries(harvest.id):
        answer = AnswerPages(asked)
        while following is not None and following[0].query == asked.number:
            answer.add(following[0])
            following = next(pages, None)
        if asked.outcome is not None:
            monitor.learn_query(asked, asked.outcome, answer.keys)
        elif answer.count and harvest.reason:
            monitor = monitor.with_part(answer.outcome(), answer.keys)
    records = harvests.tally(harvest.id).records
    return monitor.coverage(records) if records else None
