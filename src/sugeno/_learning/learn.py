"""The learner of section 4: from training data to a model, for one k or for a path of them.

Each step is a pure function. What does not depend on k is done once for all k of a path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._learning.engine import Settings, boundary_sets, solve_at, solve_exactly
from sugeno._learning.joint import joint_threshold
from sugeno._learning.levels import literals_between
from sugeno._learning.single import single_levels
from sugeno._learning.threshold import threshold_of_scores
from sugeno._learning.training import Stage, Training, at_literals, at_threshold
from sugeno._sets.masks import Masks, contains_any, unpack
from sugeno.capacity import sugeno_integral
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.pivotality import pivotality
from sugeno.model.probability import Probability
from sugeno.model.rules import RuleSet
from sugeno.model.support import Support
from sugeno.solvers.base import Solution
from sugeno.solvers.budget import Budget
from sugeno.solvers.closure import solve_closure

__all__ = ["attainable", "finished_model", "learn", "learn_levels", "learn_path"]

#: Levels of each criterion among which ``levels="single"`` chooses.
_CANDIDATE_LEVELS = 16


#: Of the time that is left for proofs, what a single level gets when many are compared.
_SHARE_OF_A_LEVEL = 0.25


def learn(
    training: Training,
    k: int | None,
    margin: float,
    threshold: str | float,
    settings: Settings,
    budget: Budget | None = None,
) -> Boundary:
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
    Boundary
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
    >>> print(learn(training, None, 0.0, "median", Settings()).form)
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
) -> Iterator[Boundary]:
    """Learn one model per pair of k and margin; what they share is done once.

    Each of them has the time limit of the settings, unless all share a budget that runs already.
    """
    m = training.source.n_criteria
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


def learn_levels(
    training: Training,
    k: int | None,
    levels: int | str,
    settings: Settings,
    budget: Budget | None = None,
) -> Boundary:
    """Learn with levels of its own for each criterion: binary utilities, one or several.

    Parameters
    ----------
    training : Training
        Training data.
    k : int or None
        Largest number of criteria in a rule; None for no limit.
    levels : int, "single" or "all"
        How many levels a criterion has; "single" is one, learned together with the family.
    settings : Settings
        How to search.
    budget : Budget, optional
        Time that is left; by default ``settings.time_limit`` starts now.

    Returns
    -------
    Boundary
        The learned classifier.
    """
    budget = budget or Budget.of(settings.time_limit)
    limit = training.source.n_criteria if k is None else k
    if levels == "single":
        choice = literals_between(training.source, training.criteria, _CANDIDATE_LEVELS)
        # The cut of k = None stands in for a smaller k: it takes a millisecond.
        literals = single_levels(
            training.source,
            choice,
            lambda patterns: solve_closure(patterns, normalized=settings.normalized),
            budget.search_is_over,
        )
    else:
        literals = literals_between(training.source, training.criteria, levels)
    stage = at_literals(training, literals)
    solution = solve_exactly(stage.patterns, limit, settings, budget)
    if levels == "single":
        # No single level beats what all levels together could do.
        every = at_literals(training, literals_between(training.source, training.criteria, "all"))
        bound = solve_closure(every.patterns, normalized=settings.normalized).bound
        solution = replace(solution, bound=min(solution.bound, bound))
    return _finished(training, stage, solution, limit, settings, budget, binary=True)


def _first_threshold(
    training: Training, threshold: str | float, margin: float, settings: Settings, budget: Budget
) -> float:
    if not isinstance(threshold, str):
        return float(threshold)
    if threshold == "joint":
        m = training.source.n_criteria
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
) -> Boundary:
    """Learn the family at a given threshold."""
    solution = solve_at(training, stage, k, settings, budget)
    return _finished(training, stage, solution, k, settings, budget)


def _alternated(
    training: Training, stage: Stage, model: Boundary, k: int, settings: Settings, budget: Budget
) -> Boundary:
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
    *,
    binary: bool = False,
) -> Boundary:
    """Complete a solution to a model: rules, their support, probabilities, certificate."""
    found = boundary_sets(stage.patterns, solution, settings, budget)
    sets = attainable(found, stage)
    # Without a margin the solver has seen these very patterns.
    seen = stage.priced is stage.patterns
    accepted = solution.accepted if seen else contains_any(stage.priced.masks, sets)
    unit = stage.patterns.unit
    objective = solution.objective * unit
    if len(sets) < len(found):
        objective -= settings.price(found, stage.literals.chains)
        objective += settings.price(sets, stage.literals.chains)
    certificate = Certificate(objective, min(objective, solution.bound * unit))
    return finished_model(
        training, stage, sets, accepted, certificate, k, settings.normalized, binary=binary
    )


def attainable(sets: Masks, stage: Stage) -> Masks:
    """Leave out rules that ask for more than any value that was seen, and that no row satisfies.

    Where μ([m]) = 1 demands a rule and accepting nobody is best, all are such: nobody is accepted.
    """
    unseen = np.isinf(stage.literals.better)
    beyond = np.flatnonzero(unpack(sets, unseen.size)[:, unseen].any(axis=1)).tolist()
    rows = stage.counted.masks
    left = [one for one in beyond if not contains_any(rows, sets[one : one + 1]).any()]
    return np.delete(sets, left, axis=0)


def finished_model(
    training: Training,
    stage: Stage,
    sets: Masks,
    accepted: NDArray[np.bool_],
    certificate: Certificate,
    k: int,
    normalized: bool,
    *,
    binary: bool,
) -> Boundary:
    """Put together a model whose boundary sets are known."""
    rules = RuleSet.from_masks(
        sets,
        stage.literals,
        named=training.named,
        label=training.classes[1],
        support=Support.counted(sets, stage.counted),
    )
    return Boundary(
        labels=training.classes,
        form=rules,
        probability=Probability.fitted(stage.priced, accepted),
        certificate=certificate,
        threshold=stage.beta,
        k=k,
        normalized=normalized and len(sets) > 0,
        utility=None if binary else training.knots.thinned(stage.beta),
        importances=pivotality(rules, stage.counted),
        missing=training.source.missing,
    )
