"""Fit a classifier on a bundled data set; print its rules, its error, and where its report is."""

import html
import warnings
from pathlib import Path

from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import StratifiedKFold, cross_val_score

from sugeno import SugenoClassifier, SugenoClassifierCV
from sugeno.datasets import load

REPORT = Path("build/demo/report.html")
FOLDS = StratifiedKFold(10, shuffle=True, random_state=0)

PAGE = """<!doctype html>
<meta charset="utf-8"><title>{title}</title>
<style>body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }}
table {{ border-collapse: collapse }} td, th {{ border: 1px solid #ccc; padding: .3rem .6rem; text-align: left }}
pre {{ background: #f4f4f4; padding: 1rem; white-space: pre-wrap }}</style>
<h1>{title}</h1>
<p>{summary}</p>
<h2>Rules</h2><pre>{rules}</pre>{table}
<h2>How sufficient each set of criteria is</h2>{capacity}
"""


def main() -> None:
    mammography = load("MMG")
    X, y = mammography.data, mammography.target
    names = [f"{name}" for name in mammography.feature_names]
    directions = dict(zip(names, mammography.directions.tolist(), strict=True))
    table = as_named_columns(X, names)

    search = SugenoClassifierCV(directions=directions, cv=FOLDS).fit(table, y)
    clf = SugenoClassifier(k=search.k_, directions=directions).fit(table, y)
    training = 1 - clf.score(table, y)
    tested = 1 - cross_val_score(SugenoClassifier(k=clf.k_, directions=directions), table, y, cv=FOLDS)

    print(f"Mammographic masses: {X.shape[0]} women, {X.shape[1]} criteria, malignant or not")
    print(f"threshold {clf.threshold_:.3f}, at most {clf.k_} criteria per rule (by cross-validation)\n")
    print(clf.rules_)
    proof = "proved optimal" if clf.gap_ == 0 else f"at most {clf.gap_:g} from the optimum"
    print(f"\ntraining error {training:.3f} ({clf.objective_:g} of {len(y)} rows, {proof})")
    print(f"10-fold error  {tested.mean():.3f} ± {tested.std():.3f}")
    write_report(clf, f"Training error {training:.3f}, 10-fold error {tested.mean():.3f}; {proof}.")
    print(f"report         {REPORT}")


def as_named_columns(X, names):
    import pandas as pd

    return pd.DataFrame(X, columns=names)


def write_report(clf: SugenoClassifier, summary: str) -> None:
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    page = PAGE.format(
        title="Mammographic masses",
        summary=html.escape(summary),
        rules=html.escape(str(clf.rules_)),
        table=clf.rules_._repr_html_(),
        capacity=clf.capacity_._repr_html_(),
    )
    REPORT.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("error", UndefinedMetricWarning)
        main()
