"""Columns as numbers: ordered labels become their places, and what has no order is refused.

Numbers and truth values are left as they are, so that a table of numbers is not copied. Tables of
pandas, Polars and PyArrow are read through narwhals, and only they pay for its import.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._scales.number import shortest

if TYPE_CHECKING:
    import narwhals as nw

#: The ordered labels of each column, None for a column of numbers.
ColumnLabels = tuple[tuple[str, ...] | None, ...]

_DATES = "turn it into a number such as days since a date, or drop it"
_WORDS = "make it an ordered categorical, or drop it"
_EXPECTED = "numbers or an ordered categorical"
#: Decimals of so many digits, and powers of ten as large, are doubles.
_EXACT_DIGITS = 15
#: Microseconds of a day.
_MICROSECONDS = 86_400_000_000.0


def read_columns(X: Any) -> tuple[Any, ColumnLabels | None]:
    """Read a table to learn from: its ordered columns by the places of their labels.

    Parameters
    ----------
    X : array-like or frame
        Numbers, truth values and ordered categoricals.

    Returns
    -------
    X : array-like or frame
        The same with numbers only; X itself if it has no ordered categoricals.
    labels : tuple of tuples of str or None, or None
        Per column its labels, the lowest first; None if no column has any.

    Examples
    --------
    >>> import polars as pl
    >>> from sugeno._scales.columns import read_columns
    >>> sizes = pl.Series("size", ["L", "S"], dtype=pl.Enum(["S", "M", "L"]))
    >>> numbers, labels = read_columns(pl.DataFrame([sizes]))
    >>> numbers["size"].to_list(), labels
    ([2.0, 0.0], (('S', 'M', 'L'),))
    """
    frame = frame_of(X)
    if frame is None:
        _refuse_times(X)
        return X, None
    if _holds_numbers_only(frame):
        return X, None
    places: dict[str, list[float]] = {}
    labels: list[tuple[str, ...] | None] = []
    for name, column in zip(frame.columns, frame.iter_columns()):
        order = order_of(column)
        if order is None:
            check_numbers(column)
            labels.append(None)
            continue
        texts = label_texts(order, name)
        labels.append(texts)
        places[name] = _places(column.to_list(), texts, name)
    if not places:
        return X, None
    return _replaced(frame, places), tuple(labels)


def place_columns(
    X: Any, labels: ColumnLabels | None = None, names: Sequence[str] | None = None
) -> Any:
    """Read rows for a model that knows the labels of its columns.

    Values of a column that has labels are labels, in whatever container they come: categories in
    any order, text, or numbers where the labels are numbers.

    Parameters
    ----------
    X : array-like or frame
        The rows.
    labels : tuple of tuples of str or None, optional
        Per column its labels, as `read_columns` gave them.
    names : sequence of str, optional
        Names of the columns; where they are not known columns count by position.

    Returns
    -------
    array-like or frame
        The same with numbers only; X itself if there is nothing to do.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.columns import place_columns
    >>> place_columns(np.array([["L", 4], ["S", 5]], dtype=object), (("S", "M", "L"), None))
    array([[2., 4.],
           [0., 5.]])
    """
    frame = frame_of(X)
    if frame is None:
        _refuse_times(X)
        return X if labels is None else _placed_array(X, labels, names)
    if labels is None and _holds_numbers_only(frame):
        return X
    known = dict(zip(frame.columns if names is None else names, labels or ()))
    places: dict[str, list[float]] = {}
    for name, column in zip(frame.columns, frame.iter_columns()):
        wanted = known.get(name)
        if wanted is not None:
            places[name] = _places(column.to_list(), wanted, name)
        elif order_of(column) is not None:
            raise _refusal(name, "numbers as in training", "a categorical", "cast it to numbers")
        else:
            check_numbers(column)
    return _replaced(frame, places) if places else X


def comparable(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return numbers of types whose comparison with a double is that of their doubles.

    Decimals are turned into doubles as in training: the decimal 0.4 is less than the double 0.4.

    Examples
    --------
    >>> from decimal import Decimal
    >>> import numpy as np
    >>> from sugeno._scales.columns import comparable
    >>> comparable(np.array([Decimal("0.4")])) >= 0.4
    array([ True])
    """
    exact = numbers.dtype.kind in "biuf" and numbers.dtype.itemsize <= 8
    return numbers if exact else numbers.astype(np.float64)


def double_column(
    frame: nw.DataFrame[Any] | nw.LazyFrame[Any], name: str, kind: nw.dtypes.DType
) -> nw.Expr:
    """Return a column of numbers as doubles, the nearest ones also of decimals; durations in days.

    PyArrow is wrong by a bit in one decimal out of seven, and other engines than Polars are where
    a decimal has more digits than a double: there it is read from its text.

    Examples
    --------
    >>> from decimal import Decimal
    >>> import narwhals as nw
    >>> import pyarrow as pa
    >>> from sugeno._scales.columns import double_column
    >>> prices = nw.from_native(pa.table({"price": [Decimal("0.35")]}))
    >>> prices.select(double_column(prices, "price", prices.schema["price"]))["price"].to_list()
    [0.35]
    """
    import narwhals as nw

    column, engine = nw.col(name), frame.implementation
    if isinstance(kind, nw.Duration):
        return quotient(column.dt.total_microseconds().cast(nw.Float64), nw.lit(_MICROSECONDS))
    if isinstance(kind, nw.Decimal) and not engine.is_polars():
        rounds = engine.is_pyarrow() or engine.is_pandas()
        if rounds or kind.precision > _EXACT_DIGITS:
            column = column.cast(nw.String)
    return column.cast(nw.Float64)


def quotient(number: nw.Expr, divisor: nw.Expr) -> nw.Expr:
    """Divide finite numbers, rounded once.

    Polars multiplies by the reciprocal of a constant, which is another double one time in four. A
    divisor that hangs on the row is no constant.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._scales.columns import quotient
    >>> frame = nw.from_native(pl.DataFrame({"x": [5.0, 7.0]}))
    >>> frame.select(quotient(nw.col("x"), nw.lit(49.0)))["x"].to_list() == [5 / 49, 7 / 49]
    True
    """
    return number / (divisor + number * 0.0)


def select_columns(X: Any, names: Sequence[str]) -> Any:
    """Take columns of a frame by name; anything else is left as it is.

    Examples
    --------
    >>> import pandas as pd
    >>> from sugeno._scales.columns import select_columns
    >>> select_columns(pd.DataFrame({"a": [1], "b": [2]}), ["b"]).columns.tolist()
    ['b']
    """
    frame = frame_of(X)
    if frame is None:
        return X
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise ValueError(
            f"X must have a column for each criterion. Got none for {missing} instead; "
            f"the columns are {frame.columns}."
        )
    return frame.select(*names).to_native()


def declared_order(y: Any) -> tuple[Any, ...] | None:
    """Return the categories of an ordered column, the lowest first; None for any other.

    Examples
    --------
    >>> import pandas as pd
    >>> from sugeno._scales.columns import declared_order
    >>> declared_order(pd.Categorical(["low"], ["low", "high"], ordered=True))
    ('low', 'high')
    >>> declared_order(["low", "high"]) is None
    True
    """
    if isinstance(y, np.ndarray | list | tuple):
        return None
    if hasattr(y, "categories") and hasattr(y, "ordered"):  # pandas.Categorical and its index
        return tuple(y.categories) if y.ordered else None
    import narwhals as nw

    column = nw.from_native(y, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(column, nw.DataFrame) and len(column.columns) == 1:
        column = next(column.iter_columns())
    return order_of(column) if isinstance(column, nw.Series) else None


def name_of(y: Any) -> str | None:
    """Return the name of a column of labels, where it has one.

    Examples
    --------
    >>> import pandas as pd
    >>> from sugeno._scales.columns import name_of
    >>> name_of(pd.Series(["yes"], name="deny")), name_of(["yes"])
    ('deny', None)
    """
    columns = getattr(y, "columns", None)  # a frame of one column
    name = getattr(y, "name", None) if columns is None else next(iter(columns))
    return name if isinstance(name, str) and name else None


def refuse_masked(values: Any, name: str) -> None:
    """Refuse masked entries, which would be read as if they were not masked.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.columns import refuse_masked
    >>> refuse_masked(np.ma.array([1, 2]), "X")
    """
    if np.ma.is_masked(values):
        count = int(np.ma.getmaskarray(values).sum())
        raise ValueError(
            f"{name} must not have masked entries. Got {count} of them instead; fill them with "
            "numbers, or drop their rows."
        )


def is_of_any_kind(X: Any) -> bool:
    """Whether a frame holds texts, dates, unordered categories or mixed objects.

    Examples
    --------
    >>> import pandas as pd
    >>> from sugeno._scales.columns import is_of_any_kind
    >>> is_of_any_kind(pd.DataFrame({"home": ["rent"]})), is_of_any_kind([[1.0]])
    (True, False)
    """
    frame = frame_of(X)
    if frame is None or _holds_numbers_only(frame):
        return False
    columns = frame.iter_columns()
    return any(order_of(column) is None and not _is_numeric(column) for column in columns)


def _is_numeric(column: nw.Series[Any]) -> bool:
    """Whether a column is one of numbers and truth values."""
    import narwhals as nw

    if isinstance(column.dtype, nw.Object):
        return all(isinstance(value, Real | Decimal | None) for value in column.to_list())
    native = getattr(column.to_native(), "dtype", None)
    if isinstance(column.dtype, nw.Unknown):
        return getattr(native, "kind", "?") in "biufc"
    return _is_number(column.dtype)


def frame_of(X: Any) -> nw.DataFrame[Any] | None:
    """Return a frame in memory, or None for anything else.

    Examples
    --------
    >>> import pandas as pd
    >>> from sugeno._scales.columns import frame_of
    >>> frame_of(pd.DataFrame({"a": [1]})).columns, frame_of([[1]])
    (['a'], None)
    """
    if isinstance(X, np.ndarray | list | tuple):
        refuse_masked(X, "X")
        return None
    if not hasattr(X, "columns") and not hasattr(X, "__dataframe__"):
        return None
    import narwhals as nw

    frame = nw.from_native(X, eager_only=True, pass_through=True)
    return frame if isinstance(frame, nw.DataFrame) else None


def _holds_numbers_only(frame: nw.DataFrame[Any]) -> bool:
    """Whether the types of the columns settle that there is nothing to do."""
    return all(map(_is_number, frame.schema.values()))


def _is_number(kind: nw.dtypes.DType) -> bool:
    import narwhals as nw

    return kind.is_numeric() or kind == nw.Boolean


def order_of(column: nw.Series[Any]) -> tuple[Any, ...] | None:
    """Return the categories of an ordered column, the lowest first; None for any other."""
    import narwhals as nw

    if isinstance(column.dtype, nw.Enum):
        return tuple(column.dtype.categories)
    native = column.to_native()
    if getattr(getattr(native, "type", None), "ordered", False):  # a dictionary of PyArrow
        chunks = native.unify_dictionaries().chunks
        return tuple(chunks[0].dictionary.to_pylist()) if chunks else ()
    return None


def check_numbers(column: nw.Series[Any]) -> None:
    """Refuse a column of anything but numbers and truth values, by name.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._scales.columns import check_numbers
    >>> check_numbers(nw.from_native(pl.Series("price", [1.5]), series_only=True))
    """
    import narwhals as nw

    kind, native = column.dtype, getattr(column.to_native(), "dtype", None)
    if isinstance(kind, nw.Object):
        _check_objects(column.to_list(), column.name)
    elif not isinstance(kind, nw.Unknown) or getattr(native, "kind", "?") not in "biufc":
        refuse_kind(column.name, kind, native)


def refuse_kind(name: str, kind: nw.dtypes.DType, native: object = None) -> None:
    """Refuse a type of column that is neither numbers nor truth values, by name.

    Examples
    --------
    >>> import narwhals as nw
    >>> from sugeno._scales.columns import refuse_kind
    >>> refuse_kind("price", nw.Decimal())
    """
    import narwhals as nw

    if _is_number(kind):
        return
    if kind.is_temporal():
        raise _refusal(name, _EXPECTED, "dates or times", _DATES)
    if isinstance(kind, nw.Categorical):
        raise _refusal(name, _EXPECTED, "a categorical without an order", _WORDS)
    if isinstance(kind, nw.String):
        raise _refusal(name, _EXPECTED, "text", _WORDS)
    remedy = "cast it to numbers, or drop it" if isinstance(kind, nw.Object) else _WORDS
    raise _refusal(name, _EXPECTED, f"values of type {native or kind}", remedy)


def _check_objects(values: Iterable[Any], name: str) -> None:
    """Let objects pass that are numbers or missing."""
    strange = next((v for v in values if not isinstance(v, Real | Decimal | None)), None)
    if strange is not None:
        remedy = _DATES if isinstance(strange, date | time | timedelta) else _WORDS
        raise _refusal(name, _EXPECTED, f"objects such as {strange!r}", remedy)


def _refuse_times(X: Any) -> None:
    """Refuse an array of dates, whose nanoseconds would pass for numbers."""
    if isinstance(X, np.ndarray) and X.dtype.kind in "mM":
        raise ValueError(
            f"X must be an array of numbers. Got dates or times ({X.dtype}) instead; turn them "
            "into numbers such as days since a date."
        )


def _refusal(name: object, expected: str, got: str, remedy: str) -> ValueError:
    return ValueError(f"Column {name!r} must hold {expected}. Got {got} instead; {remedy}.")


def label_texts(order: tuple[Any, ...], name: str) -> tuple[str, ...]:
    """Return the labels of an ordered column as text; refuse those that read alike."""
    labels = tuple(map(_text, order))
    if len(set(labels)) < len(labels):
        raise _refusal(name, "labels that read differently", str(list(order)), "rename some")
    return labels


def _text(value: Any) -> str:
    """Write a label; a number reads the same whatever its type."""
    if isinstance(value, bool | np.bool_ | Integral) or not isinstance(value, Real):
        return str(value)
    return shortest(float(value))


def spellings(label: str) -> tuple[str, ...]:
    """Return the ways in which engines write a label that is a number or a truth value.

    Examples
    --------
    >>> from sugeno._scales.columns import spellings
    >>> spellings("2"), spellings("True"), spellings("high")
    (('2', '2.0'), ('True', 'true'), ('high',))
    >>> spellings("false")
    ('false', 'False')
    >>> spellings("20000000")
    ('20000000', '20000000.0', '2.0E7')
    """
    if label.capitalize() in ("True", "False"):
        return label, label.swapcase()[0] + label[1:]
    number = label_number(label)
    if number is None:
        return (label,)
    return tuple(dict.fromkeys([label, repr(number), _java_text(number)]))


def label_number(label: str) -> float | None:
    """Return the number that a label is the text of; None if it is no number.

    Examples
    --------
    >>> from sugeno._scales.columns import label_number
    >>> label_number("2"), label_number("02")
    (2.0, None)
    """
    try:
        number = float(label)
    except ValueError:
        return None
    return number if math.isfinite(number) and shortest(number) == label else None


def _java_text(number: float) -> str:
    """Write a number as Java and Spark do."""
    if number == 0 or 1e-3 <= abs(number) < 1e7:
        return repr(number)
    digits, exponent = f"{Decimal(repr(number)).normalize():E}".split("E")
    return f"{digits if '.' in digits else f'{digits}.0'}E{int(exponent)}"


def _places(values: list[Any], labels: tuple[str, ...], name: object) -> list[float]:
    """Place of each value among the labels; NaN where it is missing."""
    place = {label: float(i) for i, label in enumerate(labels)}
    found: dict[Any, float] = {}
    for value in set(values):
        missing = value is None or value != value
        found[value] = float("nan") if missing else place.get(_text(value), -1.0)
        if found[value] == -1.0:
            raise _refusal(
                name,
                f"the labels known from training, {list(labels)}",
                repr(value),
                "train with a categorical that declares it, or leave the row out",
            )
    return [found[value] for value in values]


def _placed_array(X: ArrayLike, labels: ColumnLabels, names: Sequence[str] | None) -> Any:
    """Replace the labels in an array by their places."""
    values = np.asarray(X, dtype=object)
    if values.ndim != 2 or values.shape[1] != len(labels):
        return X  # scikit-learn says what is wrong with it
    placed: NDArray[np.float64] = np.empty(values.shape)
    for j, known in enumerate(labels):
        column = values[:, j].tolist()
        name = j if names is None else names[j]
        placed[:, j] = column if known is None else _places(column, known, name)
    return placed


def _replaced(frame: nw.DataFrame[Any], places: dict[str, list[float]]) -> Any:
    """Put places where labels were, in a frame of the same library."""
    import narwhals as nw

    backend = frame.implementation
    return frame.with_columns(
        *(
            nw.new_series(name, column, nw.Float64, backend=backend)
            for name, column in places.items()
        )
    ).to_native()
