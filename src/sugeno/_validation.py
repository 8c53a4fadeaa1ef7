"""Validation of tables as scikit-learn does it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

__all__ = ["check_table"]


def check_table(estimator: BaseEstimator, X: ArrayLike, **options: Any) -> Any:
    """Validate a table of finite numbers as scikit-learn does; options go to `validate_data`.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> from sugeno._validation import check_table
    >>> check_table(BaseEstimator(), [[1, 2]])
    array([[1., 2.]])
    """
    # The check adds up all entries first. Near the largest number that may give inf - inf, which
    # is no fault of the table: each entry is then looked at.
    with np.errstate(invalid="ignore"):
        return validate_data(estimator, X, dtype=np.float64, **options)
