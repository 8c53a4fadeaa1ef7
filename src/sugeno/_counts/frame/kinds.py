"""Kinds of the columns of a frame of any engine: texts, categories and truth values beside numbers.

A frame in memory is read as `fit` reads it. On other engines rows have no order, so that a column
which numbers them is recognised by its values or its name alone. One query asks for the ends of all
columns, and one for each column of text asks for its labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from sugeno._counts.frame.columns import by_bits, declared_order, is_missing
from sugeno._counts.frame.queries import QueryLog
from sugeno._scales.columns import double_column, quotient, refuse_kind
from sugeno._scales.kinds import (
    NO_VALUE,
    Column,
    SaidGap,
    as_wished,
    checked_special,
    checked_wishes,
    column_of_counts,
    label_text,
    read_kinds,
    understood,
    why_named,
    with_gaps,
)

if TYPE_CHECKING:
    import narwhals as nw

    AnyFrame = nw.DataFrame[Any] | nw.LazyFrame[Any]

#: Labels of truth values, where they are used as such.
_TRUTH = ("false", "true")
#: Microseconds of a day.
_MICROSECONDS = 86_400_000_000.0
#: So many labels of a category cross over.
_MOST_LABELS = 5_000


def is_of_any_kind(frame: AnyFrame, names: Sequence[str]) -> bool:
    """Whether columns of a frame hold texts, dates, or categories without an order.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._counts.frame.kinds import is_of_any_kind
    >>> is_of_any_kind(nw.from_native(pl.LazyFrame({"home": ["rent"]})), ["home"])
    True
    """
    import narwhals as nw

    schema = frame.collect_schema()
    kinds = (nw.String, nw.Categorical, nw.Date, nw.Datetime, nw.Duration)
    found = [name for name in names if isinstance(schema[name], kinds)]
    return any(declared_order(frame, name, schema[name]) is None for name in found)


def kinds_of_frame(
    frame: AnyFrame,
    names: Sequence[str],
    log: QueryLog,
    wishes: Mapping[str, Any] | None = None,
    special: Mapping[str, Mapping[Any, Any]] | None = None,
) -> tuple[Column, ...]:
    """Find the kind of each column, and the labels of those that have any.

    Wishes are what the user says of columns, as `sugeno._scales.kinds.column_of` takes them, and
    special codes what `checked_special` takes.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._counts.frame.kinds import kinds_of_frame
    >>> from sugeno._counts.frame.queries import QueryLog
    >>> frame = nw.from_native(pl.LazyFrame({"home": ["rent", "own", None], "land": ["at"] * 3}))
    >>> [(one.kind, one.labels) for one in kinds_of_frame(frame, ["home", "land"], QueryLog())]
    [('two-valued', ('own', 'rent')), ('constant', None)]
    """
    import narwhals as nw

    if isinstance(frame, nw.DataFrame):
        return tuple(read_kinds(frame.select(*names), wishes, special))
    said, gaps = checked_wishes(wishes, names), checked_special(special, names)
    schema = frame.collect_schema()
    texts = [name for name in names if isinstance(schema[name], nw.String | nw.Categorical)]
    codes = {name: [one.code for one in gap if one.code is not None] for name, gap in gaps.items()}
    facts = log.run(frame.select(*_asked(frame, names, texts, codes)), "how far columns reach")
    rows = int(facts["rows"][0])
    found = []
    for j, name in enumerate(names):
        missing, wish = int(facts[f"missing{j}"][0]), said.get(name)
        numbered, gap = wish is None and name not in gaps, gaps.get(name, ())
        if name in texts or _wants_labels(name, wish):
            labels = _labels(frame, name, rows, log)
            given = (name, "text", rows, missing)
            column = column_of_counts(*given, labels=labels, numbered=numbered)
            found.append(_with_gaps(as_wished(column, wish), gap))
            continue
        least, greatest = (facts[f"{end}{j}"][0] for end in ("least", "greatest"))
        known = least is not None and least == least
        ends = (float(least), float(greatest)) if known else None
        if ends is None and missing < rows:
            found.append(Column(name, "constant", None, missing, NO_VALUE))
            continue
        column = _of_numbers(frame, name, rows, missing, ends, log, numbered)
        if column.kind == "constant" and codes.get(name) and int(facts[f"coded{j}"][0]):
            # One value, and codes beside it.
            column = Column(name, "number", None, missing)
        found.append(_with_gaps(as_wished(column, wish), gap))
    return tuple(found)


def _with_gaps(column: Column, special: tuple[SaidGap, ...]) -> Column:
    """Say what cells without a value mean, where the column is used."""
    return column if column.left_out else with_gaps(column, special)


def _wants_labels(name: str, wish: Any) -> bool:
    """Whether the cells of a column are labels because the user says so."""
    kind, _ = understood(name, wish)
    return isinstance(kind, tuple) or kind == "unordered"


def _asked(
    frame: AnyFrame,
    names: Sequence[str],
    texts: Sequence[str],
    codes: Mapping[str, Sequence[float]],
) -> list[nw.Expr]:
    """Rows, missing cells, those with a code, and least and greatest numbers of all columns."""
    import narwhals as nw

    asked = [nw.len().alias("rows")]
    for j, name in enumerate(names):
        if name in texts:
            asked.append(nw.col(name).is_null().cast(nw.Int64).sum().alias(f"missing{j}"))
            continue
        number = _number(frame, name)
        gap = is_missing(number)
        asked.append(gap.cast(nw.Int64).sum().alias(f"missing{j}"))
        there = nw.when(~gap).then(number)
        if codes.get(name):
            # Not is_in: PyArrow does not find a negative zero among zeros.
            coded = ~gap & reduce(or_, (number == code for code in codes[name]))
            asked.append(coded.cast(nw.Int64).sum().alias(f"coded{j}"))
            there = nw.when(~gap & ~coded).then(number)
        asked += [there.min().alias(f"least{j}"), there.max().alias(f"greatest{j}")]
    return asked


def _number(frame: AnyFrame, name: str) -> nw.Expr:
    """A column of numbers, truth values or ordered labels as doubles."""
    import narwhals as nw

    kind = frame.collect_schema()[name]
    if isinstance(kind, nw.Enum):
        return _place(nw.col(name), [*map(label_text, kind.categories)])
    return _double(frame, name, kind)


def _double(frame: AnyFrame, name: str, kind: nw.dtypes.DType) -> nw.Expr:
    """A column of numbers as doubles, one of dates in days since 1970, of durations in days."""
    import narwhals as nw

    if isinstance(kind, nw.Date | nw.Datetime):
        return _days(nw.col(name), timed=isinstance(kind, nw.Datetime))
    if not isinstance(kind, nw.Duration):
        refuse_kind(name, kind)
    return double_column(frame, name, kind)


def _days(date: nw.Expr, *, timed: bool) -> nw.Expr:
    """Days since 1970, as `days_of` has them; few engines count them themselves."""
    import narwhals as nw

    year = date.dt.year().cast(nw.Float64)
    leaps = ((year - 1969) / 4).floor() - ((year - 1901) / 100).floor()
    leaps += ((year - 1601) / 400).floor()
    days = (year - 1970) * 365 + leaps + date.dt.ordinal_day().cast(nw.Float64) - 1
    if not timed:
        return days
    parts = (date.dt.hour(), date.dt.minute(), date.dt.second(), date.dt.microsecond())
    hours, minutes, seconds, rest = (part.cast(nw.Float64) for part in parts)  # small integers
    rest += ((hours * 60 + minutes) * 60 + seconds) * 1e6
    # The sum is a whole number, so that only the division rounds.
    return quotient(days * _MICROSECONDS + rest, nw.lit(_MICROSECONDS))


def _of_numbers(
    frame: nw.LazyFrame[Any],
    name: str,
    rows: int,
    missing: int,
    ends: tuple[float, float] | None,
    log: QueryLog,
    numbered: bool,
) -> Column:
    import narwhals as nw

    kind = frame.collect_schema()[name]
    if isinstance(kind, nw.Enum):
        order = tuple(map(label_text, kind.categories))
        return column_of_counts(name, "ordered", rows, missing, labels=order, ends=ends)
    sort = "truth" if kind == nw.Boolean else "number"
    sort = "date" if isinstance(kind, nw.Date | nw.Datetime) else sort
    column = column_of_counts(name, sort, rows, missing, ends=ends, numbered=numbered)
    if column.kind != "id":
        return column
    # It is one only if all numbers are whole, and none, or of an id few, are there twice.
    number = _number(frame, name)
    whole = nw.when(number.floor() == number).then(number)
    found = log.run(frame.select(n=whole.n_unique()), f"distinct values of {name!r}")
    counted = log.run(frame.select(n=whole.count()), f"whole numbers of {name!r}")
    distinct = int(found["n"][0])
    if int(counted["n"][0]) < rows:
        return Column(name, "number", None, missing)
    reason = column.left_out if distinct == rows else why_named(name, distinct, rows)
    return replace(column, left_out=reason) if reason else Column(name, "number", None, missing)


def _labels(frame: nw.LazyFrame[Any], name: str, rows: int, log: QueryLog) -> tuple[str, ...]:
    """The labels of a column in the order of the alphabet."""
    import narwhals as nw

    if frame.collect_schema()[name] == nw.Boolean:
        return _TRUTH
    label = _label(frame, name)
    query = frame.select(label).group_by("label").agg(nw.len().alias("n"))
    found = log.run(query.head(_MOST_LABELS + 2), f"labels of {name!r}")["label"].tolist()
    there = {one for one in found if isinstance(one, str | float) and one == one}
    # Numbers in their order, as labels too; texts in that of the alphabet.
    labels = [label_text(one) for one in sorted(there)]
    if len(labels) <= _MOST_LABELS or rows <= len(labels):
        return tuple(labels)
    query = frame.select(label).select(nw.col("label").n_unique().alias("n"))
    distinct = int(log.run(query, f"number of labels of {name!r}")["n"][0])
    if column_of_counts(name, "text", rows, 0, labels=(), distinct=distinct).left_out:
        return tuple(map(str, range(distinct)))  # it names the rows, whatever the names are
    raise ValueError(
        f"Column {name!r} must have at most {_MOST_LABELS} labels, or one of its own in nearly "
        f"every row. Got {distinct} instead; join rare ones, or leave it out of features."
    )


def _label(frame: AnyFrame, name: str) -> nw.Expr:
    """Cells as labels: texts, or numbers that are used as such."""
    import narwhals as nw

    kind = frame.collect_schema()[name]
    texts = isinstance(kind, nw.String | nw.Categorical | nw.Enum)
    cells = nw.col(name).cast(nw.String) if texts else _double(frame, name, kind)
    return cells.alias("label")


def number_of_kind(frame: AnyFrame, column: Column) -> nw.Expr:
    """A column as `Column.read` reads it: doubles, and places of labels; 0 if it is left out.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._counts.frame.kinds import number_of_kind
    >>> from sugeno._scales.kinds import Column
    >>> frame = nw.from_native(pl.LazyFrame({"home": ["rent", "own", None]}))
    >>> home = number_of_kind(frame, Column("home", "two-valued", ("own", "rent")))
    >>> frame.select(home=home).collect()["home"].to_list()
    [1.0, 0.0, nan]
    """
    import narwhals as nw

    if column.left_out:
        # Dask does not compare a constant with a column.
        return nw.col(column.name).is_null().cast(nw.Float64) * 0.0
    kind = frame.collect_schema()[column.name]
    if column.labels is None or (kind == nw.Boolean and column.kind == "truth"):
        return _double(frame, column.name, kind)
    if kind.is_numeric() or kind == nw.Boolean:
        number = double_column(frame, column.name, kind)
        truth = kind == nw.Boolean
        numbers = [float(one == "true") if truth else float(one) for one in column.labels]
        at = by_bits(number, numbers, range(len(numbers)))
        return nw.when(~is_missing(number)).then(at).otherwise(nw.lit(float("nan")))
    return _place(nw.col(column.name), column.labels)


def _place(column: nw.Expr, labels: Sequence[str]) -> nw.Expr:
    """Place of a label; NaN where it is missing."""
    import narwhals as nw

    text = column.cast(nw.String)
    found = by_bits(text, [*labels], range(len(labels)))
    return nw.when(~column.is_null()).then(found).otherwise(nw.lit(float("nan")))
