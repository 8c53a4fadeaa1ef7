"""What each rule stands on: the training rows that satisfy it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import EXACT_FLOAT
from sugeno._sets.chains import spread_down, spread_up
from sugeno._sets.masks import Masks, is_subset, narrow

__all__ = ["Support"]

#: Rules times patterns that are compared in one go, and at all.
_BLOCK, _MOST_PAIRS = 1 << 20, 1 << 29
#: A table over all patterns is worth it above so many pairs per cell and criterion.
_STEPS_OF_A_CELL = 4


@dataclass(frozen=True, eq=False)
class Support:
    """Weight of the training rows that each rule covers, in the user's units.

    Attributes
    ----------
    weight : ndarray of float64 of shape (R,)
        Weight of all rows that satisfy the rule.
    precision : ndarray of float64 of shape (R,)
        Share of that weight which belongs to the positive class; NaN without support.
    unique : ndarray of float64 of shape (R,) or None
        Weight of the rows that satisfy this rule and no other; None if nobody looked.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.model.support import Support
    >>> masks = np.array([[1], [3]], np.uint64)
    >>> p = Patterns.of_two_classes(masks, np.array([1, 3]), np.array([2, 0]), Chains.single(2))
    >>> support = Support.counted(masks, p)
    >>> support.weight, support.unique
    (array([6., 3.]), array([3., 0.]))
    """

    weight: NDArray[np.float64]
    precision: NDArray[np.float64]
    unique: NDArray[np.float64] | None = None

    @classmethod
    def of_clauses(cls, clauses: Masks, patterns: Patterns) -> Support:
        """Rows that each clause rejects, and the share of them that are negative."""
        missed = [~(patterns.masks & clause).any(axis=1)[None] for clause in clauses]
        return cls._of(missed, len(clauses), patterns, patterns.negative)

    @classmethod
    def counted(cls, rules: Masks, patterns: Patterns) -> Support | None:
        """Count what each rule covers; None where that would take too long."""
        pairs, chains = len(rules) * len(patterns.masks), patterns.chains
        if chains.is_small and pairs > _STEPS_OF_A_CELL * chains.n_cells * chains.n_criteria:
            return cls._by_cells(rules, patterns)
        if pairs > _MOST_PAIRS:
            return None
        step = max(1, _BLOCK // max(1, len(patterns.masks)))
        small, masks = narrow(rules, patterns.masks)
        blocks = (is_subset(small[i : i + step], masks) for i in range(0, len(rules), step))
        return cls._of(blocks, len(rules), patterns, patterns.positive)

    @classmethod
    def _by_cells(cls, rules: Masks, patterns: Patterns) -> Support:
        """Add up in tables over all patterns: some passes, however many rules there are."""
        chains = patterns.chains
        of_rules, of_patterns = chains.cells_of(rules), chains.cells_of(patterns.masks)

        def beyond(weight: NDArray[np.int64]) -> NDArray[np.int64]:
            table = np.zeros(chains.n_cells, dtype=np.int64)
            table[of_patterns] = weight
            return np.asarray(spread_down(table, chains, np.add)[of_rules])

        def covering(number: NDArray[np.int64]) -> NDArray[np.int64]:
            table = np.zeros(chains.n_cells, dtype=np.int64)
            table[of_rules] = number
            return np.asarray(spread_up(table, chains, np.add)[of_patterns])

        numbers = np.arange(len(rules), dtype=np.int64)
        counted = beyond(patterns.positive + patterns.negative), beyond(patterns.positive)
        return cls._finished(*counted, covering(np.ones_like(numbers)), covering(numbers), patterns)

    @classmethod
    def _of(
        cls,
        blocks: Iterable[NDArray[np.bool_]],
        n_rules: int,
        patterns: Patterns,
        right: NDArray[np.int64],
    ) -> Support:
        """Add up weights, from blocks of rules that tell which patterns each of them covers."""
        weight = patterns.positive + patterns.negative
        # Whole numbers are exact in floating point up to 2**53, where products are much faster.
        kind: Any = np.float64 if weight.sum(dtype=np.float64) < EXACT_FLOAT else np.int64
        both = np.stack([weight, right], axis=1).astype(kind)
        counted = np.zeros((n_rules, 2), dtype=kind)
        times, number = np.zeros((2, len(weight)), dtype=kind)
        start = 0
        for covered in blocks:
            table, stop = covered.astype(kind), start + len(covered)
            counted[start:stop] = table @ both
            times += table.sum(axis=0)
            number += np.arange(start, stop, dtype=kind) @ table
            start = stop
        return cls._finished(counted[:, 0], counted[:, 1], times, number, patterns)

    @classmethod
    def _finished(
        cls,
        sums: NDArray[Any],
        hits: NDArray[Any],
        times: NDArray[Any],
        number: NDArray[Any],
        patterns: Patterns,
    ) -> Support:
        """Put together what rules cover, and how many rules, with which sum, cover a pattern."""
        weight = patterns.positive + patterns.negative
        sums, hits = sums.astype(np.float64), hits.astype(np.float64)
        alone: NDArray[np.int64] = np.zeros(sums.size, dtype=np.int64)
        once = times == 1  # one number alone is its own sum
        np.add.at(alone, number[once].astype(np.intp), weight[once])
        share = np.divide(hits, sums, out=np.full(sums.size, np.nan), where=sums > 0)
        return cls(sums * patterns.unit, share, alone.astype(np.float64) * patterns.unit)
