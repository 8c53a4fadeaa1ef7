"""Smallest reasons by trying all sets of criteria, on a table that has every row."""

from itertools import combinations


def sufficient(X, verdicts, row, kept):
    """Whether all rows with the same values on some criteria have the same verdict."""
    same = (X[:, kept] == X[row, kept]).all(axis=1)
    return bool((verdicts[same] == verdicts[row]).all())


def smallest_reason(X, verdicts, row):
    m = X.shape[1]
    subsets = (list(kept) for size in range(m + 1) for kept in combinations(range(m), size))
    return next(kept for kept in subsets if sufficient(X, verdicts, row, kept))
