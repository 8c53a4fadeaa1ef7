"""Ordered classes from frames of any engine: boundaries by counts, ensembles by a sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from sugeno._counts.frame.queries import QueryLog
from sugeno._counts.loss import Loss
from sugeno._counts.sample import SAMPLE
from sugeno._learning.labels import ordered_classes
from sugeno._learning.training import Training, prepare
from sugeno._scales.directions import warn_if_weak
from sugeno._sklearn import fit_context
from sugeno.estimators._frames import keep_names, labels_of, opened_frame
from sugeno.solvers.budget import Budget

if TYPE_CHECKING:
    from sugeno._counts.frame.summary import FrameSummary

__all__ = ["OrdersFrames"]


class OrdersFrames:
    """A classifier of ordered classes that learns from counts, wherever they are counted.

    Examples
    --------
    >>> from sugeno import SugenoOrdinalClassifier
    >>> from sugeno.estimators._frames_ordinal import OrdersFrames
    >>> issubclass(SugenoOrdinalClassifier, OrdersFrames)
    True
    """

    if TYPE_CHECKING:
        levels: int | str
        classes: Any
        directions: Any
        missing: str
        time_limit: float | None
        feature_names_in_: Any

        def _check_options(self) -> None: ...
        def _checked_loss(self, n_classes: int) -> Loss: ...
        def _learned(self, training: Training, loss: Loss, budget: Budget) -> Self: ...

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
        """Learn nested rules from a table of any engine, without copying its rows.

        All kinds but "distilled" are learned from counts: the model is that of `fit` on the same
        rows, to the last bit. Distilled rules are found on a sample, which depends on what the
        rows hold alone, and counted on all rows.

        Parameters
        ----------
        frame, target, weight, features, max_values, explain
            As for `SugenoClassifier.fit_frame`.
        sample : int, default=100_000
            With levels="distilled": number of rows of different values to learn from.

        Returns
        -------
        SugenoOrdinalClassifier
            The fitted classifier; with levels="distilled" ``n_sampled_`` is the number of rows
            that the ensembles have learned from.

        Examples
        --------
        >>> import polars as pl
        >>> from sugeno import SugenoOrdinalClassifier
        >>> grades = pl.LazyFrame({"points": [1, 2, 3, 4, 5, 6], "grade": [0, 0, 1, 1, 2, 2]})
        >>> print(SugenoOrdinalClassifier(levels=1).fit_frame(grades, target="grade").rules_)
        at least 1 if points >= 3
        at least 2 if points >= 5
        """
        self._check_options()
        log = QueryLog.of(explain)
        budget = Budget.of(self.time_limit, log.clock)
        known = opened_frame(frame, target, weight, features, max_values, log)
        order, _ = ordered_classes(labels_of(known), self.classes, known.order)
        loss = self._checked_loss(order.size)
        keep_names(self, known)
        source = known.source(order, missing=self.missing, max_values=max_values, log=log)
        _check_total(loss, source.total)
        training = self._counted(known, source, order)
        warn_if_weak(training.found, stacklevel=4)
        training = replace(training, sample=sample)
        learned = self._learned(training, loss, budget)
        self.n_passes_ = log.count
        if self.levels == "distilled":
            self.n_sampled_ = len(training.sampled.table.codes)
        return learned

    def _counted(self, known: FrameSummary, source: Any, order: Any) -> Training:
        """Count the values, and orient the criteria."""
        return prepare(
            source,
            order,
            directions=self.directions,
            feature_names=self.feature_names_in_,
            labels=known.columns.labels,
        )


def _check_total(loss: Loss, total: int) -> None:
    """Refuse weights that would have to be rounded row by row."""
    if loss.excess_bits(total):
        raise ValueError(
            "The weights of a frame, times the losses, must add up to less than 2**60 units. Got "
            f"a total of {total} units instead; round the weights, say to multiples of 1/1024."
        )
