"""The model of a fitted classifier: where everything that reads a classifier begins."""

from __future__ import annotations

from typing import Any, TypeAlias

from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass
from sugeno.model.score_model import ScoreModel

__all__ = ["AnyModel", "any_model_of", "model_of", "ordered_model_of", "ruled_model_of"]

#: What a fitted classifier becomes.
AnyModel: TypeAlias = Model | ScoreModel | ModelPerClass


def any_model_of(classifier: Any) -> AnyModel:
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
    return model if isinstance(model, ModelPerClass | ScoreModel) else model_of(classifier)


def ruled_model_of(classifier: Any) -> Model | ModelPerClass:
    """The same for readers of rules and cards: refuse a sum of steps, with a way out.

    Examples
    --------
    >>> from sugeno import SugenoEnsembleClassifier
    >>> from sugeno.model.fitted import ruled_model_of
    >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3]] * 9, [0, 1, 1] * 9)
    >>> ruled_model_of(clf)
    Traceback (most recent call last):
    TypeError: The classifier must have rules or a card. Got SugenoEnsembleClassifier, a sum of \
steps, instead; distill it into rules with SugenoDistiller.
    """
    model = any_model_of(classifier)
    if isinstance(model, ScoreModel) or model.adds_up:
        raise TypeError(
            f"The classifier must have rules or a card. Got {type(classifier).__name__}, a sum of "
            "steps, instead; distill it into rules with SugenoDistiller."
        )
    return model


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
    ruled = ordered_model_of(classifier)
    if isinstance(ruled, ScoreModel):
        ruled_model_of(classifier)
    if not isinstance(ruled, Model):
        raise TypeError(
            "The classifier must be fitted and have a model_ of rules. Got "
            f"{type(classifier).__name__} without one instead; fit it, or distill it into rules."
        )
    return ruled


def ordered_model_of(classifier: Any) -> Model | ScoreModel:
    """Return the one model of all classes, or refuse classes without an order.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.model.fitted import ordered_model_of
    >>> clf = SugenoClassifier().fit([[1], [2], [3]], ["a", "b", "c"])
    >>> ordered_model_of(clf)
    Traceback (most recent call last):
    AttributeError: SugenoClassifier has no single model of classes without an order, nor what \
reads it. Each of the 3 classes has a classifier of two, itself against the rest; ask that one, \
such as per_class_['a'].
    """
    model: Any = getattr(classifier, "model_", None)
    if isinstance(model, ModelPerClass):
        raise AttributeError(
            f"{type(classifier).__name__} has no single model of classes without an order, nor "
            f"what reads it. Each of the {model.classes.size} classes has a classifier of two, "
            f"itself against the rest; ask that one, such as "
            f"per_class_[{model.classes.tolist()[0]!r}]."
        )
    found: Model | ScoreModel = model
    return found
