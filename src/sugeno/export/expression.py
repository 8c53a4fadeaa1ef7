"""A narwhals expression: the same answers from pandas, Polars, PyArrow, DuckDB and others."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add, and_, or_
from typing import TYPE_CHECKING, Any, Literal

from sugeno._scales.columns import quotient, spellings
from sugeno._scales.surfaces import Ints
from sugeno.export._formula import (
    Answers,
    Condition,
    Output,
    by_cases,
    chosen_output,
    columns_of,
    exported_model,
)

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["Narwhals", "to_expression"]


def to_expression(classifier: Any, *, output: Output | None = None, label: Any = None) -> nw.Expr:
    """Write a classifier as a narwhals expression, for frames of any library that narwhals knows.

    The frame may be lazy or live in a database: nothing is collected. Columns are called as the
    criteria are (x0, x1, … where the training data had no names). Nulls and NaN reach no level,
    whatever the library says about ``NaN >= 2``, unless the classifier has a place for what is
    missing. The result has no nulls.

    Parameters
    ----------
    classifier : estimator
        Any fitted classifier with a ``model_``.
    output : {"accepted", "label", "probability"}, optional
        A truth value (of two classes), the label that `predict` gives, or the probability of a
        class. The new column is called so. By default "accepted" for two classes, "label" for
        more.
    label : object, optional
        The class whose probability is asked for; by default the positive one of two.

    Returns
    -------
    narwhals.Expr
        For ``narwhals.from_native(frame).with_columns(expression)``.

    Notes
    -----
    Decimals are cast to doubles by the library of the frame, which in PyArrow may be wrong by the
    last bit. `predict_frame` knows the frame, and is exact.

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
    model = exported_model(classifier)
    chosen, meant = chosen_output(model, output, label)
    language = Narwhals(columns_of(model)[0].name)
    return Answers(language).answer(model, chosen, meant).alias(chosen)


@dataclass(frozen=True)
class Narwhals:
    """Expressions of narwhals as a `AnswerLanguage`.

    Attributes
    ----------
    column : str
        A column that is there.
    doubles : mapping
        Columns of a known frame as doubles, by name; others are cast as their engine does it.
    typed : collection of str
        Columns of labels of a known frame that are not text.
    moments : mapping
        Dates of a known frame that have a time zone, as their clock shows them, by name.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno.export.expression import Narwhals
    >>> frame = nw.from_native(pl.DataFrame({"x": [1, 2]}))
    >>> frame.select(Narwhals("x").joined("or", []))["x"].to_list()
    [False, False]
    """

    column: str
    doubles: Mapping[str, nw.Expr] = field(default_factory=dict)
    typed: Collection[str] = ()
    moments: Mapping[str, nw.Expr] = field(default_factory=dict)

    def condition(self, condition: Condition) -> nw.Expr:
        """Whether a row meets a condition; null is no."""
        return self.reached(condition).fill_null(False)

    def reached(self, condition: Condition) -> nw.Expr:
        """Whether a row meets a condition; null where its value is null and does not meet it."""
        import narwhals as nw

        column = nw.col(condition.column)
        if condition.labels is not None:
            met = self._among(column, condition)
            return met | column.is_null() if condition.missing else met
        if condition.dated and condition.column not in self.doubles:
            met = self._dated(column, condition)
            return met | column.is_null() if condition.missing else met
        # Without a frame: truth values and decimals are cast as its engine does it.
        number = self.doubles.get(condition.column, column.cast(nw.Float64))
        # NaN is above everything, infinity included, or compares with nothing.
        if condition.everything is False:  # not even infinity
            met = number.is_null() & False
        elif condition.sign == "<=":
            met = number <= condition.level
        else:
            met = number.is_between(condition.level, math.inf)
        # Not is_in: PyArrow does not find a negative zero among zeros.
        for code in condition.other_codes:
            met &= number != code
        for code in condition.codes:
            met |= number == code
        if not condition.missing:
            return met
        return met.fill_null(False) | ~number.is_between(-math.inf, math.inf).fill_null(False)

    def _among(self, column: nw.Expr, condition: Condition) -> nw.Expr:
        """Whether a label is one of some, or of all others."""
        import narwhals as nw

        exact = condition.exact and condition.column not in self.typed
        labels = condition.labels or ()
        written = [str(label).lower() if isinstance(label, bool) else label for label in labels]
        texts = [x for label in written for x in ((label,) if exact else spellings(label))]
        # PyArrow does not look for anything in an empty list.
        among = column.cast(nw.String).is_in(texts) if texts else column.is_null() & False
        return ~among & ~column.is_null() if condition.others else among

    def _dated(self, column: nw.Expr, condition: Condition) -> nw.Expr:
        """Whether a date is there and compares so with the level."""
        import narwhals as nw

        if condition.everything is not None:
            there = ~column.is_null()
            return there if condition.everything else there & False
        column = self.moments.get(condition.column, column)
        moment, at = column.cast(nw.Datetime("us")), nw.lit(condition.moment)
        return moment <= at if condition.sign == "<=" else moment >= at

    def joined(self, how: Literal["and", "or"], parts: Sequence[nw.Expr]) -> nw.Expr:
        """Join truth values; of none a constant for each row: a scalar would shrink a selection."""
        import narwhals as nw

        gap = nw.col(self.column).is_null()
        if how == "and":
            return reduce(and_, parts) if parts else gap | ~gap
        return reduce(or_, parts) if parts else gap & ~gap

    def case(self, branches: Sequence[tuple[nw.Expr, nw.Expr]], otherwise: nw.Expr) -> nw.Expr:
        """Value of the first condition that is met."""
        import narwhals as nw

        result = otherwise
        for condition, value in reversed(branches):
            result = nw.when(condition).then(value).otherwise(result)
        return result

    def number(self, number: float) -> nw.Expr:
        """A number."""
        return self.label(number)

    def chance(self, probability: float) -> nw.Expr:
        """A probability."""
        return self.label(probability)

    def label(self, label: Any) -> nw.Expr:
        """A constant."""
        import narwhals as nw

        return nw.lit(label)

    def total(self, parts: Sequence[nw.Expr]) -> nw.Expr:
        """Sum of numbers."""
        return reduce(add, parts)

    def reaches(self, one: nw.Expr, other: nw.Expr) -> nw.Expr:
        """Whether a number is at least another one."""
        return one >= other

    def least(self, parts: Sequence[nw.Expr]) -> nw.Expr:
        """The smallest number."""
        import narwhals as nw

        return nw.min_horizontal(*parts) if len(parts) > 1 else parts[0]

    def greatest(self, parts: Sequence[nw.Expr]) -> nw.Expr:
        """The largest number."""
        import narwhals as nw

        return nw.max_horizontal(*parts) if len(parts) > 1 else parts[0]

    def times(self, one: nw.Expr, other: nw.Expr) -> nw.Expr:
        """Product of two numbers."""
        return one * other

    def minus(self, one: nw.Expr, other: nw.Expr) -> nw.Expr:
        """Difference of two numbers."""
        return one - other

    def over(self, one: nw.Expr, other: nw.Expr) -> nw.Expr:
        """Quotient of two numbers."""
        return quotient(one, other)

    def looked_up(
        self,
        met: Mapping[Condition, nw.Expr],
        reached: Sequence[Sequence[Condition]],
        table: Ints,
    ) -> Sequence[nw.Expr]:
        """Terms that add up to the entry of a table."""
        return by_cases(self, met, reached, table)

    def logistic(self, total: nw.Expr, slope: float, units: float) -> nw.Expr:
        """Probability of log odds."""
        import narwhals as nw

        return 1.0 / (1.0 + (-(quotient(total, nw.lit(units)) * slope)).exp())
