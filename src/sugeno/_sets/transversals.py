"""Minimal transversals: the smallest sets that meet every set of a family."""

from __future__ import annotations

import numpy as np

from sugeno._sets.masks import Masks, canonical_order, contains_any, minimal, unpack

__all__ = ["MAX_TRANSVERSALS", "minimal_transversals"]

#: Larger collections are not built: a person cannot read them, and time grows with their square.
MAX_TRANSVERSALS = 20_000


def minimal_transversals(family: Masks, *, limit: int = MAX_TRANSVERSALS) -> Masks:
    """List the minimal sets that meet every set of the family.

    Takes the sets one after the other (Berge): a transversal of the first ones that misses the
    next set is extended by each of its members, unless the result contains a transversal that
    did not miss it. The collection can grow exponentially with the family, so there is a limit.
    A step costs at most one comparison per pair of transversals.

    Parameters
    ----------
    family : ndarray of uint64 of shape (R, words)
        Packed sets, none of them empty.
    limit : int, default=20000
        Largest number of candidates held at any time.

    Returns
    -------
    ndarray of uint64 of shape (T, words)
        The minimal transversals, an antichain in canonical order. An empty family is met by the
        empty set.

    Raises
    ------
    OverflowError
        If a step needs more candidates than the limit.

    Examples
    --------
    The sets {0, 1} and {0, 2} are both met by {0} and by {1, 2}.

    >>> import numpy as np
    >>> from sugeno._sets.transversals import minimal_transversals
    >>> minimal_transversals(np.array([[3], [5]], dtype=np.uint64))
    array([[1],
           [6]], dtype=uint64)
    """
    words = family.shape[1]
    found = np.zeros((1, words), dtype=np.uint64)
    for chosen in minimal(family):
        meets = (found & chosen).any(axis=1)
        members = _singletons(chosen)
        if int((~meets).sum()) * len(members) > limit:
            raise OverflowError(
                f"The minimal transversals of {len(family)} sets need more than {limit} "
                "candidates. Use a family with fewer or smaller sets."
            )
        # Two extended sets are never nested, because the sets they extend are not and hold no
        # member of the chosen one; so only those that meet it already can lie below.
        extended = (found[~meets, None, :] | members[None, :, :]).reshape(-1, words)
        fresh = extended[~contains_any(extended, found[meets])]
        found = np.concatenate([found[meets], fresh])
    return found[canonical_order(found)]


def _singletons(chosen: Masks) -> Masks:
    """Return each member of a set as a set of its own."""
    word, bit = np.divmod(np.flatnonzero(unpack(chosen[None, :], 64 * chosen.size)), 64)
    members = np.zeros((word.size, chosen.size), dtype=np.uint64)
    members[np.arange(word.size), word] = np.uint64(1) << bit.astype(np.uint64)
    return members
