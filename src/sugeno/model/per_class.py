"""More than two classes without an order: a model of two classes for each, one-versus-rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._scales.assumed import Assumed
from sugeno._scales.criterion import Criterion
from sugeno.model.form import Form
from sugeno.model.model import HeldOut, places_among
from sugeno.model.monotone import MonotoneProof
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
        of its own; of a table of any kind it has criteria of its own too, and rows stand side by
        side as each of the models reads them.
    target : str or None
        Name of what is predicted, where it has one.
    held_out : HeldOut or None
        Errors of all models together on held-out rows, where they were measured.

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
    held_out: HeldOut | None = None

    def named(self, target: str | None) -> ModelPerClass:
        """Return the same models with names for the classes, which their sentences use."""
        names = class_names(self.classes.tolist(), target)
        models = [
            model.named(None, (name, f"not {name}")) for model, name in zip(self.models, names)
        ]
        return replace(self, models=tuple(models), target=target)

    @property
    def costs(self) -> None:
        """Costs of errors are for two classes, or for classes in an order."""

    @property
    def names(self) -> tuple[str, ...]:
        """What rows of each class are called."""
        return class_names(self.classes.tolist(), self.target)

    @property
    def adds_up(self) -> bool:
        """Whether the models are sums of steps, in the place of rules."""
        found: bool = self.models[0].adds_up
        return found

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Yield each label with its model."""
        yield from zip(self.classes.tolist(), self.models)

    @property
    def reads_apart(self) -> bool:
        """Whether each model reads the columns of a table in its own way."""
        return any(one.column is not None for model in self.models for one in model.criteria)

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria, with the directions that they have for the first class.

        Of a table of any kind those of all models, one model after the other.
        """
        models = self.models if self.reads_apart else self.models[:1]
        return tuple(one for model in models for one in model.criteria)

    @property
    def spans(self) -> tuple[slice, ...]:
        """Where the criteria of each model stand among all of them."""
        sizes = [len(model.criteria) for model in self.models]
        ends = [*accumulate(sizes)] if self.reads_apart else sizes
        return tuple(slice(end - size, end) for size, end in zip(sizes, ends))

    @property
    def boundaries(self) -> tuple[Any, ...]:
        """What decides between each class and the rest."""
        return tuple(model.boundaries[0] for model in self.models)

    @property
    def by_column(self) -> dict[int, list[int]]:
        """The criteria of all models that read each column."""
        if not self.reads_apart:
            return {j: [j] for j in range(len(self.criteria))}
        found: dict[int, list[int]] = {}
        for j, criterion in enumerate(self.criteria):
            found.setdefault(criterion.column or 0, []).append(j)
        return found

    @property
    def free_columns(self) -> tuple[str, ...]:
        """The names of columns without a direction for some class."""
        return tuple(dict.fromkeys(name for one in self.models for name in one.free_columns))

    def about_class(self, model: Any, said: Mapping[Any, Any], what: str) -> dict[Any, Any]:
        """Return what is said about columns, as far as the model of one class reads them."""
        if self.assumed is None:
            return dict(said)
        columns, used = self.assumed.columns, {one.name for one in model.criteria}
        found = {}
        for key, value in said.items():
            name = columns[key] if isinstance(key, int) and 0 <= key < len(columns) else key
            if name not in columns:
                raise ValueError(
                    f"{what} must be about columns of the table, which are {', '.join(columns)}. "
                    f"Got {key!r} instead."
                )
            if name in used:
                found[name] = value
        return found

    def verify_monotone(self) -> MonotoneProof:
        """Prove of each class that its probability against the rest is monotone."""
        proofs = dict(zip(self.names, (model.verify_monotone() for model in self.models)))
        faults = [f"{name}: {fault}" for name, proof in proofs.items() for fault in proof.faults]
        if faults:
            return MonotoneProof(False, f"Not proved monotone: {'; '.join(faults)}.", tuple(faults))
        return MonotoneProof(
            True,
            "Monotone, proved for all inputs, of each class against the rest: its own probability "
            "never falls when a criterion changes towards what speaks for it. Which class is the "
            "likeliest depends on the others too.",
        )

    def per_model(self, X: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the rows as each model reads them."""
        return [X[:, span] if self.reads_apart else X for span in self.spans]

    @property
    def assumed(self) -> Assumed | None:
        """What was assumed about the columns of a table of any kind, for which class."""
        each = [model.assumed for model in self.models if model.assumed is not None]
        return Assumed.of_classes(self.classes.tolist(), each) if each else None

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

    def places(self, y: ArrayLike) -> NDArray[np.intp]:
        """Return the place of each label among the classes; others are refused."""
        return places_among(self.classes, y)

    def place_of(self, label: object) -> int:
        """Return the place of a class."""
        labels: list[Any] = self.classes.tolist()
        if label not in labels:
            raise ValueError(
                f"boundary must be one of the classes {labels}. Got {label!r} instead."
            )
        return labels.index(label)

    def with_model(self, place: int, model: Any) -> ModelPerClass:
        """Return the same with another model of a class."""
        models = (*self.models[:place], model, *self.models[place + 1 :])
        return replace(self, models=models)

    @property
    def importances(self) -> Floats:
        """How pivotal each criterion is, in the mean over the classes; the sum is 1."""
        each = [model.importances for model in self.models]
        if self.reads_apart:
            return np.concatenate(each) / len(each)
        found: Floats = np.mean(each, axis=0)
        return found

    def class_probabilities(self, X: NDArray[Any]) -> Floats:
        """Return the probability of each class by its own model, divided by their sum."""
        return normalised(self._chances(X))

    def decide(self, X: NDArray[Any]) -> NDArray[Any]:
        """Return the likeliest label of each row; of equally likely ones the first."""
        return self.classes.take(self.passed(X))

    def passed(self, X: NDArray[Any]) -> NDArray[np.intp]:
        """Return the place of the likeliest label of each row.

        They are compared before they are divided by their sum, since a division rounds: a class
        whose rules hold, just above 1/2, must not be as likely as one whose rules do not.
        """
        likeliest: NDArray[np.intp] = np.column_stack(self._chances(X)).argmax(axis=1)
        return likeliest

    def _chances(self, X: NDArray[Any]) -> list[Floats]:
        """The probability of each class against the rest."""
        pairs = zip(self.models, self.per_model(X))
        return [model.at_least(rows)[:, 0] for model, rows in pairs]

    def open_labels(self, X: NDArray[Any], confidence: float = 0.5) -> NDArray[np.bool_]:
        """Tell the rules of which classes hold, or may hold: shape (n, C)."""
        pairs = zip(self.models, self.per_model(X))
        each = [model.open_labels(rows, confidence)[:, 1] for model, rows in pairs]
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
