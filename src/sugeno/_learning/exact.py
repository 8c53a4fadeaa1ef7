"""The exact kinds (section 4): from training data to a model of ordered classes, with a proof.

Literals come first: each criterion is read at one utility per boundary, or at levels of its own.
They make patterns of the rows, a solver finds the families of all boundaries, and these become the
model. Two classes are one boundary: for it any solver may answer, rows may have a margin, and the
threshold may be learned with the capacity. What does not depend on k is done once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sugeno._counts.loss import Loss
from sugeno._counts.patterns import Patterns
from sugeno._learning.boundary import finished_boundary
from sugeno._learning.engine import (
    SolverOptions,
    boundary_sets,
    solve,
    solver_for,
)
from sugeno._learning.joint import joint_threshold
from sugeno._learning.levels import literals_between
from sugeno._learning.single_level_search import single_levels
from sugeno._learning.threshold import threshold_of_scores
from sugeno._learning.training import (
    PatternCounts,
    Training,
    at_boundary,
    at_literals,
    at_threshold,
)
from sugeno._sets.masks import Masks, contains_any, minimal, unpack
from sugeno.capacity import sugeno_integral
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.model import Model
from sugeno.model.rules import RuleSet
from sugeno.solvers.base import Solution
from sugeno.solvers.budget import Budget
from sugeno.solvers.closure import CLOSURE, solve_closure
from sugeno.solvers.nested import Boundaries, solve_nested

Families = Sequence[Masks]

#: Levels of each criterion among which ``levels="single"`` chooses.
_CANDIDATE_LEVELS = 16
#: Of the time that is left for proofs, what a single level gets when many are compared.
_SHARE_OF_A_LEVEL = 0.25


@dataclass(frozen=True, eq=False)
class ExactLearner:
    """Learn exact kinds from the same training data.

    Attributes
    ----------
    training : Training
        Training data of C ordered classes.
    settings : SolverOptions
        How to search.
    threshold : {"median", "mean-median", "alternating", "joint"} or float
        The threshold of the paper's model, or how to find it; of several boundaries the median.
    loss : Loss or None
        What each prediction costs; None for two classes whose errors all cost the same.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.engine import SolverOptions
    >>> from sugeno._learning.exact import ExactLearner
    >>> from sugeno._learning.training import prepare
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 1])
    >>> training = prepare(Table.of(X, y, row_weights(None, 3)), np.array([0, 1]))
    >>> print(ExactLearner(training, SolverOptions()).model("shared").rules)
    class 1 if x0 >= 2
    """

    training: Training
    settings: SolverOptions
    threshold: str | float = "median"
    loss: Loss | None = None
    _counts_at: dict[float, list[PatternCounts]] = field(default_factory=dict, init=False)

    def model(
        self,
        levels: int | str,
        k: int | None = None,
        margin: float = 0.0,
        max_rules: int | None = None,
        budget: Budget | None = None,
    ) -> Model:
        """Learn one kind of model.

        Parameters
        ----------
        levels : "shared", "single", "all" or int
            "shared": thresholds β₁ < β₂ < … of one integral with one capacity. Otherwise levels of
            their own for the criteria: where the classes on either side of a boundary part best, up
            to so many per boundary, or all; "single" is one, learned together with the family.
        k : int or None, default=None
            Largest number of criteria in a rule; None for no limit.
        margin : float, default=0.0
            The margin ρ of program (7); 0 is the limit 0⁺.
        max_rules : int or None, default=None
            Largest number of rules of a boundary; None for no limit.
        budget : Budget, optional
            Time that is left; by default ``settings.time_limit`` starts now.

        Returns
        -------
        Model
            Exact for k=None without limits on the rules: no nested families cost less. Otherwise
            each boundary is learned by itself, then they are made nested, and the certificate says
            how far that may be from the best.
        """
        search = _Search(
            self.training,
            self.loss,
            self.training.source.n_criteria if k is None else k,
            replace(self.settings, max_rules=max_rules),
            budget or Budget.of(self.settings.time_limit),
            binary=levels != "shared",
        )
        if levels == "shared":
            return self._at_thresholds(search, margin)
        if levels == "single":
            return search.with_single_levels()
        all_counts = search.at_every_boundary(levels)
        return search.finished(all_counts, search.solved(all_counts))

    def _at_thresholds(self, search: _Search, margin: float) -> Model:
        """Learn the paper's model: one integral."""
        if self.threshold == "joint" and self.settings.subsets != "all":
            counts, solution = search.jointly(margin)
            return search.finished([counts], search.settled(counts, solution))
        if margin not in self._counts_at:
            betas = self._thresholds(search, margin)
            self._counts_at[margin] = [at_threshold(self.training, beta, margin) for beta in betas]
        all_counts = self._counts_at[margin]
        model = search.finished(all_counts, search.solved(all_counts))
        return search.alternated(all_counts[0], model) if self.threshold == "alternating" else model

    def _thresholds(self, search: _Search, margin: float) -> list[float]:
        """The threshold of each boundary; each is larger than the one before, at least by a bit."""
        if not isinstance(self.threshold, str):
            return [float(self.threshold)]
        if self.threshold == "joint":
            unlimited = replace(search, k=self.training.source.n_criteria)
            return [unlimited.jointly(margin)[0].beta]
        if self.threshold == "mean-median":
            return [self.training.mean_median_threshold]
        found: list[float] = []
        for view in search.views:  # program (10) at every boundary
            least = float(np.nextafter(found[-1], 1.0)) if found else 0.0
            found.append(max(view.median_threshold, least))
        return found


@dataclass(frozen=True, eq=False)
class _Search:
    """What one model is learned from, and with."""

    training: Training
    loss: Loss | None
    k: int
    settings: SolverOptions
    budget: Budget
    binary: bool

    @property
    def views(self) -> list[Training]:
        """The training data as each boundary parts it."""
        return [at_boundary(self.training, b) for b in range(self.training.classes.size - 1)]

    def at_every_boundary(self, levels: int | str) -> list[PatternCounts]:
        """Patterns at levels of the criteria's own, the same at all boundaries."""
        training = self.training
        literals = literals_between(training.source, training.criteria, levels)
        return [at_literals(training, literals)] * (training.classes.size - 1)

    def solved(self, all_counts: Sequence[PatternCounts]) -> Solution:
        """Find families of all boundaries, nested; of two classes any solver may answer."""
        if self.loss is not None:
            return self._nested(Boundaries.of([one.patterns for one in all_counts], self.loss))
        (counts,) = all_counts
        found = solve(
            counts.patterns,
            self.k,
            self.settings,
            self.budget,
            beta=counts.beta,
            margin=counts.margin,
            positive_utilities=self.training.positive_utilities,
        )
        return self.settled(counts, found)

    def settled(self, counts: PatternCounts, found: Solution) -> Solution:
        """Choose for patterns that do not occur."""
        return replace(found, families=(self._sets(counts.patterns, found),))

    def _sets(self, patterns: Patterns, found: Solution) -> Masks:
        return boundary_sets(patterns, found, self.settings, self.budget)

    def _nested(self, boundaries: Boundaries) -> Solution:
        """Nested families with their certificate: one cut where that is enough."""
        sides = [boundaries.at(b) for b in range(boundaries.gains.shape[1])]
        if solver_for(self.settings, self.k, boundaries.chains) is CLOSURE:
            # Of all optima the most generous one, as with two classes.
            joint = solve_nested(boundaries, normalized=self.settings.normalized, which="maximal")
            passed = [
                Solution.of_two_classes(joint.labels > b, None, 0.0, 0.0) for b in range(len(sides))
            ]
            return replace(joint, families=tuple(widened([*map(self._sets, sides, passed)])))
        alone = [
            solve(side, self.k, self.settings, self.budget.part(1 / (len(sides) - b)))
            for b, side in enumerate(sides)
        ]
        families = [*map(self._sets, sides, alone)]
        # Dropping the demand for nested families, every boundary may have its own optimum.
        won = int(np.maximum(boundaries.gains, 0).sum())
        bound = boundaries.none - won + sum(found.bound for found in alone)
        choices = [self._judged(boundaries, way(families), bound) for way in (widened, narrowed)]
        return min(choices, key=lambda choice: choice.objective)

    def _judged(self, boundaries: Boundaries, families: Families, bound: float) -> Solution:
        """What nested families cost, rules included."""
        passed = [contains_any(boundaries.masks, family) for family in families]
        labels = np.asarray(np.sum(passed, axis=0), dtype=np.intp)
        price = sum(self.settings.price(family, boundaries.chains) for family in families)
        cost = boundaries.cost(labels) + price / boundaries.unit
        return Solution(labels, tuple(families), cost, bound)

    def finished(self, all_counts: Sequence[PatternCounts], found: Solution) -> Model:
        """Complete a solution to a model: rules, their support, probabilities, certificate."""
        known = found.families or ()
        families = [_attainable(sets, counts) for sets, counts in zip(known, all_counts)]
        objective, unit = found.objective, all_counts[0].patterns.unit
        if self.loss is not None:
            unit *= self.loss.unit
        objective *= unit
        chains = all_counts[0].literals.chains
        for sets, kept in zip(known, families):
            if len(kept) < len(sets):  # what no row satisfies costs its price alone
                objective -= self.settings.price(sets, chains)
                objective += self.settings.price(kept, chains)
        certificate = Certificate(objective, min(objective, found.bound * unit))
        return Model(
            self.training.classes,
            tuple(
                self._boundary(b, counts, sets, found, certificate)
                for b, (counts, sets) in enumerate(zip(all_counts, families))
            ),
            certificate,
            None if self.binary else self.training.knots.thinned(*(s.beta for s in all_counts)),
        )

    def _boundary(
        self, b: int, counts: PatternCounts, sets: Masks, found: Solution, certificate: Certificate
    ) -> Boundary:
        """One boundary; of several its certificate is about the two classes that it parts."""
        normalized = self.settings.normalized
        if self.loss is None:
            # Without a margin the solver has seen these very patterns.
            seen = counts.priced is counts.patterns
            accepted = found.accepted if seen else contains_any(counts.priced.masks, sets)
        else:
            priced = counts.priced.at(b)
            counted = priced if counts.counted is counts.priced else counts.counted.at(b)
            counts = replace(counts, patterns=priced, priced=priced, counted=counted)
            accepted = contains_any(priced.masks, sets)
            least = solve_closure(priced, normalized=normalized).bound
            certificate = Certificate(priced.errors(accepted) * priced.unit, least * priced.unit)
        view = at_boundary(self.training, b)
        rules = RuleSet.from_masks(sets, counts.literals, named=view.named, label=view.classes[1])
        if self.training.source.missing in ("error", "pessimistic"):  # else a gap may reach all
            rules = rules.possible()
        boundary = finished_boundary(view, counts, rules, certificate, self.k, accepted=accepted)
        utility = None if self.binary else self.training.knots.thinned(counts.beta)
        return replace(boundary, normalized=normalized and len(rules) > 0, utility=utility)

    def with_single_levels(self) -> Model:
        """Learn one level of each criterion together with the family."""
        source, criteria = self.training.source, self.training.criteria

        def cut(patterns: Patterns) -> Solution:
            return solve_closure(patterns, normalized=self.settings.normalized)

        # The cut of k = None stands in for a smaller k: it takes a millisecond.
        choice = literals_between(source, criteria, _CANDIDATE_LEVELS)
        literals = single_levels(source, choice, cut, self.budget.search_is_over)
        all_counts = [at_literals(self.training, literals)]
        found = self.solved(all_counts)
        # No single level beats what all levels together could do.
        (every,) = self.at_every_boundary("all")
        bound = min(found.bound, cut(every.patterns).bound)
        return self.finished(all_counts, replace(found, bound=bound))

    def jointly(self, margin: float) -> tuple[PatternCounts, Solution]:
        """Learn threshold and family together, within one budget for all levels."""
        budget, training = self.budget, self.training

        def quick(patterns: Patterns) -> Solution:
            return solve(patterns, self.k, self.settings, budget.for_a_glance())

        def thorough(patterns: Patterns) -> Solution:
            return solve(patterns, self.k, self.settings, budget.part(_SHARE_OF_A_LEVEL))

        found = joint_threshold(
            training.utilities,
            training.table.positive,
            training.table.costs,
            near=training.median_threshold,
            margin=margin,
            quick=quick,
            thorough=thorough,
            normalized=self.settings.normalized,
            budget=budget,
        )
        return at_threshold(training, found.threshold, margin), found.solution

    def alternated(self, counts: PatternCounts, model: Model) -> Model:
        """Take the threshold β₀ that suits the capacity best, unless it leads to more errors."""
        table = self.training.table
        values = np.asarray(sugeno_integral(self.training.utilities, model.capacity))
        beta = threshold_of_scores(values, table.positive, table.costs)
        if counts.margin >= min(beta, 1 - beta):
            return model
        moved = [at_threshold(self.training, beta, counts.margin)]
        other = self.finished(moved, self.solved(moved))
        better = other.certificate.objective <= model.certificate.objective
        return other if better else model


def _attainable(sets: Masks, counts: PatternCounts) -> Masks:
    """Leave out rules that ask for more than any value that was seen, and that no row satisfies.

    Where accepting nobody is best, μ([m]) = 1 still demands a rule. That rule is left out too.
    """
    unseen = np.isinf(counts.literals.better)
    beyond = np.flatnonzero(unpack(sets, unseen.size)[:, unseen].any(axis=1)).tolist()
    rows = counts.counted.masks
    left = [one for one in beyond if not contains_any(rows, sets[one : one + 1]).any()]
    return np.delete(sets, left, axis=0)


def widened(families: Families) -> list[Masks]:
    """Let each family take in those after it: what passes a boundary passes the one before."""
    result = [families[-1]]
    for family in reversed(families[:-1]):
        known = contains_any(result[-1], family).all()
        result.append(family if known else minimal(np.concatenate([family, result[-1]])))
    return result[::-1]


def narrowed(families: Families) -> list[Masks]:
    """Let each family keep the sets that pass the boundary before; if none does, take those."""
    result = [families[0]]
    for family in families[1:]:
        kept = family[contains_any(family, result[-1])]
        result.append(kept if len(kept) else result[-1])
    return result
