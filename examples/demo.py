"""Fit a classifier on a bundled data set; print its rules, its error, and where its report is."""

import html
from pathlib import Path
from typing import Any

from sklearn.base import ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score

from sugeno import SugenoClassifierCV
from sugeno.datasets import load

REPORT = Path("build/demo/report.html")
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto }}
table {{ border-collapse: collapse; margin: 1rem 0 }}
td, th {{ border: 1px solid #ccc; padding: .3rem .6rem; text-align: left }}
pre {{ background: #f4f4f4; padding: 1rem; white-space: pre-wrap }}
</style>
<h1>{title}</h1>
<p>{summary}</p>
<h2>Rules</h2>
<pre>{rules}</pre>
{table}
<h2>How sufficient each set of conditions is</h2>
<p>A set of conditions suffices for acceptance if its value reaches the threshold, {beta:.3f}.</p>
{capacity}
</html>
"""


def main() -> None:
    masses = load("MMG", as_frame=True)
    X, y = masses.data, masses.target
    directions = dict(zip(masses.feature_names, masses.directions, strict=True))

    clf = SugenoClassifierCV(directions=directions).fit(X, y)
    print(f"Mammographic masses: {X.shape[0]} women, {X.shape[1]} criteria, malignant or not.\n")
    print(clf.rules_)

    # Whole classifiers are compared: in each fold the choice among models is made anew.
    ours = error_of(SugenoClassifierCV(directions=directions), X, y)
    boosting = error_of(HistGradientBoostingClassifier(monotonic_cst=directions), X, y)
    print(f"\n5-fold error   {ours}")
    print(f"boosted trees  {boosting} (scikit-learn's, with the same directions)")
    write_report(clf, f"Error on the rows left out: {ours}; of monotone boosted trees: {boosting}.")
    print(f"report         {REPORT}")


def error_of(model: ClassifierMixin, X: Any, y: Any) -> str:
    errors = 1 - cross_val_score(model, X, y, cv=FOLDS, n_jobs=-1)
    return f"{errors.mean():.3f} ± {errors.std():.3f}"


def write_report(clf: SugenoClassifierCV, summary: str) -> None:
    page = PAGE.format(
        title="Mammographic masses",
        summary=html.escape(summary),
        rules=html.escape(str(clf.rules_)),
        table=clf.rules_._repr_html_(),
        beta=clf.threshold_,
        capacity=clf.capacity_._repr_html_(),
    )
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
