"""Drawing the figures with matplotlib, which is loaded only when something is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sugeno.paper.experiments.curves import LETTERS
from sugeno.paper.experiments.paper import SHARES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw", "require_matplotlib", "save"]

#: The paper draws β red and β₀ green.
COLOURS = {"learned": "tab:red", "alternating": "tab:green"}


def require_matplotlib() -> None:
    """Fail early, with the remedy, when there is no matplotlib.

    Examples
    --------
    >>> from sugeno.paper.experiments.drawing import require_matplotlib
    >>> require_matplotlib()
    """
    try:
        import_module("matplotlib.figure")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "The figures must be drawn with matplotlib, which is not installed. "
            "Install the extra 'plot': pip install 'sugeno[plot]'.",
            name=error.name,
        ) from error


def draw(content: dict[str, Any]) -> Figure:
    """Draw test error against the threshold, one panel per share of training data.

    Parameters
    ----------
    content : dict
        What :func:`sugeno.paper.experiments.curves.build` returned.

    Returns
    -------
    matplotlib.figure.Figure
        The figure; it does not belong to pyplot and needs no closing.

    Examples
    --------
    >>> from sugeno.paper.experiments.drawing import draw
    >>> line = {"beta": 0.5, "sd": 0.1, "error": 0.3}
    >>> curve = {"mean": [0.4, 0.3], "standard error": [0.01, 0.01], "learned": line}
    >>> content = {
    ...     "dataset": "LEV", "thresholds": [0.5, 1.0], "lines": ["learned"],
    ...     "shares": {"20": curve, "50": curve, "80": curve},
    ... }
    >>> len(draw(content).axes)
    3
    """
    require_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3.2), layout="constrained")
    panels: Sequence[Axes] = figure.subplots(1, len(SHARES), sharey=True)
    for axes, share in zip(panels, SHARES):
        _panel(axes, content, str(share))
    panels[0].set_ylabel(f"0/1 loss on test data, {content['dataset']}")
    panels[-1].legend(frameon=False)
    return figure


def _panel(axes: Axes, content: dict[str, Any], share: str) -> None:
    curve = content["shares"][share]
    low = [m - e for m, e in zip(curve["mean"], curve["standard error"])]
    high = [m + e for m, e in zip(curve["mean"], curve["standard error"])]
    axes.fill_between(content["thresholds"], low, high, color="tab:blue", alpha=0.25, linewidth=0)
    axes.plot(content["thresholds"], curve["mean"], color="tab:blue", linewidth=1.3)
    for line in content["lines"]:
        beta, sd = curve[line]["beta"], curve[line]["sd"]
        axes.axvspan(beta - sd, beta + sd, color=COLOURS[line], alpha=0.12, linewidth=0)
        axes.axvline(beta, color=COLOURS[line], linewidth=1.3, label=LETTERS[line])
    axes.set(title=f"{share} % training", xlabel="threshold", xlim=(0, 1))
    axes.spines[["top", "right"]].set_visible(False)


def save(figure: Figure, path: Path) -> list[Path]:
    """Save a figure as PNG and SVG, the same bytes every time.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        What to save.
    path : Path
        Where to, without a suffix.

    Returns
    -------
    list of Path
        The two files.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from matplotlib.figure import Figure
    >>> from sugeno.paper.experiments.drawing import save
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [file.name for file in save(Figure(), Path(folder, "empty"))]
    ['empty.png', 'empty.svg']
    """
    from matplotlib import rc_context

    png, svg = path.with_suffix(".png"), path.with_suffix(".svg")
    figure.savefig(png, dpi=150, metadata={"Software": None})
    # Without a salt the ids in an SVG file are random, and a date is written into it.
    with rc_context({"svg.hashsalt": "sugeno"}):
        figure.savefig(svg, metadata={"Date": None})
    return [png, svg]
