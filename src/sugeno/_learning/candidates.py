"""Kinds of models to choose from, and how each is learned from the same training data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from sugeno._distil.search import Effort
from sugeno._ensemble.course import Plan
from sugeno._exceptions import MarginError
from sugeno._learning.distillation import (
    RULE_COST,
    Distillation,
    Teaching,
    distil,
    fit_ensemble,
)
from sugeno._learning.engine import Settings
from sugeno._learning.learn import learn, learn_levels, learn_path
from sugeno._learning.training import Training
from sugeno.model.boundary import Boundary
from sugeno.solvers.budget import Budget

__all__ = [
    "MOST_RULES",
    "Candidate",
    "Recipe",
    "chosen_size",
    "learn_candidate",
    "learn_candidates",
]

#: Longer lists of rules are not shown to a person who did not ask for them.
MOST_RULES = 20
#: Largest number of criteria in a distilled rule.
_MOST_CRITERIA = 4

#: Folds only compare: half of the bags, half of the rows and a shorter search do.
_FOLD_BAGS = 10
_FOLD_SEARCH: dict[str, Any] = {
    "effort": Effort(fears=(1, 2, 4), restarts=2),
    "forms": ("dnf",),
    "n_varied": 1500,
}


@dataclass(frozen=True)
class Candidate:
    """A kind of model.

    Attributes
    ----------
    levels : int or str
        Where criteria are read: "shared", "single", "all", an int, or "distilled" for the rules
        of a distilled ensemble.
    k : int
        Largest number of criteria in a rule.
    margin : float
        The margin, of the paper's model.

    Examples
    --------
    >>> from sugeno._learning.candidates import Candidate
    >>> Candidate("shared", 2).params
    {'levels': 'shared', 'k': 2, 'margin': 0.0}
    """

    levels: int | str
    k: int
    margin: float = 0.0

    @property
    def params(self) -> dict[str, Any]:
        """The parameters as a table of results shows them."""
        return {"levels": self.levels, "k": self.k, "margin": self.margin}

    @classmethod
    def distilled(cls, ks: Sequence[int]) -> Candidate:
        """The distilled ensemble, with no more criteria per rule than are allowed."""
        return cls("distilled", min(max(ks), _MOST_CRITERIA))


@dataclass(frozen=True)
class Recipe:
    """What all candidates have in common.

    Attributes
    ----------
    threshold : str or float
        The threshold of the paper's model.
    settings : Settings
        How a solver searches.
    max_rules : int
        Length of a distilled list.
    n_jobs : int or None
        Processes that grow bags of the ensemble.
    seed : int
        Of the ensemble.
    """

    threshold: str | float
    settings: Settings
    max_rules: int = MOST_RULES
    n_jobs: int | None = None
    seed: int = 0

    @property
    def quick(self) -> Recipe:
        """The same without proofs: they would not change which candidate is best."""
        return replace(self, settings=replace(self.settings, time_limit=0), n_jobs=None)


def learn_candidate(
    training: Training, candidate: Candidate, recipe: Recipe, budget: Budget
) -> tuple[Boundary, Distillation | None]:
    """Learn one candidate with all that it takes; a distilled one comes with its path.

    Distilled rules are found on a sample of the rows, and counted on all of them.
    """
    if candidate.levels == "distilled":
        plan = Plan(seed=recipe.seed, n_jobs=recipe.n_jobs)
        found = _distilled(training.sampled, candidate, recipe, plan, budget)
        size, found = chosen_size(found), found.pruned()
        return replace(found, training=training).model(size), found
    if candidate.levels != "shared":
        return learn_levels(training, candidate.k, candidate.levels, recipe.settings, budget), None
    k, margin = candidate.k, candidate.margin
    return learn(training, k, margin, recipe.threshold, recipe.settings, budget), None


def learn_candidates(
    training: Training, candidates: Sequence[Candidate], recipe: Recipe, budget: Budget
) -> Iterator[tuple[Candidate, Boundary | None]]:
    """Learn all candidates on one fold, quickly; what they share is done once.

    The budget is for the distilled ensemble: the others are searched for a second or two each.

    None stands for a margin that is too large for the threshold of the fold.
    """
    quick = recipe.quick
    shared = sorted((c for c in candidates if c.levels == "shared"), key=lambda c: c.margin)
    for _, group in groupby(shared, key=lambda c: c.margin):
        yield from _path(training, list(group), quick)
    for candidate in candidates:
        if candidate.levels == "distilled":
            plan = Plan(bags=_FOLD_BAGS, seed=recipe.seed)
            found = _distilled(training, candidate, quick, plan, budget, **_FOLD_SEARCH)
            yield candidate, found.pruned().model(chosen_size(found))
        elif candidate.levels != "shared":
            yield candidate, learn_levels(training, candidate.k, candidate.levels, quick.settings)


def _path(
    training: Training, candidates: list[Candidate], recipe: Recipe
) -> Iterator[tuple[Candidate, Boundary | None]]:
    """Learn the paper's model for several k at one margin."""
    pairs = [(c.k, c.margin) for c in candidates]
    try:
        models = learn_path(training, pairs, recipe.threshold, recipe.settings)
        yield from zip(candidates, models)
    except MarginError:
        yield from ((candidate, None) for candidate in candidates)


def _distilled(
    training: Training,
    candidate: Candidate,
    recipe: Recipe,
    plan: Plan,
    budget: Budget,
    **search: Any,
) -> Distillation:
    ensemble, rows = fit_ensemble(training, plan, budget)
    return distil(
        training,
        Teaching.of_ensemble(ensemble, rows),
        max_rules=recipe.max_rules,
        k=candidate.k,
        seed=recipe.seed,
        budget=budget,
        **search,
    )


def chosen_size(found: Distillation) -> int:
    """Number of rules that are kept: one at least, if the search found any."""
    return min(max(1, found.best_size(RULE_COST)), len(found) - 1)
