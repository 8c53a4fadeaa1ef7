"""What the training data leave open, in a model file: the patterns that settle the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from sugeno._format.boundaries import read_sets
from sugeno._format.fields import Field
from sugeno._format.protocol import MAX_CELLS
from sugeno._scales.literals import Literals
from sugeno._sets.masks import Masks, minimal, unpack
from sugeno.model.extent import Extent
from sugeno.model.rules import RuleSet

__all__ = ["read_extent", "write_extent"]


def write_extent(extent: Extent, literals: Literals) -> dict[str, Any]:
    """Write both sides as sets of literals, without those that others imply.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno._format.extent import write_extent
    >>> clf = SugenoClassifier(abstain=True).fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> write_extent(clf.model_.extent, clf.model_.literals)
    {'accepted': [[0]], 'rejected': [[]]}
    """
    return {
        "accepted": _members(extent.accepted, literals),
        "rejected": _members(extent.rejected, literals),
    }


def _members(masks: Masks, literals: Literals) -> list[list[int]]:
    bits = unpack(literals.chains.strongest(masks), literals.levels.size)
    return [np.flatnonzero(row).tolist() for row in bits]


def read_extent(field: Field, rules: RuleSet) -> Extent:
    """Read both sides; the rules must accept the one and reject the other.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno._format.extent import read_extent
    >>> from sugeno._format.fields import Field
    >>> rules = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).rules_
    >>> len(read_extent(Field({"accepted": [[0]], "rejected": [[]]}, "extent"), rules).accepted)
    1
    """
    record = field.record("accepted", "rejected")
    literals = rules.literal_set
    sides = {}
    for key, side in record.items():
        masks = read_sets(side.array(0, MAX_CELLS // max(1, literals.levels.size)), literals)
        closed = literals.chains.closed(masks)
        ordered = closed if key == "accepted" else ~closed
        if (literals.chains.strongest(closed) != masks).any() or len(minimal(ordered)) < len(masks):
            side.refuse("sets without what others imply", "a redundant literal or set")
        if (rules.accepts(closed) != (key == "accepted")).any():
            side.refuse(f"sets that are {key} by the rules", "others")
        sides[key] = closed
    return Extent(**sides)
