"""One-versus-rest: a classifier of two classes for each label, true for its rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from sugeno._exceptions import WeakDirectionWarning, warn_user
from sugeno.model.per_class import normalised

__all__ = ["fit_each", "learn_each", "shares"]

Floats = NDArray[np.float64]


def learn_each(learn_one: Callable[[int], Any], labels: NDArray[Any]) -> list[Any]:
    """Call a function for the place of each label; a weak direction is said to be of that label.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.estimators._one_versus_rest import learn_each
    >>> learn_each(lambda place: place + 1, np.array(["a", "b"]))
    [1, 2]
    """
    each = []
    for place, label in enumerate(labels.tolist()):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", WeakDirectionWarning)
            each.append(learn_one(place))
        for warning in caught:
            _warn_again(warning, label)
    return each


def _warn_again(warning: warnings.WarningMessage, label: object) -> None:
    if warning.category is WeakDirectionWarning:
        said = f"{warning.message} (Class {label!r} against the rest.)"
        warn_user(said, WeakDirectionWarning)
    else:
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def fit_each(
    template: Any, X: Any, labels: NDArray[Any], classes: NDArray[Any], **params: Any
) -> list[Any]:
    """Fit a copy of any classifier for each class: true for its rows, false for all others.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators._one_versus_rest import fit_each
    >>> X, y = [[1], [2], [3]], np.array(["a", "b", "c"])
    >>> [str(one.rules_) for one in fit_each(SugenoClassifier(), X, y, np.array(["a", "c"]))]
    ['accept if x0 <= 1', 'accept if x0 >= 3']
    """

    def fit_one(place: int) -> Any:
        return clone(template).fit(X, labels == classes[place], **params)

    return learn_each(fit_one, classes)


def shares(each: Sequence[Any], X: ArrayLike) -> Floats:
    """Return probabilities of the classes, each by its own classifier, to the sum 1.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators._one_versus_rest import fit_each, shares
    >>> X, y = [[1], [2], [3]], np.array([1, 2, 3])
    >>> shares(fit_each(SugenoClassifier(), X, y, y), [[3]]).argmax()
    np.int64(2)
    """
    return normalised([one.predict_proba(X)[:, 1] for one in each])
