"""The label of patterns that were never observed.

An optimal closure fixes the labels of the observed patterns only. Any monotone labelling of the
others is as good on the training data; this module makes the choice explicit and returns the
boundary sets of the family that results.
"""

from __future__ import annotations

from math import lcm

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.bit_tables import BitTables
from sugeno._sets.chains import TABLE_CELLS, Chains, minimal_sets
from sugeno._sets.masks import Masks, minimal
from sugeno._sets.transversals import minimal_transversals
from sugeno.solvers.budget import Budget
from sugeno.solvers.short_rules import short_rules

__all__ = ["extend"]

#: A list of more rules than this is one that nobody goes through. "nearest" errs least on the
#: paper's tasks, so that it gives way as late as can be (docs/how-it-works.md).
MOST_READABLE = 50
#: Steps are measured in whole numbers below this.
_LONGEST = 1 << 16


def extend(
    accepted: Masks,
    rejected: Masks,
    chains: Chains,
    *,
    extension: str,
    normalized: bool = True,
    budget: Budget | None = None,
) -> Masks:
    """Return the boundary sets of a family that agrees with the labels of observed patterns.

    Parameters
    ----------
    accepted, rejected : ndarray of uint64 of shape (·, words)
        Observed patterns by label; no accepted one lies inside a rejected one.
    chains : Chains
        The literals of each criterion.
    extension : {"lower", "upper", "nearest", "short", "auto"}
        What to do with a pattern that was not observed. ``"lower"`` accepts it only if it
        contains an accepted one: the burden of proof is on the applicant, the rules are those
        that the data support. ``"upper"`` accepts it unless it lies inside a rejected one: the
        benefit of the doubt. ``"nearest"`` accepts it if fewer steps separate it from an
        accepted pattern than from a rejected one; all levels of a criterion together count as
        much as the single level of another. ``"short"`` takes few short rules: each is as general
        as the rejected patterns allow (`sugeno.solvers.short_rules`). ``"auto"`` is "nearest" if
        that leads to at most 50 rules, else "short".
    normalized : bool, default=True
        Whether the set of all literals is accepted in any case.
    budget : Budget, optional
        The time for "short".

    Returns
    -------
    ndarray of uint64 of shape (R, words)
        Boundary sets in canonical order.

    Notes
    -----
    ``"lower"`` takes any number of literals. ``"upper"`` is a dualisation, whose result can be
    exponentially large; ``"nearest"`` needs a table over all patterns, hence at most 2**20 of them.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.extension import extend
    >>> three = Chains.single(3)
    >>> accepted, rejected = np.array([[7]], np.uint64), np.array([[1]], np.uint64)
    >>> extend(accepted, rejected, three, extension="lower").ravel().tolist()
    [7]
    >>> extend(accepted, rejected, three, extension="upper").ravel().tolist()
    [2, 4]
    >>> extend(accepted, rejected, three, extension="nearest").ravel().tolist()
    [6]
    >>> extend(accepted, rejected, three, extension="short").ravel().tolist()
    [4]
    """
    words = accepted.shape[1]
    if normalized:
        accepted = np.concatenate([accepted, chains.full])
    rejected = np.concatenate([rejected, np.zeros((1, words), dtype=np.uint64)])
    if extension == "lower":
        return minimal(accepted)
    if extension == "nearest":
        return _nearest(accepted, rejected, chains)
    if extension == "short":
        return short_rules(accepted, rejected, chains, budget)
    if extension == "auto":
        return _readable(accepted, rejected, chains, budget)
    if chains.is_small:
        boards = BitTables.of(chains)
        return boards.minimal_sets(boards.full & ~boards.spread_down(boards.board(rejected)))
    return _upper(rejected, chains)


def _readable(accepted: Masks, rejected: Masks, chains: Chains, budget: Budget | None) -> Masks:
    """What predicts best, as long as people can read it."""
    if chains.is_small:
        sets = _nearest(accepted, rejected, chains)
        if len(sets) <= MOST_READABLE:
            return sets
    return short_rules(accepted, rejected, chains, budget)


def _nearest(accepted: Masks, rejected: Masks, chains: Chains) -> Masks:
    """Compare the steps to take up with the steps to take down, for all patterns at once."""
    if not chains.is_small:
        raise ValueError(
            f"extension='nearest' needs a table over all patterns and takes at most "
            f"{TABLE_CELLS:,} of them. Got {chains.n_criteria} criteria with "
            f"{chains.n_literals} literals instead; use extension='lower'."
        )
    boards = BitTables.of(chains)
    accept = boards.spread_up(boards.board(accepted))
    reject = boards.spread_down(boards.board(rejected))
    if len(set(chains.sizes)) > 1:
        return minimal_sets(_fewer_up(boards.table(accept), boards.table(reject), chains), chains)
    # All steps are equally long: patterns join the side that reaches them first.
    nearest = accept & ~reject
    while accept and accept | reject != boards.full:
        accept, reject = boards.lowered(accept), boards.raised(reject)
        nearest |= accept & ~reject
    return boards.minimal_sets(nearest)


def _fewer_up(
    accept: NDArray[np.bool_], reject: NDArray[np.bool_], chains: Chains
) -> NDArray[np.bool_]:
    """Tell which patterns are nearer to what is accepted, by steps of unequal length."""
    steps = _steps(chains)
    far = np.int32(2 * sum(step * size for step, size in zip(steps, chains.sizes)) + 1)
    lift = np.where(accept, np.int32(0), far)
    drop = np.where(reject, np.int32(0), far)
    for step, up, down in zip(steps, chains.along(lift), chains.along(drop)):
        for place in range(up.shape[1] - 2, -1, -1):
            np.minimum(up[:, place], up[:, place + 1] + step, out=up[:, place])
        for place in range(1, down.shape[1]):
            np.minimum(down[:, place], down[:, place - 1] + step, out=down[:, place])
    nearer: NDArray[np.bool_] = lift < drop
    return nearer


def _steps(chains: Chains) -> list[np.int32]:
    """Length of a step of each criterion; whole numbers, so that ties are ties."""
    whole = lcm(*(size for size in chains.sizes if size))
    unit = whole if whole < _LONGEST else _LONGEST
    return [np.int32(unit // size if size else 0) for size in chains.sizes]


def _upper(rejected: Masks, chains: Chains) -> Masks:
    """Minimal sets that lie inside no rejected one.

    A set lies inside R unless it meets the complement of R, so these are the minimal
    transversals of the complements; of several levels of a criterion the closed set is meant.
    """
    complements = chains.full & ~rejected
    if not complements.any(axis=1).all():
        return rejected[:0]
    try:
        return minimal(chains.closed(minimal_transversals(complements)))
    except OverflowError as error:
        raise ValueError(
            f"extension='upper' leads to too many boundary sets with {chains.n_literals} "
            "literals. Use extension='lower', or a smaller k."
        ) from error
