"""Learning from frames of any engine: the way of a table that stays where it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from sugeno._counts.frame.queries import MOST_LABELS, QueryLog
from sugeno._counts.source import Source
from sugeno._learning.labels import SeveralClassesError, two_classes
from sugeno._learning.training import Training, prepare
from sugeno._scales.directions import warn_if_weak
from sugeno._sklearn import fit_context
from sugeno.estimators._per_class import learn_each, price_of_classes
from sugeno.solvers.budget import Budget

if TYPE_CHECKING:
    from sugeno._counts.frame.summary import FrameSummary

__all__ = [
    "LearnsFromFrames",
    "keep_names",
    "labels_of",
    "opened_frame",
    "training_of_frame",
]


class LearnsFromFrames:
    """A classifier that learns from counts, wherever they are counted.

    Subclasses have ``_learned(training, budget)``, which is the rest of `fit`.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators._frames import LearnsFromFrames
    >>> issubclass(SugenoClassifier, LearnsFromFrames)
    True
    """

    if TYPE_CHECKING:
        class_weight: Any
        time_limit: float | None

        def _check_several(self, classes: Any, order: Any) -> None: ...
        def _keep_each(self, classes: Any, each: Any) -> Self: ...
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
            The fitted classifier, with the number of passes over the table as ``n_passes_``. Of
            more than two labels each has a model, as in `fit`.

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
        log = QueryLog.of(explain)
        budget = Budget.of(self.time_limit, log.clock)
        known = opened_frame(frame, target, weight, features, max_values, log)
        try:
            training = training_of_frame(self, known, max_values, log)
        except SeveralClassesError:
            training = None
        if training is None:
            learned = self._learned_each_class(known, max_values, log)
        else:
            warn_if_weak(training.found, stacklevel=4)  # who calls, inside scikit-learn's context
            learned = self._learned(training, budget)
        self.n_passes_ = log.count
        return learned

    def _learned_each_class(self, known: FrameSummary, max_values: int, log: QueryLog) -> Self:
        """Learn a model of each class against the rest, from the same counts."""
        classes = np.unique(np.array(known.labels))
        _check_number(classes)
        self._check_several(classes, known.order)
        template: Any = clone(self)
        if self.class_weight is not None:
            known = _priced(known, classes, self.class_weight, max_values, log)
            template.set_params(class_weight=None)
        missing = template.missing
        source = known.source(classes, missing=missing, max_values=max_values, log=log)
        two = np.array([False, True])

        def learn_one(label: Any) -> Any:
            one, place = clone(template), classes.tolist().index(label)
            budget = Budget.of(one.time_limit, log.clock)
            training = _oriented(one, known, source.against_rest(place), two)
            warn_if_weak(training.found, stacklevel=2)
            return one._learned(training, budget)

        each = learn_each(learn_one, classes, stacklevel=5)
        keep_names(self, known)
        return self._keep_each(classes, each)


def opened_frame(
    frame: Any,
    target: str,
    weight: str | None,
    features: Sequence[str] | None,
    max_values: int,
    log: QueryLog,
) -> FrameSummary:
    """Take a first look at a frame, as the first step of a fit."""
    from sugeno._counts.frame.summary import FrameSummary, frame_of

    taken = frame_of(frame)
    return FrameSummary.of(taken, target, weight, features, max_values=max_values, log=log)


def training_of_frame(
    estimator: Any, known: FrameSummary, max_values: int, log: QueryLog
) -> Training:
    """Count, as the next step of a fit to two classes."""
    classes, _ = two_classes(labels_of(known), estimator.positive, known.order)
    missing = getattr(estimator, "missing", "error")
    source = known.source(classes, missing=missing, max_values=max_values, log=log)
    return _oriented(estimator, known, source, classes)


def _oriented(
    estimator: Any, known: FrameSummary, source: Source, classes: NDArray[Any]
) -> Training:
    """Leave on an estimator what it knows of a frame, and orient the criteria."""
    keep_names(estimator, known)
    estimator.classes_, estimator.positive_ = np.sort(classes), classes[1]
    return prepare(
        source,
        classes,
        directions=estimator.directions,
        class_weight=estimator.class_weight,
        feature_names=estimator.feature_names_in_,
        labels=known.columns.labels,
    )


def labels_of(known: FrameSummary) -> NDArray[Any]:
    """Return the labels, each several times: scikit-learn warns of those that hardly occur again.

    Examples
    --------
    >>> import polars as pl
    >>> from sugeno._counts.frame.queries import QueryLog
    >>> from sugeno.estimators._frames import labels_of, opened_frame
    >>> frame = pl.LazyFrame({"x": [1, 2], "y": ["no", "no"]})
    >>> labels_of(opened_frame(frame, "y", None, None, 9, QueryLog()))
    array(['no', 'no', 'no'], dtype='<U2')
    """
    return np.repeat(np.array(known.labels), 3)


def _check_number(classes: NDArray[Any]) -> None:
    """Refuse labels that are too many to be all of them."""
    if classes.size >= MOST_LABELS:
        raise ValueError(
            f"The target must have fewer than {MOST_LABELS} labels. Got more instead; merge them, "
            "or use SugenoOrdinalClassifier for a few classes of a number."
        )


def _priced(
    known: FrameSummary,
    classes: NDArray[Any],
    class_weight: Mapping[Any, float] | str,
    max_values: int,
    log: QueryLog,
) -> FrameSummary:
    """The frame with the weight of each row times that of its class."""
    weights = known.weight_of_labels
    totals = np.array([weights[label] for label in classes.tolist()])
    prices = price_of_classes(class_weight, classes, totals, float(totals.sum()))
    by_label = dict(zip(classes.tolist(), prices.tolist()))
    return known.priced(by_label, max_values=max_values, log=log)


def keep_names(estimator: Any, known: FrameSummary) -> None:
    """Leave on an estimator what scikit-learn leaves there."""
    names = known.columns.names
    estimator.n_features_in_ = len(names)
    estimator.feature_names_in_ = np.array(names, dtype=object)
    for of_a_fit_before in ("feature_labels_in_", "per_class_"):
        vars(estimator).pop(of_a_fit_before, None)
    if known.columns.labels is not None:
        estimator.feature_labels_in_ = known.columns.labels
