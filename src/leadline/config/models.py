"""Every setting, once: key, type, unit, bound, help and flag.

The models are the TOML tables, the names after `--set`, the Python argument and the bodies of the
API. A setting with a `Flag` is also an option of the commands named there
(`python -m tools.reference.flags` writes these).
"""

import json
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, ConfigDict, Field, field_serializer, field_validator

from leadline.backlinks.settings import BackLinkSettings
from leadline.core.crawl import Budget
from leadline.core.secrets import mask_value, strip_login
from leadline.core.settings import Flag, Settings
from leadline.core.url import SESSION, TRACKING, UrlRules
from leadline.forms.settings import SubmitSettings
from leadline.harvester.policies import POLICIES
from leadline.harvester.settings import HarvestSettings
from leadline.page.parse import PageLimits
from leadline.plugins import check_part, explain_unknown
from leadline.store.address import without_password
from leadline.strategies import STRATEGIES
from leadline.topics.critic import CRITICS
from leadline.topics.judges import KEYWORDS, find_query_words, find_topic
from leadline.web.settings import PolitenessSettings, RobotsSettings, WebSettings

Goal = Literal["forms", "sites", "pages"]
GOALS: tuple[str, ...] = get_args(Goal)


class TopicSettings(Settings):
    """`[topic]`: what is wanted. Further keys are the critic's own settings."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: Annotated[str, Flag("--topic", ("harvest",))] = Field(
        "", description="A shipped topic, a folder with one of your own, or a name for `words`."
    )
    words: tuple[str, ...] = Field(
        (), description="Words that define the topic, instead of what its name stands for."
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
        """Words to try in forms: the given ones, or those of the topic."""
        return find_query_words(self.name, self.words)


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
    allow_changes: tuple[str, ...] = Field(
        (),
        description="URL patterns, as https://example.org/cart/*, that are asked for although they "
        "look as if that changed something on the server.",
    )
    max_depth: int = Field(20, ge=0, description="Links followed inside one site, at most.")
    max_pages_per_site: int = Field(5_000, ge=1, description="Pages of one site, at most.")
    leave_traps: bool = Field(
        True,
        description="Follow fewer and fewer links of URL shapes whose pages bring nothing new: "
        "calendars, session ids, combinations of parameters.",
    )
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
    """`[page]`: how much of a page is read, and what that may cost."""

    max_nodes: int = Field(100_000, ge=100, description="Nodes of the tag tree.")
    max_links: int = Field(5_000, ge=1, description="Links of one page.")
    max_forms: int = Field(200, ge=1, description="Forms of one page.")
    max_seconds: float = Field(
        10.0,
        gt=0.0,
        le=3_600.0,
        description="Processor time that reading one page may take, in a process of its own; "
        "five times as much by the clock.",
    )
    max_memory_mb: int = Field(
        512,
        ge=32,
        description="Memory that reading one page may take beyond what its process has anyway "
        "(Linux).",
    )

    @property
    def limits(self) -> PageLimits:
        return PageLimits(nodes=self.max_nodes, links=self.max_links, forms=self.max_forms)


class StrategySettings(Settings):
    """`[strategy]`: which links to follow. Further keys are the strategy's own settings."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: Annotated[str, Flag("--strategy")] = Field(
        "expected_gain", description="Which links to follow: a name from `leadline strategies`."
    )
    goal: Annotated[Goal, Flag("--goal")] = Field(
        "forms",
        description="What counts and is learned from: distinct forms, sites that have one, or "
        "topic pages.",
    )
    learn_from: Annotated[str, Flag("--learn-from")] = Field(
        "",
        description="The store of an earlier crawl, on any web, whose visits teach the strategy "
        "before it begins; empty: it begins with nothing.",
    )
    fallback: str = Field(
        "baseline_sc",
        description="The strategy that continues with skipped links when nothing else is left to "
        "follow; empty: the crawl ends then. Not needed after `expected_gain`, which skips none.",
    )

    @property
    def own(self) -> dict[str, Any]:
        """The settings that belong to the strategy itself."""
        return dict(self.__pydantic_extra__ or {})


class BudgetSettings(Settings):
    """`[budget]`: when to stop."""

    pages: Annotated[int, Flag("--pages", ("crawl", "order"))] = Field(
        10_000,
        ge=0,
        description="Stop after so many visits, over all runs on the store; 0: no limit. Pages "
        "that robots.txt forbids are not counted.",
    )
    seconds: Annotated[float, Flag("--seconds", ("crawl", "order"))] = Field(
        0, ge=0, description="Stop after so many seconds of this run; 0: no limit."
    )
    bytes: Annotated[int, Flag("--bytes", ("order",))] = Field(
        0, ge=0, description="Stop after so many bytes received in this run; 0: no limit."
    )
    forms: Annotated[int, Flag("--forms", ("order",))] = Field(
        0, ge=0, description="Stop after so many distinct relevant forms; 0: no limit."
    )

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

    concurrency: Annotated[int, Flag("--concurrency", also=("--width",))] = Field(
        16,
        ge=1,
        le=10_000,
        description="Sites fetched from at the same time, at most. More wait less for slow sites; "
        "fewer spend requests on better ones, because each site takes one request at a time.",
    )
    parse_processes: Annotated[int, Flag("--parse-processes", also=("--workers",))] = Field(
        1, ge=1, le=256, description="Processes that parse pages; 1: parse in the crawl's own."
    )
    max_site_failures: int = Field(
        8, ge=1, description="Failures in a row after which a site is given up."
    )
    busy_retries: int = Field(
        5, ge=1, description="Times a page goes back to the queue because its site is busy."
    )
    max_idle_s: float = Field(
        60.0,
        ge=0,
        description="Longest wait when all that is left waits for busy sites; if the first is "
        "ready only later, the crawl ends and can be resumed.",
    )
    checkpoint_pages: int = Field(
        1_000, ge=1, description="Pages between two saves of what was learned."
    )
    ask_forms: bool = Field(
        True,
        description="Ask forms of which the critic is unsure, by GET: nonsense, a word, nonsense "
        "again; at most one request in twenty.",
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

    path: Annotated[str, Flag("--store")] = Field(
        "crawl.leadline",
        repr=False,
        description="Where the whole crawl is stored: an SQLite file, the postgresql:// URL of a "
        "database, or :memory: for nowhere.",
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

    folder: Annotated[str, Flag("--archive", ("crawl", "harvest"))] = Field(
        "", description="Folder for WARC files with every page fetched; empty: none are written."
    )
    max_file_bytes: int = Field(
        1 << 30, ge=1 << 16, description="Size at which a new file is begun."
    )


class Config(Settings):
    """Every setting of a crawl."""

    seeds: Annotated[
        tuple[str, ...], AfterValidator(lambda seeds: tuple(map(strip_login, seeds)))
    ] = Field((), description="URLs to start from.")
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

    def dump_for_store(self) -> bytes:
        """The settings as a store keeps them: without passwords. Who resumes gives those again."""
        kept = mask_value("", self.model_dump(mode="json"))
        return json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode()
