"""A narwhals expression: the same answers from pandas, Polars, PyArrow, DuckDB and others."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any, TypeAlias

from sugeno._scales.columns import double_column, spellings
from sugeno._scales.criterion import Criterion
from sugeno.export._formula import (
    Condition,
    Output,
    chosen_output,
    conditions,
    exported_model,
    scores,
)
from sugeno.export._lookup import (
    MOST_PATTERNS,
    answers_of_patterns,
    number_of_patterns,
    pattern_number,
    with_answers,
)
from sugeno.model.boundary import Boundary
from sugeno.model.model import Model
from sugeno.model.probability import Steps

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["to_expression", "with_decisions"]

#: Whether each condition is met, as an expression.
Met: TypeAlias = "Mapping[Condition, nw.Expr]"
#: Columns of a known frame as doubles, by name.
Doubles: TypeAlias = "Mapping[str, nw.Expr]"


def to_expression(classifier: Any, *, output: Output | None = None, label: Any = None) -> nw.Expr:
    """Write a classifier as a narwhals expression, for frames of any library that narwhals knows.

    The frame may be lazy or live in a database: nothing is collected. Columns are called as the
    criteria are (x0, x1, … where the training data had no names). Nulls and NaN reach no level,
    whatever the library says about ``NaN >= 2``; the result has no nulls.

    Parameters
    ----------
    classifier : estimator
        Any fitted classifier with a ``model_``.
    output : {"accepted", "label", "probability"}, optional
        A truth value, the label that `predict` gives, or the probability of the positive class.
        The new column is called so. By default "accepted", of ordered classes "label".
    label : object, optional
        Of ordered classes: the class whose probability is asked for.

    Returns
    -------
    narwhals.Expr
        For ``narwhals.from_native(frame).with_columns(expression)``.

    Notes
    -----
    Decimals are cast to doubles by the library of the frame, which in PyArrow may be wrong by the
    last bit; `predict_frame` knows the frame, and is exact.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export import to_expression
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> frame = pl.LazyFrame({"x0": [2.0, 3.0, None, float("nan")]})
    >>> answers = nw.from_native(frame).select(to_expression(clf))
    >>> answers.collect()["accepted"].to_list()
    [False, True, False, False]
    """
    import narwhals as nw

    model = exported_model(classifier)
    chosen = chosen_output(model, output, label)
    if len(model.boundaries) > 1:
        found = _class(model) if chosen == "label" else _class_probability(model, label)
        return found.alias(chosen)
    (boundary,) = model.boundaries
    met = _met(boundary)
    accepted = _accepted(boundary, met)
    if chosen == "accepted":
        return accepted.alias(chosen)
    if chosen == "label":
        negative, positive = (nw.lit(one) for one in model.classes.tolist())
        return nw.when(accepted).then(positive).otherwise(negative).alias(chosen)
    return _probability(boundary, accepted, _score(boundary, met)).alias(chosen)


def _class(model: Model, doubles: Doubles | None = None) -> nw.Expr:
    """The highest class whose rules hold."""
    import narwhals as nw

    lowest, *labels = model.classes.tolist()
    result = nw.lit(lowest)
    for boundary, label in zip(model.boundaries, labels):  # the last one is asked first
        accepted = _accepted(boundary, _met(boundary, doubles))
        result = nw.when(accepted).then(nw.lit(label)).otherwise(result)
    return result


def _class_probability(model: Model, label: Any) -> nw.Expr:
    """Probability of the class or a higher one, less that of a higher one."""
    import narwhals as nw

    place = model.classes.tolist().index(label)
    chances = []
    for boundary in model.decisive[: place + 1]:
        met = _met(boundary)
        chances.append(_probability(boundary, _accepted(boundary, met), _score(boundary, met)))
    higher = nw.min_horizontal(*chances)
    if place == 0:
        return 1.0 - higher
    if place == len(model.boundaries):
        return higher
    return nw.min_horizontal(*chances[:-1]) - higher


def with_decisions(classifier: Any, frame: Any, outputs: Sequence[str]) -> Any:
    """Add decisions to a frame of narwhals, in steps: no condition is computed twice.

    DuckDB looks up the answers by the number of a row's pattern, where there are not too many.

    Parameters
    ----------
    classifier : estimator
        Any fitted classifier with a ``model_``.
    frame : narwhals.DataFrame or narwhals.LazyFrame
        With a column for each criterion.
    outputs : sequence of str
        Of "prediction", "probability" (of the positive class) and "rule": the first rule that
        holds, of clauses joined by "and" the first one that does not; null if there is none. Of
        ordered classes the prediction alone.

    Returns
    -------
    narwhals.DataFrame or narwhals.LazyFrame
        The frame with these columns.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export.expression import with_decisions
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> frame = nw.from_native(pl.DataFrame({"x0": [2, 3]}))
    >>> with_decisions(clf, frame, ["rule", "prediction"]).rows()
    [(2, None, 0), (3, 'x0 >= 3', 1)]
    """
    import narwhals as nw

    whole = exported_model(classifier)
    doubles = _doubles(frame, whole.criteria)
    if len(whole.boundaries) > 1:
        return frame.with_columns(_class(whole, doubles).alias("prediction"))
    (model,) = whole.boundaries
    if frame.implementation.is_duckdb() and 1 < number_of_patterns(model) <= MOST_PATTERNS:
        number = pattern_number(model, [_reached(one, doubles) for one in conditions(model)])
        return with_answers(frame, number, answers_of_patterns(model), outputs)
    met = _met(model, doubles)
    names = {condition: f"__sugeno_literal_{i}" for i, condition in enumerate(met)}
    if names:  # engines add no columns at all only by an error
        frame = frame.with_columns(*(met[literal].alias(name) for literal, name in names.items()))
    known = {condition: nw.col(name) for condition, name in names.items()}
    steps = frame.with_columns(
        _deciding_rule(model, known).alias("__sugeno_rule"),
        _score(model, known).alias("__sugeno_score"),
    )
    rule, score = nw.col("__sugeno_rule"), nw.col("__sugeno_score")
    accepted = rule.is_null() if model.rules.form == "cnf" else ~rule.is_null()
    negative, positive = (nw.lit(label) for label in model.labels.tolist())
    answers = {
        "prediction": nw.when(accepted).then(positive).otherwise(negative),
        "probability": _probability(model, accepted, score),
        "rule": rule,
    }
    steps = steps.with_columns(*(answers[name].alias(name) for name in outputs))
    return steps.drop(*names.values(), "__sugeno_rule", "__sugeno_score")


def _deciding_rule(model: Boundary, met: Met) -> nw.Expr:
    """Text of the first rule that holds, or of the first clause that does not; null for none."""
    import narwhals as nw

    held = _sets(model, met)
    decides = held if model.rules.form == "dnf" else [~one for one in held]
    result: nw.Expr = nw.lit(None, nw.String)
    for text, condition in reversed(list(zip(model.rules, decides))):
        result = nw.when(condition).then(nw.lit(text)).otherwise(result)
    return result


def _probability(model: Boundary, accepted: nw.Expr, score: nw.Expr) -> nw.Expr:
    import narwhals as nw

    negative = _stepped(model.probability.rejected, score)
    positive = _stepped(model.probability.accepted, score)
    return nw.when(accepted).then(positive).otherwise(negative)


def _met(model: Boundary, doubles: Doubles | None = None) -> Met:
    """Whether each condition of a model is met."""
    return {one: _reached(one, doubles).fill_null(False) for one in conditions(model)}


def _doubles(frame: Any, criteria: Sequence[Criterion]) -> Doubles:
    """The criteria of a frame that are numbers, read as in training."""
    kinds = frame.collect_schema()
    numbers = [criterion.name for criterion in criteria if criterion.labels is None]
    return {name: double_column(frame, name, kinds[name]) for name in numbers if name in kinds}


def _accepted(model: Boundary, met: Met) -> nw.Expr:
    is_dnf = model.rules.form == "dnf"
    sets = _sets(model, met)
    return reduce(or_ if is_dnf else and_, sets) if sets else _constant(model, not is_dnf)


def _sets(model: Boundary, met: Met) -> list[nw.Expr]:
    """Whether each rule holds: all of its literals, or one of them for a clause."""
    literals = [met[condition] for condition in conditions(model)]
    is_dnf = model.rules.form == "dnf"
    return [
        reduce(and_ if is_dnf else or_, [literals[j] for j in members])
        if members
        else _constant(model, is_dnf)
        for members in model.rules.sets
    ]


def _constant(model: Boundary, value: bool) -> nw.Expr:
    """A constant with a value for each row: a scalar would shrink a selection to one."""
    import narwhals as nw

    gap = nw.col(model.rules.criteria[0]).is_null()
    return gap | ~gap if value else gap & ~gap


def _reached(condition: Condition, doubles: Doubles | None = None) -> nw.Expr:
    """Whether a row meets a condition; null where its value is null."""
    import narwhals as nw

    column = nw.col(condition.column)
    if condition.labels is not None:
        texts = [text for label in condition.labels for text in spellings(label)]
        # PyArrow does not look for anything in an empty list.
        return column.cast(nw.String).is_in(texts) if texts else column.is_null() & False
    # Without a frame: truth values and decimals are cast as its engine does it.
    number = (doubles or {}).get(condition.column, column.cast(nw.Float64))
    # NaN is above everything, infinity included, or compares with nothing.
    if condition.sign == "<=":
        return number <= condition.level
    return number.is_between(condition.level, math.inf)


def _score(model: Boundary, met: Met) -> nw.Expr:
    """Sum of the gains of all conditions that are met: whole numbers."""
    import narwhals as nw

    terms = [
        _first_met([(met[condition], gain) for condition, gain in steps], 0)
        for steps in scores(model)
    ]
    return reduce(lambda total, term: total + term, terms) if terms else nw.lit(0)


def _stepped(steps: Steps, score: nw.Expr) -> nw.Expr:
    """A probability by score; the first value holds below the first start too."""
    pairs = list(zip(steps.starts.tolist(), steps.values.tolist()))
    return _first_met([(score >= start, value) for start, value in pairs[:0:-1]], pairs[0][1])


def _first_met(branches: list[tuple[nw.Expr, float]], otherwise: float) -> nw.Expr:
    """Value of the first condition that is met."""
    import narwhals as nw

    result = nw.lit(otherwise)
    for condition, value in reversed(branches):
        result = nw.when(condition).then(nw.lit(value)).otherwise(result)
    return result
