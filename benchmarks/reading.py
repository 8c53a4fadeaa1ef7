"""Explanations of many rows beside predictions for them."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.harness import Row, Section, markdown_table, side_by_side
from sugeno import RuleClassifier, RuleSet

__all__ = ["run"]

#: Criteria, levels of each, criteria in a rule.
_SHAPES = ((10, 1, 4), (10, 3, 3), (20, 1, 4), (20, 3, 3))
_RULES, _PROMISE = 20, 2.0


def run(quick: bool) -> Section:
    """Measure the table of explanations; the promise is about 10 criteria with 3 levels each."""
    n = 2_000 if quick else 100_000
    rows, figures = [], []
    for m, levels, size in _SHAPES[:2] if quick else _SHAPES:
        clf, X = _random_rules(m, levels, size, n)
        explaining, predicting = side_by_side(
            lambda clf=clf, X=X: clf.explain(X).to_frame(),
            lambda clf=clf, X=X: clf.predict(X),
            1 if quick else 3,
        )
        seconds = _cpu_seconds(clf, X)
        figures.append((m, levels, size, f"{seconds:.2f}", f"{explaining / predicting:.0f}"))
        if (m, levels) == (10, 3):
            rows.append(
                Row(
                    f"explanations of {n:,} rows as a table, {_RULES} rules on 10 × 3 levels",
                    f"{seconds:.2f} s of one core, {explaining / predicting:.0f} × `predict`",
                    f"under {_PROMISE:g} s",
                    seconds < _PROMISE,
                )
            )
    head = ["criteria", "levels of each", "criteria in a rule", "CPU seconds", "× `predict`"]
    text = (
        f"Reason, fired rules and nearest counterfactual of each of {n:,} random rows, "
        f"{_RULES} random rules. Nearly every row has a pattern of its own where criteria have "
        "several levels. The last shape has a conjunctive form that is too long to be written "
        "down, so patterns are searched."
    )
    return Section("Explanations", rows, [text, markdown_table(head, figures)])


def _cpu_seconds(clf: RuleClassifier, X: np.ndarray) -> float:
    start = time.process_time()
    clf.explain(X).to_frame()
    return time.process_time() - start


def _random_rules(m: int, levels: int, size: int, n: int) -> tuple[RuleClassifier, np.ndarray]:
    rng = np.random.default_rng(0)
    sets: list[list[int]] = []
    rules = RuleSet([], [1])
    while len(rules) < _RULES:
        chosen = rng.choice(m, size, replace=False)
        sets.append((chosen * levels + rng.integers(0, levels, size)).tolist())
        rules = RuleSet(
            sets,
            np.tile(np.arange(1, levels + 1), m),
            criteria=None if levels == 1 else [f"x{j}" for j in range(m)],
            literal_criteria=np.repeat(np.arange(m), levels),
        )
    X = rng.integers(0, levels + 1, (n, m)).astype(np.float64)
    clf = RuleClassifier.from_rules(rules)
    vars(clf).pop("feature_names_in_", None)  # plain arrays need no names
    return clf, X
