"""What a user may set about asking who links to a page."""

from string import Formatter
from typing import Annotated, Any, NoReturn

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from leadline.core.ports import Backlinks
from leadline.core.secrets import mask_given
from leadline.core.settings import Settings
from leadline.core.url import canonical
from leadline.plugins import Part, Registry, check_part, part_reader

OURS = ("own", "searxng", "commoncrawl", "service", "none")
PLACES = frozenset({"url", "page", "host"})
_NEEDS = {"searxng": "address", "service": "address", "commoncrawl": "file"}


def _open_ours(*_given: object) -> NoReturn:
    raise AssertionError("open_backlinks opens these by itself")


PROVIDERS: Registry[Part] = Registry(
    "backlink provider",
    "leadline.backlinks",
    dict.fromkeys(OURS, Part(_open_ours)),
    part_reader(Backlinks, "it is made with its settings and the crawl's fetcher"),
)
"""All of them by name, those of other distributions too."""


def _http_or_nothing(address: str) -> str:
    if address and canonical(address) is None:
        raise ValueError(f"{mask_given(address)} is not an http(s) URL; write https://host/path")
    return address


def _known_places(queries: tuple[str, ...]) -> tuple[str, ...]:
    for query in queries:
        try:
            names = {name for _, name, _, _ in Formatter().parse(query) if name is not None}
        except ValueError as error:
            raise ValueError(f"{query!r}: {error}") from None
        if not names <= PLACES:
            raise ValueError(f"{query!r} may hold {{url}}, {{page}} and {{host}} only")
    return queries


class BackLinkSettings(Settings):
    """`[backlinks]`: the provider that strategies ask which pages link to a page. Further keys are
    the settings of a provider that you installed."""

    model_config = ConfigDict(frozen=True, extra="allow")

    provider: str = Field(
        "own",
        description="own (this crawl's links), searxng, commoncrawl, service, none (ask nobody), "
        "or a provider that you installed.",
    )
    address: Annotated[str, AfterValidator(_http_or_nothing)] = Field(
        "",
        repr=False,
        description="URL of the SearXNG instance (ending in a slash) or of the service. A key in "
        "it is stored nowhere: give it with each run, best as LEADLINE_BACKLINKS_ADDRESS.",
    )
    file: str = Field(
        "",
        description="For commoncrawl the imported host graph; for own, if wanted, the store of "
        "another crawl to look into as well.",
    )
    max_pages: int = Field(20, ge=1, le=1_000, description="Pages taken from one answer, at most.")
    # Few engines know `link:` today; those that do not find nothing or pages about the words.
    queries: Annotated[tuple[str, ...], AfterValidator(_known_places)] = Field(
        ("link:{url}", '"{page}" -site:{host}'),
        min_length=1,
        description="What SearXNG is asked, in this order until a query finds something; {page} "
        "is the URL without its scheme.",
    )
    post: bool = Field(
        False,
        description="Ask SearXNG by POST: the robots.txt it ships with forbids searches by GET.",
    )

    @property
    def own(self) -> dict[str, Any]:
        """The settings that belong to a provider of another distribution."""
        return dict(self.__pydantic_extra__ or {})

    @model_validator(mode="after")
    def _is_complete(self) -> "BackLinkSettings":
        check_part(PROVIDERS, self.provider, self.own)
        need = _NEEDS.get(self.provider)
        if need and not getattr(self, need):
            raise ValueError(f"provider {self.provider!r} needs backlinks.{need}")
        return self
