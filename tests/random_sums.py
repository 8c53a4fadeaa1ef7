"""Sums of steps without learning: what ensembles become."""

from dataclasses import replace
from itertools import combinations

import numpy as np

from mixed_models import mixed_classifier
from random_models import random_model
from sugeno._counts.loss import Loss
from sugeno._scales.surfaces import Pair, Surfaces
from sugeno.model.model import HeldOut, Learned
from sugeno.model.per_class import ModelPerClass
from sugeno.model.score_model import ScoreModel, Sum


def random_sum(seed, *, classes=("no", "yes"), missing="pessimistic", **options):
    """A sum over criteria with odd names, both directions, ordered labels."""
    boundary = random_model(seed, **options)
    return sum_over(
        boundary.literals,
        seed,
        classes=np.array(classes),
        has_names=boundary.form.named,
        missing=missing,
    )


def mixed_sum(seed, **options):
    """A sum over the columns of a table of any kind."""
    model = mixed_classifier(seed, **options).model_
    return sum_over(
        model.boundaries[0].literals,
        seed,
        classes=model.classes,
        has_names=True,
        missing="pessimistic",
        assumed=model.assumed,
    )


def sums_per_class(seed, classes=("a", "b", "c"), **options):
    """A sum for each of some classes without an order, all over the same criteria."""
    first = random_sum(seed, classes=(False, True), **options)
    others = [
        sum_over(first.literals, seed + 1000 * i, has_names=first.has_names, missing=first.missing)
        for i in range(1, len(classes))
    ]
    return ModelPerClass(np.array(classes), (first, *others))


def ordered_sum(seed, classes=("poor", "fair", "good", "top"), **options):
    """Nested sums: each boundary adds what the next one does, and something at its own levels."""
    highest = random_sum(seed, classes=classes, **options)
    rng = np.random.default_rng([seed, 22])
    boundaries = [replace(highest.boundaries[0], cut=0.5)]
    for _ in classes[2:]:
        tables = boundaries[0].tables
        unit = max(1, abs(tables.constant) // 4)
        single = [
            table + np.append(0, np.cumsum(rng.integers(0, unit, table.size - 1)))
            for table in tables.single
        ]
        constant = tables.constant + int(rng.integers(0, unit))
        lower = replace(tables, constant=constant, single=single)
        boundaries.insert(0, replace(boundaries[0], tables=lower))
    return replace(highest, boundaries=tuple(boundaries), costs=None)


def sum_over(literals, seed, *, classes=None, missing="error", **options):
    """Rules "and" and "or" of one or two levels, as tables; some of them cancel out."""
    rng = np.random.default_rng([seed, 21])
    sizes = literals.chains.sizes
    adds = [rng.integers(0, 1 << 30, size) * (rng.random(size) < 0.7) for size in sizes]
    pairs = []
    for first, second in combinations(np.flatnonzero(sizes).tolist(), 2):
        if rng.random() < 0.3:
            continue
        joint = np.zeros((sizes[first], sizes[second]), dtype=np.int64)
        for _ in range(int(rng.integers(1, 6))):
            row, column = rng.integers(sizes[first]), rng.integers(sizes[second])
            weight = int(rng.integers(1, 1 << 30))
            if rng.random() < 0.5:  # "or"
                adds[first][row] += weight
                adds[second][column] += weight
                weight = -weight
            joint[row, column] += weight
        where = np.nonzero(joint)
        if where[0].size:
            size = (sizes[first], sizes[second])
            pairs.append(Pair.of(first, second, size, (*where, joint[where])))
    single = [np.concatenate([[0], np.cumsum(each)]).astype(np.int64) for each in adds]
    highest = sum(int(table[-1]) for table in single) + sum(int(one.table[-1]) for one in pairs)
    signs = literals.directions
    levels = [signs[j] * literals.levels[literals.columns == j] + 0.0 for j in range(len(sizes))]
    boundary = Sum(
        literals,
        Surfaces(-int(highest * rng.uniform(0.2, 0.8)) - 1, levels, single, pairs),
        float(rng.choice([1 / 64, 1.0, 0.9586820602416992])),
        (highest + 2) / float(rng.uniform(3, 30)),  # log odds up to 30
        missing,
    )
    importances = rng.dirichlet(np.ones(len(sizes)))
    costs = Loss.of({"missed": 3}, 2) if rng.random() < 0.3 else None
    return ScoreModel(
        np.array([False, True]) if classes is None else classes,
        (boundary if costs is None else replace(boundary, cut=costs.cut),),
        importances,
        learned=Learned("ensemble", held_out=HeldOut(0.125, 20, "rows outside the bag, 20 bags")),
        costs=costs,
        **options,
    )
