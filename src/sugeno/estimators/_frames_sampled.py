"""Learning from frames what needs rows: a sample by what rows hold, counts of all rows besides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.table import Table
from sugeno._counts.weights import RowWeights
from sugeno._learning.candidates import chosen_size, learn_candidate
from sugeno._learning.folds import USUAL_TIME, Fold, few_enough
from sugeno._learning.training import Training
from sugeno._scales.directions import warn_if_weak
from sugeno._sklearn import fit_context
from sugeno.estimators._frames import opened_frame, passes_told, training_of_frame
from sugeno.solvers.budget import Budget

if TYPE_CHECKING:
    from sugeno._counts.frame import Frame
    from sugeno._counts.frame_condensed import CondensedFrame

__all__ = ["ChoosesFromFrames", "GrowsFromFrames", "dealt", "sampled"]

#: Rows of different values that are fetched, unless the user says otherwise.
SAMPLE = 20_000


def sampled(training: Training, size: int) -> Training:
    """Return the same training data with a sample of its rows as the source.

    Scales and prices remain those of all rows.
    """
    if size < 2:
        raise ValueError(
            "sample must be a number of rows with different values, at least 2. "
            f"Got {size!r} instead."
        )
    table = cast("Frame | CondensedFrame", training.source).sample(int(size))
    for code, label in enumerate(training.classes.tolist()):
        if code not in table.codes:
            raise ValueError(
                f"A sample must have rows of every class. Got none of class {label!r} among "
                f"{size} rows instead; raise sample."
            )
    return replace(training, source=table)


@dataclass(frozen=True)
class Dealt:
    """Rows with the fold that each of them is scored in."""

    X: NDArray[np.float64]
    codes: NDArray[np.intp]
    weights: RowWeights
    fold: NDArray[np.intp]

    @property
    def folds(self) -> list[Fold]:
        """Rows to learn from and rows to score."""
        numbers = range(int(self.fold.max()) + 1)
        return [(np.flatnonzero(self.fold != f), np.flatnonzero(self.fold == f)) for f in numbers]


def dealt(table: Table, n_folds: int, *, by_copies: bool) -> Dealt:
    """Deal distinct rows to folds, in turn and class by class.

    Parameters
    ----------
    table : Table
        Distinct rows with their weights, mixed.
    n_folds : int
        Number of folds, lowered to what the rarest class has.
    by_copies : bool
        Whether a row of weight w stands for w equal rows, which are dealt one by one. Otherwise
        each row goes to one fold.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno.estimators._frames_sampled import dealt
    >>> X, codes = np.array([[1.0], [2.0], [3.0]]), np.array([0, 0, 1])
    >>> table = Table.of(X, codes, row_weights([3, 1, 2], 3))
    >>> rows = dealt(table, 2, by_copies=True)
    >>> rows.X[:, 0], rows.weights.values, rows.fold
    (array([1., 3., 1., 2., 3.]), array([2, 1, 1, 1, 1]), array([0, 0, 1, 1, 1]))
    """
    weights = _whole(table.weights)
    copies = weights if by_copies else np.ones_like(weights)
    ends = np.zeros_like(copies)
    fewest = n_folds
    for code in range(table.n_classes):
        mine = table.codes == code
        ends[mine] = np.cumsum(copies[mine])
        fewest = min(fewest, int(copies[mine].sum()))
    if fewest < 2:
        raise ValueError(
            "Cross-validation needs at least 2 rows of each class. Got 1 of one class instead; "
            "use SugenoClassifier, or collect more rows."
        )
    # How many of the numbers from the first copy of a row to its last fall to a fold.
    shares = [(ends - f - 1) // fewest - (ends - copies - f - 1) // fewest for f in range(fewest)]
    fold, row = np.nonzero(np.array(shares))
    share = np.array(shares)[fold, row]
    units = share if by_copies else weights[row]
    return Dealt(
        table.X[row], table.codes[row], RowWeights(units, row.size, table.weights.unit), fold
    )


def _whole(weights: RowWeights) -> NDArray[np.int64]:
    return np.ones(weights.n, dtype=np.int64) if weights.values is None else weights.values


class GrowsFromFrames:
    """An ensemble that can grow on a sample of a frame.

    Examples
    --------
    >>> from sugeno import SugenoEnsembleClassifier
    >>> from sugeno.estimators._frames_sampled import GrowsFromFrames
    >>> issubclass(SugenoEnsembleClassifier, GrowsFromFrames)
    True
    """

    if TYPE_CHECKING:

        def _grow(self, training: Training) -> None: ...

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
        """Grow the ensemble on a sample of a table of any engine.

        The sample depends on what the rows hold alone: it is the same whatever the engine, the
        order of the rows and their partitioning. Equal rows are in it together, with their weight.

        Parameters
        ----------
        frame, target, weight, features, max_values, explain
            As for `SugenoClassifier.fit_frame`.
        sample : int, default=20_000
            Number of rows of different values to learn from; all, if there are not more.

        Returns
        -------
        SugenoEnsembleClassifier
            The fitted ensemble, with ``n_sampled_``, the number of rows that it has learned from.

        Examples
        --------
        >>> import polars as pl
        >>> from sugeno import SugenoEnsembleClassifier
        >>> loans = pl.LazyFrame({"income": [1, 2, 3, 4] * 9, "paid": [0, 0, 1, 1] * 9})
        >>> clf = SugenoEnsembleClassifier(n_bags=2).fit_frame(loans, target="paid")
        >>> clf.n_sampled_, clf.predict(pl.DataFrame({"income": [2, 3]})).tolist()
        (4, [0, 1])
        """
        passes = passes_told(explain)
        known = opened_frame(frame, target, weight, features, max_values, passes)
        counted = training_of_frame(self, known, max_values, passes)
        warn_if_weak(counted.found, stacklevel=4)
        training = sampled(counted, sample)
        self._grow(training)
        self.n_sampled_, self.n_passes_ = len(training.table.codes), passes.count
        return self


class ChoosesFromFrames:
    """A classifier that chooses its kind on a sample of a frame, and counts all of its rows.

    Examples
    --------
    >>> from sugeno import SugenoClassifierCV
    >>> from sugeno.estimators._frames_sampled import ChoosesFromFrames
    >>> issubclass(SugenoClassifierCV, ChoosesFromFrames)
    True
    """

    if TYPE_CHECKING:
        _candidates: Any
        _check: Any
        _begun: Any
        _choose: Any
        _recipe: Any
        _route: Any
        _scores: Any
        _keep: Any
        cv: Any
        time_limit: float | None

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
        """Choose the kind of model on a sample of a table of any engine; learn it from all rows.

        The sample depends on what the rows hold alone: it is the same whatever the engine, the
        order of the rows and their partitioning. Equal rows are in it together, with their weight,
        and are dealt to the folds one by one. The chosen model of the paper, or by levels, is then
        learned from the counts of all rows, as `SugenoClassifier.fit_frame` does. Distilled rules
        are found on the sample; their support and their probabilities are counted on all rows.

        Parameters
        ----------
        frame, target, weight, features, max_values, explain
            As for `SugenoClassifier.fit_frame`.
        sample : int, default=20_000
            Number of rows of different values to choose on; all, if there are not more.

        Returns
        -------
        SugenoClassifierCV
            The fitted classifier, with ``n_sampled_``, the number of rows that it has chosen on.

        Examples
        --------
        >>> import polars as pl
        >>> from sugeno import SugenoClassifierCV
        >>> loans = pl.LazyFrame({"income": [1, 2, 3, 4] * 9, "paid": [0, 0, 1, 1] * 9})
        >>> clf = SugenoClassifierCV(levels="shared").fit_frame(loans, target="paid")
        >>> print(clf.rules_, clf.n_sampled_, sep="; ")
        accept if income >= 3; 4
        """
        passes = passes_told(explain)
        budget = Budget.of(self.time_limit, passes.clock, USUAL_TIME)
        known = opened_frame(frame, target, weight, features, max_values, passes)
        training = training_of_frame(self, known, max_values, passes)
        warn_if_weak(training.found, stacklevel=4)
        candidates = self._candidates(training.source.n_criteria)
        self._check(candidates, training.source.n_criteria)
        rows = sampled(training, sample)
        best = candidates[self._chosen_on(rows, candidates, by_copies=weight is None)]
        learned_from = rows if best.levels == "distilled" else training
        model, found = learn_candidate(learned_from, best, self._recipe(), budget.part(1.0))
        if found is not None:
            model = replace(found, training=training).model(chosen_size(found))
        kept: Self = self._keep(best, training, model, found)
        self.n_sampled_, self.n_passes_ = len(rows.table.codes), passes.count
        return kept

    def _chosen_on(self, rows: Training, candidates: list[Any], *, by_copies: bool) -> int:
        """Score the candidates on folds of a sample."""
        if not isinstance(self.cv, Integral):
            raise ValueError(
                "The 'cv' parameter must be a number of folds where the rows of a frame are dealt "
                f"to them by what they hold. Got {self.cv!r} instead."
            )
        parts = dealt(rows.table, int(self.cv), by_copies=by_copies)
        labels = rows.classes.take(parts.codes)
        given = _whole(parts.weights) * parts.weights.unit
        routed = self._route(given, {})
        folds = few_enough(parts.folds, parts.codes)
        outcomes = self._begun(
            parts.X, labels, parts.weights, folds, candidates, routed.scorer.score
        )
        chosen: int = self._choose(candidates, *self._scores(outcomes, len(folds)))
        return chosen
