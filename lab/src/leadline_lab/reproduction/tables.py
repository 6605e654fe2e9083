"""The tables of the page on reproduction, as Markdown."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from leadline_lab.experiments.comparison import Comparison
from leadline_lab.experiments.grading import USES
from leadline_lab.experiments.trial import Result
from leadline_lab.reproduction.grading import Grade


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def claims_table(grades: Iterable[Grade]) -> str:
    head = ("paper", "claim", "printed", "ours", "95 % interval", "pairs", "verdict")
    return table(head, (_claim_row(grade) for grade in grades))


def _claim_row(grade: Grade) -> Sequence[object]:
    claim = grade.claim
    interval = "-" if grade.low != grade.low else f"{grade.low:.2f} to {grade.high:.2f}"
    means = f"{grade.ratio:.2f} times ({_short(grade.one)} to {_short(grade.other)})"
    return (
        claim.paper, claim.says, claim.printed, means, interval, grade.pairs, grade.verdict,
    )  # fmt: skip


def profiles_table(grades: Mapping[str, Sequence[Grade]]) -> str:
    """The ratio of each claim in each profile, bold where it is what the paper says."""
    claims = dict.fromkeys(grade.claim.says for own in grades.values() for grade in own)
    rows = []
    for says in claims:
        found = [next((g for g in own if g.claim.says == says), None) for own in grades.values()]
        rows.append([says, *(_ratio_cell(grade) for grade in found)])
    return table(("claim", *grades), rows)


def _ratio_cell(grade: Grade | None) -> str:
    if grade is None:
        return "-"
    ratio = f"{grade.ratio:.2f}"
    return f"**{ratio}**" if grade.comes_out else ratio


def _short(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.1f}"


def domain_table(results: Sequence[Result], metric: str = "forms") -> str:
    """Means by domain over the worlds, one column per strategy."""
    found = Comparison(results, metric)
    head = ["domain", *found.names]
    rows = [
        [domain, *(_mean(found, name, domain) for name in found.names)] for domain in found.domains
    ]
    return table(head, [*rows, ["all", *(_mean(found, name, "") for name in found.names)]])


def _mean(found: Comparison, name: str, domain: str) -> str:
    values = [value for (_, own), value in found.values[name].items() if domain in ("", own)]
    return _short(sum(values) / len(values)) if values else "-"


def uses_table(results: Sequence[Result]) -> str:
    """Where the requests of each strategy went, in per cent; and what a page costs."""
    names = list(dict.fromkeys(result.trial.name for result in results))
    rows = [_uses_row(name, [r for r in results if r.trial.name == name]) for name in names]
    head = ("strategy", *USES, "requests a trial", "training requests", "CPU ms a page")
    return table(head, rows)


def _uses_row(name: str, results: Sequence[Result]) -> Sequence[object]:
    uses: Counter[str] = Counter()
    for result in results:
        uses.update(result.uses)
    total = max(1, sum(uses.values()))
    pages = max(1, sum(result.end.pages for result in results))
    cost = 1_000 * sum(result.cpu_s for result in results) / pages
    trained = sum(result.training_requests for result in results) / len(results)
    shares = [f"{100 * uses[use] / total:.1f}" for use in USES]
    return (name, *shares, round(total / len(results)), round(trained), f"{cost:.2f}")


def goals_table(results: Sequence[Result]) -> str:
    """What each strategy brought in the mean when it crawled for each goal: new forms, deep sites,
    pages about the topic."""
    names = list(dict.fromkeys(result.trial.contender.name for result in results))
    goals = list(dict.fromkeys(result.trial.goal for result in results))
    head = ("strategy", *(f"for {goal}" for goal in goals))
    return table(
        head, ([name, *(_brought(results, name, goal) for goal in goals)] for name in names)
    )


def _brought(results: Sequence[Result], name: str, goal: str) -> str:
    ends = [r.end for r in results if r.trial.contender.name == name and r.trial.goal == goal]
    sums = (sum(getattr(end, part) for end in ends) for part in ("forms", "sites", "on_topic"))
    return " / ".join(f"{total / len(ends):.0f}" for total in sums) if ends else "-"
