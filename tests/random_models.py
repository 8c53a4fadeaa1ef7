"""Models of all kinds without learning, and rows that lie on, beside and far from their levels."""

from dataclasses import replace
from importlib.metadata import version

import numpy as np

from sugeno._scales.criterion import Criterion, criteria_of
from sugeno._scales.literals import Literals
from sugeno._sets.masks import minimal, pack
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.card import Card
from sugeno.model.class_rules import boundary_labels
from sugeno.model.grading import binary_threshold
from sugeno.model.model import Model
from sugeno.model.probability import Probability, Steps, just_above
from sugeno.model.rules import RuleSet
from sugeno.model.support import Support

LABELS = ("low", "medium", "high", "very high", 'it\'s "top"')
#: Expressions of narwhals reach a name with a quote or a dot from DuckDB 2 on.
_UNREACHED = set() if int(version("duckdb").split(".")[0]) >= 2 else {'say "hi"', "x.y"}
_ODD = ("price", "Größe in m²", 'say "hi"', "a b", "select", "it's", "x.y", "%s", "`tick`", "😀")
NAMES = tuple(name for name in _ODD if name not in _UNREACHED)


def random_model(seed, *, labelled=True, m=None, **options):
    """A model with odd names, both directions, ordered labels, and up to several levels."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 7)) if m is None else m
    named = bool(rng.random() < 0.8)
    names = rng.permutation(NAMES)[:m].tolist() if named else [f"x{j}" for j in range(m)]
    drawn = [
        (int(rng.choice([-1, 1])), LABELS if labelled and rng.random() < 0.3 else None)
        for _ in names
    ]
    directions, labels = zip(*drawn)
    criteria = criteria_of(names, np.array(directions), labels)
    return random_boundary(rng, criteria, named=named, **options)


def random_boundary(rng, criteria, *, named, classes=None, form=None, most_levels=3):
    """A boundary that reads given criteria."""
    literals = random_literals(rng, criteria, most_levels)
    form = form or str(rng.choice(["dnf", "cnf"]))
    classes = np.array(["no", "yes"]) if classes is None else classes
    masks = random_rules(rng, literals, form)
    precision = rng.random(len(masks))
    precision[: len(masks) // 4] = np.nan
    unique = rng.random(len(masks)) if rng.random() < 0.7 or not len(masks) else None
    support = Support(rng.integers(0, 99, len(masks)) / 7, precision, unique)
    rules = RuleSet.from_masks(
        masks,
        literals,
        named=named,
        label=classes[1],
        support=support if rng.random() < 0.7 else None,
        form=form,
    )
    return Boundary(
        labels=classes,
        form=rules,
        probability=random_probability(rng, literals.levels.size),
        certificate=Certificate(float(rng.integers(9)), float(rng.choice([-np.inf, 0, np.nan]))),
        threshold=binary_threshold(rules),
        k=len(criteria),
        normalized=False,
        utility=None,
        importances=rng.dirichlet(np.ones(len(criteria))),
    )


def random_literals(rng, criteria, most_levels):
    """Levels that lie apart, with the values beside them known or not."""
    columns, numbers = [], []
    for j, criterion in enumerate(criteria):
        count = int(rng.integers(j == 0, most_levels + 1))
        if criterion.labels:
            n_labels = len(criterion.labels)
            levels = rng.choice(n_labels, min(count, n_labels), replace=False).astype(float)
            gap = 1.0
        elif criterion.kind == "date":
            levels = 16000 + rng.choice(np.arange(-9, 10), count, replace=False) * 30.25
            gap = 1.0
        else:
            scale = 10.0 ** rng.integers(-3, 8)
            levels = rng.choice(np.arange(-9, 10), count, replace=False) * scale
            levels += rng.random(count) * scale / 3 * (rng.random() < 0.7)
            gap = scale / 3
        sign = criterion.direction
        for level in sign * np.sort(sign * levels):
            columns.append(j)
            numbers.append((level, *_beside(rng, level, sign * gap)))
    return Literals(criteria, np.array(columns, np.intp), *np.array(numbers).reshape(-1, 3).T)


def _beside(rng, level, step):
    """The observed values beside a level: known, unknown, or none on one side."""
    kind = rng.integers(4)
    if kind == 0:
        return np.nan, np.nan
    worse = -np.copysign(np.inf, step) if kind == 1 else level - step
    return worse, level + step * rng.choice([0.0, 0.5])


def random_rules(rng, literals, form):
    chains = literals.chains
    count = int(rng.integers(0, 7))
    masks = pack(rng.random((count, literals.levels.size)) < 0.4)
    if form == "dnf":
        return minimal(chains.closed(masks))
    return chains.weakest(minimal(chains.raised(masks)))


def random_probability(rng, n_literals):
    gains = rng.integers(0, 1 << 20, n_literals).astype(float)
    sides = []
    for low, high in ((0.0, 0.5), (just_above(0.5), 1.0)):
        count = int(rng.integers(1, 6))
        starts = np.sort(rng.choice(1 << 21, count, replace=False)).astype(float)
        sides.append(Steps(starts, np.clip(np.sort(rng.uniform(low, high, count)), low, high)))
    return Probability(gains, *sides)


def rows_for(model, seed, n):
    """Numbers (places of labels where there are some) that hit each level from both sides."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, len(model.literals.criteria))) * 10.0 ** rng.integers(-3, 8)
    for j, criterion in enumerate(model.literals.criteria):
        if criterion.labels:
            X[:, j] = rng.integers(0, len(criterion.labels), n)
            continue
        levels = model.literals.levels[model.literals.columns == j]
        if levels.size:
            near = np.concatenate(
                [levels, np.nextafter(levels, np.inf), np.nextafter(levels, -np.inf), [0.0, -0.0]]
            )
            chosen = rng.random(n) < 0.8
            X[chosen, j] = rng.choice(near[np.isfinite(near)], int(chosen.sum()))
    return X


def pessimistic(model, X):
    """Which rows are accepted, and their probabilities, if NaN reaches no level."""
    literals = model.literals
    signs = literals.directions[literals.columns]
    reached = signs * X[:, literals.columns] >= signs * literals.levels
    masks = pack(reached)
    accepted = model.form.accepts(masks)
    return accepted, model.probability.of(masks, accepted)


def without_literals(accepted):
    """A model of one criterion that accepts always, or never, whatever its value."""
    nothing = np.zeros(0)
    literals = Literals((Criterion("x"),), nothing.astype(np.intp), nothing, nothing, nothing)
    masks = np.zeros((int(accepted), 1), np.uint64)
    start, below, above = np.zeros(1), np.array([0.25]), np.array([0.75])
    return Boundary(
        labels=np.array([0, 1]),
        form=RuleSet.from_masks(masks, literals, named=True, label=1),
        probability=Probability(nothing, Steps(start, below), Steps(start, above)),
        certificate=Certificate(1.0, 1.0),
        threshold=0.0 if accepted else 0.5,  # the only one that every row reaches
        k=1,
        normalized=False,
        utility=None,
        importances=np.ones(1),
    )


def random_card(seed, *, needed=None, **options):
    """The same as `random_model`, decided by points."""
    return decided_by_points(random_model(seed, form="dnf", **options), seed, needed)


def decided_by_points(boundary, seed, needed=None):
    """The same boundary with a card instead of rules."""
    rng = np.random.default_rng([seed, 2])
    points = rng.integers(1, 4, boundary.literals.levels.size)
    total = int(points.sum())
    counted = Support(rng.integers(0, 99, points.size) / 7, rng.random(points.size))
    card = Card.of(
        boundary.literals,
        points,
        int(rng.integers(0, total + 2)) if needed is None else needed(total),
        named=boundary.form.named,
        label=boundary.labels[1],
        support=counted if rng.random() < 0.7 else None,
        chances=np.sort(rng.random(total + 1)).tolist() if rng.random() < 0.7 else None,
    )
    return replace(boundary, form=card, threshold=card.needed / max(1, card.total))


def card_of_ordered_classes(seed, classes):
    """One card with a threshold below each class but the first."""
    first = random_card(seed, m=3, labelled=False)
    rng = np.random.default_rng([seed, 3])
    needed = np.sort(rng.integers(0, first.form.total + 2, len(classes) - 1)).tolist()
    boundaries = [
        replace(
            first,
            labels=boundary_labels(classes, place),
            form=first.form.with_needed(one, boundary_labels(classes, place)[1]),
            threshold=one / max(1, first.form.total),
        )
        for place, one in enumerate(needed)
    ]
    return Model(classes, tuple(boundaries), Certificate(3.0, 1.0))
