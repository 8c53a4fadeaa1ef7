"""Candidate literals for tests of searches."""

import numpy as np

from sugeno._distil.levels import cut_points


def all_cuts(X):
    """Every cut of every criterion, as literals."""
    cuts = [cut_points(X[:, j]) for j in range(X.shape[1])]
    criteria = np.repeat(np.arange(X.shape[1]), [len(c) for c in cuts]).astype(np.intp)
    return criteria, np.concatenate(cuts)
