"""SQL: one expression for a SELECT, in the dialect of the database."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

from sugeno.export._formula import (
    Condition,
    Output,
    chosen_output,
    conditions,
    exported_model,
    scores,
)
from sugeno.model.boundary import Boundary
from sugeno.model.model import Model
from sugeno.model.probability import Steps

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["to_sql"]

Dialect = Literal["duckdb", "postgres", "spark", "bigquery", "snowflake"]

#: Dialects without a function that tells whether a number is NaN; there NaN equals itself.
_NAN_EQUALS_ITSELF = ("postgres", "snowflake")
#: Dialects that can cast a truth value, which has levels from 0 to 1, to a number.
_CASTS_TRUTH = ("duckdb", "spark")
#: Whole numbers below this are the same number in every type.
_EXACT = 2**53


def to_sql(
    classifier: Any,
    *,
    dialect: Dialect = "duckdb",
    output: Output | None = None,
    label: Any = None,
) -> str:
    """Write a classifier as one SQL expression: ``SELECT (<expression>) FROM t``.

    Columns are called as the criteria are (x0, x1, … where the training data had no names), and
    always quoted. Numbers are compared as doubles with exactly the levels of the classifier. NULL
    and NaN reach no level, whatever the database says about ``NaN >= 2``; the expression itself is
    never NULL.

    Parameters
    ----------
    classifier : estimator
        Any fitted classifier with a ``model_``.
    dialect : {"duckdb", "postgres", "spark", "bigquery", "snowflake"}, default="duckdb"
        Whose SQL.
    output : {"accepted", "label", "probability"}, optional
        A truth value, the label that `predict` gives, or the probability of the positive class. By
        default "accepted", of ordered classes "label".
    label : object, optional
        Of ordered classes: the class whose probability is asked for.

    Returns
    -------
    str
        The expression, without a trailing semicolon.

    Notes
    -----
    Needs ``pip install 'sugeno[sql]'``. Columns of ordered labels are compared with the labels, as
    text or an enumeration; columns of numbers may have any numeric type. Columns of truth values
    are cast in DuckDB and Spark; for other databases cast them to an integer yourself.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export import to_sql
    >>> X, y = [[1, 9], [2, 8], [3, 8], [4, 7]], [0, 0, 1, 1]
    >>> clf = SugenoClassifier(k=1, levels="single", directions=[1, -1]).fit(X, y)
    >>> to_sql(clf)
    'COALESCE(("x0" >= 3 AND NOT ISNAN("x0")), FALSE)'
    """
    model = exported_model(classifier)
    chosen = chosen_output(model, output, label)
    if dialect not in get_args(Dialect):
        raise ValueError(f"dialect must be one of {', '.join(get_args(Dialect))}. Got {dialect!r}.")
    try:
        import sqlglot  # noqa: F401
    except ImportError as error:
        raise ImportError("to_sql needs sqlglot: pip install 'sugeno[sql]'") from error
    if len(model.boundaries) > 1:
        return _ordered(model, dialect, None if chosen == "label" else label)
    return _Writer(model.boundaries[0], dialect).expression(chosen)


def _ordered(model: Model, dialect: Dialect, label: Any) -> str:
    """The class of a row, from the highest boundary down; or the probability of a class."""
    writers = [_Writer(boundary, dialect) for boundary in model.decisive]
    labels = model.classes.tolist()
    if label is None:
        texts = [_value(one).sql(dialect=dialect) for one in labels]
        branches = [(one.expression("accepted"), text) for one, text in zip(writers, texts[1:])]
        return _case(branches[::-1], texts[0])
    chances = [writer.expression("probability") for writer in writers]
    place = labels.index(label)
    if place == len(writers):
        return _least(chances)
    return f"({_least(chances[:place]) if place else '1'} - {_least(chances[: place + 1])})"


def _least(parts: Sequence[str]) -> str:
    return f"LEAST({', '.join(parts)})" if len(parts) > 1 else parts[0]


@dataclass(frozen=True)
class _Writer:
    """Writes one model in one dialect.

    sqlglot writes what dialects differ in: names, numbers, text, casts, functions. What joins them
    (AND, OR, CASE) is the same everywhere, and joined as text: that takes linear time.
    """

    model: Boundary
    dialect: Dialect

    def expression(self, output: Output) -> str:
        """Write what was asked for."""
        if output == "accepted":
            return self._accepted
        if output == "label":
            negative, positive = (self._sql(_value(label)) for label in self.model.labels.tolist())
        else:
            probability = self.model.probability
            negative, positive = map(self._stepped, (probability.rejected, probability.accepted))
        return _case([(self._accepted, positive)], negative)

    def _sql(self, node: exp.Expr) -> str:
        return node.sql(dialect=self.dialect)

    @cached_property
    def _conditions(self) -> dict[Condition, str]:
        return {condition: self._condition(condition) for condition in conditions(self.model)}

    @cached_property
    def _accepted(self) -> str:
        """The rules, with FALSE where they are NULL: where they hang on a missing value."""
        literals, rules = list(self._conditions.values()), self.model.rules
        inner, outer = ("AND", "OR") if rules.form == "dnf" else ("OR", "AND")
        sets = [_joined(inner, [literals[j] for j in members]) for members in rules.sets]
        return f"COALESCE({_joined(outer, sets)}, FALSE)"

    def _condition(self, condition: Condition) -> str:
        from sqlglot import exp

        column: exp.Expr = exp.column(condition.column, quoted=True)
        if condition.labels is not None:
            values = [exp.Literal.string(label) for label in condition.labels]
            return self._sql(exp.In(this=column, expressions=values) if values else exp.false())
        if self.dialect in _CASTS_TRUTH and 0 <= condition.level <= 1:
            column = exp.cast(column, "double")
        level = _number(condition.level)
        if condition.sign == "<=":  # NaN is above everything, or compares with nothing
            return self._sql(exp.LTE(this=column, expression=level))
        reached = exp.GTE(this=column, expression=level)
        return f"({self._sql(reached)} AND {self._sql(self._not_nan(column))})"

    def _not_nan(self, column: exp.Expr) -> exp.Expr:
        from sqlglot import exp

        if self.dialect in _NAN_EQUALS_ITSELF:
            nan = exp.cast(exp.Literal.string("NaN"), "double")
            return exp.NEQ(this=column.copy(), expression=nan)
        return exp.Not(this=exp.IsNan(this=column.copy()))

    def _stepped(self, steps: Steps) -> str:
        """A probability by score; the first value holds below the first start too."""
        first, *values = (self._sql(_double(value)) for value in steps.values.tolist())
        branches = [
            (f"{self._score} >= {self._sql(_number(start))}", value)
            for start, value in zip(steps.starts[1:].tolist(), values)
        ]
        return _case(branches[::-1], first) if branches else first

    @cached_property
    def _score(self) -> str:
        """Sum of the gains of all conditions that are met: whole numbers."""
        terms = [
            _case([(self._conditions[condition], str(gain)) for condition, gain in steps], "0")
            for steps in scores(self.model)
        ]
        return f"({' + '.join(terms)})" if terms else "0"


def _joined(connector: str, parts: Sequence[str]) -> str:
    """Join conditions; none of them are TRUE by "and", FALSE by "or"."""
    if not parts:
        return "TRUE" if connector == "AND" else "FALSE"
    joined = f" {connector} ".join(parts)
    return f"({joined})" if len(parts) > 1 else joined


def _case(branches: Sequence[tuple[str, str]], otherwise: str) -> str:
    cases = " ".join(f"WHEN {condition} THEN {value}" for condition, value in branches)
    return f"CASE {cases} ELSE {otherwise} END"


def _number(number: float) -> exp.Expr:
    """A number to compare with; a whole one is the same in every type and needs no cast."""
    from sqlglot import exp

    if number.is_integer() and abs(number) < _EXACT:
        return _signed(exp.Literal.number(abs(int(number))), number)
    return _double(number)


def _double(number: float) -> exp.Expr:
    """A number that reads back as the same double in every dialect.

    With an exponent it is a double or a decimal to begin with, and not rounded on the way.
    """
    from sqlglot import exp

    if math.isinf(number):
        return exp.cast(exp.Literal.string(str(number)), "double")
    text = repr(abs(number))
    digits = exp.Literal.number(text if "e" in text else f"{text}e0")
    return exp.cast(_signed(digits, number), "double")


def _signed(digits: exp.Expr, number: float) -> exp.Expr:
    from sqlglot import exp

    return exp.Neg(this=digits) if number < 0 else digits


def _value(label: Any) -> exp.Expr:
    """A class label."""
    from sqlglot import exp

    if isinstance(label, bool):
        return exp.true() if label else exp.false()
    if isinstance(label, int):
        return _signed(exp.Literal.number(abs(label)), label)
    return _double(label) if isinstance(label, float) else exp.Literal.string(str(label))
