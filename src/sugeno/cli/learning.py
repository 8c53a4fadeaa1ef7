"""From a table of texts to a classifier with the names of its columns."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import click

from sugeno._scales.kinds import read_kinds
from sugeno.cli.errors import Refusal, did_you_mean, listed
from sugeno.cli.tables import Table, is_missing
from sugeno.cli.targets import read_ordered_target, read_target, rows_with_class

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from sugeno import (
        SugenoClassifier,
        SugenoClassifierCV,
        SugenoEnsembleClassifier,
    )
    from sugeno._counts.loss import Loss
    from sugeno._scales.assumed import Assumed

__all__ = [
    "Learned",
    "Learner",
    "TrainingRows",
    "assumed_of",
    "note",
    "rows_of",
    "weak_directions_noted",
    "with_class",
    "without_gaps",
]


#: Columns with more labels are hardly read by anyone.
_MOST_LABELS = 50


def note(text: str) -> None:
    """Say something beside the result, on the standard error.

    Examples
    --------
    >>> from sugeno.cli.learning import note
    >>> note("Rows 1 to 9 were left out.")
    """
    click.echo(text, err=True)


@dataclass(frozen=True)
class TrainingRows:
    """Rows to learn from.

    Attributes
    ----------
    frame : polars.DataFrame
        The criteria by name: numbers, and enumerations of ordered labels.
    y : ndarray of shape (n,)
        Labels.
    positive : object
        The label that rules speak for, or None to choose it by its meaning.
    classes : list or None
        Of ordered classes the labels, the lowest first.
    target : str
        Name of the column of labels.
    named : tuple of str
        Columns that were asked for by name, and stay even if they number the rows.

    Examples
    --------
    >>> import numpy as np
    >>> import polars as pl
    >>> from sugeno.cli.learning import TrainingRows
    >>> TrainingRows(pl.DataFrame({"price": [1.0]}), np.array([1]), 1).names
    ['price']
    """

    frame: pl.DataFrame
    y: NDArray[Any]
    positive: Any
    classes: list[Any] | None = None
    target: str = ""
    named: tuple[str, ...] = ()

    @property
    def labels(self) -> pl.Series:
        """The labels, as a column with its name."""
        import polars as pl

        return pl.Series(self.target, self.y)

    @property
    def named_ids(self) -> list[str]:
        """Columns that were asked for by name although they number the rows."""
        import narwhals as nw

        found = read_kinds(nw.from_native(self.frame.select(self.named)))
        return [one.name for one in found if one.kind == "id"]

    @property
    def names(self) -> list[str]:
        """Names of the criteria."""
        return self.frame.columns

    def take(self, rows: NDArray[np.intp]) -> TrainingRows:
        """Some of the rows, by place."""
        return replace(self, frame=self.frame[rows], y=self.y[rows])


def rows_of(
    table: Table,
    *,
    target: str,
    positive: str | None,
    features: Sequence[str],
    dropped: Sequence[str],
    drop_missing: bool,
    orders: Mapping[str, Sequence[str]],
    ordinal: bool = False,
    columns: Mapping[str, Any] | None = None,
) -> TrainingRows:
    """Read criteria and classes from a table.

    Examples
    --------
    >>> from sugeno.cli.learning import rows_of
    >>> from sugeno.cli.tables import Table
    >>> table = Table("cars.csv", {"price": ["3", "9"], "sold": ["yes", "no"]}, [2, 3])
    >>> rows = rows_of(table, target="sold", positive=None, features=(), dropped=(),
    ...                drop_missing=False, orders={})
    >>> rows.frame.rows(), rows.y.tolist()
    ([(3.0,), (9.0,)], ['yes', 'no'])
    """
    for name in (target, *orders):
        table.column(name)
    orders = {**table.orders, **orders}
    missing = f"{table.origin} has no column"
    wanted = listed(features, table.columns, missing) or table.columns
    left_out = {target, *listed(dropped, table.columns, missing)}
    names = tuple(name for name in wanted if name not in left_out)
    if not names:
        raise Refusal(f"{table.origin} has no criteria besides {target!r}; add columns.")
    table = with_class(table, target, positive, orders.get(target, ()))
    if drop_missing:
        table = without_gaps(table, names, orders)
    label, classes = None, None
    if ordinal or target in orders:
        if positive is not None:
            raise Refusal("Ordered classes have no --positive; leave it out, or --order/--ordered.")
        y, classes = read_ordered_target(table, target, orders.get(target))
    else:
        y, label = read_target(table, target, positive)
        known = list(dict.fromkeys(y.tolist()))
        if len(known) > 2:
            _refuse_single_rows(table, target, y.tolist())
            way = "--ordered" if isinstance(known[0], int) else f"--order {target}=A,B,…"
            note(
                f"The {len(known)} classes of {target!r} are taken without an order, each against "
                f"the rest; if they have one, say {way}, the lowest first."
            )
    for name in (target, *names):
        _note_spellings(table, name)
    frame = table.frame(names, orders, gaps=True, words=table.words_among(names, orders, columns))
    return TrainingRows(frame, y, label, classes, target, names if features else ())


def _refuse_single_rows(table: Table, target: str, labels: Sequence[Any]) -> None:
    """Refuse classes without an order that have one row each, as misspelt labels do."""
    texts = [label for label in labels if isinstance(label, str)]
    single = [label for label, rows in Counter(texts).items() if rows == 1]
    if single:
        rows = [labels.index(label) for label in single]
        raise Refusal(
            f"{table.origin}: the target {target!r} has classes of one row: "
            f"{', '.join(map(repr, single[:5]))} ({table.where(rows)}). Mend the labels that are "
            "misspelt, leave such rows out, or say by --positive which labels to tell from all "
            "others."
        )


@dataclass(frozen=True, eq=False)
class Learned:
    """A fitted classifier, and what it decides about the rows that it learned from.

    Attributes
    ----------
    clf : object
        The classifier.
    counts : ndarray of shape (C, C)
        Rows by class (rows) and decision (columns), in the order of the classes of the model.
    ordered : bool
        Whether the classes have an order that was given.
    told : str
        What else there is to say.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.cli.learning import Learned
    >>> clf = SugenoClassifier().fit([[1], [4], [3]], [0, 1, 1])
    >>> Learned.of(clf, [[1], [4], [3]], np.array([0, 1, 1])).counts
    array([[1., 0.],
           [0., 2.]])
    """

    clf: Any
    counts: NDArray[np.float64]
    ordered: bool = False
    told: str = ""

    @classmethod
    def of(cls, clf: Any, X: Any, y: NDArray[Any], ordered: bool = False) -> Learned:
        """Count the rows of a table."""
        import numpy as np

        classes = clf.model_.classes.tolist()
        counts = np.zeros((len(classes), len(classes)))
        places = {label: place for place, label in enumerate(classes)}
        true, decided = ([places[label] for label in one.tolist()] for one in (y, clf.predict(X)))
        np.add.at(counts, (true, decided), 1)
        return cls(clf, counts, ordered)


def _note_spellings(table: Table, name: str) -> None:
    """Say which labels differ in capital letters only."""
    labels = {cell for cell in table.column(name) if not is_missing(cell)}
    if len(labels) > _MOST_LABELS:
        return
    alike: dict[str, list[str]] = {}
    for label in sorted(labels):
        alike.setdefault(label.casefold(), []).append(label)
    pairs = [" and ".join(map(repr, one)) for one in alike.values() if len(one) > 1]
    if pairs:
        note(f"Column {name!r} has {'; '.join(pairs)}, which are taken for different labels.")


def with_class(
    table: Table, target: str, positive: str | None = None, labels: Collection[str] = ()
) -> Table:
    """Leave out rows whose target is empty, and say which.

    Examples
    --------
    >>> from sugeno.cli.learning import with_class
    >>> from sugeno.cli.tables import Table
    >>> with_class(Table("t.csv", {"a": ["1", ""]}, [2, 3]), "a").lines
    [2]
    """
    kept, left_out = rows_with_class(table, target, positive, labels)
    if left_out:
        n = len(left_out)
        words = "has no {!r} and is" if n == 1 else "have no {!r} and are"
        note(
            f"{n:,} of {len(table.lines):,} rows {words.format(target)} left out: "
            f"{table.where(left_out)}."
        )
    return kept


def without_gaps(
    table: Table, names: Sequence[str], orders: Mapping[str, Sequence[str]] | None = None
) -> Table:
    """Leave out rows that miss a cell, and say how many.

    Examples
    --------
    >>> from sugeno.cli.learning import without_gaps
    >>> from sugeno.cli.tables import Table
    >>> without_gaps(Table("t.csv", {"a": ["1", "?"]}, [2, 3]), ["a"]).lines
    [2]
    """
    complete = table.complete(names, orders)
    left_out = len(table.lines) - len(complete.lines)
    if left_out:
        note(f"Left out {left_out} of {len(table.lines)} rows, which miss a cell.")
    return complete


@dataclass(frozen=True)
class Learner:
    """What the options say about learning.

    Examples
    --------
    >>> from sugeno.cli.learning import Learner
    >>> Learner(k=1).estimator(["price"], "yes")
    SugenoClassifier(k=1, positive='yes')
    """

    k: int | str = "auto"
    levels: int | str | None = None
    form: str | None = None
    max_rules: int | None = None
    simple: bool = False
    time_limit: float | None = None
    jobs: int = 1
    missing: str | None = None
    directions: Mapping[str, int | str] | None = None
    columns: Mapping[str, Any] | None = None
    special: Mapping[str, Any] | None = None
    costs: Mapping[str, float] | None = None

    @classmethod
    def taken_from(cls, options: dict[str, Any]) -> Learner:
        """Take the options that are about learning out of all that were given."""
        return cls(**{field.name: options.pop(field.name) for field in fields(cls)})

    def for_rows(
        self, rows: TrainingRows, callback: Callable[[int, int], None] | None = None
    ) -> Any:
        """Return the classifier of some rows, not fitted yet."""
        learner = self
        gaps, kinds = sum(rows.frame.null_count().row(0)), map(str, rows.frame.dtypes)
        kept = dict.fromkeys(rows.named_ids, "keep")
        found = kept or gaps or "Boolean" in kinds
        if self.missing is None and found:
            # The place of missing cells is found, and truth values are no numbers.
            learner = replace(self, columns={**kept, **(self.columns or {})})
        return learner.estimator(rows.names, rows.positive, rows.classes, callback)

    @property
    def loss(self) -> Loss | None:
        """What the two errors cost, where that was said."""
        from sugeno._counts.loss import Loss

        return None if self.costs is None else Loss.of(self.costs, 2)

    def _given(self) -> dict[str, Any]:
        options = {
            "levels": self.levels,
            "form": self.form,
            "max_rules": self.max_rules,
            "time_limit": self.time_limit,
            "missing": self.missing,
            "columns": self.columns,
            "special": self.special,
            "costs": self.costs,
        }
        return {name: value for name, value in options.items() if value is not None}

    def estimator(
        self,
        names: Sequence[str],
        positive: Any = None,
        classes: list[Any] | None = None,
        callback: Callable[[int, int], None] | None = None,
    ) -> SugenoClassifier | SugenoClassifierCV | SugenoEnsembleClassifier:
        """Return the classifier, not fitted yet; ordered classes are given, the lowest first."""
        from sugeno import SugenoClassifier, SugenoClassifierCV

        given = self._given() | {"directions": self._directions(names)}
        given |= {"positive": positive} if classes is None else {"order": classes}
        if self.levels == "single" and classes is not None:
            raise Refusal("--levels single knows two classes; use --levels 1.")
        if self.levels == "ensemble":
            return self._ensemble(given)
        if self.k == "auto":
            refit = "simplest" if self.simple else "best"
            return SugenoClassifierCV(refit=refit, callback=callback, n_jobs=self.jobs, **given)
        if self.simple:
            raise Refusal("--simple chooses among several k; leave out --k, or use --max-rules.")
        return SugenoClassifier(k=self._limit(len(names)), **given)

    def _ensemble(self, given: dict[str, Any]) -> SugenoEnsembleClassifier:
        """Return the ensemble, which has no rules to limit."""
        from sugeno import SugenoEnsembleClassifier

        limits = {"--k": self.k != "auto", "--max-rules": self.max_rules, "--simple": self.simple}
        for name, meant in limits.items():
            if meant:
                raise Refusal(f"--levels ensemble has no rules to limit; leave out {name}.")
        del given["levels"]
        return SugenoEnsembleClassifier(n_jobs=self.jobs, **given)

    def _limit(self, m: int) -> int | None:
        if self.k == "all":
            return None
        if not isinstance(self.k, int) or not 1 <= self.k <= m:
            raise Refusal(
                f"--k must be a number from 1 to {m}, the number of criteria, 'all' or 'auto'. "
                f"Got {str(self.k)!r} instead."
            )
        return self.k

    def _directions(self, names: Sequence[str]) -> dict[str, int | str] | str:
        """Directions by name."""
        given = dict(self.directions or {})
        unknown = [name for name in given if name not in names]
        if unknown:
            hint = did_you_mean(unknown[0], names)
            raise Refusal(f"--direction names no criterion: {unknown[0]!r}; {hint}")
        return given or "auto"


def assumed_of(
    rows: TrainingRows,
    columns: Mapping[str, Any] | None = None,
    special: Mapping[str, Any] | None = None,
    directions: Mapping[str, int | str] | str = "auto",
) -> Assumed | None:
    """What the columns mean to two classes, or to each of several against the rest.

    Examples
    --------
    >>> import numpy as np
    >>> import polars as pl
    >>> from sugeno.cli.learning import TrainingRows, assumed_of
    >>> frame, y = pl.DataFrame({"debt": [9, 2, 8, 1] * 9}), np.array([0, 1, 0, 1] * 9)
    >>> [one.direction for one in assumed_of(TrainingRows(frame, y, 1))]
    ['down']
    """
    from sugeno import SugenoClassifier
    from sugeno._scales.assumed import Assumed
    from sugeno.estimators._base import data_of_rows

    clf = SugenoClassifier(columns=columns or {}, special=special, positive=rows.positive)
    data = data_of_rows(clf, rows.frame, rows.labels)
    if data.classes.ordered:
        return data.prepared(directions).assumed
    labels = data.classes.labels.tolist()
    each = [data.against_rest(place).prepared(directions).assumed for place in range(len(labels))]
    return Assumed.of_classes(labels, [one for one in each if one is not None])


@contextmanager
def weak_directions_noted() -> Iterator[None]:
    """Turn the warning of weak directions into a note that names the option.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.cli.learning import weak_directions_noted
    >>> with weak_directions_noted():
    ...     clf = SugenoClassifier().fit([[1], [2], [3]] * 9, [0, 1, 0] * 9)
    """
    from sugeno import WeakDirectionWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", WeakDirectionWarning)
        yield
    # Folds differ in the evidence, and often in nothing else.
    weak = [str(one.message) for one in caught if one.category is WeakDirectionWarning]
    for text in dict.fromkeys(str(one.message) for one in caught):
        if text not in weak:
            note(text)
    texts = {re.sub(r" \(AUC [\d.]+\)", "", text): text for text in weak}
    for text in texts.values():
        note(f"{text.partition(' Check')[0]} If you know it, say --direction NAME=±.")
