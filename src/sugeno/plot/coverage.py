"""Error against coverage: what it brings not to answer where the classifier is not sure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from sugeno.plot._canvas import DARK, INK, LIGHT, axes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["CoverageErrorDisplay", "coverage_and_error"]

Floats = NDArray[np.float64]

_STYLES = ("-", "--", ":", "-.")
#: Half the width of the band at the share of rows that are determined.
_BAND = 0.008


def coverage_and_error(
    certainty: ArrayLike, wrong: ArrayLike, sample_weight: ArrayLike | None = None
) -> tuple[Floats, Floats]:
    """Share of the rows at least as certain as each certainty, and the error among them.

    Parameters
    ----------
    certainty : array-like of shape (n,)
        How sure the classifier is of each row, in any unit.
    wrong : array-like of bool of shape (n,)
        Whether it is wrong there.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    coverage, error : ndarray
        One entry per distinct certainty, the highest first; the last coverage is 1.

    Examples
    --------
    >>> from sugeno.plot.coverage import coverage_and_error
    >>> coverage_and_error([0.9, 0.9, 0.6, 0.5], [False, False, True, False])
    (array([0.5 , 0.75, 1.  ]), array([0.        , 0.33333333, 0.25      ]))
    """
    _, place = np.unique(-np.asarray(certainty, dtype=np.float64), return_inverse=True)
    weight = np.ones(place.size) if sample_weight is None else np.asarray(sample_weight, np.float64)
    covered = np.cumsum(np.bincount(place, weight))
    errors = np.cumsum(np.bincount(place, weight * np.asarray(wrong, dtype=np.bool_)))
    there = covered > 0
    return covered[there] / covered[-1], errors[there] / covered[there]


@dataclass
class CoverageErrorDisplay:
    """Error on the rows that are answered, against their share.

    Rows that `predict_set` leaves open come last, then rows are answered in the order of the
    probability of their label.

    Parameters
    ----------
    coverage : ndarray
        Share of the rows that are answered.
    error : ndarray
        Share of errors among them.
    determined : float or None
        Share of the rows that `predict_set` does not leave open; None if the classifier has none.
    name : str or None
        What the line is called.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The line.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.datasets import load
    >>> from sugeno.plot import CoverageErrorDisplay
    >>> lecturers = load("LEV")
    >>> X, y = lecturers.data, lecturers.target
    >>> clf = SugenoClassifier(levels=3, directions=None, abstain=True).fit(X[:500], y[:500])
    >>> display = CoverageErrorDisplay.from_estimator(clf, X[500:], y[500:])
    >>> bool(display.error[0] < display.error[-1])
    True
    """

    coverage: Floats
    error: Floats
    determined: float | None = None
    name: str | None = None

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the curve of a fitted classifier on rows that it has not seen.

        Parameters
        ----------
        estimator : fitted classifier
            Any with ``predict`` and ``predict_proba``; of one with ``predict_set`` rows that it
            leaves open are answered last.
        X : array-like of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.
        name : str, optional
            What the line is called; the name of the class by default.
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        CoverageErrorDisplay
            The display.
        """
        check_is_fitted(estimator)
        certainty = np.asarray(estimator.predict_proba(X), dtype=np.float64).max(axis=1)
        determined = None
        if hasattr(estimator, "predict_set"):
            closed = np.asarray(estimator.predict_set(X)).sum(axis=1) == 1
            certainty = certainty + closed
            weights: Any = sample_weight
            determined = float(np.average(closed, weights=weights))
        wrong = np.asarray(estimator.predict(X)) != np.asarray(y)
        coverage, error = coverage_and_error(certainty, wrong, sample_weight)
        return cls(coverage, error, determined, name or type(estimator).__name__).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the curve; several on the same axes compare classifiers.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw.

        Returns
        -------
        CoverageErrorDisplay
            The display, with ``line_``, ``ax_`` and ``figure_``.
        """
        axes = self.ax_ = axes_of(ax, 5.2, 3.4)
        self.figure_ = axes.figure
        place = len(axes.lines)  # the band is none of them
        (self.line_,) = axes.plot(
            self.coverage,
            self.error,
            color=INK if place % 2 else DARK,
            linestyle=_STYLES[place % len(_STYLES)],
            linewidth=1.4,
            label=self.name,
        )
        if self.determined is not None and place == 0:
            ends = self.determined - _BAND, self.determined + _BAND
            axes.axvspan(*ends, color=LIGHT, linewidth=0, zorder=0, label="determined")
        axes.set(xlabel="share of rows answered", ylabel="error among them", ylim=(0, None))
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=8)
        return self
