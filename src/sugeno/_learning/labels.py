"""Labels: what kind of classes a target has, looked at once, before anything is learned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

Order = Sequence[Any] | str | None

#: Answers that stand behind their opposites in the alphabet; "no" and "false" do not.
_YES_OF = {"nein": "ja", "n": "j", "falsch": "wahr"}


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of a target.

    Attributes
    ----------
    labels : ndarray of shape (C,)
        The labels, the lowest first; of two classes the negative one first. Sorted, where they
        have no order.
    ordered : bool
        Whether they have an order; two classes have.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.labels import classes_of
    >>> classes_of(np.array(["bad", "fair", "good"])).ordered
    False
    """

    labels: NDArray[Any]
    ordered: bool = True

    @property
    def size(self) -> int:
        """Number of classes."""
        return int(self.labels.size)

    def places(self, found: NDArray[Any]) -> NDArray[np.intp]:
        """Return the place of each of some labels among these."""
        known = {label: place for place, label in enumerate(self.labels.tolist())}
        return np.array([known[label] for label in found.tolist()], dtype=np.intp)


def distinct_labels(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the sorted labels, and for each row which of them it has; refuse measurements.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.labels import distinct_labels
    >>> distinct_labels(np.array(["good", "bad", "good"]))
    (array(['bad', 'good'], dtype='<U4'), array([1, 0, 1]))
    """
    if y.dtype == np.bool_ and y.any() and not y.all():  # no need to sort them
        return np.array([False, True]), y.astype(np.intp)
    found, codes = np.unique(y, return_inverse=True)
    if found.size > 2 or y.dtype.kind not in "biuSU":
        _check_labels(y)
    if found.size < 2:
        raise ValueError(
            "The classifier needs rows of at least two classes with positive weight. "
            f"Got 1 class instead: {found.tolist()[0]!r}."
        )
    return found, codes


def _check_labels(y: NDArray[Any]) -> None:
    """Refuse measurements, which takes a while to tell from labels."""
    try:
        check_classification_targets(y)
    except ValueError as error:
        remedy = "To learn where y is large, fit to y >= a value of your choice."
        raise ValueError(f"{error} {remedy}") from None


def two_classes(
    y: NDArray[Any], positive: object = None, declared: Sequence[Any] | None = None
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the negative and the positive label, and for each row which it has; refuse more.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.labels import two_classes
    >>> two_classes(np.array([3, 3, 1]))
    (array([1, 3]), array([1, 1, 0]))
    """
    found, codes = distinct_labels(y)
    if found.size > 2:
        raise ValueError(
            "Only binary classification is supported. The type of the target is multiclass. "
            f"Got {found.size} classes instead of 2; merge them as in y >= level."
        )
    classes = classes_of(found, positive=positive, declared=declared)
    return classes.labels, classes.places(found)[codes]


def classes_of(
    found: NDArray[Any],
    *,
    positive: object = None,
    order: Order = None,
    declared: Sequence[Any] | None = None,
) -> Classes:
    """Say what kind of classes there are: two, ordered ones, or ones without an order.

    Parameters
    ----------
    found : ndarray of shape (C,)
        The labels that occur, sorted.
    positive : object, optional
        The positive one of two labels. By default the higher one of an order, or without an
        order the last one in sorted order, as scikit-learn has it, unless it is the negation of
        the other: "not low", "low".
    order : sequence, "sorted" or None
        The order that the user gives, the lowest first.
    declared : sequence, optional
        Categories of an ordered column, the lowest first.

    Returns
    -------
    Classes
        The labels in their order.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.labels import classes_of
    >>> classes_of(np.array(["high", "low"]), declared=["low", "high"]).labels
    array(['low', 'high'], dtype='<U4')
    >>> classes_of(np.array([1, 2, 3]), order="sorted").ordered
    True
    """
    if found.size == 2:
        return Classes(_two(found, positive, order, declared))
    if positive is not None:
        raise ValueError(
            "The 'positive' parameter names the one of two classes that the rules speak for. "
            f"Got {positive!r} with {found.size} classes instead; leave it out, which gives rules "
            "for each class, or fit to y == label for one of them."
        )
    if order is None and declared is None:
        return Classes(found, ordered=False)
    return ordered_classes(found, order, declared)


def _two(
    found: NDArray[Any], positive: object, order: Order, declared: Sequence[Any] | None
) -> NDArray[Any]:
    """The negative and the positive label."""
    known = found.tolist()
    labels = found
    if order is not None or (declared is not None and positive is None):
        labels = ordered_classes(found, order, declared).labels
    elif positive is None and _negates(known[1], known[0]):
        return found[::-1].copy()
    if positive is None:
        return labels
    if positive not in known:
        raise ValueError(
            f"The 'positive' parameter must be a label of y, which are {known}. "
            f"Got {positive!r} instead."
        )
    if order is not None and labels.tolist()[1] != positive:
        raise ValueError(
            "The 'positive' parameter and the 'order' parameter must agree: the last label of the "
            f"order is the positive one. Got {positive!r} and {order!r} instead; leave one out."
        )
    return found if known[1] == positive else found[::-1].copy()


def _negates(label: object, other: object) -> bool:
    """Whether a label says that something is not so that another one says: "not low", "nein"."""
    if not isinstance(label, str) or not isinstance(other, str):
        return False
    if _YES_OF.get(label.casefold()) == other.casefold():
        return True
    return re.fullmatch(rf"(not?|non)[ _-]?{re.escape(other)}", label, re.IGNORECASE) is not None


def ordered_classes(
    found: NDArray[Any],
    order: Order,
    declared: Sequence[Any] | None = None,
    *,
    name: str = "order",
) -> Classes:
    """Return the labels, the lowest first.

    Parameters
    ----------
    found : ndarray of shape (C,)
        The labels that occur, sorted.
    order : sequence, "sorted" or None
        The order, the lowest first. "sorted" takes the sorted labels; None takes `declared`, or
        sorted numbers, and refuses text, whose alphabetical order is hardly ever meant.
    declared : sequence, optional
        Categories of an ordered column; those that do not occur are left out.
    name : str, default="order"
        What the parameter is called.

    Returns
    -------
    Classes
        The labels in their order.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.labels import ordered_classes
    >>> ordered_classes(np.array(["bad", "fair", "good"]), ["good", "fair", "bad"]).labels
    array(['good', 'fair', 'bad'], dtype='<U4')
    """
    known = found.tolist()
    if order is None and declared is not None:
        order = [label for label in declared if label in known]
    elif order is None and any(isinstance(label, str) for label in known):
        raise ValueError(
            f"The classes {known} are text, and their alphabetical order is hardly the one that is "
            f"meant. Pass their order, the lowest first, as {name}={known!r} put right, make y an "
            f"ordered categorical, or pass {name}='sorted' if alphabetical order is meant."
        )
    if order is None or (isinstance(order, str) and order == "sorted"):
        return Classes(found)
    return Classes(found[np.argsort(_places_of(known, list(order), name))])


def _places_of(known: list[Any], order: list[Any], name: str) -> NDArray[np.intp]:
    """Place of each label that occurs among the given ones, which must be the same labels."""
    unknown = [label for label in known if label not in order]
    absent = [label for label in order if label not in known]
    if unknown or len(set(order)) < len(order):
        raise ValueError(
            f"{name} must name each label of y once, the lowest first; the labels are {known}. "
            f"Got {order} instead."
        )
    if absent:
        raise ValueError(
            f"Each of the classes {order} must occur in y with positive weight. Got no row of "
            f"{absent} instead; leave them out of {name}=, or join them to their neighbours."
        )
    return np.array([order.index(label) for label in known], dtype=np.intp)
