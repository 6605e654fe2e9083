"""Pictures for the page on reproduction: forms over time, and sites that wait. Need matplotlib."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline_lab.experiments.canvas import add_legend, as_svg, colours, columns_for, panels
from leadline_lab.experiments.trial import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@as_svg
def queue_sizes(results: Sequence[Result]) -> "Figure":
    """Sites in the high queue against pages: a panel for each domain, a line for each variant
    (SmartCrawler's Fig. 9)."""
    told = [result for result in results if result.learned.get("queue_sizes")]
    names = list(dict.fromkeys(result.trial.name for result in told))
    domains = list(dict.fromkeys(result.trial.domain for result in told))
    figure, axes = panels(len(domains), height=2.5)
    shades = colours(names)
    for panel, domain in zip(axes, domains, strict=False):
        panel.set_title(domain)
        panel.grid(axis="y")
        panel.set_yscale("symlog", linthresh=10)
        for result in told:
            if result.trial.domain == domain:
                sizes = result.learned["queue_sizes"]
                pages, high = [row[0] for row in sizes], [row[1] for row in sizes]
                panel.plot(pages, high, color=shades[result.trial.name], linewidth=1.4)
    for panel in axes[: len(domains)][-columns_for(len(domains)) :]:
        panel.set_xlabel("pages visited")
    axes[0].set_ylabel("sites in the high queue")
    add_legend(figure, shades)
    return figure
