"""A run of boosting: all bags grow in stages until more rounds no longer help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from scipy.special import expit

from sugeno._ensemble.boosting import Boosters, BoostingParams, Sample
from sugeno._ensemble.sample import Bag, Codes, Floats, Ints, Merged, at_boundaries, draw
from sugeno._ensemble.start import RESOLUTION, fit_start
from sugeno._threads import one_thread

BAG_ROWS = 2**14  # distinct rows of a bag, at most, in the mean
WATCHED_ROWS = 2**13  # distinct rows whose out-of-bag scores are followed, at most
_LEAST_SLOPE = 1 / 64  # positive, so that probabilities keep the order of the scores
_HALVINGS = 16
_GROUP_ROWS = 2**14  # of bags that grow in step: what a round looks at stays in the cache
_FEW_ROWS = 2**16  # of all bags: threads would wait for each other
_PATIENCE = 5  # reports to go on at least after the best one
_LEAST_BAGS = 1  # of a run for which there is no time
_SIGN = np.array([[-1.0], [1.0]])  # of the score in the loss of either class


@dataclass(frozen=True)
class EnsembleParams:
    """Parameters of an ensemble.

    Parameters
    ----------
    bags : int
        Number of bags.
    logistic : float
        Share of the bags that start with a logistic regression; the others start at the odds of
        the classes.
    share : float
        Share of the weight units in each bag.
    max_rounds : int
        Largest number of rounds; the number kept minimises the out-of-bag log loss.
    slack : float
        Log likelihood given up for fewer rounds.
    every : int
        The number of rounds kept is a multiple of it.
    seed : int
        Of all draws.
    n_jobs : int or None
        Number of processes; it does not change the result.
    settings : BoostingParams
        How each bag is grown.
    """

    bags: int = 20
    logistic: float = 0.5
    share: float = 0.632
    max_rounds: int = 500
    slack: float = 0.25
    every: int = 5
    seed: int = 0
    n_jobs: int | None = None
    settings: BoostingParams = field(default_factory=BoostingParams)


class BoostingRun:
    """The bags of a table, grown together; what the out-of-bag rows say after each report.

    Parameters
    ----------
    table : Merged
        Distinct rows with their class weights.
    codes : array of shape (m, n)
        Their codes; of several boundaries those of all rows at each of them.
    params : EnsembleParams
        Parameters.
    bags : range, optional
        Numbers of the bags of this run; by default all.
    n_levels : list of int, optional
        Number of levels of each criterion, where bags are to start with a logistic regression.
    stop : callable, optional
        When it says so, no more bags are drawn, and none grows further.

    Attributes
    ----------
    boosters : list of Boosters
        The bags, in groups that grow in step.
    watched : array of int
        Rows of the table that are followed.
    scores : list of arrays of shape (2, watched rows)
        Out-of-bag scores of both classes after each report; nan where there is none.
    slopes : list of float
        By how much these scores are to be multiplied.
    losses : list of float
        Log loss of the multiplied scores.
    """

    def __init__(
        self,
        table: Merged,
        codes: Codes,
        params: EnsembleParams,
        bags: range | None = None,
        n_levels: list[int] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self.params = params
        self._stop = stop
        self.watched = _watched(codes.shape[1], params.seed)
        self.weight = at_boundaries(table.weight)[:, self.watched]
        numbers = range(params.bags) if bags is None else bags
        drawn: list[tuple[Bag, Sample]] = []
        with one_thread():
            for b in numbers:
                if len(drawn) < _LEAST_BAGS or not stop():
                    drawn.append(_drawn(table, codes, params, b, n_levels))
        self.outside = np.array([bag.outside[:, self.watched] for bag, _ in drawn])
        self.boosters = _groups([sample for _, sample in drawn], codes[:, self.watched], params)
        self.scores: list[Floats] = []
        self.slopes: list[float] = []
        self.losses: list[float] = []

    @property
    def best(self) -> int:
        """First report whose out-of-bag log likelihood is within ``slack`` of the largest.

        In a table of a few rows the loss may creep down for ever: such gains are
        smaller than what one more parameter gains by chance.
        """
        limit = min(self.losses) + self.params.slack / max(self.weight.sum(), 1.0)
        return int(np.argmax(np.array(self.losses) <= limit))

    @property
    def rounds(self) -> int:
        """Number of rounds at that report."""
        return (self.best + 1) * self.params.every

    def grow(self) -> None:
        """Grow from report to report until the minimum lies well behind, or to ``max_rounds``.

        Or until there is no more time; a few reports there are in any case.
        """
        reports = -(-self.params.max_rounds // self.params.every)
        n_jobs = 1 if len(self.boosters) == 1 else self.params.n_jobs
        # Threads: what bags know is large and would travel to other processes at each report, and
        # numpy lets others work meanwhile.
        with one_thread(), Parallel(n_jobs=n_jobs, require="sharedmem") as parallel:
            while len(self.losses) < reports and not self._over():
                self._report(parallel)

    def _over(self) -> bool:
        if len(self.losses) < _PATIENCE:
            return False
        return len(self.losses) >= 1.5 * (self.best + 1) + _PATIENCE or self._stop()

    def _report(self, parallel: Parallel) -> None:
        """Grow for so many rounds, and see what the rows outside the bags say."""
        parallel(delayed(group.grow)(self.params.every) for group in self.boosters)
        scores = np.concatenate([group.followed for group in self.boosters])
        self.scores.append(_mean_score(scores, self.outside))
        self.slopes.append(slope(self.scores[-1], self.weight))
        self.losses.append(log_loss(self.slopes[-1] * self.scores[-1], self.weight))


def _watched(n: int, seed: int) -> Ints:
    if n <= WATCHED_ROWS:
        return np.arange(n)
    return np.sort(np.random.default_rng([seed, 0]).choice(n, WATCHED_ROWS, replace=False))


def _drawn(
    table: Merged, codes: Codes, params: EnsembleParams, b: int, n_levels: list[int] | None
) -> tuple[Bag, Sample]:
    """The b-th bag, and its rows."""
    rng = np.random.default_rng([params.seed, 1, b])
    bag = draw(table, min(params.share, BAG_ROWS / max(codes.shape[1], 1)), rng)
    inside = np.flatnonzero(bag.inside.any(axis=0))
    rows, weight = codes[:, inside], bag.inside[:, inside]
    start = fit_start(rows, weight, n_levels) if n_levels and inside.size else None
    return bag, Sample(rows, weight, rng, start)


def _groups(samples: list[Sample], watched: Codes, params: EnsembleParams) -> list[Boosters]:
    """Bags that fit into the cache together; enough groups for all processes if it is worth it."""
    width = max(sample.codes.shape[1] for sample in samples)
    size = max(1, _GROUP_ROWS // max(width, 1))
    if len(samples) * width > _FEW_ROWS:
        size = min(size, -(-len(samples) // effective_n_jobs(params.n_jobs)))
    return [
        Boosters(samples[start : start + size], width, watched, params.settings)
        for start in range(0, len(samples), size)
    ]


def _mean_score(scores: Floats, outside: Floats) -> Floats:
    """Mean score over the bags, each with the weight that stayed out of it."""
    weight: Floats = outside.sum(axis=0)
    total: Floats = (scores[:, None] * outside).sum(axis=0)
    empty = np.full_like(weight, np.nan)
    return np.divide(total * RESOLUTION, weight, out=empty, where=weight > 0)


def log_loss(scores: Floats, weight: Floats) -> float:
    """Mean logistic loss of ``scores`` in both classes, of shape (2, n); nan is left out."""
    known = np.where(np.isnan(scores), 0.0, weight)
    losses = np.logaddexp(0.0, -_SIGN * np.nan_to_num(scores))
    return float((losses * known).sum() / max(known.sum(), np.finfo(float).tiny))


def slope(scores: Floats, weight: Floats) -> float:
    """The factor, at most 1, of the scores that minimises their logistic loss.

    Boosting goes on to order the rows better while it becomes too sure of itself:
    the factor mends the latter, so that more rounds can be kept. The loss is
    convex, so its derivative is bisected. Cost: O(n).
    """
    margins, known = _SIGN * np.nan_to_num(scores), np.where(np.isnan(scores), 0.0, weight)

    def rises(factor: float) -> bool:
        return float((known * margins * expit(-factor * margins)).sum()) < 0

    low, high = _LEAST_SLOPE, 1.0
    if not rises(high):
        return high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if rises(middle) else (middle, high)
    return low
