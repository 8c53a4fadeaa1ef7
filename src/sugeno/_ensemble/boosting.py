"""Boosting of bags: in each round, the best rule of one or two random literals.

All sums that choose a rule are sums of integers that fit into the mantissa, so
they are exact: the choice depends neither on the order in which a matrix product
adds, nor on the number of its threads.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from sugeno._ensemble.sample import MAX_LEVELS, Bools, Codes, Floats, Ints
from sugeno._ensemble.start import RESOLUTION, Start

Matrix = NDArray[np.float32]

_MANTISSA = 2.0**24  # of float32: integers below it are exact
_AHEAD = 25  # rounds whose literals are drawn in one go
_LARGEST_GRADE = 16.0  # of a Newton step: more only happens where curvature vanishes


@dataclass(frozen=True)
class BoostingParams:
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


class Round(NamedTuple):
    """The rules of one round, one per bag, their levels as codes.

    Both literals of a rule are equal if there is only one. A bag that found no monotone rule has
    ``kept`` False.
    """

    criterion: Ints  # shape (bags, 2)
    level: Codes  # shape (bags, 2)
    conjunction: Bools
    low: Ints
    high: Ints
    gain: Floats
    kept: Bools


def integers(values: Floats) -> tuple[Matrix, Floats]:
    """``values`` as integers whose sums float32 holds exactly, and the unit that they count.

    Both along the last axis.
    """
    room = _MANTISSA - values.shape[-1]  # rounding may add one half to each of them
    total = np.maximum(np.abs(values).sum(axis=-1, keepdims=True), 1e-300)
    unit = 2.0 ** np.ceil(np.log2(total / room))
    return np.rint(values / unit).astype(np.float32), unit


def region_sums(
    literals: Matrix, values: Floats, pairs: Ints, room: Matrix | None = None
) -> Floats:
    """Sums of ``values`` over the "and" (0) and the "or" (1) of pairs of the rows of ``literals``.

    With the 0/1 matrix A of the literals, A diag(v) Aᵀ holds the sums of all
    conjunctions, its diagonal those of the single literals, and inclusion and
    exclusion gives the disjunctions. Cost: one matrix product per bag, O(literals² n).

    Parameters
    ----------
    literals : array of shape (bags, literals, n)
        Which rows satisfy each literal, as 0 and 1.
    values : array of shape (bags, kinds, n)
        What is to be added up.
    pairs : array of int of shape (pairs, 2)
        First and second literal of each pair.
    room : array of shape (bags, kinds, literals, n), optional
        Memory to work in: fresh memory of this size would be paid for in page faults.

    Returns
    -------
    array of shape (kinds, bags, 2, pairs)
        The sums.
    """
    counts, unit = integers(values)
    (bags, size, n), kinds = literals.shape, values.shape[1]
    weighted = np.multiply(literals[:, None], counts[:, :, None], out=room)
    weighted = weighted.reshape(bags, kinds * size, n)
    counted = (weighted @ literals.swapaxes(1, 2)).reshape(bags, kinds, size * size)
    products = (counted * unit).swapaxes(0, 1)  # exact: the unit is a power of two
    single = products[:, :, :: size + 1]
    sums = np.empty((kinds, bags, 2, len(pairs)))
    products.take(pairs[:, 0] * size + pairs[:, 1], axis=2, out=sums[:, :, 0], mode="clip")
    either = single.take(pairs[:, 0], axis=2)
    either += single.take(pairs[:, 1], axis=2)
    np.subtract(either, sums[:, :, 0], out=sums[:, :, 1])
    return sums


def price(
    literals: Matrix, slopes: Floats, ridge: float, pairs: Ints, room: Matrix | None = None
) -> Floats:
    """Gain of pairs of literals: shape (bags, 2, pairs), "and" before "or".

    A region C has the grades a₁ = G_C / (H_C + ridge) inside and
    a₀ = (G − G_C) / (H − H_C + ridge) outside, and gains G_C a₁ + (G − G_C) a₀. If
    a₁ ≤ a₀ it would not be monotone: its gain is −∞. ``slopes`` holds g and h of each row, of
    shape (bags, 2, n); ``room`` is that of `region_sums`.
    """
    inside, curved = region_sums(literals, slopes, pairs, room)
    g, h = slopes.sum(axis=-1).T[:, :, None, None]
    outside = g - inside
    high = inside / (curved + ridge)
    # Rounding h to integers may leave a sum that is a little less than nothing.
    low = outside / (np.maximum(h - curved, 0.0) + ridge)
    gains: Floats = inside * high + outside * low
    np.putmask(gains, ~(high > low), -np.inf)
    return gains


class Sample(NamedTuple):
    """The rows of one bag: codes of shape (m, n), class weights of shape (2, n), its draws.

    And where it starts; without a start, at the odds of its classes.
    """

    codes: Codes
    weight: Floats
    rng: np.random.Generator
    start: Start | None = None


class Boosters:
    """Bags that grow in step, their rules so far, and the scores of the watched rows.

    A round makes a Newton step of the logistic loss, g = w (y − p) and
    h = w p (1 − p), in the best region that two of its random literals describe.
    The region is chosen on a block of rows and graded on all of them. Cost of a
    round: O(literals² block + n) per bag. Bags do not see each other, and rows
    without weight that fill them up to a common width change nothing: they grow in
    step only because one step of many bags costs little more than that of one.

    Parameters
    ----------
    samples : sequence of Sample
        The bags.
    width : int
        Number of rows that all bags, here and elsewhere, are filled up to.
    watched : array of shape (m, watched rows)
        Further rows whose scores are to be followed.
    settings : BoostingParams
        How to grow.
    """

    def __init__(
        self, samples: Sequence[Sample], width: int, watched: Codes, settings: BoostingParams
    ) -> None:
        bags, m = len(samples), len(watched)
        self.settings, self.width = settings, width
        self.seen = np.zeros((bags, m, width + watched.shape[1]), dtype=np.uint8)
        self.seen[:, :, width:] = watched
        self.positive, self.total = np.zeros((2, bags, width))
        for b, (codes, weight, rng, _) in enumerate(samples):
            n = codes.shape[1]
            order = rng.permutation(n)  # so that every block is a random sample
            self.codes[b, :, :n] = codes[:, order]
            self.positive[b, :n] = weight[1, order]
            self.total[b, :n] = weight.sum(axis=0)[order]
        self.draws = [
            _Draws.of(codes[:, : rows.shape[1]], total[: rows.shape[1]], rng)
            for codes, total, (rows, _, rng, _) in zip(self.codes, self.total, samples)
        ]
        self.grows = np.array([bool(draws.varying.size) for draws in self.draws], dtype=np.bool_)
        self.starts = [sample.start for sample in samples]
        self.base = np.array([_base(sample) for sample in samples], dtype=np.int64)
        # Whole numbers, hence exact. Rows of the bags come first, then those that are watched.
        self.scores = np.repeat(self.base[:, None] * 1.0, width + watched.shape[1], axis=1)
        for scores, codes, start in zip(self.scores, self.seen, self.starts):
            if start is not None:
                scores[:] = start.scores(codes)
        # Each pair of literals once: the gain of the other order is the same.
        self.pairs = np.stack(np.triu_indices(settings.literals), axis=1)
        block = min(settings.block, width)
        self.held = np.empty((bags, settings.literals, block), dtype=np.float32)
        self.room = np.empty((bags, 2, settings.literals, block), dtype=np.float32)
        self.rounds: list[Round] = []
        self.coming = self._coming()

    @property
    def codes(self) -> Codes:
        """Codes of the rows of each bag: (bags, m, width)."""
        return self.seen[:, :, : self.width]

    @property
    def score(self) -> Floats:
        """Their scores: (bags, width)."""
        return self.scores[:, : self.width]

    @property
    def followed(self) -> Floats:
        """Scores that each bag gives the watched rows: (bags, watched rows)."""
        return self.scores[:, self.width :]

    def grow(self, rounds: int) -> None:
        """Go on for so many rounds."""
        for criterion, level in itertools.islice(self.coming, rounds):
            self._round(criterion, level)

    def _coming(self) -> Iterator[tuple[Ints, Codes]]:
        """Random literals of one round after the other; both have the shape (bags, literals)."""
        while True:
            drawn = [draws.literals(_AHEAD, self.settings.literals) for draws in self.draws]
            yield from zip(*(np.stack(part, axis=1) for part in zip(*drawn)))

    def _round(self, criterion: Ints, level: Codes) -> None:
        """Add the best rule of the literals to each bag."""
        slopes, part, bags = self._slopes(), self._block(), np.arange(len(criterion))
        reached, pairs = self.codes[bags[:, None], criterion, part], self.pairs
        held = np.greater_equal(reached, level[:, :, None], out=self.held)
        gains = price(held, slopes[:, :, part], self.settings.ridge, pairs, self.room)
        best = gains.reshape(len(bags), -1).argmax(axis=1)
        chosen = bags[:, None], pairs.take(best % len(pairs), axis=0)
        self._add(criterion[chosen], level[chosen], best < len(pairs), slopes)

    def _slopes(self) -> Floats:
        """First and second derivative, g and h, of the likelihood at each row: (bags, 2, n)."""
        p = expit(self.score * RESOLUTION)
        slopes = np.empty((len(p), 2, self.width))
        expected = self.total * p
        np.subtract(self.positive, expected, out=slopes[:, 0])
        np.multiply(expected, 1 - p, out=slopes[:, 1])
        return slopes

    def _block(self) -> slice:
        """Rows that choose the rule of this round: the blocks take turns."""
        size = min(self.settings.block, self.width)
        blocks = -(-self.width // max(size, 1))
        start = len(self.rounds) % max(blocks, 1) * (self.width - size) // max(blocks - 1, 1)
        return slice(start, start + size)

    def _add(self, pair: Ints, level: Codes, conjunction: Bools, slopes: Floats) -> None:
        """Grade a region of each bag on all its rows, and keep it if it is monotone."""
        bags, ridge = np.arange(len(pair)), self.settings.ridge
        holds = covered(self.seen[bags[:, None], pair], level, conjunction)
        cover = holds[:, : self.width]
        inside, curved = (slopes * cover[:, None]).sum(axis=-1).T
        g, h = slopes.sum(axis=-1).T
        outside, rest = g - inside, np.maximum(h - curved, 0.0)
        high, low = inside / (curved + ridge), outside / (rest + ridge)
        kept = self.grows & (high > low)
        gain = np.where(kept, inside * high + outside * low, 0.0)
        low, high = np.where(kept, self._grade(np.stack([low, high])), 0.0)
        self.scores += np.where(holds, high[:, None], low[:, None])
        grades = low.astype(np.int64), high.astype(np.int64)
        self.rounds.append(Round(pair, level, conjunction, *grades, gain, kept))

    def _grade(self, newton: Floats) -> Floats:
        bounded = np.minimum(np.maximum(newton, -_LARGEST_GRADE), _LARGEST_GRADE)
        return np.rint(self.settings.step * bounded / RESOLUTION)


def _base(sample: Sample) -> int:
    """Score of a bag before its first rule, of rows that reach no level."""
    if sample.start is not None:
        return sample.start.base
    negative, positive = sample.weight.sum(axis=1)
    return int(np.rint(np.log((positive + 0.5) / (negative + 0.5)) / RESOLUTION))


def covered(codes: Codes, level: Codes, conjunction: Bools) -> Bools:
    """Rows that satisfy the rule of each bag; the codes of its two criteria: (bags, 2, n)."""
    first, second = (codes[:, i] >= level[:, i, None] for i in (0, 1))
    return np.where(conjunction[:, None], first & second, first | second)


@dataclass(frozen=True)
class _Draws:
    """Random literals of one bag: a criterion that varies, and the level that a row reaches.

    Attributes
    ----------
    codes : array of shape (m, n)
        The rows of the bag.
    reached : array of shape (n,)
        Cumulative weight of the rows.
    varying : array of int
        Criteria that vary in the bag.
    least : array of shape (m,)
        The lowest code of a literal that does not always hold.
    criteria, rows : Generator
        Sources of the draws: one each, so that it does not matter how many are drawn at a time.
    """

    codes: Codes
    reached: Floats
    varying: Ints
    least: Codes
    criteria: np.random.Generator
    rows: np.random.Generator

    @classmethod
    def of(cls, codes: Codes, weight: Floats, rng: np.random.Generator) -> _Draws:
        """Look at the rows of a bag once."""
        lowest = codes.min(axis=1, initial=MAX_LEVELS)
        varying = np.flatnonzero(codes.max(axis=1, initial=0) > lowest)
        least = lowest + (lowest < MAX_LEVELS)
        return cls(codes, np.cumsum(weight), varying, least, *rng.spawn(2))

    def literals(self, rounds: int, size: int) -> tuple[Ints, Codes]:
        """Criteria and levels of shape (rounds, size)."""
        shape = (rounds, size)
        if not self.varying.size:
            return np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.uint8)
        criterion = self.varying[self.criteria.integers(len(self.varying), size=shape)]
        target = self.rows.random(shape) * self.reached[-1]
        row = np.searchsorted(self.reached, target, side="right")
        row = np.minimum(row, len(self.reached) - 1)
        # The lowest value of the bag would give a literal that always holds.
        return criterion, np.maximum(self.codes[criterion, row], self.least[criterion])
