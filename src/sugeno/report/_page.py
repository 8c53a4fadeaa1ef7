"""From a model and rows to one HTML file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import column_or_1d

from sugeno.model.fitted import AnyModel, any_model_of
from sugeno.model.model import Model, shares_above
from sugeno.model.per_class import ModelPerClass
from sugeno.model.score_model import ScoreModel
from sugeno.report._assumed import assumed
from sugeno.report._axes import Axis, axes_of, both_ways, literals_payload, symbols
from sugeno.report._classes import against_the_rest, all_classes
from sugeno.report._course import course
from sugeno.report._head import head
from sugeno.report._how_good import grades_payload, how_good
from sugeno.report._markup import Html, element, embedded_json, join, section
from sugeno.report._quality import quality
from sugeno.report._rows import facts_of, judge, read_rows, rows_payload
from sugeno.report._rules import columns_by_use, form_noun, rules, sentence
from sugeno.report._small_print import download, small_print
from sugeno.report._stability import Recurrence, stability_section
from sugeno.report._sums import lead_of_sum, shown_sum, sum_payload
from sugeno.report._words import names_of

Error = float | tuple[float, float, float]

#: The scripts of the page, in the order in which they run; that which decides comes before.
_DECIDES = {False: "decision.js", True: "sums.js"}
_SCRIPTS = ("changes.js", "words.js", "case.js", "panel.js", "table.js", "cutoff.js", "start.js")


def write_report(
    model: Any,
    X: Any,
    y: Any,
    path: str | Path = "report.html",
    **options: Any,
) -> Path:
    """Write the page of a classifier: one HTML file that needs no network and no server.

    Classes without an order have a page of each class beside it, to which it links.

    Parameters
    ----------
    model : Model, ModelPerClass or fitted classifier
        What is shown.
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
    target = Path(path)
    shown = _model(model)
    if not isinstance(shown, ModelPerClass) or options.get("boundary") is not None:
        return _written(target, report_html(shown, X, y, **options))
    labels = shown.classes.tolist()
    beside = [target.with_name(f"{target.stem}-{k + 1}{target.suffix}") for k in range(len(labels))]
    own = {name: options[name] for name in ("sample_weight", "new_rows") if name in options}
    for label, place in zip(labels, beside):
        _written(place, report_html(shown, X, y, boundary=label, **own))
    links = {label: quote(place.name) for label, place in zip(labels, beside)}
    return _written(target, report_html(shown, X, y, links=links, **options))


def _written(path: Path, page: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(page.encode("utf-8", "replace"))
    return path


def _model(model: Any) -> AnyModel:
    return model if isinstance(model, AnyModel) else any_model_of(model)


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
    held_out: ArrayLike | None = None,
    boundary: object = None,
    baseline: Mapping[str, float] | None = None,
    sizes: Sequence[Mapping[str, Any]] | None = None,
    stability: Recurrence | None = None,
    command: str | None = None,
    source: str | None = None,
    model_json: str | None = None,
    links: Mapping[object, str] | None = None,
) -> str:
    """Return the page of a classifier as text.

    Parameters
    ----------
    model : Model, ModelPerClass or fitted classifier
        What is shown. Of a classifier only its model is read.
    X, y : array-like
        Rows and their labels.
    title : str, optional
        Heading of the page.
    sample_weight : array-like of shape (n,), optional
        How much each row counts in errors, coverage and evidence.
    class_names : sequence of str, optional
        How the classes are called, the lowest first; by default by their labels.
    error : float or tuple of three floats, optional
        The error on new rows as you measured it, with or without the ends of its interval.
    new_rows : bool, default=False
        Whether the classifier has not seen these rows, so that their errors are those to expect.
    held_out : array-like of shape (n, L), optional
        Probabilities of the classes by classifiers that had not seen the row, as
        ``cross_val_predict(clf, X, y, method="predict_proba")`` finds them. Errors, ROC curve,
        calibration and cut-off are then those of held-out rows.
    boundary : object, optional
        Of ordered classes: the lowest class above the boundary that the page is about. By default
        it shows all classes at once. Of classes without an order: the class that the page is
        about, against the rest.
    baseline : mapping from str to float, optional
        Errors of other classifiers to set beside it.
    sizes : sequence of dict, optional
        Of each number of rules that could be taken instead ``rules``, ``error`` and ``fidelity``
        on the training rows, as ``path_`` of a `SugenoDistiller` has them.
    stability : RuleStability, optional
        What `sugeno.rule_stability` found: which criteria, levels and conditions recur.
    command : str, optional
        The command that makes this page again; by default Python code.
    source : str, optional
        Where the rows come from, and under which licence.
    model_json : str, optional
        The model as the text of a file, to be offered for download.
    links : mapping from labels to str, optional
        Of classes without an order: where the page about each class is.

    Returns
    -------
    str
        HTML, with all text from names, labels and values escaped.

    Notes
    -----
    The page decides by itself, by the same comparisons of doubles and the same exact sums as
    `predict` and `predict_proba`. Costs one comparison of each row with each row of a higher class,
    of a part of the rows beyond some ten thousand. The page shows all rows as long as it stays well
    under a megabyte, else a part of them at equal distances.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.report import report_html
    >>> X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
    >>> page = report_html(SugenoClassifier().fit(X, y), X, y)
    >>> page.startswith("<!doctype html>"), "https://" in page
    (True, False)
    """
    given = {
        "title": title,
        "sample_weight": sample_weight,
        "class_names": class_names,
        "error": error,
        "new_rows": new_rows or None,
        "held_out": held_out,
        "boundary": boundary,
        "baseline": baseline,
        "source": source,
    }
    options = {name: value for name, value in given.items() if value is not None}
    every = _model(model)
    if isinstance(every, ModelPerClass):
        if boundary is None:
            names = names_of(every, class_names)
            rows, parts = all_classes(
                *(every, X, y, sample_weight, new_rows, names, links or {}),
                on_command_line=command is not None,
            )
            parts["title"] = join(_choice(names) if title is None else title)
            parts["print"] = small_print(rows, command, options, source, download(model_json))
            return _filled("classes.html", parts)
        shown, y = against_the_rest(every, y, boundary)
        class_names = class_names or (f"not {boundary}", str(boundary))
    elif boundary is None or every.classes.size == 2:
        shown = every
    else:
        shown, y = _at_boundary(every, y, boundary)
    rows = read_rows(shown, X, y, sample_weight)
    names = names_of(shown, class_names)
    judged = judge(rows, held_out, new_rows)
    axes = axes_of(rows)
    link, drawn = download(model_json), symbols(axes)
    deciding = _deciding(shown, names, axes) | {"grades": grades_payload(judged, shown)}
    table = rows_payload(rows, len(link) + len(drawn) + len(embedded_json(deciding)))
    parts = {
        "title": join(_title(names) if title is None else title),
        "symbols": drawn,
        "head": head(rows, judged, names, error, baseline),
        "good": how_good(judged, names),
        "quality": quality(rows, names),
        "course": Html(""),
        "course_link": _link("How many?", "#course", sizes is not None),
        "stability": stability_section(stability),
        "stability_link": _link("Stable?", "#stability", stability is not None),
        "assumed": assumed(shown, names, on_command_line=command is not None),
        "assumed_link": _link("Assumed", "#assumed", shown.assumed is not None),
        "print": small_print(rows, command, options, source, link),
    }
    if isinstance(shown, ScoreModel):
        parts |= {
            "sentence": lead_of_sum(shown, names),
            "own_links": join(
                element("a", "Criteria", href="#effects"), element("a", "Pairs", href="#pairs")
            ),
            "own": shown_sum(rows, axes),
        }
    else:
        facts = [facts_of(rows, b, table["step"]) for b in range(len(shown.boundaries))]
        deciding["typical"] = [fact.typical for side in facts for fact in side]
        noun = form_noun(shown)
        words = element("pre", shown.rules.to_text(words=True))
        if sizes is not None:
            counted = "conditions" if noun == "card" else "rules"
            parts["course"] = course(sizes, shown.rules.n_rules, counted)
        parts |= {
            "sentence": sentence(shown, names),
            "own_links": element("a", noun.capitalize(), href="#rules"),
            "own": section(
                "rules",
                f"The {noun}",
                rules(rows, axes, facts, names),
                element("details", element("summary", f"The {noun} in words"), words),
            ),
        }
    data = embedded_json({**deciding, "rows": table})
    return _filled("page.html", {**parts, "data": data}, adds_up=shown.adds_up)


def _at_boundary(
    model: Model | ScoreModel, y: Any, label: object
) -> tuple[Model | ScoreModel, Any]:
    """The model of two classes at a boundary, and the side of it on which each label lies."""
    place = model.boundary_below(label)
    above = model.places(column_or_1d(np.asarray(y))) > place
    chosen = model.at_boundary(place)
    return chosen, chosen.classes.take(above)


def _title(names: Sequence[str]) -> str:
    if len(names) > 2:
        return f"From {names[0]} to {names[-1]}"
    return _choice([names[1], names[0]])


def _choice(names: Sequence[str]) -> str:
    """Ask for one of the classes; what all are answers to is named once."""
    answers = [name.partition(" = ") for name in names]
    if len({(asked, sign) for asked, sign, _ in answers}) == 1 and answers[0][1]:
        labels = [label for _, _, label in answers]
        return f"{answers[0][0]}: {', '.join(labels[:-1])} or {labels[-1]}?"
    return _capital(f"{', '.join(names[:-1])} or {names[-1]}?")


def _capital(text: str) -> str:
    """Begin plain words with a capital letter."""
    return text.capitalize() if text.islower() and text[0].isalpha() else text


def _link(text: str, href: str, there: bool) -> Html:
    return element("a", text, href=href) if there else Html("")


def _filled(template: str, parts: Mapping[str, str], *, adds_up: bool = False) -> str:
    """Put the parts into a page, with a policy that allows this script and style only."""
    style, script = _read("page.css"), _script(adds_up)
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; "
        f"style-src '{_digest(style)}'; base-uri 'none'; form-action 'none'"
    )
    body = Template(_read(template)).substitute(parts, script=script)
    frame = Template(_read("frame.html"))
    return frame.substitute(title=parts["title"], policy=policy, style=style, body=body)


def _script(adds_up: bool) -> str:
    """All scripts in one scope of their own, so that no name of theirs meets one of the browser."""
    scripts = ("common.js", _DECIDES[adds_up], *_SCRIPTS)
    return "\n".join(['"use strict";', "(() => {", *map(_read, scripts), "})();"])


def _read(name: str) -> str:
    return (files("sugeno.report") / "static" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _deciding(model: Model | ScoreModel, names: Sequence[str], axes: list[Axis]) -> dict[str, Any]:
    """Everything that the page needs to decide by itself."""
    used, idle = columns_by_use(model)
    return {
        "names": names,
        "missing": model.missing,
        "criteria": [
            axis.payload(model.criteria[j], free=len(both_ways(model, j)) > 1)
            for j, axis in enumerate(axes)
        ],
        "order": used + idle,
        "used": len(used),
        **(sum_payload(model, axes) if isinstance(model, ScoreModel) else _boundaries(model, axes)),
    }


def _boundaries(model: Model, axes: list[Axis]) -> dict[str, Any]:
    """Literals, forms and probabilities of all boundaries.

    Literals and parts of all boundaries stand in one list each; a boundary knows its own.
    """
    boundaries = model.decisive
    shares = shares_above(len(boundaries)).tolist()
    formulas = [boundary.form.formula for boundary in boundaries]
    literals = [0, *accumulate(boundary.literals.levels.size for boundary in boundaries)]
    parts = [0, *accumulate(len(formula.parts) for formula in formulas)]
    return {
        "card": bool(model.rules.cards),
        "literals": [
            one for boundary in boundaries for one in literals_payload(boundary.literals, axes)
        ],
        "rules": [
            [first + i for i in members]
            for first, formula in zip(literals, formulas)
            for members in formula.parts
        ],
        "gains": [gain for each in boundaries for gain in each.probability.gains.tolist()],
        "boundaries": [
            {
                "rules": parts[b : b + 2],
                "literals": literals[b : b + 2],
                "share": shares[b],
                "joint": formulas[b].joint,
                "points": formulas[b].points,
                "needed": formulas[b].needed,
                "counted": formulas[b].counts_points,
                "steps": [
                    [side.starts.tolist(), side.values.tolist()]
                    for side in (boundary.probability.rejected, boundary.probability.accepted)
                ],
            }
            for b, boundary in enumerate(boundaries)
        ],
    }
