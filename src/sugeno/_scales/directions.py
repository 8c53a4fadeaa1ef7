"""Directions: whether higher or lower values of a criterion speak for the positive class.

A criterion looked at alone has the direction of the sign of AUC - 1/2: the share of pairs of a
positive and a negative row in which the positive one has the higher value. It is deterministic,
needs value counts only, and does not change when a criterion is rescaled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._exceptions import WeakDirectionWarning, warn_user
from sugeno._scales.evidence import RankEvidence
from sugeno._scales.number import plain

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: A share of up votes in this range does not settle a direction.
WEAK_SHARE = (0.4, 0.6)
#: A warning names so many features; more of them nobody reads.
_MOST_NAMED = 20


@dataclass(frozen=True, eq=False, repr=False)
class Directions:
    """Directions of all features, with the evidence for each. Prints as a table.

    Estimators take it as their ``directions``: by name for a table with the same names, by
    position for a table without names.

    Attributes
    ----------
    directions : ndarray of int of shape (m,)
        +1 where higher values are better, -1 where lower ones are.
    names : tuple of str
        Names of the features.
    statistic : ndarray of shape (m,)
        Method "rank": the area under the ROC curve of the feature. Method "model": the share of
        up votes. Either way 1/2 says nothing, and more speaks for +1.
    weak : ndarray of bool of shape (m,)
        Whether the evidence is weak.
    method : {"rank", "model"}
        How the directions were found.
    votes_up, votes_down : ndarray of shape (m,) or None
        Method "model": weight of the rows whose output goes up or down with the feature.

    Examples
    --------
    >>> from sugeno import infer_directions
    >>> X = [[1, 9], [2, 8], [3, 7], [4, 6], [5, 5], [6, 5]]
    >>> found = infer_directions(X, [0, 0, 0, 1, 1, 1])
    >>> found
    Directions by method 'rank'
    feature  direction  AUC    evidence
    x0       +1         1.000  clear
    x1       -1         0.000  clear
    >>> found.to_dict()
    {'x0': 1, 'x1': -1}
    """

    directions: Ints
    names: tuple[str, ...]
    statistic: Floats
    weak: Bools
    method: Literal["rank", "model"]
    votes_up: Floats | None = None
    votes_down: Floats | None = None

    def to_dict(self) -> dict[str, int]:
        """Return the directions by feature name, as estimators take them.

        The columns of a table without names are called x0, x1, …, here and there.
        """
        return dict(zip(self.names, self.directions.tolist()))

    def __repr__(self) -> str:
        columns = [
            ["feature", *self.names],
            ["direction", *(f"{d:+d}" for d in self.directions)],
            *self._evidence(),
            ["evidence", *("weak" if weak else "clear" for weak in self.weak)],
        ]
        widths = [max(map(len, column)) for column in columns]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
            for row in zip(*columns)
        ]
        return "\n".join([f"Directions by method {self.method!r}", *lines])

    def _evidence(self) -> list[list[str]]:
        """Columns of the table that hold the statistic, and the votes if there are any."""
        statistic = [f"{value:.3f}" for value in self.statistic]
        if self.votes_up is None or self.votes_down is None:
            return [["AUC", *statistic]]
        return [
            ["up", *map(plain, self.votes_up.tolist())],
            ["down", *map(plain, self.votes_down.tolist())],
            ["up share", *statistic],
        ]


def given_directions(
    directions: Directions | ArrayLike | Mapping[str, int | str] | str | None,
    n_features: int,
    feature_names: Sequence[str] | NDArray[np.object_] | None = None,
) -> Ints:
    """Bring directions into the form of one integer per criterion; 0 where it is to be found.

    Parameters
    ----------
    directions : "auto", Directions, array-like of shape (n_features,), mapping or None
        +1 where higher values are better, -1 where lower ones are. A mapping goes from feature
        names to directions; features that it does not name are found from the data, and so are
        those that it calls "auto". None is +1 everywhere.
    n_features : int
        Number of criteria.
    feature_names : sequence of str, optional
        Names of the criteria; without them a mapping calls them x0, x1, ….

    Returns
    -------
    ndarray of int64 of shape (n_features,)
        The directions: +1, -1, or 0 for "auto".

    Examples
    --------
    >>> from sugeno._scales.directions import given_directions
    >>> given_directions({"price": -1}, 2, ["quality", "price"])
    array([ 0, -1])
    """
    if directions is None:
        return np.ones(n_features, dtype=np.int64)
    if isinstance(directions, str):
        _check_direction(directions, "every feature")
        return np.zeros(n_features, dtype=np.int64)
    if isinstance(directions, Directions):
        by_place = feature_names is None or directions.names == _default_names(n_features)
        directions = directions.directions if by_place else directions.to_dict()
    if isinstance(directions, Mapping):
        directions = _directions_by_name(directions, feature_names, n_features)
    array = np.asarray(directions, dtype=object)
    if array.shape != (n_features,):
        raise ValueError(
            f"directions must hold one of +1 and -1 per feature, shape ({n_features},). "
            f"Got shape {array.shape} instead."
        )
    names = [f"feature {j}" for j in range(n_features)]
    if feature_names is not None:
        names = [repr(name) for name in feature_names]
    checked = [_check_direction(value, name) for value, name in zip(array.tolist(), names)]
    return np.array(checked, dtype=np.int64)


def _check_direction(value: Any, name: str) -> int:
    """Return +1 or -1, or 0 for "auto"."""
    if isinstance(value, str) and value == "auto":
        return 0
    if isinstance(value, bool) or not isinstance(value, Real) or value not in (-1, 1):
        raise ValueError(
            f"The direction of {name} must be +1 (higher is better), -1 (lower is better) or "
            f"'auto'. Got {value!r} instead."
        )
    return 1 if value == 1 else -1


def _default_names(n_features: int) -> tuple[str, ...]:
    """Names of columns that have none."""
    return tuple(f"x{j}" for j in range(n_features))


def _directions_by_name(
    directions: Mapping[str, Any],
    feature_names: Sequence[str] | NDArray[np.object_] | None,
    n_features: int,
) -> list[Any]:
    """Directions in the order of the features, "auto" where none is given."""
    given = _default_names(n_features) if feature_names is None else feature_names
    names = [str(name) for name in given]
    unknown = [name for name in directions if name not in names]
    if unknown and feature_names is None:
        raise ValueError(
            "directions by name need a table with column names, or the names x0, x1, … of a table "
            f"without. Got {unknown} and a table without names; pass a data frame, or one of +1 "
            "and -1 per column."
        )
    if unknown:
        raise ValueError(
            f"directions must name features of the table, which are {names}. Got {unknown} instead."
        )
    return [directions.get(name, "auto") for name in names]


def directions_by_rank(evidence: Sequence[RankEvidence], names: Sequence[str]) -> Directions:
    """Put together what the criteria, each looked at alone, say.

    Examples
    --------
    >>> from sugeno._scales.directions import directions_by_rank
    >>> from sugeno._scales.evidence import RankEvidence
    >>> directions_by_rank([RankEvidence(-1, 0.1, -4.0)], ["price"]).to_dict()
    {'price': -1}
    """
    return Directions(
        np.array([one.direction for one in evidence], dtype=np.int64),
        tuple(names),
        np.array([one.auc for one in evidence]),
        np.array([one.weak for one in evidence]),
        "rank",
    )


def weak_message(found: Directions) -> str:
    """Warning that names the features whose direction is uncertain."""
    word = "AUC" if found.method == "rank" else "share of up votes"
    weak = np.flatnonzero(found.weak)
    features = ", ".join(
        f"{found.names[j]!r} ({word} {found.statistic[j]:.3f})" for j in weak[:_MOST_NAMED]
    )
    more = "" if weak.size <= _MOST_NAMED else f" and of {weak.size - _MOST_NAMED} more"
    return (
        f"The evidence for the direction of {features}{more} is weak. "
        "Check it, and pass the directions that you know."
    )


def warn_if_weak(found: Directions | None) -> None:
    """Warn of directions that were found on weak evidence."""
    if found is not None and found.weak.any():
        warn_user(weak_message(found), WeakDirectionWarning)
