"""The report of an experiment: what was run, what came out, what it does not show."""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from leadline.errors import ConfigError
from leadline_lab.experiments import figures
from leadline_lab.experiments.canvas import inline, short
from leadline_lab.experiments.comparison import (
    NORMALISED,
    Comparison,
    Contest,
    reference,
    reference_areas,
    rivals,
)
from leadline_lab.experiments.grading import Point
from leadline_lab.experiments.markup import (
    Markup,
    bullets,
    facts,
    html,
    marked,
    note,
    page,
    section,
    table,
    wide,
    with_note,
)
from leadline_lab.experiments.plan import Experiment
from leadline_lab.experiments.statistics import Interval
from leadline_lab.experiments.trial import Result

REPORT = "report.html"
FEW_WORLDS = 6
"""Below this many worlds no signed-rank test can reach the 5 % level."""
_LEVEL = 0.05


def write_report(experiment: Experiment, results: Sequence[Result], out: Path) -> Path:
    """Write `report.html` and its figures as SVG files; the report's path."""
    drawn = draw(results)
    report = out / REPORT
    try:
        for name, svg in drawn.items():
            (out / f"{name}.svg").write_text(svg, encoding="utf-8")
        report.write_text(render(experiment, results, drawn), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write the report to {out}: {error.strerror}") from None
    return report


def draw(results: Sequence[Result]) -> dict[str, str]:
    """All figures as SVG, by name; of strategies, which beside oracles would be hard to see."""
    results = rivals(results)
    forms, area = Comparison(results, "forms"), Comparison(results)
    drawn = {
        "harvest": figures.harvest_curves(results),
        "forms": figures.forms_at_budget(forms),
        "requests": figures.where_requests_went(results),
    }
    if len(area.names) > 1:
        drawn["differences"] = figures.differences(all_contests(area))
    return drawn


def all_contests(comparison: Comparison) -> list[Contest]:
    """Against the first strategy: over all domains, then in each."""
    against = comparison.names[0]
    domains = comparison.domains if len(comparison.domains) > 1 else []
    return [
        contest for domain in ("", *domains) for contest in comparison.contests(against, domain)
    ]


def render(experiment: Experiment, results: Sequence[Result], drawn: dict[str, str]) -> str:
    """The whole page."""
    area, forms = Comparison(rivals(results)), Comparison(rivals(results), "forms")
    pictures = {name: wide(Markup(inline(svg, name, name))) for name, svg in drawn.items()}
    header = Markup(
        f"<header><h1>{html(experiment.name)}</h1><p>{html(experiment.about)}</p></header>"
    )
    return page(
        f"leadline lab: {experiment.name}",
        header,
        _what_was_run(experiment, results),
        section("In short", bullets(findings(experiment, area))),
        section(
            "Harvest",
            note("Distinct relevant forms, by the truth, against pages visited. Lines are means "
                 "over worlds; bands reach from the worst to the best world."),
            pictures["harvest"],
        ),
        section(
            f"Relevant forms after {experiment.budget_pages:,} pages",
            note("Means over worlds with 95 % confidence intervals; the best mean of a domain is "
                 "in bold."),
            pictures["forms"],
            _means(forms),
        ),
        *_against_oracle(results),
        section(
            "Density",
            note("Distinct relevant forms per page visited; below, the relevant share of all "
                 "distinct searchable forms met."),
            _densities(results),
        ),
        *_tests(area, pictures.get("differences", Markup(""))),
        section(
            "Where requests went",
            note("Every request counts: pages, robots.txt, redirects, retries and services."),
            pictures["requests"],
            _costs(results),
        ),
        _checkpoints(results),
        _trials(results),
    )  # fmt: skip


def findings(experiment: Experiment, comparison: Comparison) -> list[str]:
    """What the numbers say in words, defeats and missing differences included."""
    worlds = len({unit[0] for unit in comparison.units})
    lines = [_finding(contest) for contest in comparison.contests(comparison.names[0])]
    if comparison.domains[1:]:
        lines += _exceptions(comparison)
    if worlds < FEW_WORLDS:
        lines.append(
            f"Only {worlds} world{'s' * (worlds > 1)}: too few for a test in a single domain "
            "to mean anything, and for most intervals."
        )
    if not experiment.publishes:
        lines.append("Development worlds: strategies may have been tuned on them.")
    return lines


def _finding(contest: Contest) -> str:
    difference, record = contest.difference, contest.record
    verdict = "no difference shown from"
    if difference.excludes_zero and contest.p_holm < _LEVEL:
        verdict = "better than" if difference.mean > 0 else "worse than"
    return (
        f"{contest.name}: {verdict} {contest.against}, {_percent(contest)} in forms averaged over "
        f"the budget; of {contest.units} pairs {record.wins} won, {record.ties} tied, "
        f"{record.losses} lost."
    )


def _exceptions(comparison: Comparison) -> list[str]:
    """Domains in which the order is the other way round."""
    against = comparison.names[0]
    lines = []
    shown = (c for c in comparison.contests(against) if c.difference.excludes_zero)
    for overall in shown:
        contests = [
            contest
            for domain in comparison.domains
            for contest in comparison.contests(against, domain)
            if contest.name == overall.name
        ]
        other = [c.domain for c in contests if c.difference.mean * overall.difference.mean < 0]
        if other:
            lines.append(
                f"{overall.name} against {against} goes the other way in {', '.join(other)}."
            )
    return lines


def _what_was_run(experiment: Experiment, results: Sequence[Result]) -> Markup:
    seeds = ", ".join(map(str, experiment.world_seeds))
    random = [c.name for c in experiment.contenders if c.is_random]
    settings = (
        f"{c.name}: {', '.join(f'{k} = {v}' for k, v in c.settings.items()) or 'defaults'}"
        for c in experiment.contenders
    )
    return section(
        "What was run",
        facts(
            [
                ("strategies", "; ".join(settings)),
                ("worlds", f"profiles {', '.join(experiment.profiles)}; seeds {seeds}"),
                ("domains", ", ".join(experiment.domains)),
                ("budget", f"{experiment.budget_pages:,} pages from {experiment.seed_urls} seeds"),
                ("critic", ", ".join(experiment.critics)),
                ("algorithm seeds", f"{', '.join(map(str, experiment.seeds))}, averaged, for "
                 f"{', '.join(random)}" if random else "none of the strategies uses chance"),
                ("trials", f"{len(results):,}, {sum(r.requests for r in results):,} requests, "
                 f"{sum(r.cpu_s for r in results):,.0f} s of processor time"),
                ("role", "judging: published" if experiment.publishes else "development"),
            ]
        ),
    )  # fmt: skip


def _means(comparison: Comparison) -> Markup:
    domains = [*comparison.domains, ""] if len(comparison.domains) > 1 else comparison.domains
    best = {d: max(comparison.mean(n, d).mean for n in comparison.names) for d in domains}
    rows = (
        (name, *(_mean(comparison.mean(name, domain), best[domain]) for domain in domains))
        for name in comparison.names
    )
    return table(("strategy", *(domain or "all" for domain in domains)), rows)


def _mean(mean: Interval, best: float) -> Markup:
    shown = marked(short(mean.mean), "best" if mean.mean == best > 0 else "")
    return shown if math.isnan(mean.low) else with_note(shown, _ends(mean.low, mean.high))


def _tests(comparison: Comparison, picture: Markup) -> Iterable[Markup]:
    if len(comparison.names) < 2:
        return
    against, ranks = comparison.names[0], comparison.ranks()
    rows = [
        (
            contest.name if contest.domain else marked(contest.name, "best"),
            contest.domain or "all",
            marked(_percent(contest), _look(contest)),
            f"{contest.shift:+.2f}",
            f"{contest.record.wins} / {contest.record.ties} / {contest.record.losses}",
            _p(contest.p),
            _p(contest.p_holm),
        )
        for contest in all_contests(comparison)
    ]
    yield section(
        f"Paired differences to {against}",
        note("Forms averaged over the budget of pages, on the same worlds and domains, in per cent "
             f"of {against}. Intervals resample worlds. p: Wilcoxon's signed-rank test, and after "
             "Holm's correction over the rivals in one domain; over all domains it treats units "
             "of one world as independent, so trust the interval there."),
        picture,
        table(("strategy", "domain", "difference, 95 % interval", "shift in forms",
               "won / tied / lost", "p", "p, Holm"), rows),
    )  # fmt: skip
    order = sorted(ranks.mean_ranks.items(), key=lambda pair: pair[1])
    yield section(
        "Mean ranks",
        note(f"Over {ranks.units} units; 1 is the best. Friedman's test: p {_p(ranks.p)}. Ranks "
             f"further apart than {ranks.critical_distance:.2f} differ (Nemenyi, 5 %)."),
        table(("strategy", "mean rank", "behind the best"),
              ((name, f"{rank:.2f}", f"{rank - order[0][1]:.2f}") for name, rank in order)),
    )  # fmt: skip


def _against_oracle(results: Sequence[Result]) -> Iterable[Markup]:
    if not reference_areas(results):
        return
    shares = Comparison(results, NORMALISED)
    domains = list(dict.fromkeys(domain for _, domain in shares.units))
    if len(domains) > 1:
        domains.append("")
    rows = (
        (name, *(f"{100 * shares.mean(name, domain).mean:.1f} %" for domain in domains))
        for name in shares.names
    )
    yield section(
        "Beside the oracle",
        note(f"Forms averaged over the budget of pages, in per cent of {reference(results)}, which "
             "knows every page before it is fetched. What no strategy could know is in the "
             "distance too, so 100 % is out of reach."),
        table(("strategy", *(domain or "all" for domain in domains)), rows),
    )  # fmt: skip


def _densities(results: Sequence[Result]) -> Markup:
    domains = list(dict.fromkeys(result.trial.domain for result in results))
    names = dict.fromkeys(result.trial.name for result in results)
    own = {(name, domain): [r for r in results if (r.trial.name, r.trial.domain) == (name, domain)]
           for name in names for domain in domains}  # fmt: skip
    rows = ((name, *(_density(own[name, domain]) for domain in domains)) for name in names)
    return table(("strategy", *domains), rows)


def _density(results: Sequence[Result]) -> Markup:
    if not results:
        return html("-")
    forms = sum(r.end.forms for r in results)
    pages = max(1, sum(r.end.pages for r in results))
    searchable = max(1, sum(r.end.searchable for r in results))
    return with_note(f"{100 * forms / pages:.2f} %", f"{100 * forms / searchable:.0f} %")


def _costs(results: Sequence[Result]) -> Markup:
    rows = []
    for name in dict.fromkeys(result.trial.name for result in results):
        own = [result for result in results if result.trial.name == name]
        forms, requests = sum(r.end.forms for r in own), sum(r.requests for r in own)
        listed, pages = sum(r.listed for r in own), sum(r.end.pages for r in own)
        rows.append(
            (
                name,
                f"{100 * forms / max(1, pages):.2f} %",
                short(requests / forms) if forms else "none found",
                f"{100 * sum(r.listed_true for r in own) / listed:.0f} %" if listed else "none",
                f"{100 * forms / max(1, sum(r.end.searchable for r in own)):.0f} %",
                f"{100 * sum(r.end.on_topic for r in own) / max(1, pages):.0f} %",
                f"{max(r.busiest_host for r in own):,}",
                f"{1e3 * sum(r.cpu_s for r in own) / max(1, pages):.2f}",
            )
        )
    return table(
        ("strategy", "forms per page", "requests per form", "precision of listed forms",
         "relevant of searchable", "pages on topic", "most visits to one host", "ms CPU per page"),
        rows,
    )  # fmt: skip


def _checkpoints(results: Sequence[Result]) -> Markup:
    marks = sorted({point.pages for result in results for point in result.checkpoints})
    if not marks:
        return Markup("")
    rows = []
    for name in dict.fromkeys(result.trial.name for result in results):
        own = [result for result in results if result.trial.name == name]
        at = {mark: [p for r in own for p in r.checkpoints if p.pages == mark] for mark in marks}
        rows.append((name, *(_at_mark(points) for points in at.values())))
    return section(
        "On the way",
        note("Forms, and deep sites below, after so many pages; means over all trials that came "
             "so far."),
        table(("strategy", *(f"{mark:,}" for mark in marks)), rows),
    )  # fmt: skip


def _at_mark(points: Sequence[Point]) -> Markup:
    if not points:
        return html("-")
    forms = sum(point.forms for point in points) / len(points)
    sites = sum(point.sites for point in points) / len(points)
    return with_note(short(forms), f"{short(sites)} sites")


def _trials(results: Sequence[Result]) -> Markup:
    rows = (
        (
            result.trial.name,
            f"{result.trial.profile} {result.trial.world_seed}",
            result.trial.domain,
            result.trial.seed,
            f"{result.end.pages:,}",
            result.end.forms,
            result.end.sites,
            result.end.searchable,
            f"{result.precision:.2f}",
            result.reason,
        )
        for result in results
    )
    columns = ("strategy", "world", "domain", "seed", "pages", "forms", "deep sites",
               "searchable", "precision", "ended by")  # fmt: skip
    return section("Every trial", table(columns, rows), folded=True)


def _percent(contest: Contest) -> str:
    difference, scale = contest.difference, 100 / contest.base if contest.base else math.nan
    if math.isnan(scale):
        return f"{difference.mean:+.2f} forms"
    if math.isnan(difference.low):
        return f"{scale * difference.mean:+.1f} %"
    ends = f"{scale * difference.low:+.1f} to {scale * difference.high:+.1f}"
    return f"{scale * difference.mean:+.1f} % ({ends})"


def _look(contest: Contest) -> str:
    if not contest.difference.excludes_zero:
        return ""
    return "good" if contest.difference.mean > 0 else "bad"


def _ends(low: float, high: float) -> str:
    return f"{short(max(0.0, low))} to {short(high)}"


def _p(p: float) -> str:
    if math.isnan(p):
        return "not tested"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
