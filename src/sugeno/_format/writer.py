"""From a model to a text: the same model gives the same bytes."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._exceptions import ModelFileError
from sugeno._format.protocol import FORMAT, PROTOCOL
from sugeno._format.reader import KINDS_OF_LABELS
from sugeno._scales.assumed import Assumed
from sugeno._scales.criterion import Criterion
from sugeno._scales.knots import Knots
from sugeno._scales.literals import Literals
from sugeno._scales.surfaces import Pair
from sugeno._sets.masks import Masks, unpack
from sugeno.model.boundary import Boundary, Certificate, SettledPatterns
from sugeno.model.card import Card
from sugeno.model.fitted import AnyModel
from sugeno.model.judged import Judged
from sugeno.model.model import HeldOut, Learned, Model
from sugeno.model.per_class import ModelPerClass
from sugeno.model.probability import Steps
from sugeno.model.rules import RuleSet
from sugeno.model.score_model import ScoreModel, Sum
from sugeno.model.support import Support

#: Longer values stand in several lines, unless they are innermost ones.
_LINE = 100


def write_model(model: AnyModel) -> str:
    """Write a model as JSON, ending with a new line.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno._format import write_model
    >>> model = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_
    >>> print(write_model(model)[:29])
    {
      "format": "sugeno-model",
    """
    try:
        return _layout(_whole(model)) + "\n"
    except ValueError as error:
        raise ModelFileError(f"The model cannot be written: {error}.") from None


def _whole(model: AnyModel) -> dict[str, Any]:
    """A model as dictionaries, lists, strings and numbers."""
    if isinstance(model, ModelPerClass):
        models, words = model.models, None
        # Models of ordered classes say it themselves.
        together = {} if model.held_out is None else {"held_out": _held_out(model.held_out)}
    else:
        models, words, together = (model,), model.words, {}
    return {
        "format": FORMAT,
        "protocol": PROTOCOL,
        "target": model.target,
        "words": list(words) if words else None,
        "classes": {**_classes(model.classes), "ordered": not isinstance(model, ModelPerClass)},
        "models": [_sum(one) if isinstance(one, ScoreModel) else _model(one) for one in models],
        **together,
    }


def _classes(classes: NDArray[Any]) -> dict[str, Any]:
    """Labels with the type of numpy that they have."""
    kind = classes.dtype
    name = f"str{kind.itemsize // 4}" if kind.kind == "U" else kind.name
    plain = [getattr(label, "item", lambda label=label: label)() for label in classes.tolist()]
    if not (kind.kind == "U" or name in KINDS_OF_LABELS) or any(
        type(label) not in (str, bool, int, float) for label in plain
    ):
        raise ModelFileError(
            "Class labels of a model file must be strings, whole numbers, numbers or truth "
            f"values. Got {classes.tolist()} of type {kind} instead; train with such labels."
        )
    return {"type": name, "labels": plain}


def _model(model: Model) -> dict[str, Any]:
    """One model; the utility of a single boundary stands there alone."""
    shared = None if len(model.boundaries) == 1 else model.utility
    return {
        **_read(model),
        "boundaries": [_boundary(boundary) for boundary in model.boundaries],
        **_certificate(model.certificate),
        "utility": _utility(shared),
        **_known(model),
    }


def _read(model: Model | ScoreModel) -> dict[str, Any]:
    """What a model reads, and how."""
    return {
        "named": model.has_names,
        "criteria": [_criterion(criterion) for criterion in model.criteria],
        "missing": model.missing,
    }


def _known(model: Model | ScoreModel) -> dict[str, Any]:
    """How a model was learned, what was assumed for it, and what errors cost."""
    return {
        "learned": None if model.learned is None else _learned(model.learned),
        "columns": _columns(model.assumed),
        **({} if model.costs is None else {"costs": model.costs.prices.tolist()}),
    }


def _sum(model: ScoreModel) -> dict[str, Any]:
    """A sum of steps: what each level adds, alone or together with one of another criterion."""
    first, *higher = model.boundaries
    literals, tables = first.literals, first.tables
    ends = np.cumsum(literals.chains.sizes)[:-1]
    numbers = (literals.levels, literals.worse, literals.better)
    by_criterion = zip(*(np.split(column, ends) for column in numbers), tables.single)
    steps = [
        {
            **{
                key: [*map(_extended, column.tolist())]
                for key, column in zip(("levels", "worse", "better"), columns)
            },
            "adds": np.diff(table).tolist(),
        }
        for *columns, table in by_criterion
    ]
    return {
        **_read(model),
        "slope": first.slope,
        "units": first.units,
        "constant": tables.constant,
        "steps": steps,
        "pairs": [_pair(pair) for pair in tables.pairs],
        **({"higher": [*map(_higher, higher)]} if higher else {}),
        "importances": model.importances.tolist(),
        **_known(model),
    }


def _higher(boundary: Sum) -> dict[str, Any]:
    """What a row without a level has at a higher boundary, and what each level adds alone."""
    tables = boundary.tables
    adds = [np.diff(table).tolist() for table in tables.single]
    return {"constant": tables.constant, "adds": adds}


def _pair(pair: Pair) -> dict[str, Any]:
    """What two levels add where both are reached, one entry for each two that add anything."""
    rows, columns, adds = pair.joint
    return {
        "criteria": [pair.first, pair.second],
        "first": rows.tolist(),
        "second": columns.tolist(),
        "adds": adds.tolist(),
    }


def _learned(learned: Learned) -> dict[str, Any]:
    held_out = None if learned.held_out is None else _held_out(learned.held_out)
    return {
        "kind": learned.kind,
        "teacher": learned.teacher,
        "bounded": learned.bounded,
        "held_out": held_out,
    }


def _held_out(held_out: HeldOut) -> dict[str, Any]:
    """The error on held-out rows, and their counts where somebody counted."""
    judged = held_out.judged
    return {
        "error": held_out.error,
        "n_folds": held_out.n_folds,
        "measured": held_out.measured,
        **({} if judged is None else {"counts": _judged(judged)}),
    }


def _judged(judged: Judged) -> dict[str, Any]:
    """Counts per class and probability; whole numbers stand there without a point."""
    return {
        "confusion": [_weights(line) for line in judged.confusion],
        "grades": [
            {
                "chances": grades.chances.tolist(),
                "below": _weights(grades.below),
                "above": _weights(grades.above),
            }
            for grades in judged.grades
        ],
    }


def _weights(weights: NDArray[np.float64]) -> list[float]:
    return [int(one) if one.is_integer() else one for one in weights.tolist()]


def _criterion(criterion: Criterion) -> dict[str, Any]:
    return {
        "name": criterion.name,
        "column": criterion.column,
        "kind": criterion.kind,
        "direction": criterion.direction,
        "labels": None if criterion.labels is None else list(criterion.labels),
        "places": _places(criterion),
        "gaps": [
            {
                "code": gap.code,
                "label": gap.label,
                "place": _extended(gap.place),
                "beside": [_extended(gap.worse), _extended(gap.better)],
            }
            for gap in criterion.gaps
        ],
        "within": None if criterion.within is None else [*map(_extended, criterion.within)],
    }


def _places(criterion: Criterion) -> dict[str, Any] | None:
    """Where known labels and others stand; null where a label stands where it is listed."""
    if criterion.places is None or criterion.known is None:
        return None
    return {
        "known": list(criterion.known),
        "at": list(criterion.places),
        "unseen": criterion.unseen,
    }


def _columns(assumed: Assumed | None) -> list[dict[str, Any]] | None:
    """What was assumed; of which class that is, the place of the model says."""
    if assumed is None:
        return None
    kept = [asdict(column) for column in assumed]
    return [{key: cell for key, cell in one.items() if key != "of_class"} for one in kept]


def _boundary(boundary: Boundary) -> dict[str, Any]:
    """What separates two neighbouring classes; of two classes there is one such boundary."""
    return {
        "literals": _literals(boundary),
        "form": _form(boundary),
        "rejected": _steps(boundary.probability.rejected),
        "accepted": _steps(boundary.probability.accepted),
        **_certificate(boundary.certificate),
        "importances": boundary.importances.tolist(),
        "threshold": float(boundary.threshold),
        "k": int(boundary.k),
        "normalized": bool(boundary.normalized),
        "utility": _utility(boundary.utility),
        "extent": _extent(boundary.extent, boundary.literals),
    }


def _certificate(certificate: Certificate) -> dict[str, Any]:
    return {
        "objective": _extended(float(certificate.objective)),
        "bound": _extended(float(certificate.bound)),
    }


def _literals(boundary: Boundary) -> list[dict[str, Any]]:
    literals = boundary.literals
    columns = zip(
        literals.columns.tolist(),
        literals.levels.tolist(),
        literals.worse.tolist(),
        literals.better.tolist(),
        boundary.probability.gains.tolist(),
    )
    return [
        {
            "criterion": criterion,
            "level": _extended(level),
            "worse": _extended(worse),
            "better": _extended(better),
            "gain": int(gain) if gain.is_integer() else gain,
        }
        for criterion, level, worse, better, gain in columns
    ]


def _form(boundary: Boundary) -> dict[str, Any]:
    """What decides, by its kind."""
    form = boundary.form
    return _card(form) if isinstance(form, Card) else _rules(boundary.rules)


def _rules(rules: RuleSet) -> dict[str, Any]:
    """Rules joined by "or", or clauses joined by "and"."""
    counted = _counted(rules.support, len(rules))
    return {
        "kind": rules.form,
        "counted": rules.support is not None,
        "rules": [{"literals": [*one], **counts} for one, counts in zip(rules.sets, counted)],
    }


def _card(card: Card) -> dict[str, Any]:
    """A card: the points of each literal."""
    counted = _counted(card.support, len(card))
    return {
        "kind": "points",
        "counted": card.support is not None,
        "needed": card.needed,
        "points": [{"points": one, **counts} for one, counts in zip(card.points, counted)],
        "chances": None if card.chances is None else [*card.chances],
    }


def _counted(support: Support | None, n_rules: int) -> list[dict[str, Any]]:
    """What each rule stands on; null where nobody looked."""
    unknown = Support(*np.full((3, n_rules), np.nan))
    known = unknown if support is None else support
    unique = unknown.weight if known.unique is None else known.unique
    columns = {"support": known.weight, "precision": known.precision, "unique": unique}
    rows = zip(*(column.tolist() for column in columns.values()))
    return [dict(zip(columns, map(_extended, row))) for row in rows]


def _steps(steps: Steps) -> dict[str, Any]:
    return {"starts": steps.starts.tolist(), "values": steps.values.tolist()}


def _utility(knots: Knots | None) -> dict[str, Any] | None:
    if knots is None:
        return None
    return {
        "total": int(knots.total),
        "saturate": bool(knots.saturate),
        "knots": [
            {"values": values.tolist(), "ranks": ranks.tolist()}
            for values, ranks in zip(knots.values, knots.ranks)
        ],
    }


def _extent(extent: SettledPatterns | None, literals: Literals) -> dict[str, Any] | None:
    """Both sides as sets of literals, without those that others imply."""
    if extent is None:
        return None
    sides = {"accepted": extent.accepted, "rejected": extent.rejected}
    return {side: _members(masks, literals) for side, masks in sides.items()}


def _members(masks: Masks, literals: Literals) -> list[list[int]]:
    bits = unpack(literals.chains.strongest(masks), literals.levels.size)
    return [np.flatnonzero(row).tolist() for row in bits]


def _extended(number: float) -> float | str | None:
    """Write what JSON has no number for: null where nobody knows, "inf" and "-inf"."""
    if math.isfinite(number):
        return number
    return None if math.isnan(number) else str(number)


def _layout(value: Any, level: int = 0) -> str:
    """Write JSON with short or innermost values in one line, so that people can compare files."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if level and (len(line) <= _LINE or _is_innermost(value)):
        return line
    indent, end = "  " * (level + 1), "\n" + "  " * level
    if isinstance(value, list):
        inner = [_layout(entry, level + 1) for entry in value]
    else:
        inner = [f'"{key}": {_layout(entry, level + 1)}' for key, entry in value.items()]
    first, last = "[]" if isinstance(value, list) else "{}"
    return first + "\n" + ",\n".join(indent + entry for entry in inner) + end + last


def _is_innermost(value: Any) -> bool:
    """Whether a value holds plain values, or is an object that holds lists of them."""
    if isinstance(value, dict):
        return all(not isinstance(one, dict) and _is_innermost(one) for one in value.values())
    if isinstance(value, list):
        return not any(isinstance(one, dict | list) for one in value)
    return True
