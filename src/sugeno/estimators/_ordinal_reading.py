"""What a fitted classifier of ordered classes shows to people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from sugeno._counts.weights import row_weights
from sugeno.estimators._frames_ordinal import DecidesOrderOnFrames
from sugeno.estimators._reading import Reported
from sugeno.estimators._validation import check_table

if TYPE_CHECKING:
    from sugeno.edit import Edit
    from sugeno.explain import OrdinalExplanations, OrdinalLetters
    from sugeno.model.model import Model
    from sugeno.model.monotone import MonotoneProof

__all__ = ["ReadableOrdinal"]


class ReadableOrdinal(DecidesOrderOnFrames, Reported):
    """Methods of classifiers of ordered classes with a finished model, ``model_``.

    Examples
    --------
    >>> from sugeno import SugenoOrdinalClassifier
    >>> from sugeno.estimators._ordinal_reading import ReadableOrdinal
    >>> issubclass(SugenoOrdinalClassifier, ReadableOrdinal)
    True
    """

    model_: Model

    def explain(
        self,
        X: ArrayLike,
        *,
        immutable: Iterable[str | int] = (),
        permitted_range: Mapping[str | int, tuple[Any, Any]] | None = None,
        cost: Mapping[str | int, float] | Callable[[str, Any, Any], float] | None = None,
        n_counterfactuals: int = 3,
    ) -> OrdinalExplanations:
        """Explain the class of each row, exactly.

        Per row: the rules that put it at least into its class, with a smallest reason; a smallest
        set of criteria that keep it from a higher class, whatever the others are; the nearest ways
        to a higher class within the limits, or the proof that there is none, and to a lower one;
        and how far each criterion alone is from either.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.
        immutable, permitted_range, cost, n_counterfactuals
            As for `SugenoClassifier.explain`. A step is one from a level of the boundary in
            question to the next.

        Returns
        -------
        OrdinalExplanations
            A sequence of `sugeno.explain.OrdinalExplanation`, with `to_frame` and `sentences`.

        Examples
        --------
        >>> import pandas as pd
        >>> from sugeno import SugenoOrdinalClassifier
        >>> X = pd.DataFrame({"interview": [2, 4, 5, 6, 7, 9]})
        >>> y = ["bad", "bad", "ok", "ok", "good", "good"]
        >>> clf = SugenoOrdinalClassifier(levels=1, classes=["bad", "ok", "good"]).fit(X, y)
        >>> clf.explain(X[3:4])
        ok. good if interview rises from 6 to 7.
        """
        from sugeno.explain import explain_ordinal

        check_is_fitted(self)
        return explain_ordinal(
            self.model_,
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
    ) -> OrdinalLetters:
        """Give the reasons for not being in the next class, as a letter to a person does.

        They are the criteria of a smallest set whose present values keep the row from a higher
        class whatever the rest: factors that were decisive, and no others.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.
        max_reasons, codes, texts
            As for `SugenoClassifier.reasons`.

        Returns
        -------
        OrdinalLetters
            A sequence of `sugeno.explain.Letter`, with `to_frame`.

        Examples
        --------
        >>> from sugeno import SugenoOrdinalClassifier
        >>> clf = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
        >>> print(clf.reasons([[2]], codes={"x0": "R1"})[0])
        Class 2, not 3. The decisive factor:
        - R1: x0 is 2, below 3
        """
        from sugeno.explain import ordinal_reasons

        check_is_fitted(self)
        rows = check_table(self, X, reset=False, missing=self.model_.missing)
        return ordinal_reasons(self.model_, rows, max_reasons, codes=codes, texts=texts)

    def verify_monotone(self) -> MonotoneProof:
        """Prove that class and probabilities never fall when a criterion gets better.

        Returns
        -------
        MonotoneProof
            True if it is proved; as text one line that says so, or what is wrong.

        Examples
        --------
        >>> from sugeno import SugenoOrdinalClassifier
        >>> clf = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
        >>> bool(clf.verify_monotone())
        True
        """
        check_is_fitted(self)
        return self.model_.verify_monotone()

    def rules_table(
        self,
        X: Any = None,
        y: Any = None,
        *,
        sample_weight: ArrayLike | None = None,
        words: bool = False,
        backend: Literal["pandas", "polars", "pyarrow"] = "pandas",
    ) -> Any:
        """Return the rules of all boundaries as a data frame, with what each of them stands on.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), optional
            Rows to count; by default the numbers are those of the training rows.
        y : array-like of shape (n_samples,), optional
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.
        words : bool, default=False
            Whether to write "at least 6" for ``>= 6``.
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            Which library's frame; it must be installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            One row per rule, with the columns of `SugenoClassifier.rules_table` and ``boundary``.

        Examples
        --------
        >>> from sugeno import SugenoOrdinalClassifier
        >>> clf = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
        >>> clf.rules_table()[["boundary", "rule", "support"]]
             boundary     rule  support
        0  at least 2  x0 >= 2      2.0
        1  at least 3  x0 >= 3      1.0
        """
        check_is_fitted(self)
        if X is None or y is None:
            if not (X is None and y is None):
                raise ValueError("X and y must be given together, or neither of them.")
            return self.model_.rules.to_frame(backend, words=words)
        counted = self.model_.counted_rules(X, y, sample_weight)
        return counted.to_frame(backend, words=words)

    def edit(
        self,
        boundary: object,
        X: ArrayLike | None = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
    ) -> Edit:
        """Begin to edit the rules of one boundary; the classifier itself stays as it is.

        The report is about this boundary: rows that pass it now, or no more, and errors in telling
        the classes below it from those above. The new classifier must stay nested: whoever passes a
        boundary passes those before it. Where an edit breaks that, an error says which rule does.

        Parameters
        ----------
        boundary : object
            The lowest class above the boundary.
        X : array-like of shape (n_samples, n_features), optional
            Rows to judge the edits by. With them probabilities, support and importances of the
            boundary are those of the rows.
        y : array-like of shape (n_samples,), optional
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.

        Returns
        -------
        Edit
            As for `SugenoClassifier.edit`; its ``classifier`` is an `OrdinalRuleClassifier`.

        Examples
        --------
        >>> from sugeno import SugenoOrdinalClassifier
        >>> X, y = [[1], [2], [3], [4]], [0, 1, 2, 2]
        >>> clf = SugenoOrdinalClassifier(levels=1).fit(X, y)
        >>> edit = clf.edit(2, X, y).move_level("x0", 3, to=4)
        >>> edit.report.errors_after, edit.classifier.predict([[3], [4]])
        (1.0, array([1, 2]))
        """
        from sugeno.edit import Edit, Rows
        from sugeno.estimators.rule_classifier import OrdinalRuleClassifier

        check_is_fitted(self)
        model = self.model_
        place = model.boundary_below(boundary)
        rows = None
        if X is not None and y is not None:
            values, labels = check_table(self, X, reset=False, missing=model.missing, y=y)
            below = model.boundaries[place]
            passes = np.asarray(model.places(labels) > place)
            rows = Rows(below.read(values), passes, row_weights(sample_weight, len(values)))
        elif X is not None or y is not None:
            raise ValueError("X and y must be given together, or neither of them.")
        return Edit.of(
            model.boundaries[place],
            rows,
            lambda edited: OrdinalRuleClassifier.of(model.with_boundary(place, edited)),
        )
