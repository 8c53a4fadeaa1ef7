"""What is compared on tables as they come; nobody is told anything but the target."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from benchmarks.accuracy.columns import Column
from sugeno import SugenoClassifierCV, SugenoEnsembleClassifier

__all__ = ["COLUMNS", "READABLE"]


def _default(directions: np.ndarray, seed: int) -> Any:
    return SugenoClassifierCV()


def _rules(directions: np.ndarray, seed: int) -> Any:
    return SugenoClassifierCV(form="rules")


def _points(directions: np.ndarray, seed: int) -> Any:
    return SugenoClassifierCV(form="points")


def _ensemble(directions: np.ndarray, seed: int) -> Any:
    return SugenoEnsembleClassifier()


def _voted(directions: np.ndarray, seed: int) -> Any:
    return SugenoEnsembleClassifier(directions="model")


def _logistic(directions: np.ndarray, seed: int) -> Any:
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    others = make_pipeline(
        FunctionTransformer(_with_gaps_as_text), OneHotEncoder(handle_unknown="ignore")
    )
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (others, make_column_selector(dtype_exclude="number")),
    )
    return make_pipeline(columns, LogisticRegression(max_iter=2000))


def _with_gaps_as_text(frame: pd.DataFrame) -> pd.DataFrame:
    """A missing category is one of its own."""
    return frame.astype(object).where(frame.notna(), "missing").astype(str)


def _boosting(directions: np.ndarray, seed: int) -> Any:
    return make_pipeline(
        FunctionTransformer(_as_categories),
        HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=0),
    )


def _as_categories(frame: pd.DataFrame) -> pd.DataFrame:
    """Text columns as categories, as boosting takes them."""
    text = frame.select_dtypes(exclude="number").columns
    return frame.astype(dict.fromkeys(text, "category"))


def _xgboost(directions: np.ndarray, seed: int) -> Any:
    from xgboost import XGBClassifier

    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")),
        remainder="passthrough",
    )
    return make_pipeline(columns, XGBClassifier(n_jobs=1, random_state=0))


def _ebm(directions: np.ndarray, seed: int) -> Any:
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(interactions=0, n_jobs=1, random_state=0)


def _larger_class(directions: np.ndarray, seed: int) -> Any:
    return DummyClassifier()


#: All columns by name, in the order in which they are shown.
COLUMNS = {
    column.name: column
    for column in (
        Column("CV", _default, "`SugenoClassifierCV()`"),
        Column("CV, rules", _rules, '`SugenoClassifierCV(form="rules")`'),
        Column("CV, points", _points, '`SugenoClassifierCV(form="points")`'),
        Column("ensemble", _ensemble, "`SugenoEnsembleClassifier()`"),
        Column("ensemble, votes", _voted, '`SugenoEnsembleClassifier(directions="model")`'),
        Column("LR", _logistic, "logistic regression on one-hot columns, gaps filled by the mean"),
        Column("HGB", _boosting, "HistGradientBoostingClassifier, categories as they are"),
        Column("XGB", _xgboost, "XGBClassifier on one-hot columns"),
        Column("EBM", _ebm, "ExplainableBoostingClassifier, no interactions"),
        Column("larger class", _larger_class, "always the larger class"),
    )
}
#: Those that a person reads.
READABLE = ("CV", "CV, rules", "CV, points")
