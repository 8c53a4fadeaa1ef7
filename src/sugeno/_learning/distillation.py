"""From a teacher to few rules: a soft verdict is only a weight.

The teacher says how likely each row is positive. For any rule set the expected disagreement is a
sum over patterns, as the number of errors is, so the same kind of search that learns from labels
learns from a teacher, and a minimum cut bounds what any rule set could reach.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._distil.levels import choose_levels, weights_of_teacher, weights_of_thresholds
from sugeno._distil.path import Form, PathSet, RulePath, distil_path
from sugeno._distil.patterns import SoftPatterns, merge_rows
from sugeno._distil.proof import best_in_pool
from sugeno._distil.search import Effort
from sugeno._distil.targets import (
    Draw,
    joined_rows,
    signed_gains,
    soft_targets,
    thinned_rows,
    varied_rows,
)
from sugeno._ensemble.course import Plan
from sugeno._ensemble.ensemble import Ensemble, fit
from sugeno._learning.training import Training, at_literals
from sugeno._scales.literals import Literals
from sugeno._scales.number import separating_number
from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks, pack
from sugeno._threads import one_thread
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.grading import binary_threshold
from sugeno.model.pivotality import pivotality
from sugeno.model.probability import Probability
from sugeno.model.rules import RuleSet
from sugeno.model.support import Support
from sugeno.solvers.budget import Budget
from sugeno.solvers.closure import solve_closure

__all__ = [
    "LITERAL_COST",
    "MOST_ROWS",
    "RULE_COST",
    "Distillation",
    "Taught",
    "Teaching",
    "distil",
    "distil_rules",
    "fit_ensemble",
    "learning_rows",
    "literals_of_cuts",
    "oriented",
]

Floats = NDArray[np.float64]

#: So many training rows are searched at most.
MOST_ROWS = 8192
#: Price of a distilled rule as a share of all rows; chosen on held-out tables (docs/accuracy.md).
RULE_COST = 0.0003
#: Price of a literal of a distilled rule, likewise.
LITERAL_COST = 0.0003


@dataclass(frozen=True, eq=False)
class Teaching:
    """What a teacher says.

    Attributes
    ----------
    out_of_sample : ndarray of shape (n,)
        Probability of each training row, from a teacher that did not see it where that is known.
    probability : callable
        From oriented rows (higher is better) to probabilities.
    cut_weights : list of ndarray or None
        How much the teacher changes its mind at each cut of each criterion; None: ask it.
    """

    out_of_sample: Floats
    probability: Callable[[Floats], Floats]
    cut_weights: list[Floats] | None = None

    @classmethod
    def of_ensemble(cls, ensemble: Ensemble, rows: Floats) -> Teaching:
        """Let an ensemble of ours teach; it knows where it changes its mind."""
        members = ensemble.members
        weights = weights_of_thresholds(
            rows,
            np.concatenate([members.first_criterion, members.second_criterion]),
            np.concatenate([members.first_level, members.second_level]),
            np.concatenate([members.gain, members.gain]),
        )
        return cls(ensemble.oob_probability, ensemble.probability, weights)


def fit_ensemble(
    training: Training, plan: Plan, budget: Budget | None = None
) -> tuple[Ensemble, Floats]:
    """Fit an ensemble to training data; return it with the rows, turned so that more is better.

    It stops to grow when the time for a search is over.
    """
    table = training.table
    rows = learning_rows(training)
    costs = table.costs.values
    weight = None if costs is None else costs.astype(np.float64) * table.costs.unit
    stop = Budget.of(budget).search_is_over
    return fit(rows, table.positive, weight, plan, stop), rows


def learning_rows(training: Training) -> Floats:
    """Training rows turned so that more is better; a missing value is infinitely bad or good."""
    directions = training.knots.directions
    return oriented(training.table.settled(directions), directions)


def oriented(X: Floats, directions: NDArray[np.int64]) -> Floats:
    """Turn every criterion so that higher is better; there is only one zero."""
    result: Floats = X * directions + 0.0
    return result


@dataclass(frozen=True, eq=False)
class Taught:
    """What is to be learned from a teacher, whatever the form.

    Attributes
    ----------
    training : Training
        Training data.
    rows : ndarray of shape (n, m)
        Training rows and varied ones, turned so that more is better.
    target, weight : ndarray of shape (n,)
        How likely each of them is positive; its share of the weight.
    criteria, levels : ndarray of shape (n_literals,)
        The candidate literals, turned likewise.
    literals : Literals
        The same in original units.
    verdict : ndarray of bool
        What the teacher says about the training rows.
    """

    training: Training
    rows: Floats
    target: Floats
    weight: Floats
    criteria: NDArray[np.intp]
    levels: Floats
    literals: Literals
    verdict: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        training: Training,
        teaching: Teaching,
        *,
        draw: Draw = varied_rows,
        n_varied: int = 3000,
        seed: int = 0,
    ) -> Taught:
        """Ask the teacher about the training rows, about rows near them, and where to cut."""
        rows = learning_rows(training)
        cuts = teaching.cut_weights
        if cuts is None:
            cuts = weights_of_teacher(rows, teaching.probability, seed=seed)
        criteria, levels = choose_levels(rows, cuts)
        taught = _taught(training, teaching, rows, draw, n_varied, seed)
        verdict = teaching.probability(rows) > 0.5
        literals = literals_of_cuts(training, criteria, levels)
        return cls(training, *taught, criteria, levels, literals, verdict)

    @property
    def gains(self) -> Floats:
        """What it gains to accept each row."""
        return signed_gains(self.target, self.weight)

    @cached_property
    def _patterns(self) -> SoftPatterns:
        return merge_rows(self.rows, self.gains, self.criteria, self.levels)

    @cached_property
    def wanted(self) -> float:
        """Expected share of positive rows, Σ w t: the disagreement of who accepts nothing.

        It is what no verdict can avoid, Σ w min(t, 1 − t) = (1 − Σ w |2t − 1|) / 2, and what
        accepting every row that gains would win; the latter in whole units, as a search counts it.
        """
        gains, units = self.gains, self._patterns.units
        lost = max(0.0, 1.0 - math.fsum(np.abs(gains).tolist())) / 2
        return lost + float(np.maximum(np.rint(gains * units), 0).sum()) / units

    @cached_property
    def least_disagreement(self) -> float:
        """Bound for all monotone classifiers over the candidate literals: a minimum cut."""
        taught = self._patterns
        masks = pack(taught.reached.T > 0)
        gains = taught.gains.astype(np.int64)
        chains = Chains.single(taught.reached.shape[0])
        patterns = Patterns.of_two_classes(
            masks, np.maximum(gains, 0), np.maximum(-gains, 0), chains
        )
        accepted = solve_closure(patterns, normalized=False).accepted
        # ∅ may be accepted here: a constant classifier is one of the rule sets.
        best = max(int(gains[accepted].sum()), int(gains.sum()))
        return self.wanted - best / taught.units

    def told(self, accepted: NDArray[np.bool_]) -> dict[str, float]:
        """Shares of the training rows on which verdicts agree with the teacher, or are wrong."""
        table = self.training.table
        weight = np.ones(len(table.codes)) if table.weights.values is None else table.weights.values
        return {
            "fidelity": float(np.average(accepted == self.verdict, weights=weight)),
            "error": float(np.average(accepted != table.positive, weights=weight)),
        }


@dataclass(frozen=True, eq=False)
class Distillation:
    """The path from one rule to many, and the way from a place on it to a model.

    Attributes
    ----------
    training : Training
        What the rules are counted on: the training data, or all that it is a sample of.
    taught : Taught
        What was to be learned.
    path : RulePath
        Rule sets by their number of rules.
    k : int
        Largest number of criteria in a rule.
    """

    training: Training
    taught: Taught
    path: RulePath
    k: int

    def __len__(self) -> int:
        return len(self.path.sets)

    def best_size(self, price: float) -> int:
        """Number of rules at which agreement less a price per rule is largest."""
        chosen = self.path.best(price)
        return next(size for size, found in enumerate(self.path.sets) if found is chosen)

    def improved(self, size: int, time_limit: float | None) -> Distillation:
        """Look for a better set of a size among all rules that the search met: a program."""
        known, path = self.path.sets[size], self.path
        if time_limit == 0 or not known.rules:
            return self
        places = {int(literal): place for place, literal in enumerate(path.patterns.literals)}
        pool = [tuple(places[j] for j in rule) for rule in path.pool]
        patterns = path.patterns if known.form == "dnf" else path.patterns.dual()
        # The dual counts what is rejected, as a loss: all gains together are the difference.
        shift = 0.0 if known.form == "dnf" else float(patterns.gains.sum()) / patterns.units
        found = best_in_pool(
            patterns, pool, max_rules=size, at_least=known.gain + shift, time_limit=time_limit
        )
        if found.chosen is None or found.objective - shift <= known.gain:
            return self
        rules = tuple(sorted(path.pool[i] for i in found.chosen))
        better = PathSet(known.form, rules, found.objective - shift)
        # More rules are no worse: what is better with fewer takes their place.
        longer = (s if s.gain >= better.gain else better for s in path.sets[size + 1 :])
        sets = (*path.sets[:size], better, *longer)
        return replace(self, path=replace(path, sets=sets))

    def pruned(self, price: float = LITERAL_COST, only: int | None = None) -> Distillation:
        """Return the path, or only one size, without what is not worth its literals' price."""
        return replace(self, path=self.path.pruned(price, self.k, only))

    def accepted(self, size: int, X: Floats) -> NDArray[np.bool_]:
        """Tell which rows, in original units, the set of a size accepts."""
        literals, rules = self._rules(size)
        return rules.accepts(literals.satisfied(X))

    def disagreement(self, size: int) -> float:
        """Expected share of the taught rows on which the set of a size and the teacher differ."""
        return self.taught.wanted - self.path.sets[size].gain

    @property
    def least_disagreement(self) -> float:
        """Bound for all monotone classifiers over the candidate literals."""
        return self.taught.least_disagreement

    def n_literals(self, size: int) -> int:
        """How many literals a person reads in the set of a size."""
        return self.path.sets[size].n_literals

    def summary(self) -> list[dict[str, Any]]:
        """Say of each number of rules how well it agrees with the teacher and with the labels."""
        training = self.taught.training
        rows = training.table.settled(training.knots.directions)
        return [
            {
                "rules": len(chosen.rules),
                "literals": chosen.n_literals,
                "form": chosen.form,
                "disagreement": self.disagreement(size),
                **self.taught.told(self.accepted(size, rows)),
            }
            for size, chosen in enumerate(self.path.sets)
        ]

    def model(self, size: int) -> Boundary:
        """Finish the rule set of a size."""
        literals, rules = self._rules(size)
        stage = at_literals(self.training, literals)
        total = self.training.source.total * self.training.source.unit
        support = Support.of_clauses if rules.form == "cnf" else Support.counted
        return Boundary(
            labels=self.training.classes,
            form=RuleSet.from_masks(
                rules.masks,
                literals,
                named=self.training.named,
                label=self.training.classes[1],
                support=support(rules.masks, stage.counted),
                form=rules.form,
            ),
            probability=Probability.fitted(stage.priced, rules.accepts(stage.priced.masks)),
            certificate=Certificate(
                total * self.disagreement(size), total * self.least_disagreement
            ),
            threshold=binary_threshold(rules),
            k=self.k,
            normalized=False,
            utility=None,
            importances=pivotality(rules, stage.counted),
            missing=self.training.source.missing,
        )

    def _rules(self, size: int) -> tuple[Literals, RuleSet]:
        """Return the literals that the set of a size uses, and its rules."""
        chosen = self.path.sets[size]
        used = np.array(sorted({j for rule in chosen.rules for j in rule}), dtype=np.intp)
        literals, masks = self.taught.literals.chosen(used), _packed(chosen, used)
        chains = literals.chains
        masks = chains.closed(masks) if chosen.form == "dnf" else chains.weakest(masks)
        return literals, RuleSet.from_masks(masks, literals, form=chosen.form)


def _packed(chosen: PathSet, used: NDArray[np.intp]) -> Masks:
    """Rules as sets of the literals that any of them uses."""
    bits = np.zeros((len(chosen.rules), used.size), dtype=np.bool_)
    for row, rule in zip(bits, chosen.rules):
        row[np.searchsorted(used, rule)] = True
    return pack(bits)


def distil(
    training: Training,
    teaching: Teaching,
    *,
    max_rules: int,
    k: int,
    forms: Sequence[Form] = ("dnf", "cnf"),
    price: float = RULE_COST,
    n_rules: int | None = None,
    effort: Effort | None = None,
    draw: Draw = varied_rows,
    n_varied: int = 3000,
    seed: int = 0,
    budget: Budget | None = None,
) -> Distillation:
    """Search few rules that agree with a teacher, for every number of rules.

    Parameters
    ----------
    training : Training
        Training data.
    teaching : Teaching
        What the teacher says.
    max_rules, k : int
        Largest number of rules, and of criteria in a rule.
    forms : sequence of {"dnf", "cnf"}
        Forms to try: the first, or another one where it is shorter.
    price : float, default=0.0003
        What a rule has to gain, as a share of all rows, when the forms are compared.
    n_rules : int, optional
        The number of rules that is asked for: the forms are compared there.
    effort : Effort, optional
        How long to search.
    draw : callable, default=varied_rows
        How rows are drawn where the training rows leave gaps.
    n_varied : int, default=3000
        Number of these rows.
    seed : int, default=0
        Of the draws of varied rows and of the search.
    budget : Budget, optional
        When its time is over, the search ends with what it has.

    Returns
    -------
    Distillation
        The path.

    Notes
    -----
    Of more than 8192 rows so many stand for all, evenly by class and probability.
    """
    taught = Taught.of(training, teaching, draw=draw, n_varied=n_varied, seed=seed)
    return distil_rules(
        taught,
        max_rules=max_rules,
        k=k,
        forms=forms,
        price=price,
        n_rules=n_rules,
        effort=effort,
        seed=seed,
        budget=budget,
    )


def distil_rules(
    taught: Taught,
    *,
    max_rules: int,
    k: int,
    forms: Sequence[Form] = ("dnf", "cnf"),
    price: float = RULE_COST,
    n_rules: int | None = None,
    effort: Effort | None = None,
    seed: int = 0,
    budget: Budget | None = None,
) -> Distillation:
    """Search few rules that agree with what is taught; parameters are those of `distil`."""
    with one_thread():
        path = distil_path(
            taught.rows,
            taught.gains,
            taught.criteria,
            taught.levels,
            max_rules=max_rules,
            max_criteria=k,
            forms=forms,
            price=price,
            n_rules=n_rules,
            effort=effort,
            seed=seed,
            out_of_time=Budget.of(budget).is_over,
        )
    return Distillation(taught.training, taught, path, k)


def _taught(
    training: Training, teaching: Teaching, rows: Floats, draw: Draw, n_varied: int, seed: int
) -> tuple[Floats, Floats, Floats]:
    """Rows, training and varied ones, how likely each is positive, and their weights."""
    y, p = training.table.codes.astype(np.float64), teaching.out_of_sample
    costs = training.table.costs.values
    weight = None if costs is None else costs.astype(np.float64)
    if len(rows) > MOST_ROWS:
        kept = thinned_rows(rows, y, p, MOST_ROWS, weight=weight)
        rows, y, p, weight = rows[kept], y[kept], p[kept], None
    rows, y, p, weight = joined_rows(rows, y, p, weight=weight)
    return soft_targets(
        rows,
        y,
        p,
        teaching.probability,
        weight=weight,
        draw=draw,
        n_varied=n_varied,
        seed=seed,
    )


def literals_of_cuts(training: Training, criteria: NDArray[np.intp], levels: Floats) -> Literals:
    """Literals in original units at the cuts between observed values, as short as they can be."""
    knots = training.knots
    numbers = []
    for j, level in zip(criteria.tolist(), levels.tolist()):
        place = int(np.searchsorted(knots.values[j], level))
        sign = float(knots.directions[j])
        worse, better = (sign * v + 0.0 for v in knots.values[j][place - 1 : place + 1].tolist())
        shown = float(separating_number(worse, better, worse / 2 + better / 2))
        numbers.append((shown, worse, better))
    found = np.array(numbers, dtype=np.float64).reshape(-1, 3).T
    return Literals(training.criteria, criteria, *found)
