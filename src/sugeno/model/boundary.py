"""One boundary between classes: what decides whether a row is above it, and how likely that is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.criterion import Criterion, names_apart
from sugeno._scales.knots import Knots, utilities
from sugeno._scales.literals import Literals
from sugeno._scales.missing import as_read, filled
from sugeno._sets.masks import Masks, contains_any, minimal, unpack
from sugeno.capacity import Capacity, sugeno_integral
from sugeno.model.card import Card
from sugeno.model.form import Form
from sugeno.model.grading import graded_capacity
from sugeno.model.probability import Probability
from sugeno.model.rules import RuleSet

__all__ = ["Boundary", "Certificate", "SettledPatterns"]


Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Certificate:
    """How good the rules are on the training data, and how good any rules could be.

    Attributes
    ----------
    objective : float
        Weight of the training errors (with the margin, class weights and the price of the rules
        where there are any), in the user's units.
    bound : float
        Proved lower bound on the objective of every classifier of the class searched.

    Examples
    --------
    >>> from sugeno.model.boundary import Certificate
    >>> Certificate(5.0, 3.0).gap
    2.0
    """

    objective: float
    bound: float

    @property
    def gap(self) -> float:
        """How far the objective may be from the optimum; 0 means proved optimal."""
        return max(0.0, self.objective - self.bound)


@dataclass(frozen=True, eq=False)
class Boundary:
    """What separates the classes below from those above: capacity and rules are two views of it.

    Attributes
    ----------
    labels : ndarray of shape (2,)
        What rows below and rows above are called: of two classes their labels.
    form : Form
        What decides: the rules of equation (6), with their literals and their support.
    probability : Probability
        Probabilities of the positive class by pattern.
    certificate : Certificate
        What is proved about the rules.
    threshold : float
        The threshold β.
    k : int
        Largest number of criteria in a rule that was allowed.
    normalized : bool
        Whether μ([m]) = 1.
    utility : Knots or None
        The utilities, thinned out; None where each literal is a binary utility of its own.
    importances : ndarray of shape (m,)
        How pivotal each criterion is, see `sugeno.model.pivotality`; the sum is 1.
    missing : {"error", "pessimistic", "optimistic", "interval"}
        How a missing value is read: refused, as the worst, as the best, or as anything, which
        decides as the worst does and has `ends`.
    extent : SettledPatterns or None
        What the training data leave open, where the fit was asked to keep it.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> model = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_
    >>> (boundary,) = model.boundaries
    >>> str(boundary.form), boundary.certificate.gap
    ('class 1 if x0 >= 3', 0.0)
    """

    labels: NDArray[Any]
    form: Form
    probability: Probability
    certificate: Certificate
    threshold: float
    k: int
    normalized: bool
    utility: Knots | None
    importances: Floats
    missing: str = "error"
    extent: SettledPatterns | None = None

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria, in the order of the columns."""
        return self.literals.criteria

    @property
    def literals(self) -> Literals:
        """The literals that rules may use."""
        return self.form.literal_set

    @property
    def cut(self) -> float:
        """The probability above which rows are accepted, see `Probability`."""
        return self.probability.cut

    @property
    def rules(self) -> RuleSet:
        """Rules that decide alike, for readers that can read rules and nothing else."""
        if isinstance(self.form, Card):
            return self.form.to_rules()
        if not isinstance(self.form, RuleSet):
            raise TypeError(f"This reads a form of rules. Got {type(self.form).__name__} instead.")
        return self.form

    @cached_property
    def capacity(self) -> Capacity:
        """The capacity μ, graded by the probabilities: ``{μ ≥ β}`` is the family of the rules.

        That of a card is additive: the share of its points that a set has. On the literals, where
        they are not one per criterion. Without any it is 0 on the criteria.
        """
        names = names_apart(self.literals.criteria)
        if not self.literals.levels.size:
            return Capacity({}, criteria=names, normalized=False)
        if isinstance(self.form, Card):
            return self.form.additive_capacity
        return graded_capacity(
            self.probability,
            self.form.boundary_sets,
            chains=self.literals.chains,
            k=self.k,
            beta=self.threshold,
            normalized=self.normalized,
            criteria=names if self.literals.is_plain else self.literals.texts,
        )

    def integral(self, X: NDArray[Any]) -> Floats:
        """Return the Sugeno integral of each row: at least β if and only if it is accepted."""
        return np.asarray(sugeno_integral(self._utilities(X), self.capacity))

    def _utilities(self, X: NDArray[Any]) -> Floats:
        if self.utility is not None:
            return utilities(np.asarray(self.read(X), dtype=np.float64), self.utility)
        n_literals = self.literals.levels.size
        if not n_literals:
            return np.zeros((len(X), len(self.criteria)))
        return unpack(self._masks(X), n_literals).astype(np.float64)

    def accepted(self, X: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell which rows are accepted."""
        return self.form.decide(self.read(X), check_finite=self.missing == "error")

    def probabilities(self, X: NDArray[Any]) -> Floats:
        """Return the probability of the positive class of each row."""
        masks = self._masks(X)
        return self.probability.of(masks, self.form.accepts(masks))

    def satisfied(self, X: NDArray[Any]) -> Masks:
        """Return the packed set of literals that each row satisfies, as missing values are read."""
        return self._masks(X)

    def ends(self, X: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Tell which rows are accepted whatever is missing, and which may be."""
        if self.missing == "error":
            accepted = self.accepted(X)
            return accepted, accepted
        both = [filled(X, self.literals.directions, best=best) for best in (False, True)]
        least, most = (self.form.decide(rows, check_finite=False) for rows in both)
        return least, most

    def limits(self, X: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Tell which rows are accepted whatever is missing or left open, and which may be."""
        if self.extent is None:
            return self.ends(X)
        worst, best = self._both_masks(X)
        return self.extent.surely(worst), self.extent.maybe(best)

    def probability_ends(self, X: NDArray[Any]) -> tuple[Floats, Floats]:
        """Return the lowest and the highest probability that filling in can lead to."""
        low, high = (
            self.probability.of(masks, self.form.accepts(masks)) for masks in self._both_masks(X)
        )
        return low, high

    def confident(
        self, X: NDArray[Any], confidence: float = 0.5
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Tell which rows are surely accepted, with so much probability, and which may be."""
        least, most = self.limits(X)
        if confidence <= 0.5:  # that asks for no more than the decision
            return least, most
        low, high = self.probability_ends(X)
        return least & (low >= confidence), most | (high > 1 - confidence)

    def _both_masks(self, X: NDArray[Any]) -> tuple[Masks, Masks]:
        """Literals satisfied in the worst case and in the best; the same where none is missing."""
        if self.missing == "error":
            masks = self._masks(X)
            return masks, masks
        worst, best = (
            self.literals.satisfied(filled(X, self.literals.directions, best=best))
            for best in (False, True)
        )
        return worst, best

    def read(self, X: NDArray[Any]) -> NDArray[Any]:
        """Rows with missing values as they are read."""
        return as_read(X, self.literals.directions, self.missing)

    def _masks(self, X: NDArray[Any]) -> Masks:
        # Values that are filled in are infinite, and the others have been looked at before.
        return self.literals.satisfied(self.read(X), check_finite=self.missing == "error")


@dataclass(frozen=True, eq=False)
class SettledPatterns:
    """What the data settle: how much an optimal model accepts at least, and at most.

    Optimal families form a lattice. Whatever the smallest one accepts, all accept; whatever the
    largest one rejects, all reject, and so do its subsets. Patterns between the two are a matter of
    choice.

    Attributes
    ----------
    accepted : ndarray of uint64 of shape (·, words)
        The smallest patterns that are accepted for certain, and with them all that contain one.
    rejected : ndarray of uint64 of shape (·, words)
        The largest patterns that are rejected for certain, and with them all that lie inside one.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.boundary import SettledPatterns
    >>> extent = SettledPatterns.of(np.array([[3], [7]], np.uint64), np.array([[1]], np.uint64))
    >>> asked = np.array([[1], [2], [3]], np.uint64)
    >>> extent.surely(asked), extent.maybe(asked)
    (array([False, False,  True]), array([False,  True,  True]))
    """

    accepted: Masks
    rejected: Masks

    @classmethod
    def of(cls, accepted: Masks, rejected: Masks) -> SettledPatterns:
        """Keep the patterns that no other one makes redundant."""
        return cls(minimal(accepted), ~minimal(~rejected))

    def surely(self, masks: Masks) -> NDArray[np.bool_]:
        """Tell which patterns are accepted for certain."""
        return contains_any(masks, self.accepted)

    def maybe(self, masks: Masks) -> NDArray[np.bool_]:
        """Tell which patterns are not rejected for certain."""
        return ~contains_any(~masks, ~self.rejected)
