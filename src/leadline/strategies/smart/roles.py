"""What a page was fetched as: a seed, a site's home page, a page inside it, or an answer."""

from leadline.core.crawl import Candidate, Judgement, PageView, Priority

ANSWER = Priority(0, 2.0, "may be a center page")
"""Of a page that links to a known deep site: before anything else, so that Alg. 1 ends."""
OPEN = Priority(0, 1.5, "its site is being explored")
"""Of a site that was entered: before seeds, which have the tier 0 and the score 1."""
_ACCEPTED = 0.5
"""Belief from which a form counts as relevant."""


def is_inside(candidate: Candidate) -> bool:
    """Whether it was met on its own site."""
    return candidate.depth > 0


def is_answer(candidate: Candidate) -> bool:
    """Whether a reverse search named it."""
    return candidate.parent is None and candidate.priority.score >= ANSWER.score


def is_seed(candidate: Candidate) -> bool:
    return candidate.parent is None and not is_answer(candidate)


def is_home(candidate: Candidate) -> bool:
    """Whether it waited as a site, and not as a page of one."""
    return candidate.parent is not None and not is_inside(candidate)


def has_form(judgement: Judgement) -> bool:
    """Whether there is a searchable form on the topic, known or not."""
    return any(form.relevant >= _ACCEPTED for form in judgement.forms)


def has_brought(view: PageView) -> bool:
    """Whether a page has such a form, or whatever else is the goal."""
    return view.gain > 0 or has_form(view.judgement)
