"""Monotone labels: the cheapest change that makes a table monotone, and classifiers fitted to it.

A row dominates another when it is at least as good in every criterion. Labels are monotone when
no row has a lower class than one that it dominates. Section 7 of the paper asks whether learning
from relabelled data is a viable alternative; docs/relabelling.md has what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.dummy import DummyClassifier

from sugeno._counts.loss import Loss
from sugeno._counts.value_counting import count_values_by_class
from sugeno._counts.weights import RowWeights, row_weights
from sugeno._learning.labels import distinct_labels, ordered_classes
from sugeno._scales.columns import declared_order
from sugeno._scales.directions import (
    Directions,
    directions_by_rank,
    given_directions,
    warn_if_weak,
)
from sugeno._scales.evidence import rank_evidence
from sugeno._scales.missing import MISSING_POLICIES, reaches_all_levels
from sugeno._scales.number import plain
from sugeno._sklearn import HasMethods, StrOptions, fit_context
from sugeno.estimators._validation import check_table
from sugeno.estimators._wrapping import (
    AnswersAsInside,
    inner_has,
    rows_with_weight,
    weights_for,
)
from sugeno.model.text import counted
from sugeno.solvers.nested import nested_labels
from sugeno.solvers.order import Arcs, cover_arcs, dominance_pairs

__all__ = ["MonotoneLabels", "RelabelledClassifier", "monotone_labels"]

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class MonotoneLabels:
    """Labels that agree with dominance, and how they differ from the given ones.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The monotone labels.
    given : ndarray of shape (n,)
        The labels that were given.
    classes : ndarray of shape (C,)
        The classes, the lowest first.
    cost : float
        Weighted loss of all changes; no monotone labels cost less.

    Examples
    --------
    >>> from sugeno import monotone_labels
    >>> found = monotone_labels([[1], [2], [3], [4]], [0, 2, 1, 2], directions=None)
    >>> found.labels, found.changed, found.violations
    (array([0, 0, 1, 2]), array([1]), array([[1, 2]]))
    >>> print(found)
    1 of 4 rows changed, cost 1; 1 pair of rows violated monotonicity
      row 1: 2 -> 0
    """

    labels: NDArray[Any]
    given: NDArray[Any]
    classes: NDArray[Any]
    cost: float
    _codes: Places = field(repr=False)
    _lower: Places = field(repr=False)
    _upper: Places = field(repr=False)

    @property
    def changed(self) -> Places:
        """The rows whose label is another one."""
        return np.flatnonzero(self.labels != self.given)

    @cached_property
    def violations(self) -> Places:
        """Pairs (i, j) in which row j dominates row i and was given a lower class: shape (v, 2).

        Every pair of rows is compared.
        """
        i, j = dominance_pairs(self._upper, self._lower)
        wrong = self._codes[i] > self._codes[j]
        return np.column_stack([i[wrong], j[wrong]])

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per changed row: ``row``, ``given`` and ``label``."""
        rows = self.changed
        return [
            {"row": row, "given": given, "label": label}
            for row, given, label in zip(
                rows.tolist(), self.given[rows].tolist(), self.labels[rows].tolist()
            )
        ]

    def __str__(self) -> str:
        records, pairs = self.to_records(), len(self.violations)
        head = (
            f"{len(records)} of {len(self.labels)} rows changed, cost {plain(self.cost)}; "
            f"{counted(pairs, 'pair')} of rows violated monotonicity"
        )
        shown = [f"  row {r['row']}: {r['given']!r} -> {r['label']!r}" for r in records[:20]]
        more = [f"  and {len(records) - 20} more"] if len(records) > 20 else []
        return "\n".join([head, *shown, *more])


def monotone_labels(
    X: ArrayLike,
    y: ArrayLike,
    *,
    loss: str | ArrayLike = "zero_one",
    classes: Sequence[Any] | str | None = None,
    directions: Directions | ArrayLike | Mapping[str, int | str] | str | None = "auto",
    sample_weight: ArrayLike | None = None,
    missing: str = "error",
) -> MonotoneLabels:
    """Find the monotone labels that differ from the given ones at the least cost, exactly.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers, and in a frame ordered categoricals.
    y : array-like of shape (n_samples,)
        Labels of two or more ordered classes.
    loss : {"zero_one", "absolute", "mixed"} or array-like of shape (C, C), default="zero_one"
        What a change costs: "zero_one" counts changed rows, "absolute" the distance in classes,
        "mixed" is the sum of both. A matrix has a row per given and a column per new class.
    classes : sequence, "sorted" or None, default=None
        The classes, the lowest first. None takes the order of an ordered categorical, or of
        numbers; text is refused, unless "sorted" says that alphabetical order is meant.
    directions : "auto", Directions, array-like of shape (n_features,), dict or None, default="auto"
        As for `SugenoClassifier`: which values are better.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows; the cost of a change is multiplied by them. A row of weight 0 gets a
        label that fits the others.
    missing : {"error", "pessimistic", "optimistic", "interval"}, default="error"
        What a missing value means: worse than every value, better than every value, or unknown.
        With "interval" a row dominates another if it does so whatever the missing values are.

    Returns
    -------
    MonotoneLabels
        The labels, the rows that changed, and the pairs that violated monotonicity. Of several
        cheapest solutions the one with the lowest labels.

    Notes
    -----
    One minimum cut with a node per distinct row and class boundary; for "absolute" and other
    convex losses one per boundary. Every pair of distinct rows is compared.

    Examples
    --------
    >>> from sugeno import monotone_labels
    >>> X, y = [[1, 5], [2, 5], [3, 5]], ["good", "bad", "good"]
    >>> monotone_labels(X, y, classes=["bad", "good"], directions=None).labels
    array(['bad', 'bad', 'good'], dtype='<U4')
    """
    if missing not in MISSING_POLICIES:
        raise ValueError(
            f"missing must be one of {list(MISSING_POLICIES)}. Got {missing!r} instead."
        )
    columns = BaseEstimator()
    columns.missing = missing
    table, labels = check_table(columns, X, y=y, missing=missing)
    names = getattr(columns, "feature_names_in_", None)
    found_labels, places = distinct_labels(labels)
    ordered = ordered_classes(found_labels, classes, declared_order(y), name="classes")
    known, codes = ordered.labels, ordered.places(found_labels)[places]
    weights = row_weights(sample_weight, len(table))
    signs = _signs(table, codes, weights, directions, names, len(known))
    lower, upper = _ends(table * signs, missing)
    found, cost = _cheapest(lower, upper, codes, weights, Loss.of(loss, len(known)))
    return MonotoneLabels(known[found], labels, known, cost, codes, lower, upper)


def _signs(
    X: NDArray[np.float64],
    codes: Places,
    weights: RowWeights,
    directions: Any,
    names: Any,
    n_classes: int,
) -> NDArray[np.int64]:
    """Directions of the columns, found where they are not given."""
    signs = given_directions(directions, X.shape[1], names)
    unknown = np.flatnonzero(signs == 0).tolist()
    if unknown:
        there = ~np.isnan(X)
        counts = [
            count_values_by_class(X[rows, j], codes[rows], weights.take(rows), n_classes)
            for j, rows in ((j, there[:, j]) for j in unknown)
        ]
        texts = [f"x{j}" if names is None else str(names[j]) for j in unknown]
        found = directions_by_rank(rank_evidence(counts, weights.unit), texts)
        signs[unknown] = found.directions
        warn_if_weak(found)
    return signs


def _ends(X: NDArray[np.float64], missing: str) -> tuple[Places, Places]:
    """Places of the values of each column, from the worst case to the best one."""
    lower = np.empty(X.shape, dtype=np.intp)
    for j, column in enumerate(X.T):
        lower[:, j] = np.unique(column, return_inverse=True)[1].ravel() + 1
    unknown, upper = np.isnan(X), lower.copy()
    lower[unknown], upper[unknown] = 0, len(X) + 1
    best_at_lower, best_at_upper = reaches_all_levels(missing)
    return upper if best_at_lower else lower, upper if best_at_upper else lower


def _cheapest(
    lower: Places, upper: Places, codes: Places, weights: RowWeights, loss: Loss
) -> tuple[Places, float]:
    """Labels of the rows, and what they cost."""
    weights = loss.limited(weights)
    # Equal rows dominate each other, unless something is missing: then only their class joins them.
    kind = np.where((lower == upper).all(axis=1), -1, codes)
    ends, place = np.unique(np.column_stack([lower, upper, kind]), axis=0, return_inverse=True)
    # Whoever dominates another has a larger sum: an order in which nobody comes too early.
    order = np.argsort(ends[:, :-1].sum(axis=1), kind="stable")
    number = np.empty_like(order)
    number[order] = np.arange(order.size)
    place, ends = number[place.ravel()], ends[order, :-1]
    counted = np.zeros((len(ends), loss.n_classes), dtype=np.int64)
    np.add.at(counted, (place, codes), weights.units)
    labels = nested_labels(loss.gains(counted, counted), _arcs(ends, lower.shape[1]))
    cost = int((counted @ loss.matrix)[np.arange(len(ends)), labels].sum())
    return labels[place], cost * weights.unit * loss.unit


def _arcs(ends: Places, m: int) -> Arcs:
    """Who dominates whom, without what follows from the rest."""
    least, most = ends[:, :m], ends[:, m:]
    return cover_arcs(len(ends), lambda i: (least >= most[i]).all(axis=1))


class RelabelledClassifier(AnswersAsInside):
    """Any classifier, fitted to labels that are made monotone first.

    The table becomes monotone at the least cost (`monotone_labels`), and the classifier inside
    learns from it. Whether its predictions are monotone then depends on that classifier.

    Parameters
    ----------
    estimator : classifier
        The classifier to fit.
    loss, classes, directions, missing
        As for `monotone_labels`. The classifier inside sees missing values as they are.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier. Where the cheapest monotone labels are all the same one, there is
        nothing to learn: then it is scikit-learn's `DummyClassifier`, which gives that label.
    relabelling_ : MonotoneLabels
        The labels that it was fitted to, with the rows that changed.
    classes_ : ndarray of shape (C,)
        The labels that the classifier inside knows, sorted.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, when X had names.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sugeno import RelabelledClassifier
    >>> X, y = [[1], [2], [3], [4], [5]], [0, 1, 0, 1, 1]
    >>> clf = RelabelledClassifier(DecisionTreeClassifier(), directions=None).fit(X, y)
    >>> clf.predict(X), clf.relabelling_.changed
    (array([0, 0, 0, 1, 1]), array([1]))
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [HasMethods(["fit", "predict"])],
        "loss": [StrOptions({"mixed", "zero_one", "absolute"}), "array-like"],
        "classes": [StrOptions({"sorted"}), "array-like", None],
        "directions": [StrOptions({"auto"}), Directions, "array-like", dict, None],
        "missing": [StrOptions(set(MISSING_POLICIES))],
    }

    def __init__(
        self,
        estimator: Any,
        *,
        loss: str | ArrayLike = "zero_one",
        classes: Sequence[Any] | str | None = None,
        directions: Directions | ArrayLike | Mapping[str, int | str] | str | None = "auto",
        missing: str = "error",
    ) -> None:
        self.estimator = estimator
        self.loss = loss
        self.classes = classes
        self.directions = directions
        self.missing = missing

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Make the labels monotone, and fit the classifier to them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            Labels of ordered classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows, for the relabelling and for the classifier.

        Returns
        -------
        RelabelledClassifier
            The fitted classifier.
        """
        check_table(self, X, y=y, missing=self.missing)
        X, y, sample_weight = rows_with_weight(X, y, sample_weight)
        self.relabelling_ = monotone_labels(
            X,
            y,
            loss=self.loss,
            classes=self.classes,
            directions=self.directions,
            sample_weight=sample_weight,
            missing=self.missing,
        )
        one_label = (self.relabelling_.labels == self.relabelling_.labels[0]).all()
        self.estimator_ = DummyClassifier() if one_label else clone(self.estimator)
        weights = weights_for(self.estimator_, sample_weight)
        self.estimator_.fit(X, self.relabelling_.labels, **weights)
        self.classes_ = self.estimator_.classes_
        return self

    @inner_has("decision_function")
    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the decision function of the fitted classifier.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, C)
            As the classifier defines it.
        """
        return np.asarray(self._asked(X).decision_function(X))

    def _asked(self, X: ArrayLike) -> Any:
        inside = super()._asked(X)
        check_table(self, X, reset=False, missing=self.missing)
        return inside

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan &= self.missing != "error"
        return tags
