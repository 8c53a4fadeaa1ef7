"""Candidate levels: where the teacher changes its mind.

A level is a cut between two neighbouring observed values. Each cut gets a weight: what the
members of an ensemble that use it contribute, or, for any teacher, how much the probability
changes across it along profiles of training rows. A criterion gets levels in proportion to the
square root of its total weight, one for each equal part of the weights of its cuts: the cut of
this part at which the roundest number lies. People read round numbers, and other rows lead to the
same ones more often.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.value_counting import known_values
from sugeno._distil.targets import Teacher, recombined_rows
from sugeno._scales.number import separating_number

__all__ = ["choose_levels", "cut_points", "weights_of_teacher", "weights_of_thresholds"]

Floats = NDArray[np.float64]


def cut_points(values: Floats) -> Floats:
    """Return a level t between any two neighbouring distinct values: ``below < t <= above``."""
    return _between(known_values(values[:, None])[0])


def _between(distinct: Floats) -> Floats:
    """Return a level between any two neighbours of ascending values."""
    below, above = distinct[:-1], distinct[1:]
    middle = below / 2 + above / 2
    cuts: Floats = np.where(middle > below, middle, above)
    return cuts


def weights_of_thresholds(
    X: Floats, criteria: NDArray[np.intp], thresholds: Floats, weights: Floats
) -> list[Floats]:
    """Add up, for each cut of each criterion, the weights of thresholds that lie there.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Training rows.
    criteria, thresholds, weights : ndarray of shape (n_thresholds,)
        Comparisons "criterion reaches threshold" in an ensemble, and what each contributes.

    Returns
    -------
    list of ndarray
        One weight per cut of each criterion, in the order of `cut_points`.
    """
    result = []
    order = np.argsort(criteria, kind="stable")
    ends = np.searchsorted(criteria[order], np.arange(1, X.shape[1]))
    for distinct, mine in zip(known_values(X), np.split(order, ends)):
        # A threshold in (below, above] asks the same as the cut between them.
        place = np.searchsorted(distinct, thresholds[mine], side="left") - 1
        inside = (place >= 0) & (place < len(distinct) - 1)
        count = np.bincount(place[inside], weights[mine][inside], minlength=len(distinct) - 1)
        result.append(count.astype(np.float64))
    return result


def weights_of_teacher(
    X: Floats,
    probability: Teacher,
    *,
    n_profiles: int = 40,
    n_values: int = 32,
    seed: int = 0,
) -> list[Floats]:
    """Measure for each cut how much any teacher's probability changes across it.

    Profiles of drawn training rows are followed along each criterion over (quantiles of) its
    observed values, and the absolute changes are added up. Where neighbouring values on the
    way are not neighbours in the data, the cuts between them share the change equally.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Training rows.
    probability : callable
        The teacher.
    n_profiles, n_values : int
        Rows that are followed, and values of each criterion on the way.
    seed : int, default=0
        Of the draws.

    Returns
    -------
    list of ndarray
        One weight per cut of each criterion, in the order of `cut_points`.

    Notes
    -----
    One call of the teacher with at most ``m × n_profiles × n_values`` rows.
    """
    profiles = recombined_rows(X, n_profiles, seed=seed)
    columns = [np.sort(column[np.isfinite(column)]) for column in X.T]
    grids = [_quantile_values(column, n_values) for column in columns]
    walks = [_walk(profiles, j, grid) for j, grid in enumerate(grids)]
    answers = np.split(probability(np.concatenate(walks)), np.cumsum([len(w) for w in walks])[:-1])
    result = []
    for column, grid, answer in zip(columns, grids, answers, strict=True):
        change = np.abs(np.diff(answer.reshape(len(grid), -1), axis=0)).sum(axis=1)
        place = np.searchsorted(np.unique(column), grid)
        result.append(np.repeat(change / np.diff(place), np.diff(place)))
    return result


def _quantile_values(column: Floats, n_values: int) -> Floats:
    """Return at most so many observed values of a sorted column, its extremes among them."""
    distinct = np.unique(column)
    if len(distinct) <= n_values:
        return distinct
    return np.unique(column[np.linspace(0, len(column) - 1, n_values).round().astype(np.intp)])


def _walk(profiles: Floats, criterion: int, values: Floats) -> Floats:
    """Repeat all profiles with each value of one criterion."""
    rows = np.tile(profiles, (len(values), 1))
    rows[:, criterion] = np.repeat(values, len(profiles))
    return rows


def choose_levels(
    X: Floats, weights: list[Floats], n_literals: int = 110
) -> tuple[NDArray[np.intp], Floats]:
    """Choose about `n_literals` literals by the weights of the cuts.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Training rows.
    weights : list of ndarray
        One weight per cut of each criterion.
    n_literals : int, default=110
        How many literals to share out in proportion to √(weight of the criterion), at least
        one for a criterion that matters, all cuts where they are few.

    Returns
    -------
    criteria : ndarray of intp
    levels : ndarray of float64
        Sorted by criterion, then level.
    """
    importance = np.sqrt([w.sum() for w in weights])
    share = n_literals * importance / max(importance.sum(), np.finfo(float).tiny)
    criteria: list[NDArray[np.intp]] = []
    levels: list[Floats] = []
    matter = np.flatnonzero(importance > 0)
    for j, distinct in zip(matter.tolist(), known_values(X[:, matter])):
        places = _spread(weights[j], distinct, max(1, round(share[j])))
        cuts = _between(distinct)[places]
        criteria.append(np.full(len(cuts), j, dtype=np.intp))
        levels.append(cuts)
    if not levels:
        return np.empty(0, dtype=np.intp), np.empty(0)
    return np.concatenate(criteria), np.concatenate(levels)


def _spread(weight: Floats, distinct: Floats, count: int) -> NDArray[np.intp]:
    """Return the places of at most `count` cuts, the roundest of equal parts of their weights."""
    if len(weight) <= count:
        return np.arange(len(weight))
    cumulated = np.cumsum(weight) / weight.sum()
    ends = np.searchsorted(cumulated, np.arange(2 * count + 1) / (2 * count))
    ends = np.minimum(ends, len(weight) - 1)
    parts = zip(ends[:-2:2].tolist(), ends[1::2].tolist(), ends[2::2].tolist())
    return np.unique([_roundest(distinct, *part) for part in parts])


def _roundest(distinct: Floats, first: int, middle: int, last: int) -> int:
    """Of the cuts from the first to the last the one with the shortest number, near the middle."""
    below, above = distinct[[first, middle]], distinct[[middle + 1, last + 1]]
    if not (np.isfinite(below).all() and np.isfinite(above).all()):
        return middle  # an open value is beyond all numbers
    near = float(below[1] / 2 + above[0] / 2)
    level = float(separating_number(float(below[0]), float(above[1]), near))
    return int(np.searchsorted(distinct, level)) - 1
