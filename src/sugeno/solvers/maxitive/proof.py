"""Proof of optimality for families of rules: the lattice program with pair cuts.

Variables z_A choose candidate rules, v_B say which patterns are accepted. Acceptance grows with
the pattern, and stating that (v_B ≤ v_B' on the cover relation) makes the relaxation at least as
tight as the unrestricted optimum (docs/theory.md, 3). The pair cuts
v_i ≤ v_j + Σ {z_A : A ⊆ P_i, A ⊄ N_j} close most of what is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import coo_array, csr_array, vstack

from sugeno._sets.masks import Masks, is_subset
from sugeno.solvers.budget import Budget

__all__ = ["LatticeProgram", "Proof"]

_MOST_CUTS_PER_ROUND = 400
_CUT_ROUNDS = 12
_VIOLATION = 1e-4
#: A tree of few nodes closes no gap that is more than this part of all positive weight ...
_HOPELESS = 0.03
#: ... and takes long to find out, if the program has more entries than this.
_LARGE = 20_000
#: Relative error of the marginals of a relaxation.
_ROUNDING = 1e-6


@dataclass(frozen=True)
class Proof:
    """What the program found out.

    Attributes
    ----------
    family : ndarray of intp or None
        A family better than the one known before, if there is one and it was found.
    bound : float
        No family has a larger worth than this.

    Examples
    --------
    >>> from sugeno.solvers.maxitive.proof import Proof
    >>> Proof(None, 7.0).bound
    7.0
    """

    family: NDArray[np.intp] | None
    bound: float


class LatticeProgram:
    """The mixed-integer program over candidates and patterns.

    Parameters
    ----------
    covers : ndarray of bool of shape (K, D)
        Which candidate covers which pattern.
    masks : ndarray of uint64 of shape (D, words)
        The patterns, in canonical order.
    value : ndarray of float64 of shape (D,)
        Net weight of each pattern, not zero.
    cost : ndarray of float64 of shape (K,)
        What each candidate costs as a rule.
    least, most : int
        Bounds on the number of rules.

    Examples
    --------
    One rule that covers a pattern of worth 3 and one of worth −1 is worth 2 and no more.

    >>> import numpy as np
    >>> from sugeno.solvers.budget import Budget
    >>> from sugeno.solvers.maxitive.proof import LatticeProgram
    >>> masks, value = np.array([[1], [3]], np.uint64), np.array([3.0, -1.0])
    >>> program = LatticeProgram(np.array([[True, True]]), masks, value, np.zeros(1), 0, 1)
    >>> program.prove(0.0, 1.0, Budget.of(None))
    Proof(family=array([0]), bound=2.0)
    """

    def __init__(
        self,
        covers: NDArray[np.bool_],
        masks: Masks,
        value: NDArray[np.float64],
        cost: NDArray[np.float64],
        least: int,
        most: int,
    ) -> None:
        self.covers, self.value = covers, value
        self.n_candidates, self.n_patterns = covers.shape
        self.objective = np.concatenate([cost, -value])
        self.low, self.high = np.zeros(self.objective.size), np.ones(self.objective.size)
        self.rows = vstack([self._reach(), *self._order(masks)], format="csr")
        self.upper = np.zeros(self.rows.shape[0])
        self.limits = self._limit_rules(least, most)
        self._add(*self.limits)

    def prove(self, known: float, step: float, budget: Budget) -> Proof:
        """Look for a family worth more than ``known``, or prove that there is none.

        Parameters
        ----------
        known : float
            Worth of the best family so far.
        step : float
            Only families worth at least ``known + step`` are of interest.
        budget : Budget
            The time that is left, and the limit on the nodes of the search tree.

        Returns
        -------
        Proof
            Better family, if any, and an upper bound on the worth.
        """
        bound = self._add_pair_cuts(known + step, budget)
        if bound < known + step or budget.is_over() or self._is_hopeless(bound - known, budget):
            return Proof(None, max(bound, known))
        self._add(csr_array(self.objective[None]), np.array([-(known + step) + 1e-7 * step]))
        result = self._branch(budget)
        if result.status == 2:  # infeasible: nothing is better by a step
            return Proof(None, known)
        family = None if result.x is None else np.flatnonzero(result.x[: self.n_candidates] > 0.5)
        if result.mip_dual_bound is not None and np.isfinite(result.mip_dual_bound):
            bound = min(bound, -float(result.mip_dual_bound))
        return Proof(family, max(bound, known))

    def _is_hopeless(self, distance: float, budget: Budget) -> bool:
        """Whether a limited tree would not get far: its first nodes take longest."""
        if budget.nodes is None or self.rows.nnz <= _LARGE:
            return False
        return distance > _HOPELESS * float(self.value[self.value > 0].sum())

    def _branch(self, budget: Budget) -> Any:
        """Search the tree, as far as time and the number of nodes allow."""
        options: dict[str, Any] = {"mip_rel_gap": 0.0, **_time_left(budget)}
        if budget.nodes is not None:
            options["node_limit"] = budget.nodes
        integral = np.concatenate([np.ones(self.n_candidates), np.zeros(self.n_patterns)])
        return milp(
            self.objective,
            integrality=integral,
            bounds=Bounds(self.low, self.high),
            constraints=LinearConstraint(self.rows, -np.inf, self.upper),
            options=cast(Any, options),
        )

    def _reach(self) -> csr_array:
        """v_B ≤ Σ {z_A : A ⊆ B} for patterns that one would like to accept."""
        wanted = np.flatnonzero(self.value > 0)
        below = csr_array(-self.covers[:, wanted].T.astype(np.float64))
        accept = self._accept(wanted)
        return csr_array(np.hstack([below.toarray(), accept.toarray()]))

    def _order(self, masks: Masks) -> list[csr_array]:
        """z_A ≤ v_B for the minimal B ⊇ A, and v_B ≤ v_B' where B' covers B."""
        inside = is_subset(masks, masks)
        np.fill_diagonal(inside, False)
        strict = inside.astype(np.float32)
        cover = inside & ~((strict @ strict) > 0)
        first = self.covers & ~((self.covers.astype(np.float32) @ strict) > 0)
        chosen, accepted = np.nonzero(first)
        lower, upper = np.nonzero(cover)
        shift = self.n_candidates
        return [self._less(chosen, accepted + shift), self._less(lower + shift, upper + shift)]

    def _less(self, small: NDArray[np.intp], large: NDArray[np.intp]) -> csr_array:
        """One row per pair: the first variable is at most the second."""
        row = np.arange(small.size)
        data = np.concatenate([np.ones(small.size), -np.ones(small.size)])
        index = (np.concatenate([row, row]), np.concatenate([small, large]))
        return csr_array(coo_array((data, index), shape=(small.size, self.objective.size)))

    def _accept(self, patterns: NDArray[np.intp]) -> csr_array:
        """One row per pattern with a 1 at its acceptance variable."""
        data, row = np.ones(patterns.size), np.arange(patterns.size)
        shape = (patterns.size, self.n_patterns)
        return csr_array(coo_array((data, (row, patterns)), shape=shape))

    def _limit_rules(self, least: int, most: int) -> tuple[csr_array, NDArray[np.float64]]:
        """At least and at most so many rules, as far as that says anything."""
        number = np.concatenate([np.ones(self.n_candidates), np.zeros(self.n_patterns)])
        rows = csr_array(np.vstack([-number, number]))
        upper = np.array([-float(least), float(most)])
        says = np.array([least > 0, most < self.n_candidates])
        return rows[says], upper[says]

    def _add(self, rows: csr_array, upper: NDArray[np.float64]) -> None:
        self.rows = vstack([self.rows, rows], format="csr")
        self.upper = np.concatenate([self.upper, upper])

    def _add_pair_cuts(self, enough: float, budget: Budget) -> float:
        """Tighten the relaxation until its bound falls below ``enough`` or cuts run out."""
        bound = float(self.value[self.value > 0].sum())
        for _ in range(_CUT_ROUNDS):
            relaxed: Any = linprog(
                self.objective,
                A_ub=self.rows,
                b_ub=self.upper,
                bounds=cast(Any, np.column_stack([self.low, self.high])),
                options=cast(Any, _time_left(budget)),
            )
            if relaxed.status == 2:  # all that is still possible is worth less than enough
                return min(bound, enough - _VIOLATION)
            if relaxed.status != 0:
                return bound
            previous, bound = bound, min(bound, -float(relaxed.fun))
            if bound < enough or budget.is_over():
                return bound
            self._fix(relaxed, enough)
            cuts = self._violated_pairs(relaxed.x)
            if cuts is None or previous - bound < 1e-4 * (1.0 + abs(bound)):
                break
            self._add(cuts, np.zeros(cuts.shape[0]))
        self._slim(relaxed.x)
        return bound

    def _fix(self, relaxed: Any, enough: float) -> None:
        """Fix variables whose other value would cost more than there is to win.

        The marginal of a bound says what leaving it costs at least. Families have variables of
        0 and 1 only, the accepted patterns included.
        """
        bound = -float(relaxed.fun)
        room = bound - enough + _ROUNDING * (1.0 + abs(bound))
        self.high[(relaxed.lower.marginals > room) & (self.low == 0)] = 0.0
        self.low[(-relaxed.upper.marginals > room) & (self.high == 1)] = 1.0

    def _slim(self, x: NDArray[np.float64]) -> None:
        """Leave what defines a family, and of the rest what holds the relaxation where it is.

        The tree solves the relaxation many times; most of the order is idle in all of them.
        """
        tight = self.rows @ x > self.upper - 1e-6
        unwanted = np.flatnonzero(self.value < 0)
        rule, pattern = np.nonzero(self.covers[:, unwanted])
        accepts = self._less(rule, self.n_candidates + unwanted[pattern])
        needed = vstack([self._reach(), accepts, self.limits[0]], format="csr")
        none = np.zeros(needed.shape[0] - self.limits[1].size)
        rows, upper = self.rows[tight], self.upper[tight]
        self.rows, self.upper = needed, np.concatenate([none, self.limits[1]])
        self._add(rows, upper)

    def _violated_pairs(self, x: NDArray[np.float64]) -> csr_array | None:
        """Pair cuts that the point violates most."""
        z, v = x[: self.n_candidates], x[self.n_candidates :]
        wanted, unwanted = np.flatnonzero(self.value > 0), np.flatnonzero(self.value < 0)
        used = z > 1e-9
        inside = self.covers[np.ix_(used, wanted)] * z[used, None]
        outside = ~self.covers[np.ix_(used, unwanted)]
        violation = v[wanted, None] - v[None, unwanted] - inside.T @ outside.astype(np.float64)
        order = np.argsort(-violation, axis=None, kind="stable")[:_MOST_CUTS_PER_ROUND]
        order = order[violation.ravel()[order] > _VIOLATION]
        if order.size == 0:
            return None
        i, j = np.unravel_index(order, violation.shape)
        rules = self.covers[:, wanted[i]] & ~self.covers[:, unwanted[j]]
        pairs = self._accept(wanted[i]) - self._accept(unwanted[j])
        return csr_array(np.hstack([-rules.T.astype(np.float64), pairs.toarray()]))


def _time_left(budget: Budget) -> dict[str, float]:
    """The time limit as an option of HiGHS, which takes 0 for no limit."""
    left = budget.left()
    return {} if left is None else {"time_limit": max(0.01, left)}
