"""SQL: one expression for a SELECT, in the dialect of the database."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

from sugeno._scales.surfaces import Ints
from sugeno.export._formula import (
    Answers,
    Condition,
    Output,
    by_cases,
    chosen_output,
    exported_model,
)

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["to_sql"]

Dialect = Literal["duckdb", "postgres", "spark", "bigquery", "snowflake"]

#: Dialects without a function that tells whether a number is NaN; there NaN equals itself.
_NAN_EQUALS_ITSELF = ("postgres", "snowflake")
#: Dialects that can cast a truth value, which has levels from 0 to 1, to a number.
_CASTS_TRUTH = ("duckdb", "spark")
#: How an entry of an array is looked up, by its place from 1 on; as a text the array is planned in
#: no time.
_ARRAYS = {
    "duckdb": "LIST_EXTRACT(CAST('[{}]' AS BIGINT[]), {})",
    "postgres": "(CAST('{{{}}}' AS BIGINT[]))[{}]",
}
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
    and NaN reach no level, whatever the database says about ``NaN >= 2``, unless the classifier has
    a place for what is missing. The expression itself is never NULL.

    Parameters
    ----------
    classifier : estimator
        Any fitted classifier with a ``model_``.
    dialect : {"duckdb", "postgres", "spark", "bigquery", "snowflake"}, default="duckdb"
        Whose SQL.
    output : {"accepted", "label", "probability"}, optional
        A truth value (of two classes), the label that `predict` gives, or the probability of a
        class. By default "accepted" for two classes, "label" for more.
    label : object, optional
        The class whose probability is asked for; by default the positive one of two.

    Returns
    -------
    str
        The expression, without a trailing semicolon.

    Notes
    -----
    Needs ``pip install 'sugeno[sql]'``. Columns of labels are compared with the labels, as text or
    an enumeration; columns of numbers may have any numeric type. Columns of truth values are cast
    in DuckDB and Spark; for other databases cast them to an integer yourself. Of a table of any
    kind, conditions say what missing cells and unseen labels mean (``OR "home" IS NULL``,
    ``NOT "home" IN ('rent')``).

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
    chosen, meant = chosen_output(model, output, label)
    if dialect not in get_args(Dialect):
        raise ValueError(f"dialect must be one of {', '.join(get_args(Dialect))}. Got {dialect!r}.")
    try:
        import sqlglot  # noqa: F401
    except ImportError as error:
        raise ImportError("to_sql needs sqlglot: pip install 'sugeno[sql]'") from error
    written = Answers(_Sql(dialect)).answer(model, chosen, meant)
    # Whether a row is accepted is unknown where that hangs on a missing value; CASE says no there.
    return f"COALESCE({written}, FALSE)" if chosen == "accepted" else written


@dataclass(frozen=True)
class _Sql:
    """One dialect as a `AnswerLanguage`.

    sqlglot writes what dialects differ in: names, numbers, text, casts, functions. What joins them
    (AND, OR, CASE) is the same everywhere, and joined as text: that takes linear time.
    """

    dialect: Dialect

    def _sql(self, node: exp.Expr) -> str:
        return node.sql(dialect=self.dialect)

    def condition(self, condition: Condition) -> str:
        from sqlglot import exp

        column: exp.Expr = exp.column(condition.column, quoted=True)
        if condition.labels is not None:
            met = self._among(column, condition)
        elif condition.dated and condition.everything is None:
            met = self._compared(column, condition.sign, _timestamp(condition.moment))
        else:
            met = self._beside_codes(column, self._reached(column, condition), condition)
        if not condition.missing:
            return met
        gap = self._sql(exp.Is(this=column.copy(), expression=exp.null()))
        nan = (
            []
            if condition.labels is not None or condition.dated
            else [self._sql(self._nan(column))]
        )
        return self.joined("or", [met, gap, *nan])

    def _among(self, column: exp.Expr, condition: Condition) -> str:
        """Whether a label is one of some, or of all others; not known where it is missing."""
        from sqlglot import exp

        values = [*map(_value, condition.labels or ())]
        if not values:
            return self._there(column) if condition.others else "FALSE"
        among = self._sql(exp.In(this=column, expressions=values))
        return f"NOT {among}" if condition.others else among

    def _beside_codes(self, column: exp.Expr, met: str, condition: Condition) -> str:
        """Numbers that stand for no value are on either side of a level, whatever they are."""
        if condition.other_codes:
            met = self.joined("and", [met, f"NOT {self._coded(column, condition.other_codes)}"])
        return (
            self.joined("or", [met, self._coded(column, condition.codes)])
            if condition.codes
            else met
        )

    def _coded(self, column: exp.Expr, codes: Sequence[float]) -> str:
        from sqlglot import exp

        values = [exp.convert(code) for code in codes]
        return self._sql(exp.In(this=column.copy(), expressions=values))

    def _there(self, column: exp.Expr) -> str:
        from sqlglot import exp

        return self._sql(exp.Not(this=exp.Is(this=column.copy(), expression=exp.null())))

    def _reached(self, column: exp.Expr, condition: Condition) -> str:
        """Whether a number is there and compares so with the level."""
        from sqlglot import exp

        if condition.everything is False:  # not even infinity
            return "FALSE"
        if condition.dated:
            return self._there(column)
        if self._may_be_truth(condition):
            column = exp.cast(column, "double")
        met = self._compared(column, condition.sign, _number(condition.level))
        if condition.sign == "<=":  # NaN is above everything, or compares with nothing
            return met
        return f"({met} AND {self._sql(self._not_nan(column))})"

    def _may_be_truth(self, condition: Condition) -> bool:
        """Whether the column may be one of truth values, which can be cast to numbers here."""
        return self.dialect in _CASTS_TRUTH and 0 <= condition.level <= 1

    def _compared(self, column: exp.Expr, sign: str, level: exp.Expr) -> str:
        from sqlglot import exp

        kind = exp.LTE if sign == "<=" else exp.GTE
        return self._sql(kind(this=column, expression=level))

    def _nan(self, column: exp.Expr) -> exp.Expr:
        from sqlglot import exp

        if self.dialect in _NAN_EQUALS_ITSELF:
            nan = exp.cast(exp.Literal.string("NaN"), "double")
            return exp.EQ(this=column.copy(), expression=nan)
        return exp.IsNan(this=column.copy())

    def _not_nan(self, column: exp.Expr) -> exp.Expr:
        from sqlglot import exp

        nan = self._nan(column)
        equal = isinstance(nan, exp.EQ)
        return exp.NEQ(this=nan.this, expression=nan.expression) if equal else exp.Not(this=nan)

    def joined(self, how: Literal["and", "or"], parts: Sequence[str]) -> str:
        if not parts:
            return "TRUE" if how == "and" else "FALSE"
        joined = f" {how.upper()} ".join(parts)
        return f"({joined})" if len(parts) > 1 else joined

    def case(self, branches: Sequence[tuple[str, str]], otherwise: str) -> str:
        cases = " ".join(f"WHEN {condition} THEN {value}" for condition, value in branches)
        return f"CASE {cases} ELSE {otherwise} END"

    def number(self, number: float) -> str:
        return self._sql(_number(float(number)))

    def chance(self, probability: float) -> str:
        return self._sql(_double(probability))

    def label(self, label: Any) -> str:
        return self._sql(_value(label))

    def total(self, parts: Sequence[str]) -> str:
        return f"({' + '.join(parts)})"

    def reaches(self, one: str, other: str) -> str:
        return f"{one} >= {other}"

    def least(self, parts: Sequence[str]) -> str:
        return f"LEAST({', '.join(parts)})" if len(parts) > 1 else parts[0]

    def greatest(self, parts: Sequence[str]) -> str:
        return f"GREATEST({', '.join(parts)})" if len(parts) > 1 else parts[0]

    def times(self, one: str, other: str) -> str:
        return f"({one} * {other})"

    def minus(self, one: str, other: str) -> str:
        return f"({one} - {other})"

    def over(self, one: str, other: str) -> str:
        return f"({one} / {other})"

    def looked_up(
        self, met: Mapping[Condition, str], reached: Sequence[Sequence[Condition]], table: Ints
    ) -> Sequence[str]:
        """Terms that add up to an entry of a table: by cases beside each other, and in an array.

        Engines take long to plan cases inside each other.
        """
        if self.dialect not in _ARRAYS:
            return by_cases(self, met, reached, table)
        if table.ndim == 1:
            return [self._at_count(reached[0], table.tolist())]
        height, width = table.shape
        row = self._at_count(reached[0], range(0, height * width, width))
        column = self._at_count(reached[1], range(width))
        listed = ", ".join(map(str, table.ravel().tolist()))
        return [_ARRAYS[self.dialect].format(listed, f"1 + {row} + {column}")]

    def _at_count(self, reached: Sequence[Condition], entries: Sequence[int]) -> str:
        """The entry whose place is the number of conditions that are met.

        Whether the value is missing is asked once: then it meets the easiest conditions, or none.
        """
        from sqlglot import exp

        column: exp.Expr = exp.column(reached[0].column, quoted=True)
        numeric = reached[0].labels is None and not reached[0].dated
        if numeric and all(self._may_be_truth(one) for one in reached):
            column = exp.cast(column, "double")
        gaps = [self._sql(exp.Is(this=column.copy(), expression=exp.null()))]
        gaps += [self._sql(self._nan(column))] * numeric
        plain = numeric and not any(
            one.codes or one.other_codes or one.everything is False for one in reached
        )
        asked = [
            self._compared(column, one.sign, self._level(one.level))
            if plain
            else self.condition(replace(one, missing=False))
            for one in reached
        ]
        branches = [
            (self.joined("or", gaps), entries[sum(one.missing for one in reached)]),
            *zip(asked[::-1], entries[:0:-1]),
        ]
        cases = [(condition, self.number(entry)) for condition, entry in branches]
        return self.case(cases, self.number(entries[0]))

    def _level(self, level: float) -> exp.Expr:
        """A number to compare with; in DuckDB one with an exponent is a double by itself."""
        from sqlglot import exp

        node = _number(level)
        if self.dialect == "duckdb" and math.isfinite(level) and isinstance(node, exp.Cast):
            found: exp.Expr = node.this
            return found
        return node

    def logistic(self, total: str, slope: float, units: float) -> str:
        log_odds = f"{self.chance(slope)} * ({total} / {self.chance(units)})"
        one = self.chance(1.0)
        return f"({one} / ({one} + EXP(-({log_odds}))))"


def _number(number: float) -> exp.Expr:
    """A number to compare with; a whole one is the same in every type and needs no cast."""
    from sqlglot import exp

    if number.is_integer() and abs(number) < _EXACT:
        return _signed(exp.Literal.number(abs(int(number))), number)
    return _double(number)


def _timestamp(moment: datetime) -> exp.Expr:
    """A date with its time of day, which compares with dates too."""
    from sqlglot import exp

    return exp.cast(exp.Literal.string(str(moment)), "timestamp")


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
