"""Monotone classifiers that people can read, learned with the Sugeno integral."""

__version__ = "0.1.0"

__all__ = ["__version__"]
