"""Kinds of models of ordered classes to choose from, learned from the same training data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from sugeno._counts.loss import Loss
from sugeno._ensemble.course import Plan
from sugeno._learning.engine import Settings
from sugeno._learning.folds import Fold
from sugeno._learning.ordinal import learn_ordinal
from sugeno._learning.ordinal_distillation import OrdinalTeaching
from sugeno._learning.training import Training
from sugeno.model.model import Model
from sugeno.solvers.budget import Budget

__all__ = [
    "OrdinalCandidate",
    "OrdinalRecipe",
    "learn_ordinal_candidate",
    "learn_ordinal_candidates",
    "ordinal_folds",
]

#: Folds only compare: half of the bags do.
_FOLD_BAGS = 10


@dataclass(frozen=True)
class OrdinalCandidate:
    """A kind of model of ordered classes.

    Attributes
    ----------
    levels : int or str
        As for `SugenoOrdinalClassifier`.
    max_rules : int or None
        Largest number of distilled rules per boundary; None for the other kinds.

    Examples
    --------
    >>> from sugeno._learning.ordinal_candidates import OrdinalCandidate
    >>> OrdinalCandidate("distilled", 3).params
    {'levels': 'distilled', 'max_rules': 3}
    """

    levels: int | str
    max_rules: int | None = None

    @property
    def params(self) -> dict[str, Any]:
        """The parameters as a table of results shows them."""
        return {"levels": self.levels, "max_rules": self.max_rules}


@dataclass(frozen=True)
class OrdinalRecipe:
    """What all candidates have in common.

    Attributes
    ----------
    k : int or None
        Largest number of criteria in a rule.
    distilled_k : int
        The same for distilled rules.
    settings : Settings
        How a solver searches.
    plan : Plan
        Parameters of the ensembles.
    """

    k: int | None
    distilled_k: int
    settings: Settings
    plan: Plan

    @property
    def quick(self) -> OrdinalRecipe:
        """The same without proofs and with fewer bags: folds only compare."""
        settings = replace(self.settings, time_limit=0)
        return replace(self, settings=settings, plan=Plan(bags=_FOLD_BAGS, seed=self.plan.seed))


def learn_ordinal_candidate(
    training: Training,
    loss: Loss,
    candidate: OrdinalCandidate,
    recipe: OrdinalRecipe,
    budget: Budget,
) -> Model:
    """Learn one candidate with all that it takes."""
    ((_, model),) = learn_ordinal_candidates(training, loss, [candidate], recipe, budget)
    return model


def learn_ordinal_candidates(
    training: Training,
    loss: Loss,
    candidates: Sequence[OrdinalCandidate],
    recipe: OrdinalRecipe,
    budget: Budget,
) -> Iterator[tuple[OrdinalCandidate, Model]]:
    """Learn all candidates on the same rows; the ensembles are grown once."""
    teaching: OrdinalTeaching | None = None
    for candidate in candidates:
        if candidate.max_rules is None:
            levels, k, settings = candidate.levels, recipe.k, recipe.settings
            yield candidate, learn_ordinal(training, loss, k, levels, settings, budget)
            continue
        if teaching is None:
            teaching = OrdinalTeaching.of(training, loss, recipe.plan, budget)
        yield candidate, teaching.model(candidate.max_rules, recipe.distilled_k)


def ordinal_folds(
    X: NDArray[np.float64], codes: NDArray[np.intp], weights: NDArray[Any] | None, n_folds: int
) -> list[Fold]:
    """Draw folds at random, in equal parts of each class; rare ones with their neighbours.

    A rare class may be missing where a fold learns: then it is not predicted there. What rows hold
    decides, not where they stand.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.ordinal_candidates import ordinal_folds
    >>> X, codes = np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 2, 2])
    >>> [sorted(codes[test].tolist()) for _, test in ordinal_folds(X, codes, None, 3)]
    [[0, 1], [0, 2], [0, 2]]
    """
    last = (codes,) if weights is None else (weights, codes)
    order = np.lexsort((*last, *X.T[::-1]))
    rows = order[np.random.default_rng(0).permutation(order.size)]
    count = max(2, min(n_folds, int(np.bincount(codes).max())))
    groups = _joined(codes, count)[codes[rows]]
    return [(rows[a], rows[b]) for a, b in StratifiedKFold(count).split(rows, groups)]


def _joined(codes: NDArray[np.intp], least: int) -> NDArray[np.intp]:
    """A group for each class, of at least so many rows as long as there are others to join."""
    groups, group, held = [], 0, 0
    for count in np.bincount(codes).tolist():
        if held >= least:
            group, held = group + 1, 0
        groups.append(group)
        held += count
    found = np.array(groups, dtype=np.intp)
    if held < least and group:
        found[found == group] = group - 1
    return found
