"""A finished sum of steps: the model that an ensemble becomes.

Each criterion adds whole units, by the levels that it reaches, and so does each of some pairs of
criteria. The sum decides: a row is accepted from a certain whole number on, and the sum as log odds
is a probability. There are no rules in it, and neither rows nor solvers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from sugeno._counts.loss import Loss
from sugeno._scales.assumed import Assumed
from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno._scales.missing import as_read, filled
from sugeno._scales.rows import oriented
from sugeno._scales.surfaces import Index, Ints, Surfaces
from sugeno.model.model import HeldOut, Learned, places_among
from sugeno.model.monotone import MonotoneProof
from sugeno.model.text import class_names, opening

__all__ = ["ScoreModel"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

#: Totals are smaller than this, so that they are exact as doubles too.
_LARGEST_TOTAL = 2**53


@dataclass(frozen=True, eq=False, repr=False)
class ScoreModel:
    """A classifier of two classes that adds up what criteria, and pairs of them, are worth.

    Attributes
    ----------
    classes : ndarray of shape (2,)
        The negative and the positive label.
    literals : Literals
        All levels at which something is added, with the observed values beside them.
    tables : Surfaces
        What is added, in whole units; its levels are those of the literals, turned so that more is
        better.
    slope, units : float
        The log odds of a total t are ``slope * (t / units)``.
    importances : ndarray of shape (m,)
        Share of each criterion in what the ensemble gained; the sum is 1, or 0 if nothing was
        learned.
    has_names : bool
        Whether the criteria have names from the data.
    missing : str
        How a missing value is read, see `sugeno.model.boundary.Boundary`.
    learned : Learned or None
        How it was learned.
    assumed : Assumed or None
        What was assumed about the columns of a table of any kind.
    target : str or None
        Name of what is predicted, where it has one.
    words : tuple of two str or None
        What rows of the positive class are called, and all others.
    costs : Loss or None
        What the two errors cost, where a person said so.

    Examples
    --------
    >>> from sugeno import SugenoEnsembleClassifier
    >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9)
    >>> print(clf.model_)
    Class 1 by a sum of steps: 1 of 1 criteria, 0 pairs of criteria.
    """

    classes: NDArray[Any]
    literals: Literals
    tables: Surfaces
    slope: float
    units: float
    importances: Floats
    has_names: bool = False
    missing: str = "error"
    learned: Learned | None = None
    assumed: Assumed | None = None
    target: str | None = None
    words: tuple[str, str] | None = None
    costs: Loss | None = None

    @property
    def held_out(self) -> HeldOut | None:
        """What it errs on rows outside the bags, where that was measured."""
        return None if self.learned is None else self.learned.held_out

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria: how columns are read."""
        return self.literals.criteria

    @property
    def names(self) -> tuple[str, ...]:
        """What rows of each class are called, the negative one first."""
        return class_names(self.classes.tolist(), self.target, self.words)

    def named(self, target: str | None, words: tuple[str, str] | None = None) -> ScoreModel:
        """Return the same model with names for its classes, which its sentences use."""
        return replace(self, target=target, words=words)

    @property
    def cut(self) -> float:
        """The probability above which rows are accepted."""
        return 0.5 if self.costs is None else self.costs.cut

    @cached_property
    def bar(self) -> float:
        """The log odds above which rows are accepted."""
        return math.log(self.cut / (1 - self.cut))

    @property
    def cuts(self) -> Floats:
        """The cut, as the boundaries of other models have theirs."""
        return np.array([expit(self.bar)])

    @cached_property
    def needed(self) -> int:
        """The least total that is accepted: log odds never fall when a total rises."""
        low, high = -_LARGEST_TOTAL, _LARGEST_TOTAL
        while high - low > 1:
            middle = (low + high) // 2
            accepted = bool(self.log_odds(np.array([middle]))[0] > self.bar)
            low, high = (low, middle) if accepted else (middle, high)
        return high

    @property
    def importance_order(self) -> list[int]:
        """The criteria that add anything, the most important one first."""
        used = set(self.literals.columns.tolist())
        order = np.argsort(-self.importances, kind="stable").tolist()
        return [j for j in order if j in used]

    def log_odds(self, totals: Ints) -> Floats:
        """Log odds of the positive class, of totals."""
        found: Floats = self.slope * (totals / self.units)
        return found

    def oriented(self, X: Floats) -> Floats:
        """Rows as they are read, turned so that more is better."""
        directions = self.literals.directions
        return oriented(as_read(X, directions, self.missing), directions)

    def codes(self, X: Floats) -> Index:
        """How many levels of each criterion each row reaches, of shape (m, n)."""
        return self.tables.codes(self.oriented(X))

    def totals(self, X: Floats) -> Ints:
        """The exact total of each row."""
        return self.tables.totals(self.oriented(X))

    def margins(self, X: Floats) -> Floats:
        """Log odds of the positive class, less those of the cut."""
        return self.log_odds(self.totals(X)) - self.bar

    def accepts(self, totals: Ints) -> Bools:
        """Tell which totals are accepted."""
        return np.asarray(totals >= self.needed)

    def accepted(self, X: Floats) -> Bools:
        """Tell which rows are accepted."""
        return self.accepts(self.totals(X))

    def decide(self, X: Floats) -> NDArray[Any]:
        """Return the label of each row."""
        return self.classes.take(self.accepted(X))

    def probabilities(self, X: Floats) -> Floats:
        """Return the probability of the positive class of each row."""
        found: Floats = expit(self.log_odds(self.totals(X)))
        return found

    def at_least(self, X: Floats) -> Floats:
        """The same as a column, as of the boundaries of other models."""
        return self.probabilities(X)[:, None]

    def class_probabilities(self, X: Floats) -> Floats:
        """Return the probability of each class, the negative one first."""
        positive = self.at_least(X)
        return np.hstack([1 - positive, positive])

    def places(self, y: ArrayLike) -> NDArray[np.intp]:
        """Return the place of each label among the classes; others are refused."""
        return places_among(self.classes, y)

    def passed(self, X: Floats) -> NDArray[np.intp]:
        """Return the place of the class of each row."""
        return self.accepted(X).astype(np.intp)

    def can_flip(self, X: Floats) -> Bools:
        """Tell for each row which criteria can flip its decision alone, of shape (n, m)."""
        return self.tables.flips(self.oriented(X), self.accepts)

    def _totals_at_ends(self, X: Floats) -> tuple[Ints, Ints]:
        """The lowest and the highest total that filling in can lead to."""
        directions = self.literals.directions
        low, high = (
            self.tables.totals(oriented(filled(X, directions, best=best), directions))
            for best in (False, True)
        )
        return low, high

    def ends(self, X: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Tell which rows are accepted whatever is missing, and which may be, as 0 and 1."""
        low, high = (self.accepts(totals).astype(np.intp) for totals in self._totals_at_ends(X))
        return low, high

    def open_labels(self, X: Floats, confidence: float = 0.5) -> Bools:
        """Tell which labels are left open, the negative one first: shape (n, 2)."""
        low, high = self._totals_at_ends(X)
        sure, maybe = self.accepts(low), self.accepts(high)
        if confidence > 0.5:
            sure &= expit(self.log_odds(low)) >= confidence
            maybe |= expit(self.log_odds(high)) > 1 - confidence
        return np.column_stack([~sure, maybe])

    def verify_monotone(self) -> MonotoneProof:
        """Prove that neither class nor probability falls when a criterion gets better."""
        levels = self.tables.levels
        first = np.cumsum([0, *(level.size for level in levels)]).tolist()
        faults = tuple(self.literals.texts[first[j] + place] for j, place in self.tables.falls())
        if faults:
            text = f"Not proved monotone: the sum may fall at {', '.join(faults)}."
            return MonotoneProof(False, text, faults)
        return MonotoneProof(
            True,
            f"Monotone, proved for all inputs: a sum of whole numbers over {len(levels)} criteria "
            f"and {len(self.tables.pairs)} pairs, which no level that is reached can lower; the "
            "probability rises with the sum.",
        )

    def __str__(self) -> str:
        n_used, n_pairs = len(self.importance_order), len(self.tables.pairs)
        return (
            f"{opening(self.names[1], self.words)} by a sum of steps: {n_used} of "
            f"{len(self.criteria)} criteria, {n_pairs} pairs of criteria."
        )

    def __repr__(self) -> str:
        return f"<{self}>"
