"""Small print: what an auditor asks for."""

from __future__ import annotations

import base64
import math
import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import numpy as np

from sugeno.model.model import Model
from sugeno.model.score_model import ScoreModel
from sugeno.report._markup import Html, element, join
from sugeno.report._rows import DecidedRows
from sugeno.report._words import amount


def small_print(
    rows: DecidedRows,
    command: str | None,
    options: Mapping[str, Any],
    source: str | None,
    link: Html,
) -> Html:
    """Write the section."""
    model = rows.model
    lines = [
        ("How it was learned", _learned(model)),
        *_proved(model),
        (
            "Versions",
            f"sugeno {version('sugeno')}, numpy {np.__version__}, "
            f"Python {platform.python_version()}",
        ),
        ("Fingerprint of the rows", rows.fingerprint),
        ("Source of the rows", source),
    ]
    listed = [
        join(element("dt", name), element("dd", text)) for name, text in lines if text is not None
    ]
    again = _code(options, bool(link)) if command is None else command
    return join(
        element("dl", *listed, class_="facts"),
        element("p", "This page again:"),
        element("pre", again),
        link,
    )


def _proved(model: Model | ScoreModel) -> list[tuple[str, str | None]]:
    """What is proved of rules and cards, or of a sum."""
    if isinstance(model, ScoreModel):
        return [
            ("What is proved", str(model.verify_monotone().where_these_stay(model.free_columns)))
        ]
    most = max(boundary.k for boundary in model.boundaries)
    return [("What is proved", proof(model)), ("Criteria per rule", f"at most {most}")]


def _learned(model: Model | ScoreModel) -> str | None:
    """The kind of model, as far as it is known."""
    if isinstance(model, ScoreModel):
        return "an ensemble of bagged, boosted rules of one and two criteria, written as a sum"
    learned = model.learned
    if learned is None:
        return None
    if learned.kind in ("given", "edited"):
        return {"given": "written by people", "edited": "edited by people"}[str(learned.kind)]
    if learned.teacher is not None:
        return f"levels={learned.kind!r}, from the teacher {learned.teacher}"
    return f"levels={learned.kind!r}"


def proof(model: Model) -> str | None:
    """Say what is proved, in words that cannot be read otherwise; None where nothing is.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.model.model import Learned
    >>> from sugeno.report._small_print import proof
    >>> model = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_
    >>> print(proof(replace(model, learned=Learned("shared", bounded="training error"))))
    The training error is 0. No rules of the kind that was searched have less.
    >>> distilled = Learned("distilled", "LogisticRegression", "disagreement with the teacher")
    >>> print(proof(replace(model, learned=distilled)))
    On the taught rows the expected disagreement with the teacher, LogisticRegression, is 0. No \
monotone classifier over the conditions that were searched has less, neither rules nor points. \
Nothing is proved about errors: other rules may make fewer.
    """
    learned, found = model.learned, model.certificate
    finite = math.isfinite(found.objective) and math.isfinite(found.bound)
    if learned is None or learned.bounded is None or not finite:
        return None
    value = amount(found.objective)
    less = "less" if found.gap == 0 else f"less than {amount(found.bound)}"
    if learned.teacher is None:
        return (
            f"The {learned.bounded} is {value}. No rules of the kind that was searched have {less}."
        )
    form = "cards" if model.rules.cards else "rules"
    if learned.bounded == "training error":  # of ordered classes, each with its teacher
        return (
            f"The loss on the training rows is {value}. No monotone classifier over the conditions "
            f"shown has {less}, neither rules nor points. With other conditions {form} may have "
            "less."
        )
    return (
        f"On the taught rows the expected {learned.bounded}, {learned.teacher}, is {value}. No "
        f"monotone classifier over the conditions that were searched has {less}, neither rules nor "
        f"points. Nothing is proved about errors: other {form} may make fewer."
    )


def _code(options: Mapping[str, Any], has_file: bool) -> str:
    """Python that makes the page again, from its model file where it has one."""
    given = "".join(f", {name}={_written(name, value)}" for name, value in options.items())
    if has_file:
        return (
            'import sugeno\n\nclf = sugeno.load("model.json")  # to be downloaded below\n'
            f'clf.report(X, y, "report.html"{given})'
        )
    code = "from sugeno.report import write_report\n\n"
    return f'{code}write_report(model, X, y, "report.html"{given})'


def _written(name: str, value: Any) -> str:
    """An option as it was given; an array by its name."""
    value = value.item() if isinstance(value, np.generic) else value
    plain = isinstance(value, str | bool | int | float | Mapping) or (
        isinstance(value, list | tuple) and len(value) < 100
    )
    return repr(value) if plain else name


def download(model_json: str | None) -> Html:
    """A link that holds the model file itself."""
    if model_json is None:
        return Html("")
    encoded = base64.b64encode(model_json.encode("utf-8")).decode()
    link = element(
        "a",
        "Download the model as JSON",
        href=f"data:application/json;base64,{encoded}",
        download="model.json",
    )
    return element("p", link)
