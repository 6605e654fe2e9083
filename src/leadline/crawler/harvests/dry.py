"""A harvest that sends nothing: what its first queries would be."""

from msgspec import Struct

from leadline.config import Config
from leadline.core.harvest import NOTHING, Outcome
from leadline.core.kept import Harvest, HarvestId
from leadline.crawler.harvests.opening import opener_of
from leadline.crawler.harvests.wanted import find_subjects
from leadline.crawler.harvests.wire import OpenerOf, outside
from leadline.harvester.session.several import Opened

FIRST = 5
"""Queries that are told. Later ones depend on answers."""


class Sending(Struct, frozen=True):
    """A query, and exactly what would be sent for it."""

    form: str
    query: str
    fresh: float
    why: str
    request: str


async def first_sendings(
    config: Config, wanted: str, opener: OpenerOf = opener_of
) -> list[Sending]:
    """Of each form meant, the first queries, as if every one found nothing. Fetches the pages of
    forms, submits nothing."""
    told: list[Sending] = []
    async with outside(config) as (store, fetcher):
        open_form = opener(config, store, fetcher)
        for subject in await find_subjects(wanted, store, fetcher, config):
            harvest = Harvest(HarvestId(0), subject, 0.0)
            opened = await open_form(harvest, str, is_dry=True)
            if isinstance(opened, str):
                told.append(Sending(subject.signature, "", 0.0, opened, "nothing"))
            else:
                told += _first(opened)
    return told


def _first(opened: Opened) -> list[Sending]:
    told: list[Sending] = []
    while len(told) < FIRST and (choice := opened.policy.choose()) is not None:
        opened.policy.learn(Outcome(choice.query, NOTHING))
        request = opened.sends(choice.query)
        name = opened.harvest.subject.signature
        told.append(Sending(name, choice.query.text, choice.fresh, choice.why, request))
    return told
