"""The commands of the lab. Only signatures live here."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from cyclopts.validators import Number

from leadline.ui.cli.exits import Exit
from leadline.ui.cli.options import Json
from leadline_lab.experiments.part import WHOLE, Narrowing

lab = App(
    name="lab",
    help="The synthetic web: worlds whose truth is known, and experiments on them.",
    help_format="plaintext",
)

ProfileName = Annotated[str, Parameter(help="What kind of world: a name from `leadline lab list`.")]
Seed = Annotated[int, Parameter(help="Which world of that kind.")]
_SOME = Number(gte=1)
Jobs = Annotated[int, Parameter(help="Processes to use.", validator=_SOME)]


@lab.command(name="list")
def list_(*, json: Json = False) -> Exit:
    """The profiles, domains, critics and experiments there are."""
    from leadline_lab.commands import run_list

    return run_list(as_json=json)


@lab.command
def seeds(
    domain: Annotated[str, Parameter(help="One of the target domains.")],
    /,
    *,
    profile: ProfileName = "demo",
    seed: Seed = 1,
    count: Annotated[int, Parameter(help="How many.", validator=_SOME)] = 10,
    json: Json = False,
) -> Exit:
    """Sites to start a crawl from, as a user of that domain might know them."""
    from leadline_lab.commands import run_seeds

    return run_seeds(domain, profile, seed, count, as_json=json)


@lab.command
def serve(
    *,
    profile: ProfileName = "demo",
    seed: Seed = 1,
    host: Annotated[str, Parameter(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int,
        Parameter(
            help="Port to listen on; 0 for any free one.", validator=Number(gte=0, lte=65_535)
        ),
    ] = 8800,
    jobs: Jobs = 1,
    json: Json = False,
) -> Exit:
    """Serve a world over HTTP: virtual hosts, forward proxy, back-link and search services.

    Runs until Ctrl-C. The address itself shows a page that says how to crawl it.
    """
    from leadline_lab.commands import run_serving

    return run_serving(profile, seed, host, port, jobs=jobs, as_json=json)


@lab.command
def run(
    experiment: Annotated[str, Parameter(help="A name from `leadline lab list`.")],
    /,
    *,
    out: Annotated[
        Path | None, Parameter(help="Folder for results; lab-out/EXPERIMENT otherwise.")
    ] = None,
    jobs: Jobs = 1,
    cache: Annotated[
        Path | None,
        Parameter(help="Folder that keeps parsed pages for other runs too; otherwise in --out."),
    ] = None,
    part: Annotated[Narrowing, Parameter(name="*")] = WHOLE,
    json: Json = False,
) -> Exit:
    """Run an experiment: every strategy on every world and domain, graded by truth.

    Experiments whose name begins with harvest run every query policy on every kind of source.
    Of the experiment `strategies` a part can be run: --profiles, --domains, --seeds, --budgets,
    --strategies and --critics narrow it, --knowledge says what all strategies begin with.
    A run that was stopped goes on where it stopped. Results are Parquet files,
    figures and one HTML report, of harvests a table; the last line is one JSON object of figures.
    """
    from leadline_lab.commands import run_experiments

    return run_experiments(experiment, out, part, jobs=jobs, cache=cache, as_json=json)


@lab.command
def calibration(
    *,
    profile: ProfileName = "dev",
    seeds: Annotated[
        tuple[int, ...], Parameter(consume_multiple=True, negative=(), help="Which worlds.")
    ] = (101, 102, 103, 104, 105),
    jobs: Jobs = 2,
    out: Annotated[
        Path | None, Parameter(help="Folder for the report in Markdown and its figures.")
    ] = None,
    json: Json = False,
) -> Exit:
    """Measure worlds beside the targets they are built for and beside real figures."""
    from leadline_lab.commands import run_calibrating

    return run_calibrating(profile, seeds, jobs=jobs, out=out, as_json=json)


@lab.command
def profiles(
    names: Annotated[
        tuple[str, ...], Parameter(help="Which profiles; those of `lab run strategies` otherwise.")
    ] = (),
    /,
    *,
    seed: Seed = 1,
    json: Json = False,
) -> Exit:
    """Measure a world of each profile beside counts on real pages of 2025."""
    from leadline_lab.commands import run_profiles

    return run_profiles(names, seed, as_json=json)


@lab.command
def audit(*, profile: ProfileName = "dev", seed: Seed = 101, json: Json = False) -> Exit:
    """Check that numbers in URLs and other accidents of the making give nothing away."""
    from leadline_lab.commands import run_auditing

    return run_auditing(profile, seed, as_json=json)


@lab.command
def fingerprint(
    *,
    profile: ProfileName = "small",
    seed: Seed = 1,
    pages: Annotated[int, Parameter(help="How many pages go into it.", validator=_SOME)] = 300,
    json: Json = False,
) -> Exit:
    """A digest of a world's bytes: the same on every machine and Python version."""
    from leadline_lab.commands import run_fingerprinting

    return run_fingerprinting(profile, seed, pages, as_json=json)
