"""What all displays share: matplotlib when it is needed, greys, and texts that fit."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from sugeno.model import fitted
from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours that differ in lightness, so that a grey print tells them apart.
INK, DARK, MIDDLE, LIGHT, PALE = "#222222", "#27548a", "#8fabcd", "#b9cbe0", "#eef2f7"

_SIGNS = {">=": "≥", "<=": "≤"}


def _pyplot() -> Any:
    try:
        return import_module("matplotlib.pyplot")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "Plots need matplotlib, which is not installed. Install the extra 'plot': "
            "pip install 'sugeno[plot]'.",
            name=error.name,
        ) from error


def axes_of(ax: Axes | None, width: float, height: float) -> Axes:
    """Return the axes to draw on: those that were given, or new ones of a size in inches."""
    plt = _pyplot()
    if ax is not None:
        return ax
    axes: Axes = plt.subplots(figsize=(width, height), layout="constrained")[1]
    return axes


def panels(ax: Axes | None, rows: int, columns: int, size: tuple[float, float]) -> list[Axes]:
    """Divide a figure, or the place of given axes, into panels."""
    plt = _pyplot()
    if ax is None:
        figure: Figure = plt.figure(figsize=size, layout="constrained")
        grid: Any = figure.add_gridspec(rows, columns)
    else:
        whole: Any = ax.figure
        figure = whole
        spec = ax.get_subplotspec()
        if spec is None:
            raise ValueError(
                "ax must have a place in a grid, such as one of plt.subplots, since it is divided "
                "into panels. Got axes at a free place instead; leave ax out."
            )
        ax.set_axis_off()
        grid = spec.subgridspec(rows, columns)
    return [figure.add_subplot(grid[i, j]) for i in range(rows) for j in range(columns)]


def model_of(estimator: Any) -> Model:
    """Model of a fitted classifier."""
    check_is_fitted(estimator)
    return fitted.model_of(estimator)


def ruled_model_of(estimator: Any) -> Model | ModelPerClass:
    """The same, or the models of classes without an order."""
    check_is_fitted(estimator)
    return fitted.ruled_model_of(estimator)


def sign_of(sign: str) -> str:
    """Write a sign as it is printed."""
    return _SIGNS.get(sign, sign)


def short(text: object, most: int) -> str:
    """Cut a text that would not fit, at its end."""
    whole = " ".join(str(text).split())
    # A dollar sign would begin a formula.
    cut = whole if len(whole) <= most else whole[: most - 1].rstrip() + "…"
    return cut.replace("$", r"\$")
