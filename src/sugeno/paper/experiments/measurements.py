"""What is measured on one split: a column of a table, or a curve of a figure.

A measurement is a named function of one split. It returns numbers that JSON can hold exactly
(counts of errors rather than error rates), so that results can be compared byte by byte.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

import sugeno

__all__ = ["Classifier", "Measurement", "Part", "code_fingerprint", "count_errors", "recipe"]

_PACKAGE = Path(sugeno.__file__).parent


class Classifier(Protocol):
    """The part of scikit-learn's interface that is used here.

    Examples
    --------
    >>> from sugeno.paper.experiments.measurements import Classifier
    >>> Classifier.__name__
    'Classifier'
    """

    def fit(self, X: NDArray[np.float64], y: NDArray[np.int64]) -> Any:
        """Learn from rows and classes."""

    def predict(self, X: NDArray[np.float64]) -> NDArray[np.int64]:
        """Predict classes of rows."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Give all parameters, with their defaults."""


@dataclass(frozen=True, eq=False)
class Part:
    """One split of one data set, as a learner gets it.

    Attributes
    ----------
    X_train, X_test : ndarray of shape (n, m)
        Rows for training and for testing, in original units.
    y_train, y_test : ndarray of shape (n,)
        Classes 0 and 1.
    directions : ndarray of int of shape (m,)
        1 where more is better, -1 where less is.
    random_state : int
        Seed for learners that draw at random.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.experiments.measurements import Part
    >>> X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    >>> Part(X, y, X, y, directions=np.array([1]), random_state=0).n_train
    2
    """

    X_train: NDArray[np.float64]
    y_train: NDArray[np.int64]
    X_test: NDArray[np.float64]
    y_test: NDArray[np.int64]
    directions: NDArray[np.int64]
    random_state: int

    @property
    def n_train(self) -> int:
        """Number of rows for training."""
        return self.y_train.size

    @property
    def n_test(self) -> int:
        """Number of rows for testing."""
        return self.y_test.size


class Measurement(Protocol):
    """A named measurement; ``recipe`` changes whenever its results may.

    Examples
    --------
    >>> from sugeno.paper.experiments.columns import COLUMNS
    >>> COLUMNS["LR"].name
    'LR'
    """

    @property
    def name(self) -> str:
        """Name under which the results are kept."""

    @property
    def recipe(self) -> str:
        """Fingerprint of how the results came about."""

    def measure(self, part: Part) -> dict[str, Any]:
        """Measure on one split; the result must survive a round trip through JSON."""


def count_errors(classifier: Classifier, part: Part) -> int:
    """Fit on the training rows and count the errors on the test rows.

    Parameters
    ----------
    classifier : Classifier
        Not yet fitted; it is fitted afterwards.
    part : Part
        The split.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.dummy import DummyClassifier
    >>> from sugeno.paper.experiments.measurements import Part, count_errors
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 1])
    >>> count_errors(DummyClassifier(), Part(X, y, X, y, np.array([1]), 0))
    1
    """
    with warnings.catch_warnings():
        # Of a hundred small splits many are weak; the reader of a table cannot act on it.
        warnings.simplefilter("ignore", sugeno.WeakDirectionWarning)
        classifier.fit(part.X_train, part.y_train)
    return int(np.count_nonzero(classifier.predict(part.X_test) != part.y_test))


def recipe(classifier: Classifier) -> str:
    """Fingerprint a learner: its kind, its parameters, and the code that learns.

    Parameters
    ----------
    classifier : Classifier
        A scikit-learn estimator, not fitted.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sugeno.paper.experiments.measurements import recipe
    >>> recipe(LogisticRegression()) == recipe(LogisticRegression(C=2.0))
    False
    """
    parameters = sorted(classifier.get_params().items())
    description = f"{code_fingerprint()} {type(classifier).__qualname__} {parameters!r}"
    return sha256(description.encode()).hexdigest()[:8]


@cache
def code_fingerprint() -> str:
    """Fingerprint of what decides a result: our learning code, and the libraries beneath it.

    A result of older code is then measured again. What only reads data or shows results is left
    out: `sugeno.cli`, `sugeno.datasets` and the experiments themselves.

    Examples
    --------
    >>> from sugeno.paper.experiments.measurements import code_fingerprint
    >>> len(code_fingerprint())
    8
    """
    code = sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        place = path.relative_to(_PACKAGE).as_posix()
        if not place.startswith(("cli/", "datasets/", "paper/experiments/")):
            code.update(place.encode() + b"\0" + path.read_bytes())
    versions = [f"{name} {version(name)}" for name in ("numpy", "scipy", "scikit-learn")]
    code.update(" ".join(versions).encode())
    return code.hexdigest()[:8]
