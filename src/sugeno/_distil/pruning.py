"""Rules with fewer literals: steepest descent on the gain less a price for every literal.

A search that pays for rules alone spends literals freely: a third of them change next to nothing.
Here each literal has its price. One move at a time is made, the best of all: drop a rule or two;
drop a literal; move a level by one or two candidates; put one rule in the place of two, with the
criteria that both ask or that either asks (if these are few enough), at the weaker or at the
stronger of their levels. The descent ends where no move helps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sugeno._distil.patterns import SoftPatterns

__all__ = ["pruned_rules"]

Rule = tuple[int, ...]
Rules = tuple[Rule, ...]
Floats = NDArray[np.float32]

#: A level is moved by so many candidates.
_SHIFTS = (-2, -1, 1, 2)


def pruned_rules(
    patterns: SoftPatterns,
    rules: Sequence[Rule],
    *,
    price: float,
    max_criteria: int,
    out_of_time: Callable[[], bool] = lambda: False,
) -> Rules:
    """Make moves while they raise the gain less the price of the literals.

    Parameters
    ----------
    patterns : SoftPatterns
        What the rules cover.
    rules : sequence of tuple of int
        The literals of each rule, at most one per criterion, by their place in `patterns`.
    price : float
        What a literal has to gain, in the caller's units of gain.
    max_criteria : int
        Largest number of criteria of a rule that stands in the place of two.
    out_of_time : callable, optional
        Asked before each move; ends the descent with what it has.

    Returns
    -------
    tuple of tuple of int
        Sorted; at least one rule where there was one, and none without literals.

    Notes
    -----
    O(n) for each of about 5 moves per literal and 4 per pair of rules that may be joined, with n
    patterns, in every step. Gains are whole numbers: no step depends on how they are added up.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._distil.patterns import merge_rows
    >>> from sugeno._distil.pruning import pruned_rules
    >>> X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    >>> patterns = merge_rows(X, np.array([-4.0, -1, 3, 4]), np.array([0, 1]), np.array([0.5, 0.5]))
    >>> pruned_rules(patterns, [(0, 1), (0,)], price=0.1, max_criteria=2)
    ((0,),)
    """
    descent = _Descent(patterns, price * patterns.units, max_criteria)
    chosen = tuple(sorted({tuple(sorted(rule)) for rule in rules}))
    while not out_of_time() and (better := descent.step(chosen)) is not None:
        chosen = better
    return chosen


@dataclass(frozen=True, eq=False)
class _Offers:
    """Rules of which one may stand in the place of others, and what each of them covers."""

    rules: list[Rule]
    covers: Floats
    sizes: NDArray[np.intp]


@dataclass(eq=False)
class _Descent:
    """The way from one set of rules to the next."""

    patterns: SoftPatterns
    price: float
    max_criteria: int
    # In the place of a rule or two of the last set: a step changes few of them.
    _offers: dict[Rules, _Offers] = field(default_factory=dict)

    def step(self, chosen: Rules) -> Rules | None:
        """Return the rules after the best move, or None if no move helps."""
        some = [*combinations(chosen, 1), *combinations(chosen, 2)]
        self._offers = {out: self._offers.get(out) or self._offered(out) for out in some}
        covers = {rule: self._cover(rule) for rule in chosen}
        times = sum(covers.values(), np.zeros_like(self.patterns.gains))
        best, after = 0.0, chosen
        for out, offers in self._offers.items():
            helps = self._helps(out, offers, [covers[rule] for rule in out], times)
            if len(out) == len(chosen):
                helps[-1] = -np.inf  # nothing would be left to read
            place = int(np.argmax(helps))
            if helps[place] > best:
                best = float(helps[place])
                after = tuple(sorted({*chosen} - {*out} | {*offers.rules[place : place + 1]}))
        return after if best > 0 else None

    def _helps(
        self, out: Rules, offers: _Offers, covers: list[Floats], times: Floats
    ) -> NDArray[np.float64]:
        """Return what each offer, and nothing, adds in the place of some rules."""
        together = sum(covers[1:], covers[0])
        # Gains of the patterns that no other rule covers.
        gains = np.where(times == together, self.patterns.gains, np.float32(0))
        lost = np.float64(gains @ (together > 0).astype(np.float32))
        won = np.append(offers.covers @ gains, np.float32(0)).astype(np.float64)
        saved = sum(map(len, out)) - np.append(offers.sizes, 0)
        result: NDArray[np.float64] = won - lost + self.price * saved
        return result

    def _offered(self, out: Rules) -> _Offers:
        rules = sorted({*(self._altered(*out) if len(out) == 1 else self._joined(*out))})
        covers = np.empty((len(rules), len(self.patterns.gains)), dtype=np.float32)
        for cover, rule in zip(covers, rules):
            cover[:] = self._cover(rule)
        return _Offers(rules, covers, np.array([*map(len, rules)], dtype=np.intp))

    def _altered(self, rule: Rule) -> Iterator[Rule]:
        """Yield the rule without one of its literals, and with another level of one."""
        criteria = self.patterns.criteria
        for place, literal in enumerate(rule):
            before, after = rule[:place], rule[place + 1 :]
            if before or after:
                yield before + after
            for moved in (literal + shift for shift in _SHIFTS):
                if 0 <= moved < len(criteria) and criteria[moved] == criteria[literal]:
                    yield (*before, moved, *after)

    def _joined(self, one: Rule, other: Rule) -> Iterator[Rule]:
        """Yield rules of the criteria that both ask, and of those that either asks."""
        asked: dict[int, list[int]] = {}
        for literal in (*one, *other):
            asked.setdefault(int(self.patterns.criteria[literal]), []).append(literal)
        shared = [literals for literals in asked.values() if len(literals) == 2]
        for criteria in (shared, list(asked.values())):
            if 0 < len(criteria) <= self.max_criteria:
                yield tuple(sorted(map(min, criteria)))
                yield tuple(sorted(map(max, criteria)))

    def _cover(self, rule: Rule) -> Floats:
        """Tell which patterns satisfy a rule, as 0 and 1."""
        covered: Floats = self.patterns.reached[rule[0]]
        for literal in rule[1:]:
            covered = covered * self.patterns.reached[literal]
        return covered
