"""Boosting of one bag: in each round, the best rule of one or two random literals.

All sums that choose a rule are sums of integers that fit into the mantissa, so
they are exact: the choice depends neither on the order in which a matrix product
adds, nor on the number of its threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from sugeno._ensemble.sample import MAX_LEVELS, Bools, Codes, Floats, Ints

Matrix = NDArray[np.float32]

RESOLUTION = 2.0**-24  # grades are multiples of it, so that scores add exactly
_MANTISSA = 2.0**24  # of float32: integers below it are exact
_LARGEST_GRADE = 16.0  # of a Newton step: more only happens where curvature vanishes


@dataclass(frozen=True)
class Settings:
    """How a bag is grown.

    Parameters
    ----------
    step : float
        Share of each Newton step that is taken.
    literals : int
        Number of random literals per round.
    ridge : float
        Added to the curvature on both sides of a rule.
    block : int
        Number of rows that choose the rule of one round.
    """

    step: float = 0.2
    literals: int = 16
    ridge: float = 1.0
    block: int = 4096


class Rule(NamedTuple):
    """A member, its levels as codes; both literals are equal if there is only one."""

    criterion: tuple[int, int]
    level: tuple[int, int]
    conjunction: bool
    low: int
    high: int
    gain: float
    round: int

    def cover(self, codes: Codes) -> Bools:
        """Rows that satisfy the rule."""
        (j, k), (t, s) = self.criterion, self.level
        first, second = codes[j] >= np.uint8(t), codes[k] >= np.uint8(s)
        held: Bools = first & second if self.conjunction else first | second
        return held


def integers(values: Floats) -> tuple[Matrix, float]:
    """``values`` as integers whose sums float32 holds exactly, and the unit that they count."""
    room = _MANTISSA - len(values)  # rounding may add one half to each of them
    total = max(float(np.abs(values).sum()), 1e-300)
    unit = float(2.0 ** np.ceil(np.log2(total / room)))
    return np.rint(values / unit).astype(np.float32), unit


def region_sums(literals: Matrix, values: Floats) -> Floats:
    """Sums of ``values`` over all "and" (0) and all "or" (1) pairs of the rows of ``literals``.

    With the 0/1 matrix A of the literals, A diag(v) Aᵀ holds the sums of all
    conjunctions, its diagonal those of the single literals, and inclusion and
    exclusion gives the disjunctions. Cost: one matrix product, O(literals² n).
    """
    counts, unit = integers(values)
    sums = np.empty((2, len(literals), len(literals)))
    sums[0] = (literals * counts) @ literals.T
    single = sums[0].diagonal()
    np.subtract(single[:, None] + single, sums[0], out=sums[1])
    sums *= unit
    return sums


def price(literals: Matrix, g: Floats, h: Floats, ridge: float) -> Floats:
    """Gain of every pair of literals: shape (2, literals, literals), "and" before "or".

    A region C has the grades a₁ = G_C / (H_C + ridge) inside and
    a₀ = (G − G_C) / (H − H_C + ridge) outside, and gains G_C a₁ + (G − G_C) a₀. If
    a₁ ≤ a₀ it would not be monotone: its gain is −∞.
    """
    inside, curved = region_sums(literals, g), region_sums(literals, h)
    outside = g.sum() - inside
    high = inside / (curved + ridge)
    # Rounding h to integers may leave a sum that is a little less than nothing.
    low = outside / (np.maximum(h.sum() - curved, 0.0) + ridge)
    return np.where(high > low, inside * high + outside * low, -np.inf)


class Booster:
    """One bag, its rules so far, and the scores of the watched rows after each report.

    A round makes a Newton step of the logistic loss, g = w (y − p) and
    h = w p (1 − p), in the best region that two of its random literals describe.
    The region is chosen on a block of rows and graded on all of them. Cost of a
    round: O(literals² block + n).

    Parameters
    ----------
    codes : array of shape (m, n)
        Number of levels that each value reaches.
    weight : array of shape (2, n)
        Weight in the negative and the positive class.
    watched : array of shape (m, watched rows)
        Further rows whose scores are to be followed.
    settings : Settings
        How to grow.
    rng : Generator
        Source of all draws.
    """

    def __init__(
        self,
        codes: Codes,
        weight: Floats,
        watched: Codes,
        settings: Settings,
        rng: np.random.Generator,
    ) -> None:
        self.n = codes.shape[1]
        order = rng.permutation(self.n)  # so that every block is a random sample
        self.codes = np.concatenate([codes[:, order], watched], axis=1)
        self.positive, self.total = weight[1, order], weight.sum(axis=0)[order]
        self.reached = np.cumsum(self.total)
        lowest = codes.min(axis=1, initial=MAX_LEVELS)
        self.varying = np.flatnonzero(codes.max(axis=1, initial=0) > lowest)
        self.least = lowest + (lowest < MAX_LEVELS)
        self.settings, self.rng = settings, rng
        odds = (weight[1].sum() + 0.5) / (weight[0].sum() + 0.5)
        self.base = round(float(np.log(odds)) / RESOLUTION)
        self.score = np.full(self.codes.shape[1], float(self.base))  # whole numbers, exact
        self.rules: list[Rule] = []
        self.path: list[Ints] = []
        self.rounds = 0

    def grow(self, rounds: int, every: int) -> None:
        """Go on for so many rounds; report after each ``every`` of them."""
        for _ in range(rounds):
            if len(self.varying):
                self._round(*self._literals())
            self.rounds += 1
            if self.rounds % every == 0:
                self.path.append(self.score[self.n :].astype(np.int64))

    def _literals(self) -> tuple[Ints, Codes]:
        """Random literals: a criterion that varies, and the level that a random row reaches."""
        size = self.settings.literals
        criterion = self.varying[self.rng.integers(len(self.varying), size=size)]
        target = self.rng.random(size) * self.reached[-1]
        row = np.minimum(np.searchsorted(self.reached, target, side="right"), self.n - 1)
        # The lowest value of the bag would give a literal that always holds.
        return criterion, np.maximum(self.codes[criterion, row], self.least[criterion])

    def _round(self, criterion: Ints, level: Codes) -> None:
        p = expit(self.score[: self.n] * RESOLUTION)
        g, h = self.positive - self.total * p, self.total * p * (1 - p)
        part = self._block()
        literals = (self.codes[criterion, part] >= level[:, None]).astype(np.float32)
        gains = price(literals, g[part], h[part], self.settings.ridge)
        kind, i, j = np.unravel_index(int(np.argmax(gains)), gains.shape)
        pair = (int(criterion[i]), int(criterion[j]))
        reached = (int(level[i]), int(level[j]))
        self._add(Rule(pair, reached, bool(kind == 0), 0, 0, 0.0, self.rounds), g, h)

    def _block(self) -> slice:
        """Rows that choose the rule of this round: the blocks take turns."""
        size = min(self.settings.block, self.n)
        blocks = -(-self.n // size)
        start = self.rounds % blocks * (self.n - size) // max(blocks - 1, 1)
        return slice(start, start + size)

    def _add(self, rule: Rule, g: Floats, h: Floats) -> None:
        """Grade a region on all rows of the bag, and keep it if it is monotone."""
        cover, ridge = rule.cover(self.codes), self.settings.ridge
        inside, curved = g[cover[: self.n]].sum(), h[cover[: self.n]].sum()
        outside, rest = g.sum() - inside, max(h.sum() - curved, 0.0)
        high, low = inside / (curved + ridge), outside / (rest + ridge)
        if high > low:
            gain = float(inside * high + outside * low)
            rule = rule._replace(low=self._grade(low), high=self._grade(high), gain=gain)
            self.score += np.where(cover, float(rule.high), float(rule.low))
            self.rules.append(rule)

    def _grade(self, newton: float) -> int:
        bounded = min(max(float(newton), -_LARGEST_GRADE), _LARGEST_GRADE)
        return round(self.settings.step * bounded / RESOLUTION)
