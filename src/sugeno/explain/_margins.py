"""Margins: how far each criterion alone can move before the verdict flips."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.literals import Literals
from sugeno._sets.masks import Masks, pack
from sugeno.model.form import Form

__all__ = ["rooms", "turning_literals"]

Floats = NDArray[np.float64]


def turning_literals(form: Form, masks: Masks) -> NDArray[np.intp]:
    """Return, per pattern and criterion, the first literal whose change alone flips the verdict.

    Of an accepted pattern the strongest literal without which it would be refused, of a refused
    one the weakest with which it would be accepted; -1 where the criterion alone cannot flip it.
    Costs one verdict on all patterns per literal.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import RuleSet
    >>> from sugeno.explain._margins import turning_literals
    >>> turning_literals(RuleSet([{0, 1}], [3, 5]), np.array([[3], [2], [0]], np.uint64))
    array([[ 0,  1],
           [ 0, -1],
           [-1, -1]])
    """
    chains = form.literal_set.chains
    accepted = form.accepts(masks)
    found = np.full((len(masks), chains.n_criteria), -1, dtype=np.intp)
    owner = chains.criteria
    for literal in range(chains.n_literals):
        j = owner[literal]
        # Accepted: later literals, the stronger ones, overwrite. Refused: the first one stays.
        beyond = pack(((owner == j) & (np.arange(owner.size) >= literal))[None])
        upto = pack(((owner == j) & (np.arange(owner.size) <= literal))[None])
        flips = accepted & ~form.accepts(masks & ~beyond)
        flips |= ~accepted & (found[:, j] < 0) & form.accepts(masks | upto)
        found[flips, j] = literal
    return found


def rooms(literals: Literals, X: Floats, turning: NDArray[np.intp]) -> Floats:
    """Distance of each value from the level that decides, in original units.

    How much worse a criterion of an accepted row may get without a refusal, how much better one
    of a refused row must get; infinite where it alone decides nothing, and where it is missing. For
    ordered labels: steps.
    """
    levels = np.append(literals.levels, np.nan)
    for literal, j in enumerate(literals.columns.tolist()):
        criterion = literals.criteria[j]
        if criterion.labels is not None:
            levels[literal] = criterion.direction * np.ceil(criterion.direction * levels[literal])
    with np.errstate(over="ignore"):  # beyond the largest number there is infinity
        distance = np.abs(X - levels[turning])
    return np.where((turning < 0) | np.isnan(X), np.inf, distance)
