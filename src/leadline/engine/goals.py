"""What a visit is worth. Apart from the strategies, so that each can run for each goal."""

from leadline.core.crawl import Judgement


def reward(goal: str, judgement: Judgement, new_forms: int, forms_before: int) -> float:
    """The value of a page: new relevant forms, a site's first form, or its relevance."""
    if goal == "forms":
        return float(new_forms)
    if goal == "sites":
        return 1.0 if new_forms and not forms_before else 0.0
    return judgement.relevance
