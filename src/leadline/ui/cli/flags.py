"""Options that stand for settings.

Made by `python -m tools.reference.flags` from the settings' models: edit those.
"""

# fmt: off
# ruff: noqa: E501

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Parameter


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CrawlFlags:
    """The settings that `leadline crawl` has options for."""

    strategy: Annotated[str | None, Parameter(name=("--strategy",), help="Which links to follow: a name from `leadline strategies`.")] = None
    goal: Annotated[Literal["forms", "sites", "pages"] | None, Parameter(name=("--goal",), help="What counts and is learned from: distinct forms, sites that have one, or topic pages.")] = None
    learn_from: Annotated[str | None, Parameter(name=("--learn-from",), help="The store of an earlier crawl, on any web, whose visits teach the strategy before it begins; empty: it begins with nothing.")] = None
    pages: Annotated[int | None, Parameter(name=("--pages",), help="Stop after so many visits, over all runs on the store; 0: no limit. Pages that robots.txt forbids are not counted.")] = None
    seconds: Annotated[float | None, Parameter(name=("--seconds",), help="Stop after so many seconds of this run; 0: no limit.")] = None
    delay: Annotated[float | None, Parameter(name=("--delay",), help="Least pause between two requests to one site, in seconds.")] = None
    concurrency: Annotated[int | None, Parameter(name=("--concurrency", "--width",), help="Sites fetched from at the same time, at most. More wait less for slow sites; fewer spend requests on better ones, because each site takes one request at a time.")] = None
    parse_processes: Annotated[int | None, Parameter(name=("--parse-processes", "--workers",), help="Processes that parse pages; 1: parse in the crawl's own.")] = None
    store: Annotated[str | None, Parameter(name=("--store",), help="Where the whole crawl is stored: an SQLite file, the postgresql:// URL of a database, or :memory: for nowhere.")] = None
    archive: Annotated[str | None, Parameter(name=("--archive",), help="Folder for WARC files with every page fetched; empty: none are written.")] = None
    harvest: Annotated[bool | None, Parameter(name=("--harvest",), negative=(), help="Also extract the records behind the forms that a crawl finds, from the same budget.")] = None

    def given_settings(self) -> dict[str, object]:
        """The settings that were given, by dotted name."""
        given: dict[str, object] = {
            "strategy.name": self.strategy,
            "strategy.goal": self.goal,
            "strategy.learn_from": self.learn_from,
            "budget.pages": self.pages,
            "budget.seconds": self.seconds,
            "politeness.delay_s": self.delay,
            "crawl.concurrency": self.concurrency,
            "crawl.parse_processes": self.parse_processes,
            "store.path": self.store,
            "archive.folder": self.archive,
            "harvest.during_crawl": self.harvest,
        }
        return {name: value for name, value in given.items() if value is not None}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class HarvestFlags:
    """The settings that `leadline harvest` has options for."""

    topic: Annotated[str | None, Parameter(name=("--topic",), help="A shipped topic, a folder with one of your own, or a name for `words`.")] = None
    delay: Annotated[float | None, Parameter(name=("--delay",), help="Least pause between two requests to one site, in seconds.")] = None
    archive: Annotated[str | None, Parameter(name=("--archive",), help="Folder for WARC files with every page fetched; empty: none are written.")] = None
    policy: Annotated[str | None, Parameter(name=("--policy",), help="How the next query is chosen: a name from `leadline policies`.")] = None
    seed: Annotated[int | None, Parameter(name=("--seed",), help="Seed of the policy's random choices.")] = None
    max_requests: Annotated[int | None, Parameter(name=("--max-requests", "--budget-requests",), help="Stop after so many requests of one form, over all runs; 0: no limit.")] = None
    max_queries: Annotated[int | None, Parameter(name=("--max-queries", "--budget-queries",), help="Stop after so many queries of one form, over all runs; 0: no limit.")] = None
    details: Annotated[bool | None, Parameter(name=("--details",), negative=(), help="Also fetch the records' own pages, each once.")] = None
    max_total_requests: Annotated[int | None, Parameter(name=("--max-total-requests",), help="Stop after so many requests of all forms together, over all runs; 0: no limit.")] = None

    def given_settings(self) -> dict[str, object]:
        """The settings that were given, by dotted name."""
        given: dict[str, object] = {
            "topic.name": self.topic,
            "politeness.delay_s": self.delay,
            "archive.folder": self.archive,
            "harvest.policy": self.policy,
            "harvest.random_seed": self.seed,
            "harvest.max_requests": self.max_requests,
            "harvest.max_queries": self.max_queries,
            "harvest.details": self.details,
            "harvest.max_total_requests": self.max_total_requests,
        }
        return {name: value for name, value in given.items() if value is not None}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class OrderFlags:
    """The settings that `leadline order` has options for."""

    pages: Annotated[int | None, Parameter(name=("--pages",), help="Stop after so many visits, over all runs on the store; 0: no limit. Pages that robots.txt forbids are not counted.")] = None
    seconds: Annotated[float | None, Parameter(name=("--seconds",), help="Stop after so many seconds of this run; 0: no limit.")] = None
    bytes: Annotated[int | None, Parameter(name=("--bytes",), help="Stop after so many bytes received in this run; 0: no limit.")] = None
    forms: Annotated[int | None, Parameter(name=("--forms",), help="Stop after so many distinct relevant forms; 0: no limit.")] = None

    def given_settings(self) -> dict[str, object]:
        """The settings that were given, by dotted name."""
        given: dict[str, object] = {
            "budget.pages": self.pages,
            "budget.seconds": self.seconds,
            "budget.bytes": self.bytes,
            "budget.forms": self.forms,
        }
        return {name: value for name, value in given.items() if value is not None}
