"""What a fitted classifier shows to people: short ways to the rooms that read its model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from sugeno._counts.weights import row_weights
from sugeno._exceptions import ModelFileError
from sugeno.estimators._frames import DecidesOnFrames
from sugeno.estimators._validation import check_table

if TYPE_CHECKING:
    from sugeno.edit import Edit, Rows
    from sugeno.explain import Explanations, Letters
    from sugeno.model.boundary import Boundary
    from sugeno.model.model import Model
    from sugeno.model.monotone import MonotoneProof

__all__ = ["Readable", "Reported"]


class Reported:
    """The page of a classifier with a finished model, ``model_``.

    Examples
    --------
    >>> from sugeno import SugenoOrdinalClassifier
    >>> from sugeno.estimators._reading import Reported
    >>> issubclass(SugenoOrdinalClassifier, Reported)
    True
    """

    model_: Any

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
        """The text of the model file; None where a file cannot hold the model."""
        from sugeno._format import write_model

        try:
            return write_model(self.model_)
        except ModelFileError:
            return None


class Readable(DecidesOnFrames, Reported):
    """Methods of classifiers with a finished model, ``model_``.

    The rooms are imported when they are asked for: whoever only predicts does not wait for them.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators._reading import Readable
    >>> issubclass(SugenoClassifier, Readable)
    True
    """

    model_: Model

    @property
    def _boundary(self) -> Boundary:
        return self.model_.boundaries[0]

    def explain(
        self,
        X: ArrayLike,
        *,
        immutable: Iterable[str | int] = (),
        permitted_range: Mapping[str | int, tuple[Any, Any]] | None = None,
        cost: Mapping[str | int, float] | Callable[[str, Any, Any], float] | None = None,
        n_counterfactuals: int = 3,
    ) -> Explanations:
        """Explain the decision on each row, exactly.

        Per row: the rules that fired; a smallest reason (criteria whose present values decide,
        whatever the others are); the nearest counterfactuals within the limits, or the proof that
        there is none; and how far each criterion alone is from flipping the decision. For a
        refused row a counterfactual says what has to rise, for an accepted one what has to fall.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.
        immutable : iterable of str or int, default=()
            Criteria that must not change, by name or by place.
        permitted_range : dict, optional
            From criteria to the pair of the lowest and the highest value that they may be changed
            to, in original units or labels; None for an open end.
        cost : dict or callable, optional
            Price of a step from one level to the next, by criterion, 1 where it is left out. Or a
            function of the name of the criterion, its value and its new value that returns the
            price of the change. An infinite price forbids a change.
        n_counterfactuals : int, default=3
            Largest number of counterfactuals. Each is about a set of criteria of its own.

        Returns
        -------
        Explanations
            A sequence of `sugeno.explain.Explanation`, with `to_frame` and `sentences`.

        Notes
        -----
        Equal costs: fewer criteria come first, then those of earlier columns. New values are
        observed ones next to a level, where the model knows them.

        Examples
        --------
        >>> import pandas as pd
        >>> from sugeno import SugenoClassifier
        >>> X = pd.DataFrame({"interview": [2, 4, 6, 7, 8, 9], "price": [9, 8, 8, 7, 3, 5]})
        >>> clf = SugenoClassifier().fit(X, ["no", "no", "no", "yes", "yes", "yes"])
        >>> clf.explain(X[:1])
        Refused. Accepted if interview rises from 2 to 7 and price falls from 9 to 7.
        >>> clf.explain(X[:1], immutable=["price"])
        Refused. No counterfactual exists within these limits.
        """
        from sugeno.explain import explain

        check_is_fitted(self)
        return explain(
            self._boundary,
            check_table(self, X, reset=False, missing=self.model_.missing),
            immutable=immutable,
            permitted_range=permitted_range,
            cost=cost,
            n_counterfactuals=n_counterfactuals,
        )

    def reasons(
        self,
        X: ArrayLike,
        max_reasons: int = 4,
        *,
        codes: Mapping[str | int, str] | None = None,
        texts: Mapping[str | int, str] | None = None,
    ) -> Letters:
        """Give the reasons of each refusal, as a letter to the person concerned does.

        They are the criteria of a smallest set whose present values explain the refusal whatever
        the rest: factors that were decisive, and no others.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.
        max_reasons : int, default=4
            Largest number of reasons to list. Where a refusal takes more, its text says so, and
            ``needed`` says how many.
        codes : dict, optional
            From criteria to the code of the reason; the name where it is left out.
        texts : dict, optional
            From criteria to what to say about them. ``{value}``, ``{level}`` and ``{criterion}``
            are filled in.

        Returns
        -------
        Letters
            A sequence of `sugeno.explain.Letter`, with `to_frame`.

        Examples
        --------
        >>> import pandas as pd
        >>> from sugeno import SugenoClassifier
        >>> X = pd.DataFrame({"interview": [2, 4, 6, 7, 8, 9], "price": [9, 8, 8, 7, 3, 5]})
        >>> clf = SugenoClassifier().fit(X, ["no", "no", "no", "yes", "yes", "yes"])
        >>> print(clf.reasons(X, texts={"interview": "Interview rated {value}"})[0])
        Refused. The decisive factor:
        - Interview rated 2
        """
        from sugeno.explain import reasons

        check_is_fitted(self)
        rows = check_table(self, X, reset=False, missing=self.model_.missing)
        return reasons(self._boundary, rows, max_reasons, codes=codes, texts=texts)

    def verify_monotone(self) -> MonotoneProof:
        """Prove that decision and probability never fall when a criterion gets better.

        Returns
        -------
        MonotoneProof
            True if it is proved; as text one line that says so, or what is wrong.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> bool(SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).verify_monotone())
        True
        """
        check_is_fitted(self)
        return self._boundary.form.verify_monotone(self._boundary.probability)

    def rules_table(
        self,
        X: Any = None,
        y: Any = None,
        *,
        sample_weight: ArrayLike | None = None,
        n_resamples: int = 0,
        random_state: int | np.random.RandomState | None = None,
        words: bool = False,
        backend: Literal["pandas", "polars", "pyarrow"] = "pandas",
    ) -> Any:
        """Return the rules as a data frame, with what each of them stands on.

        Columns: ``rule``; ``size``, its number of criteria; ``support``, the weight of the rows
        that satisfy it; ``precision``, the share of that weight which has the label; ``unique``,
        the weight of the rows that satisfy no other rule; with ``n_resamples`` also
        ``stability`` and ``criteria_stability``, see `rule_stability`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), optional
            Rows to count; by default the numbers are those of the training rows.
        y : array-like of shape (n_samples,), optional
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.
        n_resamples : int, default=0
            How often to repeat the fit on resampled rows, to see how often each rule recurs.
            Needs X and y.
        random_state : int, RandomState instance or None, default=None
            Seed of the resampling.
        words : bool, default=False
            Whether to write "at least 6" for ``>= 6``.
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            Which library's frame; it must be installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            One row per rule.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
        >>> clf.rules_table([[3], [4], [5]], [0, 1, 1], words=True)
                        rule  size  support  precision  unique
        0  x0 at least 3     1      3.0   0.666667     3.0
        """
        check_is_fitted(self)
        rules = self._boundary.rules
        if X is None or y is None:
            if n_resamples or not (X is None and y is None):
                raise ValueError("X and y must be given together, and for n_resamples both.")
            return rules.to_frame(backend, words=words)
        counted = rules.counted_on(X, y, sample_weight, missing=self._boundary.missing)
        if not n_resamples:
            return counted.to_frame(backend, words=words)
        from sugeno.estimators.stability import rule_stability

        found = rule_stability(
            self,
            X,
            y,
            sample_weight=sample_weight,
            n_resamples=n_resamples,
            random_state=random_state,
        )
        return replace(found, rules=counted).to_frame(backend, words=words)

    def edit(
        self, X: ArrayLike | None = None, y: Any = None, sample_weight: ArrayLike | None = None
    ) -> Edit:
        """Begin to edit the rules; the classifier itself stays as it is.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), optional
            Rows to judge the edits by. With them the report counts the rows that change and the
            errors, and probabilities, support and importances are those of the rows.
        y : array-like of shape (n_samples,), optional
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.

        Returns
        -------
        Edit
            With ``add``, ``remove``, ``replace``, ``move_level`` and ``forbid``, each of which
            returns a new one, with the ``report``, and with the ``classifier``, a
            `RuleClassifier`.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
        >>> edit = SugenoClassifier().fit(X, y).edit(X, y).move_level("x0", 3, to=4)
        >>> edit.report.errors_after, edit.classifier.predict([[3], [4]])
        (1.0, array([0, 1]))
        """
        from sugeno.edit import Edit
        from sugeno.estimators.rule_classifier import RuleClassifier
        from sugeno.model.model import Model

        check_is_fitted(self)
        return Edit.of(
            self._boundary,
            self._rows_to_judge(X, y, sample_weight),
            lambda boundary: RuleClassifier.of(Model.of_two_classes(boundary)),
        )

    def _rows_to_judge(self, X: Any, y: Any, sample_weight: Any) -> Rows | None:
        """Validate rows with labels; None where there are none."""
        from sugeno.edit import Rows

        if X is None and y is None:
            return None
        if X is None or y is None:
            raise ValueError("X and y must be given together, or neither of them.")
        rows, labels = check_table(self, X, reset=False, missing=self.model_.missing, y=y)
        strange = sorted(set(np.unique(labels).tolist()) - set(self.model_.classes.tolist()))
        if strange:
            raise ValueError(
                f"y must hold the labels {self.model_.classes.tolist()}. Got {strange} instead."
            )
        weights = row_weights(sample_weight, len(rows))
        return Rows(self._boundary.read(rows), labels == self.model_.classes[1], weights)
