"""Boosted trees that learn which candidate of a page to prefer, for `tools.block_training`.

Regression on how well each candidate agrees with the results spends itself on candidates that
nobody would take. Here the loss is that of a choice: the scores of the candidates of one page,
taken as odds, are to be like odds made of their agreement (ListNet, Cao et al. 2007). Gradients of
any loss can be boosted with the tree grower of scikit-learn's histogram gradient boosting; it is
private there, as the predictors are whose nodes `tools.block_training` writes out.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble._hist_gradient_boosting.binning import _BinMapper
from sklearn.ensemble._hist_gradient_boosting.common import G_H_DTYPE
from sklearn.ensemble._hist_gradient_boosting.grower import TreeGrower
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor

RATE = 0.08
LEAVES, LEAF_SIZE = 12, 20
SHARPNESS = 0.1
"""Difference in agreement that makes odds e to one. Of .05, .1 and .2, with rates of .05 and .1,
courts left out were read alike (.963 to .969 of what could be chosen)."""
_PAGES_SHARE = 0.7
"""Of the pages that each tree sees."""
_BINS = 255
_LEAST_HESSIAN = 1e-3


def fit_preferences(
    pages: Sequence[tuple[NDArray[np.float64], NDArray[np.float64], float]],
    directions: Mapping[int, int],
    *,
    trees: int,
    depth: int,
) -> list[TreePredictor]:
    """`pages`: of each the measures of its candidates, how well they agree with its results, and
    its weight. `directions`: features that may speak in one direction only, by their number."""
    rows = np.concatenate([rows for rows, _, _ in pages])
    agreement = np.concatenate([targets for _, targets, _ in pages])
    sizes = np.array([len(targets) for _, targets, _ in pages])
    weights = np.array([weight for _, _, weight in pages])
    weights /= weights.mean()
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    page_of = np.repeat(np.arange(len(pages)), sizes)

    def odds(values: NDArray[np.float64]) -> NDArray[np.float64]:
        raised = np.exp(values - np.maximum.reduceat(values, starts)[page_of])
        shares: NDArray[np.float64] = raised / np.add.reduceat(raised, starts)[page_of]
        return shares

    mapper = _BinMapper(n_bins=_BINS + 1, random_state=1, n_threads=1)
    binned = np.asfortranarray(mapper.fit_transform(rows))
    only = np.array([directions.get(n, 0) for n in range(rows.shape[1])], dtype=np.int8)
    wanted = odds(agreement / SHARPNESS)
    scores = np.zeros(len(agreement))
    rng = np.random.default_rng(1)
    grown = []
    for number in range(trees):
        given = odds(scores)
        weight = (weights * (rng.random(len(pages)) < _PAGES_SHARE))[page_of]
        hessians = np.maximum(given * (1 - given), _LEAST_HESSIAN) * weight
        gradients = ((given - wanted) * weight).astype(G_H_DTYPE)
        grower = TreeGrower(
            binned, gradients, (hessians + 1e-6).astype(G_H_DTYPE),
            max_leaf_nodes=LEAVES, max_depth=depth, min_samples_leaf=LEAF_SIZE,
            l2_regularization=1.0, n_bins=_BINS + 1,
            n_bins_non_missing=mapper.n_bins_non_missing_, has_missing_values=False,
            monotonic_cst=only, shrinkage=RATE, feature_fraction_per_split=0.5,
            rng=np.random.default_rng(number), n_threads=1,
        )  # fmt: skip
        grower.grow()
        tree = grower.make_predictor(binning_thresholds=mapper.bin_thresholds_)
        grown.append(tree)
        scores += tree.predict_binned(binned, mapper.missing_values_bin_idx_, n_threads=1)
    return grown
