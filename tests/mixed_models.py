"""Models of tables of any kind without learning, and cells that try to be misread."""

from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa

from random_models import decided_by_points, random_boundary
from sugeno import RuleClassifier
from sugeno._scales.assumed import Assumed, AssumedColumn
from sugeno._scales.criterion import Criterion, Gap
from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass

#: Labels of categories: some look missing, some like numbers.
WORDS = ("own", "rent", "", "None", "nan", "2", "2.0", "it's", 'a "b"', "true", "Zürich", "null")
#: Labels that no category knows.
STRANGE = ("tent", "02", "OWN", "own ", "NULL", "True")
#: Numbers that stand for no value; some of them are levels, or ends, of other models.
CODES = (-9.0, -8.5, 0.0, 3.0, 1e9)
#: A column of numbers is read in one of these ways.
_NUMBERS = ("number", "free", "turning")
_AGAINST = np.array([False, True])
_KINDS = ("number", "number", "free", "turning", "unordered", "unordered", "two-valued", "truth")


def mixed_classifier(seed, *, points=False, kinds=_KINDS, classes=("no", "yes")):
    """A classifier of a table of any kind."""
    rng = np.random.default_rng([seed, 11])
    drawn = [str(rng.choice(kinds)) for _ in range(int(rng.integers(1, 6)))]
    columns = [_criteria(rng, kind, 2 * j) for j, kind in enumerate(drawn)]
    criteria = tuple(one for column in columns for one in column)
    boundary = random_boundary(rng, criteria, named=True, classes=np.array(classes))
    boundary = decided_by_points(boundary, seed) if points else boundary
    assumed = []
    for column in columns:
        assumed.append(AssumedColumn(column[0].name, column[0].kind, "up", "AUC 0.7"))
        assumed.append(AssumedColumn(f"left {len(assumed)}", "id", left_out="its name"))
    boundary = replace(boundary, missing="pessimistic")
    return RuleClassifier.of(Model.of_two_classes(boundary, assumed=Assumed(assumed)))


def mixed_classifier_per_class(seed, *, points=False, kinds=_KINDS, classes=("a", "b", "it's")):
    """A classifier of classes without an order, each with scales of its own, or without a column.

    Equal models tie everywhere.
    """
    rng = np.random.default_rng([seed, 13])
    drawn = [str(rng.choice(kinds)) for _ in range(int(rng.integers(2, 6)))]
    known = [_known(rng, kind) for kind in drawn]
    models, equal = [], rng.random() < 0.2
    for label in classes:
        if equal and models:
            models.append(models[0])
            continue
        criteria, assumed = [], []
        for j, (kind, labels) in enumerate(zip(drawn, known)):
            name = f"{kind} {j}"
            way = str(rng.choice(_NUMBERS)) if kind in _NUMBERS else kind
            read = _criteria(rng, way, j, name, labels)
            left_out = bool(j) and rng.random() < 0.2
            criteria += [] if left_out else read
            why = "it says nothing" if left_out else ""
            assumed.append(AssumedColumn(name, read[0].kind, evidence=str(label), left_out=why))
        boundary = random_boundary(rng, tuple(criteria), named=True, classes=_AGAINST)
        boundary = decided_by_points(boundary, seed) if points else boundary
        boundary = replace(boundary, missing="pessimistic")
        models.append(Model.of_two_classes(boundary, assumed=Assumed(assumed)))
    whole = ModelPerClass(np.array(classes), tuple(models))
    return RuleClassifier.of(whole.named(None))


def _criteria(rng, kind, place, name=None, known=None):
    """The ways in which a column is read."""
    name = name or f"{kind} {place}"
    gaps = _gaps(rng, kind)
    sign = int(rng.choice([-1, 1]))
    if kind in ("unordered", "two-valued", "truth"):
        return (_category(rng, name, kind, place, known),)
    if kind == "ordered":
        labels = ("low", "medium", "high")
        return (Criterion(name, sign, labels, kind, place, gaps=gaps),)
    if kind == "date":
        return (Criterion(name, sign, None, kind, place, gaps=gaps),)
    if kind == "number":
        return (Criterion(name, sign, column=place, gaps=gaps),)
    ends = (None, None)
    if kind == "turning":
        turn = float(rng.choice([0.0, 0.003, 2.0, 1e5]))
        ends = ((-np.inf, turn), (turn, np.inf))
    return tuple(
        Criterion(name, one, column=place, gaps=gaps, within=end) for one, end in zip((1, -1), ends)
    )


def _gaps(rng, kind):
    """Kinds of cells without a value: empty ones, and codes among numbers."""
    if kind == "ordered":
        places = [float(rng.integers(-1, 4))]
    else:
        places = (
            [16000.0] if kind == "date" else rng.choice([-1e9, 0.0, 0.004, 3.0, 1e9], 3).tolist()
        )
    empty = () if rng.random() < 0.3 else (Gap(places[0]),)
    if kind not in ("number", "free", "turning") or rng.random() < 0.4:
        return empty
    codes = rng.choice(CODES, 2, replace=False).tolist()
    labels = ("no record", "not usable, or lost")
    return (*empty, *(Gap(at, label, code) for at, label, code in zip(places[1:], labels, codes)))


def _known(rng, kind):
    """Labels of a category."""
    if kind == "truth":
        return ("false", "true")
    n_labels = 2 if kind == "two-valued" else int(rng.integers(3, 8))
    return tuple(sorted(rng.choice(WORDS, n_labels, replace=False).tolist()))


def _category(rng, name, kind, place, known=None):
    """A category whose rare labels share a place."""
    known = _known(rng, kind) if known is None else known
    used = int(rng.integers(1, len(known) + 1))
    places = rng.permutation([*range(used), *rng.integers(0, used, len(known) - used)])
    missing = None if rng.random() < 0.3 else float(used)
    if missing is not None and rng.random() < 0.7:  # it stands among the labels
        missing = float(rng.integers(0, used + 1))
        places += places >= missing
    n_places = used + (missing is not None)
    return Criterion(
        name,
        int(rng.choice([-1, 1])),
        tuple(f"place {i}" for i in range(n_places)),
        kind,
        place,
        known,
        tuple(places.astype(float).tolist()),
        float(rng.integers(-1, n_places)) + 0.5 * int(rng.integers(0, 2)),
        () if missing is None else (Gap(missing),),
    )


def mixed_rows(clf, seed, n):
    """A table of cells on, beside and far from the levels, missing, and never seen before."""
    rng = np.random.default_rng([seed, 12])
    model, columns = clf.model_, {}
    for one in getattr(model, "models", (model,)):
        literals = (one if hasattr(one, "literals") else one.boundaries[0]).literals
        for j, criterion in enumerate(literals.criteria):
            levels = literals.levels[literals.columns == j].tolist()
            cells = [*_cells(criterion, levels), *columns.get(criterion.name, ([],))[0], None]
            columns[criterion.name] = (cells, _type(criterion))
    return pa.table(
        {
            name: pa.array([cells[i] for i in rng.integers(0, len(cells), n)], kind)
            for name, (cells, kind) in columns.items()
        }
    )


def _cells(criterion, levels):
    if criterion.kind == "truth":
        return [True, False]
    if criterion.known is not None:
        return [*criterion.known, *WORDS[:4], *STRANGE]
    if criterion.labels is not None:
        return [*criterion.labels]
    if criterion.kind == "date":
        moments = [datetime(1970, 1, 1) + timedelta(days=level) for level in [*levels, 15000.0]]
        return [one + timedelta(microseconds=step) for one in moments for step in (-1, 0, 1)]
    ends = [end for end in criterion.within or () if np.isfinite(end)]
    near = [np.nextafter(one, way) for one in [*levels, *ends] for way in (np.inf, -np.inf)]
    beside = [*criterion.codes, *(np.nextafter(code, np.inf) for code in criterion.codes)]
    others = [*CODES, 0.0, -0.0, 1e300, -1e300, float("nan")]
    return [*map(float, near), *levels, *ends, *map(float, beside), *others]


def _type(criterion):
    if criterion.kind == "truth":
        return pa.bool_()
    if criterion.labels is not None:
        return pa.string()
    return pa.timestamp("us") if criterion.kind == "date" else pa.float64()
