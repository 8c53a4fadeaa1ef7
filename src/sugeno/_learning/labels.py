"""Labels: which class is the positive one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

__all__ = ["two_classes"]


def two_classes(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return both labels, sorted, and for each row which of them it has.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.labels import two_classes
    >>> two_classes(np.array(["good", "bad", "good"]))
    (array(['bad', 'good'], dtype='<U4'), array([1, 0, 1]))
    """
    classes, codes = np.unique(y, return_inverse=True)
    if classes.size > 2 or y.dtype.kind not in "biuSU":
        check_classification_targets(y)  # measurements, not labels? It takes a while to tell.
    if classes.size > 2:
        raise ValueError(
            "Only binary classification is supported. The type of the target is multiclass. "
            f"Got {classes.size} classes instead of 2; merge them into two, for example with "
            "y >= level."
        )
    if classes.size < 2:
        raise ValueError(
            "The classifier needs rows of two classes with positive weight. "
            f"Got 1 class instead: {classes.tolist()[0]!r}."
        )
    return classes, codes
