"""Learns how far off each estimate of a database's size is, and how sure one can be.

Quantile regression (R. Koenker and G. Bassett, Econometrica 46, 1978) with a penalty on the sum of
absolute weights, then the ends moved apart until they hold on sources left out of the fit (Y.
Romano, E. Patterson and E. Candes, "Conformalized Quantile Regression", NeurIPS 2019).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.harvester.coverage.estimators import (
    IntervalEstimate,
    LinearEstimate,
    SizeModel,
    is_by_choice,
    log_unseen,
)
from leadline_lab.harvests.coverage.moments import Moment

Floats = NDArray[np.float64]

LOW, MIDDLE, HIGH = 0.05, 0.5, 0.95
WANTED = 0.95
"""Of the intervals that must hold on sources left out."""
PENALTIES = {"words": 0.007, "choices": 0.03}
"""Those with the narrowest intervals on sources left out; there are few harvests by choices."""
FOLDS = 8
_DIGITS = 5
_FLAT = IntervalEstimate(LinearEstimate(0.0, {}), LinearEstimate(0.0, {}), LinearEstimate(0.0, {}))
UNFITTED = SizeModel(_FLAT, _FLAT)
"""As many again as are held: for looking at evidence alone."""


class Table(Struct, frozen=True, eq=False):
    """Moments as numbers."""

    names: list[str]
    rows: Floats
    truth: Floats
    """`unseen` of the reachable records."""
    sources: NDArray[np.int64]

    def column(self, name: str) -> Floats:
        return self.rows[:, self.names.index(name)]

    def only(self, is_in: NDArray[np.bool_]) -> "Table":
        return Table(self.names, self.rows[is_in], self.truth[is_in], self.sources[is_in])


def table_of(moments: Sequence[Moment]) -> Table:
    names = sorted(moments[0].features)
    return Table(
        names,
        np.array([[moment.features[name] for name in names] for moment in moments]),
        np.array([log_unseen(moment.reachable, moment.coverage.held) for moment in moments]),
        np.array([moment.seed for moment in moments]),
    )


def fit(table: Table, about: dict[str, str]) -> SizeModel:
    chosen = table.column("chosen")
    by_choice = np.array([is_by_choice({"chosen": share}) for share in chosen.tolist()])
    return SizeModel(
        fit_lines(table.only(~by_choice), PENALTIES["words"]),
        fit_lines(table.only(by_choice), PENALTIES["choices"]),
        about,
    )


def fit_lines(table: Table, penalty: float) -> IntervalEstimate:
    below, above = margins(table, penalty)
    low, middle, high = (_line(table, share, penalty) for share in (LOW, MIDDLE, HIGH))
    weighed = {name for line in (low, middle, high) for name in line.weights}
    bounds = {
        name: (
            round(float(table.column(name).min()), _DIGITS),
            round(float(table.column(name).max()), _DIGITS),
        )
        for name in sorted(weighed)
    }
    return IntervalEstimate(
        LinearEstimate(round(low.constant - below, _DIGITS), low.weights),
        middle,
        LinearEstimate(round(high.constant + above, _DIGITS), high.weights),
        bounds,
    )


def margins(table: Table, penalty: float) -> tuple[float, float]:
    """By how much the ends must move so that each misses no more than its half of the chances on
    sources that were left out."""
    low, high = np.zeros(len(table.truth)), np.zeros(len(table.truth))
    for is_out in folds(table.sources):
        fitted = table.only(~is_out)
        for share, found in ((LOW, low), (HIGH, high)):
            found[is_out] = _values(_line(fitted, share, penalty), table.only(is_out))
    low = np.minimum(low, table.column("least"))
    side = (1 + WANTED) / 2
    below = float(np.quantile(low - table.truth, side))
    above = float(np.quantile(table.truth - high, side))
    return max(0.0, below), max(0.0, above)


def folds(sources: NDArray[np.int64]) -> list[NDArray[np.bool_]]:
    """No source is in two of them."""
    order = {source: place for place, source in enumerate(sorted(set(sources.tolist())))}
    number = np.array([order[source] % FOLDS for source in sources.tolist()])
    return [number == fold for fold in range(FOLDS) if (number == fold).any()]


def _line(table: Table, share: float, penalty: float) -> LinearEstimate:
    from sklearn.linear_model import QuantileRegressor

    mean, spread = table.rows.mean(axis=0), table.rows.std(axis=0) + 1e-9
    regressor: Any = QuantileRegressor(quantile=share, alpha=penalty, solver="highs")
    regressor.fit((table.rows - mean) / spread, table.truth)
    weights = regressor.coef_ / spread
    constant = float(regressor.intercept_ - (weights * mean).sum())
    kept = {
        name: round(float(weight), _DIGITS)
        for name, weight, scaled in zip(table.names, weights, regressor.coef_, strict=True)
        if abs(scaled) > 10.0**-_DIGITS
    }
    return LinearEstimate(round(constant, _DIGITS), kept)


def _values(line: LinearEstimate, table: Table) -> Floats:
    weights = np.array([line.weights.get(name, 0.0) for name in table.names])
    values: Floats = line.constant + table.rows @ weights
    return values
