"""Rows against rules in one pass: the verdicts alone, without the sets of satisfied literals.

A rule of four literals takes three operations on truth values, eight rows in a machine word. To
pack all literals of each row into a word first, and to compare words with rules, takes several
times as long; it pays where somebody asks for the sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.literals import Literals, refuse_infinite
from sugeno._scales.missing import check_none_missing

Bools = NDArray[np.bool_]

#: Entries taken at a time: they, and the truth values of their literals, stay in the cache.
_BLOCK_ENTRIES = 1 << 17


def verdicts(
    X: NDArray[Any],
    literals: Literals,
    sets: Sequence[Sequence[int]],
    *,
    clauses: bool = False,
    check_finite: bool = False,
) -> Bools:
    """Tell which rows satisfy all literals of at least one set.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Values in original units; finite.
    literals : Literals
        The literals.
    sets : sequence of sequences of int
        Numbers of literals.
    clauses : bool, default=False
        Whether at least one literal of every set is asked for instead.
    check_finite : bool, default=False
        Refuse missing and infinite values.

    Returns
    -------
    ndarray of bool of shape (n,)
        The verdicts.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno._scales.literals import Literals
    >>> from sugeno._scales.verdicts import verdicts
    >>> literals = Literals.of_levels([Criterion("speed"), Criterion("price", -1)], [0, 1], [5, 3])
    >>> verdicts(np.array([[6.0, 2.0], [8.0, 9.0]]), literals, [(0, 1)])
    array([ True, False])
    """
    tests = _tests(literals, sorted({literal for one in sets for literal in one}))
    result = np.empty(len(X), dtype=np.bool_)
    for rows, columns in _blocks(X, literals, check_finite):
        _decide(columns, tests, sets, clauses, result[rows])
    return result


def scores(
    X: NDArray[Any], literals: Literals, points: Sequence[int], *, check_finite: bool = False
) -> NDArray[np.intp]:
    """Add up the points of the literals that each row satisfies.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Values in original units; finite.
    literals : Literals
        The literals.
    points : sequence of int
        What each of them adds, at least 1.
    check_finite : bool, default=False
        Refuse missing and infinite values.

    Returns
    -------
    ndarray of intp of shape (n,)

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno._scales.literals import Literals
    >>> from sugeno._scales.verdicts import scores
    >>> literals = Literals.of_levels([Criterion("speed"), Criterion("price", -1)], [0, 1], [5, 3])
    >>> scores(np.array([[6.0, 2.0], [8.0, 9.0]]), literals, [2, 1])
    array([3, 2])
    """
    tests = _tests(literals, range(len(points)))
    # Small numbers are added many at a time.
    kind = np.min_scalar_type(sum(points))
    result = np.zeros(len(X), dtype=kind)
    for rows, columns in _blocks(X, literals, check_finite):
        for literal, compare, column, bound in tests:
            held = compare(columns[column], bound).view(np.uint8)
            result[rows] += held * kind.type(points[literal]) if points[literal] > 1 else held
    return result.astype(np.intp)


def _blocks(
    X: NDArray[Any], literals: Literals, check_finite: bool
) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Yield some rows at a time, laid out column by column."""
    step = max(1024, _BLOCK_ENTRIES // max(1, X.shape[1]))
    for start in range(0, len(X), step):
        rows = slice(start, start + step)
        if check_finite:
            _check(X[rows], literals)
        yield rows, np.ascontiguousarray(X[rows].T)


def _tests(
    literals: Literals, used: Sequence[int]
) -> list[tuple[int, np.ufunc, int, np.floating[Any]]]:
    """Number, comparison, column and bound of each literal, as `satisfied` reads them."""
    bounds, decreasing = literals.bounds
    return [
        (i, np.less if decreasing[i] else np.greater_equal, int(literals.columns[i]), bounds[i])
        for i in used
    ]


def _check(block: NDArray[Any], literals: Literals) -> None:
    try:
        refuse_infinite(block)
    except ValueError:
        check_none_missing(block, [criterion.name for criterion in literals.criteria])
        raise


def _decide(
    columns: NDArray[Any],
    tests: Sequence[tuple[int, np.ufunc, int, np.floating[Any]]],
    sets: Sequence[Sequence[int]],
    clauses: bool,
    out: Bools,
) -> None:
    """Verdicts on a block that lies column by column."""
    truth = {literal: compare(columns[column], bound) for literal, compare, column, bound in tests}
    inner, outer = (np.logical_or, np.logical_and) if clauses else (np.logical_and, np.logical_or)
    out[:] = clauses
    for members in sets:
        if not members:  # nothing to ask for, and no clause that anything satisfies
            out[:] = not clauses
            return
        held = truth[members[0]]
        if len(members) > 1:
            held = inner(held, truth[members[1]])
            for literal in members[2:]:
                inner(held, truth[literal], out=held)
        outer(out, held, out=out)
