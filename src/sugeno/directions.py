"""Directions: whether higher or lower values of a feature speak for the positive class.

The paper's Appendix B asks a flexible model what happens when a feature is raised, and lets the
rows vote; that is the method "model". The method "rank" looks at each feature alone: the share
of pairs of a positive and a negative row in which the positive one has the higher value. It is
deterministic, fast, and does not change when a feature is rescaled.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.utils.multiclass import check_classification_targets

from sugeno.measure import RowWeights, row_weights, value_counts
from sugeno.quantiles import fit_quantiles, utilities
from sugeno.utility import check_directions, check_table

__all__ = [
    "Directions",
    "WeakDirectionWarning",
    "infer_directions",
    "rank_directions",
    "resolve_directions",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Below this |z| a direction could easily be chance (5 % on either side).
WEAK_Z = 1.645
#: A share of up votes in this range does not settle a direction.
WEAK_SHARE = (0.4, 0.6)

#: Columns are ranked together as long as they stay in the cache.
_BLOCK_ENTRIES = 2**15
_LIMB = 2**21 - 1


class WeakDirectionWarning(UserWarning):
    """The data says little about the direction of some features.

    Examples
    --------
    >>> from sugeno.directions import WeakDirectionWarning
    >>> issubclass(WeakDirectionWarning, UserWarning)
    True
    """


@dataclass(frozen=True, eq=False, repr=False)
class Directions:
    """Directions of all features, with the evidence for each. Prints as a table.

    Attributes
    ----------
    directions : ndarray of int of shape (m,)
        +1 where higher values are better, -1 where lower ones are.
    names : tuple of str
        Names of the features.
    statistic : ndarray of shape (m,)
        Method "rank": the area under the ROC curve of the feature. Method "model": the share of
        up votes. Either way 1/2 says nothing, and more speaks for +1.
    weak : ndarray of bool of shape (m,)
        Whether the evidence is weak.
    method : {"rank", "model"}
        How the directions were found.
    votes_up, votes_down : ndarray of shape (m,) or None
        Method "model": weight of the rows whose output goes up or down with the feature.

    Examples
    --------
    >>> from sugeno.directions import infer_directions
    >>> X = [[1, 9], [2, 8], [3, 7], [4, 6], [5, 5], [6, 5]]
    >>> found = infer_directions(X, [0, 0, 0, 1, 1, 1])
    >>> found
    Directions by method 'rank'
    feature  direction  AUC    evidence
    x0       +1         1.000  clear
    x1       -1         0.000  clear
    >>> found.to_dict()
    {'x0': 1, 'x1': -1}
    """

    directions: Ints
    names: tuple[str, ...]
    statistic: Floats
    weak: Bools
    method: Literal["rank", "model"]
    votes_up: Floats | None = None
    votes_down: Floats | None = None

    def to_dict(self) -> dict[str, int]:
        """Return the directions by feature name, as estimators take them."""
        return dict(zip(self.names, self.directions.tolist()))

    def __repr__(self) -> str:
        columns = [
            ["feature", *self.names],
            ["direction", *(f"{d:+d}" for d in self.directions)],
            *self._evidence(),
            ["evidence", *("weak" if weak else "clear" for weak in self.weak)],
        ]
        widths = [max(map(len, column)) for column in columns]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
            for row in zip(*columns)
        ]
        return "\n".join([f"Directions by method {self.method!r}", *lines])

    def _evidence(self) -> list[list[str]]:
        """Columns of the table that hold the statistic, and the votes if there are any."""
        statistic = [f"{value:.3f}" for value in self.statistic]
        if self.votes_up is None or self.votes_down is None:
            return [["AUC", *statistic]]
        return [
            ["up", *(f"{votes:.6g}" for votes in self.votes_up)],
            ["down", *(f"{votes:.6g}" for votes in self.votes_down)],
            ["up share", *statistic],
        ]


def resolve_directions(
    given: ArrayLike | Mapping[str, int] | str | None,
    X: Floats,
    y: Bools,
    weights: RowWeights,
    names: Sequence[str] | NDArray[np.object_] | None = None,
) -> Ints:
    """Take the directions that were given, or find them by `rank_directions` for "auto".

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.directions import resolve_directions
    >>> from sugeno.measure import row_weights
    >>> X, y, weights = np.array([[1.0], [2.0]]), np.array([True, False]), row_weights(None, 2)
    >>> resolve_directions("auto", X, y, weights), resolve_directions(None, X, y, weights)
    (array([-1]), array([1]))
    """
    if isinstance(given, str):
        return rank_directions(X, y, weights)[0]
    return check_directions(given, X.shape[1], names)


def rank_directions(X: Floats, y: Bools, weights: RowWeights) -> tuple[Ints, Floats]:
    """Direction of each column by the sign of AUC - 1/2; a tie gives +1.

    The area under the ROC curve (AUC) is the share of pairs of a positive and a negative row in
    which the positive one has the higher value, ties counted half. Pairs are counted in exact
    integers. Costs one sort per column. Input is trusted; `infer_directions` validates it.

    Parameters
    ----------
    X : ndarray of float64 of shape (n, m)
        Finite values.
    y : ndarray of bool of shape (n,)
        Class of each row; both classes have positive weight.
    weights : RowWeights
        Weights of the rows.

    Returns
    -------
    directions : ndarray of int64 of shape (m,)
        +1 or -1.
    auc : ndarray of shape (m,)
        The statistic.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.directions import rank_directions
    >>> from sugeno.measure import row_weights
    >>> X = np.array([[1.0, 3.0], [2.0, 2.0], [3.0, 2.0]])
    >>> rank_directions(X, np.array([False, True, True]), row_weights(None, 3))
    (array([ 1, -1]), array([1., 0.]))
    """
    counts = np.ones(y.size, dtype=np.int64) if weights.values is None else weights.values
    positive = np.where(y, counts, 0)
    negative = counts - positive
    pairs = int(positive.sum()) * int(negative.sum())
    doubled: list[int] = []
    width = max(_BLOCK_ENTRIES // y.size, 1)
    for start in range(0, X.shape[1], width):
        columns = np.ascontiguousarray(X[:, start : start + width].T)
        doubled += _doubled_wins(columns, positive, negative, long=pairs >= 2**62)
    directions = np.array([1 if wins >= pairs else -1 for wins in doubled], dtype=np.int64)
    # Python divides integers of any size with one rounding.
    return directions, np.array([wins / (2 * pairs) for wins in doubled])


def _doubled_wins(columns: Floats, positive: Ints, negative: Ints, *, long: bool) -> list[int]:
    """Per column twice the weight of the pairs that the positive row wins; a tie is half a win.

    Each distinct value beats the negative weight below it and ties with the one at it: that is
    half of the weight up to the value before and half of the weight up to itself.
    """
    order = np.argsort(columns, axis=1)
    ordered = np.take_along_axis(columns, order, axis=1)
    last = np.ones(ordered.shape, dtype=bool)  # of the rows that share a value
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=last[:, :-1])
    ends = np.cumsum(np.count_nonzero(last, axis=1))
    starts = np.concatenate(([0], ends[:-1]))
    upper = np.cumsum(positive[order], axis=1)[last]
    lower = np.cumsum(negative[order], axis=1)[last]
    won, rivals = upper.copy(), lower.copy()
    won[1:] -= upper[:-1]
    rivals[1:] += lower[:-1]
    # Nothing lies before the first value of a column, least of all the column before.
    won[starts], rivals[starts] = upper[starts], lower[starts]
    if long:
        return _long_products(won, rivals, starts)
    products: list[int] = np.add.reduceat(won * rivals, starts).tolist()
    return products


def _long_products(a: Ints, b: Ints, starts: NDArray[np.intp]) -> list[int]:
    """Exact scalar products of the stretches of two vectors that begin at the given places.

    The integers, of up to 63 bits, are cut into limbs of 21 bits. A product of two limbs has 42
    bits, so that a million of them can be added in 64.
    """
    cuts = np.union1d(starts, np.arange(0, a.size, 2**20))
    stretch = (np.searchsorted(starts, cuts, side="right") - 1).tolist()
    result = [0] * len(starts)
    for low, high in itertools.product((0, 21, 42), repeat=2):
        products = (a >> low & _LIMB) * (b >> high & _LIMB)
        for place, part in zip(stretch, np.add.reduceat(products, cuts).tolist()):
            result[place] += part << low + high
    return result


def _rank_scores(X: Floats, auc: Floats, y: Bools, weights: RowWeights) -> Floats:
    """Return AUC - 1/2 in standard deviations that it has when a feature says nothing.

    The variance is that of the Mann-Whitney statistic with ties, the weights being counts.
    """
    rows = weights.total * weights.unit
    share = weights.take(y).total / weights.total
    spread = 1.0 - np.array([_cubed_ties(column, weights) for column in X.T])
    pairs = 12 * max(rows - 1, 0.0) * share * (1 - share)
    # No spread (a constant feature) or no more than one row: nothing is known.
    known = (spread > 0) & (pairs > 0)
    deviation = np.sqrt(np.divide(spread, pairs, out=np.ones_like(spread), where=known))
    return np.where(known, (auc - 0.5) / deviation, 0.0)


def _cubed_ties(column: Floats, weights: RowWeights) -> float:
    """Sum of the cubed shares of the distinct values; 1 when there is only one."""
    cumulative = value_counts(column, weights.values)[1]
    shares = np.diff(cumulative, prepend=0) / weights.total
    return float((shares**3).sum())


def _by_rank(
    X: Floats, y: Bools, weights: RowWeights, names: tuple[str, ...], random_state: object
) -> Directions:
    """Look at each feature alone."""
    directions, auc = rank_directions(X, y, weights)
    weak = np.abs(_rank_scores(X, auc, y, weights)) < WEAK_Z
    return Directions(directions, names, auc, weak, "rank")


def _by_model(
    X: Floats, y: Bools, weights: RowWeights, names: tuple[str, ...], random_state: object
) -> Directions:
    """Let the rows vote on what a neural network does when a feature is raised (Appendix B)."""
    m = X.shape[1]
    knots = fit_quantiles(X, weights, np.ones(m, dtype=np.int64))
    U, labels, counts = _distinct_rows(utilities(X, knots), y, weights)
    network = _fit_network(U, labels, np.multiply(counts, weights.unit), random_state)
    votes = np.array([_votes(U, j, counts, network) for j in range(m)]) * weights.unit
    up, down = votes.T
    cast = up + down
    share = np.divide(up, cast, out=np.full(m, 0.5), where=cast > 0)
    weak = (share >= WEAK_SHARE[0]) & (share <= WEAK_SHARE[1])
    directions = np.where(up >= down, 1, -1).astype(np.int64)
    return Directions(directions, names, share, weak, "model", up, down)


def _distinct_rows(U: Floats, y: Bools, weights: RowWeights) -> tuple[Floats, Bools, Ints]:
    """Distinct labelled rows in a canonical order, and their weights.

    The network then sees the measure and not the rows: neither their order nor the way in which
    a weight is spread over equal rows can change what it learns.
    """
    rows, place = np.unique(np.column_stack([U, y]), axis=0, return_inverse=True)
    counts = np.zeros(rows.shape[0], dtype=np.int64)
    np.add.at(counts, place.ravel(), 1 if weights.values is None else weights.values)
    return rows[:, :-1], rows[:, -1] > 0, counts


def _fit_network(U: Floats, y: Bools, weights: Floats, random_state: object) -> _Network:
    """Fit a small neural network to standardised utilities."""
    scaler = StandardScaler().fit(U, sample_weight=weights)
    model = MLPClassifier(
        hidden_layer_sizes=(16,),
        activation="tanh",
        solver="lbfgs",
        alpha=1.0,
        max_iter=300,
        random_state=random_state,
    )
    with warnings.catch_warnings():
        # The votes need the sign of a slope, not the last digits of an optimum.
        warnings.simplefilter("ignore", ConvergenceWarning)
        # scikit-learn 1.7 hands SciPy an option that SciPy 1.16 deprecates.
        warnings.filterwarnings("ignore", ".*iprint", DeprecationWarning)
        model.fit(scaler.transform(U), y, sample_weight=weights)
    return _Network(scaler, model)


@dataclass(frozen=True)
class _Network:
    """A fitted network; its output is the log-odds, which unlike probabilities do not saturate."""

    scaler: StandardScaler
    model: MLPClassifier

    def __call__(self, U: Floats) -> Floats:
        (inner, outer), (inner_bias, outer_bias) = self.model.coefs_, self.model.intercepts_
        hidden = np.tanh(self.scaler.transform(U) @ inner + inner_bias)
        output: Floats = (hidden @ outer + outer_bias)[:, 0]
        return output


def _votes(U: Floats, j: int, counts: Ints, network: _Network) -> tuple[int, int]:
    """Weight of the rows whose output goes up, and down, when feature j goes one step up.

    A step leads to the next observed value. Rows at the highest one cannot take it.
    """
    steps = np.unique(U[:, j])
    place = np.searchsorted(steps, U[:, j])
    able = place < steps.size - 1
    raised = U[able]
    raised[:, j] = steps[place[able] + 1]
    change = network(raised) - network(U[able]) if able.any() else np.zeros(0)
    return int(counts[able][change > 0].sum()), int(counts[able][change < 0].sum())


_METHODS = {"rank": _by_rank, "model": _by_model}


def infer_directions(
    X: ArrayLike,
    y: ArrayLike,
    *,
    method: Literal["rank", "model"] = "rank",
    sample_weight: ArrayLike | None = None,
    random_state: int | np.random.RandomState | None = None,
) -> Directions:
    """Find out for each feature whether higher or lower values speak for the positive class.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Table of numbers.
    y : array-like of shape (n_samples,)
        Labels of two classes; the second one in sorted order is the positive class.
    method : {"rank", "model"}, default="rank"
        "rank" takes the sign of AUC - 1/2 of each feature alone, +1 when it is exactly 1/2. The
        evidence is weak when the Mann-Whitney statistic (normal approximation with ties) lies
        less than 1.645 standard deviations from its mean without any effect.

        "model" is Appendix B of the paper. A neural network with one hidden layer of 16 units
        learns the classes from the utilities of the features (`sugeno.utility`, standardised);
        the utilities keep the order of the values and nothing else. Then each row votes on each
        feature: does the output go up or down when its value is raised by δ? The step δ leads to
        the next value that was observed for this feature, the smallest step that an ordinal
        scale knows; rows at the highest value do not vote. The evidence is weak when between
        40 % and 60 % of the votes are for up.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows. They are counts: a weight of 2 is a row that stands there twice,
        for the direction and for the strength of the evidence.
    random_state : int, RandomState or None, default=None
        Seed of the network's first weights. Give an integer for the same result every time. The
        method "rank" has nothing random.

    Returns
    -------
    Directions
        Directions, statistic and strength of the evidence per feature. It prints as a table.

    Warns
    -----
    WeakDirectionWarning
        When the evidence is weak for some features; the warning names them.

    Examples
    --------
    >>> from sugeno.directions import infer_directions
    >>> X = [[1, 9], [2, 8], [3, 7], [4, 6], [5, 5], [6, 5]]
    >>> y = ["bad", "bad", "bad", "good", "good", "good"]
    >>> infer_directions(X, y, method="model", random_state=0)
    Directions by method 'model'
    feature  direction  up  down  up share  evidence
    x0       +1         5   0     1.000     clear
    x1       -1         0   5     0.000     clear
    """
    if method not in _METHODS:
        raise ValueError(
            f"The 'method' parameter of infer_directions must be one of {list(_METHODS)}. "
            f"Got {method!r} instead."
        )
    holder = BaseEstimator()  # validation leaves the feature names on an estimator
    table, labels = check_table(holder, X, y=y)
    names = getattr(holder, "feature_names_in_", [f"x{j}" for j in range(table.shape[1])])
    weights = row_weights(sample_weight, table.shape[0])
    if weights.present is not None:
        table, labels = table[weights.present], labels[weights.present]
        weights = weights.take(weights.present)
    positive = _positive_class(labels)
    found = _METHODS[method](table, positive, weights, tuple(map(str, names)), random_state)
    if found.weak.any():
        warnings.warn(_weak_message(found), WeakDirectionWarning, stacklevel=2)
    return found


def _positive_class(y: NDArray[np.generic]) -> Bools:
    """Whether each label is the larger of the two classes."""
    check_classification_targets(y)
    classes = np.unique(y)
    if classes.size != 2:
        shown = ", ".join(repr(label) for label in classes[:5].tolist())
        raise ValueError(
            f"Directions need y with exactly two classes. Got {classes.size} class(es): {shown}"
            f"{', ...' if classes.size > 5 else ''}. Merge classes, or pass the directions."
        )
    result: Bools = y == classes[1]
    return result


def _weak_message(found: Directions) -> str:
    """Warning that names the features whose direction is uncertain."""
    word = "AUC" if found.method == "rank" else "share of up votes"
    features = ", ".join(
        f"{found.names[j]!r} ({word} {found.statistic[j]:.3f})" for j in np.flatnonzero(found.weak)
    )
    return (
        f"The evidence for the direction of {features} is weak. "
        "Check it, and pass the directions that you know."
    )
