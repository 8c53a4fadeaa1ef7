"""Draw the pictures of the gallery: python examples/plots.py [FOLDER]."""

import sys
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt

from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
)
from sugeno.datasets import load, load_raw
from sugeno.plot import (
    CapacityDisplay,
    CoverageErrorDisplay,
    DecisionRegionsDisplay,
    ErrorCurveDisplay,
    ImportanceDisplay,
    RulesDisplay,
    UtilityDisplay,
)

FOLDER = Path(__file__).parents[1] / "docs" / "images" / "gallery"


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    masses, lecturers = load("MMG", as_frame=True), load("LEV", as_frame=True)
    named = dict(zip(masses.feature_names, masses.directions, strict=True))
    # A class with a name of its own reads better than 1.
    malignant = masses.target.map(dict(enumerate(masses.target_names)))

    paper = SugenoClassifier(k=3, directions=named).fit(masses.data, malignant)
    few = SugenoDistiller(n_rules=6, directions=named).fit(masses.data, malignant)
    good = SugenoDistiller(directions=None).fit(lecturers.data, lecturers.target)
    chosen = SugenoClassifierCV(levels=["shared", "single"], directions=None)
    chosen.fit(lecturers.data, lecturers.target)
    cells, cars = load("BCW", as_frame=True), load("MPG", as_frame=True)
    nine = SugenoClassifier(k=2, directions=None).fit(cells.data, cells.target)
    two = cars.data[["horsepower", "weight"]]
    plane = SugenoClassifier(levels=4, directions=[-1, -1]).fit(two, cars.target)

    save(folder, "rules", RulesDisplay.from_estimator(few))
    save(folder, "utilities", UtilityDisplay.from_estimator(paper))
    save(folder, "capacity", CapacityDisplay.from_estimator(paper))
    save(folder, "focal-sets", CapacityDisplay.from_estimator(nine, max_sets=12))
    save(folder, "importance", ImportanceDisplay.from_estimator(few))
    save(folder, "error-by-k", ErrorCurveDisplay.from_estimator(chosen, against="k"))
    save(folder, "error-by-rules", ErrorCurveDisplay.from_estimator(good, against="rules"))
    save(
        folder,
        "error-by-threshold",
        ErrorCurveDisplay.from_estimator(paper, masses.data, malignant, against="threshold"),
    )
    save(folder, "coverage", coverage(lecturers))
    save(folder, "regions", DecisionRegionsDisplay.from_estimator(plane, two, cars.target))
    ordered(folder)


def ordered(folder: Path) -> None:
    """Five classes of lecturers."""
    lecturers = load_raw("LEV", as_frame=True)
    rated = SugenoOrdinalClassifier(max_rules=2, directions=lecturers.directions)
    rated.fit(lecturers.data, lecturers.target)
    both = lecturers.data[["in2", "in3"]]
    plane = SugenoOrdinalClassifier(levels="all", directions=[1, 1]).fit(both, lecturers.target)
    save(folder, "classes-rules", RulesDisplay.from_estimator(rated))
    save(folder, "classes", DecisionRegionsDisplay.from_estimator(plane, both, lecturers.target))


def coverage(lecturers: Any) -> CoverageErrorDisplay:
    """Two classifiers, judged on the half of the rows that they have not seen."""
    half, (X, y) = slice(0, None, 2), (lecturers.data, lecturers.target)
    rest = slice(1, None, 2)
    rules = SugenoClassifier(levels=3, directions=None, abstain=True).fit(X[half], y[half])
    ensemble = SugenoEnsembleClassifier(directions=None).fit(X[half], y[half])
    display = CoverageErrorDisplay.from_estimator(rules, X[rest], y[rest], name="rules")
    CoverageErrorDisplay.from_estimator(ensemble, X[rest], y[rest], name="ensemble", ax=display.ax_)
    return display


def save(folder: Path, name: str, display: Any) -> None:
    # Without the metadata the same picture is the same file.
    display.figure_.savefig(folder / f"{name}.png", dpi=80, metadata={"Software": None})
    plt.close(display.figure_)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
