"""Comparing classifiers over data sets: ranks, Friedman's test, Nemenyi's difference, wins.

The procedure is Demšar's (Journal of Machine Learning Research 7, 2006), which the paper follows:
rank the methods on every data set, test whether the average ranks differ at all (Friedman), and
call two methods different when their average ranks lie further apart than the critical difference
(Nemenyi).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

__all__ = ["Comparison", "compare", "critical_difference", "ranks", "wins"]


def ranks(errors: ArrayLike) -> NDArray[np.float64]:
    """Rank the methods on every data set: 1 for the smallest error, ties share their mean rank.

    Parameters
    ----------
    errors : array-like of shape (n_datasets, n_methods)
        Mean errors.

    Returns
    -------
    ndarray of shape (n_datasets, n_methods)
        The ranks.

    Examples
    --------
    >>> from sugeno.paper.experiments.statistics import ranks
    >>> ranks([[0.3, 0.1, 0.1]])
    array([[3. , 1.5, 1.5]])
    """
    ranked: NDArray[np.float64] = stats.rankdata(np.asarray(errors, dtype=np.float64), axis=1)
    return ranked


def critical_difference(n_methods: int, n_datasets: int, *, alpha: float = 0.1) -> float:
    """Nemenyi's critical difference of two average ranks.

    It is ``q * sqrt(k (k + 1) / (6 N))``, where q is the upper ``alpha`` point of the range of k
    independent standard normal variables, divided by the square root of 2.

    Parameters
    ----------
    n_methods : int
        Number of methods k that are compared, at least 2.
    n_datasets : int
        Number of data sets N.
    alpha : float, default=0.1
        Level of the test; the paper tests at the 90 % confidence level.

    Examples
    --------
    >>> from sugeno.paper.experiments.statistics import critical_difference
    >>> round(critical_difference(5, 12), 3)
    1.588
    """
    q = float(stats.studentized_range.ppf(1 - alpha, n_methods, inf)) / sqrt(2)
    return q * sqrt(n_methods * (n_methods + 1) / (6 * n_datasets))


def wins(errors: ArrayLike) -> NDArray[np.int64]:
    """Count on how many data sets the row's method has a smaller error than the column's.

    Parameters
    ----------
    errors : array-like of shape (n_datasets, n_methods)
        Mean errors; a tie is a win for neither.

    Returns
    -------
    ndarray of int64 of shape (n_methods, n_methods)
        The counts.

    Examples
    --------
    >>> from sugeno.paper.experiments.statistics import wins
    >>> wins([[0.3, 0.1], [0.2, 0.1], [0.1, 0.1]])
    array([[0, 0],
           [2, 0]])
    """
    table = np.asarray(errors, dtype=np.float64)
    counts: NDArray[np.int64] = (table[:, :, None] < table[:, None, :]).sum(axis=0, dtype=np.int64)
    return counts


@dataclass(frozen=True)
class Comparison:
    """Average ranks of some methods and what the tests say about them.

    Attributes
    ----------
    methods : tuple of str
        What was compared.
    average_rank : dict of str to float
        Mean rank over the data sets.
    statistic, pvalue : float or None
        Friedman's chi-square statistic (corrected for ties) and its p-value; None when there are
        fewer than three methods or two data sets.
    critical_difference : float
        Average ranks that differ by more are significantly different (Nemenyi).
    n_datasets : int
        Number of data sets.

    Examples
    --------
    >>> from sugeno.paper.experiments.statistics import compare
    >>> compare([[0.3, 0.1], [0.2, 0.1]], ("a", "b")).average_rank
    {'a': 2.0, 'b': 1.0}
    """

    methods: tuple[str, ...]
    average_rank: dict[str, float]
    statistic: float | None
    pvalue: float | None
    critical_difference: float
    n_datasets: int

    def worse_than(self, reference: str) -> tuple[str, ...]:
        """Name the methods that are significantly worse than the reference."""
        limit = self.average_rank[reference] + self.critical_difference
        return tuple(name for name, rank in self.average_rank.items() if rank > limit)


def compare(errors: ArrayLike, methods: tuple[str, ...], *, alpha: float = 0.1) -> Comparison:
    """Compare methods by their average ranks.

    Parameters
    ----------
    errors : array-like of shape (n_datasets, n_methods)
        Mean errors, at least one data set and two methods.
    methods : tuple of str
        Names of the methods.
    alpha : float, default=0.1
        Level of the test.

    Returns
    -------
    Comparison
        Average ranks, Friedman's test and the critical difference.

    Examples
    --------
    >>> from sugeno.paper.experiments.statistics import compare
    >>> errors = [[0.1, 0.2, 0.3], [0.1, 0.3, 0.2], [0.1, 0.2, 0.3]]
    >>> round(compare(errors, ("a", "b", "c")).pvalue, 3)
    0.097
    """
    table = np.asarray(errors, dtype=np.float64)
    n_datasets, n_methods = table.shape
    average = ranks(table).mean(axis=0)
    statistic, pvalue = _friedman(table)
    return Comparison(
        methods=methods,
        average_rank={name: float(rank) for name, rank in zip(methods, average)},
        statistic=statistic,
        pvalue=pvalue,
        critical_difference=critical_difference(n_methods, n_datasets, alpha=alpha),
        n_datasets=n_datasets,
    )


def _friedman(table: NDArray[np.float64]) -> tuple[float | None, float | None]:
    """Friedman's statistic and p-value, where they are defined."""
    n_datasets, n_methods = table.shape
    all_tied = bool((table == table[:, :1]).all())
    if n_methods < 3 or n_datasets < 2 or all_tied:
        return None, None
    result = stats.friedmanchisquare(*table.T)
    return float(result.statistic), float(result.pvalue)
