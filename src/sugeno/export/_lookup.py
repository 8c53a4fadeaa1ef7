"""All answers of a small model in one table: a row needs the number of its pattern and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import product
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from sugeno._sets.masks import pack
from sugeno.model.boundary import Boundary

if TYPE_CHECKING:
    import duckdb
    import narwhals as nw

__all__ = [
    "MOST_PATTERNS",
    "answers_of_patterns",
    "number_of_patterns",
    "pattern_number",
    "with_answers",
]

#: Models with more possible patterns are computed rule by rule.
MOST_PATTERNS = 1 << 14

_NUMBER = "__sugeno_pattern"


def number_of_patterns(model: Boundary) -> int:
    """How many patterns there can be: of the levels of a criterion a row reaches the easiest ones.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export._lookup import number_of_patterns
    >>> clf = SugenoClassifier().fit([[1, 2], [2, 1], [3, 4], [4, 3]], [0, 0, 1, 1])
    >>> number_of_patterns(clf.model_)
    4
    """
    return int(np.prod([len(levels) + 1 for levels in _by_criterion(model)], dtype=object))


def pattern_number(model: Boundary, reached: Sequence[nw.Expr]) -> nw.Expr:
    """Return the number of the pattern of a row, from 1, as `answers_of_patterns` counts them.

    Parameters
    ----------
    model : Boundary
        With at least one literal.
    reached : sequence of narwhals.Expr
        Whether a row satisfies each literal; null is no.
    """
    import narwhals as nw

    stride, digits = 1, []
    for levels in _by_criterion(model):
        digit = nw.lit(0)
        for count, literal in enumerate(levels, start=1):  # the hardest is asked first
            digit = nw.when(reached[literal]).then(nw.lit(count * stride)).otherwise(digit)
        digits.append(digit)
        stride *= len(levels) + 1
    return reduce(add, digits) + 1


def answers_of_patterns(model: Boundary) -> dict[str, list[Any]]:
    """Return prediction, probability and deciding rule of every pattern.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export._lookup import answers_of_patterns
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> answers = answers_of_patterns(clf.model_)
    >>> answers["prediction"], answers["rule"]
    ([0, 1], [None, 'x0 >= 3'])
    """
    satisfied = _patterns(model)
    masks = pack(satisfied)
    accepted = model.rules.accepts(masks)
    return {
        "prediction": model.labels.take(accepted).tolist(),
        "probability": model.probability.of(masks, accepted).tolist(),
        "rule": _deciding_rules(model, satisfied),
    }


def with_answers(
    frame: nw.LazyFrame[Any],
    number: nw.Expr,
    answers: Mapping[str, list[Any]],
    outputs: Sequence[str],
) -> nw.LazyFrame[Any]:
    """Add answers to a relation of DuckDB: lists are looked up by the number of the pattern."""
    import duckdb
    import narwhals as nw

    place = duckdb.ColumnExpression(_NUMBER)
    columns = [
        duckdb.FunctionExpression("list_extract", _listed(answers[name]), place).alias(name)
        for name in outputs
    ]
    numbered = frame.with_columns(number.alias(_NUMBER)).to_native()
    answered = numbered.select(duckdb.StarExpression(exclude=[_NUMBER]), *columns)
    result: nw.LazyFrame[Any] = nw.from_native(answered)
    return result


def _listed(answers: list[Any]) -> duckdb.Expression:
    """A list of DuckDB; rules as an ENUM, whose texts are not hashed row by row to be written."""
    import duckdb

    listed = duckdb.ConstantExpression(answers)
    texts = dict.fromkeys(text for text in answers if isinstance(text, str))
    if None not in answers or not texts:
        return listed
    quoted = ", ".join("'" + text.replace("'", "''") + "'" for text in texts)
    return listed.cast(duckdb.sqltype(f"ENUM({quoted})[]"))


def _by_criterion(model: Boundary) -> list[list[int]]:
    """Literals of each criterion that has any, the easiest first."""
    columns = model.literals.columns
    return [np.flatnonzero(columns == j).tolist() for j in np.unique(columns).tolist()]


def _patterns(model: Boundary) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """All patterns as rows of truth values; the first criterion changes fastest."""
    chains = _by_criterion(model)
    counts = np.array([*product(*(range(len(chain) + 1) for chain in reversed(chains)))])[:, ::-1]
    satisfied = np.zeros((len(counts), model.literals.levels.size), dtype=np.bool_)
    for reached, chain in zip(counts.T, chains):
        satisfied[:, chain] = reached[:, None] > np.arange(len(chain))
    return satisfied


def _deciding_rules(
    model: Boundary, satisfied: np.ndarray[Any, np.dtype[np.bool_]]
) -> list[str | None]:
    """Text of the first rule that holds, or of the first clause that does not; None for none."""
    is_dnf = model.rules.form == "dnf"
    found = np.full(len(satisfied), None, dtype=object)
    for text, members in reversed([*zip(model.rules, model.rules.sets)]):
        part = satisfied[:, list(members)]
        found[part.all(axis=1) if is_dnf else ~part.any(axis=1)] = text
    return [*found.tolist()]
