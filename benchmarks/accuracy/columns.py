"""What is compared: our classifiers and others, told the directions where they take any."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any
from zlib import crc32

import numpy as np
from sklearn.metrics import log_loss, roc_auc_score

from benchmarks.accuracy.peers import FasterRisk, figs, streed
from sugeno import Card, RuleSet, SugenoClassifierCV, SugenoDistiller, SugenoEnsembleClassifier
from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._ensemble import EnsembleParams
from sugeno._learning.distillation import Distillation, distil_rules
from sugeno._learning.teaching import TaughtVerdicts, Teaching, fit_ensemble
from sugeno._learning.training import prepare
from sugeno.paper.baselines import (
    ChoquisticRegression,
    GiniTree,
    MonotoneRuleEnsemble,
    logistic,
    monotone_boosting,
)
from sugeno.paper.experiments.measurements import Part, recipe

__all__ = ["COLUMNS", "SIZES", "Column", "readable_form"]

#: Numbers of conditions at which readable classifiers are compared.
SIZES = (5, 10, 15)

Builder = Callable[[np.ndarray, int], Any]


@dataclass(frozen=True)
class Column:
    """A learner, what is said about it, and how long what a person reads of it is."""

    name: str
    build: Builder
    about: str
    describe: Callable[[Any], dict[str, Any]] = lambda fitted: readable_form(
        getattr(fitted, "rules_", None)
    )

    @cached_property
    def recipe(self) -> str:
        """Fingerprint of how the results came about."""
        return recipe(self.build(np.ones(1, dtype=np.int64), 0))

    def measure(self, part: Part) -> dict[str, Any]:
        """Count errors on the test part; add log loss, seconds, and what the rules are like."""
        classifier = self.build(part.directions, part.random_state)
        start = time.thread_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the peers', about their own parameters
            classifier.fit(part.X_train, part.y_train)
            seconds = time.thread_time() - start
            wrong = classifier.predict(part.X_test) != part.y_test
            result: dict[str, Any] = {"errors": int(np.count_nonzero(wrong))}
            if hasattr(classifier, "predict_proba"):
                result |= _judged(part.y_test, classifier.predict_proba(part.X_test)[:, 1])
        result["seconds"] = round(seconds, 3)
        return {**result, **self.describe(classifier)}


def _judged(y: np.ndarray, shares: np.ndarray) -> dict[str, float]:
    """How good probabilities are: log loss, and how well they rank where there are two classes."""
    kept = np.clip(shares, 1e-6, 1 - 1e-6)
    result = {"log_loss": round(float(log_loss(y, kept, labels=[0, 1])), 6)}
    if len(np.unique(y)) > 1:
        result["auc"] = round(float(roc_auc_score(y, shares)), 6)
    return result


def readable_form(form: Any) -> dict[str, Any]:
    """How long a form is, and which parts it has (for their stability); nothing of other models."""
    if not isinstance(form, RuleSet | Card):
        return {}
    texts = form.literal_set.texts
    described: dict[str, Any] = {
        "form": "points" if isinstance(form, Card) else form.form,
        "conditions": form.size,
        "literals": [_mark(texts[j]) for j in form.used],
    }
    if isinstance(form, Card):
        return described
    return {
        **described,
        "rules": len(form),
        "criteria": round(float(np.mean([len(s) for s in form.sets] or [0])), 3),
        "texts": [_mark(f"{form.form}: {rule}") for rule in form],
        "subjects": [
            _mark(f"{form.form}: {sorted(set(form.literal_criteria[list(s)].tolist()))}")
            for s in form.sets
        ],
    }


def _mark(text: str) -> str:
    """Stand for a text in the journal: whether two rules are the same is all that is asked."""
    return f"{crc32(text.encode()) & 0xFFFF:04x}"


def _paper(directions: np.ndarray, seed: int) -> Any:
    return SugenoClassifierCV(levels="shared", cv=10, directions=directions)


def _ours(directions: np.ndarray, seed: int) -> Any:
    return SugenoClassifierCV(directions=directions)


def _rules(directions: np.ndarray, seed: int) -> Any:
    return SugenoClassifierCV(form="rules", directions=directions)


def _points(n_literals: int) -> Builder:
    return lambda directions, seed: SugenoDistiller(
        form="points", n_literals=n_literals, directions=directions
    )


def _ensemble(directions: np.ndarray, seed: int) -> Any:
    return SugenoEnsembleClassifier(directions=directions)


@dataclass(frozen=True)
class Shortened(Column):
    """The ensemble distilled into so many rules; all lengths are read off one path."""

    n_rules: int = 7

    def measure(self, part: Part) -> dict[str, Any]:
        """Count errors on the test part, and say what the rules are like."""
        found, seconds = _path(part)
        model = found.model(min(self.n_rules, len(found) - 1))
        wrong = model.accepted(part.X_test) != (part.y_test == 1)
        return {
            "errors": int(np.count_nonzero(wrong)),
            **_judged(part.y_test, model.probabilities(part.X_test)),
            "seconds": round(seconds, 3),
            **readable_form(model.rules),
        }


@lru_cache(maxsize=1)
def _path(part: Part) -> tuple[Distillation, float]:
    """Distil the ensemble into up to 15 rules, once for all columns that read the path."""
    start = time.thread_time()
    weights = row_weights(None, part.n_train)
    table = Table.of(part.X_train, part.y_train.astype(np.intp), weights)
    training = prepare(table, np.array([0, 1]), directions=part.directions)
    ensemble, rows = fit_ensemble(training, EnsembleParams())
    taught = TaughtVerdicts.of(training, Teaching.of_ensemble(ensemble, rows))
    found = distil_rules(taught, max_rules=15, k=min(4, table.n_criteria))
    return found, time.thread_time() - start


def _distilled(directions: np.ndarray, seed: int) -> Any:
    return SugenoDistiller(max_rules=15, directions=directions)


def _xgboost_distilled(directions: np.ndarray, seed: int) -> Any:
    return SugenoDistiller(_xgboost(directions, seed), directions=directions)


def _fasterrisk(n_conditions: int) -> Column:
    return Column(
        f"FasterRisk ≤ {n_conditions}",
        lambda directions, seed: FasterRisk(n_conditions, directions),
        f"a risk score of {n_conditions} conditions, points from −5 to 5",
        lambda fitted: {"conditions": fitted.n_conditions_, "form": "points"},
    )


def _streed(n_conditions: int) -> Column:
    return Column(
        f"STreeD ≤ {n_conditions}",
        lambda directions, seed: streed(n_conditions),
        f"an optimal tree of {n_conditions} inner nodes (not monotone)",
        lambda fitted: {"conditions": int(fitted.get_n_leaves()) - 1, "form": "tree"},
    )


def _figs(n_conditions: int) -> Column:
    return Column(
        f"FIGS ≤ {n_conditions}",
        lambda directions, seed: figs(n_conditions, seed),
        f"a sum of trees of {n_conditions} inner nodes together (not monotone)",
        lambda fitted: {"conditions": int(fitted.complexity_), "form": "trees"},
    )


def _choquistic(directions: np.ndarray, seed: int) -> Any:
    return ChoquisticRegression(directions=directions)


def _more(directions: np.ndarray, seed: int) -> Any:
    return MonotoneRuleEnsemble(directions=directions, random_state=seed)


def _logistic(directions: np.ndarray, seed: int) -> Any:
    return logistic()


def _tree(directions: np.ndarray, seed: int) -> Any:
    return GiniTree(random_state=seed)


def _boosting(directions: np.ndarray, seed: int) -> Any:
    return monotone_boosting(directions.tolist(), random_state=0)


def _lightgbm(directions: np.ndarray, seed: int) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        monotone_constraints=directions.tolist(), n_jobs=1, verbose=-1, random_state=0
    )


def _xgboost(directions: np.ndarray, seed: int) -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(monotone_constraints=tuple(directions.tolist()), n_jobs=1, random_state=0)


def _ebm(directions: np.ndarray, seed: int) -> Any:
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(
        monotone_constraints=directions.tolist(), interactions=0, n_jobs=1, random_state=0
    )


#: All columns by name, in the order in which they are shown.
COLUMNS = {
    column.name: column
    for column in (
        Column("SI", _paper, "the paper's model: fewest training errors, k by cross-validation"),
        Column("CV", _ours, "`SugenoClassifierCV()`"),
        Column("CV, rules", _rules, '`SugenoClassifierCV(form="rules")`'),
        Column("ensemble", _ensemble, "`SugenoEnsembleClassifier()`"),
        Shortened("≤ 3", _distilled, "the ensemble distilled into at most 3 rules", 3),
        Shortened("≤ 7", _distilled, "the same with at most 7", 7),
        Shortened("≤ 15", _distilled, "the same with at most 15", 15),
        Column("points ≤ 5", _points(5), "the ensemble distilled into a card of 5 conditions"),
        Column("points ≤ 10", _points(10), "the same with 10"),
        Column("points ≤ 15", _points(15), "the same with 15"),
        Column("XGB → rules", _xgboost_distilled, "XGBoost distilled: `SugenoDistiller(XGB…)`"),
        *(peer(size) for peer in (_fasterrisk, _streed, _figs) for size in SIZES),
        Column("CR", _choquistic, "2-additive choquistic regression"),
        Column("MORE", _more, "monotone rule ensemble"),
        Column("LR", _logistic, "logistic regression without penalty"),
        Column("DT", _tree, "decision tree as MATLAB's fitctree grows it (not monotone)"),
        Column("HGB", _boosting, "HistGradientBoostingClassifier, monotone, defaults"),
        Column("LightGBM", _lightgbm, "LGBMClassifier, monotone, defaults"),
        Column("XGB", _xgboost, "XGBClassifier, monotone, defaults"),
        Column("EBM", _ebm, "ExplainableBoostingClassifier, monotone, no interactions"),
    )
}
