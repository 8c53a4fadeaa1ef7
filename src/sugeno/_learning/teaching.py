"""What a teacher says, and what there is to be learned from it at each boundary between classes.

A soft verdict is only a weight: for any form the expected disagreement is a sum over patterns, as
the number of errors is, so the same kind of search that learns from labels learns from a teacher,
and a minimum cut bounds what any form could reach.

Of several boundaries each has a teacher, and together they say how likely each class is. What it
gains to let a row pass a boundary is then its expected loss before less that after. A row with open
values is at each boundary what speaks against its class there: the worst that it can be where it
should pass, the best where it should not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.loss import Loss
from sugeno._counts.patterns import Patterns
from sugeno._distil.levels import choose_levels, weights_of_teacher, weights_of_thresholds
from sugeno._distil.patterns import merge_rows, units_per_gain
from sugeno._distil.targets import (
    Draw,
    joined_rows,
    recombined_rows,
    signed_gains,
    soft_targets,
    thinned_rows,
    varied_rows,
)
from sugeno._ensemble.boosting_run import EnsembleParams
from sugeno._ensemble.ensemble import Ensemble, fit
from sugeno._learning.chances import taught_probability, telling_literals
from sugeno._learning.effort import LearningEffort
from sugeno._learning.levels import level_between
from sugeno._learning.training import Training, at_boundary
from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno._scales.rows import oriented
from sugeno._sets.chains import Chains
from sugeno._sets.masks import pack
from sugeno.model.form import Form
from sugeno.model.probability import Probability
from sugeno.solvers.budget import Budget
from sugeno.solvers.closure import solve_closure

__all__ = [
    "MOST_ROWS",
    "Taught",
    "TaughtClasses",
    "TaughtVerdicts",
    "Teaching",
    "cuts_of_all",
    "fit_ensemble",
    "learning_rows",
    "literals_of_cuts",
    "taught_by_each",
]

Floats = NDArray[np.float64]

#: So many training rows are searched at most.
MOST_ROWS = 8192
#: Share of the weight on rows that are recombined from two training rows each.
_THEIR_SHARE = 0.5
#: A teacher is asked about so many rows beside the training rows even when the time is over, and
#: about more of them for at most such a share of the time that is left.
_HASTY_ROWS, _TIME_TO_ASK = 250, 0.2
#: Share of the true class in the target of a training row.
_MIX = 0.5


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
    training: Training, plan: EnsembleParams, budget: Budget | None = None
) -> tuple[Ensemble, Floats]:
    """Fit an ensemble to training data; return it with the rows, turned so that more is better.

    It stops to grow when the time for a search is over.
    """
    table = training.table
    rows = learning_rows(training)
    counts = training.chance_weights(table)
    weight = None if counts.values is None else counts.values.astype(np.float64) * counts.unit
    stop = Budget.of(budget).search_is_over
    classes = training.classes.size
    return fit(rows, table.codes, weight, plan, stop, training.cut, classes), rows


def learning_rows(training: Training) -> Floats:
    """Training rows turned so that more is better; a missing value is infinitely bad or good."""
    directions = training.knots.directions
    return oriented(training.table.settled(directions), directions)


@dataclass(frozen=True, eq=False)
class Taught:
    """What is to be learned at a boundary, whatever the form.

    Attributes
    ----------
    training : Training
        Training data, parted by the boundary.
    rows : ndarray of shape (n, m)
        Training rows and drawn ones, turned so that more is better.
    gains : ndarray of shape (n,)
        What it gains to accept each of them.
    criteria, levels : ndarray of shape (n_literals,)
        The candidate literals, turned likewise.
    """

    training: Training
    rows: Floats
    gains: Floats
    criteria: NDArray[np.intp]
    levels: Floats

    @cached_property
    def literals(self) -> Literals:
        """The candidate literals in original units."""
        return literals_of_cuts(self.training, self.criteria, self.levels)


@dataclass(frozen=True, eq=False)
class TaughtVerdicts(Taught):
    """The same where the boundary is the only one, and agreement with its teacher is the aim.

    Attributes
    ----------
    target, weight : ndarray of shape (n,)
        How likely each row is positive; its share of the weight.
    said : ndarray of shape (n,)
        What the teacher alone says: of noise it says nothing.
    verdict : ndarray of bool
        What the teacher says about the training rows.
    """

    target: Floats
    weight: Floats
    said: Floats
    verdict: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        training: Training,
        teaching: Teaching,
        *,
        draw: Draw = varied_rows,
        n_varied: int = LearningEffort.n_varied,
        seed: int = 0,
        budget: Budget | None = None,
    ) -> TaughtVerdicts:
        """Ask the teacher about the training rows, about rows near them, and where to cut.

        Of more than 8192 rows so many stand for all, evenly by class and probability. With little
        time, fewer rows near them have to do.
        """
        own = learning_rows(training)
        n_varied = _affordable(n_varied, [teaching], own, Budget.of(budget))
        cuts = teaching.cut_weights
        if cuts is None:
            cuts = weights_of_teacher(own, teaching.probability, seed=seed)
        rows, target, weight, said = _softly(training, teaching, own, draw, n_varied, seed)
        return cls(
            training,
            rows,
            signed_gains(target, weight, training.cut),
            *choose_levels(own, cuts),
            target,
            weight,
            said,
            teaching.probability(own) > training.cut,
        )

    @cached_property
    def wanted(self) -> float:
        """Expected share of positive rows, Σ w t: the disagreement of who accepts nothing.

        It is what no verdict can avoid, Σ w min(t, 1 − t) = (1 − Σ w |2t − 1|) / 2, and what
        accepting every row that gains would win; the latter in whole units, as a search counts it.
        With a cut c it is 2 (1 − c) Σ w t, and the 1 in it is 2 Σ w (t + c − 2ct).
        """
        gains, units, cut = self.gains, units_per_gain(self.gains), self.training.cut
        whole = 1.0
        if cut != 0.5:
            each = self.weight * (self.target + cut - 2 * cut * self.target)
            whole = 2 * math.fsum(each.tolist())
        lost = max(0.0, whole - math.fsum(np.abs(gains).tolist())) / 2
        return lost + float(np.maximum(np.rint(gains * units), 0).sum()) / units

    @cached_property
    def least_disagreement(self) -> float:
        """Bound for all monotone classifiers over the candidate literals: a minimum cut."""
        taught = merge_rows(self.rows, self.gains, self.criteria, self.levels)
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

    def probability(self, form: Form, counted: Patterns) -> Probability:
        """Return the probability by the literals that a row satisfies, as the teacher has it."""
        masks = form.literal_set.satisfied(oriented(self.rows, self.training.knots.directions))
        given = (masks, self.target, self.weight, form.accepts, counted)
        return taught_probability(*given, self.training.cut)

    def telling(self, form: Form, known: NDArray[np.intp]) -> NDArray[np.intp]:
        """Places of the literals of a form, and of those that tell more about probabilities."""
        reached = self.rows[:, self.criteria] >= self.levels
        rows = oriented(self.rows, self.training.knots.directions)
        given = (form.decide(rows, check_finite=False), self.said, self.weight)
        return telling_literals(reached, known, *given, self.training.cut)

    def told(self, accepted: NDArray[np.bool_]) -> dict[str, float]:
        """Shares of the training rows on which verdicts agree with the teacher, or are wrong."""
        table = self.training.table
        weight = np.ones(len(table.codes)) if table.weights.values is None else table.weights.values
        return {
            "fidelity": float(np.average(accepted == self.verdict, weights=weight)),
            "error": float(np.average(accepted != table.positive, weights=weight)),
        }


def _softly(
    training: Training, teaching: Teaching, rows: Floats, draw: Draw, n_varied: int, seed: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Rows, training and varied ones, and what `soft_targets` says of them."""
    y, p = training.table.codes.astype(np.float64), teaching.out_of_sample
    counts = training.chance_weights(training.table).values
    weight = None if counts is None else counts.astype(np.float64)
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
        together=_together(training.criteria),
        seed=seed,
    )


def _together(criteria: Sequence[Criterion]) -> NDArray[np.intp]:
    """Of each criterion the first that reads the same column: both come from the same row."""
    first: dict[int, int] = {}
    return np.array(
        [
            j if one.column is None else first.setdefault(one.column, j)
            for j, one in enumerate(criteria)
        ],
        dtype=np.intp,
    )


def _affordable(n_rows: int, teachings: Sequence[Teaching], own: Floats, budget: Budget) -> int:
    """How many rows beside the training rows teachers are asked about, within the time.

    A few rows show how long an answer takes. What is then done with the rows takes longer.
    """
    left = budget.left()
    if left is None or n_rows <= _HASTY_ROWS:
        return n_rows
    start = budget.clock()
    for one in teachings:
        one.probability(own[:_HASTY_ROWS])
    each = (budget.clock() - start) / min(_HASTY_ROWS, len(own))
    in_time = _TIME_TO_ASK * left / each if each > 0 else n_rows
    return max(_HASTY_ROWS, int(min(n_rows, in_time)))


@dataclass(frozen=True, eq=False)
class TaughtClasses:
    """What rows are taught about all classes, and what each gains by passing each boundary.

    Attributes
    ----------
    rows : ndarray of shape (n, m)
        Training rows and recombined ones, turned so that more is better.
    weight : ndarray of shape (n,)
        Their shares of the weight.
    shares : ndarray of shape (n, C)
        How likely each of them is of each class.
    gains : ndarray of shape (n, C - 1)
        What is saved in the mean where it passes each boundary.
    saved : ndarray of shape (C, C - 1)
        What is saved where a row of each class does, in units of an error by one class.
    """

    rows: Floats
    weight: Floats
    shares: Floats
    gains: Floats
    saved: Floats

    @property
    def passed(self) -> Floats:
        """How likely each row passes each boundary: shape (C − 1, n)."""
        return np.clip(np.cumsum(self.shares[:, :0:-1], axis=1)[:, ::-1].T, 0.0, 1.0)


def taught_by_each(
    training: Training,
    teachings: Sequence[Teaching],
    rows: Sequence[Floats],
    loss: Loss,
    n_recombined: int,
    seed: int,
    budget: Budget | None = None,
) -> tuple[list[Taught], list[TaughtClasses]]:
    """What each boundary is taught; all the same rows, unless open values make them differ.

    Returns
    -------
    taught : list of Taught
        One for each boundary.
    classes : list of TaughtClasses
        The same of all classes; one, or one for each boundary where rows differ.
    """
    told: list[TaughtClasses] = []
    n_drawn = _affordable(n_recombined, teachings, rows[0], Budget.of(budget))
    for boundary, own in enumerate(rows):
        same = boundary > 0 and np.array_equal(own, rows[boundary - 1])
        told.append(
            told[-1] if same else _taught_classes(training, teachings, own, loss, n_drawn, seed)
        )
    each = [
        Taught(
            at_boundary(training, b),
            classes.rows,
            classes.gains[:, b],
            *choose_levels(own, one.cut_weights or []),
        )
        for b, (classes, own, one) in enumerate(zip(told, rows, teachings))
    ]
    return each, told[:1] if all(classes is told[0] for classes in told) else told


def cuts_of_all(teachings: Sequence[Teaching], rows: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Candidate literals for all boundaries: where their teachers change their minds, alike."""
    weights = [one.cut_weights or [] for one in teachings]
    totals = [max(sum(float(w.sum()) for w in each), np.finfo(float).tiny) for each in weights]
    together = [
        np.asarray(sum(w / total for w, total in zip(column, totals))) for column in zip(*weights)
    ]
    return choose_levels(rows, together)


def _taught_classes(
    training: Training,
    teachings: Sequence[Teaching],
    rows: Floats,
    loss: Loss,
    n_drawn: int,
    seed: int,
) -> TaughtClasses:
    """Training rows and recombined ones with what is known about their classes."""
    codes, costs = training.table.codes, training.table.costs.values
    weight = np.ones(len(codes)) if costs is None else costs.astype(np.float64)
    shares = _class_shares([one.out_of_sample for one in teachings])
    drawn = recombined_rows(
        rows, n_drawn, weight=weight, together=_together(training.criteria), seed=seed
    )
    guessed = _class_shares([one.probability(drawn) for one in teachings])
    if len(rows) > MOST_ROWS:
        middle = shares @ np.arange(loss.n_classes)
        kept = thinned_rows(rows, codes.astype(np.float64), middle, MOST_ROWS, weight=weight)
        rows, codes, shares, weight = rows[kept], codes[kept], shares[kept], np.ones(len(kept))
    target = (1 - _MIX) * shares + _MIX * np.eye(loss.n_classes)[codes]
    saved = (loss.matrix[:, :-1] - loss.matrix[:, 1:]) / _typical(loss)
    parts = [
        ((1 - _THEIR_SHARE) * (weight / weight.sum()), target),
        (np.full(len(drawn), _THEIR_SHARE / len(drawn)), guessed),
    ]
    gains = [each[:, None] * (told @ saved) for each, told in parts]
    each_weight, each_share = (np.concatenate(one) for one in zip(*parts))
    every = np.concatenate([rows, drawn])
    return TaughtClasses(every, each_weight, each_share, np.concatenate(gains), saved)


def _class_shares(passed: list[Floats]) -> Floats:
    """Probabilities of the classes from those of passing each boundary, made to fall."""
    n = len(passed[0])
    falling = np.minimum.accumulate(np.column_stack([np.ones(n), *passed, np.zeros(n)]), axis=1)
    return -np.diff(falling, axis=1)


def _typical(loss: Loss) -> float:
    """What an error by one class costs in the mean: the unit in which rules are priced."""
    return float(np.concatenate([np.diag(loss.matrix, 1), np.diag(loss.matrix, -1)]).mean())


def literals_of_cuts(training: Training, criteria: NDArray[np.intp], levels: Floats) -> Literals:
    """Literals in original units at the cuts between observed values, as short as they can be."""
    knots = training.knots
    numbers = []
    for j, level in zip(criteria.tolist(), levels.tolist()):
        place = int(np.searchsorted(knots.values[j], level))
        sign = float(knots.directions[j])
        worse, better = (sign * v + 0.0 for v in knots.values[j][place - 1 : place + 1].tolist())
        level = level_between(training.criteria[j], worse, better)
        numbers.append((level, worse, better))
    found = np.array(numbers, dtype=np.float64).reshape(-1, 3).T
    return Literals(training.criteria, criteria, *found)
