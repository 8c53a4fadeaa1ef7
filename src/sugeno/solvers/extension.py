"""The label of patterns that were never observed.

An optimal closure fixes the labels of the observed patterns only. Any monotone labelling of the
others is as good on the training data; this module makes the choice explicit and returns the
boundary sets of the family that results.

One choice is few short rules that agree with all observed labels. Every accepted pattern is a rule
already. Literals are dropped from it, the least useful one first, for as long as no rejected
pattern satisfies what is left; on a chain that lowers a level. What is left is as general as the
data allow, so that a few such rules cover all accepted patterns. There are two opinions on what is
useful, and both propose rules: a literal that keeps out rejected patterns which little else keeps
out, and one that accepted patterns have more often than rejected.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.bit_tables import BitTables
from sugeno._sets.chains import TABLE_CELLS, Chains, minimal_sets
from sugeno._sets.masks import Masks, contains_any, minimal, pack, unpack
from sugeno._sets.transversals import minimal_transversals
from sugeno._threads import one_thread
from sugeno.solvers.budget import Budget
from sugeno.solvers.cover import few_sets

__all__ = ["extend", "short_rules"]

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
        as the rejected patterns allow (`sugeno.solvers.extension`). ``"auto"`` is "nearest" if
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
        tables = BitTables.of(chains)
        return tables.minimal_sets(tables.full & ~tables.spread_down(tables.bits(rejected)))
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
    tables = BitTables.of(chains)
    accept = tables.spread_up(tables.bits(accepted))
    reject = tables.spread_down(tables.bits(rejected))
    if len(set(chains.sizes)) > 1:
        return minimal_sets(_fewer_up(tables.table(accept), tables.table(reject), chains), chains)
    # All steps are equally long: patterns join the side that reaches them first.
    nearest = accept & ~reject
    while accept and accept | reject != tables.full:
        accept, reject = tables.lowered(accept), tables.raised(reject)
        nearest |= accept & ~reject
    return tables.minimal_sets(nearest)


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


Bits = NDArray[np.bool_]
Floats = NDArray[np.float32]

#: So many rules are shortened at a time, at most; the most general of them may cover the others.
_BATCH = 256
#: Cells of the table "rule against rejected pattern" of a batch.
_CELLS = 1 << 22
#: With more pairs of an accepted and a rejected pattern the accepted ones stay as they are: so many
#: contradict each other closely that shorter rules would still be too many to read.
_MOST_PAIRS = 50_000_000


def short_rules(
    accepted: Masks, rejected: Masks, chains: Chains, budget: Budget | None = None
) -> Masks:
    """Return few short rules that hold for all accepted and for no rejected patterns.

    Parameters
    ----------
    accepted, rejected : ndarray of uint64 of shape (·, words)
        Closed sets; no accepted one lies inside a rejected one, and none is empty.
    chains : Chains
        The literals of each criterion.
    budget : Budget, optional
        When its time is over, the accepted patterns that are not covered yet stay as they are.

    Returns
    -------
    ndarray of uint64 of shape (R, words)
        Boundary sets in canonical order: an antichain.

    Notes
    -----
    Only minimal accepted and maximal rejected patterns matter. Shortening costs one product of
    the tables of a batch of rules and of the rejected patterns for each literal that is dropped.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.extension import short_rules
    >>> accepted, rejected = np.array([[7], [13]], np.uint64), np.array([[10], [6]], np.uint64)
    >>> short_rules(accepted, rejected, Chains.single(4)).ravel().tolist()
    [1]
    """
    budget = Budget.of(None) if budget is None else budget
    targets = minimal(accepted)
    closest = _maximal(rejected, chains)
    if len(targets) * len(closest) > _MOST_PAIRS:
        return targets
    shortening = _Shortening.of(accepted, rejected, closest, chains)
    size = max(1, min(_BATCH, _CELLS // max(1, len(closest))))
    rules, left = targets[:0], targets
    found: list[Masks] = []
    with one_thread():
        while len(left) and not budget.search_is_over():
            rules = minimal(shortening.shortened(left[:size], budget))
            found.append(rules)
            left = left[size:]
            left = left[~contains_any(left, rules)]
    if len(found) > 1 or len(left):  # the rules of one batch are an antichain already
        rules = minimal(np.concatenate([*found, left]))
    return few_sets(rules, targets, np.ones(len(targets), dtype=np.int64))


def _maximal(masks: Masks, chains: Chains) -> Masks:
    """Keep the maximal sets."""
    return chains.full & ~minimal(chains.full & ~masks)


@dataclass(frozen=True)
class _Shortening:
    """Drops literals from rules, many rules at a time.

    Attributes
    ----------
    chains : Chains
        The literals of each criterion.
    lacks : ndarray of float32 of shape (r, L)
        1 where a rejected pattern does not satisfy a literal.
    typical : ndarray of float32 of shape (L,)
        How much more often accepted than rejected patterns satisfy a literal.
    """

    chains: Chains
    lacks: Floats
    typical: Floats

    @classmethod
    def of(cls, accepted: Masks, rejected: Masks, closest: Masks, chains: Chains) -> _Shortening:
        """Look at the patterns once for all rules."""
        lacks = ~unpack(closest, chains.n_literals)
        often, seldom = (
            unpack(masks, chains.n_literals).mean(axis=0) for masks in (accepted, rejected)
        )
        return cls(chains, lacks.astype(np.float32), (often - seldom).astype(np.float32))

    def shortened(self, masks: Masks, budget: Budget) -> Masks:
        """Rules as short as possible, by either opinion on what is useful."""
        rules = unpack(np.concatenate([masks, masks]), self.chains.n_literals)
        self._shorten(rules, len(masks), budget)
        return pack(rules)

    def _shorten(self, rules: Bits, half: int, budget: Budget) -> None:
        """Drop the least useful literal of each rule while there is one that it can spare.

        The first half of the rules hears one opinion on what is useful, the second the other. A
        rule is as good as the pattern that it comes from at any time: a search may end here.
        """
        # By how many of its literals each rule keeps each rejected pattern out.
        apart = rules.astype(np.float32) @ self.lacks.T
        rows = np.arange(len(rules))
        needed = np.zeros_like(rules)
        alone = np.zeros(apart.shape, dtype=np.bool_)
        while not budget.search_is_over():
            # What a single literal keeps out makes it needed for ever: only new cases are added.
            new = (apart == 1) & ~alone
            alone |= new
            some, those = new.any(axis=1), new.any(axis=0)
            needed[some] |= new[np.ix_(some, those)].astype(np.float32) @ self.lacks[those] > 0
            free = self._strongest(rules[rows]) & ~needed
            # A rule that cannot spare a literal now cannot do so later.
            going = free.any(axis=1)
            if not going.any():
                return
            rows, free, apart = rows[going], free[going], apart[going]
            needed, alone = needed[going], alone[going]
            use = np.empty(free.shape, dtype=np.float32)
            first = int(np.searchsorted(rows, half))
            use[:first] = self._separation(apart[:first])
            use[first:] = self.typical
            use[~free] = np.inf
            literals = use.argmin(axis=1)
            rules[rows, literals] = False
            apart -= self.lacks.T[literals]

    def _strongest(self, rules: Bits) -> Bits:
        """The strongest level of each criterion: what a rule can do without first."""
        if self.chains.is_single:
            return rules
        return unpack(self.chains.strongest(pack(rules)), self.chains.n_literals)

    def _separation(self, apart: Floats) -> Floats:
        """How many rejected patterns a literal keeps out, those that little keeps out above all."""
        closeness = np.float32(1.0) / np.square(np.maximum(apart, np.float32(1.0)))
        return np.asarray(closeness @ self.lacks)
