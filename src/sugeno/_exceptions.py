"""Warnings and errors of our own."""

from __future__ import annotations

__all__ = ["MarginError", "WeakDirectionWarning"]


class WeakDirectionWarning(UserWarning):
    """The data says little about the direction of some features."""


class MarginError(ValueError):
    """The margin is too large for the threshold."""
