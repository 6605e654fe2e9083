"""`leadline lab ...`: worlds and experiments. The last line of each is one JSON object."""

import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import msgspec

from leadline.errors import ConfigError
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.output import print_text, say
from leadline_lab.experiments.part import WHOLE, Narrowing
from leadline_lab.profile import PROFILES, profile_named
from leadline_lab.sites.domains import DOMAINS

_NEEDED = ("matplotlib", "pyarrow", "scipy")


def print_figures(figures: object) -> None:
    """One JSON object on one line of stdout."""
    print_text(msgspec.json.encode(figures).decode())
    sys.stdout.flush()


def check_extra() -> None:
    """Raise ConfigError where the packages of experiments are missing."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"experiments need {', '.join(missing)}: "
            "pip install 'leadline-lab[experiments]', then try again"
        )


def run_list(*, as_json: bool) -> Exit:
    from leadline_lab.experiments import many_makers
    from leadline_lab.experiments.plan import EXPERIMENTS
    from leadline_lab.harvests.plan import HARVESTS

    plans = {plan.name: plan.about for plan in EXPERIMENTS.values()}
    plans |= {plan.name: plan.about for plan in HARVESTS.values()}
    plans[many_makers.NAME] = many_makers.ABOUT
    if not as_json:
        say("profiles:")
        for profile in PROFILES.values():
            say(f"  {profile.name:<12} {profile.role}, scale {profile.scale / 1000:g}")
        say("  drawn-1, drawn-2 ...: drawn by lot; real-1 ...: the same, wearing real pages")
        say("domains:\n  " + ", ".join(DOMAINS))
        say("experiments:")
        for name, about in plans.items():
            say(f"  {name:<22} {about}")
    print_figures(
        {
            "profiles": {profile.name: profile.role for profile in PROFILES.values()},
            "domains": list(DOMAINS),
            "experiments": plans,
        }
    )
    return Exit.DONE


def run_seeds(domain: str, profile: str, seed: int, count: int, *, as_json: bool) -> Exit:
    from leadline_lab.world import World

    found = World(profile_named(profile), seed).seeds(domain, count)
    if as_json:
        print_figures({"profile": profile, "seed": seed, "domain": domain, "seeds": found})
    else:
        print_text("\n".join(found))
    return Exit.DONE


def run_serving(profile: str, seed: int, host: str, port: int, *, jobs: int, as_json: bool) -> Exit:
    from leadline_lab.server.serve import run_serve

    def tell(address: str) -> None:
        if as_json:
            print_figures({"address": address, "profile": profile, "seed": seed})
        else:
            say(f"serving world {profile}/{seed} at http://{address}/ (open it); Ctrl-C ends")

    run_serve(profile, seed, host, port, jobs, tell)
    return Exit.DONE


def run_experiments(
    name: str,
    out: Path | None,
    part: Narrowing,
    *,
    jobs: int,
    cache: Path | None,
    as_json: bool,
) -> Exit:
    check_extra()
    from leadline_lab.experiments import many_makers
    from leadline_lab.experiments.run import Options, run_experiment
    from leadline_lab.harvests.plan import HARVESTS
    from leadline_lab.harvests.run import run_harvests

    if part != WHOLE and name != many_makers.NAME:
        raise ConfigError(
            f"experiment {name} is run whole: --profiles, --domains, --seeds, --budgets, "
            f"--strategies, --critics and --knowledge are for {many_makers.NAME}"
        )

    told: list[int] = []

    def tell(done: int, total: int) -> None:
        if done not in told:
            told.append(done)
            say(f"{done} of {total} trials")

    folder = out or Path("lab-out") / name
    started = time.monotonic()
    on_progress = None if as_json else tell
    if name in HARVESTS:
        figures = run_harvests(name, folder, jobs, on_progress)
    elif name == many_makers.NAME:
        how = Options(cache=cache, on_progress=on_progress)
        figures = many_makers.run_strategies(folder, part, jobs, how)
    else:
        figures = run_experiment(name, folder, jobs, Options(cache=cache, on_progress=on_progress))
    if not as_json:
        say(f"results: {folder} ({time.monotonic() - started:.0f} s)")
    print_figures(figures)
    return Exit.DONE


def run_calibrating(
    profile: str, seeds: Sequence[int], *, jobs: int, out: Path | None, as_json: bool
) -> Exit:
    profile_named(profile)
    check_extra()
    from leadline_lab.calibration import as_markdown, as_text, run_calibration
    from leadline_lab.calibration.figures import overview_svg
    from leadline_lab.calibration.report import report_of

    figures = run_calibration(profile, seeds, jobs)
    report = report_of(figures)
    del figures["report"]
    if not as_json:
        say(as_text(report))
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        (out / "lab-calibration.md").write_text(as_markdown(report), encoding="utf-8")
        (out / "lab-calibration.svg").write_text(overview_svg(report), encoding="utf-8")
    print_figures(figures)
    return Exit.DONE


def run_profiles(names: Sequence[str], seed: int, *, as_json: bool) -> Exit:
    from leadline_lab.experiments.many_makers import PROFILES as MANY
    from leadline_lab.profile_figures import as_markdown, measure_profile

    rows = [measure_profile(name, seed) for name in names or MANY]
    if not as_json:
        say(as_markdown(rows))
    print_figures({"seed": seed, "profiles": rows})
    return Exit.DONE


def run_auditing(profile: str, seed: int, *, as_json: bool) -> Exit:
    profile_named(profile)
    from leadline_lab.audit import run_audit

    figures = run_audit(profile, seed)
    if not as_json:
        for name, figure in figures.items():
            say(f"{name}: {figure}")
    print_figures(figures)
    return Exit.DONE


def run_fingerprinting(profile: str, seed: int, pages: int, *, as_json: bool) -> Exit:
    profile_named(profile)
    from leadline_lab.determinism import figures_of

    figures = figures_of(profile, seed, pages)
    if not as_json:
        say(f"{figures['world']} is the digest of world {profile}/{seed}")
    print_figures(figures)
    return Exit.DONE
