"""Warnings and errors of our own."""

from __future__ import annotations

import sys
import warnings
from types import FrameType

__all__ = ["MarginError", "ModelFileError", "WeakDirectionWarning", "warn_user"]

#: Whose lines are of no help to a user.
_INSIDE = {"sugeno", "sklearn", "joblib"}


class WeakDirectionWarning(UserWarning):
    """The data says little about the direction of some features."""


class MarginError(ValueError):
    """The margin is too large for the threshold."""


class ModelFileError(ValueError):
    """A text is no model file, or a model cannot be written as one."""


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
