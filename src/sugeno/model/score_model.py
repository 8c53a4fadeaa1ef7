"""Finished sums of steps: the model that an ensemble becomes.

Each criterion adds whole units, by the levels that it reaches, and so does each of some pairs of
criteria. The sum decides: a row passes a boundary from a certain whole number on, and the sum as
log odds is a probability. There are no rules in it, and neither rows nor solvers. Of several
boundaries the pairs are the same, and no criterion adds more at a higher one: so whoever passes a
boundary passes those before it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from sugeno._counts.loss import Loss
from sugeno._scales.assumed import Assumed
from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno._scales.missing import as_read, filled
from sugeno._scales.rows import oriented
from sugeno._scales.surfaces import Index, Ints, Surfaces
from sugeno.model.class_rules import boundary_labels
from sugeno.model.model import Learned, OrderedModel, moved_down, moved_up
from sugeno.model.monotone import MonotoneProof
from sugeno.model.text import opening

__all__ = ["ScoreModel", "Sum"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

#: Totals are smaller than this, so that they are exact as doubles too.
_LARGEST_TOTAL = 2**53


@dataclass(frozen=True, eq=False)
class Sum:
    """What separates the classes below from those above, where steps add up.

    Attributes
    ----------
    literals : Literals
        All levels at which something is added, with the observed values beside them.
    tables : Surfaces
        What is added, in whole units; its levels are those of the literals, turned so that more is
        better.
    slope, units : float
        The log odds of a total t are ``slope * (t / units)``.
    missing : str
        How a missing value is read, see `sugeno.model.boundary.Boundary`.
    cut : float
        The probability above which rows are accepted.
    moved : tuple of two bool
        Whether probabilities are moved away from 1/2 where rows are refused, and where they are
        accepted, see `ScoreModel.decisive`.

    Examples
    --------
    >>> from sugeno import SugenoEnsembleClassifier
    >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9)
    >>> (boundary,) = clf.model_.boundaries
    >>> boundary.literals.texts
    ('x0 >= 2', 'x0 >= 3', 'x0 >= 4')
    """

    literals: Literals
    tables: Surfaces
    slope: float
    units: float
    missing: str = "error"
    cut: float = 0.5
    moved: tuple[bool, bool] = (False, False)

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria: how columns are read."""
        return self.literals.criteria

    @cached_property
    def bar(self) -> float:
        """The log odds above which rows are accepted."""
        return math.log(self.cut / (1 - self.cut))

    @cached_property
    def needed(self) -> int:
        """The least total that is accepted: log odds never fall when a total rises."""
        low, high = -_LARGEST_TOTAL, _LARGEST_TOTAL
        while high - low > 1:
            middle = (low + high) // 2
            accepted = bool(self.log_odds(np.array([middle]))[0] > self.bar)
            low, high = (low, middle) if accepted else (middle, high)
        return high

    def log_odds(self, totals: Ints) -> Floats:
        """Log odds of lying above, of totals."""
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
        """Log odds of lying above, less those of the cut."""
        return self.log_odds(self.totals(X)) - self.bar

    def accepts(self, totals: Ints) -> Bools:
        """Tell which totals are accepted."""
        return np.asarray(totals >= self.needed)

    def accepted(self, X: Floats) -> Bools:
        """Tell which rows are accepted."""
        return self.accepts(self.totals(X))

    def chances(self, totals: Ints) -> Floats:
        """Return the probability of lying above, of totals."""
        found: Floats = expit(self.log_odds(totals))
        refused, accepted = self.moved
        if refused:
            found = np.where(self.accepts(totals), found, moved_down(found))
        if accepted:
            found = np.where(self.accepts(totals), moved_up(found), found)
        return found

    def probabilities(self, X: Floats) -> Floats:
        """Return the probability of lying above, of each row."""
        return self.chances(self.totals(X))

    def flips(self, rows: Floats, columns: Iterable[list[int]]) -> Bools:
        """Tell which criteria can flip the decision on each row alone, of shape (n, m).

        Rows are read and turned already. The criteria of one column move together.
        """
        together = [(own, self._ways(own)) for own in columns if len(own) > 1]
        return self.tables.flips(rows, self.accepts, together)

    def _ways(self, own: list[int]) -> Index:
        """The codes that the criteria of one column have at its values, of shape (criteria, ways).

        Observed values on both sides of each level, which are all that differ; where none is
        known, the level itself and the number beside it.
        """
        literals, values = self.literals, set[float]()
        for i in np.flatnonzero(np.isin(literals.columns, own)).tolist():
            criterion = self.criteria[int(literals.columns[i])]
            level, way = float(literals.levels[i]), -criterion.direction * math.inf
            known = criterion.values_beside(float(literals.worse[i]), float(literals.better[i]))
            usual = math.nextafter(level, way), level
            values |= {a if math.isfinite(a) else b for a, b in zip(known, usual)}
        codes = [[self.code(j, value) for value in sorted(values)] for j in own]
        return np.unique(np.array(codes, dtype=np.intp), axis=1)

    def code(self, j: int, value: float) -> int:
        """How many levels of a criterion a value of its column reaches."""
        criterion = self.criteria[j]
        read = value if criterion.within is None else float(np.clip(value, *criterion.within))
        level = criterion.direction * read + 0.0
        return int(np.searchsorted(self.tables.levels[j], level, side="right"))

    def _totals_at_ends(self, X: Floats) -> tuple[Ints, Ints]:
        """The lowest and the highest total that filling in can lead to."""
        directions = self.literals.directions
        low, high = (
            self.tables.totals(oriented(filled(X, directions, best=best), directions))
            for best in (False, True)
        )
        return low, high

    def ends(self, X: Floats) -> tuple[Bools, Bools]:
        """Tell which rows are accepted whatever is missing, and which may be."""
        low, high = map(self.accepts, self._totals_at_ends(X))
        return low, high

    def confident(self, X: Floats, confidence: float = 0.5) -> tuple[Bools, Bools]:
        """Tell which rows are surely accepted, with so much probability, and which may be."""
        low, high = self._totals_at_ends(X)
        sure, maybe = self.accepts(low), self.accepts(high)
        if confidence > 0.5:  # else that asks for no more than the decision
            sure &= self.chances(low) >= confidence
            maybe |= self.chances(high) > 1 - confidence
        return sure, maybe

    def falls(self) -> list[str]:
        """Return the literals at which the sum may fall: none, if it is monotone."""
        levels = self.tables.levels
        first = np.cumsum([0, *(level.size for level in levels)]).tolist()
        return [self.literals.texts[first[j] + place] for j, place in self.tables.falls()]

    def beyond(self, lower: Sum) -> bool:
        """Whether a row might be accepted that a lower sum refuses; exact where pairs are shared.

        Each criterion can be anywhere, so the least that the lower sum is ahead by is the sum of
        what it is ahead by at least for each criterion.
        """
        ahead = lower.tables.constant - self.tables.constant
        ahead += sum(
            int((below - own).min()) for below, own in zip(lower.tables.single, self.tables.single)
        )
        shared = all(one is other for one, other in zip(self.tables.pairs, lower.tables.pairs))
        return ahead < 0 or not shared


@dataclass(frozen=True, eq=False, repr=False)
class ScoreModel(OrderedModel):
    """A classifier of ordered classes that adds up what criteria, and pairs of them, are worth.

    Attributes
    ----------
    classes : ndarray of shape (C,)
        The labels, the lowest first; of two classes the positive one last.
    boundaries : tuple of Sum
        What decides between each class and the next: all over the same literals, with the same
        tables of pairs.
    importances : ndarray of shape (m,)
        Share of each criterion in what the ensemble gained; the sum is 1, or 0 if nothing was
        learned.
    has_names : bool
        Whether the criteria have names from the data.
    learned : Learned or None
        How it was learned.
    assumed : Assumed or None
        What was assumed about the columns of a table of any kind.
    target : str or None
        Name of what is predicted, where it has one.
    words : tuple of two str or None
        What rows of the positive one of two classes are called, and all others.
    costs : Loss or None
        What the two errors of two classes cost, where a person said so.

    Examples
    --------
    >>> from sugeno import SugenoEnsembleClassifier
    >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9)
    >>> print(clf.model_)
    Class 1 by a sum of steps: 1 of 1 criteria, 0 pairs of criteria.
    """

    adds_up: ClassVar[bool] = True

    classes: NDArray[Any]
    boundaries: tuple[Sum, ...]
    importances: Floats
    has_names: bool = False
    learned: Learned | None = None
    assumed: Assumed | None = None
    target: str | None = None
    words: tuple[str, str] | None = None
    costs: Loss | None = None

    @property
    def literals(self) -> Literals:
        """The levels at which something is added, at any boundary."""
        return self.boundaries[0].literals

    def named(self, target: str | None, words: tuple[str, str] | None = None) -> ScoreModel:
        """Return the same model with names for its classes, which its sentences use."""
        return replace(self, target=target, words=words)

    def at_boundary(self, place: int) -> ScoreModel:
        """Return the model of two classes, below a boundary and above it."""
        if len(self.boundaries) == 1:
            return self
        return replace(
            self,
            classes=boundary_labels(self.classes, place),
            boundaries=self.boundaries[place : place + 1],
            learned=None if self.learned is None else self.learned.at_boundary(place),
            target=None,
        )

    @property
    def importance_order(self) -> list[int]:
        """The criteria that add anything, the most important one first."""
        used = set(self.literals.columns.tolist())
        order = np.argsort(-self.importances, kind="stable").tolist()
        return [j for j in order if j in used]

    @cached_property
    def decisive(self) -> tuple[Sum, ...]:
        """The boundaries with probabilities that make the predicted class the likeliest one.

        As `sugeno.model.model.Model.decisive` has them.
        """
        last = len(self.boundaries) - 1
        if not last:
            return self.boundaries
        return tuple(replace(one, moved=(b > 0, b < last)) for b, one in enumerate(self.boundaries))

    def margins(self, X: Floats) -> Floats:
        """Return the log odds of passing each boundary, less those of its cut: (n, C − 1)."""
        return np.column_stack([one.margins(X) for one in self.boundaries])

    def can_flip(self, X: Floats) -> Bools:
        """Tell for each row which criteria can change its class alone, of shape (n, m).

        A column that is read by two criteria moves both: of both the same is said.
        """
        return self.flips(self.boundaries[0].oriented(X))

    def flips(self, rows: Floats) -> Bools:
        """Tell the same of rows that are read and turned already."""
        columns = self.by_column.values()
        each = [one.flips(rows, columns) for one in self.boundaries]
        found: Bools = np.logical_or.reduce(each)
        return found

    def verify_monotone(self) -> MonotoneProof:
        """Prove that neither class nor P(class or higher) falls when a criterion gets better."""
        several = len(self.boundaries) > 1
        faults = [
            f"{label}: {text}" if several else text
            for label, one in zip(self.classes.tolist()[1:], self.boundaries)
            for text in one.falls()
        ]
        if faults:
            text = f"Not proved monotone: the sum may fall at {', '.join(faults)}."
            return MonotoneProof(False, text, tuple(faults))
        labels = self.classes.tolist()[2:]
        higher = [
            f"at least {label}"
            for label, (lower, one) in zip(labels, pairwise(self.boundaries))
            if one.beyond(lower)
        ]
        if higher:
            text = f"Not proved monotone: {', '.join(higher)} may be without the class below."
            return MonotoneProof(False, text, tuple(higher))
        tables = self.boundaries[0].tables
        return MonotoneProof(
            True,
            f"Monotone, proved for all inputs: a sum of whole numbers over {len(tables.levels)} "
            f"criteria and {len(tables.pairs)} pairs, which no level that is reached can lower; "
            "the probability rises with the sum"
            + ("; whoever passes a boundary passes those before it." if several else "."),
        )

    def __str__(self) -> str:
        # A column without a direction is read by two criteria, and is one to people.
        names = [criterion.name for criterion in self.criteria]
        used = {names[j] for j in self.importance_order}
        pairs = {
            frozenset((names[pair.first], names[pair.second]))
            for pair in self.boundaries[0].tables.pairs
        }
        n_pairs = sum(len(pair) == 2 for pair in pairs)
        of_pairs = "1 pair" if n_pairs == 1 else f"{n_pairs} pairs"
        first = self.names[1] if len(self.names) == 2 else f"{len(self.names)} classes"
        return (
            f"{opening(first)} by a sum of steps: {len(used)} of {len(set(names))} criteria, "
            f"{of_pairs} of criteria."
        )

    def __repr__(self) -> str:
        return f"<{self}>"
