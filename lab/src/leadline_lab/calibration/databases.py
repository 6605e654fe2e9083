"""What stands behind search forms: how large the databases are and how they behave."""

from leadline_lab.calibration.view import Findings, View, quantile, share
from leadline_lab.databases import kinds

_SITES = 500
_LISTED = {
    "semantics": kinds.SEMANTICS,
    "ranking": kinds.RANKINGS,
    "layout": kinds.LAYOUTS,
    "paging": kinds.PAGINGS,
    "total": kinds.TOTALS,
    "cap": kinds.CAPS,
    "empty_answer": kinds.EMPTY_ANSWERS,
}
"""Behaviours, and all the ways each can be."""


def measure_databases(view: View) -> Findings:
    draw = view.draw("databases")
    populations = [p for p in view.world.census.populations if p.schemas]
    sources = []
    for _ in range(min(_SITES, 4 * view.effort.sites)):
        population = draw.pick(populations)
        estate = view.world.estate(population.first + draw.below(population.sites))
        sources += [estate.source(number) for number in range(estate.databases)]
    sizes = [source.size for source in sources]
    figures = {
        "records_min": float(min(sizes)),
        "records_median": quantile(sizes, 0.5),
        "records_max": float(max(sizes)),
    }
    for name, ways in _LISTED.items():
        met = [getattr(source.behaviour, name) for source in sources]
        figures[f"ways_{name}"] = share(len(set(met)), len(ways))
    habits = [source.behaviour for source in sources]
    n = len(habits)
    figures |= {
        "limited_index_share": share(sum(h.index == "limited" for h in habits), n),
        "capped_share": share(sum(h.cap > 0 for h in habits), n),
        "empty_with_200_share": share(sum(h.empty_answer != "missing" for h in habits), n),
        "islands_share": share(sum(h.islands > 0 for h in habits), n),
        "token_or_state_share": share(sum(bool(h.token_s) or h.needs_state for h in habits), n),
    }
    return Findings(figures)
