"""All settings: one frozen model, read from TOML, flags and arguments, unknown names refused."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_serializer,
    field_validator,
)

from leadline.backlinks.settings import BackLinkSettings
from leadline.core.crawl import Budget
from leadline.core.settings import Settings
from leadline.core.url import SESSION, TRACKING, UrlRules
from leadline.errors import ConfigError
from leadline.forms.settings import SubmitSettings
from leadline.harvester.policies import POLICIES
from leadline.harvester.settings import HarvestSettings
from leadline.page.parse import PageLimits
from leadline.plugins import check_part, explain_unknown
from leadline.store.address import without_password
from leadline.strategies import STRATEGIES
from leadline.topics.critic import CRITICS
from leadline.topics.judges import KEYWORDS, find_topic
from leadline.web.settings import PolitenessSettings, RobotsSettings, WebSettings

Goal = Literal["forms", "sites", "pages"]
GOALS: tuple[str, ...] = get_args(Goal)
Origins = dict[str, str]
"""Where each setting came from, by dotted name."""

RENAMED: Mapping[str, str] = {
    "engine.width": "crawl.concurrency",
    "engine.workers": "crawl.parse_processes",
    "engine.give_up_after": "crawl.max_site_failures",
    "engine.busy_tries": "crawl.busy_retries",
    "engine.checkpoint_pages": "crawl.checkpoint_pages",
    "strategy.then": "strategy.fallback",
    "cluster.links": "cluster.links_per_lease",
    "cluster.turn": "cluster.pages_per_lease",
    "cluster.margin_s": "cluster.lease_margin_s",
    "cluster.claim_s": "cluster.learner_timeout_s",
    "cluster.batch": "cluster.batch_links",
    "cluster.batch_s": "cluster.batch_wait_s",
    "backlinks.most": "backlinks.max_pages",
    "harvest.seed": "harvest.random_seed",
    "harvest.requests": "harvest.max_requests",
    "harvest.queries": "harvest.max_queries",
    "harvest.records": "harvest.max_records",
    "harvest.seconds": "harvest.max_seconds",
    "harvest.ahead": "harvest.lookahead_queries",
    "harvest.patience": "harvest.patience_requests",
    "harvest.give_up_after": "harvest.max_failed_queries",
    "harvest.tries": "harvest.max_tries",
    "harvest.blocked_tries": "harvest.max_blocked_tries",
    "harvest.pause_s": "harvest.retry_pause_s",
    "harvest.at_once": "harvest.concurrency",
    "harvest.with_crawl": "harvest.during_crawl",
    "harvest.min_relevant": "harvest.min_relevance",
    "harvest.share": "harvest.budget_share",
}
"""Old names of settings. A user who writes one is told the name of today; what an older store
has saved is renamed when it is read."""


class TopicSettings(Settings):
    """`[topic]`: what is wanted. Further keys are the critic's own settings."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: str = Field(
        "", description="A shipped topic, a folder with one of your own, or a name for `words`."
    )
    words: tuple[str, ...] = Field(
        (), description="Words that tell the topic, instead of what its name stands for."
    )
    critic: str = Field(
        "hifi", description="What judges pages and forms: hifi, or a critic that you installed."
    )

    @property
    def own(self) -> dict[str, Any]:
        """The settings that belong to the critic itself."""
        return dict(self.__pydantic_extra__ or {})

    @property
    def keywords(self) -> tuple[str, ...]:
        """Words to try in forms: the given ones, or some of a shipped topic."""
        return self.words or KEYWORDS.get(self.name, ())


class ScopeSettings(Settings):
    """`[scope]`: which URLs may be followed at all."""

    allow: tuple[str, ...] = Field(
        (), description="Hosts or registered domains; empty: everywhere."
    )
    deny: tuple[str, ...] = Field((), description="Hosts or registered domains never asked.")
    stay_on_seed_sites: bool = Field(False, description="Follow no link to another site.")
    skip_extensions: tuple[str, ...] = Field(
        (
            *("7z", "apk", "avi", "bmp", "bz2", "css", "csv", "dmg", "doc", "docx", "eot", "epub"),
            *("exe", "flv", "gif", "gz", "ico", "iso", "jar", "jpeg", "jpg", "js", "json", "m4a"),
            *("mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "ods", "odt", "ogg", "otf", "pdf"),
            *("png", "ppt", "pptx", "ps", "rar", "rpm", "svg", "tar", "tgz", "tif", "tiff", "ttf"),
            *("wav", "webm", "webp", "wma", "wmv", "woff", "woff2", "xls", "xlsx", "xz", "zip"),
        ),
        description="File endings that hold no page.",
    )
    max_depth: int = Field(20, ge=0, description="Links followed inside one site, at most.")
    max_pages_per_site: int = Field(5_000, ge=1, description="Pages of one site, at most.")
    obey_nofollow: bool = Field(True, description="Honour rel=nofollow and meta robots nofollow.")
    sitemaps: bool = Field(False, description="Also start from what the seeds' sitemaps list.")
    max_sitemap_urls: int = Field(1_000, ge=1, description="URLs taken from one site's sitemaps.")


class UrlSettings(Settings):
    """`[urls]`: what is cut from every URL."""

    strip_tracking: bool = Field(True, description="Cut campaign parameters (utm_source ...).")
    strip_sessions: bool = Field(True, description="Cut session ids (PHPSESSID, ;jsessionid ...).")
    strip: tuple[str, ...] = Field((), description="More parameter names to cut.")

    @property
    def rules(self) -> UrlRules:
        drop = frozenset(name.lower() for name in self.strip)
        drop |= TRACKING if self.strip_tracking else frozenset()
        drop |= SESSION if self.strip_sessions else frozenset()
        return UrlRules(drop, self.strip_sessions)


class PageSettings(Settings):
    """`[page]`: how much of a page is read."""

    max_nodes: int = Field(100_000, ge=100, description="Nodes of the tag tree.")
    max_links: int = Field(5_000, ge=1, description="Links of one page.")
    max_forms: int = Field(200, ge=1, description="Forms of one page.")

    @property
    def limits(self) -> PageLimits:
        return PageLimits(nodes=self.max_nodes, links=self.max_links, forms=self.max_forms)


class StrategySettings(Settings):
    """`[strategy]`: which links to follow. Further keys are the strategy's own settings."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: str = Field("sitewise", description="One of the strategies of `leadline strategies`.")
    goal: Goal = Field(
        "forms", description="What counts and is learned from: forms, deep sites, or topic pages."
    )
    fallback: str = Field(
        "baseline_sc",
        description="The strategy that continues with skipped links when nothing else is left to "
        "follow; empty: the crawl ends then.",
    )

    @property
    def own(self) -> dict[str, Any]:
        """The settings that belong to the strategy itself."""
        return dict(self.__pydantic_extra__ or {})


class BudgetSettings(Settings):
    """`[budget]`: when to stop. 0 is without limit."""

    pages: int = Field(
        10_000,
        ge=0,
        description="Pages visited, over all runs on the store; what robots.txt forbids is free.",
    )
    seconds: float = Field(0, ge=0, description="Seconds, of this run.")
    bytes: int = Field(0, ge=0, description="Bytes received, of this run.")
    forms: int = Field(0, ge=0, description="Distinct relevant forms found.")

    @property
    def limits(self) -> Budget:
        return Budget(
            pages=self.pages or None,
            seconds=self.seconds or None,
            bytes=self.bytes or None,
            forms=self.forms or None,
        )


class CrawlSettings(Settings):
    """`[crawl]`: how the crawl is run."""

    concurrency: int = Field(
        64, ge=1, le=10_000, description="Sites fetched from at the same time, at most."
    )
    parse_processes: int = Field(
        1, ge=1, le=256, description="Processes that parse pages; 1: parse in the crawl's own."
    )
    max_site_failures: int = Field(
        8, ge=1, description="Failures in a row after which a site is given up."
    )
    busy_retries: int = Field(
        5, ge=1, description="Times a page goes back to the queue because its site is busy."
    )
    checkpoint_pages: int = Field(
        1_000, ge=1, description="Pages between two saves of what was learned."
    )


class ClusterSettings(Settings):
    """`[cluster]`: several processes on one PostgreSQL store."""

    links_per_lease: int = Field(
        10, ge=1, le=1_000, description="Links of a site that a worker leases at once, at most."
    )
    pages_per_lease: int = Field(
        1,
        ge=1,
        le=1_000,
        description="Pages of a site that a worker fetches in one lease, at most. With 1 the best "
        "site comes next after every page, as in one process.",
    )
    lease_s: float = Field(
        300.0,
        ge=1,
        description="Seconds that a worker may fetch from a site; after that its links go to "
        "another worker.",
    )
    lease_margin_s: float = Field(
        2.0, ge=0.05, description="No request is sent later than this before its lease ends."
    )
    learner_timeout_s: float = Field(
        20.0, ge=1, description="Seconds of silence after which a learner counts as dead."
    )
    batch_links: int = Field(
        1_000, ge=1, le=100_000, description="Links in one message to the store, about."
    )
    batch_wait_s: float = Field(
        0.2, ge=0, le=60, description="Seconds that a message to the store waits for more."
    )


class StoreSettings(Settings):
    """`[store]`: where the crawl is remembered."""

    path: str = Field(
        "crawl.leadline",
        repr=False,
        description="The SQLite file, the postgresql:// URL of a database, or :memory: for none.",
    )
    memory_links: int = Field(
        1_000_000, ge=1_000, description="Waiting links held in memory; the rest stays on disk."
    )

    @field_serializer("path")
    def _without_password(self, path: str) -> str:
        """Settings are shown, and saved in stores that others read."""
        return without_password(path)


class ArchiveSettings(Settings):
    """`[archive]`: keeping what was fetched."""

    folder: str = Field("", description="Folder for WARC files; empty: none are written.")
    max_file_bytes: int = Field(
        1 << 30, ge=1 << 16, description="Size at which a new file is begun."
    )


class Config(Settings):
    """Every setting of a crawl."""

    seeds: tuple[str, ...] = Field((), description="URLs to start from.")
    topic: TopicSettings = TopicSettings()
    strategy: StrategySettings = StrategySettings()
    budget: BudgetSettings = BudgetSettings()
    scope: ScopeSettings = ScopeSettings()
    web: WebSettings = WebSettings()
    robots: RobotsSettings = RobotsSettings()
    politeness: PolitenessSettings = PolitenessSettings()
    urls: UrlSettings = UrlSettings()
    page: PageSettings = PageSettings()
    submit: SubmitSettings = SubmitSettings()
    backlinks: BackLinkSettings = BackLinkSettings()
    crawl: CrawlSettings = CrawlSettings()
    cluster: ClusterSettings = ClusterSettings()
    store: StoreSettings = StoreSettings()
    archive: ArchiveSettings = ArchiveSettings()
    harvest: HarvestSettings = HarvestSettings()

    @field_validator("strategy")
    @classmethod
    def _strategy_exists(cls, value: StrategySettings) -> StrategySettings:
        check_part(STRATEGIES, value.name, value.own)
        if value.fallback and value.fallback not in STRATEGIES:
            raise ValueError(explain_unknown("strategy", value.fallback, STRATEGIES))
        return value

    @field_validator("harvest")
    @classmethod
    def _policy_exists(cls, value: HarvestSettings) -> HarvestSettings:
        check_part(POLICIES, value.policy, value.own)
        return value

    @field_validator("topic")
    @classmethod
    def _topic_exists(cls, value: TopicSettings) -> TopicSettings:
        if value.name and not value.words and find_topic(value.name) is None:
            raise ValueError(
                explain_unknown("topic", value.name, KEYWORDS)
                + "; or give topic.words of your own, or teach it: leadline topic new"
            )
        check_part(CRITICS, value.critic, value.own)
        return value


def load_config(
    file: Path | None = None, settings: Mapping[str, object] | None = None, source: str = "argument"
) -> tuple[Config, Origins]:
    """Settings by dotted name over those of the file over the defaults, and where each is from.

    >>> load_config(settings={"politeness.delay_s": "2.5"})[0].politeness.delay_s
    2.5
    """
    table: dict[str, Any] = _read_toml(file) if file is not None else {}
    origins = dict.fromkeys(_dotted(table), f"file {file}")
    for name, value in (settings or {}).items():
        _put(table, name, value)
        origins[name] = source
    for name in origins:
        if name in RENAMED:
            raise ConfigError(f"setting {name!r} is now called {RENAMED[name]!r}")
    try:
        return Config.model_validate(table), origins
    except ValidationError as error:
        raise ConfigError(explain(error)) from None


def rename_saved_settings(saved: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that a store has saved, by group, with today's names.

    >>> rename_saved_settings({"engine": {"width": 8}, "budget": {"pages": 5}})
    {'crawl': {'concurrency': 8}, 'budget': {'pages': 5}}
    """
    table: dict[str, Any] = {}
    for group, value in saved.items():
        if not isinstance(value, Mapping):
            table[group] = value
            continue
        for key, inner in value.items():
            new_group, _, new_key = RENAMED.get(f"{group}.{key}", f"{group}.{key}").partition(".")
            table.setdefault(new_group, {})[new_key] = inner
    return table


def effective(config: Config, origins: Origins) -> list[tuple[str, object, str]]:
    """Every setting as (dotted name, value, where from)."""
    return [
        (name, value, origins.get(name, "default"))
        for name, value in _dotted(config.model_dump()).items()
    ]


def setting_names() -> list[str]:
    """Every dotted name a user may set."""
    return list(_dotted(Config().model_dump()))


def explain(error: ValidationError) -> str:
    """The first fault of a validation, in words: what, which, and what to do."""
    fault = error.errors()[0]
    name = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        return explain_unknown("setting", name, setting_names())
    message = fault["msg"].removeprefix("Value error, ")
    given = fault.get("input")
    shown = "" if isinstance(given, dict | BaseModel) or not name else f" (given: {given!r})"
    return f"{name}: {message}{shown}" if name else message


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not valid TOML: {error}") from None


def _put(table: dict[str, Any], name: str, value: object) -> None:
    *parents, last = name.split(".")
    for parent in parents:
        inner = table.setdefault(parent, {})
        if not isinstance(inner, dict):
            raise ConfigError(explain_unknown("setting", name, setting_names()))
        table = inner
    table[last] = value


def _dotted(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping) and key != "resolve":
            flat.update(_dotted(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = value
    return flat
