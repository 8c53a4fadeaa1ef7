"""The learner of section 4: from training data to a model, for one k or for a path of them.

Each step is a pure function. What does not depend on k is done once for all k of a path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno.capacity import Capacity
from sugeno.grading import graded_capacity, narrowed, window
from sugeno.integral import sugeno_integral
from sugeno.patterns import TABLE_LITERALS, Masks, Patterns
from sugeno.probability import PatternProbabilities
from sugeno.quantiles import Quantiles
from sugeno.rules import RuleSet
from sugeno.solvers.base import Solution
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.extension import extend
from sugeno.solvers.isotonic import isotonic_probabilities
from sugeno.solvers.joint import joint_threshold
from sugeno.solvers.lp import LPSolution, SubsetWeights, solve_lp, top_subsets
from sugeno.solvers.maxitive import solve_maxitive
from sugeno.solvers.shared import all_subsets, solve_shared
from sugeno.stages import Stage, Task, at_threshold
from sugeno.threshold import threshold_of_scores

__all__ = ["Model", "Settings", "learn", "learn_at", "learn_path"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """How a family is searched; see `sugeno.SugenoClassifier` for the meaning of each.

    Examples
    --------
    >>> from sugeno.learning import Settings
    >>> Settings(solver="lp").normalized
    True
    """

    solver: str = "exact"
    normalized: bool = True
    extension: str = "auto"
    subsets: str | None = None
    max_rules: int | None = None
    rule_cost: float = 0.0
    literal_cost: float = 0.0
    time_limit: float | None = None
    random_state: Any = None


@dataclass(frozen=True)
class Model:
    """A learned classifier: capacity and rules are two views of it.

    Attributes
    ----------
    stage : Stage
        Threshold, margin, levels and patterns.
    k : int
        Largest size of a boundary set that was allowed.
    solution : Solution
        What the solver returned.
    boundary_sets : ndarray of uint64 of shape (R, words)
        The minimal accepted sets.
    knots : Quantiles
        The utilities.
    criteria : tuple of str or None
        Names of the criteria.
    normalized : bool
        Whether μ([m]) = 1.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.learning import Settings, learn_at
    >>> from sugeno.measure import row_weights
    >>> from sugeno.stages import at_threshold, prepare
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([False, True, True])
    >>> task = prepare(X, y, row_weights(None, 3), np.array([0, 1]))
    >>> model = learn_at(task, at_threshold(task, 0.5), None, Settings())
    >>> print(model.rules, model.objective)
    accept if x0 >= 2 0.0
    """

    stage: Stage
    k: int
    solution: Solution
    boundary_sets: Masks
    knots: Quantiles
    criteria: tuple[str, ...] | None
    normalized: bool

    @property
    def beta(self) -> float:
        """The threshold."""
        return self.stage.beta

    @property
    def objective(self) -> float:
        """Weight of the training errors (with the margin), in the user's units."""
        return self.solution.objective * self.stage.patterns.unit

    @property
    def bound(self) -> float:
        """Proved lower bound on the objective."""
        return self.solution.bound * self.stage.patterns.unit

    @cached_property
    def capacity(self) -> Capacity:
        """The capacity, graded by the probabilities within a window around the threshold."""
        width = window(self.knots, self.beta)
        return narrowed(self.graded, self.beta, width, self.normalized)

    @cached_property
    def graded(self) -> Capacity:
        """The same family, graded by the probabilities over all of [0, 1]."""
        return graded_capacity(
            self.probabilities,
            self.boundary_sets,
            m=self.stage.levels.size,
            k=self.k,
            beta=self.beta,
            normalized=self.normalized,
            criteria=self.criteria,
        )

    @cached_property
    def rules(self) -> RuleSet:
        """The rules of equation (6)."""
        return RuleSet.from_masks(
            self.boundary_sets,
            self.stage.levels,
            criteria=self.criteria,
            directions=self.knots.directions,
            whole=[_is_whole(values) for values in self.knots.values],
            training=self.stage.counted,
        )

    @cached_property
    def probabilities(self) -> PatternProbabilities:
        """Isotonic probabilities that agree with the rules."""
        priced = self.stage.priced
        accepted = self.rules.accepts(priced.masks)
        return PatternProbabilities(priced.masks, isotonic_probabilities(priced, accepted))


def _is_whole(values: Floats) -> bool:
    """Whether all values are whole numbers; a look at the first few usually tells."""
    few = values[:64]
    return bool((few == np.rint(few)).all() and (values == np.rint(values)).all())


def learn(
    task: Task, k: int | None, margin: float, threshold: str | float, settings: Settings
) -> Model:
    """Learn threshold and capacity.

    Parameters
    ----------
    task : Task
        Training data.
    k : int or None
        Largest size of a boundary set; None for no limit.
    margin : float
        The margin ρ of program (7); 0 is the limit 0⁺.
    threshold : {"median", "mean-median", "alternating", "joint"} or float
        The threshold, or how to find it.
    settings : Settings
        How to search.

    Returns
    -------
    Model
        The learned classifier.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.learning import Settings, learn
    >>> from sugeno.measure import row_weights
    >>> from sugeno.stages import prepare
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([False, True, True])
    >>> task = prepare(X, y, row_weights(None, 3), np.array([0, 1]))
    >>> print(learn(task, None, 0.0, "median", Settings()).rules)
    accept if x0 >= 2
    """
    (model,) = learn_path(task, [(k, margin)], threshold, settings)
    return model


def learn_path(
    task: Task,
    candidates: Iterable[tuple[int | None, float]],
    threshold: str | float,
    settings: Settings,
) -> Iterator[Model]:
    """Learn one model per pair of k and margin; what they share is done once.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.learning import Settings, learn_path
    >>> from sugeno.measure import row_weights
    >>> from sugeno.stages import prepare
    >>> X = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0]])
    >>> task = prepare(X, np.array([False, False, True]), row_weights(None, 3), np.array([0, 1]))
    >>> [len(model.rules) for model in learn_path(task, [(1, 0.0), (2, 0.0)], 0.6, Settings())]
    [1, 1]
    """
    _check_settings(settings, threshold)
    if threshold == "joint" and settings.subsets != "all":
        yield from (_learn_jointly(task, k, margin, settings) for k, margin in candidates)
        return
    stages: dict[float, Stage] = {}
    for k, margin in candidates:
        if margin not in stages:
            beta = _first_threshold(task, threshold, margin, settings)
            stages[margin] = at_threshold(task, beta, margin)
        model = learn_at(task, stages[margin], k, settings)
        yield _alternated(task, model, k, settings) if threshold == "alternating" else model


def _check_settings(settings: Settings, threshold: str | float) -> None:
    """Refuse settings that do not go together."""
    exact = settings.solver == "exact"
    if threshold == "joint" and not exact:
        raise ValueError(
            "threshold='joint' needs solver='exact', which can prove what the best threshold is. "
            f"Got solver={settings.solver!r} instead; use threshold='median' with it."
        )
    if exact and settings.subsets in {"random", "top"}:
        raise ValueError(
            f"subsets={settings.subsets!r} needs solver='lp', which ties a row to one subset. Got "
            "solver='exact' instead; use subsets=None or subsets='all' with it."
        )
    limited = settings.max_rules is not None or settings.rule_cost or settings.literal_cost
    if exact and settings.subsets == "all" and limited:
        raise ValueError(
            "max_rules, rule_cost and literal_cost need subsets=None, which counts rules. Got "
            "subsets='all' instead."
        )


def _first_threshold(
    task: Task, threshold: str | float, margin: float, settings: Settings
) -> float:
    if not isinstance(threshold, str):
        return float(threshold)
    if threshold == "joint":
        return _learn_jointly(task, None, margin, settings).beta
    return task.mean_median_threshold if threshold == "mean-median" else task.median_threshold


def _learn_jointly(task: Task, k: int | None, margin: float, settings: Settings) -> Model:
    """Learn threshold and capacity together."""
    limit = task.X.shape[1] if k is None else k
    quick = replace(settings, time_limit=0)
    found = joint_threshold(
        task.utilities,
        task.positive,
        task.costs,
        near=task.median_threshold,
        margin=margin,
        quick=lambda patterns: _solve_exactly(patterns, limit, quick),
        thorough=lambda patterns: _solve_exactly(patterns, limit, settings),
        normalized=settings.normalized,
    )
    return _model(
        task, at_threshold(task, found.threshold, margin), limit, found.solution, settings
    )


def _alternated(task: Task, model: Model, k: int | None, settings: Settings) -> Model:
    """Take the threshold β₀ that suits the capacity best, unless it leads to more errors."""
    # In a narrow window all thresholds are alike: what counts is the whole scale.
    values = np.asarray(sugeno_integral(task.utilities, model.graded))
    beta = threshold_of_scores(values, task.positive, task.costs)
    if model.stage.margin >= min(beta, 1 - beta):
        return model
    other = learn_at(task, at_threshold(task, beta, model.stage.margin), k, settings)
    return other if other.solution.objective <= model.solution.objective else model


def learn_at(task: Task, stage: Stage, k: int | None, settings: Settings) -> Model:
    """Learn the capacity at a given threshold: program (7) or its exact solution.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.learning import Settings, learn_at
    >>> from sugeno.measure import row_weights
    >>> from sugeno.stages import at_threshold, prepare
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([False, True, True])
    >>> task = prepare(X, y, row_weights(None, 3), np.array([0, 1]))
    >>> learn_at(task, at_threshold(task, 0.5), None, Settings(solver="lp")).objective
    0.0
    """
    m = stage.levels.size
    limit = m if k is None else k
    if settings.solver == "lp":
        solution: Solution = _solve_program(task, stage, limit, settings)
    else:
        solution = _solve_exactly(stage.patterns, limit, settings)
    return _model(task, stage, limit, solution, settings)


def _model(task: Task, stage: Stage, k: int, solution: Solution, settings: Settings) -> Model:
    """Complete a solution to a model: settle the patterns that do not occur."""
    sets = solution.boundary_sets
    if sets is None:
        sets = _extended(stage.patterns, solution, settings)
    return Model(stage, k, solution, sets, task.knots, task.criteria, settings.normalized)


def _solve_program(task: Task, stage: Stage, k: int, settings: Settings) -> LPSolution:
    """The paper's linear program."""
    subsets: str | SubsetWeights = "random"
    if settings.subsets == "top" and k < stage.levels.size:
        subsets = top_subsets(*task.positive_utilities(), k, stage.beta + stage.margin)
    elif settings.subsets == "all" and k < stage.levels.size:
        subsets = all_subsets(stage.patterns, k)
    return solve_lp(
        stage.patterns,
        k,
        normalized=settings.normalized,
        beta=stage.beta,
        rho=stage.margin or None,
        subsets=subsets,
        random_state=settings.random_state,
    )


def _solve_exactly(patterns: Patterns, k: int, settings: Settings) -> Solution:
    """A minimum cut where one will do, local search and a proof where not."""
    priced = settings.rule_cost > 0 or settings.literal_cost > 0
    if k >= patterns.n_literals and settings.max_rules is None and not priced:
        # Of all optima the most generous one did best on held-out data (docs/benchmarks.md).
        return solve_closure(patterns, normalized=settings.normalized, which="maximal")
    if settings.subsets == "all":
        return solve_shared(patterns, k, normalized=settings.normalized)
    return solve_maxitive(
        patterns,
        k,
        normalized=settings.normalized,
        time_limit=settings.time_limit,
        max_rules=settings.max_rules,
        rule_cost=settings.rule_cost,
        literal_cost=settings.literal_cost,
    )


def _extended(patterns: Patterns, solution: Solution, settings: Settings) -> Masks:
    """Boundary sets after the choice for patterns that do not occur."""
    extension = settings.extension
    if extension == "auto":
        extension = "nearest" if patterns.n_literals <= TABLE_LITERALS else "lower"
    return extend(
        patterns.masks[solution.accepted],
        patterns.masks[~solution.accepted],
        patterns.n_literals,
        extension=extension,
        normalized=settings.normalized,
    )
