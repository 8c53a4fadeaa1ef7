"""How far the training data settle the decisions of a model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sugeno._learning.training import Training, at_literals
from sugeno.model.boundary import Boundary
from sugeno.model.extent import Extent
from sugeno.solvers.closure import solve_closure

__all__ = ["with_extent"]


def with_extent(model: Boundary, training: Training) -> Boundary:
    """Return the same model, which also knows what the training data leave open.

    If no monotone classifier over its literals makes fewer errors (two minimum cuts tell), all
    such optima are compared: between the smallest and the largest family everything is open.
    Otherwise the labels of the observed patterns are those of the model, and open is what does not
    follow from them: the difference of lower and upper extension.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.engine import Settings
    >>> from sugeno._learning.exact import ExactLearner
    >>> from sugeno._learning.extent import with_extent
    >>> from sugeno._learning.training import prepare
    >>> X, y = np.array([[1.0, 1.0], [1.0, 2.0], [2.0, 2.0]]), np.array([0, 0, 1])
    >>> training = prepare(Table.of(X, y, row_weights(None, 3)), np.array([0, 1]))
    >>> (learned,) = ExactLearner(training, Settings()).model("shared").boundaries
    >>> model = with_extent(learned, training)
    >>> [end.tolist() for end in model.limits(np.array([[2.0, 1.0], [2.0, 2.0]]))]
    [[False, True], [True, True]]
    """
    patterns = at_literals(training, model.literals).patterns
    masks, normalized = patterns.masks, model.normalized
    least = most = model.form.accepts(masks)
    smallest, largest = (
        solve_closure(patterns, normalized=normalized, which=which)
        for which in ("minimal", "maximal")
    )
    is_between = (smallest.accepted <= least).all() and (least <= largest.accepted).all()
    if is_between and patterns.errors(least) == smallest.objective:
        least, most = smallest.accepted, largest.accepted
    accepted, rejected = masks[least], masks[~most]
    if normalized:
        accepted = np.concatenate([accepted, patterns.chains.full])
    if not model.form.accepts(np.zeros_like(masks[:1])).any():
        rejected = np.concatenate([rejected, np.zeros_like(masks[:1])])
    return replace(model, extent=Extent.of(accepted, rejected))
