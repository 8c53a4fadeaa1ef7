"""Ordered classes: a page about one boundary between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

from sugeno.model.boundary import Boundary
from sugeno.model.model import Model
from sugeno.report._rows import places_of

__all__ = ["at_boundary"]


def at_boundary(model: Model, y: Any, boundary: object) -> tuple[Boundary, NDArray[Any]]:
    """Return the model of two classes at a boundary, and the side of it on which each label lies.

    Parameters
    ----------
    model : Model
        A model of ordered classes.
    y : array-like of shape (n,)
        Labels, those of the model.
    boundary : object
        The lowest class above the boundary.

    Returns
    -------
    Boundary
        Decides between "below" and "at least" that class.
    ndarray of shape (n,)
        Its labels.
    """
    truth = column_or_1d(np.asarray(y))
    places = places_of(model, truth)
    chosen = model.boundary_below(boundary)
    found = model.boundaries[chosen]
    return found, found.labels.take(places > chosen)
