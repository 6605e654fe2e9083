"""A form as a Scrapy item."""

from dataclasses import dataclass

from msgspec import to_builtins

from leadline.core.crawl import JudgedForm, Visit
from leadline.views.forms import field_rows


@dataclass(frozen=True)
class FoundForm:
    """A search form about the topic, where it was first met."""

    site: str
    page: str
    title: str
    method: str
    action: str
    fields: list[dict[str, object]]
    score: float
    """Belief that it is searchable and about the topic."""
    searchable: float
    why: str
    signature: str


def found_form(judged: JudgedForm, visit: Visit) -> FoundForm:
    """The item of a form that a visit met first."""
    form = judged.form
    return FoundForm(
        site=visit.site,
        page=form.page,
        title=visit.title,
        method=form.method,
        action=form.action or "",
        fields=[to_builtins(row) for row in field_rows(form)],
        score=round(judged.relevant, 4),
        searchable=round(judged.searchable, 4),
        why=judged.why,
        signature=judged.signature,
    )
