"""More than two classes without an order: one model of two classes for each against the rest."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils.validation import column_or_1d

from sugeno._counts.class_weights import weights_by_label
from sugeno._counts.weights import row_weights
from sugeno._exceptions import WeakDirectionWarning
from sugeno._learning.labels import SeveralClassesError
from sugeno._scales.columns import declared_order
from sugeno.model.per_class import ModelPerClass, normalised

__all__ = [
    "LearnsEachClass",
    "OfTwoClasses",
    "fit_each",
    "learn_each",
    "or_each_class",
    "price_of_classes",
    "shares",
]

Floats = NDArray[np.float64]

#: What a fit has learned from the table itself, whatever the labels.
_OF_THE_TABLE = ("n_features_in_", "feature_names_in_", "feature_labels_in_")


def fit_each(
    template: Any,
    X: Any,
    labels: NDArray[Any],
    classes: NDArray[Any],
    *,
    stacklevel: int = 2,
    **params: Any,
) -> list[Any]:
    """Fit a copy of a classifier for each class: true for its rows, false for all others.

    A warning of weak directions says for which class they are weak, at the level of
    `warnings.warn`.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators._per_class import fit_each
    >>> X, y = [[1], [2], [3]], np.array(["a", "b", "c"])
    >>> [str(one.rules_) for one in fit_each(SugenoClassifier(), X, y, np.array(["a", "c"]))]
    ['accept if x0 <= 1', 'accept if x0 >= 3']
    """

    def fit_one(label: Any) -> Any:
        return clone(template).fit(X, labels == label, **params)

    return learn_each(fit_one, classes, stacklevel=stacklevel + 1)


def learn_each(
    learn_one: Callable[[Any], Any], classes: NDArray[Any], *, stacklevel: int = 2
) -> list[Any]:
    """Call a function for each class; a warning of weak directions says for which it is.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.estimators._per_class import learn_each
    >>> learn_each(str.upper, np.array(["a", "b"]))
    ['A', 'B']
    """
    each = []
    for label in classes.tolist():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", WeakDirectionWarning)
            each.append(learn_one(label))
        for warning in caught:
            _warn_again(warning, label, stacklevel + 1)
    return each


def _warn_again(warning: warnings.WarningMessage, label: object, stacklevel: int) -> None:
    if warning.category is WeakDirectionWarning:
        said = f"{warning.message} (Class {label!r} against the rest.)"
        warnings.warn(said, WeakDirectionWarning, stacklevel=stacklevel)
    else:
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def shares(each: Sequence[Any], X: ArrayLike) -> Floats:
    """Probabilities of the classes, each by its own classifier, to the sum 1.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators._per_class import fit_each, shares
    >>> X, y = [[1], [2], [3]], np.array([1, 2, 3])
    >>> shares(fit_each(SugenoClassifier(), X, y, y), [[3]]).argmax()
    np.int64(2)
    """
    return normalised([one.predict_proba(X)[:, 1] for one in each])


class OfTwoClasses:
    """An attribute that only a classifier of two classes has; of more it says where to look.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> clf = SugenoClassifier().fit([[1], [2], [3]], ["a", "b", "c"])
    >>> clf.positive_
    Traceback (most recent call last):
    AttributeError: SugenoClassifier has no 'positive_' with more than two classes, nor what reads \
it. Each of the 3 classes has a classifier of two, itself against the rest; ask that one, such as \
per_class_['a'].
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        each = vars(instance).get("per_class_")
        if each is None:
            raise AttributeError(f"{owner.__name__!r} object has no attribute {self.name!r}")
        return _refuse(owner.__name__, each, self.name)


def _refuse(kind: str, each: Mapping[Any, Any], name: str) -> NoReturn:
    raise AttributeError(
        f"{kind} has no {name!r} with more than two classes, nor what reads it. Each of the "
        f"{len(each)} classes has a classifier of two, itself against the rest; ask that one, such "
        f"as per_class_[{next(iter(each))!r}]."
    )


def or_each_class(fit: Callable[..., Any]) -> Callable[..., Any]:
    """Let a `fit` that learns two classes learn a model per class where y has more of them.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> [*SugenoClassifier().fit([[1], [2], [3]], ["a", "b", "c"]).per_class_]
    ['a', 'b', 'c']
    """

    @wraps(fit)
    def fitted(self: Any, X: Any, y: Any, *args: Any, **params: Any) -> Any:
        try:
            fit(self, X, y, *args, **params)
        except SeveralClassesError:  # known only now, when y has been read: two cost nothing
            several = True
        else:
            several = False
        if several:
            return self._fit_each_class(X, y, *args, **params)
        vars(self).pop("per_class_", None)  # of a fit before
        return self

    return fitted


class LearnsEachClass:
    """A classifier that takes more than two labels: a copy of it learns each class.

    Subclasses decorate their `fit` with `or_each_class`.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators._per_class import LearnsEachClass
    >>> issubclass(SugenoClassifier, LearnsEachClass)
    True
    """

    if TYPE_CHECKING:
        positive: object
        class_weight: Any
        classes_: NDArray[Any]
        per_class_: dict[Any, Any]

    positive_: Any = OfTwoClasses()

    def _fit_each_class(
        self, X: Any, y: Any, sample_weight: ArrayLike | None = None, **params: Any
    ) -> Self:
        """Fit one model per class, after a fit to two classes has checked the table."""
        labels = column_or_1d(y)
        present = row_weights(sample_weight, len(labels)).present
        classes = np.unique(labels if present is None else labels[present])
        self._check_several(classes, declared_order(y))
        template: Any = clone(self)
        if self.class_weight is not None:
            sample_weight = _priced(self.class_weight, labels, classes, sample_weight)
            template.set_params(class_weight=None)
        each = fit_each(
            template, X, labels, classes, stacklevel=5, sample_weight=sample_weight, **params
        )
        return self._keep_each(classes, each)

    def _keep_each(self, classes: NDArray[Any], each: Sequence[Any]) -> Self:
        """Keep what was learned for each class."""
        self._forget()
        self.classes_, self.per_class_ = classes, dict(zip(classes.tolist(), each))
        if hasattr(each[0], "model_"):
            whole: Any = self
            stored: Self = whole._store(ModelPerClass(classes, tuple(one.model_ for one in each)))
            return stored
        self.directions_ = np.array([one.directions_ for one in each])
        return self

    def _check_several(self, classes: NDArray[Any], order: Sequence[Any] | None) -> None:
        """Refuse what names one of two classes, and say where an order would be lost."""
        if self.positive is not None:
            raise ValueError(
                "The 'positive' parameter names the one of two classes that the rules speak for. "
                f"Got {self.positive!r} with {classes.size} classes instead; leave it out, which "
                "gives rules for each class, or fit to y == label for one of them."
            )
        if order is not None:
            warnings.warn(
                f"y has an order, {' < '.join(map(str, order))}, which a model for each class "
                "against the rest does not use. SugenoOrdinalClassifier does.",
                UserWarning,
                stacklevel=5,  # who calls fit, inside scikit-learn's context
            )

    def _forget(self) -> None:
        """Drop what a fit before has learned."""
        for name in [*vars(self)]:
            if name.endswith("_") and name not in _OF_THE_TABLE:
                delattr(self, name)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the label of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,)
            The positive class where a rule holds, else the other one. Of more than two classes
            the likeliest, by `predict_proba`; of equally likely ones the first in sorted order.
        """
        two: Any = super()
        if "per_class_" not in vars(self):
            return two.predict(X)  # type: ignore[no-any-return]
        likeliest: NDArray[np.intp] = self.predict_proba(X).argmax(axis=1)
        return self.classes_.take(likeliest)

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probability of each class for each row.

        Of two classes the probability of the positive one never falls when a criterion gets
        better, and it exceeds 1/2 exactly where the row is accepted. Of more than two the model
        of each class gives such a probability, and they are divided by their sum; where all of
        them are 0, the classes are equally likely.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples, C)
            Probabilities in the order of ``classes_``.
        """
        two: Any = super()
        if "per_class_" not in vars(self):
            return two.predict_proba(X)  # type: ignore[no-any-return]
        return shares([*self.per_class_.values()], X)

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return how far each row is from the other side of the decision.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, C) for more than two classes
            Positive where ``classes_[1]`` is predicted; of more than two classes their
            probabilities, largest at the predicted one.
        """
        two: Any = super()
        if "per_class_" not in vars(self):
            return two.decision_function(X)  # type: ignore[no-any-return]
        return self.predict_proba(X)

    def predict_set(self, X: ArrayLike, *, confidence: float = 0.5) -> NDArray[np.bool_]:
        """Tell for each row which labels are left open.

        A label is open if filling in missing values can lead to it, or if a model that is as good
        on the training data gives it (where the fit was asked to know, by ``abstain=True``), or if
        its probability may exceed ``1 - confidence``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.
        confidence : float, default=0.5
            How likely a label must be to stand alone, at least 0.5, which asks for nothing.

        Returns
        -------
        ndarray of bool of shape (n_samples, C)
            In the order of ``classes_``. Of two classes one is True, or both where the answer is
            open. Of more than two: the classes whose rules hold, or may hold. None of them, or
            several, is no clear case; `predict` then decides by the probabilities.
        """
        two: Any = super()
        if "per_class_" not in vars(self):
            return two.predict_set(X, confidence=confidence)  # type: ignore[no-any-return]
        each = self.per_class_.values()
        return np.column_stack([one.predict_set(X, confidence=confidence)[:, 1] for one in each])

    def __sklearn_tags__(self) -> Any:
        two: Any = super()
        tags = two.__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags


def _priced(
    class_weight: Mapping[Any, float] | str,
    labels: NDArray[Any],
    classes: NDArray[Any],
    sample_weight: ArrayLike | None,
) -> Floats:
    """Sample weights times the weight of the class: the rest is no single class to weigh."""
    rows = np.ones(len(labels)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    rows = np.broadcast_to(rows, len(labels))
    totals = np.array([rows[labels == label].sum() for label in classes])
    by_class = price_of_classes(class_weight, classes, totals, rows.sum())
    place = np.searchsorted(classes, labels).clip(max=classes.size - 1)
    result: Floats = rows * by_class[place]
    return result


def price_of_classes(
    class_weight: Mapping[Any, float] | str, classes: NDArray[Any], totals: Floats, total: float
) -> Floats:
    """Return the weight of each class, given the weight of its rows and that of all.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.estimators._per_class import price_of_classes
    >>> price_of_classes("balanced", np.array(["a", "b", "c"]), np.array([2.0, 1.0, 1.0]), 4.0)
    array([0.66666667, 1.33333333, 1.33333333])
    """
    if isinstance(class_weight, Mapping):
        return np.array(weights_by_label(class_weight, classes))
    return total / (classes.size * totals)
