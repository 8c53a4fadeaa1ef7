"""What a fitted classifier answers where values are missing: both ends of what can be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from sugeno.estimators._validation import check_rows

__all__ = ["PredictsIntervals", "check_confidence"]


def check_confidence(confidence: float) -> None:
    """Refuse a confidence that a label has at least, or that none can have.

    Examples
    --------
    >>> from sugeno.estimators._intervals import check_confidence
    >>> check_confidence(0.9)
    """
    if not 0.5 <= confidence <= 1:
        raise ValueError(
            f"confidence must be a number between 0.5 and 1. Got {confidence!r} instead; 0.5 asks "
            "for nothing more than the decision."
        )


class PredictsIntervals:
    """Classifiers with a finished model, ``model_``, that is monotone.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators._intervals import PredictsIntervals
    >>> issubclass(SugenoClassifier, PredictsIntervals)
    True
    """

    model_: Any
    classes_: NDArray[Any]

    def predict_interval(self, X: ArrayLike) -> NDArray[Any]:
        """Return the lowest and the highest label that filling in missing values can lead to.

        Exact: the model is monotone, so that the worst and the best values decide. Equal ends
        mean that the answer is certain, whatever is missing. No end falls when a criterion gets
        better.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data; values may be missing unless the
            classifier was fitted with missing="error".

        Returns
        -------
        ndarray of shape (n_samples, 2)
            The lowest and the highest label; of two classes the negative one is lower.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> clf = SugenoClassifier(missing="interval", directions=None)
        >>> clf = clf.fit([[1, 1], [2, 3], [3, 2], [4, 4]], [0, 0, 1, 1])
        >>> clf.predict_interval([[float("nan"), 4], [1, float("nan")]])
        array([[0, 1],
               [0, 0]])
        """
        check_is_fitted(self)
        least, most = self.model_.ends(check_rows(self, X))
        classes = self.model_.classes
        return np.column_stack([classes.take(least), classes.take(most)])

    def predict_set(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Tell for each row which labels are left open, as values are missing.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of bool of shape (n_samples, C)
            In the order of ``classes_``: True from the lowest to the highest label of
            `predict_interval`, one where the answer is certain.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> clf = SugenoClassifier(missing="interval", directions=None)
        >>> clf = clf.fit([[1, 1], [2, 3], [3, 2], [4, 4]], [0, 0, 1, 1])
        >>> clf.predict_set([[float("nan"), 4], [1, float("nan")]])
        array([[ True,  True],
               [ True, False]])
        """
        check_is_fitted(self)
        least, most = self.model_.ends(check_rows(self, X))
        known = self.model_.classes.tolist()
        places = np.array([known.index(label) for label in self.classes_.tolist()])
        within: NDArray[np.bool_] = (least[:, None] <= places) & (places <= most[:, None])
        return within
