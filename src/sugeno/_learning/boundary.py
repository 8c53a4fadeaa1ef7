"""What training data say about a form: whom it covers, how likely it is right, what it settles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sugeno._learning.training import PatternCounts, Training, at_literals, chance_patterns
from sugeno.model.boundary import Boundary, Certificate, SettledPatterns
from sugeno.model.form import Form
from sugeno.model.pivotality import pivotality
from sugeno.model.probability import Probability
from sugeno.solvers.closure import solve_closure


def finished_boundary(
    training: Training,
    counts: PatternCounts,
    form: Form,
    certificate: Certificate,
    k: int,
    *,
    threshold: float | None = None,
    probability: Probability | None = None,
    accepted: NDArray[np.bool_] | None = None,
) -> Boundary:
    """Complete a form to a boundary: support, probabilities, importances.

    Parameters
    ----------
    training : Training
        The rows, parted by the boundary.
    counts : PatternCounts
        Their patterns, by the literals of the form.
    form : Form
        What decides.
    certificate : Certificate
        What is proved of it.
    k : int
        Largest number of criteria in a rule.
    threshold : float, optional
        By default that of the counts.
    probability : Probability, optional
        By default learned from the patterns.
    accepted : ndarray of bool, optional
        Which of the priced patterns the form accepts, where that is known.
    """
    if probability is None:
        told = chance_patterns(training, counts)
        if accepted is None or told is not counts.priced:
            accepted = form.accepts(told.masks)
        probability = Probability.fitted(told, accepted, training.cut)
    return Boundary(
        labels=training.classes,
        form=form.with_support(counts.counted),
        probability=probability,
        certificate=certificate,
        threshold=counts.beta if threshold is None else threshold,
        k=k,
        normalized=False,
        utility=None,
        importances=pivotality(form, counts.counted),
        missing=training.source.missing,
    )


def with_extent(model: Boundary, training: Training) -> Boundary:
    """Return the same model, which also knows what the training data leave open.

    Two minimum cuts tell whether any monotone classifier over its literals makes fewer errors. If
    none does, a pattern is open where optimal classifiers disagree: between the smallest and the
    largest optimal family. Otherwise the labels that the model gives to observed patterns are taken
    as settled. Then a pattern is open if its label does not follow from these by monotonicity.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.engine import SolverOptions
    >>> from sugeno._learning.exact import ExactLearner
    >>> from sugeno._learning.boundary import with_extent
    >>> from sugeno._learning.training import prepare
    >>> X, y = np.array([[1.0, 1.0], [1.0, 2.0], [2.0, 2.0]]), np.array([0, 0, 1])
    >>> training = prepare(Table.of(X, y, row_weights(None, 3)), np.array([0, 1]))
    >>> (learned,) = ExactLearner(training, SolverOptions()).model("shared").boundaries
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
    return replace(model, extent=SettledPatterns.of(accepted, rejected))
