"""Ordered classes from an ensemble per boundary: few rules each, nested by construction.

The ensembles say how likely each class is. What it gains to let a row pass a boundary is then its
expected loss before less that after, so the search for rules that learns from a soft verdict on
two classes learns each boundary; then the rules of all boundaries are made nested, and polished
together.

A row with open values is at each boundary what speaks against its class there: the worst that it
can be where it should pass, the best where it should not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.loss import Loss
from sugeno._counts.patterns import Patterns
from sugeno._distil.lessons import Scale, lessons_of
from sugeno._distil.levels import choose_levels
from sugeno._distil.nesting import Nest
from sugeno._distil.path import PathSet, distil_path
from sugeno._distil.search import Effort
from sugeno._distil.targets import recombined_rows, thinned_rows
from sugeno._ensemble.course import Plan
from sugeno._ensemble.ensemble import Ensemble
from sugeno._learning.distillation import MOST_ROWS, Teaching, fit_ensemble, literals_of_cuts
from sugeno._learning.exact import boundary_of_sets
from sugeno._learning.training import Training, at_boundary, at_literals
from sugeno._sets.masks import contains_any, minimal, pack
from sugeno._threads import one_thread
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.model import Model
from sugeno.solvers.budget import Budget
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.nested import Boundaries

__all__ = ["OrdinalTeaching", "distil_ordinal"]

Floats = NDArray[np.float64]

#: Price of a rule as a share of all rows.
_RULE_COST = 0.002
#: Bags of all ensembles together, about, and of each of them, at least: what a class is taken to
#: be rests on several ensembles, so that each may be a smaller one.
_ALL_BAGS, _LEAST_BAGS = 96, 16
#: Polishing all boundaries makes up for a shorter search of each of them.
_EFFORT = Effort(fears=(1, 3), restarts=2, beam=30)
#: Rows that are recombined from two training rows each, and their share of the weight.
_RECOMBINED, _THEIR_SHARE = 3000, 0.5
#: Share of the true class in the target of a training row.
_MIX = 0.5


def distil_ordinal(
    training: Training,
    loss: Loss,
    *,
    max_rules: int,
    k: int,
    plan: Plan,
    counted: Training | None = None,
) -> Model:
    """Learn an ensemble per class boundary, and distil them into nested rules.

    Parameters
    ----------
    training : Training
        Training data of C ordered classes.
    loss : Loss
        What each prediction costs.
    max_rules, k : int
        Largest number of rules of a boundary, and of criteria in a rule.
    plan : Plan
        Parameters of the ensembles.
    counted : Training, optional
        What the rules are counted on, where the training data is a sample of it.

    Returns
    -------
    Model
        The rules; its certificate is about the rows that they are counted on.
    """
    return OrdinalTeaching.of(training, loss, plan).model(max_rules, k, counted)


@dataclass(frozen=True, eq=False)
class OrdinalTeaching:
    """The ensembles of all boundaries, and what they teach: the costly part of a distillation.

    Attributes
    ----------
    training : Training
        Training data of C ordered classes.
    loss : Loss
        What each prediction costs.
    ensembles : list of Ensemble
        One per boundary.
    rows : list of ndarray of shape (n, m)
        What each of them was fitted to.
    taught, gains : list of ndarray
        Per boundary rows, and what each gains by passing it.
    seed : int
        Of the search.
    """

    training: Training
    loss: Loss
    ensembles: list[Ensemble]
    rows: list[Floats]
    taught: list[Floats]
    gains: list[Floats]
    seed: int

    @classmethod
    def of(
        cls, training: Training, loss: Loss, plan: Plan, budget: Budget | None = None
    ) -> OrdinalTeaching:
        """Fit an ensemble per boundary, within a budget of time where there is one."""
        n = loss.n_classes - 1
        plan = replace(plan, bags=min(plan.bags, max(_LEAST_BAGS, _ALL_BAGS // n)))
        fitted = [
            fit_ensemble(at_boundary(training, b), plan, budget and budget.part(1 / (n - b)))
            for b in range(n)
        ]
        ensembles, rows = ([*part] for part in zip(*fitted))
        taught, gains = _lessons(training, ensembles, rows, loss, plan.seed)
        return cls(training, loss, ensembles, rows, taught, gains, plan.seed)

    def model(self, max_rules: int, k: int, counted: Training | None = None) -> Model:
        """Distil at most so many rules of so many criteria per boundary, nested."""
        found = [
            _rules(*literals, taught, gain, max_rules, k, self.seed)
            for literals, taught, gain in zip(self.literals, self.taught, self.gains)
        ]
        scale = Scale.of(self.literals, self.rows[0].shape[1])
        lessons = lessons_of(scale, self.taught, self.gains)
        nest = Nest(lessons, max_rules, k, _RULE_COST * lessons[0].units)
        views = [at_boundary(self.training, b) for b in range(len(found))]
        nested = nest.best([scale.codes(rules) for rules in found], _most_even(views))
        every = self.training if counted is None else counted
        models = [
            _finished(at_boundary(every, b), scale.asked(rules), k)
            for b, rules in enumerate(nested)
        ]
        certificate = _certificate(every, models, self.loss)
        return Model(self.training.classes, tuple(models), certificate)

    @cached_property
    def literals(self) -> list[tuple[NDArray[np.intp], Floats]]:
        """Per boundary the criteria and the levels of its candidate literals."""
        return [
            choose_levels(rows, Teaching.of_ensemble(ensemble, rows).cut_weights or [])
            for ensemble, rows in zip(self.ensembles, self.rows)
        ]


def _most_even(views: Sequence[Training]) -> list[int]:
    """The boundaries, first those that part the rows most evenly."""
    passed = [view.table.costs.take(view.table.positive).total for view in views]
    total = views[0].table.costs.total
    apart = [abs(2 * weight - total) for weight in passed]
    return sorted(range(len(views)), key=apart.__getitem__)


def _lessons(
    training: Training, ensembles: list[Ensemble], rows: list[Floats], loss: Loss, seed: int
) -> tuple[list[Floats], list[Floats]]:
    """What each boundary is taught; all the same rows, unless open values make them differ."""
    lessons: list[tuple[Floats, Floats]] = []
    for boundary, own in enumerate(rows):
        same = boundary > 0 and np.array_equal(own, rows[boundary - 1])
        lessons.append(lessons[-1] if same else _taught(training, ensembles, own, loss, seed))
    return [taught for taught, _ in lessons], [gains[:, b] for b, (_, gains) in enumerate(lessons)]


def _taught(
    training: Training, ensembles: list[Ensemble], rows: Floats, loss: Loss, seed: int
) -> tuple[Floats, Floats]:
    """Rows, training and recombined ones, and what each gains by passing each boundary."""
    codes, costs = training.table.codes, training.table.costs.values
    weight = np.ones(len(codes)) if costs is None else costs.astype(np.float64)
    shares = _class_shares([ensemble.oob_probability for ensemble in ensembles])
    drawn = recombined_rows(rows, _RECOMBINED, weight=weight, seed=seed)
    guessed = _class_shares([ensemble.probability(drawn) for ensemble in ensembles])
    if len(rows) > MOST_ROWS:
        middle = shares @ np.arange(loss.n_classes)
        kept = thinned_rows(rows, codes.astype(np.float64), middle, MOST_ROWS, weight=weight)
        rows, codes, shares, weight = rows[kept], codes[kept], shares[kept], np.ones(len(kept))
    target = (1 - _MIX) * shares + _MIX * np.eye(loss.n_classes)[codes]
    saved = (loss.matrix[:, :-1] - loss.matrix[:, 1:]) / _typical(loss)
    parts = [
        (1 - _THEIR_SHARE) * (weight / weight.sum())[:, None] * (target @ saved),
        _THEIR_SHARE / len(drawn) * (guessed @ saved),
    ]
    return np.concatenate([rows, drawn]), np.concatenate(parts)


def _class_shares(passed: list[Floats]) -> Floats:
    """Probabilities of the classes from those of passing each boundary, made to fall."""
    n = len(passed[0])
    falling = np.minimum.accumulate(np.column_stack([np.ones(n), *passed, np.zeros(n)]), axis=1)
    return -np.diff(falling, axis=1)


def _typical(loss: Loss) -> float:
    """What an error by one class costs in the mean: the unit in which rules are priced."""
    return float(np.concatenate([np.diag(loss.matrix, 1), np.diag(loss.matrix, -1)]).mean())


def _rules(
    criteria: NDArray[np.intp],
    levels: Floats,
    taught: Floats,
    gain: Floats,
    max_rules: int,
    k: int,
    seed: int,
) -> Floats:
    """Search rules for one boundary: the level that each asks of each criterion, or −∞."""
    with one_thread():
        path = distil_path(
            taught,
            gain,
            criteria,
            levels,
            max_rules=max_rules,
            max_criteria=k,
            forms=("dnf",),
            effort=_EFFORT,
            seed=seed,
        )
    best = path.best(_RULE_COST)
    chosen = best if best.rules else path.sets[min(1, len(path.sets) - 1)]
    return _as_levels(chosen, criteria, levels, taught.shape[1])


def _as_levels(
    chosen: PathSet, criteria: NDArray[np.intp], levels: Floats, n_criteria: int
) -> Floats:
    result = np.full((len(chosen.rules), n_criteria), -np.inf)
    for row, rule in zip(result, chosen.rules):
        row[criteria[list(rule)]] = levels[list(rule)]
    return result


def _finished(view: Training, rules: Floats, k: int) -> Boundary:
    """The model of one boundary, with the literals that its rules use."""
    asked = np.isfinite(rules)
    criteria = np.nonzero(asked)[1]
    pairs = sorted(set(zip(criteria.tolist(), rules[asked].tolist())))
    columns = np.array([j for j, _ in pairs], dtype=np.intp)
    levels = np.array([level for _, level in pairs], dtype=np.float64)
    literals = literals_of_cuts(view, columns, levels)
    bits = rules[:, columns] >= levels  # with all literals that those of the rule imply
    stage = at_literals(view, literals)
    sets = minimal(pack(bits))
    accepted = contains_any(stage.priced.masks, sets)
    least = _fewest_errors(stage.priced)
    unit = stage.priced.unit
    certificate = Certificate(stage.priced.errors(accepted) * unit, least * unit)
    return boundary_of_sets(view, stage, sets, accepted, certificate, k)


def _certificate(training: Training, models: list[Boundary], loss: Loss) -> Certificate:
    """Loss of the training rows, and what no monotone use of the same literals can go below.

    Without the demand for nested rules every boundary may have its own optimum.
    """
    objective, bound = 0, 0.0
    for boundary, model in enumerate(models):
        patterns = training.source.patterns(model.literals, priced=True)
        all_sides = Boundaries.of([patterns] * len(models), loss)
        side = all_sides.at(boundary)
        if boundary == 0:  # what it costs to pass nothing
            objective, bound = all_sides.none, float(all_sides.none)
        objective -= int(side.net[model.form.accepts(side.masks)].sum())
        bound += _fewest_errors(side) - int(side.positive.sum())
    unit = training.source.unit * loss.unit
    return Certificate(objective * unit, bound * unit)


def _fewest_errors(patterns: Patterns) -> float:
    """Bound for all monotone classifiers; one rule may ask nothing, so that everything passes."""
    return min(solve_closure(patterns, normalized=False).bound, float(patterns.negative.sum()))
