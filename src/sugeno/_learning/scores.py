"""From a grown ensemble to a finished sum of steps, with the observed values beside each level."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sugeno._counts.loss import Loss
from sugeno._ensemble.ensemble import Ensemble
from sugeno._ensemble.start import RESOLUTION
from sugeno._learning.training import Training
from sugeno._scales.literals import Literals
from sugeno._scales.surfaces import Surfaces
from sugeno.model.judged import Judged
from sugeno.model.model import HeldOut, Learned
from sugeno.model.score_model import ScoreModel, Sum


def finished_scores(training: Training, ensemble: Ensemble) -> ScoreModel:
    """Complete an ensemble to a model that needs neither rows nor members.

    Examples
    --------
    >>> from sugeno import SugenoEnsembleClassifier
    >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9)
    >>> clf.model_.literals.texts
    ('x0 >= 2', 'x0 >= 3', 'x0 >= 4')
    """
    members, classes = ensemble.members, training.classes.size
    n_bags, gains = len(members.base), members.gains()[: len(training.criteria)]
    measured = f"rows outside the bag, {n_bags} bags"
    judged = _judged(training, ensemble)
    # Of ordered classes the mean loss, as of all their models.
    error = ensemble.oob_error if classes == 2 else judged.cost(Loss.of("mixed", classes))
    each = _at_each_boundary(members.surfaces, classes)
    first = Sum(
        _literals(training, each[0]),
        each[0],
        ensemble.slope,
        n_bags / RESOLUTION,
        training.source.missing,
        training.cut,
    )
    return ScoreModel(
        training.classes,
        tuple(replace(first, tables=tables) for tables in each),
        gains / gains.sum() if gains.any() else gains,
        training.named,
        Learned("ensemble", held_out=HeldOut(error, n_bags, measured, judged)),
        training.assumed,
        costs=training.costs,
    )


def _at_each_boundary(tables: Surfaces, n_classes: int) -> list[Surfaces]:
    """The tables of each boundary; of several boundaries the last criterion says which, as −b."""
    if n_classes == 2:
        return [tables]
    places = -np.arange(n_classes - 1.0)
    codes = np.searchsorted(tables.levels[-1], places, side="right")
    return [tables.settled(code) for code in codes.tolist()]


def _judged(training: Training, ensemble: Ensemble) -> Judged:
    """Count the rows by what the bags without them say."""
    table, chances = training.table, ensemble.oob_at_least
    weights = training.chance_weights(table)
    counted = np.ones(len(table.codes))
    if weights.values is not None:
        counted *= weights.values * weights.unit
    decided = (chances > training.cut).sum(axis=1)
    cuts = [training.cut] * chances.shape[1]
    return Judged.of(table.codes, decided, chances, counted, cuts)


def _literals(training: Training, tables: Surfaces) -> Literals:
    """The levels in original units, and the observed values next to them."""
    levels, worse, better, columns = [np.zeros(0)], [np.zeros(0)], [np.zeros(0)], [np.zeros(0)]
    for j, own in enumerate(tables.levels):
        sign = float(training.knots.directions[j])
        observed = np.concatenate([[-np.inf], training.knots.values[j], [np.inf]])
        above = np.searchsorted(observed, own)
        levels.append(sign * own + 0.0)
        worse.append(sign * observed[above - 1] + 0.0)
        better.append(sign * observed[above] + 0.0)
        columns.append(np.full(own.size, j))
    places, *ends = map(np.concatenate, (columns, levels, worse, better))
    return Literals(training.criteria, places.astype(np.intp), *ends)
