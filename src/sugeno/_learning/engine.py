"""From parameters to a solver: which one answers, and what no solver would take into account."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from sugeno._counts.patterns import Patterns
from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks
from sugeno.solvers.base import Request, Solution, Solver
from sugeno.solvers.budget import DEFAULT_TIME_LIMIT, Budget
from sugeno.solvers.extension import extend
from sugeno.solvers.registry import ENGINES

#: Parameters that shape the family: a solver that does not use one of them must not answer.
_SHAPING = ("subsets", "max_rules", "rule_cost", "literal_cost")
#: Parameters that may idle at some k of a path, but not at all of them.
_HELPING = ("extension",)


@dataclass(frozen=True)
class SolverOptions:
    """How a family is searched; see `sugeno.SugenoClassifier` for the meaning of each.

    Examples
    --------
    >>> from sugeno._learning.engine import SolverOptions
    >>> SolverOptions(solver="lp", max_rules=3).changed
    {'max_rules': 3}
    """

    solver: str = "exact"
    normalized: bool = True
    extension: str = "auto"
    subsets: str | None = None
    max_rules: int | None = None
    rule_cost: float = 0.0
    literal_cost: float = 0.0
    time_limit: float | None = DEFAULT_TIME_LIMIT
    random_state: Any = None

    @property
    def changed(self) -> dict[str, Any]:
        """The parameters of a solver that differ from their defaults."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        defaults = {field.name: field.default for field in fields(self)}
        names = (*_SHAPING, *_HELPING)
        return {name: values[name] for name in names if values[name] != defaults[name]}

    def price(self, sets: Masks, chains: Chains) -> float:
        """What rules cost, in units of sample weight."""
        criteria = int(chains.count_criteria(sets).sum())
        return self.rule_cost * len(sets) + self.literal_cost * criteria


def solver_for(settings: SolverOptions, k: int, chains: Chains) -> Solver | None:
    """Return the first solver that uses all that shapes the family; None if there is none.

    Examples
    --------
    >>> from sugeno._learning.engine import SolverOptions, solver_for
    >>> from sugeno._sets.chains import Chains
    >>> solver_for(SolverOptions(), 3, Chains.single(3)).name
    'a minimum cut over the patterns'
    >>> solver_for(SolverOptions(max_rules=2), 3, Chains.single(3)).name
    'local search with a mixed-integer program'
    """
    asked = {name for name in settings.changed if name in _SHAPING}
    if "subsets" in asked:  # solvers declare it with its value
        asked = asked - {"subsets"} | {f"subsets={settings.subsets!r}"}
    if k < chains.n_criteria:
        asked.add("k")
    for solver in ENGINES[settings.solver]:
        if asked <= solver.uses and (chains.is_single or solver.several_levels):
            return solver
    return None


def check_settings(
    settings: SolverOptions, threshold: str | float, ks: Iterable[int | None], n_criteria: int
) -> None:
    """Refuse settings that do not go together, or that nothing would take into account.

    Parameters
    ----------
    settings : SolverOptions
        As the user gave them.
    threshold : str or float
        The threshold, or how to find it.
    ks : iterable of int or None
        The k that will be learned.
    n_criteria : int
        Number of criteria.

    Examples
    --------
    >>> from sugeno._learning.engine import SolverOptions, check_settings
    >>> check_settings(SolverOptions(extension="lower"), "median", [2, None], 4)
    """
    if threshold == "joint" and settings.solver != "exact":
        raise ValueError(
            "threshold='joint' needs solver='exact', which can prove what the best threshold is. "
            f"Got solver={settings.solver!r} instead; use threshold='median' with it."
        )
    chains = Chains.single(n_criteria)
    found = [solver_for(settings, n_criteria if k is None else k, chains) for k in ks]
    solvers = [solver for solver in found if solver is not None]
    if len(solvers) < len(found):
        raise ValueError(_contradiction(settings))
    for name in _HELPING:
        if name in settings.changed and not any(name in solver.uses for solver in solvers):
            raise ValueError(_idle(name, settings, solvers[0]))


def check_k(k: int | None, n_features: int) -> None:
    """Refuse a k above the number of features.

    Examples
    --------
    >>> from sugeno._learning.engine import check_k
    >>> check_k(2, 3)
    """
    if k is not None and k > n_features:
        raise ValueError(
            "The 'k' parameter of SugenoClassifier must be an int between 1 and "
            f"n_features={n_features}, or None for no limit. Got {k} instead."
        )


def check_levels(
    levels: int | str, settings: SolverOptions, margin: float, threshold: str | float
) -> None:
    """Refuse what has no meaning where criteria have levels of their own.

    Examples
    --------
    >>> from sugeno._learning.engine import SolverOptions, check_levels
    >>> check_levels(3, SolverOptions(), 0.0, "median")
    """
    changed = of_the_shared_threshold(settings, margin, threshold)
    if changed:
        raise ValueError(
            f"levels={levels!r} gives each criterion levels of its own, which no shared threshold, "
            f"margin or linear program reads. Got {', '.join(changed)} instead of the default; "
            "leave it out, or use levels='shared'."
        )


def of_the_shared_threshold(
    settings: SolverOptions, margin: float, threshold: str | float
) -> list[str]:
    """Name the parameters that only the paper's model of two classes has, where they are given."""
    given = {
        "margin": (margin, 0.0),
        "threshold": (threshold, "median"),
        "solver": (settings.solver, "exact"),
        "subsets": (settings.subsets, None),
    }
    return [f"{name}={value!r}" for name, (value, usual) in given.items() if value != usual]


def check_missing(missing: str, threshold: str | float) -> None:
    """Refuse a search for the threshold that looks at one utility per entry.

    Examples
    --------
    >>> from sugeno._learning.engine import check_missing
    >>> check_missing("interval", "median")
    """
    if missing == "interval" and threshold == "joint":
        raise ValueError(
            "threshold='joint' tries every level on rows whose values are known. Got "
            "missing='interval' instead; use threshold='median', or missing='pessimistic'."
        )


def _contradiction(settings: SolverOptions) -> str:
    """Say why no solver of the engine takes all that shapes the family."""
    given = {name: value for name, value in settings.changed.items() if name in _SHAPING}
    if settings.solver == "exact" and settings.subsets in {"random", "top"}:
        return (
            f"subsets={settings.subsets!r} needs solver='lp', which ties a row to one subset. Got "
            "solver='exact' instead; use subsets=None or subsets='all' with it."
        )
    if settings.solver == "exact":
        return (
            "max_rules, rule_cost and literal_cost need subsets=None, which counts rules. Got "
            f"{_listed(given)} instead; leave out subsets or the others."
        )
    unused = {name: value for name, value in given.items() if name != "subsets"}
    return (
        f"solver={settings.solver!r} does not limit or price rules. Got {_listed(unused)} instead; "
        "use solver='exact', or leave them at their defaults."
    )


_REMEDIES = {
    "extension": "It chooses the label of patterns that do not occur, which this solver has "
    "settled; use it with solver='exact', k=None and neither max_rules nor costs",
}


def _idle(name: str, settings: SolverOptions, solver: Solver) -> str:
    value = settings.changed[name]
    return (
        f"{name} has no effect with these parameters, for which {solver.name} answers. Got "
        f"{name}={value!r} instead of the default {getattr(SolverOptions, name)!r}. "
        f"{_REMEDIES[name]}, or leave {name} at its default."
    )


def _listed(given: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in given.items())


def solve(
    patterns: Patterns, k: int, settings: SolverOptions, budget: Budget, **threshold: Any
) -> Solution:
    """Learn the family with the solver that uses all settings.

    ``threshold`` is what a solver may want to know of it: ``beta``, ``margin``,
    ``positive_utilities``.
    """
    shared = {name: getattr(settings, name) for name in (*_SHAPING, "normalized", "random_state")}
    solver = solver_for(settings, k, patterns.chains)
    if solver is None:
        raise ValueError(_contradiction(settings))
    return solver.solve(Request(patterns, k, budget=budget, **shared, **threshold))


def boundary_sets(
    patterns: Patterns, solution: Solution, settings: SolverOptions, budget: Budget
) -> Masks:
    """Boundary sets of a solution, after the choice for patterns that do not occur."""
    if solution.boundary_sets is not None:
        return solution.boundary_sets
    return extend(
        patterns.masks[solution.accepted],
        patterns.masks[~solution.accepted],
        patterns.chains,
        extension=settings.extension,
        normalized=settings.normalized,
        budget=budget,
    )
