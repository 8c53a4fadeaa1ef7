"""Patterns: the sets of literals that rows satisfy, with the weight of each class.

A *literal* is a statement "criterion j reaches level t". At a threshold β a row is nothing but
the set of literals it satisfies (level-set identity: S_μ(u) ≥ β iff μ({u ≥ β}) ≥ β), so the
distinct sets that occur, each with the weight of every class, are all that a solver needs.

A row may be uncertain: then it is an *interval* of sets, from what it satisfies for certain to
what it satisfies at most. It counts with its lower set where its class speaks for acceptance and
with its upper set where its class speaks against it, so that it is right only if it is right
whatever the truth. A margin makes rows uncertain; a plain row has two equal ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.weights import EXACT_FLOAT, RowWeights
from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks, canonical_order, set_sizes

Ints = NDArray[np.int64]

#: Up to this many literals rows are counted in a table over all words.
_TABLE_BITS = 20


@dataclass(frozen=True)
class Patterns:
    """The distinct patterns of a table with the weight of each class: what a solver sees.

    Classes are ordered, 0 to C − 1. Boundary b lies between the classes b and b + 1; with two
    classes there is one boundary, and `positive` and `negative` are the weights on its sides.

    Attributes
    ----------
    masks : ndarray of uint64 of shape (D, words)
        The distinct sets of satisfied literals, in canonical order.
    lower, upper : ndarray of int64 of shape (D, C)
        Integer weight of the rows of each class whose lower, and whose upper, set this is.
        Without uncertain rows both are the same.
    chains : Chains
        The literals of each criterion; one per criterion in the paper's model.
    unit : float
        What one unit of weight is worth to the user.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno._sets.masks import pack
    >>> rows = pack(np.array([[1, 0], [1, 1], [1, 0]], dtype=bool))
    >>> p = Patterns.from_rows(rows, np.array([1, 1, 0]), row_weights(None, 3), Chains.single(2))
    >>> p.masks.ravel(), p.positive, p.negative
    (array([1, 3], dtype=uint64), array([1, 1]), array([1, 0]))
    """

    masks: Masks
    lower: Ints
    upper: Ints
    chains: Chains
    unit: float = 1.0

    @classmethod
    def of_two_classes(
        cls, masks: Masks, positive: Ints, negative: Ints, chains: Chains, unit: float = 1.0
    ) -> Patterns:
        """Build from the weights of the positive and of the negative rows of each pattern."""
        weights = np.column_stack([negative, positive]).astype(np.int64, copy=False)
        return cls(masks, weights, weights, chains, unit)

    @classmethod
    def from_rows(
        cls,
        rows: Masks,
        codes: NDArray[np.integer] | NDArray[np.bool_],
        weights: RowWeights,
        chains: Chains,
        n_classes: int = 2,
    ) -> Patterns:
        """Group rows by pattern and class; integer sums, so the order of the rows is lost."""
        masks, weight = _count(rows, codes, weights, chains, n_classes)
        order = canonical_order(masks)
        counted = weight[order]
        return cls(masks[order], counted, counted, chains, weights.unit)

    @classmethod
    def from_intervals(
        cls,
        lower: Masks,
        upper: Masks,
        codes: NDArray[np.integer] | NDArray[np.bool_],
        weights: RowWeights,
        chains: Chains,
        n_classes: int = 2,
    ) -> Patterns:
        """Group rows that are intervals of sets: `lower` for certain, `upper` at most."""
        # Both ends are counted in one go: an upper end counts as a class of its own.
        rows = np.concatenate([lower, upper])
        ends = np.concatenate([codes, codes.astype(np.intp) + n_classes])
        values = weights.values
        doubled = None if values is None else np.concatenate([values, values])
        both = RowWeights(doubled, 2 * weights.n, weights.unit)
        masks, weight = _count(rows, ends, both, chains, 2 * n_classes)
        # A row counts with its lower end unless it has the lowest class, and with its upper end
        # unless it has the highest: a pattern that only other ends have is none.
        matters = weight[:, 1:-1].any(axis=1)
        masks, weight = masks[matters], weight[matters]
        weight[:, [0, -1]] = 0
        order = canonical_order(masks)
        weight = weight[order]
        return cls(masks[order], weight[:, :n_classes], weight[:, n_classes:], chains, weights.unit)

    @property
    def n_classes(self) -> int:
        """Number of classes C."""
        return int(self.lower.shape[1])

    def at(self, boundary: int) -> Patterns:
        """Return the same patterns with two classes: up to the boundary, and beyond it."""
        if self.n_classes == 2:
            return self
        return Patterns.of_two_classes(
            self.masks,
            self.lower[:, boundary + 1 :].sum(axis=1),
            self.upper[:, : boundary + 1].sum(axis=1),
            self.chains,
            self.unit,
        )

    @cached_property
    def positive(self) -> Ints:
        """Weight of the positive rows by pattern: those of the highest class, by lower set."""
        return np.ascontiguousarray(self.lower[:, -1])

    @cached_property
    def negative(self) -> Ints:
        """Weight of the negative rows by pattern: those of the lowest class, by upper set."""
        return np.ascontiguousarray(self.upper[:, 0])

    @property
    def n_literals(self) -> int:
        """Number of literals."""
        return self.chains.n_literals

    @property
    def net(self) -> Ints:
        """Positive less negative weight of each pattern."""
        return self.positive - self.negative

    @property
    def total(self) -> int:
        """Weight of all positive and negative rows."""
        return int(self.positive.sum() + self.negative.sum())

    @cached_property
    def is_empty_set(self) -> NDArray[np.bool_]:
        """Marks the pattern that satisfies nothing (at most one)."""
        empty: NDArray[np.bool_] = set_sizes(self.masks) == 0
        return empty

    @cached_property
    def is_full_set(self) -> NDArray[np.bool_]:
        """Marks the pattern that satisfies every literal (at most one)."""
        full: NDArray[np.bool_] = set_sizes(self.masks) == self.n_literals
        return full

    def errors(self, accepted: NDArray[np.bool_]) -> int:
        """Weight of the rows that a labelling of the patterns gets wrong."""
        return int(np.where(accepted, self.negative, self.positive).sum())


def _count(
    rows: Masks,
    codes: NDArray[np.integer] | NDArray[np.bool_],
    weights: RowWeights,
    chains: Chains,
    n_classes: int,
) -> tuple[Masks, Ints]:
    """Distinct patterns, and the weight of each class on each of them: shape (D, C)."""
    few_bits = rows.shape[1] == 1 and chains.n_literals <= _TABLE_BITS
    if few_bits and len(rows) << 4 >> chains.n_literals:
        return _count_in_table(rows[:, 0], codes, weights, chains.n_literals, n_classes)
    return _count_by_sorting(rows, codes, weights, n_classes)


def _count_in_table(
    words: NDArray[np.uint64],
    codes: NDArray[np.integer] | NDArray[np.bool_],
    weights: RowWeights,
    n_literals: int,
    n_classes: int,
) -> tuple[Masks, Ints]:
    """Count in a table over all words: linear in the rows."""
    cells = words.astype(np.intp) * n_classes + codes
    table = _sum_by_cell(cells, n_classes << n_literals, weights).reshape(-1, n_classes)
    occurring = np.flatnonzero(reduce(np.bitwise_or, table.T))  # short rows would take longer
    return occurring.astype(np.uint64)[:, None], table[occurring]


def _count_by_sorting(
    rows: Masks,
    codes: NDArray[np.integer] | NDArray[np.bool_],
    weights: RowWeights,
    n_classes: int,
) -> tuple[Masks, Ints]:
    """Find the distinct patterns by sorting, then count."""
    if rows.shape[1] == 1:
        distinct, cell = np.unique(rows[:, 0], return_inverse=True)
        masks = distinct[:, None]
    else:
        masks, cell = np.unique(rows, axis=0, return_inverse=True)
    cells = cell.reshape(-1) * n_classes + codes
    return masks, _sum_by_cell(cells, n_classes * len(masks), weights).reshape(-1, n_classes)


def _sum_by_cell(cells: NDArray[np.intp], n_cells: int, weights: RowWeights) -> NDArray[np.int64]:
    """Add up integer weights cell by cell, exactly."""
    if weights.values is None:
        return np.bincount(cells, minlength=n_cells).astype(np.int64, copy=False)
    if weights.total < EXACT_FLOAT:
        sums = np.bincount(cells, weights=weights.values.astype(np.float64), minlength=n_cells)
        return sums.astype(np.int64)
    exact = np.zeros(n_cells, dtype=np.int64)
    np.add.at(exact, cells, weights.values)
    return exact
