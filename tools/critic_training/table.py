"""SmartCrawler's Table 3 beside ours: how often forms are given to the right domain."""

from leadline.forms.domain import DOMAINS
from tools.critic_training.scoring import Figures

SMARTCRAWLER = {
    "airfare": (94.79, 95.25),
    "auto": (97.52, 94.48),
    "book": (97.27, 98.46),
    "hotel": (90.25, 97.82),
    "job": (93.30, 93.92),
    "movie": (91.71, 97.86),
    "music": (90.20, 98.47),
    "rental": (90.07, 97.88),
    "apartment": (88.43, 97.86),
    "route": (90.18, 97.62),
    "product": (93.54, 95.19),
    "people": (93.54, 95.19),
}
"""Zhao et al., "SmartCrawler" (IEEE TSC 2015), Table 3: form classification and searchable forms,
in per cent. Its rows for products and people are the same, which is likely a slip; its text
names a mean, 93.17, that no column has. So these are no targets."""

_HEAD = (
    "| domain | forms in SmartCrawler | form alone | form and page | of forms that speak |"
    " searchable in SmartCrawler | searchable |\n|---|---|---|---|---|---|---|\n"
)


def table(
    form: dict[str, Figures],
    joined: dict[str, Figures],
    telling: dict[str, Figures],
    searchable: dict[str, float],
) -> str:
    """In Markdown; accuracies in per cent."""
    lines = []
    for domain in DOMAINS:
        ours = (form[domain].accuracy, joined[domain].accuracy, telling[domain].accuracy)
        first, last = SMARTCRAWLER[domain]
        cells = [f"{first:.2f}", *(f"{100 * figure:.1f}" for figure in ours)]
        cells += [f"{last:.2f}", f"{100 * searchable[domain]:.1f}"]
        lines.append(f"| {domain} | {' | '.join(cells)} |\n")
    return _HEAD + "".join(lines)
