"""Draw the README's picture: rules, points, and their errors on held-out rows beside others'."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sugeno import SugenoClassifierCV, SugenoEnsembleClassifier
from sugeno.datasets import load

FILE = Path(__file__).parents[1] / "docs" / "images" / "readme.svg"
INK, OURS, OTHERS, PAPER = "#1d2733", "#1f5fa8", "#8b97a5", "#ffffff"
FOLDS = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


def main(file: Path) -> None:
    masses = load("MMG", as_frame=True)
    X, y = masses.data, masses.target.map(dict(enumerate(masses.target_names)))
    directions = dict(zip(masses.feature_names, masses.directions.tolist(), strict=True))
    learners: dict[str, Callable[[], Any]] = {
        "rules": lambda: SugenoClassifierCV(directions=directions, form="rules"),
        "points": lambda: SugenoClassifierCV(directions=directions, form="points"),
        "our ensemble": lambda: SugenoEnsembleClassifier(directions=directions),
        "boosted trees": lambda: HistGradientBoostingClassifier(monotonic_cst=directions),
        "logistic regression": lambda: make_pipeline(StandardScaler(), LogisticRegression()),
    }
    texts = {
        "Rules": str(learners["rules"]().fit(X, y).rules_),
        "Points": str(learners["points"]().fit(X, y).rules_),
    }
    errors = {name: 1 - cross_val_score(make(), X, y, cv=FOLDS) for name, make in learners.items()}
    figure = draw(texts, errors, f"Mammographic masses: {len(X)} women, {X.shape[1]} criteria")
    plt.rcParams["svg.hashsalt"] = "sugeno"  # the same picture is the same file
    figure.savefig(file, metadata={"Date": None})


def draw(texts: dict[str, str], errors: dict[str, Any], title: str) -> plt.Figure:
    figure = plt.figure(figsize=(11.5, 4.4), facecolor=PAPER)
    figure.text(0.03, 0.92, title, size=13, weight="bold", color=INK)
    for (name, text), bottom in zip(texts.items(), (0.81, 0.46), strict=True):
        figure.text(0.03, bottom, name, size=11, weight="bold", color=OURS)
        figure.text(0.03, bottom - 0.03, text, size=8.6, family="monospace", color=INK, va="top")
    ax = figure.add_axes((0.74, 0.14, 0.24, 0.62), facecolor=PAPER)
    places = np.arange(len(errors))[::-1]
    means = np.array([values.mean() for values in errors.values()])
    colours = [OURS, OURS, OURS, OTHERS, OTHERS]
    ax.barh(places, means, color=colours, height=0.62)
    for place, mean in zip(places, means, strict=True):
        ax.text(mean + 0.003, place, f"{mean:.3f}", va="center", size=9, color=INK)
    ax.set_yticks(places, errors)
    ax.set_xlim(0, 0.2)
    ax.set_xticks([])
    ax.tick_params(length=0, labelsize=9, colors=INK)
    ax.spines[:].set_visible(False)
    said = "Share of held-out rows decided wrongly"
    figure.text(0.6, 0.81, said, size=11, weight="bold", color=OURS)
    figure.text(0.6, 0.07, f"mean of {FOLDS.get_n_splits()} held-out fifths", size=8.5, color=INK)
    return figure


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FILE)
