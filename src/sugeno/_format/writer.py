"""From a model to a text: the same model gives the same bytes."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from sugeno._exceptions import ModelFileError
from sugeno._format.classes import write_classes
from sugeno._format.extent import write_extent
from sugeno._format.protocol import FORMAT, OPEN, ORDINAL, TWO_CLASSES
from sugeno._scales.knots import Knots
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.model import Model
from sugeno.model.probability import Steps
from sugeno.model.rules import RuleSet
from sugeno.model.support import Support

__all__ = ["plain_data", "write_model"]

#: Values that fit into so many characters stand in one line, and so do the innermost ones.
_LINE = 100
_BROKEN_LEVELS = 4


def write_model(model: Model) -> str:
    """Write a model as JSON, ending with a new line.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno._format import write_model
    >>> model = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_
    >>> print(write_model(model)[:46])
    {
      "format": "sugeno-model",
      "protocol": 1,
    """
    try:
        return _layout(plain_data(model), 0) + "\n"
    except ValueError as error:
        raise ModelFileError(f"The model cannot be written: {error}.") from None


def plain_data(model: Model) -> dict[str, Any]:
    """Return a model as dictionaries, lists, strings and numbers."""
    if len(model.boundaries) > 1:
        return _ordered_classes(model)
    return _two_classes(model.boundaries[0])


def _two_classes(model: Boundary) -> dict[str, Any]:
    extent = {}
    if model.extent is not None:
        extent = {"extent": write_extent(model.extent, model.literals)}
    return {
        "format": FORMAT,
        "protocol": OPEN if extent else TWO_CLASSES,
        "classes": write_classes(model.labels),
        "named": model.rules.named,
        "criteria": [
            {**criterion, "importance": importance}
            for criterion, importance in zip(_criteria(model), model.importances.tolist())
        ],
        "literals": _literals(model),
        "boundaries": [_boundary(model)],
        **_integral(model),
        "missing": model.missing,
        "utility": _utility(model.utility),
        **extent,
    }


def _ordered_classes(model: Model) -> dict[str, Any]:
    """Each boundary has literals of its own; what the whole file says once is left out of it."""
    first = model.boundaries[0]
    return {
        "format": FORMAT,
        "protocol": ORDINAL,
        "classes": write_classes(model.classes),
        "named": first.rules.named,
        "criteria": _criteria(first),
        "boundaries": [
            {
                "literals": _literals(boundary),
                "importances": boundary.importances.tolist(),
                **_boundary(boundary),
                **_integral(boundary),
                "utility": _utility(boundary.utility),
            }
            for boundary in model.boundaries
        ],
        **_certificate(model.certificate),
        "missing": model.missing,
        "utility": _utility(model.utility),
    }


def _integral(model: Boundary) -> dict[str, Any]:
    return {
        "threshold": float(model.threshold),
        "k": int(model.k),
        "normalized": bool(model.normalized),
    }


def _certificate(certificate: Certificate) -> dict[str, Any]:
    return {
        "objective": _extended(float(certificate.objective)),
        "bound": _extended(float(certificate.bound)),
    }


def _criteria(model: Boundary) -> list[dict[str, Any]]:
    return [
        {
            "name": criterion.name,
            "direction": criterion.direction,
            "labels": None if criterion.labels is None else list(criterion.labels),
        }
        for criterion in model.literals.criteria
    ]


def _literals(model: Boundary) -> list[dict[str, Any]]:
    literals = model.literals
    columns = zip(
        literals.columns.tolist(),
        literals.levels.tolist(),
        literals.worse.tolist(),
        literals.better.tolist(),
        model.probability.gains.tolist(),
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


def _boundary(model: Boundary) -> dict[str, Any]:
    """What separates two neighbouring classes; of two classes there is one such boundary."""
    return {
        "form": model.rules.form,
        "counted": model.rules.support is not None,
        "rules": _rules(model.rules),
        "rejected": _steps(model.probability.rejected),
        "accepted": _steps(model.probability.accepted),
        **_certificate(model.certificate),
    }


def _rules(rules: RuleSet) -> list[dict[str, Any]]:
    counted = _counted(rules.support, len(rules))
    return [{"literals": [*members], **counts} for members, counts in zip(rules.sets, counted)]


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


def _extended(number: float) -> float | str | None:
    """Write what JSON has no number for: null where nobody knows, "inf" and "-inf"."""
    if math.isfinite(number):
        return number
    return None if math.isnan(number) else str(number)


def _layout(value: Any, level: int) -> str:
    """Write JSON with short or inner values in one line, so that a person can compare two files."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if level and (level == _BROKEN_LEVELS or len(line) <= _LINE or isinstance(value, str)):
        return line
    indent, end = "  " * (level + 1), "\n" + "  " * level
    if isinstance(value, list):
        inner = [_layout(entry, level + 1) for entry in value]
    else:
        inner = [f'"{key}": {_layout(entry, level + 1)}' for key, entry in value.items()]
    first, last = "[]" if isinstance(value, list) else "{}"
    return first + "\n" + ",\n".join(indent + entry for entry in inner) + end + last
