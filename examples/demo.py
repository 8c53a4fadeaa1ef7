"""Fit a classifier on a bundled data set; print its rules, its error, and where its report is."""

from pathlib import Path

from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score
from threadpoolctl import threadpool_limits

from sugeno import SugenoClassifierCV
from sugeno.datasets import load

REPORT = Path("build/demo/report.html")
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def main() -> None:
    masses = load("MMG", as_frame=True)
    X, y = masses.data, masses.target.map(dict(enumerate(masses.target_names)))
    directions = dict(zip(masses.feature_names, masses.directions.tolist(), strict=True))

    clf = SugenoClassifierCV(directions=directions, cv=FOLDS).fit(X, y)
    print(f"Mammographic masses: {X.shape[0]} women, {X.shape[1]} criteria, malignant or not.\n")
    print(clf.rules_)

    # On the same folds. In each of them our choice among models was made without its rows.
    boosting = HistGradientBoostingClassifier(monotonic_cst=directions)
    with threadpool_limits(1):  # on so few rows threads wait for each other, on a busy machine long
        boosted = 1 - cross_val_score(boosting, X, y, cv=FOLDS).mean()
    print(f"\nerrors on held-out rows  {clf.held_out_error_:.1%}")
    print(f"boosted trees            {boosted:.1%} (scikit-learn's, with the same directions)")
    clf.report(
        X,
        y,
        REPORT,
        title="Mammographic masses: malignant or benign?",
        baseline={"monotone boosted trees": float(boosted)},
        source="M. Elter, 2007, UCI Machine Learning Repository, doi:10.24432/C53K6Z, CC BY 4.0",
        command="make demo",
    )
    print(f"the page                 {REPORT}")


if __name__ == "__main__":
    main()
