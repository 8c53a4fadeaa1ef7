"""Many files at once, such as ``'data/*.parquet'``: DuckDB counts and decides, row by row nothing.

A pattern is taken for one that names many files; a single file is read as people write it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sugeno._counts.frame.queries import MOST_LABELS
from sugeno.cli.errors import Refusal, listed
from sugeno.cli.learning import Learned, Learner, note
from sugeno.cli.waiting import waiting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sugeno import OrdinalRuleClassifier, RuleClassifier

#: For the labels before, and for the errors afterwards.
_PASSES_AROUND = 2
#: Queries that a table with few distinct rows takes.
_USUAL_PASSES = 2
#: A size as DuckDB reads it.
_SIZE = re.compile(r"\d+(\.\d+)?\s*([kmgt]i?b|%)", re.IGNORECASE)


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
) -> Learned:
    """Learn from the counts of many files."""
    if drop_missing:
        raise Refusal(
            "--drop-missing needs a single file. Leave out such rows when the files are written, "
            "or say by --missing what a missing cell means."
        )
    frame, names = _opened(data, memory)
    unknown = f"{data} has no column"
    target, *_ = listed([target, *orders], names, unknown)
    left_out = {target, *listed(dropped, names, unknown)}
    chosen = [name for name in listed(features, names, unknown) or names if name not in left_out]
    found = _Target.of(data, frame, target)
    if found.has_gaps:
        note(f"Rows without {target!r} are left out.")
        frame = frame.filter(f"{_quoted(target)} IS NOT NULL")
    frame = _in_order(frame, {name: orders[name] for name in orders if name != target})
    with waiting("learning") as report, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        classes = found.ordered(orders.get(target)) if ordinal or target in orders else None
        if classes is not None and positive is not None:
            raise Refusal("Ordered classes have no --positive; leave it out, or --order/--ordered.")
        estimator = learner.estimator(chosen, found.positive(positive), classes, report)
        told = _counting(report)
        with _labels_listed():
            learned = estimator.fit_frame(frame, target, features=chosen, explain=told)
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        note(text)
    passes = learned.n_passes_ + _PASSES_AROUND
    return Learned(
        learned,
        _counted(learned, frame, target),
        classes is not None,
        f"The files were read {passes} times.",
    )


@dataclass(frozen=True)
class _Target:
    """The labels of a column of many files, as the engine has them."""

    origin: str
    name: str
    labels: list[Any]
    has_gaps: bool = False

    @classmethod
    def of(cls, origin: str, relation: Any, name: str) -> _Target:
        rows = relation.project(_quoted(name)).distinct().limit(MOST_LABELS).fetchall()
        labels = [label for (label,) in rows if label is not None]
        return cls(origin, name, sorted(labels), len(labels) < len(rows))

    def positive(self, text: str | None) -> Any:
        """The positive one of two labels, given as a text, or None."""
        if text is not None and len(self.labels) > 2:
            raise Refusal(
                f"{self.origin}: the target {self.name!r} has {len(self.labels)} classes, "
                f"{self._shown}; --positive is for two. Leave it out, or keep them in their order: "
                f"--ordered for whole numbers, or --order {self.name}=A,B,…, the lowest first."
            )
        return None if text is None else self._read(text, "--positive")

    def ordered(self, order: Sequence[str] | None) -> list[Any]:
        """All labels, the lowest first."""
        if order is not None:
            classes = [self._read(text, f"--order {self.name}=") for text in order]
            forgotten = [label for label in self.labels if label not in classes]
            if forgotten:
                raise Refusal(
                    f"{self.origin}: the target {self.name!r} has the class {forgotten[0]!r}, "
                    f"which --order {self.name}= leaves out; name all, the lowest first."
                )
            return classes
        if not all(_is_whole(label) for label in self.labels):
            raise Refusal(
                f"{self.origin}: --ordered needs whole numbers in {self.name!r}. Got "
                f"{self._shown}; name the classes, the lowest first: --order {self.name}=A,B,C."
            )
        return self.labels

    def _read(self, text: str, option: str) -> Any:
        """The label that reads as a text."""
        found = [label for label in self.labels if str(label) == text]
        if not found:
            raise Refusal(
                f"{option} must name labels of {self.name!r}, which are {self._shown}. "
                f"Got {text!r} instead."
            )
        return found[0]

    @property
    def _shown(self) -> str:
        more = ", …" if len(self.labels) > 6 else ""
        return ", ".join(map(str, self.labels[:6])) + more


def _in_order(relation: Any, orders: Mapping[str, Sequence[str]]) -> Any:
    """Columns of text as enumerations, the lowest label first."""
    kinds = {name: ", ".join(_quoted(one, "'") for one in order) for name, order in orders.items()}
    casts = [
        f"CAST({_quoted(name)} AS VARCHAR)::ENUM ({kind}) AS {_quoted(name)}"
        for name, kind in kinds.items()
    ]
    return relation.project(f"* REPLACE ({', '.join(casts)})") if casts else relation


def _quoted(name: str, mark: str = '"') -> str:
    return mark + name.replace(mark, 2 * mark) + mark


@contextmanager
def _labels_listed() -> Iterator[None]:
    """Say in other words that a label is none of those of its column."""
    import duckdb

    try:
        yield
    except duckdb.ConversionException as error:
        said = str(error).partition("\n")[0].partition(": ")[2]
        raise Refusal(f"--order must list all labels of a column. {said}.") from error


def _is_whole(label: Any) -> bool:
    return not isinstance(label, str) and label == int(label)


def _counted(clf: Any, relation: Any, target: str) -> NDArray[np.float64]:
    """Let the engine decide on all rows, and count them by class and decision. One pass."""
    import narwhals as nw
    import numpy as np

    from sugeno.export import to_expression

    decision = to_expression(clf, output="label").alias("decision")
    pairs = nw.from_native(relation).select(nw.col(target).alias("label"), decision)
    found = pairs.group_by("label", "decision").agg(nw.len().alias("n")).collect()
    classes = clf.model_.classes.tolist()
    counts = np.zeros((len(classes), len(classes)))
    for label, decided, n in found.select("label", "decision", "n").rows():
        counts[classes.index(label), classes.index(decided)] += n
    return counts


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

    from sugeno._counts.frame.summary import frame_of

    if memory is not None and not _SIZE.fullmatch(memory.strip()):
        raise Refusal(f"--memory must be a size such as 1GB or 500MB. Got {memory!r} instead.")
    try:
        frame = frame_of(data, memory)
    except duckdb.Error as error:
        said = str(error).partition("\n")[0]
        raise Refusal(f"{data} cannot be read: {said} Mend the files, or name others.") from error
    return frame.to_native(), frame.collect_schema().names()


def decide_on_files(
    clf: RuleClassifier | OrdinalRuleClassifier,
    data: str,
    out: str | None,
    only: bool,
    memory: str | None,
) -> None:
    """Write the rows of many files with their decisions into one file."""
    kind = Path(out or "").suffix
    if kind not in (".parquet", ".csv"):
        raise Refusal(
            "Decisions on many files are written to one: -o decided.parquet, or .csv. "
            f"Got {out!r} instead."
        )
    with waiting("deciding"):
        relation = _opened(data, memory)[0]
        if len(clf.model_.boundaries) > 1:
            decided, added = clf.predict_frame(relation), ["prediction"]
        else:
            added = ["prediction", "probability"]
            decided = clf.predict_frame(relation, outputs=added)
        if only:
            decided = decided.select(*added)
        (decided.write_parquet if kind == ".parquet" else decided.write_csv)(out)
    note(f"Wrote {out}.")
