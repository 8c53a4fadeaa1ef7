"""What decided some defaults, on tables that no page of results shows.

``python -m benchmarks.accuracy.choices --splits 4``: ensembles with and without lines at 20 and at
50 % training, and rules at several prices, taught by rows near the data or far from them. Each is
compared with the first of its kind, split by split.
"""

from __future__ import annotations

import argparse

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedShuffleSplit

from benchmarks.accuracy.development import development_tables
from benchmarks.harness import markdown_table
from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._distil.targets import recombined_rows, varied_rows
from sugeno._ensemble import EnsembleParams
from sugeno._learning.distillation import distil_rules
from sugeno._learning.teaching import TaughtVerdicts, Teaching, fit_ensemble
from sugeno._learning.training import prepare

LINES = {"no lines": 0.0, "half of the bags": 0.5, "all bags": 1.0}
PRICES = (0.0003, 0.0002, 0.0005, 0.001)
#: Training rows of which one criterion in eight is exchanged, or about half of all criteria.
DRAWS = {"one in eight": varied_rows, "one in two": recombined_rows}

#: Of each variant on one split: error, and log loss or number of rules.
Outcomes = dict[str, tuple[float, float]]


def _outcomes(X: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray) -> Outcomes:
    table = Table.of(X[train], y[train].astype(np.intp), row_weights(None, len(train)))
    training = prepare(table, np.array([0, 1]), directions=np.ones(X.shape[1], dtype=np.int64))
    result: Outcomes = {}
    for name, lines in LINES.items():
        ensemble, rows = fit_ensemble(training, EnsembleParams(lines=lines))
        shares = ensemble.probability(X[test])
        result[name] = _wrong(shares > 0.5, y[test]), log_loss(y[test], shares, labels=[0, 1])
        if lines == EnsembleParams().lines:
            teaching = Teaching.of_ensemble(ensemble, rows)
    for name, draw in DRAWS.items():
        taught = TaughtVerdicts.of(training, teaching, draw=draw)
        found = distil_rules(taught, max_rules=20, k=min(4, X.shape[1]))
        for price in PRICES:
            size = min(max(1, found.best_size(price)), len(found) - 1)
            result[_priced(name, price)] = _wrong(found.accepted(size, X[test]), y[test]), size
    return result


def _priced(name: str, price: float) -> str:
    return f"{name}, price {price:.4f}".replace("0.", ".")


def _wrong(accepted: np.ndarray, y: np.ndarray) -> float:
    return float((accepted != y).mean())


def _compared(results: list[list[Outcomes]], names: list[str], second: str) -> str:
    """Means over tables, and paired differences from the first variant with standard errors."""
    cells = {
        name: np.array([[split[name] for split in splits] for splits in results]) for name in names
    }
    rows = []
    for name, values in cells.items():
        apart = 100 * (values - cells[names[0]])[:, :, 0]
        spread = np.sqrt((apart.var(axis=1, ddof=1) / apart.shape[1]).sum()) / len(apart)
        error, other = values.mean(axis=(0, 1))
        shown = f"{apart.mean():+.2f} ± {spread:.2f}"
        rows.append([name, f"{100 * error:.2f}", shown, f"{other:.4g}"])
    return markdown_table(["", "error in points", "difference ± se", second], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=4)
    parser.add_argument("--seed", type=int, default=100)
    options = parser.parse_args()
    for share in (0.2, 0.5):
        results = []
        splitter = StratifiedShuffleSplit(
            options.splits, train_size=share, random_state=options.seed
        )
        for _, X, y in development_tables():
            results.append([_outcomes(X, y, *split) for split in splitter.split(X, y)])
        print(f"\n{share:.0%} training, {len(results)} tables\n")
        print(_compared(results, list(LINES), "log loss"), end="\n\n")
        priced = [_priced(name, price) for name in DRAWS for price in PRICES]
        print(_compared(results, priced, "rules"), flush=True)


if __name__ == "__main__":
    main()
