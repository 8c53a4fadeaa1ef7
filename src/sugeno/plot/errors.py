"""Errors against k, the number of rules, the threshold, and the share of rows that are answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from sugeno.plot._canvas import DARK, INK, LIGHT, axes_of, model_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["CoverageErrorDisplay", "Curve", "ErrorCurveDisplay", "coverage_and_error"]

Floats = NDArray[np.float64]

_AGAINST = ("k", "rules", "threshold")
_STYLES = ("-", "--", ":", "-.")
#: Half the width of the band at the share of rows that are determined.
_BAND = 0.008
_MARKERS = ("o", "s", "^", "D", "v")
_LABELS = {
    "k": "k, the most criteria in a rule",
    "rules": "number of rules",
    "threshold": "threshold",
}


@dataclass(frozen=True)
class Curve:
    """A line of an `ErrorCurveDisplay`.

    Attributes
    ----------
    label : str
        What it is.
    x, error : ndarray
        Where, and the error there.
    spread : ndarray or None
        Standard error on either side.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.plot.errors import Curve
    >>> Curve("shared", np.array([1, 2]), np.array([0.2, 0.1]), None).label
    'shared'
    """

    label: str
    x: Floats
    error: Floats
    spread: Floats | None = None


class ErrorCurveDisplay:
    """Error against k, against the number of rules, or against the threshold.

    Parameters
    ----------
    curves : list of Curve
        The lines.
    against : {"k", "rules", "threshold"}
        What the error is shown against.
    chosen : float or None
        Where the classifier is.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import numpy as np
    >>> from sugeno import SugenoClassifierCV
    >>> from sugeno.plot import ErrorCurveDisplay
    >>> X = np.random.default_rng(0).integers(1, 6, size=(200, 3))
    >>> clf = SugenoClassifierCV(levels="shared").fit(X, (X >= 4).sum(axis=1) >= 2)
    >>> display = ErrorCurveDisplay.from_estimator(clf, against="k")
    >>> display.curves[0].x, display.chosen
    (array([1., 2., 3.]), 2.0)
    """

    def __init__(
        self,
        curves: list[Curve],
        against: Literal["k", "rules", "threshold"],
        chosen: float | None = None,
    ) -> None:
        self.curves = curves
        self.against = against
        self.chosen = chosen

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        against: Literal["k", "rules", "threshold"] = "k",
        ax: Axes | None = None,
    ) -> Self:
        """Draw the error that a fitted classifier has, or was chosen by.

        Parameters
        ----------
        estimator : fitted classifier
            For "k" one with ``cv_results_``, that is `SugenoClassifierCV`: errors on held-out
            rows, one line per kind of model. For "rules" one with a path from one rule to many:
            `SugenoDistiller`, or `SugenoClassifierCV` that chose a distilled model. For
            "threshold" any.
        X, y : array-like, optional
            Rows and labels, for "threshold": the error on them if they were accepted where the
            Sugeno integral reaches another threshold.
        against : {"k", "rules", "threshold"}, default="k"
            What to show the error against.
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        ErrorCurveDisplay
            The display.
        """
        model = model_of(estimator)
        if len(model.boundaries) > 1:
            raise TypeError(
                "An error curve is about two classes. Got the ordered classes "
                f"{model.classes.tolist()} instead; draw one boundary between them, "
                "RuleClassifier.of(clf.model_.at_boundary(0)), against the threshold."
            )
        if against not in _AGAINST:
            raise ValueError(f"against must be one of {list(_AGAINST)}. Got {against!r} instead.")
        if against == "k":
            return cls(_by_k(estimator), against, float(estimator.k_)).plot(ax)
        if against == "rules":
            return cls(_by_rules(estimator), against, float(model.rules.n_rules)).plot(ax)
        if X is None or y is None:
            raise ValueError("An error against the threshold needs rows and labels: give X and y.")
        return cls([_by_threshold(estimator, X, y)], against, float(model.thresholds[0])).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw.

        Returns
        -------
        ErrorCurveDisplay
            The display, with ``ax_`` and ``figure_``.
        """
        axes = self.ax_ = axes_of(ax, 5.2, 3.4)
        self.figure_ = axes.figure
        for place, curve in enumerate(self.curves):
            self._draw(axes, curve, place)
        if self.chosen is not None:
            axes.axvline(self.chosen, color=LIGHT, linewidth=5, zorder=0, label="chosen")
        axes.set(xlabel=_LABELS[self.against], ylabel="error", ylim=(0, None))
        if self.against != "threshold":
            axes.locator_params(axis="x", integer=True)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=8)
        return self

    def _draw(self, ax: Axes, curve: Curve, place: int) -> None:
        few = self.against != "threshold"
        ax.errorbar(
            curve.x,
            curve.error,
            yerr=curve.spread,
            color=DARK if place % 2 == 0 else INK,
            linestyle=_STYLES[place % len(_STYLES)],
            marker=_MARKERS[place % len(_MARKERS)] if few else "",
            markersize=4,
            linewidth=1.4,
            capsize=2,
            elinewidth=0.8,
            drawstyle="default" if few else "steps-pre",
            label=curve.label,
        )


def _by_k(estimator: Any) -> list[Curve]:
    """Mean error on held-out rows, for each kind of model and margin."""
    results = getattr(estimator, "cv_results_", None)
    if results is None:
        raise ValueError(
            "An error against k needs cv_results_. Got a classifier without; fit "
            "SugenoClassifierCV."
        )
    kinds = [
        (str(kind), float(margin))
        for kind, margin in zip(results["param_levels"], results["param_margin"])
    ]
    spread = results["std_test_score"] / np.sqrt(estimator.n_splits_)
    several = len({margin for _, margin in kinds}) > 1
    curves = []
    for kind, margin in dict.fromkeys(kinds):
        mine = np.array([one == (kind, margin) for one in kinds])
        label = f"{kind}, margin {margin:g}" if several and kind != "distilled" else kind
        k = np.asarray(results["param_k"], dtype=np.float64)[mine]
        curves.append(Curve(label, k, 1 - results["mean_test_score"][mine], spread[mine]))
    return curves


def _by_rules(estimator: Any) -> list[Curve]:
    """Error on the training rows, and disagreement with the teacher, for each number of rules."""
    path = getattr(estimator, "path_", None) or getattr(estimator, "distillation_path_", None)
    if not path:
        raise ValueError(
            "An error against the number of rules needs a path. Got a classifier without; fit "
            "SugenoDistiller, or SugenoClassifierCV(levels='distilled')."
        )
    rules = np.array([step["rules"] for step in path], dtype=np.float64)
    shown = rules >= 1
    error = np.array([step["error"] for step in path])
    apart = 1 - np.array([step["fidelity"] for step in path])
    return [
        Curve("error on the training rows", rules[shown], error[shown]),
        Curve("disagreement with the teacher", rules[shown], apart[shown]),
    ]


def _by_threshold(estimator: Any, X: ArrayLike, y: ArrayLike) -> Curve:
    """Error if all rows were accepted whose Sugeno integral reaches a threshold."""
    scores = np.asarray(estimator.integral(X))
    positive = model_of(estimator).places(y) == 1
    thresholds = np.unique(np.concatenate([scores, [0.0, 1.0]]))
    # Rows in order of their integral: those below a threshold are rejected.
    order = np.argsort(scores, kind="stable")
    lost = np.concatenate([[0], np.cumsum(positive[order])])
    spared = np.concatenate([[0], np.cumsum(~positive[order])])
    below = np.searchsorted(scores[order], thresholds, side="left")
    wrong = lost[below] + (spared[-1] - spared[below])
    return Curve("on the rows given", thresholds, wrong / scores.size)


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
    >>> from sugeno.plot.errors import coverage_and_error
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
