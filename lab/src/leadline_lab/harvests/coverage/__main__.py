"""Keep harvests, fit the size model to them, judge it on others.

    python -m leadline_lab.harvests.coverage FOLDER --ask fit          seeds from 100
    python -m leadline_lab.harvests.coverage FOLDER --fit              writes the model that ships
    python -m leadline_lab.harvests.coverage FOLDER --ask check        seeds from 500
    python -m leadline_lab.harvests.coverage FOLDER --judge check
    python -m leadline_lab.harvests.coverage FOLDER --judge judge      asks seeds from 900 first
    python -m leadline_lab.harvests.coverage FOLDER --real DATA        real records, never fitted to

`--part N/M` asks and judges one of M parts of a set. The last line printed by `--judge` and
`--real` is one JSON object.
"""

import argparse
import sys
from pathlib import Path

import msgspec

import leadline
from leadline.harvester.coverage.estimators import FILE
from leadline.harvester.coverage.monitor import StoppingSettings
from leadline_lab.harvests.coverage.figures import courses
from leadline_lab.harvests.coverage.fitting import UNFITTED, fit, table_of
from leadline_lab.harvests.coverage.judging import judge
from leadline_lab.harvests.coverage.moments import FITTED, MOMENTS, moments_of
from leadline_lab.harvests.coverage.plan import (
    DEFAULT,
    FIRST_SEEDS,
    REQUESTS,
    ask,
    part_of,
    planned,
)
from leadline_lab.harvests.coverage.real import real_traces
from leadline_lab.harvests.coverage.regret import regrets
from leadline_lab.harvests.coverage.tables import regret_table, verdict_tables
from leadline_lab.harvests.coverage.traces import Trace, TraceFolder

_MODEL = Path(leadline.__file__).parent / "harvester" / "coverage" / FILE


def main() -> None:
    wanted = _arguments().parse_args()
    folder = wanted.folder
    if wanted.ask:
        _ask(folder / wanted.ask, wanted.ask, wanted.part)
    if wanted.fit:
        _fit(folder / "fit")
    if wanted.judge:
        _ask(folder / wanted.judge, wanted.judge, wanted.part)
        _judge(folder / wanted.judge)
    if wanted.real:
        for done in real_traces(wanted.real, TraceFolder(folder / "real"), REQUESTS):
            _say(f"{done.policy:15} {done.database:5} records, {done.case.kind.name}")
        _judge(folder / "real")
    if wanted.figure:
        wanted.figure.write_text(courses(_some(folder / "check")), encoding="utf-8")


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m leadline_lab.harvests.coverage")
    parser.add_argument("folder", type=Path, help="for kept harvests")
    parser.add_argument("--ask", choices=FIRST_SEEDS, help="harvest the sources of a set")
    parser.add_argument("--fit", action="store_true", help="fit the model to the set `fit`")
    parser.add_argument("--judge", choices=FIRST_SEEDS, help="judge the model on a set")
    parser.add_argument("--real", type=Path, help="judge on records/*.jsonl.gz of this folder")
    parser.add_argument("--part", default="0/1", help="only part N of M of a set, as N/M")
    parser.add_argument("--figure", type=Path, help="draw a few harvests of the set `check`")
    return parser


def _ask(path: Path, name: str, part: str) -> None:
    number, _, parts = part.partition("/")
    wanted = part_of(planned(FIRST_SEEDS[name]), int(number), int(parts or 1))
    for done in ask(TraceFolder(path), wanted, REQUESTS):
        _say(f"{done.policy:15} {done.case.size:5} records, {done.case.kind.name}")


def _fit(path: Path) -> None:
    moments = [
        moment
        for moment in moments_of(TraceFolder(path).all(), FITTED, UNFITTED)
        if moment.coverage.high is not None and moment.coverage.told is None
    ]
    table = table_of(moments)
    sources = len(set(table.sources.tolist()))
    about = {
        "command": "python -m leadline_lab.harvests.coverage FOLDER --ask fit --fit",
        "fitted to": f"{len(moments)} moments of harvests of {sources} sources",
    }
    text = msgspec.json.format(msgspec.json.encode(fit(table, about)), indent=1)
    _MODEL.write_bytes(text + b"\n")
    _say(f"{_MODEL.name}: {about['fitted to']}")


def _judge(path: Path) -> None:
    traces = list(TraceFolder(path).all())
    verdict = judge(list(moments_of(traces, MOMENTS)), traces)
    stopping = regrets(traces, StoppingSettings())
    _say(verdict_tables(verdict))
    _say(regret_table(stopping))
    figures = {"set": path.name, "harvests": len(traces), "sizes": verdict, "stopping": stopping}
    _say(msgspec.json.encode(figures).decode())


def _some(path: Path) -> list[Trace]:
    """The largest source of each cap that the default policy harvested through one box."""
    found: dict[int, Trace] = {}
    for trace in TraceFolder(path).all():
        known = found.get(trace.cap)
        if trace.policy != DEFAULT or trace.case.kind.form != "keyword":
            continue
        if known is None or trace.reachable > known.reachable:
            found[trace.cap] = trace
    return [found[cap] for cap in sorted(found)]


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
