"""What counts in a crawl. Apart from the strategies, so that each can run for each goal."""

from leadline.core.crawl import Judgement, SiteState

_ON_TOPIC = 0.5
"""Relevance from which a page counts as one about the topic."""
_READ_FOR_LINKS = 8
"""Pages of a site that are read, though its form is found, since they link to other sites: leaving
at once costs more than it saves where these links lead on (docs/reproduction.md)."""


def gain(goal: str, judgement: Judgement, new_forms: int, forms_before: int) -> int:
    """What a page brings, counted: its new relevant forms, the first one of its site, or itself
    if it is about the topic."""
    if goal == "forms":
        return new_forms
    if goal == "sites":
        return int(new_forms > 0 and not forms_before)
    return int(judgement.relevance >= _ON_TOPIC)


def reward(goal: str, judgement: Judgement, gained: int) -> float:
    """What a visit is worth: its gain, but of topic pages the more relevant ones more."""
    return judgement.relevance if goal == "pages" else float(gained)


def why_done(goal: str, site: SiteState) -> str:
    """Why no further page of the site is worth its request, or ''."""
    is_done = goal == "sites" and site.forms > 0 and site.pages >= _READ_FOR_LINKS
    return "has a relevant form, and sites are the goal" if is_done else ""
