"""A classification tree with the defaults of MATLAB's fitctree, which the paper used."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted, validate_data

from sugeno._sklearn import Interval, fit_context

__all__ = ["GiniTree", "splits_to_undo"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Places = NDArray[np.intp]

_LEAF = -1


def splits_to_undo(
    left: Places, right: Places, weight: Floats, errors: Floats, *, min_parent_size: float
) -> Bools:
    """Find the nodes that become leaves, from the leaves up.

    A node becomes a leaf if it weighs less than ``min_parent_size``, or if both its children are
    leaves that together err as much as it does: such a split changes no prediction's error.
    Children must have higher numbers than their parent.

    Parameters
    ----------
    left, right : ndarray of intp of shape (N,)
        Children of each node, -1 for leaves.
    weight, errors : ndarray of shape (N,)
        Weight of the training rows at each node, and of those outside its majority class.
    min_parent_size : float
        Smallest weight of a node that may be split.

    Returns
    -------
    ndarray of bool of shape (N,)
        Whether a node is a leaf afterwards (nodes below it are no longer reached).

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.gini_tree import splits_to_undo
    >>> left, right = np.array([1, -1, -1]), np.array([2, -1, -1])
    >>> splits_to_undo(left, right, np.array([9.0, 5, 4]), np.array([2.0, 1, 1]), min_parent_size=2)
    array([ True,  True,  True])
    """
    # Errors are weights times shares; a difference this small is rounding.
    slack = 1e-9 * float(weight[0])
    leaf: Bools = left == _LEAF
    for node in range(len(left) - 1, -1, -1):
        if leaf[node]:
            continue
        a, b = left[node], right[node]
        merged = leaf[a] and leaf[b] and errors[a] + errors[b] >= errors[node] - slack
        leaf[node] = merged or weight[node] < min_parent_size - slack
    return leaf


class GiniTree(ClassifierMixin, BaseEstimator):
    """Decision tree by Gini impurity with a least parent size and merging of leaves.

    These are the defaults of MATLAB's ``fitctree``, the tree of the paper's experiments. Nodes of
    fewer than 10 rows are not split. From the leaves up, a split is undone whose leaves together
    make as many training errors as its node.

    Parameters
    ----------
    min_parent_size : float, default=10
        Smallest weight of a node that may be split; without sample weights a number of rows.
    random_state : int, RandomState instance or None, default=None
        Decides between equally good splits on different features.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    tree_ : DecisionTreeClassifier
        The tree; `sklearn.tree.export_text` and `sklearn.tree.plot_tree` show it.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, when the table had names.

    Notes
    -----
    scikit-learn grows the whole tree. What happens below a node depends on the rows there alone, so
    cutting off nodes afterwards equals not splitting them. Unlike ``min_samples_split`` this counts
    weights, so that a row of weight 2 equals two rows.

    Examples
    --------
    >>> from sugeno.paper.baselines import GiniTree
    >>> X = [[value] for value in range(12)]
    >>> y = [0] * 5 + [1] * 7
    >>> GiniTree().fit(X, y).predict([[4], [5]])
    array([0, 1])
    >>> GiniTree(min_parent_size=13).fit(X, y).predict([[4], [5]])
    array([1, 1])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "min_parent_size": [Interval(Real, 0, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        min_parent_size: float = 10,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.min_parent_size = min_parent_size
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree, then undo splits.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table of numbers.
        y : array-like of shape (n_samples,)
            Classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows.

        Returns
        -------
        GiniTree
            The fitted classifier.
        """
        table, target = validate_data(self, X, y, dtype=np.float32)
        self.tree_ = DecisionTreeClassifier(random_state=self.random_state)
        self.tree_.fit(table, target, sample_weight=sample_weight)
        self.classes_ = self.tree_.classes_
        nodes = self.tree_.tree_
        weight = nodes.weighted_n_node_samples
        leaf = splits_to_undo(
            nodes.children_left,
            nodes.children_right,
            weight,
            weight * (1 - nodes.value[:, 0, :].max(axis=1)),
            min_parent_size=self.min_parent_size,
        )
        # These arrays are views of the tree; without children a node predicts its own majority.
        nodes.children_left[leaf] = nodes.children_right[leaf] = _LEAF
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.generic]:
        """Return the majority class at the leaf of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the fitted one.

        Returns
        -------
        ndarray of shape (n_samples,)
            Entries of ``classes_``.
        """
        table = self._new_rows(X)
        labels: NDArray[np.generic] = self.tree_.predict(table)
        return labels

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the shares of the classes at the leaf of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the fitted one.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            One column per entry of ``classes_``.
        """
        table = self._new_rows(X)
        shares: Floats = self.tree_.predict_proba(table)
        return shares

    def _new_rows(self, X: ArrayLike) -> NDArray[np.float32]:
        """Validate a table to predict for; a tree compares numbers in single precision."""
        check_is_fitted(self)
        table: NDArray[np.float32] = validate_data(self, X, dtype=np.float32, reset=False)
        return table
