"""Decisions as columns of a frame that stays where it is, computed by its engine.

The columns come in steps, so that no condition is computed twice. DuckDB looks up the answers: all
answers of a small model of ordered classes are one table, and a row needs the number of its pattern
and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.columns import double_column
from sugeno.export._formula import (
    Answers,
    boundaries_of,
    condition_on,
    conditions,
    deciders_of,
    exported_model,
    exported_rules,
)
from sugeno.export._formula import columns_of as columns_read
from sugeno.export.expression import Narwhals
from sugeno.model.boundary import Boundary
from sugeno.model.fitted import AnyModel
from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass
from sugeno.model.score_model import ScoreModel

if TYPE_CHECKING:
    import duckdb
    import narwhals as nw

__all__ = [
    "MOST_PATTERNS",
    "answers_of_patterns",
    "columns_of",
    "number_of_patterns",
    "with_decisions",
]

#: Models with more possible patterns are computed rule by rule.
MOST_PATTERNS = 1 << 14

#: What can be added.
_OUTPUTS = ("prediction", "probability", "rule")
#: Names of columns that come and go begin so.
_TEMPORARY = "__sugeno_"


def columns_of(model: AnyModel, outputs: Sequence[str]) -> list[str]:
    """Return the columns that outputs add: of more than two classes a probability each.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export.frames import columns_of
    >>> clf = SugenoClassifier().fit([[1], [2], [3]], ["a", "b", "c"])
    >>> columns_of(clf.model_, ["prediction", "probability"])
    ['prediction', 'probability_a', 'probability_b', 'probability_c']
    """
    return [
        name
        for output in outputs
        for name in ([*_probabilities(model)] if output == "probability" else [output])
    ]


def _probabilities(model: AnyModel) -> dict[str, Any]:
    """The class of each column of probabilities, by the name of the column."""
    classes = model.classes.tolist()
    if not isinstance(model, ModelPerClass) and len(classes) == 2:
        return {"probability": classes[1]}
    return {f"probability_{label}": label for label in classes}


def with_decisions(classifier: Any, frame: Any, outputs: Sequence[str]) -> Any:
    """Add decisions to a frame of narwhals.

    Parameters
    ----------
    classifier : estimator
        Any fitted classifier with a ``model_``.
    frame : narwhals.DataFrame or narwhals.LazyFrame
        With a column for each criterion.
    outputs : sequence of str
        Of "prediction", "probability" and "rule", see `predict_frame`.

    Returns
    -------
    narwhals.DataFrame or narwhals.LazyFrame
        The frame with these columns.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export.frames import with_decisions
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> frame = nw.from_native(pl.DataFrame({"x0": [2, 3]}))
    >>> with_decisions(clf, frame, ["rule", "prediction"]).rows()
    [(2, None, 0), (3, 'x0 >= 3', 1)]
    """
    model = exported_rules(classifier) if "rule" in outputs else exported_model(classifier)
    _check_outputs(outputs, columns_of(model, outputs), frame.collect_schema().names())
    language = _language(frame, model)
    if (
        frame.implementation.is_duckdb()
        and isinstance(model, Model)
        and 1 < number_of_patterns(model) <= MOST_PATTERNS
    ):
        return _looked_up(frame, language, model, outputs)
    return _computed(frame, language, model, outputs)


def _check_outputs(outputs: Sequence[str], added: list[str], columns: list[str]) -> None:
    """Refuse columns that nobody can add, or that are there."""
    unknown = [name for name in outputs if name not in _OUTPUTS]
    if unknown:
        raise ValueError(f"outputs must be among {_OUTPUTS}. Got {unknown} instead.")
    there = [name for name in added if name in columns]
    if there:
        raise ValueError(
            f"The frame must not have columns {there} already, which would be replaced; rename "
            "them, or leave them out of outputs."
        )


def _language(frame: Any, model: AnyModel) -> Narwhals:
    """Expressions that read the numbers of a frame as in training."""
    import narwhals as nw

    kinds, columns = frame.collect_schema(), columns_read(model)
    numbers = [one.name for one in columns if one.labels is None and one.name in kinds]
    dates = [name for name in numbers if isinstance(kinds[name], nw.Date | nw.Datetime)]
    doubles = {name: double_column(frame, name, kinds[name]) for name in {*numbers} - {*dates}}
    texts = (nw.String, nw.Categorical, nw.Enum)
    labels = [one.name for one in columns if one.labels is not None and one.name in kinds]
    typed = [name for name in labels if not isinstance(kinds[name], texts)]
    # Training reads what the clock shows, and a cast would give the time in Greenwich.
    moments = {
        name: nw.col(name).dt.replace_time_zone(None)
        for name in dates
        if getattr(kinds[name], "time_zone", None) is not None
    }
    return Narwhals(columns[0].name, doubles, typed, moments)


def _computed(frame: Any, language: Narwhals, model: AnyModel, outputs: Sequence[str]) -> Any:
    """Conditions first, then boundaries, probabilities, and what was asked for."""
    import narwhals as nw

    decisions, deciders = Answers(language), deciders_of(model)
    steps = _Steps(frame)
    asked = {one: language.condition(one) for each in deciders for one in conditions(each)}
    met = dict(zip(asked, steps.keep(asked.values())))
    likely = "probability" in outputs or isinstance(model, ModelPerClass)
    scores: Sequence[nw.Expr | None] = [None] * len(deciders)
    if likely or model.adds_up:
        scores = steps.keep(decisions.scored(one, met) for one in deciders)
    passed = steps.keep(decisions.decided(one, met, score) for one, score in zip(deciders, scores))
    chances = steps.keep(
        decisions.likely(one, accepted, score)
        for one, accepted, score in zip(deciders, passed, scores)
        if likely and score is not None
    )
    answers = {"prediction": decisions.chosen(model, passed, chances, decisions.labels(model))}
    if "probability" in outputs:
        for name, label in _probabilities(model).items():
            answers[name] = decisions.probability(model, chances, label)
    if "rule" in outputs and not isinstance(model, ScoreModel):
        texts = [
            _deciding_part(boundary, decisions.parts(boundary, met))
            for boundary in boundaries_of(model)
        ]
        by_class = _by_class(model, texts, nothing=nw.lit(None, nw.String))
        answers["rule"] = decisions.chosen(model, passed, chances, by_class)
    return steps.done({name: answers[name] for name in columns_of(model, outputs)})


class _Steps:
    """A frame that keeps what was computed in columns which go in the end."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self.kept: list[str] = []

    def keep(self, expressions: Iterable[nw.Expr]) -> list[nw.Expr]:
        """Compute some columns, and return what stands for them."""
        import narwhals as nw

        first = len(self.kept)
        named = {f"{_TEMPORARY}{first + i}": one for i, one in enumerate(expressions)}
        if named:  # lazy frames refuse to add nothing
            self.frame = self.frame.with_columns(**named)
        self.kept += named
        return [nw.col(name) for name in named]

    def done(self, answers: Mapping[str, nw.Expr]) -> Any:
        """Add the answers, and drop what was kept."""
        return self.frame.with_columns(**answers).drop(*self.kept)


def _deciding_part(boundary: Boundary, parts: Sequence[nw.Expr]) -> nw.Expr:
    """Text of the first rule that holds, or of the first clause that does not; null for none."""
    import narwhals as nw

    missed = _speaks_of(boundary) == "missed"
    result: nw.Expr = nw.lit(None, nw.String)
    for text, holds in reversed([*zip(boundary.form, parts)]):
        result = nw.when(~holds if missed else holds).then(nw.lit(text)).otherwise(result)
    return result


def _speaks_of(boundary: Boundary) -> str | None:
    """Whether single parts of the form decide: rules by being met, clauses by being missed."""
    formula = boundary.form.formula
    if formula.joint == "and" and formula.needed == 1:
        return "met"
    return "missed" if formula.joint == "or" and formula.needed == sum(formula.points) else None


def _by_class(model: Model | ModelPerClass, texts: Sequence[Any], nothing: Any) -> list[Any]:
    """What each class has to say: the rule that leads to it, or the clause that keeps it there."""
    boundaries = boundaries_of(model)
    met, missed = (
        [text if _speaks_of(b) == kind else nothing for b, text in zip(boundaries, texts)]
        for kind in ("met", "missed")
    )
    if isinstance(model, ModelPerClass):
        return met
    below, above = [nothing, *met], [*missed, nothing]
    return [one if one is not nothing else other for one, other in zip(below, above)]


def number_of_patterns(model: Model) -> int:
    """How many patterns there can be: of the levels of a criterion a row reaches the easiest ones.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export.frames import number_of_patterns
    >>> clf = SugenoClassifier().fit([[1, 2], [2, 1], [3, 4], [4, 3]], [0, 0, 1, 1])
    >>> number_of_patterns(clf.model_)
    4
    """
    return int(np.prod([len(levels) + 1 for levels in _levels(model).values()], dtype=object))


def _levels(model: Model) -> dict[int, list[float]]:
    """Levels of each criterion that has any at some boundary, the easiest first."""
    found: dict[int, list[float]] = {}
    for j, criterion in enumerate(model.criteria):
        at = [one.literals.levels[one.literals.columns == j] for one in model.boundaries]
        levels = np.unique(np.concatenate(at)).tolist()[:: criterion.direction]
        if levels:
            found[j] = levels
    return found


def answers_of_patterns(model: Model, outputs: Sequence[str]) -> dict[str, list[Any]]:
    """Return what each column has to say about every pattern; the first criterion changes fastest.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export.frames import answers_of_patterns
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> answers_of_patterns(clf.model_, ["prediction", "rule"])
    {'prediction': [0, 1], 'rule': [None, 'x0 >= 3']}
    """
    cautious = [replace(boundary, missing="pessimistic") for boundary in model.boundaries]
    model, rows = replace(model, boundaries=tuple(cautious)), _typical_rows(model)
    places = model.passed(rows)
    answers = {"prediction": model.classes.take(places).tolist()}
    if "probability" in outputs:
        chances = model.class_probabilities(rows)
        for name, label in _probabilities(model).items():
            answers[name] = chances[:, model.classes.tolist().index(label)].tolist()
    if "rule" in outputs:
        texts = [_first_parts(boundary, rows) for boundary in model.boundaries]
        by_class = np.array(_by_class(model, texts, nothing=np.full(len(rows), None)))
        answers["rule"] = by_class[places, np.arange(len(rows))].tolist()
    return {name: answers[name] for name in columns_of(model, outputs)}


def _typical_rows(model: Model) -> NDArray[np.float64]:
    """A row of each pattern: on the hardest level that it reaches, else missing."""
    values = [[np.nan, *levels] for levels in _levels(model).values()]
    rows = np.full((number_of_patterns(model), len(model.criteria)), np.nan)
    rows[:, [*_levels(model)]] = np.array([*product(*values[::-1])])[:, ::-1]
    return rows


def _first_parts(boundary: Boundary, rows: NDArray[np.float64]) -> NDArray[np.object_]:
    """Text of the first part that decides each row; None for none."""
    fired = boundary.form.fired(boundary.satisfied(rows))
    texts = np.array([*boundary.form, None], dtype=object)
    found: NDArray[np.object_] = texts[np.column_stack([fired, np.ones(len(rows), bool)]).argmax(1)]
    return found


def _looked_up(
    frame: nw.LazyFrame[Any], language: Narwhals, model: Model, outputs: Sequence[str]
) -> nw.LazyFrame[Any]:
    """Add answers to a relation of DuckDB: lists are looked up by the number of the pattern."""
    import duckdb
    import narwhals as nw

    name = f"{_TEMPORARY}pattern"
    place = duckdb.ColumnExpression(name)
    columns = [
        duckdb.FunctionExpression("list_extract", _listed(answers), place).alias(column)
        for column, answers in answers_of_patterns(model, outputs).items()
    ]
    numbered = frame.with_columns(_pattern_number(language, model).alias(name)).to_native()
    answered = numbered.select(duckdb.StarExpression(exclude=[name]), *columns)
    result: nw.LazyFrame[Any] = nw.from_native(answered)
    return result


def _pattern_number(language: Narwhals, model: Model) -> nw.Expr:
    """The number of the pattern of a row, from 1, as `answers_of_patterns` counts them."""
    import narwhals as nw

    stride, digits = 1, []
    for j, levels in _levels(model).items():
        digit = nw.lit(0)
        for count, level in enumerate(levels, start=1):  # the hardest is asked first
            reached = language.reached(condition_on(model.criteria[j], level))
            digit = nw.when(reached).then(nw.lit(count * stride)).otherwise(digit)
        digits.append(digit)
        stride *= len(levels) + 1
    return reduce(add, digits) + 1


def _listed(answers: list[Any]) -> duckdb.Expression:
    """A list of DuckDB; rules as an ENUM, whose texts are not hashed row by row to be written."""
    import duckdb

    listed = duckdb.ConstantExpression(answers)
    texts = dict.fromkeys(text for text in answers if isinstance(text, str))
    if None not in answers or not texts:
        return listed
    quoted = ", ".join("'" + text.replace("'", "''") + "'" for text in texts)
    return listed.cast(duckdb.sqltype(f"ENUM({quoted})[]"))
