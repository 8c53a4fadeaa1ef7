"""From a teacher to few rules, or to a card of points, for each boundary between classes.

Forms are searched for every size, from the shortest on: a path. Of two classes a place on it is
chosen, and its form becomes the model. Of several boundaries each is searched by itself; then the
rules of all boundaries are made nested, and polished together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.loss import Loss
from sugeno._counts.patterns import Patterns
from sugeno._distil.best_card import best_card
from sugeno._distil.boundary_gains import LevelGrid, gains_by_boundary
from sugeno._distil.curves import Curves, saved_at
from sugeno._distil.nesting import Nest
from sugeno._distil.path import Form as Joint
from sugeno._distil.path import PathSet, RulePath, distil_path
from sugeno._distil.points import (
    LITERAL_PRICE,
    MOST_POINTS,
    PointCard,
    PointEffort,
    card_of_points,
    point_path,
    worthwhile_size,
)
from sugeno._distil.proof import best_in_pool
from sugeno._distil.search import Effort
from sugeno._distil.taught import TaughtPatterns, merge_targets
from sugeno._ensemble.ensemble import Ensemble
from sugeno._learning.boundary import finished_boundary
from sugeno._learning.effort import LearningEffort
from sugeno._learning.teaching import (
    Taught,
    TaughtClasses,
    TaughtVerdicts,
    Teaching,
    cuts_of_all,
    fit_ensemble,
    literals_of_cuts,
    taught_by_each,
)
from sugeno._learning.training import (
    PatternCounts,
    Training,
    at_boundary,
    at_literals,
    chance_patterns,
)
from sugeno._scales.literals import Literals
from sugeno._sets.masks import minimal, pack
from sugeno._threads import one_thread
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.card import Card
from sugeno.model.class_rules import boundary_labels
from sugeno.model.form import Form
from sugeno.model.grading import binary_threshold
from sugeno.model.model import Model
from sugeno.model.probability import Probability, split_at
from sugeno.model.rules import RuleSet
from sugeno.solvers.budget import Budget
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.nested import Boundaries

__all__ = [
    "LITERAL_COST",
    "RULE_COST",
    "Distillation",
    "Found",
    "NestedDistillation",
    "PointDistillation",
    "RuleDistillation",
    "distil_points",
    "distil_rules",
    "found_in_form",
]

Floats = NDArray[np.float64]

#: Price of a distilled rule as a share of all rows; chosen on held-out tables (docs/accuracy.md).
RULE_COST = 0.0003
#: Price of a literal of a distilled rule, likewise.
LITERAL_COST = 0.0003
#: Share of the rows that rules have to save beside a card, which ranks rows better, likewise.
_RANKING_WORTH = 0.002
#: Price of a rule where several boundaries are nested.
_NESTED_RULE_COST = 0.002
#: Bags of all ensembles together, about, and of each of them, at least: what a class is taken to
#: be rests on several ensembles, so that each may be a smaller one.
_ALL_BAGS, _LEAST_BAGS = 96, 16


@dataclass(frozen=True, eq=False)
class Distillation(ABC):
    """Forms by their size, and the way from a place on this path to a model.

    Attributes
    ----------
    training : Training
        What the forms are counted on: the training data, or all that it is a sample of.
    taught : TaughtVerdicts
        What was to be learned.
    """

    training: Training
    taught: TaughtVerdicts

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def disagreement(self, size: int) -> float:
        """Expected share of the taught rows on which the form of a size and the teacher differ.

        Where errors have costs, the expected cost of a row, by the mean cost of both errors.
        """

    @abstractmethod
    def n_literals(self, size: int) -> int:
        """How many literals a person reads in the form of a size."""

    @abstractmethod
    def form(self, size: int) -> Form:
        """The form of a size, with the literals that it uses."""

    @abstractmethod
    def boundary(self, size: int, certificate: Certificate) -> Boundary:
        """Complete the form of a size to a boundary."""

    @abstractmethod
    def described(self, size: int) -> dict[str, Any]:
        """How many parts the form of a size has, and how they are joined."""

    @property
    def least_disagreement(self) -> float:
        """Bound for all monotone classifiers over the candidate literals."""
        return self.taught.least_disagreement

    def accepted(self, size: int, X: Floats) -> NDArray[np.bool_]:
        """Tell which rows, in original units, the form of a size accepts."""
        return self.form(size).decide(X, check_finite=False)

    def summary(self) -> list[dict[str, Any]]:
        """Say of each size how well it agrees with the teacher and with the labels."""
        training = self.taught.training
        rows = training.table.settled(training.knots.directions)
        return [
            {
                **self.described(size),
                "disagreement": self.disagreement(size),
                **self.taught.told(self.accepted(size, rows)),
            }
            for size in range(len(self))
        ]

    def model(self, size: int) -> Boundary:
        """Finish the form of a size."""
        return self._finished(size, self.least_disagreement)

    def unproved(self, size: int) -> Boundary:
        """The same without a bound: to compare models takes no proof."""
        return self._finished(size, 0.0)

    def _finished(self, size: int, least: float) -> Boundary:
        certificate = Certificate(self.total * self.disagreement(size), self.total * least)
        return self.boundary(size, certificate)

    @property
    def total(self) -> float:
        """Weight of all rows, by what their errors cost in the mean."""
        total = self.training.source.total * self.training.source.unit
        costs = self.training.costs
        return total if costs is None else total * sum(costs.errors.values()) / 2


@dataclass(frozen=True, eq=False)
class RuleDistillation(Distillation):
    """The path from one rule to many.

    Attributes
    ----------
    path : RulePath
        Rule sets by their number of rules.
    k : int
        Largest number of criteria in a rule.
    """

    path: RulePath
    k: int

    def __len__(self) -> int:
        return len(self.path.sets)

    def disagreement(self, size: int) -> float:
        return self.taught.wanted - self.path.sets[size].gain

    def n_literals(self, size: int) -> int:
        return self.path.sets[size].n_literals

    def described(self, size: int) -> dict[str, Any]:
        chosen = self.path.sets[size]
        rules, literals = len(chosen.rules), chosen.n_literals
        return {"rules": rules, "literals": literals, "form": chosen.form}

    def form(self, size: int) -> RuleSet:
        return self._form(size, self._used(size))

    def _used(self, size: int) -> NDArray[np.intp]:
        """The candidate literals of the rules of a size."""
        return np.array(
            sorted({j for rule in self.path.sets[size].rules for j in rule}), dtype=np.intp
        )

    def _form(self, size: int, known: NDArray[np.intp]) -> RuleSet:
        """The rules of a size among these candidate literals, of which they may leave some out."""
        chosen = self.path.sets[size]
        literals, bits = (
            self.taught.literals.chosen(known),
            np.zeros((len(chosen.rules), known.size)),
        )
        for row, rule in zip(bits, chosen.rules):
            row[np.searchsorted(known, rule)] = 1
        masks, chains = pack(bits > 0), literals.chains
        masks = chains.closed(masks) if chosen.form == "dnf" else chains.weakest(masks)
        named, label = self.training.named, self.training.classes[1]
        return RuleSet.from_masks(masks, literals, named=named, label=label, form=chosen.form)

    def boundary(self, size: int, certificate: Certificate) -> Boundary:
        """The rules, with literals beside them that tell how likely rows are."""
        form = self._form(size, self.taught.telling(self.form(size), self._used(size)))
        stage = at_literals(self.training, form.literal_set)
        return finished_boundary(
            self.training,
            stage,
            form,
            certificate,
            self.k,
            threshold=binary_threshold(form),
            probability=self.taught.probability(form, chance_patterns(self.training, stage)),
        )

    def best_size(self, price: float) -> int:
        """Number of rules at which agreement less a price per rule is largest."""
        chosen = self.path.best(price)
        return next(size for size, found in enumerate(self.path.sets) if found is chosen)

    def improved(self, size: int, time_limit: float | None) -> RuleDistillation:
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

    def pruned(
        self,
        price: float = LITERAL_COST,
        only: int | None = None,
        budget: Budget | None = None,
    ) -> RuleDistillation:
        """Return the path, or only one size, without what is not worth its literals' price."""
        over = Budget.of(budget).is_over
        return replace(self, path=self.path.pruned(price, self.k, only, over))


@dataclass(frozen=True, eq=False)
class PointDistillation(Distillation):
    """The path from one literal to many.

    Attributes
    ----------
    patterns : TaughtPatterns
        What was to be learned, as the search saw it.
    path : list of PointCard
        Cards by their number of literals.
    """

    patterns: TaughtPatterns
    path: list[PointCard]

    def __len__(self) -> int:
        return len(self.path)

    def disagreement(self, size: int) -> float:
        return self.path[size].disagreement[0]

    def n_literals(self, size: int) -> int:
        return len(self.path[size].literals)

    def described(self, size: int) -> dict[str, Any]:
        n_literals = self.n_literals(size)
        return {"rules": n_literals, "literals": n_literals, "form": "points"}

    def best_size(self, price: float = LITERAL_PRICE) -> int:
        """Number of literals at which the objective and their price together are least."""
        return worthwhile_size(self.path, price)

    def form(self, size: int) -> Card:
        (card,) = _cards(self.patterns, self.path[size], self.taught.literals, self.training)
        return card

    def improved(self, size: int, time_limit: float | None) -> tuple[PointDistillation, float]:
        """Look for the best card over the literals of a size: a program.

        Returns
        -------
        PointDistillation
            With that card in its place, if its probabilities are as good as well.
        float
            No card of these literals, with as many points at most, disagrees less.
        """
        known = self.path[size]
        places = np.searchsorted(self.patterns.literals, known.literals)
        most = max((MOST_POINTS, *known.points))
        found = best_card(self.patterns, places, max_points=most, time_limit=time_limit)
        if found.points is None:
            return self, found.bound
        points = np.zeros(len(self.patterns.literals), dtype=np.intp)
        points[places] = found.points
        better = card_of_points(self.patterns, points)
        if better.objective >= known.objective:
            return self, found.bound
        path = [*self.path[:size], better, *self.path[size + 1 :]]
        return replace(self, path=path), found.bound

    def boundary(self, size: int, certificate: Certificate) -> Boundary:
        return _finished_card(self.training, self.form(size), certificate)


def _cards(
    patterns: TaughtPatterns, found: PointCard, candidates: Literals, training: Training
) -> list[Card]:
    """The card of each boundary: the same points, a threshold and probabilities of its own.

    Probabilities are logistic curves over what was taught, which do not cross, split at the
    thresholds.
    """
    literals = candidates.chosen(np.array(found.literals, dtype=np.intp))
    points = np.zeros(len(patterns.literals), dtype=np.intp)
    points[np.searchsorted(patterns.literals, found.literals)] = found.points
    curves, _ = Curves.fitted(patterns.counted(patterns.scores(points)))
    chances = curves.probabilities(int(points.sum()) + 1)[:, 0]
    return [
        Card.of(
            literals,
            found.points,
            needed,
            named=training.named,
            label=boundary_labels(training.classes, b)[1],
            chances=split_at(
                training.cut, chances[b], np.arange(chances.shape[1]) >= needed
            ).tolist(),
        )
        for b, needed in enumerate(found.thresholds)
    ]


def _finished_card(
    training: Training, card: Card, certificate: Certificate | None = None
) -> Boundary:
    """Complete a card to a boundary; without a certificate by its training errors."""
    stage = at_literals(training, card.literal_set)
    return finished_boundary(
        training,
        stage,
        card,
        _training_errors(stage, card) if certificate is None else certificate,
        max(1, len({*card.literal_criteria.tolist()})),
        threshold=card.needed / max(card.total, 1),
        probability=Probability.of_points(
            card.points, np.array(card.chances), card.needed, training.cut
        ),
    )


def _searched(taught: Taught, max_rules: int, k: int, **options: Any) -> RulePath:
    """Search rules of high gain, for every number of them."""
    given = (taught.rows, taught.gains, taught.criteria, taught.levels)
    with one_thread():
        return distil_path(*given, max_rules=max_rules, max_criteria=k, **options)


def distil_rules(
    taught: TaughtVerdicts,
    *,
    max_rules: int,
    k: int,
    forms: Sequence[Joint] = ("dnf", "cnf"),
    price: float = RULE_COST,
    n_rules: int | None = None,
    effort: Effort | None = None,
    seed: int = 0,
    budget: Budget | None = None,
) -> RuleDistillation:
    """Search few rules that agree with a teacher, for every number of rules.

    Parameters
    ----------
    taught : TaughtVerdicts
        What is to be learned.
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
    seed : int, default=0
        Of the search.
    budget : Budget, optional
        When its time is over, the search ends with what it has.
    """
    path = _searched(
        taught,
        max_rules,
        k,
        forms=forms,
        price=price,
        n_rules=n_rules,
        effort=effort,
        seed=seed,
        out_of_time=Budget.of(budget).is_over,
    )
    return RuleDistillation(taught.training, taught, path, k)


def distil_points(
    taught: TaughtVerdicts,
    *,
    n_literals: int | None = None,
    price: float = LITERAL_PRICE,
    effort: PointEffort | None = None,
    budget: Budget | None = None,
) -> PointDistillation:
    """Search cards of points that agree with a teacher, for every number of literals.

    Parameters
    ----------
    taught : TaughtVerdicts
        What is to be learned.
    n_literals : int, optional
        The number of literals that is asked for.
    price : float, default=0.0004
        What a literal has to save of log loss and disagreement together, as a share of what a
        card without literals loses.
    effort : PointEffort, optional
        How long to search.
    budget : Budget, optional
        When its time is over, the search ends with what it has.
    """
    patterns = merge_targets(
        taught.rows,
        taught.weight,
        taught.target,
        taught.criteria,
        taught.levels,
        saved_at(taught.training.cut),
    )
    with one_thread():
        path = point_path(
            patterns,
            n_literals=n_literals,
            price=price,
            effort=effort,
            out_of_time=Budget.of(budget).is_over,
        )
    return PointDistillation(taught.training, taught, patterns, path)


#: A path, and the place on it that is chosen.
Found = tuple[Distillation, int]


def found_in_form(
    taught: TaughtVerdicts,
    form: str,
    rules: Callable[[], Found],
    *,
    n_literals: int | None = None,
    penalty: float = LITERAL_COST,
    effort: PointEffort | None = None,
    budget: Budget | None = None,
) -> Found:
    """Search in the form that is asked for, or in both.

    Parameters
    ----------
    taught : TaughtVerdicts
        What is to be learned.
    form : {"rules", "points", "auto"}
        "auto" takes points unless rules save .002 of disagreement with the teacher and penalty of
        the literals together: points rank rows better. Without time for both it takes points, and
        rules where no literal is worth its points.
    rules : callable
        The search for rules.
    n_literals : int, optional
        The number of literals of a card that is asked for.
    penalty : float, default=0.0003
        Of a literal, when the forms are compared, where either class has half of the rows; less
        where one is rare, by what one class for all rows disagrees.
    effort : PointEffort, optional
        How long to search for points.
    budget : Budget, optional
        Of the search for points.
    """
    if form == "rules":
        return rules()
    found = distil_points(taught, n_literals=n_literals, effort=effort, budget=budget)
    size = found.best_size() if n_literals is None else n_literals
    points = found, min(max(size, 1), len(found) - 1)
    if form == "points" or (size and Budget.of(budget).is_over()):
        return points
    known = rules()
    # Where not even one literal is worth its points, rules may say nothing at all.
    each = penalty * 2 * found.disagreement(0)
    saved = _penalised(*points, each) - _penalised(*known, each)
    return points if size and saved < _RANKING_WORTH else known


def _penalised(found: Distillation, size: int, penalty: float) -> float:
    """Disagreement with the teacher, and the penalty of what a person reads."""
    return found.disagreement(size) + penalty * found.n_literals(size)


@dataclass(frozen=True, eq=False)
class NestedFound:
    """A form for all boundaries, before it is counted.

    Attributes
    ----------
    loss : float
        Expected loss of a taught row, in units of an error by one class.
    n_literals : int
        How many literals a person reads.
    model : callable
        Finish it, by what is counted.
    """

    loss: float
    n_literals: int
    model: Callable[[], Model]


@dataclass(frozen=True, eq=False)
class NestedDistillation:
    """The ensembles of all boundaries, and what they teach: the costly part for ordered classes.

    Attributes
    ----------
    training : Training
        Training data of C ordered classes.
    loss : Loss
        What each prediction costs.
    ensembles : list of Ensemble
        One per boundary.
    taught : list of Taught
        What each boundary is to learn.
    classes : list of TaughtClasses
        What all boundaries together are to learn; one, or one for each boundary where open values
        make rows differ.
    literals : tuple of ndarray
        Criteria and levels of the candidate literals of all boundaries together.
    seed : int
        Of the search.
    effort : Effort
        How long rules of a boundary are searched.
    """

    training: Training
    loss: Loss
    ensembles: list[Ensemble]
    taught: list[Taught]
    classes: list[TaughtClasses]
    literals: tuple[NDArray[np.intp], Floats]
    seed: int
    effort: Effort
    _searched: list[tuple[TaughtPatterns, list[PointCard]]] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        training: Training,
        loss: Loss,
        effort: LearningEffort,
        *,
        seed: int = 0,
        n_jobs: int | None = None,
        budget: Budget | None = None,
    ) -> NestedDistillation:
        """Fit an ensemble per boundary, within a budget of time where there is one."""
        n = loss.n_classes - 1
        bags = min(effort.bags, max(_LEAST_BAGS, _ALL_BAGS // n))
        plan = replace(effort, bags=bags).plan(seed, n_jobs)
        fitted = [
            fit_ensemble(at_boundary(training, b), plan, budget and budget.part(1 / (n - b)))
            for b in range(n)
        ]
        ensembles, rows = ([*part] for part in zip(*fitted))
        teachings = [*map(Teaching.of_ensemble, ensembles, rows)]
        taught = cls.of_teachings(training, loss, teachings, rows, effort, seed=seed, budget=budget)
        return replace(taught, ensembles=ensembles)

    @classmethod
    def of_teachings(
        cls,
        training: Training,
        loss: Loss,
        teachings: Sequence[Teaching],
        rows: Sequence[Floats],
        effort: LearningEffort,
        *,
        seed: int = 0,
        budget: Budget | None = None,
    ) -> NestedDistillation:
        """Listen to what is said of each boundary, and of the training rows as it reads them."""
        taught, classes = taught_by_each(
            training, teachings, rows, loss, effort.n_recombined, seed, budget
        )
        literals = cuts_of_all(teachings, rows[0])
        return cls(training, loss, [], taught, classes, literals, seed, effort.rules_of_boundary)

    def model(
        self,
        form: str,
        max_rules: int,
        k: int,
        counted: Training,
        budget: Budget | None = None,
    ) -> Model:
        """Search in the form that is asked for, or in both, and finish what is found.

        Searches end with what they have when the time is over, and rules beside points are not
        begun. The certificate is about the rows that the form is counted on, of which the training
        data may be a sample.
        """
        found = []
        if form != "rules":
            found.append(self.points(counted, budget))
        if form != "points" and not (found and Budget.of(budget).is_over()):
            found.append(self.rules(max_rules, k, counted, budget))
        # Of equally good ones rules.
        return min(found[::-1], key=lambda one: one.loss + LITERAL_COST * one.n_literals).model()

    def rules(
        self, max_rules: int, k: int, counted: Training, budget: Budget | None = None
    ) -> NestedFound:
        """Distil at most so many rules of so many criteria per boundary, nested."""
        over = Budget.of(budget).is_over
        found = [self._rules(taught, max_rules, k, over) for taught in self.taught]
        scale = LevelGrid.of([(t.criteria, t.levels) for t in self.taught], found[0].shape[1])
        gains = gains_by_boundary(
            scale, [t.rows for t in self.taught], [t.gains for t in self.taught]
        )
        nest = Nest(gains, max_rules, k, _NESTED_RULE_COST * gains[0].units, over)
        order = _most_even([taught.training for taught in self.taught])
        nested = nest.best([scale.codes(rules) for rules in found], order)
        gained = sum(one.gain(rules) for one, rules in zip(gains, nested)) / gains[0].units
        return NestedFound(
            self._lowest_class_loss - gained,
            sum(int(np.count_nonzero(rules)) for rules in nested),
            lambda: self._model(
                [
                    _passed(at_boundary(counted, b), scale.asked(rules), k)
                    for b, rules in enumerate(nested)
                ],
                counted,
            ),
        )

    def points(
        self, counted: Training, budget: Budget | None = None, n_literals: int | None = None
    ) -> NestedFound:
        """Distil one card of points, with a threshold for each boundary."""
        patterns, path = self._cards_found(budget, n_literals)
        size = worthwhile_size(path) if n_literals is None else n_literals
        chosen = path[min(max(size, 1), len(path) - 1)]
        literals = literals_of_cuts(counted, *self.literals)
        return NestedFound(
            sum(chosen.disagreement),
            len(chosen.literals),
            lambda: self._model(
                [
                    _finished_card(at_boundary(counted, b), card)
                    for b, card in enumerate(_cards(patterns, chosen, literals, counted))
                ],
                counted,
            ),
        )

    def summary(self) -> list[dict[str, Any]]:
        """The cards that were found, by their number of literals, and what they cost."""
        path = self._searched[0][1] if self._searched else []
        return [
            {
                "rules": len(card.literals),
                "literals": len(card.literals),
                "form": "points",
                "disagreement": sum(card.disagreement),
            }
            for card in path
        ]

    def _cards_found(
        self, budget: Budget | None, n_literals: int | None = None
    ) -> tuple[TaughtPatterns, list[PointCard]]:
        """Cards by their number of literals, searched once for all numbers of rules."""
        if not self._searched:
            patterns = merge_targets(
                np.concatenate([one.rows for one in self.classes]),
                np.concatenate([one.weight for one in self.classes]) / len(self.classes),
                np.concatenate([one.passed for one in self.classes], axis=1),
                *self.literals,
                self.classes[0].saved,
            )
            with one_thread():
                path = point_path(
                    patterns, n_literals=n_literals, out_of_time=Budget.of(budget).is_over
                )
            self._searched.append((patterns, path))
        return self._searched[0]

    def _model(self, boundaries: list[Boundary], counted: Training) -> Model:
        certificate = _certificate(counted, boundaries, self.loss)
        return Model(self.training.classes, tuple(boundaries), certificate)

    @property
    def _lowest_class_loss(self) -> float:
        """Expected loss where every row gets the lowest class: the mean over the boundaries."""
        each = [one.weight @ (one.shares @ np.tril(one.saved, -1)) for one in self.classes]
        return float(np.mean(each, axis=0).sum())

    def _rules(
        self, taught: Taught, max_rules: int, k: int, out_of_time: Callable[[], bool]
    ) -> Floats:
        """Search rules for one boundary: the level that each asks of each criterion, or −∞."""
        path = _searched(
            taught,
            max_rules,
            k,
            forms=("dnf",),
            effort=self.effort,
            seed=self.seed,
            out_of_time=out_of_time,
        )
        best = path.best(_NESTED_RULE_COST)
        chosen = best if best.rules else path.sets[min(1, len(path.sets) - 1)]
        result = np.full((len(chosen.rules), taught.rows.shape[1]), -np.inf)
        for row, rule in zip(result, chosen.rules):
            row[taught.criteria[list(rule)]] = taught.levels[list(rule)]
        return result


def _most_even(views: Sequence[Training]) -> list[int]:
    """The boundaries, first those that part the rows most evenly."""
    passed = [view.table.costs.take(view.table.positive).total for view in views]
    total = views[0].table.costs.total
    apart = [abs(2 * weight - total) for weight in passed]
    return sorted(range(len(views)), key=apart.__getitem__)


def _passed(view: Training, rules: Floats, k: int) -> Boundary:
    """The model of one boundary, with the literals that its rules use."""
    asked = np.isfinite(rules)
    criteria = np.nonzero(asked)[1]
    pairs = sorted(set(zip(criteria.tolist(), rules[asked].tolist())))
    columns = np.array([j for j, _ in pairs], dtype=np.intp)
    levels = np.array([level for _, level in pairs], dtype=np.float64)
    literals = literals_of_cuts(view, columns, levels)
    bits = rules[:, columns] >= levels  # with all literals that those of the rule imply
    stage = at_literals(view, literals)
    named, label = view.named, view.classes[1]
    form = RuleSet.from_masks(minimal(pack(bits)), literals, named=named, label=label)
    return finished_boundary(view, stage, form, _training_errors(stage, form), k)


def _training_errors(stage: PatternCounts, form: Form) -> Certificate:
    """Training errors of a form, and what no monotone use of its literals can go below."""
    errors = stage.priced.errors(form.accepts(stage.priced.masks))
    unit = stage.priced.unit
    return Certificate(errors * unit, _fewest_errors(stage.priced) * unit)


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
