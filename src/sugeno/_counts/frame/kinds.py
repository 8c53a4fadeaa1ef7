"""Kinds of the columns of a frame of any engine: texts, categories and truth values beside numbers.

A frame in memory is looked at as `fit` does it. Another one has no order of rows, so that a column
that numbers them is known by its values or its name alone; one query tells how far all columns
reach, and one for each column of text its labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sugeno._counts.frame.columns import by_bits, declared_order, is_missing
from sugeno._counts.frame.queries import QueryLog
from sugeno._scales.columns import double_column, refuse_kind
from sugeno._scales.kinds import Column, column_of_counts, label_text, read_kinds

if TYPE_CHECKING:
    import narwhals as nw

    AnyFrame = nw.DataFrame[Any] | nw.LazyFrame[Any]

__all__ = ["is_of_any_kind", "kinds_of_frame", "number_of_kind"]

#: So many labels of a category cross over.
_MOST_LABELS = 5_000


def is_of_any_kind(frame: AnyFrame, names: Sequence[str]) -> bool:
    """Whether columns of a frame hold texts, or categories without an order.

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
    texts = [name for name in names if isinstance(schema[name], nw.String | nw.Categorical)]
    return any(declared_order(frame, name, schema[name]) is None for name in texts)


def kinds_of_frame(frame: AnyFrame, names: Sequence[str], log: QueryLog) -> tuple[Column, ...]:
    """Find the kind of each column, and the labels of those that have any.

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
        return tuple(read_kinds(frame.select(*names)))
    schema = frame.collect_schema()
    texts = [name for name in names if isinstance(schema[name], nw.String | nw.Categorical)]
    facts = log.run(frame.select(*_asked(frame, names, texts)), "how far columns reach")
    rows = int(facts["rows"][0])
    found = []
    for j, name in enumerate(names):
        missing = int(facts[f"missing{j}"][0])
        if name in texts:
            labels = _labels(frame, name, rows, log)
            found.append(column_of_counts(name, "text", rows, missing, labels=labels))
            continue
        least, greatest = (facts[f"{end}{j}"][0] for end in ("least", "greatest"))
        ends = (float(least), float(greatest)) if missing < rows else None
        found.append(_of_numbers(frame, name, rows, missing, ends, log))
    return tuple(found)


def _asked(frame: AnyFrame, names: Sequence[str], texts: Sequence[str]) -> list[nw.Expr]:
    """Rows, missing cells, and least and greatest numbers of all columns."""
    import narwhals as nw

    asked = [nw.len().alias("rows")]
    for j, name in enumerate(names):
        if name in texts:
            asked.append(nw.col(name).is_null().cast(nw.Int64).sum().alias(f"missing{j}"))
            continue
        number = _number(frame, name)
        gap = is_missing(number)
        there = nw.when(~gap).then(number)
        asked.append(gap.cast(nw.Int64).sum().alias(f"missing{j}"))
        asked += [there.min().alias(f"least{j}"), there.max().alias(f"greatest{j}")]
    return asked


def _number(frame: AnyFrame, name: str) -> nw.Expr:
    """A column of numbers, truth values or ordered labels as doubles."""
    import narwhals as nw

    kind = frame.collect_schema()[name]
    if isinstance(kind, nw.Enum):
        return _place(nw.col(name), [*map(label_text, kind.categories)])
    refuse_kind(name, kind)
    return double_column(frame, name, kind)


def _of_numbers(
    frame: nw.LazyFrame[Any],
    name: str,
    rows: int,
    missing: int,
    ends: tuple[float, float] | None,
    log: QueryLog,
) -> Column:
    import narwhals as nw

    kind = frame.collect_schema()[name]
    if isinstance(kind, nw.Enum):
        order = tuple(map(label_text, kind.categories))
        return column_of_counts(name, "ordered", rows, missing, labels=order, ends=ends)
    sort = "truth" if kind == nw.Boolean else "number"
    column = column_of_counts(name, sort, rows, missing, ends=ends)
    if column.kind != "id":
        return column
    # It is one only if all numbers are whole, and none is there twice.
    number = _number(frame, name)
    whole = nw.when(number.floor() == number).then(number)
    found = log.run(frame.select(n=whole.n_unique()), f"distinct values of {name!r}")
    counted = log.run(frame.select(n=whole.count()), f"whole numbers of {name!r}")
    every = int(found["n"][0]) == int(counted["n"][0]) == rows
    return column if every else Column(name, "number", None, missing)


def _labels(frame: nw.LazyFrame[Any], name: str, rows: int, log: QueryLog) -> tuple[str, ...]:
    """The labels of a column in the order of the alphabet."""
    import narwhals as nw

    label = nw.col(name).cast(nw.String).alias("label")
    query = frame.select(label).group_by("label").agg(nw.len().alias("n"))
    found = log.run(query.head(_MOST_LABELS + 2), f"labels of {name!r}")["label"]
    labels = sorted(text for text in found.tolist() if isinstance(text, str))
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
    if column.labels is not None and kind != nw.Boolean:
        return _place(nw.col(column.name), column.labels)
    if column.labels is None:
        refuse_kind(column.name, kind)
    return double_column(frame, column.name, kind)


def _place(column: nw.Expr, labels: Sequence[str]) -> nw.Expr:
    """Place of a label; NaN where it is missing."""
    import narwhals as nw

    text = column.cast(nw.String)
    found = by_bits(text, [*labels], range(len(labels)))
    return nw.when(~column.is_null()).then(found).otherwise(nw.lit(float("nan")))
