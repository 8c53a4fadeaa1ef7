"""The right to abstain: sets of labels that hold the true one as often as they promise.

Split conformal prediction. Part of the rows is kept from the classifier; how strange their true
labels look to it says how strange a label may look and still be in the set. For rows that are
exchangeable with them the set holds the true label with the promised probability, whatever the
classifier and the distribution.
"""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.model_selection import train_test_split
from sklearn.utils import indexable
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from sugeno._scales.columns import declared_order
from sugeno._sklearn import HasMethods, Interval, fit_context, safe_indexing
from sugeno.estimators._validation import check_table
from sugeno.estimators._wrapping import AnswersAsInside

__all__ = ["ConformalClassifier"]

Floats = NDArray[np.float64]


class ConformalClassifier(AnswersAsInside):
    """Any classifier with sets of labels in place of single ones, and a promise about them.

    `predict_set` gives for each row the labels that cannot be ruled out. There is one where the
    classifier is sure enough, several where it is not, and none where the row is strange. The set
    holds the true label with a probability of at least ``1 − alpha``, in the mean over calibration
    and test rows that are exchangeable. A label is strange where much probability lies above it, or
    below it. So sets of ordered classes have no gaps. If the classifier is monotone, neither their
    lowest nor their highest label falls when a criterion gets better.

    Parameters
    ----------
    estimator : classifier
        A classifier with ``predict_proba``.
    alpha : float, default=0.1
        Probability with which the set may miss the true label, between 0 and 1.
    calibration : float, default=0.3
        Share of the rows that is kept from the classifier to calibrate the sets.
    by_class : bool, default=False
        Whether the promise holds within each class, at the price of larger sets; a class with few
        rows is then in every set.
    random_state : int, RandomState instance or None, default=0
        Seed of the split.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    limits_ : ndarray of shape (C,)
        Largest strangeness of a label in a set, by class; infinite where the rows do not suffice to
        rule out anything.
    classes_ : ndarray of shape (C,)
        The labels, sorted.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, when X had names.

    Examples
    --------
    >>> from sugeno import ConformalClassifier, SugenoEnsembleClassifier
    >>> from sugeno.datasets import load
    >>> lecturers = load("LEV")
    >>> inside = SugenoEnsembleClassifier(n_bags=5, directions=None)
    >>> clf = ConformalClassifier(inside, alpha=0.1).fit(lecturers.data, lecturers.target)
    >>> clf.predict_set([[0, 0, 0, 0], [2, 3, 3, 2], [4, 4, 4, 4]])
    array([[ True, False],
           [ True,  True],
           [False,  True]])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [HasMethods(["fit", "predict", "predict_proba"])],
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "calibration": [Interval(Real, 0, 1, closed="neither")],
        "by_class": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any,
        *,
        alpha: float = 0.1,
        calibration: float = 0.3,
        by_class: bool = False,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.estimator = estimator
        self.alpha = alpha
        self.calibration = calibration
        self.by_class = by_class
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the classifier to a part of the rows, and calibrate its sets on the others.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, as the classifier inside takes them.
        y : array-like of shape (n_samples,)
            Labels.

        Returns
        -------
        ConformalClassifier
            The fitted classifier.
        """
        missing = getattr(self.estimator, "missing", "error")
        _, labels = check_table(self, X, y=y, missing=missing)
        check_classification_targets(labels)
        learn, judge = self._split(labels)
        (X,) = indexable(X)
        # An ordered categorical says the order of the classes, which its labels alone do not.
        told = labels if declared_order(y) is None else y
        self.estimator_ = clone(self.estimator).fit(
            safe_indexing(X, learn), safe_indexing(told, learn)
        )
        self.classes_ = np.asarray(self.estimator_.classes_)
        strange = np.maximum(*self._sides(safe_indexing(X, judge)))
        known = np.isin(labels[judge], self.classes_)
        place = np.searchsorted(self.classes_, labels[judge][known])
        # A label that the classifier has not seen is as strange as can be.
        scores = np.full(judge.size, np.inf)
        scores[known] = strange[known, place]
        codes = np.full(judge.size, -1)
        codes[known] = place
        groups = [codes == c if self.by_class else codes >= -1 for c in range(self.classes_.size)]
        self.limits_ = np.array([conformal_limit(scores[group], self.alpha) for group in groups])
        return self

    def _split(self, labels: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Numbers of the rows to learn from and to calibrate on; classes keep their shares."""
        counts = np.unique(labels, return_counts=True)[1]
        n_judge = math.ceil(self.calibration * labels.size)
        even = counts.min() >= 2 and min(n_judge, labels.size - n_judge) >= counts.size
        learn, judge = train_test_split(
            np.arange(labels.size),
            test_size=self.calibration,
            random_state=self.random_state,
            stratify=labels if even else None,
        )
        return np.sort(learn), np.sort(judge)

    def _sides(self, X: Any) -> tuple[Floats, Floats]:
        """How much speaks against each label for each row: what lies below it, and above it.

        Without an order all other labels do both.
        """
        shares = np.asarray(self.estimator_.predict_proba(X))
        order = self._order()
        if order is None:
            return 1 - shares, 1 - shares
        below, above = np.zeros_like(shares), np.zeros_like(shares)
        below[:, order[1:]] = np.cumsum(shares[:, order[:-1]], axis=1)
        above[:, order[-2::-1]] = np.cumsum(shares[:, order[:0:-1]], axis=1)
        return below, above

    def _order(self) -> NDArray[np.intp] | None:
        """Places of the classes in ``classes_``, the lowest class first; None without an order."""
        known = getattr(self.estimator_, "order_", self.classes_)
        if known is self.classes_ and self.classes_.size > 2:
            return None
        order: NDArray[np.intp] = np.searchsorted(self.classes_, known)
        return order

    def predict_set(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Tell for each row which labels cannot be ruled out.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of bool of shape (n_samples, C)
            In the order of ``classes_``. One True: a clear case. Otherwise the classifier abstains.
        """
        check_is_fitted(self)
        below, above = (side <= self.limits_ for side in self._sides(X))
        order = self._order()
        if order is None:
            return below
        # From the lowest label above which too little lies to the highest one below which it does.
        above[:, order] = np.logical_or.accumulate(above[:, order], axis=1)
        below[:, order[::-1]] = np.logical_or.accumulate(below[:, order[::-1]], axis=1)
        return above & below

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # it learns from a part of the rows
        return tags


def conformal_limit(scores: Floats, alpha: float) -> float:
    """Return the score up to which a share of at least ``1 − alpha`` of new rows will be.

    Of n + 1 exchangeable scores the last is among the ⌈(n + 1)(1 − α)⌉ smallest with that
    probability; infinite where that many are not known.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.estimators.conformal import conformal_limit
    >>> conformal_limit(np.arange(9.0), 0.2), conformal_limit(np.arange(3.0), 0.2)
    (7.0, inf)
    """
    # Shaved, so that 10 · (1 − 0.1), a little more than 9 in binary, is 9.
    rank = math.ceil((scores.size + 1) * (1 - alpha) * (1 - 1e-12))
    if rank > scores.size:
        return math.inf
    return float(np.partition(scores, rank - 1)[rank - 1])
