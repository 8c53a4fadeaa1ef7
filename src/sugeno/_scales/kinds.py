"""Kinds of columns: what the cells of a column are, and whether they can be learned from.

A table is read once, before anyone looks at the classes. Each column gets a kind and, where its
cells are labels, a list of them; then `Column.read` turns cells into numbers: numbers stay what
they are, dates become days, labels their places in the list. A missing cell is NaN, whatever the
kind, and a label that is not in the list is -1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.columns import order_of
from sugeno._scales.dates import date_text, days_of
from sugeno._scales.number import shortest

if TYPE_CHECKING:
    import narwhals as nw

Floats = NDArray[np.float64]
Kind = Literal["number", "ordered", "two-valued", "unordered", "truth", "date", "id", "constant"]

KINDS: tuple[str, ...] = get_args(Kind)

#: Fewer rows do not show that a column numbers or names them.
_FEW_ROWS = 20
#: Texts of which more than this share are distinct name the rows; so do numbers called an id.
_DISTINCT = 0.9
#: What columns are called that number or name the rows.
_NAMED_SO = re.compile(
    r"(row|record|case|obs(ervation)?|sample)[ _.]?(names?|id|numbers?|num|nr|no|index)"
    r"|(.*[ _.-])?(id|uid|uuid|guid)|index|unnamed: ?\d+|(?-i:.*[a-z]I[dD])",
    re.IGNORECASE,
)
_TEXT_OF_ITS_OWN = "a text of its own in nearly every row"
#: Why a column is left out that has codes alone.
NO_VALUE = "every cell is missing, or a code that says why"
_CONSECUTIVE = "consecutive whole numbers, each once"
_NAMED = "distinct whole numbers, and its name"
_HARDLY_REPEATS = "whole numbers that hardly repeat, and its name"
_TRUTH = ("false", "true")
#: Cells that are counted in days.
_IN_DAYS = ("date", "duration")
#: What may be said of the kind of a column, and of its direction.
_KINDS_SAID = ("unordered", "drop", "keep")
_WAYS = {"up": 1, "down": -1, "free": "free", "peak": "peak", "valley": "valley", "auto": None}


@dataclass(frozen=True)
class SaidGap:
    """What the user says of cells that hold no value.

    Attributes
    ----------
    code : float or None
        The number that stands in them; None for empty cells.
    label : str
        How sentences call them.
    place : str, float or None
        "worst", "best" or the value that they are as good as; None where that is to be found.

    Examples
    --------
    >>> from sugeno._scales.kinds import SaidGap
    >>> SaidGap(-9.0, "no record").place is None
    True
    """

    code: float | None
    label: str
    place: str | float | None = None


@dataclass(frozen=True)
class Column:
    """A column of a table, before anyone looks at the classes.

    Attributes
    ----------
    name : str
        Its name.
    kind : {"number", "ordered", "two-valued", "unordered", "truth", "date", "id", "constant"}
        What its cells are.
    labels : tuple of str or None
        The labels: in their order where that is declared, else sorted; None for numbers.
    missing : int
        Number of missing cells.
    left_out : str
        Why it is left out; empty where it is not.
    way : int, str, tuple or None
        The direction that the user gives: +1, -1, "free", "peak", "valley", or one of the last two
        with the value at which it turns; None where it is to be found.
    special : tuple of SaidGap
        What the user says of cells without a value.

    Examples
    --------
    >>> from sugeno._scales.kinds import column_of
    >>> home = column_of("home", ["rent", "own", None, "rent"])
    >>> home.kind, home.labels, home.missing
    ('two-valued', ('own', 'rent'), 1)
    >>> home.read(["own", "with parents", None])
    array([ 0., -1., nan])
    """

    name: str
    kind: Kind
    labels: tuple[str, ...] | None = None
    missing: int = 0
    left_out: str = ""
    way: Any = None
    special: tuple[SaidGap, ...] = ()

    @property
    def codes(self) -> tuple[float, ...]:
        """The numbers that are no values."""
        return tuple(one.code for one in self.special if one.code is not None)

    def read(self, cells: nw.Series[Any] | Sequence[Any]) -> Floats:
        """Turn cells into numbers: NaN where one is missing, -1 where a label is not known."""
        found = _cells(self.name, cells)
        if self.labels is not None:
            return _places(found, self.labels)
        expected = "dates" if self.kind == "date" else "numbers"
        fits = self.kind in _READ_AS.get(found.sort, (found.sort,))
        if not fits and not found.missing.all():
            raise ValueError(
                f"Column {self.name!r} must hold {expected}, as in training. Got "
                f"{found.example()} instead; cast it, or train with the column as it is now."
            )
        return found.numbers()


def read_kinds(
    frame: nw.DataFrame[Any],
    wishes: Mapping[str, Any] | None = None,
    special: Mapping[str, Mapping[Any, Any]] | None = None,
) -> list[Column]:
    """Find the kind of each column of a frame.

    Parameters
    ----------
    frame : narwhals.DataFrame
        The table.
    wishes : mapping of str to object, optional
        What the user says of columns; see `column_of`.
    special : mapping of str to mapping, optional
        What the user says of cells without a value; see `checked_special`.

    Returns
    -------
    list of Column
        One per column.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._scales.kinds import read_kinds
    >>> frame = pl.DataFrame({"age": [31, 45], "home": ["rent", "own"], "land": ["at", "at"]})
    >>> [(column.name, column.kind) for column in read_kinds(nw.from_native(frame))]
    [('age', 'number'), ('home', 'two-valued'), ('land', 'constant')]
    """
    wishes, gaps = checked_wishes(wishes, frame.columns), checked_special(special, frame.columns)
    pairs = zip(frame.columns, frame.iter_columns())
    return [column_of(name, cells, wishes.get(name), gaps.get(name, ())) for name, cells in pairs]


def numbers_rows(frame: nw.DataFrame[Any]) -> bool:
    """Whether a column of numbers counts or names the rows, beside others that do not.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._scales.kinds import numbers_rows
    >>> frame = pl.DataFrame({"row": range(30), "age": [31, 45, 31] * 10})
    >>> numbers_rows(nw.from_native(frame)), numbers_rows(nw.from_native(frame[["age"]]))
    (True, False)
    """
    import narwhals as nw

    known = (nw.Boolean, nw.Enum, nw.Categorical)
    if not all(kind.is_numeric() or isinstance(kind, known) for kind in frame.schema.values()):
        return False
    columns = [_cells(str(cells.name), cells) for cells in frame.iter_columns()]
    if any(one.missing.any() for one in columns):
        return False  # what a missing number means is another question
    found = [one.why_id() != "" for one in columns]
    return any(found) and not all(found)


def checked_wishes(wishes: Mapping[str, Any] | None, names: Sequence[str]) -> dict[str, Any]:
    """Refuse what is said of columns that do not exist.

    Examples
    --------
    >>> from sugeno._scales.kinds import checked_wishes
    >>> checked_wishes({"age": "free"}, ["age", "home"])
    {'age': 'free'}
    """
    unknown = [name for name in wishes or {} if name not in names]
    if unknown:
        raise ValueError(
            f"columns must name columns of the table, which are {list(names)}. "
            f"Got {unknown} instead."
        )
    return dict(wishes or {})


def checked_special(
    special: Mapping[str, Mapping[Any, Any]] | None, names: Sequence[str]
) -> dict[str, tuple[SaidGap, ...]]:
    """Read what the user says of cells without a value.

    Parameters
    ----------
    special : mapping of str to mapping, or None
        By column, from codes to labels; None is the code of an empty cell. In place of a label a
        pair of it and of what such a cell is as good as: "worst", "best" or a value.
    names : sequence of str
        The columns.

    Returns
    -------
    dict of str to tuple of SaidGap
        The same, checked.

    Examples
    --------
    >>> from sugeno._scales.kinds import checked_special
    >>> checked_special({"months": {-9: "no record", None: ("never", "best")}}, ["months"])
    {'months': (SaidGap(code=-9.0, label='no record', place=None), \
SaidGap(code=None, label='never', place='best'))}
    """
    unknown = [name for name in special or {} if name not in names]
    if unknown:
        raise ValueError(
            f"special must name columns of the table, which are {list(names)}. "
            f"Got {unknown} instead."
        )
    return {name: _said_gaps(name, said) for name, said in (special or {}).items()}


def _said_gaps(name: str, said: Any) -> tuple[SaidGap, ...]:
    """The kinds of cells without a value of one column."""
    form = "from codes to labels, such as {-9: 'no record'}"
    if not isinstance(said, Mapping):
        raise ValueError(f"special of {name!r} must be a dict {form}. Got {said!r} instead.")
    found = []
    for code, meaning in said.items():
        label, place = meaning if isinstance(meaning, tuple | list) else (meaning, None)
        known = code is None or (isinstance(code, Real) and math.isfinite(code))
        placed = place is None or place in ("worst", "best") or isinstance(place, Real)
        if not (known and placed and isinstance(label, str) and label.strip()):
            raise ValueError(
                f"special of {name!r} must go {form}, or to a label with 'worst', 'best' or the "
                f"value that it is as good as. Got {code!r}: {meaning!r} instead."
            )
        place = float(place) if isinstance(place, Real) else place
        found.append(SaidGap(None if code is None else float(code) + 0.0, label.strip(), place))
    labels = [one.label for one in found]
    if len(set(labels)) < len(labels) or len({one.code for one in found}) < len(found):
        raise ValueError(
            f"special of {name!r} must give each code a label of its own. Got {said!r} instead."
        )
    return tuple(found)


def base_numbers(frame: nw.DataFrame[Any], columns: Sequence[Column]) -> Floats:
    """Numbers of all columns of a frame; 0 in those that are left out.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._scales.kinds import base_numbers, read_kinds
    >>> frame = nw.from_native(pl.DataFrame({"home": ["rent", "own"], "land": ["at", "at"]}))
    >>> base_numbers(frame, read_kinds(frame))
    array([[1., 0.],
           [0., 0.]])
    """
    zero = np.zeros(len(frame))
    return np.column_stack([zero if c.left_out else c.read(frame[c.name]) for c in columns])


def column_of(
    name: str,
    cells: nw.Series[Any] | Sequence[Any],
    wish: Any = None,
    special: tuple[SaidGap, ...] = (),
) -> Column:
    """Find the kind of a column.

    An id is a column of at least 20 rows of which more than 90 % of the texts are distinct, or
    whose cells are distinct whole numbers that are consecutive, have a name such as "row_id", or
    rise or fall from row to row. Of a column with such a name up to a tenth may be there twice.

    Parameters
    ----------
    name : str
        Name of the column.
    cells : narwhals.Series or sequence
        Its cells.
    wish : str, sequence of str or None, default=None
        What the user says: "drop" leaves the column out; "keep" keeps an id; "unordered" makes
        labels of its cells; a sequence of labels is their order, the lowest first. A word about
        its direction (+1 or "up", -1 or "down", "free", "peak", "valley", ``("peak", 120)``)
        keeps it, and leaves its kind to the cells, as None does.
    special : tuple of SaidGap, default=()
        What the user says of cells without a value.

    Returns
    -------
    Column
        Kind, labels and number of missing cells.

    Examples
    --------
    >>> from sugeno._scales.kinds import column_of
    >>> column_of("patient", list(range(100, 150))).left_out
    'consecutive whole numbers, each once'
    >>> column_of("patient", list(range(100, 150)), "keep").kind
    'number'
    >>> column_of("grade", ["B", "A", "C", "B"], ["C", "B", "A"]).read(["A", "C"])
    array([2., 0.])
    """
    found = _cells(name, cells)
    missing = int(found.missing.sum())
    kind, way = understood(name, wish)
    if isinstance(kind, tuple):
        return with_gaps(_ordered(found, kind, missing), special)
    column = replace(_by_cells(found), missing=missing, way=way)
    if kind == "drop":
        return replace(column, left_out="you said so")
    if len(found.distinct) + bool(missing) < 2:
        return Column(name, "constant", None, missing, found.why_constant())
    if kind == "unordered":
        return with_gaps(Column(name, "unordered", found.labels(), missing), special)
    _refuse_way(column, way, wish)
    column = with_gaps(column, special)
    if column.codes and {*map(float, found.distinct)} <= {*column.codes}:
        return Column(name, "constant", None, missing, NO_VALUE)
    reason = found.why_id() if kind is None and way is None and not special else ""
    return Column(name, "id", None, missing, reason) if reason else column


def with_gaps(column: Column, special: tuple[SaidGap, ...]) -> Column:
    """Say what cells without a value mean; codes are for columns of numbers.

    Examples
    --------
    >>> from sugeno._scales.kinds import Column, SaidGap, with_gaps
    >>> with_gaps(Column("months", "number"), (SaidGap(-9.0, "no record"),)).codes
    (-9.0,)
    """
    strange = [one for one in special if one.code is not None] if column.kind != "number" else []
    placed = [one for one in special if one.place is not None] if column.labels else []
    if strange or placed:
        what = "Codes" if strange else "Places of empty cells"
        raise ValueError(
            f"{what} are for columns of numbers; a label has a place of its own. Got special= for "
            f"{column.name!r}, whose kind is {column.kind}, instead; leave it out."
        )
    return replace(column, special=special)


def understood(name: str, wish: Any) -> tuple[Any, Any]:
    """What is said of the kind of a column (a tuple is an order), and of its direction.

    Examples
    --------
    >>> from sugeno._scales.kinds import understood
    >>> understood("age", "down"), understood("grade", ["C", "B", "A"])
    ((None, -1), (('C', 'B', 'A'), None))
    """
    if isinstance(wish, str):
        if wish in _KINDS_SAID:
            return wish, None
        if wish in _WAYS:
            return None, _WAYS[wish]
    elif wish is None or (isinstance(wish, Real) and wish in (1, -1)):
        return None, None if wish is None else (1 if wish == 1 else -1)
    elif isinstance(wish, Sequence) and len(wish) == 2 and wish[0] in ("peak", "valley"):
        if isinstance(wish[1], Real):
            return None, (wish[0], float(wish[1]))
    elif isinstance(wish, Sequence):
        return tuple(map(label_text, wish)), None
    raise ValueError(
        f"What is said of column {name!r} must be one of {[*_KINDS_SAID, *_WAYS]}, +1, -1, a list "
        f"of its labels, the lowest first, or such as ('peak', 120). Got {wish!r} instead."
    )


def column_of_counts(
    name: str,
    sort: str,
    rows: int,
    missing: int,
    *,
    labels: tuple[str, ...] | None = None,
    distinct: int | None = None,
    ends: tuple[float, float] | None = None,
    numbered: bool = True,
) -> Column:
    """Find the kind of a column whose cells are known through counts alone.

    As `column_of`, but that nobody knows the order of the rows.

    Parameters
    ----------
    name : str
        Name of the column.
    sort : {"number", "date", "truth", "text", "ordered"}
        What the cells are.
    rows, missing : int
        Number of cells, and of those that are missing.
    labels : tuple of str, optional
        The labels of texts, or in their order those that are declared.
    distinct : int, optional
        Number of different texts; by default that of the labels.
    ends : tuple of two floats, optional
        The least and the greatest number; None if all cells are missing. Whole numbers that may
        be an id are taken for different ones.
    numbered : bool, default=True
        Whether the column may be an id.

    Returns
    -------
    Column
        Kind, labels and number of missing cells.

    Examples
    --------
    >>> from sugeno._scales.kinds import column_of_counts
    >>> column_of_counts("patient", "number", 50, 0, ends=(100.0, 149.0)).left_out
    'consecutive whole numbers, each once'
    >>> column_of_counts("home", "text", 50, 3, labels=("own", "rent")).kind
    'two-valued'
    """
    if sort == "text":
        n_labels = len(labels or ()) if distinct is None else distinct
        only, several = (labels or ("",))[0], n_labels > 1
    else:
        several = ends is not None and ends[0] < ends[1]
        shown = ends[0] if ends is not None else 0.0
        names = _TRUTH if sort == "truth" else labels
        only = label_text(shown) if names is None else names[int(shown)]
        only = date_text(shown) if sort == "date" else only
    if not several and not 0 < missing < rows:
        why = f"every cell is {only if missing < rows else 'missing'}"
        return Column(name, "constant", None, missing, why)
    reason = ""
    if sort == "number" and ends is not None and not missing:
        reason = why_id_by_counts(name, rows, ends)
    if sort == "text" and rows >= _FEW_ROWS and n_labels > _DISTINCT * rows:
        reason = _TEXT_OF_ITS_OWN
    if reason and numbered:
        return Column(name, "id", None, missing, reason)
    kinds: dict[str, Kind] = {
        "number": "number",
        "date": "date",
        "truth": "truth",
        "ordered": "ordered",
    }
    if sort != "text":
        return Column(name, kinds[sort], _TRUTH if sort == "truth" else labels, missing)
    return Column(name, "two-valued" if n_labels == 2 else "unordered", labels, missing)


def why_id_by_counts(name: str, rows: int, ends: tuple[float, float]) -> str:
    """Say what shows that a column numbers the rows, if its numbers are whole and different.

    Parameters
    ----------
    name : str
        Name of the column.
    rows : int
        Number of cells, none of which is missing.
    ends : tuple of two floats
        The least and the greatest number.

    Examples
    --------
    >>> from sugeno._scales.kinds import why_id_by_counts
    >>> why_id_by_counts("patient", 50, (100.0, 149.0))
    'consecutive whole numbers, each once'
    >>> why_id_by_counts("patient_id", 50, (100.0, 990.0))
    'distinct whole numbers, and its name'
    >>> why_id_by_counts("age", 50, (18.0, 88.0))
    ''
    """
    if rows < _FEW_ROWS or not float(ends[0]).is_integer():
        return ""
    if ends[1] - ends[0] == rows - 1:
        return _CONSECUTIVE
    return why_named(name, rows, rows) if ends[1] - ends[0] >= _DISTINCT * rows else ""


def why_named(name: str, distinct: int, rows: int) -> str:
    """Say that a column of whole numbers is called an id, where few of them are there twice.

    Examples
    --------
    >>> from sugeno._scales.kinds import why_named
    >>> why_named("patient_id", 95, 100), why_named("rooms", 95, 100)
    ('whole numbers that hardly repeat, and its name', '')
    """
    if _NAMED_SO.fullmatch(name) is None or distinct <= _DISTINCT * rows:
        return ""
    return _NAMED if distinct == rows else _HARDLY_REPEATS


def as_wished(column: Column, wish: Any) -> Column:
    """Take what the user says of a column that is known through counts alone.

    Parameters
    ----------
    column : Column
        What was found; all labels, where labels are wished for.
    wish : str, sequence of str or None
        What the user says, as for `column_of`.

    Examples
    --------
    >>> from sugeno._scales.kinds import Column, as_wished
    >>> as_wished(Column("age", "number"), "free").way
    'free'
    >>> as_wished(Column("grade", "unordered", ("A", "B", "C")), ["C", "B", "A"]).kind
    'ordered'
    """
    kind, way = understood(column.name, wish)
    if isinstance(kind, tuple):
        found = _Cells(column.name, "text", [*(column.labels or ())], np.zeros(0, dtype=np.bool_))
        return _ordered(found, kind, column.missing)
    if kind == "drop":
        return replace(column, left_out="you said so")
    if kind == "unordered" and not column.left_out:
        return replace(column, kind="unordered")
    _refuse_way(column, way, wish)
    return replace(column, way=way)


def _refuse_way(column: Column, way: Any, wish: Any) -> None:
    """Refuse a direction of labels that have no order."""
    if way is not None and column.labels is not None and column.kind != "ordered":
        raise ValueError(
            f"Column {column.name!r} has labels, whose direction is an order of them. Got {wish!r} "
            f"instead; name the labels, the lowest first, or say 'unordered'."
        )


def label_text(value: Any) -> str:
    """Write a label; a number reads the same whatever its type, a truth value in lower case.

    Examples
    --------
    >>> from sugeno._scales.kinds import label_text
    >>> label_text(2.0), label_text(True), label_text("none")
    ('2', 'true', 'none')
    """
    if isinstance(value, bool | np.bool_):
        return _TRUTH[bool(value)]
    if isinstance(value, Integral) or not isinstance(value, Real):
        return str(value)
    return shortest(float(value))


@dataclass(frozen=True)
class _Cells:
    """The cells of a column, those that are there in plain Python or as an array.

    Attributes
    ----------
    name : str
        Name of the column.
    sort : {"number", "truth", "date", "duration", "text", "ordered"}
        What the cells are.
    present : list or ndarray of float64
        The cells that are not missing.
    missing : ndarray of bool
        Which cells are missing.
    order : tuple of str or None
        The labels in their declared order.
    """

    name: str
    sort: str
    present: list[Any] | Floats
    missing: NDArray[np.bool_]
    order: tuple[str, ...] | None = None

    def numbers(self) -> Floats:
        """All cells as numbers; a date and a duration in days."""
        result = np.full(self.missing.size, np.nan)
        cells = self.present
        result[~self.missing] = [*map(days_of, cells)] if self.sort in _IN_DAYS else cells
        return result

    @cached_property
    def distinct(self) -> list[Any]:
        """The distinct cells; numbers in their order, others in that of the alphabet."""
        if isinstance(self.present, np.ndarray):
            return [*np.unique(self.present).tolist()]
        return sorted(set(self.present), key=None if self.sort == "number" else label_text)

    def labels(self) -> tuple[str, ...]:
        """The distinct cells as texts, or the labels that are declared."""
        return self.order or tuple(dict.fromkeys(map(label_text, self.distinct)))

    def example(self) -> str:
        """Say what the cells are."""
        return f"{self.sort} such as {self.distinct[0]!r}" if self.distinct else "no cells"

    def why_constant(self) -> str:
        """Say what every cell is."""
        if not self.distinct:
            return "every cell is missing"
        only = self.distinct[0]
        shown = date_text(days_of(only)) if self.sort == "date" else label_text(only)
        return f"every cell is {shown}"

    def why_id(self) -> str:
        """Say what shows that the column numbers or names the rows; nothing if it does not."""
        if self.missing.size < _FEW_ROWS:
            return ""
        if self.sort == "text":
            many = len(self.distinct) > _DISTINCT * self.missing.size
            return _TEXT_OF_ITS_OWN if many else ""
        return self._why_numbered() if self.sort == "number" else ""

    def _why_numbered(self) -> str:
        numbers = np.asarray(self.present, dtype=np.float64)
        whole = not self.missing.any() and bool((numbers == np.floor(numbers)).all())
        if not whole:
            return ""
        if len(self.distinct) < numbers.size:
            return why_named(self.name, len(self.distinct), numbers.size)
        by_counts = why_id_by_counts(self.name, numbers.size, (numbers.min(), numbers.max()))
        if by_counts:
            return by_counts
        steps = np.diff(numbers)
        if (steps > 0).all() or (steps < 0).all():
            way = "rise" if steps[0] > 0 else "fall"
            return f"distinct whole numbers that {way} from row to row"
        return ""


def _by_cells(found: _Cells) -> Column:
    """Kind of a column that is used, by what its cells are."""
    if found.sort in ("number", *_IN_DAYS):
        return Column(found.name, "date" if found.sort == "date" else "number")
    if found.sort == "truth":
        return Column(found.name, "truth", _TRUTH)
    labels = found.labels()
    if found.sort == "ordered":
        return Column(found.name, "ordered", labels)
    return Column(found.name, "two-valued" if len(labels) == 2 else "unordered", labels)


def _ordered(found: _Cells, order: tuple[str, ...], missing: int) -> Column:
    """A column whose order the user gives."""
    unknown = sorted(set(map(label_text, found.present)) - set(order))
    if unknown or len(set(order)) < len(order):
        raise ValueError(
            f"The order of column {found.name!r} must name each of its labels once, the lowest "
            f"first. Got {list(order)}, and {unknown[:5]} besides; name all of them."
        )
    return Column(found.name, "ordered", order, missing)


def _cells(name: str, cells: nw.Series[Any] | Sequence[Any]) -> _Cells:
    """Look at the cells of a column: what they are, and which are missing."""
    if isinstance(cells, Sequence):
        return _of_objects(name, list(cells), np.array([*map(_is_missing, cells)], dtype=np.bool_))
    import narwhals as nw

    kind = cells.dtype
    if kind.is_numeric():
        numbers = cells.cast(nw.Float64).to_numpy().astype(np.float64)
        missing = np.isnan(numbers)
        return _Cells(name, "number", numbers[~missing], missing)
    missing = cells.is_null().to_numpy().astype(np.bool_)
    order = order_of(cells)
    if order is not None:
        present = cells.filter(~cells.is_null()).to_list()
        return _Cells(name, "ordered", present, missing, tuple(map(label_text, order)))
    return _of_objects(name, cells.to_list(), missing)


def _of_objects(name: str, values: list[Any], missing: NDArray[np.bool_]) -> _Cells:
    """Cells of any type: what they all are."""
    present = [value for value, gap in zip(values, missing.tolist()) if not gap]
    for sort, types in _SORTS.items():
        if all(isinstance(value, types) for value in present):
            return _Cells(name, sort, present, missing)
    strange = next((v for v in present if not isinstance(v, _PLAIN)), None)
    if strange is None:  # numbers and texts side by side
        return _Cells(name, "text", [*map(label_text, present)], missing)
    raise ValueError(
        f"Column {name!r} must hold numbers, texts, truth values or dates. Got cells such as "
        f"{strange!r} instead; turn them into one of these, or drop the column."
    )


#: Kinds that cells can be read as, if not their own only; a duration is a number of days.
_READ_AS: Mapping[str, tuple[Kind, ...]] = {
    "truth": ("truth", "number"),
    "duration": ("number", "date"),
}
_SORTS: Mapping[str, Any] = {
    "truth": bool | np.bool_,
    "number": Real | Decimal,
    "text": str,
    "duration": timedelta | np.timedelta64,
    "date": date | np.datetime64 | timedelta | np.timedelta64,
}
_PLAIN = (str, Real, Decimal, bool, np.bool_, date)


def _is_missing(value: Any) -> bool:
    """Whether a cell is None, NaN, NaT or another thing that does not equal itself."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def _places(found: _Cells, labels: tuple[str, ...]) -> Floats:
    """Place of each cell among the labels."""
    place = {label: float(i) for i, label in enumerate(labels)}
    of_cell = {value: place.get(label_text(value), -1.0) for value in found.distinct}
    result = np.full(found.missing.size, np.nan)
    cells = found.present if isinstance(found.present, list) else found.present.tolist()
    result[~found.missing] = [of_cell[value] for value in cells]
    return result
