"""The way in, for all classifiers: rows or a frame become training data, and one hook learns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin, clone
from sklearn.utils import check_random_state

from sugeno._counts.frame.queries import MOST_LABELS, QueryLog
from sugeno._counts.loss import Loss
from sugeno._counts.sample import SAMPLE
from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._exceptions import warn_user
from sugeno._learning.data import HeldOutRows, RowsInMemory, TrainingData, weight_of_classes
from sugeno._learning.labels import Classes, classes_of, distinct_labels
from sugeno._learning.training import Training
from sugeno._scales.columns import declared_order, name_of
from sugeno._scales.directions import warn_if_weak
from sugeno._scales.missing import check_not_all_missing, has_missing
from sugeno._sklearn import CachedParamNames, fit_context
from sugeno.estimators._validation import check_table, leaves_out_ids
from sugeno.estimators._wrapping import learn_each
from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass
from sugeno.model.score_model import ScoreModel
from sugeno.solvers.budget import DEFAULT_TIME_LIMIT, Budget

if TYPE_CHECKING:
    from sugeno._counts.frame.summary import FrameSummary

__all__ = ["BaseSugenoClassifier", "checked_loss", "data_of_rows", "seed_of", "without_order"]

Floats = NDArray[np.float64]


class BaseSugenoClassifier(ClassifierMixin, CachedParamNames):
    """`fit` and `fit_frame`, whatever the classes are; subclasses have `_learn` and `_store`.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> str(SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).rules_)
    'class 1 if x0 >= 3'
    """

    if TYPE_CHECKING:
        directions: Any
        class_weight: Any
        costs: Any
        positive: object
        missing: str
        time_limit: float | None
        random_state: Any
        per_class_: dict[Any, Any]

        def _learn(self, data: TrainingData, budget: Budget) -> Any: ...
        def _store(self, learned: Any) -> Self: ...

    #: Texts, dates, categories without an order and gaps between them are learned from.
    _takes_any_kind = True
    #: Seconds beyond which a user who gives more wants larger search trees.
    _usual_time = DEFAULT_TIME_LIMIT

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from rows in memory.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers and truth values. In a frame also ordered categoricals (an ordered categorical
            of pandas, an enumeration of Polars, an ordered dictionary of PyArrow).
        y : array-like of shape (n_samples,)
            Labels of two or more classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows.

        Returns
        -------
        classifier
            The fitted classifier.
        """
        budget = Budget.of(self.time_limit, usual=self._usual_time)
        return self._fit(data_of_rows(self, X, y, sample_weight), budget)

    @fit_context(prefer_skip_nested_validation=True)
    def fit_frame(
        self,
        frame: Any,
        target: str,
        *,
        weight: str | None = None,
        features: Sequence[str] | None = None,
        sample: int = SAMPLE,
        max_values: int = 100_000,
        explain: bool | Callable[[str], object] = False,
    ) -> Self:
        """Learn from a table of any engine, without copying its rows.

        The engine counts, by group-bys, and only counts cross over. They say how often each
        distinct row occurs, or the values of each criterion and the patterns, by class. From counts
        alone the model is that of `fit` on the same rows, to the last bit. Neither the engine nor
        the order of the rows nor their partitions matter. Ensembles, distilled rules and the choice
        by cross-validation have to look at rows. They look at a sample, which depends only on what
        the rows hold. Rules found on it are counted on all rows.

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
        sample : int, default=100_000
            Number of rows of different values to look at, where counts are not enough; all, if
            there are not more. Equal rows are in it together, with their weight.
        max_values : int, default=100_000
            So many distinct values may a criterion have. One with more is rounded down to
            multiples of a power of two, so that few enough occur, and a warning says so.
        explain : bool or callable, default=False
            Print what each pass over the table is for, with the SQL that DuckDB or Ibis is sent,
            or the plan of Spark or Polars. A callable is given these texts instead.

        Returns
        -------
        classifier
            The fitted classifier. ``n_passes_`` is the number of passes over the table.
            ``n_sampled_`` is the size of the sample, where rows were looked at.

        Notes
        -----
        One pass for the labels and the ends of the values. Of ordinal tables a second one fetches
        the distinct rows, if there can be no more than about a million. Of others one for a few
        criteria of few values, one per further criterion, a few for the median threshold, one for
        the patterns. Some parameters look at all rows: ``threshold`` "mean-median", "alternating"
        and "joint", and ``solver="lp"`` with subsets. They fetch the distinct rows, of which there
        may be about a million. See docs/scale.md.

        Examples
        --------
        >>> import polars as pl
        >>> from sugeno import SugenoClassifier
        >>> loans = pl.LazyFrame(
        ...     {"income": [2, 4, 6, 7, 8], "debt": [9, 8, 8, 7, 3], "paid": [0, 0, 0, 1, 1]}
        ... )
        >>> print(SugenoClassifier().fit_frame(loans, target="paid").rules_)
        paid = 1 if income >= 7 and debt <= 7
        """
        from sugeno._counts.frame.summary import FrameSummary, frame_of

        log = QueryLog.of(explain)
        budget = Budget.of(self.time_limit, log.clock, self._usual_time)
        taken = frame_of(frame)
        known = FrameSummary.of(
            taken,
            target,
            weight,
            features,
            max_values=max_values,
            log=log,
            wishes=getattr(self, "columns", None),
            special=getattr(self, "special", None),
            ids=leaves_out_ids(self),
        )
        data = _data_of_frame(self, known, max_values, log)
        learned = self._fit(
            replace(data, sample=sample, weighted=weight is not None, target=target), budget
        )
        self.n_passes_ = log.count
        return learned

    def _fit(self, data: TrainingData, budget: Budget) -> Self:
        """Learn from training data, wherever it comes from."""
        self._forget()
        if self._takes_any_kind:
            data = data.with_free_columns(self.directions)
        self._know_columns(data)
        if data.classes.ordered:
            learned = self._learn(data, budget)
            if isinstance(learned, Model | ScoreModel):
                learned = learned.named(data.target, data.words)
            return self._store(learned)
        template: Any = clone(self)
        template.set_params(class_weight=None)  # the rows have been weighed

        def learn_one(place: int) -> Any:
            part = budget.part(1 / (data.classes.size - place))
            return clone(template)._fit(data.against_rest(place, held_out), part)

        labels = data.classes.labels
        held_out: list[HeldOutRows] = []
        each = learn_each(learn_one, labels)
        self.per_class_ = dict(zip(labels.tolist(), each))
        models = ModelPerClass(labels, tuple(one.model_ for one in each), data.target)
        if len(held_out) == labels.size:
            models = replace(models, held_out=HeldOutRows.together(held_out))
        return self._store(models)

    def _forget(self) -> None:
        """Drop what a fit before has learned."""
        for name in [*vars(self)]:
            if name.endswith("_") and not name.startswith("_"):
                delattr(self, name)

    def _know_columns(self, data: TrainingData) -> None:
        """Keep what scikit-learn keeps of a table."""
        self.n_features_in_ = data.source.n_criteria
        if data.names is not None:
            self.feature_names_in_ = data.names
        if data.labels is not None:
            self.feature_labels_in_ = data.labels
        if data.columns is not None:
            self.columns_in_ = data.columns

    def _prepared(self, data: TrainingData) -> Training:
        """Orient the criteria, and warn where the evidence for a direction is weak."""
        training = data.prepared(self.directions, self.class_weight)
        warn_if_weak(training.found)
        if training.assumed is not None:
            self.columns_ = training.assumed
        return training

    def _classes(self, found: NDArray[Any], declared: Sequence[Any] | None) -> Classes:
        """Say what kind of classes the labels are."""
        order = getattr(self, "order", None)
        return classes_of(found, positive=self.positive, order=order, declared=declared)

    def _loss(self, classes: Classes) -> Loss | None:
        """What each error costs; None where each costs the same."""
        return None

    def _costs(self, classes: Classes) -> Loss | None:
        """What the two errors of two classes cost, where that was said."""
        if self.costs is None or (classes.ordered and classes.size > 2):
            return None
        if not classes.ordered:
            raise ValueError(
                "The 'costs' parameter is for two classes, or for classes in an order. Got "
                f"{classes.size} classes that have none instead; pass order=, the lowest class "
                "first, or fit to y == label for one of them."
            )
        if self.class_weight is not None:
            raise ValueError(
                "costs and class_weight both say what errors cost. Got both instead of one; leave "
                "out class_weight, which moves probabilities."
            )
        return Loss.of(self.costs, classes.size)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


def checked_loss(loss: Any, classes: Classes, missing: str, costs: Any = None) -> Loss | None:
    """Return what each error costs; None where each costs the same, and no loss was given.

    Costs of more than two classes are a loss; those of two classes are priced otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.labels import Classes
    >>> from sugeno.estimators._base import checked_loss
    >>> checked_loss(None, Classes(np.array([1, 2, 3])), "error").matrix
    array([[0, 2, 3],
           [2, 0, 2],
           [3, 2, 0]])
    """
    if costs is not None and classes.ordered:
        if loss not in (None, "mixed"):
            raise ValueError(
                f"costs and loss both say what errors cost. Got costs={costs!r} and loss={loss!r} "
                "instead; leave one of them out."
            )
        loss = None if classes.size == 2 else costs
    if not classes.ordered and loss is not None:
        raise ValueError(
            f"The 'loss' parameter is for classes in an order. Got loss={loss!r} with "
            f"{classes.size} classes that have none instead; pass order=, the lowest class first, "
            "make y an ordered categorical, or leave loss out."
        )
    if not classes.ordered or (loss is None and classes.size == 2):
        return None
    found = Loss.of("mixed" if loss is None else loss, classes.size)
    if missing == "interval" and not found.grows:
        raise ValueError(
            "missing='interval' adds up what a row may be too low and too high. That needs a loss "
            "that does not fall on the way from the true class to either side. Got "
            f"loss={np.asarray(loss).tolist()} instead; use another loss, or missing='pessimistic'."
        )
    return found


def without_order(found: NDArray[Any], positive: object, declared: Sequence[Any] | None) -> Classes:
    """Say what kind of classes there are to a classifier that uses no order, and warn of one.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.estimators._base import without_order
    >>> without_order(np.array([1, 2, 3]), None, None).ordered
    False
    """
    if found.size > 2 and declared is not None:
        warn_user(
            f"y has an order, {' < '.join(map(str, declared))}, which a model for each class "
            "against the rest does not use. SugenoClassifier and SugenoClassifierCV do, and "
            "SugenoDistiller with form='points'."
        )
        declared = None
    return classes_of(found, positive=positive, declared=declared)


def seed_of(random_state: Any) -> int:
    """Return a whole number to draw from; a random state is asked for one.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.estimators._base import seed_of
    >>> seed_of(7)
    7
    >>> state = np.random.RandomState(0)
    >>> seed_of(state) == seed_of(state)
    False
    """
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def data_of_rows(
    estimator: BaseSugenoClassifier,
    X: ArrayLike,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
) -> TrainingData:
    """Validate rows to learn from, and look at their classes.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators._base import data_of_rows
    >>> data_of_rows(SugenoClassifier(), [[1], [2], [3]], ["a", "b", "c"]).classes.ordered
    False
    """
    table, labels = check_table(estimator, X, y=y, missing=estimator.missing)
    weights = row_weights(sample_weight, len(table))
    found, codes = distinct_labels(labels if weights.present is None else labels[weights.present])
    classes = estimator._classes(found, declared_order(y))
    given = None
    if sample_weight is not None:
        given = np.broadcast_to(np.asarray(sample_weight), len(table))
    if classes.size > 2 and estimator.class_weight is not None:
        given = _weighed(estimator.class_weight, labels, found, given)
        weights = row_weights(given, len(table))
    loss = estimator._loss(classes)
    weights = weights if loss is None else loss.limited(weights)
    rows = RowsInMemory(table, labels, weights, given)
    if weights.present is not None:
        table, weights = table[weights.present], weights.take(weights.present)
        if estimator.missing != "error" and has_missing(table):
            check_not_all_missing(table, getattr(estimator, "feature_names_in_", None))
    columns = getattr(estimator, "columns_in_", None)
    missing = estimator.missing if columns is None else "pessimistic"
    places = classes.places(found)
    codes = codes if (places == np.arange(places.size)).all() else places[codes]
    return TrainingData(
        Table(table, codes, weights, weights, classes.size, missing),
        classes,
        loss,
        getattr(estimator, "feature_names_in_", None),
        getattr(estimator, "feature_labels_in_", None),
        rows,
        weighted=given is not None,
        columns=columns,
        target=name_of(y),
        words=_words_of(estimator, classes),
        costs=estimator._costs(classes),
    )


def _words_of(estimator: BaseSugenoClassifier, classes: Classes) -> tuple[str, str] | None:
    """What a person calls the rows of two classes, the positive ones first."""
    words = getattr(estimator, "words", None)
    if words is None:
        return None
    if classes.size != 2 or len(words) != 2:
        raise ValueError(
            "The 'words' parameter must be two texts for two classes, such as "
            f"('approved', 'refused'). Got {words!r} with {classes.size} classes instead."
        )
    positive, negative = map(str, words)
    return positive, negative


def _weighed(
    class_weight: Mapping[Any, float] | str,
    labels: NDArray[Any],
    found: NDArray[Any],
    given: NDArray[Any] | None,
) -> Floats:
    """Sample weights times the weight of the class."""
    rows = np.ones(len(labels)) if given is None else np.asarray(given, np.float64)
    totals = np.array([rows[labels == label].sum() for label in found])
    by_class = weight_of_classes(class_weight, found, totals, rows.sum())
    place = np.searchsorted(found, labels).clip(max=found.size - 1)
    result: Floats = rows * by_class[place]
    return result


def _data_of_frame(
    estimator: BaseSugenoClassifier, known: FrameSummary, max_values: int, log: QueryLog
) -> TrainingData:
    """Look at the classes of a frame, and count."""
    found = np.unique(np.array(known.labels))
    _check_labels(found)
    classes = estimator._classes(found, known.order)
    if classes.size > 2 and estimator.class_weight is not None:
        totals = np.array([known.weight_of_labels[label] for label in found.tolist()])
        each = weight_of_classes(estimator.class_weight, found, totals, float(totals.sum()))
        by_label = dict(zip(found.tolist(), each.tolist()))
        known = known.priced(by_label, max_values=max_values, log=log)
    loss = estimator._loss(classes)
    kinds = known.columns.kinds
    missing = estimator.missing if kinds is None else "pessimistic"
    source = known.source(classes.labels, missing=missing, max_values=max_values, log=log)
    if loss is not None and loss.excess_bits(source.total):
        raise ValueError(
            "The weights of a frame, times the losses, must add up to less than 2**60 units. Got a "
            f"total of {source.total} units instead; round the weights, say to multiples of 1/1024."
        )
    names = np.array(known.columns.names, dtype=object)
    return TrainingData(
        source,
        classes,
        loss,
        names,
        known.columns.labels,
        columns=kinds,
        words=_words_of(estimator, classes),
        costs=estimator._costs(classes),
    )


def _check_labels(found: NDArray[Any]) -> None:
    """Refuse measurements, and labels that are too many to be all of them."""
    if found.size >= MOST_LABELS:
        raise ValueError(
            f"The target must have fewer than {MOST_LABELS} labels. Got more instead; merge them."
        )
    # Each several times: scikit-learn warns of labels that hardly occur again.
    distinct_labels(np.repeat(found, 3))
