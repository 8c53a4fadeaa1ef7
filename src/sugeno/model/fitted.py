"""The model of a fitted classifier: where everything that reads a classifier begins."""

from __future__ import annotations

from typing import Any

from sugeno.model.model import Model

__all__ = ["model_of"]


def model_of(classifier: Any) -> Model:
    """Return the model of a fitted classifier, or refuse what has none.

    Examples
    --------
    >>> from sugeno.model.fitted import model_of
    >>> model_of(3)
    Traceback (most recent call last):
    TypeError: The classifier must be fitted and have a model_ of rules. Got int without one \
instead; fit it, or distill it into rules.
    """
    each = hasattr(classifier, "per_class_")  # then the attribute says where to look
    model = classifier.model_ if each else getattr(classifier, "model_", None)
    if not isinstance(model, Model):
        raise TypeError(
            "The classifier must be fitted and have a model_ of rules. Got "
            f"{type(classifier).__name__} without one instead; fit it, or distill it into rules."
        )
    return model
