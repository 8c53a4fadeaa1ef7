"""More than two classes without an order: a model of two classes for each, one-versus-rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._scales.criterion import Criterion
from sugeno.model.form import Form
from sugeno.model.score_model import ScoreModel
from sugeno.model.text import Spoken, class_names

__all__ = ["ModelPerClass", "normalised"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ModelPerClass:
    """A learned classifier of classes without an order: one model per class, against the rest.

    Attributes
    ----------
    classes : ndarray of shape (C,)
        The labels, sorted.
    models : tuple of Model or of ScoreModel
        Of each label: a model of two classes, whose higher one is the label. Each has directions
        of its own.
    target : str or None
        Name of what is predicted, where it has one.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.model.per_class import ModelPerClass
    >>> X = [[1, 1], [2, 1], [1, 8], [2, 9], [8, 2], [9, 1]]
    >>> clf = SugenoClassifier().fit(X, ["low", "low", "tall", "tall", "wide", "wide"])
    >>> models = tuple(one.model_ for one in clf.per_class_.values())
    >>> model = ModelPerClass(clf.classes_, models)
    >>> for label, rules in model.rules.items():
    ...     print(rules)
    low if x0 <= 5 and x1 <= 4
    tall if x0 <= 5 and x1 >= 2
    wide if x0 >= 2
    """

    classes: NDArray[Any]
    models: tuple[Any, ...]
    target: str | None = None

    def named(self, target: str | None) -> ModelPerClass:
        """Return the same models with names for the classes, which their sentences use."""
        names = class_names(self.classes.tolist(), target)
        models = [
            model.named(None, (name, f"not {name}")) for model, name in zip(self.models, names)
        ]
        return ModelPerClass(self.classes, tuple(models), target)

    @property
    def names(self) -> tuple[str, ...]:
        """What rows of each class are called."""
        return class_names(self.classes.tolist(), self.target)

    @property
    def adds_up(self) -> bool:
        """Whether the models are sums of steps, in the place of rules."""
        return isinstance(self.models[0], ScoreModel)

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Yield each label with its model."""
        yield from zip(self.classes.tolist(), self.models)

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria, with the directions that they have for the first class."""
        found: tuple[Criterion, ...] = self.models[0].criteria
        return found

    @property
    def missing(self) -> str:
        """How a missing value is read, see `sugeno.model.boundary.Boundary`."""
        found: str = self.models[0].missing
        return found

    @property
    def rules(self) -> dict[Any, Form]:
        """From each label to its rules, which speak for it."""
        return {
            label: model.rules[0].relabelled(Spoken(label, name, f"not {name}"))
            for (label, model), name in zip(self.items(), self.names)
        }

    def counted_rules(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> dict[Any, Form]:
        """Return the rules of each class with support, precision and unique coverage on rows."""
        labels = np.asarray(y)
        return {
            label: form.counted_on(X, labels, sample_weight, missing=self.missing)
            for label, form in self.rules.items()
        }

    @property
    def importances(self) -> Floats:
        """How pivotal each criterion is, in the mean over the classes; the sum is 1."""
        found: Floats = np.mean([model.importances for model in self.models], axis=0)
        return found

    def class_probabilities(self, X: NDArray[Any]) -> Floats:
        """Return the probability of each class by its own model, divided by their sum."""
        return normalised(self._chances(X))

    def decide(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return the likeliest label of each row; of equally likely ones the first.

        They are compared before they are divided by their sum, since a division rounds: a class
        whose rules hold, just above 1/2, must not be as likely as one whose rules do not.
        """
        likeliest: NDArray[np.intp] = np.column_stack(self._chances(X)).argmax(axis=1)
        return self.classes.take(likeliest)

    def _chances(self, X: NDArray[Any]) -> list[Floats]:
        """The probability of each class against the rest."""
        return [model.at_least(X)[:, 0] for model in self.models]

    def open_labels(self, X: NDArray[Any], confidence: float = 0.5) -> NDArray[np.bool_]:
        """Tell the rules of which classes hold, or may hold: shape (n, C)."""
        each = [model.open_labels(X, confidence)[:, 1] for model in self.models]
        return np.column_stack(each)


def normalised(each: Sequence[Floats]) -> Floats:
    """Return probabilities of the classes, each found on its own, divided by their sum.

    Where all of them are 0, the classes are equally likely. The sum is taken from the first class
    to the last, as every engine can do it.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.per_class import normalised
    >>> normalised([np.array([0.6, 0.0]), np.array([0.2, 0.0])])
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """
    chances = np.column_stack(each)
    chances[~chances.any(axis=1)] = 1.0
    result: Floats = chances / np.add.accumulate(chances, axis=1)[:, -1:]
    return result
