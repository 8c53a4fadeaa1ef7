"""The members of an ensemble: rules with a grade inside and a grade outside."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from sugeno._ensemble.boosting import RESOLUTION, Boosters, Round
from sugeno._ensemble.sample import Bools, Floats, Ints
from sugeno._ensemble.surfaces import Surfaces, tabulate


@dataclass(frozen=True)
class Members:
    """Rules "x_j ≥ t and x_k ≥ s", "x_j ≥ t or x_k ≥ s" or "x_j ≥ t", with two grades each.

    Each is a Sugeno integral of binary utilities: the minimum or the maximum of
    one or two literals, low grade where it is 0, high grade where it is 1. Grades
    are integers, in units of ``RESOLUTION`` of a log odds: their sum is exact in
    any order, so scores are exactly monotone.

    Parameters
    ----------
    n_criteria : int
        Number of columns.
    base : array of shape (bags,)
        Score of each bag before its first member.
    first_criterion, first_level, second_criterion, second_level : arrays of shape (members,)
        The two literals; they are equal if there is only one.
    conjunction : array of bool
        Whether both literals must hold, or one of them.
    low, high : arrays of int
        Grades outside and inside, ``low <= high``.
    gain : array of float
        Twice the decrease of the logistic loss that a full Newton step promised.
    bag, round : arrays of int
        Where the member comes from.
    """

    n_criteria: int
    base: Ints
    first_criterion: Ints
    first_level: Floats
    second_criterion: Ints
    second_level: Floats
    conjunction: Bools
    low: Ints
    high: Ints
    gain: Floats
    bag: Ints
    round: Ints

    def __len__(self) -> int:
        """Number of members."""
        return len(self.bag)

    @cached_property
    def surfaces(self) -> Surfaces:
        """The same sum as tables of one and two criteria."""
        return tabulate(
            self.n_criteria,
            np.stack([self.first_criterion, self.second_criterion], axis=1),
            np.stack([self.first_level, self.second_level], axis=1),
            self.conjunction,
            self.high - self.low,
            int(self.base.sum() + self.low.sum()),
        )

    def scores(self, X: Floats) -> Floats:
        """Mean log odds over the bags: exactly non-decreasing in every criterion."""
        return self.to_scores(self.surfaces.totals(X))

    def to_scores(self, totals: Ints) -> Floats:
        """Integer sums over all the members as mean log odds."""
        return totals * RESOLUTION / len(self.base)

    def holds(self, X: Floats) -> Bools:
        """Whether each member's rule holds, of shape (n, members); for reading, not for speed."""
        first = X[:, self.first_criterion] >= self.first_level
        second = X[:, self.second_criterion] >= self.second_level
        return np.where(self.conjunction, first & second, first | second)

    def gains(self) -> Floats:
        """Total gain per criterion; a rule of two criteria gives each one half."""
        half = np.concatenate([self.gain, self.gain]) / 2
        both = np.concatenate([self.first_criterion, self.second_criterion])
        return np.bincount(both, half, self.n_criteria).astype(np.float64)

    def until(self, rounds: int) -> Members:
        """The members of the first ``rounds`` rounds."""
        kept = self.round < rounds
        whole = ("n_criteria", "base")
        parts = {f.name: getattr(self, f.name) for f in fields(self)}
        return Members(**{k: v if k in whole else v[kept] for k, v in parts.items()})


def collect(groups: list[Boosters], cuts: list[Floats]) -> Members:
    """The members of all the bags, with levels instead of codes."""
    base = np.concatenate([group.base for group in groups])
    # Per group of bags arrays of shape (rounds, bags, …); bag by bag they are put together.
    columns = [map(np.stack, zip(*group.rounds)) for group in groups]
    rules = Round(*(np.concatenate(parts, axis=1).swapaxes(0, 1) for parts in zip(*columns)))
    bag, number = np.nonzero(rules.kept)
    criterion, code = rules.criterion[rules.kept], rules.level[rules.kept].astype(np.int64)
    start = np.cumsum([0, *map(len, cuts)])[:-1]
    level = np.concatenate([*cuts, [0.0]])[start[criterion] + code - 1]  # 1 is the first level
    return Members(
        n_criteria=len(cuts),
        base=base,
        first_criterion=criterion[:, 0],
        first_level=level[:, 0],
        second_criterion=criterion[:, 1],
        second_level=level[:, 1],
        conjunction=rules.conjunction[rules.kept],
        low=rules.low[rules.kept],
        high=rules.high[rules.kept],
        gain=rules.gain[rules.kept],
        bag=bag,
        round=number,
    )
