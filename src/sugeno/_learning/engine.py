"""From parameters to a solver: which one answers, what it can do, and what it refuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sugeno._counts.patterns import Patterns
from sugeno._learning.training import Stage, Training
from sugeno._sets.masks import Masks
from sugeno.solvers.base import Solution
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.extension import extend
from sugeno.solvers.maxitive import solve_maxitive
from sugeno.solvers.program import LPSolution, SubsetWeights, solve_lp, top_subsets
from sugeno.solvers.shares import all_subsets, solve_shared

__all__ = ["Settings", "boundary_sets", "check_settings", "solve_at", "solve_exactly"]


@dataclass(frozen=True)
class Settings:
    """How a family is searched; see `sugeno.SugenoClassifier` for the meaning of each.

    Examples
    --------
    >>> from sugeno._learning.engine import Settings
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

    @property
    def limited(self) -> bool:
        """Whether the number of rules is limited or has a price."""
        return self.max_rules is not None or self.rule_cost > 0 or self.literal_cost > 0


def check_settings(settings: Settings, threshold: str | float) -> None:
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
    if exact and settings.subsets == "all" and settings.limited:
        raise ValueError(
            "max_rules, rule_cost and literal_cost need subsets=None, which counts rules. Got "
            "subsets='all' instead."
        )


def solve_at(training: Training, stage: Stage, k: int, settings: Settings) -> Solution:
    """Learn the family at a given threshold: program (7) or its exact solution."""
    if settings.solver == "lp":
        return _solve_program(training, stage, k, settings)
    return solve_exactly(stage.patterns, k, settings)


def _solve_program(training: Training, stage: Stage, k: int, settings: Settings) -> LPSolution:
    """The paper's linear program."""
    subsets: str | SubsetWeights = "random"
    if settings.subsets == "top" and k < training.table.n_criteria:
        subsets = top_subsets(*training.positive_utilities(), k, stage.beta + stage.margin)
    elif settings.subsets == "all" and k < training.table.n_criteria:
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


def solve_exactly(patterns: Patterns, k: int, settings: Settings) -> Solution:
    """A minimum cut where one will do, local search and a proof where not."""
    if k >= patterns.chains.n_criteria and not settings.limited:
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


def boundary_sets(patterns: Patterns, solution: Solution, settings: Settings) -> Masks:
    """Boundary sets of a solution, after the choice for patterns that do not occur."""
    if solution.boundary_sets is not None:
        return solution.boundary_sets
    extension = settings.extension
    if extension == "auto":
        extension = "nearest" if patterns.chains.is_small else "lower"
    return extend(
        patterns.masks[solution.accepted],
        patterns.masks[~solution.accepted],
        patterns.chains,
        extension=extension,
        normalized=settings.normalized,
    )
