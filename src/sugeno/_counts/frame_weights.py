"""Sample weights of a frame as integers, exactly as `sugeno._counts.weights` makes them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.frame_columns import first_met
from sugeno._counts.weights import scale_of_weights

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["IntegerWeight"]


@dataclass(frozen=True)
class IntegerWeight:
    """A column of positive weights times a power of two, as whole numbers.

    Attributes
    ----------
    column : narwhals.Expr
        The weights as doubles.
    exponent : int
        Of the power of two.
    is_exact : bool
        Whether the product is whole as it is; otherwise it is rounded.
    each : int or None
        The weight of every row, in units, if they all weigh the same.

    Examples
    --------
    >>> import narwhals as nw
    >>> import numpy as np
    >>> import polars as pl
    >>> from sugeno._counts.frame_weights import IntegerWeight
    >>> weight = IntegerWeight.of(nw.col("w"), np.array([1.5, 0.25]), np.array([1, 7]))
    >>> frame = nw.from_native(pl.DataFrame({"w": [0.25, 1.5]}))
    >>> frame.select(weight.units.alias("w"))["w"].to_list(), weight.unit
    ([1, 6], 0.25)
    """

    column: nw.Expr
    exponent: int = 0
    is_exact: bool = True
    each: int | None = None

    @classmethod
    def of(
        cls, column: nw.Expr, weights: NDArray[np.float64], repeats: NDArray[np.int64]
    ) -> IntegerWeight:
        """Find the power of two from the distinct weights and how often each occurs."""
        exponent = scale_of_weights(weights, repeats)
        scaled = np.ldexp(weights, exponent)
        positive = np.unique(weights[weights > 0])
        each = max(1, round(math.ldexp(positive[0], exponent))) if positive.size == 1 else None
        return cls(column, exponent, bool((scaled == np.rint(scaled)).all()), each)

    @property
    def unit(self) -> float:
        """What one unit is worth to the user."""
        return float(2.0**-self.exponent)

    @property
    def units(self) -> nw.Expr:
        """The weights as whole numbers; half to even, and no positive weight becomes 0.

        Engines round halves in different ways, so that rounding is spelt out: `floor` is exact,
        and so is what is left over.
        """
        import narwhals as nw

        scaled = self.column * 2.0**self.exponent
        if self.is_exact:
            return scaled.cast(nw.Int64)
        below = scaled.floor()
        whole = below.cast(nw.Int64)
        rest = scaled - below
        up = (rest > 0.5) | ((rest == 0.5) & (whole % 2 == 1)) | (scaled < 1.0)
        return whole + first_met([(up, 1)], 0).cast(nw.Int64)
