"""A criterion: what a column of a table means to the person who reads the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Criterion", "criteria_of"]


@dataclass(frozen=True)
class Criterion:
    """One column of the table.

    Attributes
    ----------
    name : str
        Name of the column.
    direction : int
        +1 where higher values are better, -1 where lower ones are.
    labels : tuple of str or None
        The ordered labels of a categorical column; its values are their places, 0, 1, ….

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion
    >>> Criterion("price", -1).sign
    '<='
    """

    name: str
    direction: int = 1
    labels: tuple[str, ...] | None = None

    @property
    def sign(self) -> str:
        """How a value that reaches a level compares with it."""
        return ">=" if self.direction > 0 else "<="


def criteria_of(
    names: Sequence[str] | NDArray[np.object_] | None,
    directions: NDArray[np.integer],
    labels: Sequence[tuple[str, ...] | None] | None = None,
) -> tuple[Criterion, ...]:
    """Put together names (x0, x1, … by default), directions and ordered labels.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.criterion import criteria_of
    >>> criteria_of(None, np.array([-1]))
    (Criterion(name='x0', direction=-1, labels=None),)
    """
    given = [f"x{j}" for j in range(directions.size)] if names is None else [str(n) for n in names]
    ordered = [None] * directions.size if labels is None else labels
    return tuple(
        Criterion(name, int(direction), label)
        for name, direction, label in zip(given, directions, ordered, strict=True)
    )
