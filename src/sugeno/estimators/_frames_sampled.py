"""Learning from frames what needs rows: a sample by what rows hold, counts of all rows besides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Self

from sugeno._counts.frame.queries import QueryLog
from sugeno._counts.sample import SAMPLE
from sugeno._learning.folds import USUAL_TIME
from sugeno._learning.training import Training
from sugeno._scales.directions import warn_if_weak
from sugeno._sklearn import fit_context
from sugeno.estimators._frames import opened_frame, training_of_frame
from sugeno.solvers.budget import Budget

__all__ = ["ChoosesFromFrames", "GrowsFromFrames"]


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
        sample : int, default=100_000
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
        log = QueryLog.of(explain)
        known = opened_frame(frame, target, weight, features, max_values, log)
        counted = training_of_frame(self, known, max_values, log)
        warn_if_weak(counted.found, stacklevel=4)
        training = replace(counted, sample=sample).sampled
        self._grow(training)
        self.n_sampled_, self.n_passes_ = len(training.table.codes), log.count
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
        _drawn: Any
        _learn_best: Any
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
        sample : int, default=100_000
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
        log = QueryLog.of(explain)
        budget = Budget.of(self.time_limit, log.clock, USUAL_TIME)
        known = opened_frame(frame, target, weight, features, max_values, log)
        training = training_of_frame(self, known, max_values, log)
        warn_if_weak(training.found, stacklevel=4)
        candidates = self._candidates(training.source.n_criteria)
        self._check(candidates, training.source.n_criteria)
        if not isinstance(self.cv, Integral):
            raise ValueError(
                "The 'cv' parameter must be a number of folds where the rows of a frame are dealt "
                f"to them by what they hold. Got {self.cv!r} instead."
            )
        training = replace(training, sample=sample)
        parts = self._drawn(training, weighted=weight is not None)
        kept: Self = self._learn_best(training, parts, candidates, budget)
        self.n_sampled_, self.n_passes_ = len(training.sampled.table.codes), log.count
        return kept
