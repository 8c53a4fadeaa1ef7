"""A narwhals expression: the same answers from pandas, Polars, PyArrow, DuckDB and others."""

from __future__ import annotations

from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

from sugeno.export._formula import (
    Condition,
    Output,
    check_output,
    conditions,
    exported_model,
    scores,
)
from sugeno.model.model import Model
from sugeno.model.probability import Steps

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["deciding_rule", "to_expression"]


def to_expression(classifier: Any, *, output: Output = "accepted") -> nw.Expr:
    """Write a classifier as a narwhals expression, for frames of any library that narwhals knows.

    The frame may be lazy or live in a database: nothing is collected. Columns are called as the
    criteria are (x0, x1, … where the training data had no names). Nulls and NaN reach no level,
    whatever the library says about ``NaN >= 2``; the result has no nulls.

    Parameters
    ----------
    classifier : estimator
        Any fitted classifier with a ``model_``.
    output : {"accepted", "label", "probability"}, default="accepted"
        A truth value, the label that `predict` gives, or the probability of the positive class.
        The new column is called so.

    Returns
    -------
    narwhals.Expr
        For ``narwhals.from_native(frame).with_columns(expression)``.

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

    check_output(output)
    model = exported_model(classifier)
    accepted = _accepted(model)
    if output == "accepted":
        return accepted.alias(output)
    if output == "label":
        negative, positive = (nw.lit(label) for label in model.classes.tolist())
    else:
        score = _score(model)
        negative = _stepped(model.probability.rejected, score)
        positive = _stepped(model.probability.accepted, score)
    return nw.when(accepted).then(positive).otherwise(negative).alias(output)


def deciding_rule(classifier: Any) -> nw.Expr:
    """Write which rule decides on a row as a narwhals expression: its text, or null for none.

    Of rules joined by "or" it is the first one that holds, of clauses joined by "and" the first
    one that does not.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export.expression import deciding_rule
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> frame = nw.from_native(pl.DataFrame({"x0": [2, 3]}))
    >>> frame.select(deciding_rule(clf))["rule"].to_list()
    [None, 'x0 >= 3']
    """
    import narwhals as nw

    model = exported_model(classifier)
    held = _sets(model)
    decides = held if model.rules.form == "dnf" else [~one for one in held]
    result: nw.Expr = nw.lit(None, nw.String)
    for text, condition in reversed(list(zip(model.rules, decides))):
        result = nw.when(condition).then(nw.lit(text)).otherwise(result)
    return result.alias("rule")


def _accepted(model: Model) -> nw.Expr:
    is_dnf = model.rules.form == "dnf"
    sets = _sets(model)
    return reduce(or_ if is_dnf else and_, sets) if sets else _constant(model, not is_dnf)


def _sets(model: Model) -> list[nw.Expr]:
    """Whether each rule holds: all of its literals, or one of them for a clause."""
    literals = [_condition(condition) for condition in conditions(model)]
    is_dnf = model.rules.form == "dnf"
    return [
        reduce(and_ if is_dnf else or_, [literals[j] for j in members])
        if members
        else _constant(model, is_dnf)
        for members in model.rules.sets
    ]


def _constant(model: Model, value: bool) -> nw.Expr:
    """A constant with a value for each row: a scalar would shrink a selection to one."""
    import narwhals as nw

    gap = nw.col(model.rules.criteria[0]).is_null()
    return gap | ~gap if value else gap & ~gap


def _condition(condition: Condition) -> nw.Expr:
    import narwhals as nw

    column = nw.col(condition.column)
    if condition.labels is not None:
        return column.cast(nw.String).is_in(condition.labels).fill_null(False)
    column = column.cast(nw.Float64)  # truth values and decimals as well
    if condition.sign == "<=":  # NaN is above everything, or compares with nothing
        reached = column <= condition.level
    else:
        reached = (column >= condition.level) & ~column.is_nan()
    return reached.fill_null(False)


def _score(model: Model) -> nw.Expr:
    """Sum of the gains of all conditions that are met: whole numbers."""
    import narwhals as nw

    terms = [
        _first_met([(_condition(condition), gain) for condition, gain in steps], 0)
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
