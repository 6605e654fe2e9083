"""Best-first crawling by the relevance of the page a link stands on.

S. Chakrabarti, K. Punera and M. Subramanyam, "Accelerated Focused Crawling
through Online Relevance Feedback", WWW 2002, section 1.1: the baseline
crawler. `baseline_sc` adds the stopping criteria of L. Barbosa and J. Freire,
"Searching for Hidden-Web Databases", WebDB 2005, section 4.

    fetch the waiting link of highest priority; call its page u
    if Pr(topic | u) >= threshold:
        every link of u waits with priority Pr(topic | u)
    baseline_sc: leave a site after `max_forms` distinct forms or `max_pages` pages

Departures: FFC gives no values for its criteria; 5 forms (4.2 interfaces a
deep site are reported there) and 100 pages are ours. A seed's links are
followed whatever its relevance, since the user vouches for it.
"""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from leadline.core.crawl import PageView, Priority, SiteState, Skip
from leadline.strategies.base import BaseStrategy


class BaselineSettings(BaseModel):
    """Settings of `baseline`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    threshold: float = Field(
        0.5, ge=0, le=1, description="Links of pages less relevant than this are not followed."
    )


class Baseline(BaseStrategy):
    """Best-first: links of relevant pages, those of the most relevant first."""

    name = "baseline"

    def __init__(self, settings: BaselineSettings) -> None:
        self.settings = settings

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        relevance = view.judgement.relevance
        is_seed = view.candidate.parent is None
        verdict: Priority | Skip = Priority(0, relevance, "relevance of its page")
        if relevance < self.settings.threshold and not is_seed:
            verdict = Skip("its page is off topic")
        return [verdict] * len(view.links)


class BaselineSCSettings(BaselineSettings):
    """Settings of `baseline_sc`."""

    max_forms: int = Field(
        5, ge=1, description="Distinct relevant forms after which a site is left."
    )
    max_pages: int = Field(100, ge=1, description="Pages after which a site is left.")


class BaselineSC(Baseline):
    """Best-first with stopping criteria: leaves a site after enough forms or pages."""

    name = "baseline_sc"

    def __init__(self, settings: BaselineSCSettings) -> None:
        super().__init__(settings)
        self.limits = settings

    def rank_site(self, site: SiteState, view: PageView | None = None) -> Priority | Skip | None:  # noqa: ARG002
        if site.forms >= self.limits.max_forms:
            return Skip(f"{site.forms} distinct forms found")
        if site.pages >= self.limits.max_pages:
            return Skip(f"{site.pages} pages visited")
        return None
