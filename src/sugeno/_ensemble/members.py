"""The members of an ensemble: rules with a grade inside and a grade outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from sugeno._ensemble.boosting import Boosters, Round
from sugeno._ensemble.sample import Bools, Floats, Ints
from sugeno._ensemble.start import RESOLUTION, Start
from sugeno._scales.surfaces import Index, Pair, Surfaces


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
        Where the member comes from; −1 for members that bags start with, summed over the bags.
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

    def gains(self) -> Floats:
        """Total gain per criterion; a rule of two criteria gives each one half."""
        half = np.concatenate([self.gain, self.gain]) / 2
        both = np.concatenate([self.first_criterion, self.second_criterion])
        return np.bincount(both, half, self.n_criteria).astype(np.float64)

    def until(self, rounds: int) -> Members:
        """The members of the first ``rounds`` rounds."""
        return self._chosen(self.round < rounds)

    def times(self, factor: float) -> Members:
        """The same members with all grades multiplied, and rounded."""
        base, low, high = (
            np.rint(grades * factor).astype(np.int64) for grades in (self.base, self.low, self.high)
        )
        return replace(self, base=base, low=low, high=high)

    def _chosen(self, kept: Bools) -> Members:
        parts = {f.name: getattr(self, f.name) for f in fields(self)}
        return Members(**{k: v if k in _WHOLE else v[kept] for k, v in parts.items()})


#: What is not about single members.
_WHOLE = ("n_criteria", "base")


def joined(parts: Sequence[Members]) -> Members:
    """The members of several kinds of bags as one ensemble."""
    before = np.cumsum([0, *(len(part.base) for part in parts)])
    moved = [
        replace(part, bag=np.where(part.bag < 0, -1, part.bag + n))
        for part, n in zip(parts, before)
    ]
    names = [f.name for f in fields(Members) if f.name != "n_criteria"]
    columns = {name: np.concatenate([getattr(part, name) for part in moved]) for name in names}
    return Members(n_criteria=parts[0].n_criteria, **columns)


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
    found = Members(
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
    starts = [start for group in groups for start in group.starts if start is not None]
    if not starts:
        return found
    # A member takes a share s of its Newton step, and s (2 − s) of what that promises.
    step = groups[0].settings.step
    return joined([found, _of_starts(starts, cuts, step * (2 - step))])


def _of_starts(starts: list[Start], cuts: list[Floats], taken: float) -> Members:
    """The literals that bags start with, each once, with what it adds in all of them."""
    rises = [np.sum([start.rises[j] for start in starts], axis=0) for j in range(len(cuts))]
    gains = np.sum([start.gains for start in starts], axis=0) / taken
    criterion = np.repeat(np.arange(len(cuts)), [len(cut) for cut in cuts])
    level, rise = np.concatenate(cuts), np.concatenate(rises).astype(np.int64)
    total = np.array([max(int(part.sum()), 1) for part in rises])
    nothing = np.full(len(level), -1)
    return Members(
        n_criteria=len(cuts),
        base=np.zeros(0, dtype=np.int64),
        first_criterion=criterion,
        first_level=level,
        second_criterion=criterion,
        second_level=level,
        conjunction=np.ones(len(level), dtype=np.bool_),
        low=np.zeros(len(level), dtype=np.int64),
        high=rise,
        gain=(gains / total)[criterion] * rise,
        bag=nothing,
        round=nothing,
    )._chosen(rise > 0)


def tabulate(
    n_criteria: int, criterion: Ints, level: Floats, conjunction: Bools, rise: Ints, constant: int
) -> Surfaces:
    """Tables of rules with literals ``criterion``, ``level`` of shape (rules, 2).

    A rule adds ``rise`` where it holds. "x_j ≥ t or x_k ≥ s" counts as its two literals minus their
    conjunction, so all rules together are a constant, a step function of each criterion, and one of
    each pair that occurs. All entries are integers: the sum is the same as that over the members.
    Cost: O(rules log rules + size of the tables).
    """
    same = criterion[:, 0] == criterion[:, 1]
    # On one criterion, "and" is the higher of the two levels, "or" the lower one.
    nested = np.where(conjunction, level.max(axis=1), level.min(axis=1))[same]
    loose = ~same & ~conjunction
    alone = np.concatenate([criterion[same, 0], criterion[loose, 0], criterion[loose, 1]])
    at = np.concatenate([nested, level[loose, 0], level[loose, 1]])
    by = np.concatenate([rise[same], rise[loose], rise[loose]])
    signed = np.where(conjunction, rise, -rise)[~same]
    named = np.concatenate([criterion[~same].ravel(), alone])
    values = np.concatenate([level[~same].ravel(), at])
    levels = [np.unique(values[mine]) for mine in _groups(named, n_criteria)]
    single = [
        _steps(levels[j], at[mine], by[mine]) for j, mine in enumerate(_groups(alone, n_criteria))
    ]
    pairs = _pairs(levels, criterion[~same], level[~same], signed)
    return Surfaces(constant, levels, single, pairs)


def _groups(criterion: Ints, n_criteria: int) -> list[Index]:
    """Places of each criterion; all of them together cost one sort."""
    order = np.argsort(criterion, kind="stable")
    ends = np.searchsorted(criterion[order], np.arange(1, n_criteria))
    return np.split(order, ends)


def _steps(levels: Floats, at: Floats, by: Ints) -> Ints:
    table = np.zeros(len(levels) + 1, dtype=np.int64)
    np.add.at(table, np.searchsorted(levels, at) + 1, by)
    return np.cumsum(table)


def _pairs(levels: list[Floats], criterion: Ints, level: Floats, rise: Ints) -> list[Pair]:
    """One table per pair of criteria; the rules are conjunctions of two criteria."""
    turned = criterion[:, 0] > criterion[:, 1]
    criterion = np.where(turned[:, None], criterion[:, ::-1], criterion)
    level = np.where(turned[:, None], level[:, ::-1], level)
    pairs = []
    for j, k in np.unique(criterion, axis=0).tolist():
        here = (criterion == (j, k)).all(axis=1)
        pairs.append(_pair(levels, (j, k), level[here], rise[here]))
    return pairs


def _pair(levels: list[Floats], names: tuple[int, int], level: Floats, rise: Ints) -> Pair:
    first, second = levels[names[0]], levels[names[1]]
    places = np.searchsorted(first, level[:, 0]), np.searchsorted(second, level[:, 1])
    return Pair.of(*names, (first.size, second.size), (*places, rise))
