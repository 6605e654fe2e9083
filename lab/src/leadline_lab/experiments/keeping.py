"""Results on disk: one small file for each trial as it ends, two Parquet tables of all."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from leadline.errors import ConfigError, StoreError
from leadline_lab.experiments.comparison import Unit, reference_areas, unit_of
from leadline_lab.experiments.grading import USES
from leadline_lab.experiments.plan import Experiment
from leadline_lab.experiments.trial import Result, Trial

RESULTS, CURVES = "results.parquet", "curves.parquet"
_PLAN = "experiment.json"
_TRIALS = "trials"


class ResultFolder:
    """The folder of one experiment. A file is there whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._encode = msgspec.json.Encoder(order="deterministic").encode
        self._decode = msgspec.json.Decoder(Result).decode

    def begin(self, experiment: Experiment) -> None:
        """Make the folder, or raise ConfigError when it holds another experiment's results."""
        (self.path / _TRIALS).mkdir(parents=True, exist_ok=True)
        plan, text = self.path / _PLAN, self._encode(experiment)
        if plan.exists() and plan.read_bytes() != text:
            raise ConfigError(
                f"{self.path} holds results of another plan; choose another folder or empty it"
            )
        self._write(plan, text)

    def experiment(self) -> Experiment:
        """What was run here."""
        try:
            return msgspec.json.decode((self.path / _PLAN).read_bytes(), type=Experiment)
        except (OSError, msgspec.DecodeError) as error:
            raise ConfigError(f"{self.path} holds no experiment: {error}") from None

    def put(self, result: Result) -> None:
        self._write(self._file(result.trial), self._encode(result))

    def has(self, trial: Trial) -> bool:
        return self._file(trial).exists()

    def get(self, trial: Trial) -> Result:
        """Raises StoreError when the file is missing or damaged."""
        try:
            return self._decode(self._file(trial).read_bytes())
        except (OSError, msgspec.DecodeError) as error:
            raise StoreError(f"cannot read {self._file(trial)}: {error}") from error

    def _file(self, trial: Trial) -> Path:
        return self.path / _TRIALS / f"{trial.key}.json"

    def _write(self, file: Path, content: bytes) -> None:
        waiting = file.with_name(f"{file.name}.{os.getpid()}")
        try:
            waiting.write_bytes(content)
            waiting.replace(file)
        except OSError as error:
            raise StoreError(f"cannot write {file}: {error}") from error


def write_tables(folder: Path, results: Sequence[Result]) -> None:
    """`results.parquet`, a row for each trial, and `curves.parquet`, a row for each point."""
    areas = reference_areas(results)
    _write_table(folder / RESULTS, (_row(result, areas) for result in results))
    _write_table(
        folder / CURVES,
        (
            _names(result) | msgspec.structs.asdict(point)
            for result in results
            for point in result.curve
        ),
    )


def _write_table(file: Path, rows: Iterable[dict[str, object]]) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_pylist(list(rows)), file, compression="zstd")


def _names(result: Result) -> dict[str, object]:
    trial = result.trial
    return {
        "contender": trial.name,
        "strategy": trial.contender.strategy,
        "critic": trial.critic,
        "profile": trial.profile,
        "world_seed": trial.world_seed,
        "domain": trial.domain,
        "seed": trial.seed,
    }


def _row(result: Result, areas: dict[Unit, float]) -> dict[str, object]:
    row = _names(result)
    unit = unit_of(result)
    row["normalised_area"] = result.area / areas[unit] if unit in areas else None
    row["settings"] = msgspec.json.encode(result.trial.contender.settings).decode()
    row["budget_pages"] = result.trial.budget_pages
    row |= msgspec.structs.asdict(result.end)
    row["requests"] = result.requests
    row["training_requests"] = result.training_requests
    for point in result.checkpoints:
        row[f"forms_at_{point.pages}"] = point.forms
        row[f"sites_at_{point.pages}"] = point.sites
    for name in ("area", "reason", "listed", "listed_true", "listed_interfaces", "precision"):
        row[name] = getattr(result, name)
    row |= {f"use_{use.replace(' ', '_')}": result.uses.get(use, 0) for use in USES}
    return row | {"busiest_host": result.busiest_host, "trail": result.trail, "cpu_s": result.cpu_s}
