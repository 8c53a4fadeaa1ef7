"""The learner of section 4: from training data to a model, for one k or for a path of them.

Each step is a pure function. What does not depend on k is done once for all k of a path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from sugeno._counts.patterns import Patterns
from sugeno._learning.engine import Settings, boundary_sets, solve_at, solve_exactly
from sugeno._learning.joint import joint_threshold
from sugeno._learning.threshold import threshold_of_scores
from sugeno._learning.training import Stage, Training, at_threshold
from sugeno._sets.masks import contains_any
from sugeno.capacity import sugeno_integral
from sugeno.model.model import Certificate, Model
from sugeno.model.probability import Probability
from sugeno.model.rules import RuleSet
from sugeno.model.support import Support
from sugeno.solvers.base import Solution
from sugeno.solvers.budget import Budget

__all__ = ["learn", "learn_path"]


#: Of the time that is left for proofs, what a single level gets when many are compared.
_SHARE_OF_A_LEVEL = 0.25


def learn(
    training: Training,
    k: int | None,
    margin: float,
    threshold: str | float,
    settings: Settings,
    budget: Budget | None = None,
) -> Model:
    """Learn threshold and capacity.

    Parameters
    ----------
    training : Training
        Training data.
    k : int or None
        Largest size of a boundary set; None for no limit.
    margin : float
        The margin ρ of program (7); 0 is the limit 0⁺.
    threshold : {"median", "mean-median", "alternating", "joint"} or float
        The threshold, or how to find it.
    settings : Settings
        How to search.
    budget : Budget, optional
        The time that is left, if the clock runs already.

    Returns
    -------
    Model
        The learned classifier.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.engine import Settings
    >>> from sugeno._learning.learn import learn
    >>> from sugeno._learning.training import prepare
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 1])
    >>> training = prepare(Table.of(X, y, row_weights(None, 3)), np.array([0, 1]))
    >>> print(learn(training, None, 0.0, "median", Settings()).rules)
    accept if x0 >= 2
    """
    (model,) = learn_path(training, [(k, margin)], threshold, settings, budget)
    return model


def learn_path(
    training: Training,
    candidates: Iterable[tuple[int | None, float]],
    threshold: str | float,
    settings: Settings,
    budget: Budget | None = None,
) -> Iterator[Model]:
    """Learn one model per pair of k and margin; what they share is done once.

    Each of them has the time limit of the settings, unless all share a budget that runs already.
    """
    m = training.table.n_criteria
    stages: dict[float, Stage] = {}
    for k, margin in ((m if k is None else k, margin) for k, margin in candidates):
        time = budget or Budget.of(settings.time_limit)
        if threshold == "joint" and settings.subsets != "all":
            stage, solution = _learn_jointly(training, k, margin, settings, time)
            yield _finished(training, stage, solution, k, settings, time)
            continue
        if margin not in stages:
            beta = _first_threshold(training, threshold, margin, settings, time)
            stages[margin] = at_threshold(training, beta, margin)
        model = _learned_at(training, stages[margin], k, settings, time)
        if threshold == "alternating":
            model = _alternated(training, stages[margin], model, k, settings, time)
        yield model


def _first_threshold(
    training: Training, threshold: str | float, margin: float, settings: Settings, budget: Budget
) -> float:
    if not isinstance(threshold, str):
        return float(threshold)
    if threshold == "joint":
        m = training.table.n_criteria
        return _learn_jointly(training, m, margin, settings, budget)[0].beta
    if threshold == "mean-median":
        return training.mean_median_threshold
    return training.median_threshold


def _learn_jointly(
    training: Training, k: int, margin: float, settings: Settings, budget: Budget
) -> tuple[Stage, Solution]:
    """Learn threshold and family together, within one budget for all levels."""

    def quick(patterns: Patterns) -> Solution:
        return solve_exactly(patterns, k, settings, budget.for_a_glance())

    def thorough(patterns: Patterns) -> Solution:
        return solve_exactly(patterns, k, settings, budget.part(_SHARE_OF_A_LEVEL))

    found = joint_threshold(
        training.utilities,
        training.table.positive,
        training.table.costs,
        near=training.median_threshold,
        margin=margin,
        quick=quick,
        thorough=thorough,
        normalized=settings.normalized,
        budget=budget,
    )
    return at_threshold(training, found.threshold, margin), found.solution


def _learned_at(
    training: Training, stage: Stage, k: int, settings: Settings, budget: Budget
) -> Model:
    """Learn the family at a given threshold."""
    solution = solve_at(training, stage, k, settings, budget)
    return _finished(training, stage, solution, k, settings, budget)


def _alternated(
    training: Training, stage: Stage, model: Model, k: int, settings: Settings, budget: Budget
) -> Model:
    """Take the threshold β₀ that suits the capacity best, unless it leads to more errors."""
    table = training.table
    values = np.asarray(sugeno_integral(training.utilities, model.capacity))
    beta = threshold_of_scores(values, table.positive, table.costs)
    if stage.margin >= min(beta, 1 - beta):
        return model
    moved = at_threshold(training, beta, stage.margin)
    other = _learned_at(training, moved, k, settings, budget)
    better = other.certificate.objective <= model.certificate.objective
    return other if better else model


def _finished(
    training: Training,
    stage: Stage,
    solution: Solution,
    k: int,
    settings: Settings,
    budget: Budget,
) -> Model:
    """Complete a solution to a model: rules, their support, probabilities, certificate."""
    sets = boundary_sets(stage.patterns, solution, settings, budget)
    # Without a margin the solver has seen these very patterns.
    seen = stage.priced is stage.patterns
    accepted = solution.accepted if seen else contains_any(stage.priced.masks, sets)
    unit = stage.patterns.unit
    return Model(
        classes=training.classes,
        rules=RuleSet.from_masks(
            sets,
            stage.literals,
            named=training.named,
            label=training.classes[1],
            support=Support.counted(sets, stage.counted),
        ),
        probability=Probability.fitted(stage.priced, accepted),
        certificate=Certificate(solution.objective * unit, solution.bound * unit),
        threshold=stage.beta,
        k=k,
        normalized=settings.normalized,
        utility=training.knots.thinned(stage.beta),
    )
