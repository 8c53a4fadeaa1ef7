"""Validation of tables as scikit-learn does it, with ordered categoricals as columns."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import assert_all_finite, check_array
from sklearn.utils.validation import validate_data

from sugeno._scales.columns import (
    comparable,
    frame_of,
    is_of_any_kind,
    place_columns,
    read_columns,
    refuse_masked,
)
from sugeno._scales.criterion import Criterion
from sugeno._scales.directions import Directions
from sugeno._scales.kinds import base_numbers, numbers_rows, read_kinds
from sugeno._scales.missing import (
    MISSING_POLICIES,
    check_none_missing,
    check_not_all_missing,
    has_missing,
)
from sugeno._scales.rows import cells_on_scales
from sugeno._sklearn import Interval, StrOptions

#: What parameters may be that learners of tables share.
SHARED_CONSTRAINTS: dict[str, Any] = {
    "directions": [StrOptions({"auto", "model"}), Directions, "array-like", dict, None],
    "columns": [dict, None],
    "special": [dict, None],
    "class_weight": [dict, StrOptions({"balanced"}), None],
    "costs": [dict, "array-like", None],
    "positive": "no_validation",
    "missing": [StrOptions(set(MISSING_POLICIES))],
    "time_limit": [Interval(Real, 0, None, closed="left"), None],
    "n_jobs": [Integral, None],
    "random_state": ["random_state"],
}

_MEANINGS = (
    "Say what they mean: missing='pessimistic' (a missing value satisfies nothing), 'optimistic' "
    "(everything) or 'interval' (it may be either); or fill them in, or leave out the rows."
)


def check_table(
    estimator: BaseEstimator,
    X: ArrayLike,
    *,
    reset: bool = True,
    missing: str = "error",
    **options: Any,
) -> Any:
    """Validate a table of finite numbers as scikit-learn does; options go to `validate_data`.

    Ordered categoricals become the places of their labels. In training (``reset``) the labels are
    left on the estimator as ``feature_labels_in_``, as scikit-learn leaves ``feature_names_in_``.
    Missing values are refused by the names of their columns, unless ``missing`` says otherwise; a
    column or a row without any value cannot be learned from.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> from sugeno.estimators._validation import check_table
    >>> check_table(BaseEstimator(), [[1, 2]])
    array([[1., 2.]])
    """
    refuse_masked(options.get("y"), "y")
    if not reset and _criteria(estimator) is not None:
        return _checked_cells(estimator, X, **options)
    numbers = _learned_columns(estimator, X) if reset else _known_columns(estimator, X)
    if reset and _is_plain(numbers, **options):
        return _kept_as_it_is(estimator, numbers, **options)
    # The check adds up all entries first. Near the largest number that may overflow, or give
    # inf - inf, which is no fault of the table: each entry is then looked at.
    with np.errstate(over="ignore", invalid="ignore"):
        checked = validate_data(
            estimator,
            numbers,
            dtype=np.float64,
            reset=reset,
            ensure_all_finite="allow-nan",
            **options,
        )
    table = checked[0] if "y" in options else checked
    names = getattr(estimator, "feature_names_in_", None)
    if hasattr(estimator, "columns_in_"):
        return checked  # a missing cell has a place of its own
    if missing == "error":
        check_none_missing(table, names, _MEANINGS if hasattr(estimator, "missing") else "")
    elif reset and has_missing(table):
        check_not_all_missing(table, names)
    return checked


def leaves_out_ids(estimator: BaseEstimator) -> bool:
    """Whether a column that numbers the rows of plain numbers is left out.

    It is not where missing numbers are read in a way that tables of any kind lack.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators._validation import leaves_out_ids
    >>> leaves_out_ids(SugenoClassifier()), leaves_out_ids(SugenoClassifier(missing="interval"))
    (True, False)
    """
    known = getattr(estimator, "missing", "error") in ("error", "pessimistic")
    return known and getattr(estimator, "_takes_any_kind", False)


def check_rows(estimator: BaseEstimator, X: ArrayLike) -> NDArray[Any]:
    """Validate rows to classify; any kind of number can be compared with a level as it is.

    Whether they are finite is checked while they are compared, unless values may be missing.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> from sugeno.estimators._validation import check_rows, check_table
    >>> estimator = BaseEstimator()
    >>> _ = check_table(estimator, [[1, 2]])
    >>> check_rows(estimator, [[3, 4]])
    array([[3, 4]])
    """
    if _criteria(estimator) is not None:
        cells: NDArray[Any] = _checked_cells(estimator, X)
        return cells
    with np.errstate(over="ignore", invalid="ignore"):  # as in check_table
        rows: NDArray[Any] = validate_data(
            estimator,
            _known_columns(estimator, X),
            dtype="numeric",
            reset=False,
            ensure_all_finite=False,
        )
        rows = comparable(rows)
        if getattr(getattr(estimator, "model_", None), "missing", "error") != "error":
            assert_all_finite(rows, allow_nan=True, input_name="X")
    return rows


def _is_plain(X: Any, **options: Any) -> bool:
    """Whether a table is what validation would make of it: finite numbers, and labels."""
    if type(X) is not np.ndarray or X.dtype != np.float64 or X.ndim != 2 or not X.size:
        return False
    if options:
        y = options.get("y")
        if len(options) > 1 or type(y) is not np.ndarray or y.shape != X.shape[:1]:
            return False
        if y.dtype.kind not in "biu":
            return False
    with np.errstate(over="ignore", invalid="ignore"):  # as in check_table
        return bool(np.isfinite(X.sum()))


def _kept_as_it_is(estimator: BaseEstimator, X: Any, y: Any = None) -> Any:
    """Note what scikit-learn notes of a table without names; it takes long to find no fault."""
    vars(estimator).pop("feature_names_in_", None)
    estimator.n_features_in_ = X.shape[1]
    return X if y is None else (X, y)


def _criteria(estimator: BaseEstimator) -> tuple[Criterion, ...] | None:
    """The criteria of an estimator that has learned from a table of any kind."""
    model = getattr(estimator, "model_", None)
    criteria = getattr(estimator, "_criteria", getattr(model, "criteria", None))
    return criteria if criteria and any(one.column is not None for one in criteria) else None


def _checked_cells(estimator: BaseEstimator, X: Any, y: Any = None) -> Any:
    """Read rows of a table of any kind by the criteria of an estimator."""
    rows = cells_on_scales(X, _criteria(estimator) or ())
    with np.errstate(over="ignore", invalid="ignore"):  # as in check_table
        assert_all_finite(rows, allow_nan=True, input_name="X")
    return rows if y is None else (rows, check_array(y, ensure_2d=False, dtype=None))


def _learned_columns(estimator: BaseEstimator, X: Any) -> Any:
    """Read a table to learn from, and keep the labels of its columns."""
    for of_a_fit_before in ("feature_labels_in_", "columns_in_", "n_passes_", "n_sampled_"):
        vars(estimator).pop(of_a_fit_before, None)
    said = [getattr(estimator, name, None) for name in ("columns", "special")]
    takes_any = getattr(estimator, "_takes_any_kind", False)
    if said != [None, None] or (takes_any and is_of_any_kind(X)):
        return _any_columns(estimator, X, *said)
    numbers, labels = read_columns(X)
    frame = frame_of(X) if leaves_out_ids(estimator) else None
    if frame is not None and numbers_rows(frame):
        return _any_columns(estimator, X, *said)
    if labels is not None:
        estimator.feature_labels_in_ = labels
    return numbers


def _any_columns(estimator: BaseEstimator, X: Any, wishes: Any, special: Any) -> Any:
    """Read a table of any kind as numbers, in a frame with the names of its columns."""
    import narwhals as nw

    frame = frame_of(X)
    if frame is None:
        raise ValueError(
            "columns= and special= say what named columns mean, and need a frame of pandas, Polars "
            f"or PyArrow. Got {type(X).__name__} instead; make it a frame, or leave them out."
        )
    columns = tuple(read_kinds(frame, wishes, special))
    numbers = base_numbers(frame, columns)
    estimator.columns_in_ = columns
    parts = {name: numbers[:, j].tolist() for j, name in enumerate(frame.columns)}
    return nw.from_dict(parts, backend=frame.implementation).to_native()


def _known_columns(estimator: BaseEstimator, X: Any) -> Any:
    """Read rows by the labels that were kept."""
    labels = getattr(estimator, "feature_labels_in_", None)
    return place_columns(X, labels, getattr(estimator, "feature_names_in_", None))
