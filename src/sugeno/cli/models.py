"""Model files, and the rows that a model is asked about."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from sugeno.cli.errors import Refusal, did_you_mean
from sugeno.cli.learning import with_class, without_gaps
from sugeno.cli.reading import read_table
from sugeno.cli.tables import Table, is_missing
from sugeno.cli.targets import find_target, read_labels

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from sugeno import OrdinalRuleClassifier, RuleClassifier
    from sugeno._scales.criterion import Criterion
    from sugeno.model.form import Form

    Loaded = RuleClassifier | OrdinalRuleClassifier

__all__ = [
    "criteria_of",
    "forms_of",
    "judged_rows",
    "labelled_rows",
    "load_model",
    "names_of",
    "save_model",
    "sentences_of",
]

#: How classes without an order are decided, each of which has rules of its own.
_LIKELIEST = (
    "A row gets the likeliest class: among those whose rules hold or whose points suffice, or "
    "among all where none do."
)
#: Kinds of columns that are read from texts, and what others hold.
_WORDS = ("two-valued", "unordered")
_EXPECTED = {"number": "numbers", "truth": "true or false"}


def names_of(clf: Loaded) -> list[str]:
    """Names of the criteria of a model.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.cli.models import names_of
    >>> names_of(SugenoClassifier().fit([[1], [4]], [0, 1]))
    ['x0']
    """
    # A column without a direction is read by two criteria.
    return [*dict.fromkeys(criterion.name for criterion in clf.model_.criteria)]


def forms_of(clf: Any, rules: Any = None) -> list[Form]:
    """What decides, as people read it: of each boundary, or of each class without an order.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.cli.models import forms_of
    >>> print(*forms_of(SugenoClassifier().fit([[1], [4]], [0, 1])))
    class 1 if x0 >= 2
    """
    if clf.model_.adds_up:
        raise Refusal(
            "The model is an ensemble, a sum of steps, and has no rules to show. 'sugeno report' "
            "and 'sugeno explain' show what it does; fit with --levels distilled for rules."
        )
    rules = clf.model_.rules if rules is None else rules
    return list(rules.values() if isinstance(rules, dict) else rules)


def sentences_of(clf: Any) -> list[str]:
    """What decides, as text: rules, a card, or what a sum of steps says of itself.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.cli.models import sentences_of
    >>> sentences_of(SugenoClassifier().fit([[1], [4]], [0, 1]))
    ['class 1 if x0 >= 2']
    """
    if clf.model_.adds_up:
        return [*map(str, getattr(clf.model_, "models", (clf.model_,)))]
    forms, rules = forms_of(clf), clf.model_.rules
    one_card = not isinstance(rules, dict) and bool(rules.cards)
    if isinstance(rules, dict):
        return [*map(str, forms), _LIKELIEST]
    return [str(rules)] if one_card else [*map(str, forms)]


def load_model(path: str) -> Loaded:
    """Load a model from a file, or from the standard input where the path is ``-``.

    Examples
    --------
    >>> from sugeno.cli.models import load_model
    >>> load_model("model.json")  # doctest: +SKIP
    """
    import sugeno

    return sugeno.load(sys.stdin.buffer if path == "-" else path)


def save_model(clf: Loaded, path: str) -> None:
    """Save a model to a file, or write it to the standard output where the path is ``-``.

    Examples
    --------
    >>> from sugeno.cli.models import save_model
    >>> save_model(clf, "model.json")  # doctest: +SKIP
    """
    import sugeno

    if path == "-":
        click.echo(sugeno.dumps(clf), nl=False)
    else:
        sugeno.save(clf, path)


def criteria_of(clf: Loaded, table: Table) -> Any:
    """Columns of a table that a model asks for, as it reads them; others are ignored.

    Examples
    --------
    >>> from sugeno import RuleClassifier, SugenoClassifier
    >>> from sugeno.cli.models import criteria_of
    >>> from sugeno.cli.tables import Table
    >>> clf = RuleClassifier.of(SugenoClassifier().fit([[1], [4]], [0, 1]).model_)
    >>> criteria_of(clf, Table("new.csv", {"name": ["A"], "x0": ["3"]}, [2]))
    array([[3.]])
    """
    import polars as pl

    criteria = {c.name: c for c in clf.model_.criteria}
    missing = [name for name in criteria if name not in table.columns]
    if missing:
        hint = did_you_mean(missing[0], table.columns)
        shown = ", ".join(map(repr, missing))
        raise Refusal(f"{table.origin} lacks criteria of the model: {shown}; {hint}")
    gaps = clf.model_.missing != "error"
    dates = {n: _dates(table, n) for n, c in criteria.items() if c.kind == "date"}
    for criterion in criteria.values():
        _check_column(table, criterion, gaps)
    orders = {name: c.labels for name, c in criteria.items() if c.labels and c.kind == "ordered"}
    words = [name for name, c in criteria.items() if c.kind in _WORDS]
    read = table.frame([n for n in criteria if n not in dates], orders, gaps=gaps, words=words)
    read = read.with_columns(_of_kind(read[name], criteria[name].kind) for name in read.columns)
    frame = pl.DataFrame([*read.get_columns(), *dates.values()]).select(*criteria)
    # A model that was learned without names reads columns by their places.
    return frame if hasattr(clf, "feature_names_in_") else frame.to_numpy()


def _of_kind(cells: pl.Series, kind: str) -> pl.Series:
    """Truth values as the model has them, which a table has as numbers or as themselves."""
    import polars as pl

    if cells.dtype == pl.Boolean and kind == "number":
        return cells.cast(pl.Float64)
    return cells.cast(pl.Boolean) if kind == "truth" else cells


def _dates(table: Table, name: str) -> pl.Series:
    """Dates of a column; what is none is refused."""
    import polars as pl

    cells = table.columns[name]
    found = table.dates(name)
    if found is None and not all(map(is_missing, cells)):
        wrong = next(row for row, cell in enumerate(cells) if not is_missing(cell))
        raise Refusal(
            f"{table.origin}: column {name!r} must hold dates such as 2026-03-31, as the model has "
            f"it. Got {cells[wrong]!r} ({table.where([wrong])}) instead; mend those rows, or leave "
            "them out."
        )
    return pl.Series(name, found or [None] * len(cells), pl.Datetime("us"))


def _is_strange(table: Table, criterion: Criterion, cell: str) -> bool:
    """Whether a criterion of the model cannot be what a cell holds; a category can be anything."""
    if criterion.kind == "ordered":
        return cell not in (criterion.labels or ())
    if criterion.kind in (*_WORDS, "date"):
        return False
    return table.measure(cell) is None


def _check_column(table: Table, criterion: Criterion, gaps: bool) -> None:
    """Refuse cells that a criterion of the model cannot be."""
    cells = table.columns[criterion.name]
    strange = {
        cell
        for cell in set(cells)
        if _is_strange(table, criterion, cell) and not (gaps and is_missing(cell))
    }
    if strange:
        wrong = [row for row, cell in enumerate(cells) if cell in strange]
        first = cells[wrong[0]]
        expected = _EXPECTED.get(criterion.kind, f"one of {', '.join(criterion.labels or ())}")
        got = "nothing" if is_missing(first) else repr(first)
        raise Refusal(
            f"{table.origin}: column {criterion.name!r} must hold {expected}, as the model has it. "
            f"Got {got} ({table.where(wrong)}) instead; mend those rows, or leave them out."
        )


def labelled_rows(
    clf: Loaded,
    table: Table,
    target: str | None,
    positive: str | None,
    drop_missing: bool,
) -> tuple[Any, NDArray[Any]]:
    """Rows of a table as a model reads them, with their classes.

    Examples
    --------
    >>> from sugeno import RuleClassifier, SugenoClassifier
    >>> from sugeno.cli.models import labelled_rows
    >>> from sugeno.cli.tables import Table
    >>> clf = RuleClassifier.of(SugenoClassifier().fit([[1], [4]], [0, 1]).model_)
    >>> table = Table("new.csv", {"name": ["A"], "x0": ["3"], "sold": ["1"]}, [2])
    >>> labelled_rows(clf, table, None, None, False)
    (array([[3.]]), array([1]))
    """
    classes, criteria = clf.model_.classes.tolist(), names_of(clf)
    called = clf.model_.target
    if target is None and positive is not None and called in table.columns:
        target = called  # its cells are not the classes, which --positive makes of them
    if target is None:
        target = find_target(table, classes, criteria, called)
    table = with_class(table, target, positive, [*map(str, classes)])
    if drop_missing:
        table = without_gaps(table, criteria)
    labels = read_labels(table, target, positive, classes)
    return criteria_of(clf, table), labels


def judged_rows(
    clf: Loaded, data: str | None, target: str | None, decimal: str | None, **options: Any
) -> tuple[Any, Any]:
    """Rows with their classes to judge rules by, or nothing where no file is named.

    Examples
    --------
    >>> from sugeno.cli.models import judged_rows
    >>> judged_rows(None, None, None, None)
    (None, None)
    """
    if data is None:
        if target is not None:
            raise Refusal("--target names a column of the rows in --data; give that file too.")
        return None, None
    return labelled_rows(clf, read_table(data, decimal), target, **options)
