"""Fit a classifier on a bundled data set; print its rules, its error, and where its report is."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score

from sugeno import SugenoClassifierCV
from sugeno.datasets import load

REPORT = Path("build/demo/report.html")
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def main() -> None:
    masses = load("MMG", as_frame=True)
    X, y = masses.data, masses.target.map(dict(enumerate(masses.target_names)))
    directions = dict(zip(masses.feature_names, masses.directions.tolist(), strict=True))

    clf = SugenoClassifierCV(directions=directions).fit(X, y)
    print(f"Mammographic masses: {X.shape[0]} women, {X.shape[1]} criteria, malignant or not.\n")
    print(clf.rules_)

    # Whole classifiers are compared: in each fold the choice among models is made anew.
    ours = errors_of(SugenoClassifierCV(directions=directions), X, y)
    boosting = errors_of(HistGradientBoostingClassifier(monotonic_cst=directions), X, y)
    print(f"\n5-fold error   {ours.mean():.3f} ± {ours.std():.3f}")
    print(
        f"boosted trees  {boosting.mean():.3f} ± {boosting.std():.3f} "
        "(scikit-learn's, with the same directions)"
    )
    clf.report(
        X,
        y,
        REPORT,
        title="Mammographic masses: malignant or benign?",
        error=with_interval(ours),
        baseline={"monotone boosted trees": float(boosting.mean())},
        source="M. Elter, 2007, UCI Machine Learning Repository, doi:10.24432/C53K6Z, CC BY 4.0",
        command="make demo",
    )
    print(f"report         {REPORT}")


def errors_of(model: ClassifierMixin, X: Any, y: Any) -> NDArray[np.float64]:
    """Error on the rows of each fold."""
    return 1 - cross_val_score(model, X, y, cv=FOLDS, n_jobs=-1)


def with_interval(errors: NDArray[np.float64]) -> tuple[float, float, float]:
    """Mean error, two standard errors less, and two more."""
    mean, two = errors.mean(), 2 * errors.std(ddof=1) / np.sqrt(errors.size)
    return float(mean), float(max(0.0, mean - two)), float(min(1.0, mean + two))


if __name__ == "__main__":
    main()
