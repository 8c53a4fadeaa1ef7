"""Ordered classes: all boundaries learned together, as thresholds of one integral or by levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sugeno._counts.loss import Loss
from sugeno._learning.engine import Settings, boundary_sets, solve_exactly, solver_for
from sugeno._learning.learn import attainable, finished_model
from sugeno._learning.levels import Cuts, cut_points, literals_at
from sugeno._learning.training import Stage, Training, at_literals, at_threshold
from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno._sets.masks import Masks, contains_any, minimal
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.class_rules import boundary_labels
from sugeno.model.model import Model
from sugeno.solvers.base import Solution
from sugeno.solvers.budget import Budget
from sugeno.solvers.closure import CLOSURE, solve_closure
from sugeno.solvers.nested import Boundaries, solve_nested

__all__ = ["at_boundary", "learn_ordinal"]

Families = list[Masks]


def at_boundary(training: Training, boundary: int) -> Training:
    """Return the same rows with two classes: below the boundary, and at least above it."""
    return replace(
        training,
        source=training.source.at_boundary(boundary),
        classes=boundary_labels(training.classes, boundary),
    )


def learn_ordinal(
    training: Training,
    loss: Loss,
    k: int | None,
    levels: int | str,
    settings: Settings,
    budget: Budget,
) -> Model:
    """Learn nested families for all class boundaries.

    Parameters
    ----------
    training : Training
        Training data of C ordered classes.
    loss : Loss
        What each prediction costs.
    k : int or None
        Largest number of criteria in a rule; None for no limit.
    levels : "shared", "all" or int
        "shared": thresholds β₁ < β₂ < … of one integral with one capacity. Otherwise levels of
        their own for the criteria: where the classes on either side of a boundary part best, up to
        so many per boundary, or all.
    settings : Settings
        How to search.
    budget : Budget
        The time that is left.

    Returns
    -------
    Model
        Exact for k=None without limits on the rules: no nested families cost less. Otherwise each
        boundary is learned by itself, then they are made nested, and the certificate says how far
        that may be from the best.
    """
    n_boundaries = loss.n_classes - 1
    limit = training.source.n_criteria if k is None else k
    if levels == "shared":
        views = [at_boundary(training, b) for b in range(n_boundaries)]
        stages = [at_threshold(training, beta) for beta in _thresholds(views)]
    else:
        stages = [at_literals(training, _literals(training, levels))] * n_boundaries
        views = [at_boundary(training, b) for b in range(n_boundaries)]
    boundaries = Boundaries.of([stage.patterns for stage in stages], loss)
    found, families = _solved(boundaries, limit, settings, budget)
    seen = [attainable(family, stage) for family, stage in zip(families, stages)]
    if any(len(kept) < len(family) for kept, family in zip(seen, families)):
        found = _judged(boundaries, seen, found.bound, settings)
    models = [
        _finished(view, stage, b, seen[b], limit, settings.normalized, binary=levels != "shared")
        for b, (view, stage) in enumerate(zip(views, stages))
    ]
    least = min(found.objective, found.bound)
    certificate = Certificate(found.objective * boundaries.unit, least * boundaries.unit)
    shared = levels == "shared"
    knots = training.knots.thinned(*(stage.beta for stage in stages)) if shared else None
    return Model(training.classes, tuple(models), certificate, knots)


def _thresholds(views: Sequence[Training]) -> list[float]:
    """Program (10) at every boundary: thresholds that grow, if only by the last bit."""
    found: list[float] = []
    for view in views:
        least = float(np.nextafter(found[-1], 1.0)) if found else 0.0
        found.append(max(view.median_threshold, least))
    return found


def _literals(training: Training, levels: int | str) -> Literals:
    """Literals at the cuts of all boundaries."""

    def cuts(j: int, criterion: Criterion) -> Cuts:
        counted = training.source.value_counts(j, by_class=True)
        places = [
            cut_points(counted.in_two(slice(b, None)), criterion.direction, levels)
            for b in range(1, training.classes.size)
        ]
        return Cuts.of(counted.values, np.unique(np.concatenate(places)))

    criteria = training.criteria
    return literals_at([cuts(j, criterion) for j, criterion in enumerate(criteria)], criteria)


def _solved(
    boundaries: Boundaries, k: int, settings: Settings, budget: Budget
) -> tuple[Solution, Families]:
    """Nested families with their certificate: one cut where that is enough."""
    n_boundaries = boundaries.gains.shape[1]
    if solver_for(settings, k, boundaries.chains) is CLOSURE:
        # Of all optima the most generous one, as with two classes.
        joint = solve_nested(boundaries, normalized=settings.normalized, which="maximal")
        sides = [boundaries.at(b) for b in range(n_boundaries)]
        families = [
            boundary_sets(
                side,
                Solution.of_two_classes(joint.labels > b, None, 0.0, 0.0),
                settings,
                budget,
            )
            for b, side in enumerate(sides)
        ]
        return joint, _widened(families)
    alone = [
        solve_exactly(boundaries.at(b), k, settings, budget.part(1 / (n_boundaries - b)))
        for b in range(n_boundaries)
    ]
    families = [
        boundary_sets(boundaries.at(b), found, settings, budget) for b, found in enumerate(alone)
    ]
    # Dropping the demand for nested families, every boundary may have its own optimum.
    won = int(np.maximum(boundaries.gains, 0).sum())
    bound = boundaries.none - won + sum(found.bound for found in alone)
    choices = [way(families) for way in (_widened, _narrowed)]
    judged = [_judged(boundaries, choice, bound, settings) for choice in choices]
    return min(zip(judged, choices), key=lambda pair: pair[0].objective)


def _widened(families: Families) -> Families:
    """Let each family take in those after it: what passes a boundary passes the one before."""
    result = [families[-1]]
    for family in reversed(families[:-1]):
        known = contains_any(result[-1], family).all()
        result.append(family if known else minimal(np.concatenate([family, result[-1]])))
    return result[::-1]


def _narrowed(families: Families) -> Families:
    """Let each family keep the sets that pass the boundary before; if none does, take those."""
    result = [families[0]]
    for family in families[1:]:
        kept = family[contains_any(family, result[-1])]
        result.append(kept if len(kept) else result[-1])
    return result


def _judged(
    boundaries: Boundaries, families: Families, bound: float, settings: Settings
) -> Solution:
    """What nested families cost, rules included."""
    passed = [contains_any(boundaries.masks, family) for family in families]
    labels = np.asarray(np.sum(passed, axis=0), dtype=np.intp)
    price = sum(settings.price(family, boundaries.chains) for family in families)
    return Solution(labels, None, boundaries.cost(labels) + price / boundaries.unit, bound)


def _finished(
    view: Training,
    stage: Stage,
    boundary: int,
    sets: Masks,
    k: int,
    normalized: bool,
    *,
    binary: bool,
) -> Boundary:
    """The model of one boundary; its certificate is about the two classes that it parts."""
    priced = stage.priced.at(boundary)
    counted = priced if stage.counted is stage.priced else stage.counted.at(boundary)
    two = replace(stage, patterns=priced, priced=priced, counted=counted)
    accepted = contains_any(priced.masks, sets)
    least = solve_closure(priced, normalized=normalized).bound
    certificate = Certificate(priced.errors(accepted) * priced.unit, least * priced.unit)
    return finished_model(view, two, sets, accepted, certificate, k, normalized, binary=binary)
