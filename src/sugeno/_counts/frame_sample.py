"""Some rows of a frame, chosen by what they hold; see `sugeno._counts.sample`."""

from __future__ import annotations

import copy
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.frame_columns import is_missing
from sugeno._counts.sample import (
    BITS,
    HASHES,
    MISSING,
    ROUNDS,
    hash_part,
    in_order,
    mixed,
    scale_of,
    smallest_hashes,
)
from sugeno._counts.table import Table

if TYPE_CHECKING:
    import narwhals as nw

    from sugeno._counts.frame import Frame

__all__ = ["sampled_rows"]


def sampled_rows(frame: Frame, size: int) -> Table:
    """Return the distinct rows with the smallest hashes; one pass as a rule."""
    hashed = _hashed(frame)

    def below(bound: int) -> tuple[Table, NDArray[np.intp]]:
        return _below(hashed, bound)

    return smallest_hashes(below, size, frame.total)


def _hashed(frame: Frame) -> Frame:
    """The same rows with a column for their hash."""
    import narwhals as nw

    hashed = copy.copy(frame)
    parts = [hash_part(_whole(frame, j), j) for j in range(frame.n_criteria)]
    rows = frame.lazy_rows.with_columns(hash=reduce(add, parts) % HASHES)
    for factor, summand in ROUNDS:  # in steps, so that no engine computes a round twice
        rows = rows.with_columns(hash=mixed(nw.col("hash"), factor, summand))
    hashed.lazy_rows = rows
    return hashed


def _whole(frame: Frame, criterion: int) -> nw.Expr:
    """A criterion as whole numbers from 0."""
    import narwhals as nw

    number = nw.col(f"x{criterion}")
    absent = is_missing(number)
    present = nw.when(absent).then(nw.lit(0.0)).otherwise(number)
    scale = scale_of(*frame.value_counts(criterion).values[[0, -1]].tolist())
    whole = (present * scale).floor().cast(nw.Int64) + (1 << BITS)
    return nw.when(absent).then(nw.lit(MISSING, nw.Int64)).otherwise(whole)


def _below(hashed: Frame, bound: int) -> tuple[Table, NDArray[np.intp]]:
    """Distinct rows whose hash is below a bound, in their order, with their numbers."""
    import narwhals as nw

    value = nw.col("hash")
    groups = hashed.distinct(
        f"rows with a hash below {bound}",
        {"hash": value},
        among=value < bound if bound < HASHES else None,
    )
    return in_order(hashed.table_of(groups), groups["hash"])
