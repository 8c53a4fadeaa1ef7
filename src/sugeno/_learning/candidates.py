"""Kinds of models, and how each is learned from the same training data, whatever the classes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from sugeno._counts.loss import Loss
from sugeno._exceptions import MarginError
from sugeno._learning.boundary import with_extent
from sugeno._learning.distillation import (
    RULE_COST,
    Distillation,
    Found,
    NestedDistillation,
    RuleDistillation,
    distil_rules,
    found_in_form,
)
from sugeno._learning.effort import Purpose, effort_for
from sugeno._learning.engine import (
    SolverOptions,
    check_levels,
    check_missing,
    check_settings,
    of_the_shared_threshold,
)
from sugeno._learning.exact import ExactLearner
from sugeno._learning.teaching import TaughtVerdicts, Teaching, fit_ensemble
from sugeno._learning.training import Training, at_boundary
from sugeno.model.model import Learned, Model
from sugeno.solvers.budget import Budget

#: Longer lists of rules are not shown to a person who did not ask for them.
MOST_RULES = 20
#: The same for each boundary of ordered classes.
_MOST_OF_A_BOUNDARY = 5
#: Largest number of criteria in a distilled rule.
_MOST_CRITERIA = 4
#: Whose verdicts are distilled here.
_TEACHER = "SugenoEnsembleClassifier"


@dataclass(frozen=True)
class Candidate:
    """A kind of model.

    Attributes
    ----------
    levels : int or str
        Where criteria are read: "shared", "single", "all", an int, or "distilled" for the rules
        of a distilled ensemble.
    k : int or None
        Largest number of criteria in a rule; None for no limit, of distilled rules for 4.
    margin : float
        The margin, of the paper's model.
    max_rules : int or None
        Largest number of rules, of each boundary; None for no limit, of distilled rules for 20,
        of several boundaries for 5 each.

    Examples
    --------
    >>> from sugeno._learning.candidates import Candidate
    >>> Candidate("shared", 2).params
    {'levels': 'shared', 'k': 2, 'margin': 0.0, 'max_rules': None}
    """

    levels: int | str
    k: int | None = None
    margin: float = 0.0
    max_rules: int | None = None

    @property
    def params(self) -> dict[str, Any]:
        """The parameters as a table of results shows them."""
        return asdict(self)

    @property
    def is_distilled(self) -> bool:
        """Whether its rules are those of a distilled ensemble."""
        return self.levels == "distilled"

    @classmethod
    def distilled(cls, ks: Sequence[int | None], max_rules: int | None = None) -> Candidate:
        """The distilled ensemble, with no more criteria per rule than are allowed."""
        given = [k for k in ks if k is not None]
        k = min(max(given), _MOST_CRITERIA) if given else None
        return cls("distilled", k, max_rules=max_rules)

    def form_for(self, wanted: str, n_criteria: int) -> str:
        """The form that is wanted; a limit on rules asks for rules, where there is a choice."""
        return "rules" if wanted == "auto" and self.limits_rules(n_criteria) else wanted

    def limits_rules(self, n_criteria: int) -> bool:
        """Whether distilled rules are to be fewer, or shorter, than usual."""
        usual = min(_MOST_CRITERIA, n_criteria)
        return self.max_rules is not None or self.distilled_k(n_criteria) < usual

    def distilled_k(self, n_criteria: int) -> int:
        """Largest number of criteria in a distilled rule."""
        return min(_MOST_CRITERIA, n_criteria) if self.k is None else self.k


@dataclass(frozen=True)
class Recipe:
    """What all candidates have in common.

    Attributes
    ----------
    settings : SolverOptions
        How a solver searches.
    threshold : str or float
        The threshold of the paper's model.
    loss : Loss or None
        What each error costs, of ordered classes; None where each costs the same.
    seed : int
        Of the ensembles.
    n_jobs : int or None
        Processes that grow bags of an ensemble.
    abstain : bool
        Whether the model keeps what the training data leave open.
    form : {"rules", "points", "auto"}
        In which form ensembles are distilled.
    purpose : {"model", "comparison"}
        Whether models are kept, or only compared: that is worth less effort.
    """

    settings: SolverOptions
    threshold: str | float = "median"
    loss: Loss | None = None
    seed: int = 0
    n_jobs: int | None = None
    abstain: bool = False
    form: str = "auto"
    purpose: Purpose = "model"

    @property
    def quick(self) -> Recipe:
        """The same without proofs: they would not change which candidate is best."""
        settings = replace(self.settings, time_limit=0)
        return replace(self, settings=settings, n_jobs=None, abstain=False, purpose="comparison")


def check_candidates(
    candidates: Sequence[Candidate], recipe: Recipe, n_criteria: int, missing: str
) -> None:
    """Refuse parameters that do not go together, or that no candidate would use.

    Examples
    --------
    >>> from sugeno._learning.candidates import Candidate, Recipe, check_candidates
    >>> from sugeno._learning.engine import SolverOptions
    >>> recipe = Recipe(SolverOptions(rule_cost=1.0))
    >>> check_candidates([Candidate("shared")], recipe, 4, "error")
    >>> check_candidates([Candidate("distilled")], recipe, 4, "error")
    Traceback (most recent call last):
    ValueError: levels='distilled' does not read rule_cost. Leave it at its default, or use \
levels='shared', 'all' or a number of levels.
    """
    exact = [candidate for candidate in candidates if not candidate.is_distilled]
    settings = recipe.settings
    if recipe.form == "points" and len(exact) == len(candidates):
        raise ValueError(
            "form='points' is a form of levels='distilled'. Got exact kinds of rules only; leave "
            "form at its default, or add 'distilled' to levels."
        )
    if not exact:
        margins = [candidate.margin for candidate in candidates]
        _refuse_unused(settings, recipe.threshold, margins)
        if recipe.form == "points" and any(one.limits_rules(n_criteria) for one in candidates):
            raise ValueError(
                "max_rules and k limit rules, of which form='points' has none. Got a limit "
                "instead; leave both at their defaults, or use form='rules'."
            )
        return
    for limit in {candidate.max_rules for candidate in exact}:
        ks = [candidate.k for candidate in exact if candidate.max_rules == limit]
        check_settings(replace(settings, max_rules=limit), recipe.threshold, ks, n_criteria)
    check_missing(missing, recipe.threshold)
    for candidate in exact:
        if recipe.loss is not None:
            _check_order(candidate, settings, recipe.threshold)
        elif candidate.levels != "shared":
            check_levels(candidate.levels, settings, candidate.margin, recipe.threshold)


def _refuse_unused(settings: SolverOptions, threshold: str | float, margins: list[float]) -> None:
    """Refuse what only the exact solvers read."""
    plain = SolverOptions()
    changed = [
        name
        for name in ("solver", "normalized", "extension", "subsets", "rule_cost", "literal_cost")
        if getattr(settings, name) != getattr(plain, name)
    ]
    changed += ["threshold"] * (threshold != "median") + ["margin"] * any(margins)
    if changed:
        them, their = ("it", "its default") if len(changed) == 1 else ("them", "their defaults")
        raise ValueError(
            f"levels='distilled' does not read {', '.join(changed)}. Leave {them} at {their}, or "
            "use levels='shared', 'all' or a number of levels."
        )


def _check_order(candidate: Candidate, settings: SolverOptions, threshold: str | float) -> None:
    """Refuse what has a meaning for two classes alone."""
    changed = ["levels='single'"] if candidate.levels == "single" else []
    changed += of_the_shared_threshold(settings, candidate.margin, threshold)
    if changed:
        raise ValueError(
            f"Classes in an order, or with a loss, are not learned with {', '.join(changed)}. "
            "Leave it at its default, or fit to two classes, as in y >= level, without a loss."
        )


def learn_candidate(
    training: Training, candidate: Candidate, recipe: Recipe, budget: Budget
) -> tuple[Model, Distillation | None]:
    """Learn one candidate with all that it takes; distilled rules of two classes have a path.

    Distilled rules are found on a sample of the rows, and counted on all of them.
    """
    path: Distillation | None = None
    if not candidate.is_distilled:
        learner = ExactLearner(training, recipe.settings, recipe.threshold, recipe.loss)
        model = learner.model(**candidate.params, budget=budget)
    else:
        taught = _taught(training.sampled, recipe, budget)
        if isinstance(taught, NestedDistillation):
            model = _nested(taught, candidate, recipe, training, budget)
        else:
            path, size = _distilled(taught, candidate, recipe, budget)
            model = Model.of_two_classes(replace(path, training=training).model(size))
    learned = _how(candidate, path)
    model = replace(model, learned=learned, assumed=training.assumed, costs=training.costs)
    return (_with_extents(model, training) if recipe.abstain else model), path


def _nested(
    taught: NestedDistillation,
    candidate: Candidate,
    recipe: Recipe,
    counted: Training,
    budget: Budget,
) -> Model:
    """Distil the rules, or the card, of ordered classes."""
    most = _MOST_OF_A_BOUNDARY if candidate.max_rules is None else candidate.max_rules
    k = candidate.distilled_k(counted.source.n_criteria)
    form = candidate.form_for(recipe.form, counted.source.n_criteria)
    return taught.model(form, most, k, counted, budget)


def _how(candidate: Candidate, path: Distillation | None) -> Learned:
    """How a candidate is learned, and what its certificate is about."""
    bounded = "training error" if path is None else "disagreement with the teacher"
    return Learned(candidate.levels, _TEACHER if candidate.is_distilled else None, bounded)


def _with_extents(model: Model, training: Training) -> Model:
    """The same model, which knows at each boundary what the training data leave open."""
    boundaries = tuple(
        with_extent(boundary, at_boundary(training, b))
        for b, boundary in enumerate(model.boundaries)
    )
    return replace(model, boundaries=boundaries)


def learn_candidates(
    training: Training, candidates: Sequence[Candidate], recipe: Recipe, budget: Budget
) -> Iterator[tuple[Candidate, Model | None]]:
    """Learn all candidates on one fold, quickly; what they share is done once.

    Distilled rules come first, the longest list of them above all. The others are searched for a
    second or two each. What has not begun when the time is over is left out.

    None stands for what is left out, and for a margin too large for the threshold of the fold.
    """
    quick = recipe.quick
    learner = ExactLearner(training, quick.settings, quick.threshold, quick.loss)
    taught: TaughtVerdicts | NestedDistillation | None = None
    order = sorted(candidates, key=lambda one: (not one.is_distilled, -(one.max_rules or math.inf)))
    for place, candidate in enumerate(order):
        if place and budget.is_over():
            yield candidate, None
            continue
        if not candidate.is_distilled:
            yield candidate, _within_margin(learner, candidate, budget.without_proof())
            continue
        if taught is None:
            taught = _taught(training, quick, budget)
        if isinstance(taught, NestedDistillation):
            yield candidate, _nested(taught, candidate, quick, training, budget)
        else:
            found, size = _distilled(taught, candidate, quick, budget)
            yield candidate, Model.of_two_classes(found.unproved(size))


def _within_margin(learner: ExactLearner, candidate: Candidate, budget: Budget) -> Model | None:
    try:
        return learner.model(**candidate.params, budget=budget)
    except MarginError:
        return None


def _taught(
    training: Training, recipe: Recipe, budget: Budget
) -> TaughtVerdicts | NestedDistillation:
    """Grow the ensembles, and ask them: the costly part of all distilled candidates."""
    effort = effort_for(recipe.purpose)
    if recipe.loss is not None:
        return NestedDistillation.of(
            training,
            recipe.loss,
            effort,
            seed=recipe.seed,
            n_jobs=recipe.n_jobs,
            budget=budget,
        )
    plan = effort.plan(recipe.seed, recipe.n_jobs)
    teaching = Teaching.of_ensemble(*fit_ensemble(training, plan, budget))
    return TaughtVerdicts.of(
        training, teaching, seed=recipe.seed, n_varied=effort.n_varied, budget=budget
    )


def _distilled(
    taught: TaughtVerdicts, candidate: Candidate, recipe: Recipe, budget: Budget
) -> Found:
    """Distil an ensemble in the form of the recipe; where it is only compared, for one size."""
    effort = effort_for(recipe.purpose)

    def rules() -> Found:
        found = distil_rules(
            taught,
            max_rules=MOST_RULES if candidate.max_rules is None else candidate.max_rules,
            k=candidate.distilled_k(taught.training.source.n_criteria),
            seed=recipe.seed,
            budget=budget,
            effort=effort.rules,
            forms=effort.forms,
        )
        size = chosen_size(found)
        only = size if recipe.purpose == "comparison" else None
        return found.pruned(only=only, budget=budget), size

    form = candidate.form_for(recipe.form, taught.training.source.n_criteria)
    return found_in_form(taught, form, rules, effort=effort.points, budget=budget)


def chosen_size(found: RuleDistillation) -> int:
    """Number of rules that are kept: none where not even one is worth its words."""
    return min(found.best_size(RULE_COST), len(found) - 1)
