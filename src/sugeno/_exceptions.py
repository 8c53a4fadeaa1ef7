"""Warnings and errors of our own."""

from __future__ import annotations

__all__ = ["MarginError", "ModelFileError", "WeakDirectionWarning"]


class WeakDirectionWarning(UserWarning):
    """The data says little about the direction of some features."""


class MarginError(ValueError):
    """The margin is too large for the threshold."""


class ModelFileError(ValueError):
    """A text is no model file, or a model cannot be written as one."""
