"""What a fitted classifier shows to people: short ways to the rooms that read its model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from sugeno._exceptions import ModelFileError

if TYPE_CHECKING:
    from sugeno.model.model import Model

__all__ = ["Readable"]


class Readable:
    """Methods of classifiers with a finished model, ``model_``.

    The rooms are imported when they are asked for: whoever only predicts does not wait for them.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno._reading import Readable
    >>> issubclass(SugenoClassifier, Readable)
    True
    """

    model_: Model

    def report(self, X: Any, y: Any, path: str | Path = "report.html", **options: Any) -> Path:
        """Write one HTML file to read and to play with: rules, errors, rows, what would change.

        It needs no network and no server, and can be sent to people who have no Python.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows to show the rules on.
        y : array-like of shape (n_samples,)
            Their labels.
        path : str or path, default="report.html"
            Where to write.
        **options
            ``title``, ``class_names``, ``error`` on new rows and errors of others
            (``baseline``), ``sample_weight``, …; see `sugeno.report.report_html`.

        Returns
        -------
        Path
            The file.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from sugeno import SugenoClassifier
        >>> X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
        >>> with TemporaryDirectory() as folder:
        ...     SugenoClassifier().fit(X, y).report(X, y, f"{folder}/loans.html").name
        'loans.html'
        """
        from sugeno.report import write_report

        check_is_fitted(self)
        return write_report(self, X, y, path, **{"model_json": self._model_json(), **options})

    def _model_json(self) -> str | None:
        """The text of the model file; None where the labels cannot stand in one."""
        from sugeno._format import write_model

        try:
            return write_model(self.model_)
        except ModelFileError:
            return None
