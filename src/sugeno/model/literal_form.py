"""What all forms over literals share: names, levels, and the way from rows to decisions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._scales.literals import Literals
from sugeno._scales.missing import as_read
from sugeno._scales.rows import numbers_of
from sugeno._sets.masks import Masks
from sugeno.model.text import Spoken, heading, otherwise

__all__ = ["LiteralForm"]


class LiteralForm(ABC):
    """A form that reads rows through literals; see `sugeno.model.form.Form`.

    Examples
    --------
    >>> from sugeno import Card, RuleSet
    >>> from sugeno.model.literal_form import LiteralForm
    >>> forms: list[LiteralForm] = [Card([2], [5], needed=2), RuleSet([{0}], [5])]
    >>> [form.predict([[4], [6]]).tolist() for form in forms]
    [[False, True], [False, True]]
    """

    _literals: Literals
    _label: object
    _named: bool

    @property
    def criteria(self) -> tuple[str, ...]:
        """Names of the criteria."""
        return tuple(criterion.name for criterion in self._literals.criteria)

    @property
    def directions(self) -> NDArray[np.int64]:
        """+1 where more is better, -1 where less is; one per criterion."""
        return self._literals.directions

    @property
    def levels(self) -> NDArray[np.float64]:
        """Level of each literal, in original units: the numbers that predict."""
        return self._literals.levels.copy()

    @property
    def literal_criteria(self) -> NDArray[np.intp]:
        """Index of the criterion of each literal."""
        return self._literals.columns.copy()

    @property
    def literal_set(self) -> Literals:
        """The literals that the form may use."""
        return self._literals

    @property
    def label(self) -> object:
        """The label that accepted rows get, if it is known."""
        return self._label.label if isinstance(self._label, Spoken) else self._label

    @property
    def spoken(self) -> object:
        """The label, with the words for it where there are any."""
        return self._label

    @property
    def head(self) -> str:
        """What rows that are accepted are called."""
        return heading(self._label)

    @property
    def others(self) -> str:
        """What all other rows are called."""
        return otherwise(self._label)

    @property
    def named(self) -> bool:
        """Whether the criteria have names from the data, not only x0, x1, …."""
        return self._named

    @property
    def literals(self) -> tuple[str, ...]:
        """Text of each literal."""
        return self._literals.texts

    def predict(self, X: Any) -> NDArray[np.bool_]:
        """Tell which rows are accepted, from values in original units.

        Parameters
        ----------
        X : array-like, or frame of pandas, Polars or PyArrow, of shape (n, m)
            Finite numbers, and labels where a criterion has them. From a frame the criteria are
            taken by name.

        Returns
        -------
        ndarray of bool of shape (n,)
            The decisions.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}], [3], criteria=["price"], directions=[-1]).predict([[3], [3.5]])
        array([ True, False])
        """
        return self.decide(self._values(X))

    @abstractmethod
    def decide(self, values: NDArray[Any], *, check_finite: bool = True) -> NDArray[np.bool_]:
        """Tell which rows of a plain array are accepted."""

    def _values(self, X: Any) -> NDArray[Any]:
        """Read rows as a plain array with a column for each criterion."""
        return numbers_of(X, self._literals.criteria, named=self._named)

    def _patterns(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, missing: str
    ) -> Patterns:
        """Count rows by what they satisfy, and by whether they have the label."""
        values = self._values(X)
        values = as_read(values, self._literals.directions, missing)
        right = np.asarray(y) == (True if self.label is None else self.label)
        if right.shape != (len(values),):
            raise ValueError(
                f"y must have one label per row, shape ({len(values)},). "
                f"Got shape {right.shape} instead."
            )
        weights = row_weights(sample_weight, len(values))
        satisfied = self._literals.satisfied(values, check_finite=missing == "error")
        return Patterns.from_rows(satisfied, right, weights, self._literals.chains)

    def satisfied(self, values: NDArray[Any]) -> Masks:
        """Return the packed set of literals that each row of a plain array satisfies.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}], [3, 5]).satisfied(np.array([[4.0, 6.0]]))
        array([[3]], dtype=uint64)
        """
        return self._literals.satisfied(values, check_finite=True)
