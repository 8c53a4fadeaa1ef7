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
    each = getattr(classifier, "per_class_", None)
    if each is None:
        return model_of(classifier)
    return ModelPerClass(classifier.classes_, tuple(model_of(one) for one in each.values()))


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
