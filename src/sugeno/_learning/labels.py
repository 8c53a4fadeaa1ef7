"""Labels: which class is the positive one, and in which order classes stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

__all__ = ["SeveralClassesError", "ordered_classes", "two_classes"]


class SeveralClassesError(ValueError):
    """There are more than two classes."""


def two_classes(
    y: NDArray[Any], positive: object = None, order: Sequence[Any] | None = None
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the negative and the positive label, and for each row which of them it has.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Labels of two classes.
    positive : object, optional
        The positive label. By default the higher one of `order`, or without an order the last
        one in sorted order, as scikit-learn has it.
    order : sequence, optional
        All labels that may occur, the lowest first.

    Returns
    -------
    classes : ndarray of shape (2,)
        The negative and the positive label.
    codes : ndarray of intp of shape (n,)
        0 or 1 per row.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.labels import two_classes
    >>> two_classes(np.array(["good", "bad", "good"]))
    (array(['bad', 'good'], dtype='<U4'), array([1, 0, 1]))
    >>> two_classes(np.array(["high", "low"]), order=["low", "high"])[0]
    array(['low', 'high'], dtype='<U4')
    """
    classes, codes = np.unique(y, return_inverse=True)
    if classes.size > 2 or y.dtype.kind not in "biuSU":
        check_classification_targets(y)  # measurements, not labels? It takes a while to tell.
    if classes.size > 2:
        raise SeveralClassesError(
            "Only binary classification is supported. The type of the target is multiclass. "
            f"Got {classes.size} classes instead of 2; use SugenoOrdinalClassifier for classes in "
            "an order, SugenoNominalClassifier for others, or merge them as in y >= level."
        )
    if classes.size < 2:
        raise ValueError(
            "The classifier needs rows of two classes with positive weight. "
            f"Got 1 class instead: {classes.tolist()[0]!r}."
        )
    if _place_of_positive(classes.tolist(), positive, order) == 0:
        return classes[::-1].copy(), 1 - codes
    return classes, codes


def _place_of_positive(labels: list[Any], positive: object, order: Sequence[Any] | None) -> int:
    """Which of both sorted labels is the positive one."""
    if positive is not None:
        if positive not in labels:
            raise ValueError(
                f"The 'positive' parameter must be a label of y, which are {labels}. "
                f"Got {positive!r} instead."
            )
        return labels.index(positive)
    if order is None:
        return 1
    return int(order.index(labels[1]) > order.index(labels[0]))


def ordered_classes(
    y: NDArray[Any], classes: Sequence[Any] | str | None, order: Sequence[Any] | None = None
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the labels, the lowest first, and for each row which of them it has.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Labels.
    classes : sequence, "sorted" or None
        The order, the lowest first. "sorted" takes the sorted labels; None takes `order`, or
        sorted numbers, and refuses text, whose alphabetical order is hardly ever meant.
    order : sequence, optional
        Categories of an ordered column; those that do not occur are left out.

    Returns
    -------
    classes : ndarray of shape (C,)
        The labels in their order; at least two.
    codes : ndarray of intp of shape (n,)
        Place of the label of each row.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.labels import ordered_classes
    >>> ordered_classes(np.array(["good", "bad", "fair"]), ["bad", "fair", "good"])[1]
    array([2, 0, 1])
    """
    check_classification_targets(y)
    found, codes = np.unique(y, return_inverse=True)
    if found.size < 2:
        raise ValueError(
            "The classifier needs rows of at least two classes with positive weight. "
            f"Got 1 class instead: {found.tolist()[0]!r}."
        )
    known = found.tolist()
    if classes is None and order is not None:
        classes = [label for label in order if label in known]
    elif classes is None and any(isinstance(label, str) for label in known):
        raise ValueError(
            f"The classes {known} are text, and their alphabetical order is hardly the one that is "
            f"meant. Pass their order, the lowest first, as classes={known!r} put right, make y an "
            "ordered categorical, or pass classes='sorted' if alphabetical order is meant."
        )
    if classes is None or (isinstance(classes, str) and classes == "sorted"):
        return found, codes
    place = _places_of(known, list(classes))
    return found[np.argsort(place)], place[codes]


def _places_of(known: list[Any], classes: list[Any]) -> NDArray[np.intp]:
    """Place of each label that occurs among the given ones, which must be the same labels."""
    unknown = [label for label in known if label not in classes]
    absent = [label for label in classes if label not in known]
    if unknown or len(set(classes)) < len(classes):
        raise ValueError(
            f"classes must name each label of y once, the lowest first; the labels are {known}. "
            f"Got {classes} instead."
        )
    if absent:
        raise ValueError(
            f"Each of the classes {classes} must occur in y with positive weight. Got no row of "
            f"{absent} instead; leave them out of classes=, or join them to their neighbours."
        )
    return np.array([classes.index(label) for label in known], dtype=np.intp)
