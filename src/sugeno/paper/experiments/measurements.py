"""What is measured on one split: a column of a table, or a curve of a figure.

A measurement is a named function of one split. It returns numbers that JSON can hold exactly
(counts of errors rather than error rates), so that results can be compared byte by byte.
"""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import packages_distributions, version
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
    parts = [classifier, *(value for _, value in parameters if hasattr(value, "get_params"))]
    code = " ".join(code_fingerprint(type(part).__module__) for part in parts)
    description = f"{code} {type(classifier).__qualname__} {parameters!r}"
    return sha256(description.encode()).hexdigest()[:8]


@cache
def code_fingerprint(module: str) -> str:
    """Fingerprint of what decides the results of a module: its code, and the libraries beneath it.

    A result of older code is then measured again. Of our own modules those count that the module
    imports, directly or not, without their docstrings, comments and imports: words and places do
    not decide a result. Of a module of another package the version of that package counts.

    Parameters
    ----------
    module : str
        Where a learner is defined.

    Examples
    --------
    >>> from sugeno.paper.experiments.measurements import code_fingerprint
    >>> len(code_fingerprint("sugeno.estimators.classifier"))
    8
    """
    top = module.partition(".")[0]
    names = {"numpy", "scipy", "scikit-learn"}
    if top == _PACKAGE.name:
        if _place(module) is None:
            raise ModuleNotFoundError(f"There is no module {module!r}.", name=module)
        code = sorted(_meaning(place) for place in _imported(module))
    else:
        code, names = [], names | set(packages_distributions().get(top, ()))
    versions = [f"{name} {version(name)}" for name in sorted(names)]
    return sha256("\n".join([*code, *versions]).encode()).hexdigest()[:8]


def _imported(module: str) -> set[Path]:
    """Files of the modules of this package that a module imports, directly or not, and its own."""
    found: set[Path] = set()
    waiting = [module]
    while waiting:
        place = _place(waiting.pop())
        if place is not None and place not in found:
            found.add(place)
            waiting += _imports(place)
    return found


def _place(module: str) -> Path | None:
    """The file of a module of this package; None for anything else."""
    top, *rest = module.split(".")
    if top != _PACKAGE.name:
        return None
    folder = _PACKAGE.joinpath(*rest)
    places = (folder.with_suffix(".py"), folder / "__init__.py")
    return next((place for place in places if rest and place.exists()), None)


def _imports(place: Path) -> list[str]:
    """Names that a file imports from this package; those of things that are no modules too."""
    names = []
    for node in ast.walk(_parsed(place)):
        if isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return [name for name in names if name.startswith(f"{_PACKAGE.name}.")]


@cache
def _parsed(place: Path) -> ast.Module:
    return ast.parse(place.read_bytes())


@cache
def _meaning(place: Path) -> str:
    """The code of a file without docstrings, comments and imports, fingerprinted."""
    tree = ast.parse(place.read_bytes())
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            kept = [line for line in body if not _is_word(line)]
            node.body = kept  # type: ignore[attr-defined]
    return sha256(ast.dump(tree).encode()).hexdigest()


def _is_word(line: ast.stmt) -> bool:
    """Tell whether a statement is a docstring or an import."""
    if isinstance(line, ast.Import | ast.ImportFrom):
        return True
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
