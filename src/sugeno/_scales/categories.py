"""Orders of unordered categories, found from the training rows as a direction is found.

A category counts as good as its rows are: by the rate of the positive class, drawn towards the
rate of all rows where there are few. With an order the column is one criterion, and everything
that serves ordered labels serves it. All that is needed are counts by class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Categories with fewer rows than this are one group; a category of its own would fit chance.
FEW_ROWS = 10
#: So many groups, with fewer rows than this in the mean, have to differ more than by chance,
_MANY, _LARGE = 10, 30
#: which would do so with this probability.
_CHANCE = 0.01
#: A rate is that of the rows and of so many rows with the rate of all.
SMOOTHING = 10.0


def class_scores(totals: Ints) -> Floats:
    """A score for each ordered class: the share of the rows below it, and half of its own share.

    The scores are stretched to [0, 1], so that for two classes they are 0 and 1, and a mean of
    scores is the rate of the positive class.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.categories import class_scores
    >>> class_scores(np.array([30, 10])), class_scores(np.array([2, 1, 1]))
    (array([0., 1.]), array([0. , 0.6, 1. ]))
    """
    middle = np.cumsum(totals) - totals / 2
    span = middle[-1] - middle[0]
    result: Floats = (middle - middle[0]) / span if span > 0 else np.zeros(totals.size)
    return result


@dataclass(frozen=True, eq=False)
class Groups:
    """The categories of a column, rare ones joined, with their smoothed rates.

    Attributes
    ----------
    of_label : ndarray of intp of shape (K,)
        Group of each label.
    rare : int or None
        The group that several rare labels form.
    missing : int or None
        The group of missing cells, if there are any.
    sizes : ndarray of shape (G,)
        Rows of each group.
    rates : ndarray of shape (G,)
        Smoothed rate of the positive class, or smoothed mean score of the class.
    rate : float
        Rate of all rows.
    variance : float
        Variance of the class scores of all rows.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.categories import group_categories
    >>> counts = np.array([[40, 40], [2, 3], [10, 50], [8, 1]])
    >>> groups = group_categories(counts, np.array([5, 0]))
    >>> groups.of_label, groups.rare, groups.missing
    (array([0, 2, 1, 2]), 2, 3)
    >>> groups.ordered().places
    (2.0, 1.0, 3.0, 1.0)
    """

    of_label: NDArray[np.intp]
    rare: int | None
    missing: int | None
    sizes: Floats
    rates: Floats
    rate: float
    variance: float

    @property
    def say_nothing(self) -> bool:
        """Whether there is one group only, or many small ones that chance could have made.

        A hundred categories of ten rows look far apart even if they are drawn by lot, so that a
        χ² test has to refute that; a few large ones cannot be fitted to chance.
        """
        n_groups = self.sizes.size
        if n_groups < 2 or self.variance <= 0:
            return True
        if n_groups < _MANY or self.sizes.sum() >= _LARGE * n_groups:
            return False
        return self.chance > _CHANCE

    @property
    def chance(self) -> float:
        """With which probability groups that say nothing look at least as different: a χ² test.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno._scales.categories import group_categories
        >>> groups = group_categories(np.array([[40, 40], [10, 50]]), np.array([0, 0]))
        >>> groups.chance < 0.001
        True
        """
        statistic = float(self.sizes @ (self.means - self.rate) ** 2) / self.variance
        return float(chdtrc(self.sizes.size - 1, statistic))

    @property
    def means(self) -> Floats:
        """Rate of each group, or mean score, without smoothing; that of all rows of an empty one.

        A fold may have no row with a label that the table has.
        """
        sizes = np.where(self.sizes > 0, self.sizes, 1.0)
        result: Floats = self.rates + (self.rates - self.rate) * SMOOTHING / sizes
        return result

    def ordered(self, coefficients: Floats | None = None) -> CategoryOrder:
        """Order the groups by their rates, or by what they say beside all other columns.

        Parameters
        ----------
        coefficients : ndarray of shape (G,), optional
            Of each group, in a regression on all columns. They decide where they contradict the
            rates: where their correlation over the rows is negative.

        Returns
        -------
        CategoryOrder
            Places of all labels.
        """
        by_coefficient = coefficients is not None and self._contradict(coefficients)
        value = coefficients if coefficients is not None and by_coefficient else self.rates
        place = np.empty(value.size)
        # Groups are numbered in the order of their labels: a tie is broken by the alphabet.
        place[np.argsort(value, kind="stable")] = np.arange(value.size)
        mean = float(self.sizes @ value / self.sizes.sum()) if by_coefficient else self.rate
        unseen = np.count_nonzero(value < mean) - 0.5 if self.rare is None else place[self.rare]
        return CategoryOrder(
            tuple(place[self.of_label].tolist()),
            float(unseen),
            None if self.missing is None else float(place[self.missing]),
            "coefficient" if by_coefficient else "rate",
        )

    def _contradict(self, coefficients: Floats) -> bool:
        """Whether coefficients fall where rates rise, over the rows."""
        centred = coefficients - self.sizes @ coefficients / self.sizes.sum()
        # To nine decimals, so that rounding errors are no contradiction.
        return round(float(self.sizes @ (centred * (self.rates - self.rate))), 9) < 0


@dataclass(frozen=True)
class CategoryOrder:
    """Places of labels in an order that was found, the worst first.

    Attributes
    ----------
    places : tuple of float
        Place of each label; joined labels share one.
    unseen : float
        Place of any label that training did not see: that of the rare ones, or between the labels
        that are worse than all rows in the mean and those that are better.
    missing : float or None
        Place of missing cells; None if training saw none.
    by : {"rate", "coefficient"}
        What decided.

    Examples
    --------
    >>> from sugeno._scales.categories import CategoryOrder
    >>> CategoryOrder((1.0, 0.0), 0.5, None, "rate").unseen
    0.5
    """

    places: tuple[float, ...]
    unseen: float
    missing: float | None
    by: Literal["rate", "coefficient"]


def group_categories(
    counts: Ints, missing: Ints, *, unit: float = 1.0, few_rows: int = FEW_ROWS
) -> Groups:
    """Join rare categories, and compute smoothed rates.

    Parameters
    ----------
    counts : ndarray of int64 of shape (K, C)
        Weight of each label by class; the classes are ordered.
    missing : ndarray of int64 of shape (C,)
        Weight of the missing cells by class.
    unit : float, default=1.0
        What one unit of weight is worth in rows.
    few_rows : int, default=10
        Labels with fewer rows are joined, if there are at least two of them.

    Returns
    -------
    Groups
        The groups with their rates (s + 10 r) / (n + 10), where s is the sum of the scores of n
        rows and r the mean score of all rows.
    """
    rows = np.vstack([counts, missing])
    totals = rows.sum(axis=0)
    scores = class_scores(totals)
    rate = float(totals @ scores / totals.sum())
    size = rows.sum(axis=1) * unit
    is_rare = size[:-1] < few_rows
    if np.count_nonzero(is_rare) < 2:
        is_rare[:] = False
    of_label = np.where(is_rare, np.count_nonzero(~is_rare), np.cumsum(~is_rare) - 1)
    n_groups = int(of_label.max(initial=-1)) + 1
    of_row = np.append(of_label, n_groups)
    sizes, sums = (
        np.bincount(of_row, part, n_groups + 1).astype(np.float64)
        for part in (size, rows @ scores * unit)
    )
    if not missing.any():
        sizes, sums = sizes[:-1], sums[:-1]
    return Groups(
        of_label.astype(np.intp),
        n_groups - 1 if is_rare.any() else None,
        n_groups if missing.any() else None,
        sizes,
        (sums + SMOOTHING * rate) / (sizes + SMOOTHING),
        rate,
        float(totals @ (scores - rate) ** 2 / totals.sum()),
    )
