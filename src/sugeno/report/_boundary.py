"""Ordered classes: a page is about one boundary between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

from sugeno.model.model import Model
from sugeno.model.ordinal import OrdinalModel

__all__ = ["at_boundary"]


def at_boundary(model: OrdinalModel, y: Any, boundary: object) -> tuple[Model, NDArray[Any]]:
    """Return the model of two classes at a boundary, and the side of it on which each label lies.

    Parameters
    ----------
    model : OrdinalModel
        A model of ordered classes.
    y : array-like of shape (n,)
        Labels, those of the model.
    boundary : object
        The lowest class above the boundary; None takes the boundary that parts the rows most
        evenly.

    Returns
    -------
    Model
        Decides between "below" and "at least" that class.
    ndarray of shape (n,)
        Its labels.
    """
    truth = column_or_1d(np.asarray(y))
    classes = model.classes.tolist()
    strange = np.flatnonzero(~np.isin(truth, model.classes))
    if strange.size:
        raise ValueError(
            f"y must hold the labels known from training, {classes}. Got "
            f"{truth[strange[0]]!r} in row {strange[0]} instead."
        )
    places = np.argmax(truth[:, None] == model.classes, axis=1)
    if boundary is None:
        shares = [(places >= b).mean() for b in range(1, len(classes))]
        chosen = int(np.argmin(np.abs(np.array(shares) - 0.5))) + 1
    elif boundary in classes[1:]:
        chosen = classes.index(boundary)
    else:
        raise ValueError(
            "boundary must be the lowest class above a boundary, one of "
            f"{classes[1:]}. Got {boundary!r} instead."
        )
    found = model.boundaries[chosen - 1]
    return found, found.classes.take(places >= chosen)
