"""From a model and rows to one HTML file."""

from __future__ import annotations

import base64
import hashlib
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from string import Template
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sugeno._scales.literals import Literals
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.fitted import model_of
from sugeno.model.model import Model
from sugeno.report._axes import Axis, axes_of, symbols
from sugeno.report._boundary import at_boundary
from sugeno.report._classes import ordered_parts
from sugeno.report._course import course
from sugeno.report._errors import Figure, comparison, error_figures, figures, proof_figure
from sugeno.report._markup import Html, element, embedded_json, join
from sugeno.report._quality import quality
from sugeno.report._rows import Rows, read_ordered_rows, read_rows, rows_payload
from sugeno.report._rules import (
    RuleFacts,
    criteria_by_use,
    facts_of,
    grid,
    sentence,
    used_literals,
)
from sugeno.report._words import amount, class_names_of, names_of, percent, plural, relations

__all__ = ["report_html", "write_report"]

Error = float | tuple[float, float, float]

#: The scripts of the page, in the order in which they run.
_SCRIPTS = ("decision.js", "words.js", "case.js", "panel.js", "table.js", "start.js")


def write_report(
    model: Any,
    X: Any,
    y: Any,
    path: str | Path = "report.html",
    **options: Any,
) -> Path:
    """Write the page of a classifier: one HTML file that needs no network and no server.

    Parameters
    ----------
    model : Boundary or fitted classifier
        What is shown. Of a classifier also its parameters, its folds and its path of rules.
    X : array-like or frame of shape (n, m)
        Rows to show the rules on, with the columns of the training data.
    y : array-like of shape (n,)
        Their labels.
    path : str or path, default="report.html"
        Where to write; folders that are missing are made.
    **options
        As for `report_html`.

    Returns
    -------
    Path
        The file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.report import write_report
    >>> X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
    >>> clf = SugenoClassifier().fit(X, y)
    >>> with TemporaryDirectory() as folder:
    ...     page = write_report(clf, X, y, f"{folder}/report.html", title="Loans")
    ...     "<title>Loans</title>" in page.read_text(encoding="utf-8")
    True
    """
    page = report_html(model, X, y, **options)
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(page.encode("utf-8", "replace"))
    return target


def report_html(
    model: Any,
    X: Any,
    y: Any,
    *,
    title: str | None = None,
    sample_weight: ArrayLike | None = None,
    class_names: Sequence[str] | None = None,
    error: Error | None = None,
    new_rows: bool = False,
    boundary: object = None,
    baseline: Mapping[str, float] | None = None,
    command: str | None = None,
    source: str | None = None,
    model_json: str | None = None,
) -> str:
    """Return the page of a classifier as text.

    Parameters
    ----------
    model : Model or fitted classifier
        What is shown.
    X, y : array-like
        Rows and their labels.
    title : str, optional
        Heading of the page.
    sample_weight : array-like of shape (n,), optional
        How much each row counts in errors, coverage and evidence.
    class_names : sequence of str, optional
        How the negative and the positive class are called, or all ordered classes, the lowest
        first; by default their labels.
    error : float or tuple of three floats, optional
        The error on new rows as you measured it, with or without the ends of its interval.
    new_rows : bool, default=False
        Whether the classifier has not seen these rows, so that their errors are those to expect.
    boundary : object, optional
        Of ordered classes: the lowest class above the boundary that the page is about. By default
        it shows all classes at once.
    baseline : mapping from str to float, optional
        Errors of other classifiers to set beside it.
    command : str, optional
        The command that makes this page again; by default Python code.
    source : str, optional
        Where the rows come from, and under which licence.
    model_json : str, optional
        The model as the text of a file, to be offered for download.

    Returns
    -------
    str
        HTML, with all text from names, labels and values escaped.

    Notes
    -----
    The page decides by itself, by the same comparisons of doubles and the same exact sums as
    `predict` and `predict_proba`. Costs one comparison of each negative with each positive row, of
    a part of the rows beyond some ten thousand; the page shows all rows as long as
    it stays well under a megabyte, else every so many-th.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.report import report_html
    >>> X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
    >>> page = report_html(SugenoClassifier().fit(X, y), X, y)
    >>> page.startswith("<!doctype html>"), "https://" in page
    (True, False)
    """
    fitted: Any = model if isinstance(model, Model) else model_of(model)
    is_ordered = boundary is None and len(fitted.boundaries) > 1
    if not is_ordered:
        fitted, y = at_boundary(fitted, y, fitted.classes[1] if boundary is None else boundary)
    every = (
        read_ordered_rows(fitted, X, y, sample_weight)
        if is_ordered
        else [read_rows(fitted, X, y, sample_weight)]
    )
    names = (class_names_of if is_ordered else names_of)(
        fitted.classes if is_ordered else fitted.labels, class_names
    )
    rows = every[0]
    axes = axes_of(rows, [used_literals(boundary.rules) for boundary in rows.models])
    link, drawn = _download(model_json), symbols(axes)
    deciding = _deciding(rows, names, axes, fitted.decisive if is_ordered else (fitted,))
    shown = rows_payload(rows, len(link) + len(drawn) + len(embedded_json(deciding)))
    facts = [facts_of(side, shown["step"]) for side in every]
    if is_ordered:
        own = ordered_parts(every, names, axes, facts, fitted, model, error, new_rows, baseline)
    else:
        own = _two_classes(rows, names, axes, facts[0], model, error, new_rows, baseline)
    typical = [fact.typical for side in facts for fact in side]
    parts = {
        **own,
        "title": join(str(own["title"]) if title is None else title),
        "symbols": drawn,
        "quality": quality(rows, names),
        "print": _small_print(rows, model, fitted.certificate, command, source, link),
        "data": embedded_json({**deciding, "typical": typical, "rows": shown}),
    }
    return _fill(parts)


def _two_classes(
    rows: Rows,
    names: tuple[str, ...],
    axes: list[Axis],
    facts: list[RuleFacts],
    model: Any,
    error: Error | None,
    new_rows: bool,
    baseline: Mapping[str, float] | None,
) -> dict[str, str]:
    """What a page says of two classes in its own words."""
    pair = names[0], names[1]
    found = error_figures(rows, pair, error, model, new_rows)
    return {
        "title": _title(pair),
        "sentence": sentence(rows.model.rules, pair),
        "figures": figures([found, *_figures(rows, model, pair)]),
        "comparison": comparison(found.value, baseline),
        "grid": grid(rows, axes, facts, pair),
        "words": element("pre", rows.model.rules.to_text(words=True)),
        "classes": "",
        "classes_link": "",
        "course": _course(model),
        "course_link": _course_link(model),
    }


def _title(names: tuple[str, str]) -> str:
    question = f"{names[1]} or {names[0]}?"
    return question.capitalize() if question.islower() and question[0].isalpha() else question


def _fill(parts: Mapping[str, str]) -> str:
    """Put the parts into the template, with a policy that allows this script and style only."""
    style, script = _read("page.css"), _script()
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; "
        f"style-src '{_digest(style)}'; base-uri 'none'; form-action 'none'"
    )
    return Template(_read("page.html")).substitute(parts, policy=policy, style=style, script=script)


def _script() -> str:
    """All scripts in one scope of their own, so that no name of theirs meets one of the browser."""
    return "\n".join(['"use strict";', "(() => {", *map(_read, _SCRIPTS), "})();"])


def _read(name: str) -> str:
    return (files("sugeno.report") / "static" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _figures(rows: Rows, model: Any, names: tuple[str, str]) -> list[Figure]:
    """The figures of the head beside the error."""
    n, m = rows.values.shape
    fitted = rows.model
    used, _ = criteria_by_use(rows)
    share = float(rows.weight[rows.positive].sum() / rows.weight.sum())
    noun = "rule" if fitted.rules.form == "dnf" else "condition"
    longest = max((len(members) for members in fitted.rules.sets), default=0)
    return [
        Figure(
            amount(n),
            f"rows, {plural(m, 'criterion', 'criteria')}",
            f"{percent(share)} of them {names[1]}",
        ),
        Figure(
            amount(len(fitted.rules)),
            noun if len(fitted.rules) == 1 else f"{noun}s",
            f"about {plural(len(used), 'criterion', 'criteria')}, at most {longest} in each",
        ),
        proof_figure(fitted.certificate, _is_taught(model)),
    ]


def _is_taught(model: Any) -> bool:
    """Whether the certificate is about a teacher."""
    return hasattr(model, "teacher_") or getattr(model, "levels_", None) == "distilled"


def _path(model: Any) -> Any:
    """Errors by number of rules, where the classifier knows them."""
    return getattr(model, "path_", getattr(model, "distillation_path_", None))


def _course_link(model: Any) -> Html:
    known = _path(model) is not None
    return element("a", "Number of rules", href="#course") if known else Html("")


def _course(model: Any) -> Html:
    """The part about the number of rules."""
    path = _path(model)
    if path is None:
        return Html("")
    chosen = model.model_.rules.n_rules
    return element(
        "section",
        element("h2", "How much for how many rules"),
        element(
            "p",
            "Fewer rules are easier to read, more follow the teacher more closely. Shares of the "
            "training rows.",
            class_="intro",
        ),
        course(path, chosen),
        id="course",
    )


def _deciding(
    rows: Rows, names: tuple[str, ...], axes: list[Axis], models: Sequence[Boundary]
) -> dict[str, Any]:
    """Everything that the page needs to decide by itself.

    Literals and rules of all boundaries stand in one list each; a boundary knows its parts.
    """
    model = rows.model
    used, idle = criteria_by_use(rows)
    rules = [len(each.rules) for each in models]
    literals = [each.literals.levels.size for each in models]
    firsts = [0, *accumulate(literals)]
    return {
        "names": names,
        "form": model.rules.form,
        "missing": model.missing,
        "criteria": [
            {
                "name": criterion.name,
                "direction": criterion.direction,
                "labels": criterion.labels,
                "stops": axis.stops.tolist(),
                "even": axis.even,
                "low": axis.low,
                "high": axis.high,
            }
            for criterion, axis in zip(model.literals.criteria, axes)
        ],
        "order": used + idle,
        "used": len(used),
        "literals": [written for each in models for written in _literals(each.literals, axes)],
        "rules": [
            [first + i for i in members]
            for first, each in zip(firsts, models)
            for members in each.rules.sets
        ],
        "gains": [gain for each in models for gain in each.probability.gains.tolist()],
        "boundaries": [
            {
                "rules": [first_rule, first_rule + rules[b]],
                "literals": [firsts[b], firsts[b] + literals[b]],
                "steps": [
                    [side.starts.tolist(), side.values.tolist()]
                    for side in (each.probability.rejected, each.probability.accepted)
                ],
            }
            for b, (each, first_rule) in enumerate(zip(models, [0, *accumulate(rules)]))
        ],
    }


def _literals(literals: Literals, axes: list[Axis]) -> list[list[Any]]:
    """Criterion, level, text and place on the axis of each literal."""
    directions = literals.directions.tolist()
    return [
        [j, level, text, round(axes[j].place(level, directions[j]), 4)]
        for j, level, text in zip(
            literals.columns.tolist(), literals.levels.tolist(), relations(literals)
        )
    ]


def _download(model_json: str | None) -> Html:
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


def _small_print(
    rows: Rows,
    model: Any,
    certificate: Certificate,
    command: str | None,
    source: str | None,
    link: Html,
) -> Html:
    """What an auditor asks for."""
    lines: list[tuple[str, str]] = [
        ("Model", type(model).__name__),
        ("Criteria per rule", f"at most {rows.model.k}"),
        (
            "Training",
            f"objective {certificate.objective:.6g}, proved bound {certificate.bound:.6g}",
        ),
        (
            "Versions",
            f"sugeno {version('sugeno')}, numpy {np.__version__}, "
            f"Python {platform.python_version()}",
        ),
        ("Fingerprint of the rows", rows.fingerprint),
    ]
    if source is not None:
        lines.append(("Source of the rows", source))
    listed = [join(element("dt", name), element("dd", text)) for name, text in lines]
    return join(
        element("dl", *listed, class_="facts"),
        element("p", "This page again:"),
        element("pre", _code(model) if command is None else command),
        link,
    )


def _code(model: Any) -> str:
    if not hasattr(model, "model_"):
        return 'from sugeno.report import write_report\n\nwrite_report(model, X, y, "report.html")'
    name = type(model).__name__
    return (
        f'from sugeno import {name}\n\nclf = {model!r}.fit(X, y)\nclf.report(X, y, "report.html")'
    )
