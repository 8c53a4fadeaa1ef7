"""Warnings and errors of our own."""

from __future__ import annotations

import sys
import warnings
from types import FrameType

#: Whose lines are of no help to a user.
_INSIDE = {"sugeno", "sklearn", "joblib"}


class WeakDirectionWarning(UserWarning):
    """The data says little about the direction of some features.

    Examples
    --------
    Whoever takes no guesses turns it into an error:

    >>> import warnings
    >>> from sugeno import SugenoClassifier, WeakDirectionWarning
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", WeakDirectionWarning)
    ...     SugenoClassifier().fit([[1], [2], [1], [2]], [0, 0, 1, 1])
    Traceback (most recent call last):
    sugeno._exceptions.WeakDirectionWarning: The evidence for the direction of ...
    """


class MarginError(ValueError):
    """The margin is too large for the threshold.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> SugenoClassifier(threshold=0.4, margin=0.45).fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    Traceback (most recent call last):
    sugeno._exceptions.MarginError: ...
    """


class ModelFileError(ValueError):
    """A text is no model file, or a model cannot be written as one.

    Examples
    --------
    >>> import sugeno
    >>> sugeno.loads("{}")
    Traceback (most recent call last):
    sugeno._exceptions.ModelFileError: ...
    """


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of whoever asked the package for something, however deep the cause is.

    Examples
    --------
    >>> import warnings
    >>> from sugeno._exceptions import warn_user
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_user("a column is constant")
    >>> str(caught[0].message)
    'a column is constant'
    """
    level = 1
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] in _INSIDE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level + 1)
