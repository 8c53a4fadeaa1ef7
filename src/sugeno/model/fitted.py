"""The model of a fitted classifier: where everything that reads a classifier begins."""

from __future__ import annotations

from typing import Any

from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass

__all__ = ["any_model_of", "model_of"]


def any_model_of(classifier: Any) -> Model | ModelPerClass:
    """Return the model of a fitted classifier; of classes without an order those of each class.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.model.fitted import any_model_of
    >>> clf = SugenoClassifier().fit([[1], [2], [3]], ["a", "b", "c"])
    >>> len(any_model_of(clf).models)
    3
    """
    model = getattr(classifier, "model_", None)
    return model if isinstance(model, ModelPerClass) else model_of(classifier)


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
    model = getattr(classifier, "model_", None)
    if isinstance(model, ModelPerClass):
        raise AttributeError(
            f"{type(classifier).__name__} has no single model of classes without an order, nor "
            f"what reads it. Each of the {model.classes.size} classes has a classifier of two, "
            f"itself against the rest; ask that one, such as "
            f"per_class_[{model.classes.tolist()[0]!r}]."
        )
    if not isinstance(model, Model):
        raise TypeError(
            "The classifier must be fitted and have a model_ of rules. Got "
            f"{type(classifier).__name__} without one instead; fit it, or distill it into rules."
        )
    return model
