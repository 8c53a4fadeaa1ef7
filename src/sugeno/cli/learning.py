"""From a table of texts to a classifier with the names of its columns."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import click

from sugeno.cli.errors import Refusal, did_you_mean, listed
from sugeno.cli.tables import Table
from sugeno.cli.targets import read_ordered_target, read_target

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sugeno import (
        OrdinalRuleClassifier,
        RuleClassifier,
        SugenoClassifier,
        SugenoClassifierCV,
        SugenoOrdinalClassifier,
        SugenoOrdinalClassifierCV,
    )
    from sugeno.model.boundary import Boundary
    from sugeno.model.model import Model

__all__ = ["Learner", "Rows", "note", "rows_of", "with_names", "without_gaps"]


def note(text: str) -> None:
    """Say something beside the result, on the standard error.

    Examples
    --------
    >>> from sugeno.cli.learning import note
    >>> note("Rows 1 to 9 were left out.")
    """
    click.echo(text, err=True)


@dataclass(frozen=True)
class Rows:
    """Rows to learn from.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.cli.learning import Rows
    >>> Rows(("price",), np.array([[3.0]]), np.array(["no"]), None, {}).names
    ('price',)
    """

    names: tuple[str, ...]
    X: NDArray[np.float64]
    y: NDArray[Any]
    positive: Any
    orders: Mapping[str, Sequence[str]]
    classes: list[Any] | None = None  # of ordered classes, the lowest first


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
    gaps: bool = False,
) -> Rows:
    """Read criteria and classes from a table.

    Examples
    --------
    >>> from sugeno.cli.learning import rows_of
    >>> from sugeno.cli.tables import Table
    >>> table = Table("cars.csv", {"price": ["3", "9"], "sold": ["yes", "no"]}, [2, 3])
    >>> rows = rows_of(table, target="sold", positive=None, features=(), dropped=(),
    ...                drop_missing=False, orders={})
    >>> rows.X.tolist(), rows.y.tolist()
    ([[3.0], [9.0]], ['yes', 'no'])
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
    if drop_missing:
        table = without_gaps(table, (target, *names))
    label, classes = None, None
    if ordinal or target in orders:
        if positive is not None:
            raise Refusal("Ordered classes have no --positive; leave it out, or --order/--ordinal.")
        y, classes = read_ordered_target(table, target, orders.get(target))
    else:
        y, label = read_target(table, target, positive)
    X = table.numbers(names, orders, gaps=gaps)
    for name in table.numbered_rows([name for name in names if name not in orders]):
        note(f"Column {name!r} counts the rows; --drop-column {name!r} leaves it out.")
    kept = {name: orders[name] for name in names if name in orders}
    return Rows(names, X, y, label, kept, classes)


def without_gaps(table: Table, names: Sequence[str]) -> Table:
    """Leave out rows that miss a cell, and say how many.

    Examples
    --------
    >>> from sugeno.cli.learning import without_gaps
    >>> from sugeno.cli.tables import Table
    >>> without_gaps(Table("t.csv", {"a": ["1", "?"]}, [2, 3]), ["a"]).lines
    [2]
    """
    complete = table.complete(names)
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
    SugenoClassifier(directions=['auto'], k=1, positive='yes')
    """

    k: int | str = "auto"
    levels: int | str | None = None
    max_rules: int | None = None
    simple: bool = False
    time_limit: float | None = None
    jobs: int = 1
    missing: str | None = None
    directions: Mapping[str, int | str] | None = None

    @classmethod
    def taken_from(cls, options: dict[str, Any]) -> Learner:
        """Take the options that are about learning out of all that were given."""
        return cls(**{field.name: options.pop(field.name) for field in fields(cls)})

    def for_rows(self, rows: Rows, callback: Callable[[int, int], None] | None = None) -> Any:
        """Return the classifier of two or of ordered classes, not fitted yet."""
        if rows.classes is None:
            return self.estimator(rows.names, rows.positive, callback)
        return self.ordinal(rows.names, rows.classes, callback)

    def ordinal(
        self,
        names: Sequence[str],
        classes: list[Any],
        callback: Callable[[int, int], None] | None = None,
    ) -> SugenoOrdinalClassifier | SugenoOrdinalClassifierCV:
        """Return the classifier of ordered classes, not fitted yet."""
        from sugeno import SugenoOrdinalClassifier, SugenoOrdinalClassifierCV

        if self.levels == "single":
            raise Refusal("--levels single knows two classes; use --levels 1.")
        k = None if self.k == "auto" else self._limit(len(names))
        given: dict[str, Any] = {"classes": classes, "k": k, "directions": self._by_place(names)}
        given |= {"n_jobs": self.jobs, **self._given()}
        if self.simple:
            return SugenoOrdinalClassifierCV(refit="simplest", callback=callback, **given)
        return SugenoOrdinalClassifier(**given)

    def _given(self) -> dict[str, Any]:
        options = {
            "levels": self.levels,
            "max_rules": self.max_rules,
            "time_limit": self.time_limit,
            "missing": self.missing,
        }
        return {name: value for name, value in options.items() if value is not None}

    def estimator(
        self,
        names: Sequence[str],
        positive: Any,
        callback: Callable[[int, int], None] | None = None,
    ) -> SugenoClassifier | SugenoClassifierCV:
        """Return the classifier of two classes, not fitted yet."""
        from sugeno import SugenoClassifier, SugenoClassifierCV

        given = self._given() | {"positive": positive, "directions": self._by_place(names)}
        if self.k == "auto":
            refit = "simplest" if self.simple else "best"
            return SugenoClassifierCV(refit=refit, callback=callback, n_jobs=self.jobs, **given)
        if self.simple:
            raise Refusal("--simple chooses among several k; leave out --k, or use --max-rules.")
        return SugenoClassifier(k=self._limit(len(names)), **given)

    def _limit(self, m: int) -> int | None:
        if self.k == "all":
            return None
        if not isinstance(self.k, int) or not 1 <= self.k <= m:
            raise Refusal(
                f"--k must be a number from 1 to {m}, the number of criteria, 'all' or 'auto'. "
                f"Got {str(self.k)!r} instead."
            )
        return self.k

    def _by_place(self, names: Sequence[str]) -> list[int | str]:
        """Directions in the order of the columns."""
        given = self.directions or {}
        unknown = [name for name in given if name not in names]
        if unknown:
            hint = did_you_mean(unknown[0], names)
            raise Refusal(f"--direction names no criterion: {unknown[0]!r}; {hint}")
        return [given.get(name, "auto") for name in names]

    @contextmanager
    def quiet(self, rows: Rows) -> Iterator[None]:
        """Turn the warning of weak directions, which knows no names, into a note with names."""
        from sugeno import WeakDirectionWarning, infer_directions

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", WeakDirectionWarning)
            yield
        weak = [one for one in caught if issubclass(one.category, WeakDirectionWarning)]
        if not weak:
            return
        if rows.classes is not None:
            for text in sorted({str(one.message) for one in weak}):
                named = re.sub(r"'x(\d+)'", lambda m: repr(rows.names[int(m[1])]), text)
                note(f"{named.partition(' Check')[0]} If you know it, say --direction NAME=±.")
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", WeakDirectionWarning)
            found = infer_directions(rows.X, rows.y, positive=rows.positive)
        evidence = zip(rows.names, found.directions, found.statistic, found.weak)
        for name, sign, auc, is_weak in evidence:
            if is_weak and (self.directions or {}).get(name, "auto") == "auto":
                note(
                    f"The data hardly tell whether more or less {name!r} is better (AUC {auc:.3f}, "
                    f"taken as {'+-'[int(sign < 0)]}); if you know, say --direction {name}=±."
                )


def with_names(
    model: Model, names: Sequence[str], orders: Mapping[str, Sequence[str]]
) -> RuleClassifier | OrdinalRuleClassifier:
    """Give the criteria of a model their names and labels.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.cli.learning import with_names
    >>> learned = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> print(with_names(learned.model_, ["speed"], {}).rules_)
    accept if speed >= 3
    """
    from sugeno.estimators.rule_classifier import classifier_of

    boundaries = tuple(_renamed(boundary, names, orders) for boundary in model.boundaries)
    return classifier_of(replace(model, boundaries=boundaries))


def _renamed(
    model: Boundary, names: Sequence[str], orders: Mapping[str, Sequence[str]]
) -> Boundary:
    from sugeno import RuleSet

    criteria = tuple(
        replace(criterion, name=name, labels=tuple(orders[name]) if name in orders else None)
        for criterion, name in zip(model.criteria, names, strict=True)
    )
    rules = RuleSet.from_masks(
        model.rules.masks,
        replace(model.literals, criteria=criteria),
        named=True,
        label=model.rules.label,
        support=model.rules.support,
        form=model.rules.form,
    )
    return replace(model, form=rules)
