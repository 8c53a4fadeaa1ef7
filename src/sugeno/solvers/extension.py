"""The label of patterns that were never observed.

An optimal closure fixes the labels of the observed patterns only. Any monotone labelling of the
others is as good on the training data; this module makes the choice explicit and returns the
boundary sets of the family that results.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sugeno.lattice import minimal_sets, spread_down, spread_up
from sugeno.patterns import TABLE_LITERALS, Masks, minimal, pack
from sugeno.transversals import minimal_transversals

__all__ = ["extend"]


def extend(
    accepted: Masks, rejected: Masks, n_literals: int, *, extension: str, normalized: bool = True
) -> Masks:
    """Return the boundary sets of a family that agrees with the labels of observed patterns.

    Parameters
    ----------
    accepted, rejected : ndarray of uint64 of shape (·, words)
        Observed patterns by label; no accepted one lies inside a rejected one.
    n_literals : int
        Number of literals.
    extension : {"lower", "upper", "nearest"}
        What to do with a pattern that was not observed. ``"lower"`` accepts it only if it
        contains an accepted one: the burden of proof is on the applicant, the rules are those
        that the data support. ``"upper"`` accepts it unless it lies inside a rejected one: the
        benefit of the doubt. ``"nearest"`` accepts it if fewer literals separate it from an
        accepted pattern than from a rejected one.
    normalized : bool, default=True
        Whether the set of all literals is accepted in any case.

    Returns
    -------
    ndarray of uint64 of shape (R, words)
        Boundary sets in canonical order.

    Notes
    -----
    ``"lower"`` takes any number of literals. ``"upper"`` is a dualisation, whose result can be
    exponentially large; ``"nearest"`` needs a table over all sets, hence at most 20 literals.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.extension import extend
    >>> accepted, rejected = np.array([[7]], np.uint64), np.array([[1]], np.uint64)
    >>> extend(accepted, rejected, 3, extension="lower").ravel().tolist()
    [7]
    >>> extend(accepted, rejected, 3, extension="upper").ravel().tolist()
    [2, 4]
    >>> extend(accepted, rejected, 3, extension="nearest").ravel().tolist()
    [6]
    """
    words = accepted.shape[1]
    if normalized:
        accepted = np.concatenate([accepted, _full_set(n_literals)])
    rejected = np.concatenate([rejected, np.zeros((1, words), dtype=np.uint64)])
    if extension == "lower":
        return minimal(accepted)
    if extension == "nearest":
        return _nearest(accepted, rejected, n_literals)
    if n_literals <= TABLE_LITERALS:
        refused = _table(rejected, n_literals)
        return minimal_sets(~spread_down(refused, np.logical_or))
    return _upper(rejected, n_literals)


def _full_set(n_literals: int) -> Masks:
    return pack(np.ones((1, n_literals), dtype=np.bool_))


def _table(masks: Masks, n_literals: int) -> NDArray[np.bool_]:
    table = np.zeros(1 << n_literals, dtype=np.bool_)
    table[masks[:, 0].astype(np.intp)] = True
    return table


def _nearest(accepted: Masks, rejected: Masks, n_literals: int) -> Masks:
    """Compare the number of literals to add with the number to drop, for all sets at once."""
    if n_literals > TABLE_LITERALS:
        raise ValueError(
            f"extension='nearest' needs a table over all sets of literals and takes at most "
            f"{TABLE_LITERALS} literals. Got {n_literals} instead; use extension='lower'."
        )
    far = np.int8(2 * TABLE_LITERALS)
    accept = spread_up(_table(accepted, n_literals), np.logical_or)
    reject = spread_down(_table(rejected, n_literals), np.logical_or)
    lift = np.where(accept, np.int8(0), far)
    drop = np.where(reject, np.int8(0), far)
    for bit in range(n_literals):
        pairs = lift.reshape(-1, 2, 1 << bit)
        np.minimum(pairs[:, 0], pairs[:, 1] + np.int8(1), out=pairs[:, 0])
        pairs = drop.reshape(-1, 2, 1 << bit)
        np.minimum(pairs[:, 1], pairs[:, 0] + np.int8(1), out=pairs[:, 1])
    return minimal_sets(lift < drop)


def _upper(rejected: Masks, n_literals: int) -> Masks:
    """Minimal sets that lie inside no rejected one.

    A set lies inside R unless it meets the complement of R, so these are the minimal
    transversals of the complements.
    """
    complements = _full_set(n_literals) & ~rejected
    if not complements.any(axis=1).all():
        return rejected[:0]
    try:
        return minimal_transversals(complements)
    except OverflowError as error:
        raise ValueError(
            f"extension='upper' leads to too many boundary sets with {n_literals} literals. "
            "Use extension='lower', or a smaller k."
        ) from error
