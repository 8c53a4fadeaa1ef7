"""Many files at once, such as ``'data/*.parquet'``: DuckDB counts and decides, row by row nothing.

A pattern is taken for one that names many files; a single file is read as people write it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sugeno.cli.errors import Refusal, listed
from sugeno.cli.learning import Learner, note
from sugeno.cli.waiting import waiting

if TYPE_CHECKING:
    from sugeno import RuleClassifier

__all__ = ["decide_on_files", "fit_files", "names_many_files"]

#: Of an ordinal table, as many of people's are.
_USUAL_PASSES = 2


def names_many_files(data: str) -> bool:
    """Whether a path is a pattern, and no file has it for its name.

    Examples
    --------
    >>> from sugeno.cli._many_files import names_many_files
    >>> names_many_files("data/*.parquet"), names_many_files("data.parquet")
    (True, False)
    """
    return any(mark in data for mark in "*?[") and not Path(data).exists()


def fit_files(
    data: str,
    learner: Learner,
    *,
    target: str,
    positive: str | None,
    features: Sequence[str],
    dropped: Sequence[str],
    drop_missing: bool,
    orders: Mapping[str, Sequence[str]],
    ordinal: bool,
    memory: str | None,
) -> tuple[RuleClassifier, str]:
    """Learn from the counts of many files; return the classifier, and what there is to say."""
    if ordinal:
        raise Refusal("--ordinal needs a single file; many files are learned from in two classes.")
    if drop_missing or orders:
        raise Refusal(
            "--drop-missing and --order need a single file. Put columns of many files right when "
            "they are written: an ENUM or Enum column has an order."
        )
    from sugeno import RuleClassifier

    frame, names = _opened(data, memory)
    left_out = {target, *listed(dropped, names, f"{data} has no column")}
    chosen = [name for name in features or names if name not in left_out]
    if learner.k == "auto":
        note("Many files are learned from by counts, without folds to choose k; --k sets it.")
        learner = replace(learner, k="all")
    estimator = learner.estimator(chosen, _label(frame, target, positive))
    with waiting("learning") as report, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        counted = _counting(report)
        learned: Any = estimator.fit_frame(frame, target, features=chosen, explain=counted)
    for warning in caught:
        note(str(warning.message))
    criteria = "1 criterion" if len(chosen) == 1 else f"{len(chosen)} criteria"
    said = f"{data}, {criteria}.\n\n{learned.rules_}\n\n"
    return (
        RuleClassifier.of(learned.model_),
        f"{said}Errors on these rows: {learned.objective_:,.0f}. "
        f"The files were read {learned.n_passes_} times.",
    )


def _counting(report: Callable[[int, int], None]) -> Callable[[str], None]:
    """Tell how many passes are done whenever one begins; how many there will be is a guess.

    Examples
    --------
    >>> from sugeno.cli._many_files import _counting
    >>> begin = _counting(print)
    >>> begin("-- labels"), begin("-- values of 'x', 'z'"), begin("-- patterns of 2 literals")
    0 2
    1 3
    2 3
    (None, None, None)
    """
    begun = count()

    def begin(text: str) -> None:
        done = next(begun)
        # Where values are asked for, more is to come.
        report(done, max(_USUAL_PASSES, done + 1 + text.startswith("-- values")))

    return begin


def _opened(data: str, memory: str | None) -> tuple[Any, list[str]]:
    """The files as a relation, and the names of their columns."""
    import duckdb

    from sugeno._counts.frame_opening import frame_of

    try:
        frame = frame_of(data, memory)
    except (duckdb.ParserException, duckdb.InvalidInputException) as error:
        raise Refusal(
            f"--memory must be a size such as 1GB or 500MB. Got {memory!r} instead."
        ) from error
    return frame.to_native(), frame.collect_schema().names()


def _label(relation: Any, target: str, positive: str | None) -> Any:
    """The label that reads as the given text."""
    if positive is None:
        return None
    labels = [row[0] for row in relation.select(f'"{target}"').distinct().limit(100).fetchall()]
    found = [label for label in labels if str(label) == positive]
    if not found:
        raise Refusal(f"--positive must be a label of {target!r}. Got {positive!r}, not {labels}.")
    return found[0]


def decide_on_files(
    clf: RuleClassifier, data: str, out: str | None, only: bool, memory: str | None
) -> None:
    """Write the rows of many files with their decisions into one file."""
    kind = Path(out or "").suffix
    if kind not in (".parquet", ".csv"):
        raise Refusal(
            "Decisions on many files are written to one: -o decided.parquet, or .csv. "
            f"Got {out!r} instead."
        )
    with waiting("deciding"):
        decided = clf.predict_frame(_opened(data, memory)[0], outputs=("prediction", "probability"))
        if only:
            decided = decided.select("prediction", "probability")
        (decided.write_parquet if kind == ".parquet" else decided.write_csv)(out)
    note(f"Wrote {out}.")
