"""Learning from frames of any engine: the way of a table that stays where it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sugeno._counts.frame_groups import Passes
from sugeno._learning.labels import two_classes
from sugeno._learning.training import Training, prepare
from sugeno._scales.directions import warn_if_weak
from sugeno._sklearn import fit_context
from sugeno.solvers.budget import Budget

if TYPE_CHECKING:
    from sugeno._counts.frame_opening import OpenFrame

__all__ = [
    "DecidesOnFrames",
    "LearnsFromFrames",
    "check_outputs",
    "keep_names",
    "passes_told",
    "training_of_frame",
]

#: What `predict_frame` can add.
_OUTPUTS = ("prediction", "probability", "rule")


class LearnsFromFrames:
    """A classifier that learns from counts, wherever they are counted.

    Subclasses have ``_learned(training, budget)``, which is the rest of `fit`.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno._frames import LearnsFromFrames
    >>> issubclass(SugenoClassifier, LearnsFromFrames)
    True
    """

    if TYPE_CHECKING:
        time_limit: float | None

        def _learned(self, training: Training, budget: Budget) -> Self: ...

    @fit_context(prefer_skip_nested_validation=True)
    def fit_frame(
        self,
        frame: Any,
        target: str,
        *,
        weight: str | None = None,
        features: Sequence[str] | None = None,
        max_values: int = 100_000,
        explain: bool | Callable[[str], object] = False,
    ) -> Self:
        """Learn from a table of any engine, without copying its rows.

        The engine counts, by group-bys, and only counts cross over: how often each distinct row
        occurs, or the values of each criterion and the patterns, by class. The model is that of
        `fit` on the same rows, to the last bit, whatever the engine, the order of the rows and
        their partitioning.

        Parameters
        ----------
        frame : frame, str or path
            A table of pandas, Polars (eager or lazy), PyArrow, DuckDB, Dask, Spark or Ibis. Or a
            path or glob pattern of Parquet or CSV files, which DuckDB reads.
        target : str
            The column of labels.
        weight : str, optional
            The column of sample weights.
        features : sequence of str, optional
            The columns to learn from; by default all others. Numbers, truth values, and ordered
            categoricals where the engine has them.
        max_values : int, default=100_000
            So many distinct values may a criterion have. One with more is rounded down to
            multiples of a power of two, so that few enough occur, and a warning says so.
        explain : bool or callable, default=False
            Print what each pass over the table is for, with the SQL that DuckDB or Ibis is sent,
            or the plan of Spark or Polars. A callable is given these texts instead.

        Returns
        -------
        SugenoClassifier
            The fitted classifier, with the number of passes over the table as ``n_passes_``.

        Notes
        -----
        One pass for the labels and the ends of the values. Of ordinal tables a second one fetches
        the distinct rows, if there can be no more than about a million. Of others one for a few
        criteria of few values, one per further criterion, a few for the median threshold, one for
        the patterns. Parameters that look at rows (``threshold`` "mean-median", "alternating" and
        "joint", ``solver="lp"`` with subsets) fetch the distinct rows of all tables, of which
        there may be about a million. See docs/scale.md.

        Examples
        --------
        >>> import polars as pl
        >>> from sugeno import SugenoClassifier
        >>> loans = pl.LazyFrame(
        ...     {"income": [2, 4, 6, 7, 8], "debt": [9, 8, 8, 7, 3], "paid": [0, 0, 0, 1, 1]}
        ... )
        >>> print(SugenoClassifier().fit_frame(loans, target="paid").rules_)
        accept if income >= 7 and debt <= 7
        """
        passes = passes_told(explain)
        budget = Budget.of(self.time_limit, passes.clock)
        training = training_of_frame(self, frame, target, weight, features, max_values, passes)
        warn_if_weak(training.found, stacklevel=4)  # who calls, inside scikit-learn's context
        learned = self._learned(training, budget)
        self.n_passes_ = passes.count
        return learned


def passes_told(explain: bool | Callable[[str], object]) -> Passes:
    """Return passes that print themselves, are given to a function, or go unnoticed.

    Examples
    --------
    >>> from sugeno._frames import passes_told
    >>> passes_told(False).tell is None
    True
    """
    return Passes((print if explain else None) if isinstance(explain, bool) else explain)


def training_of_frame(
    estimator: Any,
    frame: Any,
    target: str,
    weight: str | None,
    features: Sequence[str] | None,
    max_values: int,
    passes: Passes,
) -> Training:
    """Count, as the first step of a fit to two classes."""
    from sugeno._counts.frame_opening import OpenFrame, frame_of

    known = OpenFrame.of(
        frame_of(frame), target, weight, features, max_values=max_values, passes=passes
    )
    classes, _ = two_classes(np.array(known.labels), estimator.positive, known.order)
    keep_names(estimator, known)
    estimator.classes_, estimator.positive_ = np.sort(classes), classes[1]
    missing = getattr(estimator, "missing", "error")
    return prepare(
        known.source(classes, missing=missing, max_values=max_values, passes=passes),
        classes,
        directions=estimator.directions,
        class_weight=estimator.class_weight,
        feature_names=estimator.feature_names_in_,
        labels=known.columns.labels,
    )


def keep_names(estimator: Any, known: OpenFrame) -> None:
    """Leave on an estimator what scikit-learn leaves there."""
    names = known.columns.names
    estimator.n_features_in_ = len(names)
    estimator.feature_names_in_ = np.array(names, dtype=object)
    for of_a_fit_before in ("feature_labels_in_", "per_class_"):
        vars(estimator).pop(of_a_fit_before, None)
    if known.columns.labels is not None:
        estimator.feature_labels_in_ = known.columns.labels


class DecidesOnFrames:
    """A classifier with a finished model, which any engine can compute.

    Examples
    --------
    >>> from sugeno import RuleClassifier
    >>> from sugeno._frames import DecidesOnFrames
    >>> issubclass(RuleClassifier, DecidesOnFrames)
    True
    """

    def predict_frame(self, frame: Any, *, outputs: Sequence[str] = ("prediction",)) -> Any:
        """Add the decisions to a table of any engine, as columns that it computes itself.

        What is lazy stays lazy, and no row is copied.

        Parameters
        ----------
        frame : frame, str or path
            A table of pandas, Polars (eager or lazy), PyArrow, DuckDB, Dask, Spark or Ibis, with
            a column for each criterion. Or a path or glob pattern of Parquet or CSV files, which
            DuckDB reads; the result is a relation, which can write itself to files.
        outputs : sequence of {"prediction", "probability", "rule"}, default=("prediction",)
            The columns to add: the label that `predict` gives; the probability of the positive
            class; the first rule that holds, null if there is none (of clauses the first one that
            does not hold). DuckDB has an ENUM for the rule.

        Returns
        -------
        frame
            The same with more columns, in its own library.

        Notes
        -----
        Nulls and NaN reach no level, as with ``missing="pessimistic"``: a lazy table is not
        looked at, so that they cannot be refused as `predict` does.

        Examples
        --------
        >>> import polars as pl
        >>> from sugeno import SugenoClassifier
        >>> loans = pl.DataFrame({"income": [2, 4, 6, 7], "paid": ["no", "no", "yes", "yes"]})
        >>> clf = SugenoClassifier().fit_frame(loans, target="paid")
        >>> decided = clf.predict_frame(loans.lazy().drop("paid"), outputs=["prediction", "rule"])
        >>> decided.collect().rows()[1:3]
        [(4, 'no', None), (6, 'yes', 'income >= 5')]
        """
        from sugeno._counts.frame_opening import frame_of
        from sugeno.export.expression import with_decisions

        check_is_fitted(self)
        taken = frame_of(frame)
        check_outputs(outputs, taken.collect_schema().names())
        return with_decisions(self, taken, outputs).to_native()


def check_outputs(outputs: Sequence[str], columns: list[str]) -> None:
    """Refuse columns that nobody can add, or that are there.

    Examples
    --------
    >>> from sugeno._frames import check_outputs
    >>> check_outputs(["prediction"], ["income", "debt"])
    """
    unknown = [name for name in outputs if name not in _OUTPUTS]
    if unknown:
        raise ValueError(f"outputs must be among {_OUTPUTS}. Got {unknown} instead.")
    there = [name for name in outputs if name in columns]
    if there:
        raise ValueError(
            f"The frame must not have columns {there} already, which would be replaced; rename "
            "them, or leave them out of outputs."
        )
