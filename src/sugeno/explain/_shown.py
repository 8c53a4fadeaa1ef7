"""What explanations of many rows have in common: a sequence that shows itself as a table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Literal, Self, TypeVar

from sugeno.model.text import html_table

__all__ = ["Backend", "ShownRows"]

Backend = Literal["pandas", "polars", "pyarrow"]
One = TypeVar("One", covariant=True)

#: A representation shows so many rows.
_SHOWN = 10


class ShownRows(Sequence[One]):
    """Explanations of the rows of a table."""

    @abstractmethod
    def _columns(self) -> dict[str, list[Any]]:
        """The table, one entry per row."""

    @abstractmethod
    def _head(self, n: int) -> Self:
        """Explanations of the first rows alone, so that no more is computed than shown."""

    @abstractmethod
    def sentences(self) -> list[str]:
        """Return each explanation as a sentence."""

    def to_records(self) -> list[dict[str, Any]]:
        """Return the explanations as a list of dictionaries, one per row."""
        columns = self._columns()
        return [dict(zip(columns, row)) for row in zip(*columns.values())]

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """Return the columns of `to_records` as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            Which library's frame; it must be installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            One row per row of the table.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
        >>> clf.explain([[2]]).to_frame("polars")["counterfactual"].to_list()
        ['x0 rises from 2 to 3']
        """
        import narwhals

        return narwhals.from_dict(self._columns(), backend=backend).to_native()

    def __repr__(self) -> str:
        hidden = len(self) - _SHOWN
        lines = self._head(_SHOWN).sentences()
        return "\n".join([*lines, f"… and {hidden} more rows"] if hidden > 0 else lines)

    def _repr_html_(self) -> str:
        hidden = max(0, len(self) - _SHOWN)
        records = self._head(_SHOWN).to_records()
        return html_table(records, f"… {hidden} more rows" if hidden else "")
