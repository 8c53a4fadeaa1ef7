"""Fit a classifier on a bundled data set; print its rules, its error, and where its report is."""

import html
from pathlib import Path

from sklearn.model_selection import StratifiedKFold, cross_val_score

from sugeno import SugenoClassifier, SugenoClassifierCV
from sugeno.datasets import load

REPORT = Path("build/demo/report.html")
FOLDS = StratifiedKFold(10, shuffle=True, random_state=0)

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
<h2>How sufficient each set of criteria is</h2>
<p>A set of criteria suffices for acceptance if its value reaches the threshold, {beta:.3f}.</p>
{capacity}
</html>
"""


def main() -> None:
    masses = load("MMG", as_frame=True)
    X, y = masses.data, masses.target
    directions = dict(zip(masses.feature_names, masses.directions, strict=True))

    clf = SugenoClassifierCV(directions=directions, cv=FOLDS).fit(X, y)
    fixed = SugenoClassifier(k=clf.k_, directions=directions)
    tested = 1 - cross_val_score(fixed, X, y, cv=FOLDS)
    training = 1 - clf.score(X, y)
    proof = "proved optimal" if clf.gap_ == 0 else f"at most {clf.gap_:g} above the optimum"

    print(f"Mammographic masses: {X.shape[0]} women, {X.shape[1]} criteria, malignant or not.")
    print(f"Threshold {clf.threshold_:.3f}; k = {clf.k_} by cross-validation.\n")
    print(clf.rules_)
    print(f"\ntraining error  {training:.3f} ({clf.objective_:g} of {len(y)} rows, {proof})")
    print(f"10-fold error   {tested.mean():.3f} ± {tested.std():.3f}")
    summary = f"Training error {training:.3f} ({proof}), 10-fold error {tested.mean():.3f}."
    write_report(clf, summary)
    print(f"report          {REPORT}")


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
