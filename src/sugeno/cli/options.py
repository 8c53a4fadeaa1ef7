"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from sugeno.cli.errors import Refusal

__all__ = [
    "column_option",
    "data_options",
    "decimal_option",
    "learning_options",
    "memory_option",
    "out_option",
    "pairs",
    "special_option",
    "target_options",
]

Function = TypeVar("Function", bound=Callable[..., Any])

_SAID = {"+": "up", "-": "down"}
_SIGNS: dict[str, int | str] = {"+": 1, "+1": 1, "1": 1, "-": -1, "-1": -1, "auto": "auto"}


def _applied(function: Function, options: list[Any]) -> Function:
    for option in reversed(options):
        function = option(function)
    return function


def pairs(values: tuple[str, ...], option: str, example: str) -> dict[str, str]:
    """Split values of the form NAME=VALUE; the name may have an equals sign of its own.

    Examples
    --------
    >>> from sugeno.cli.options import pairs
    >>> pairs(("price=-",), "--direction", "price=-")
    {'price': '-'}
    """
    found = {}
    for value in values:
        name, sign, rest = value.rpartition("=")
        if not sign or not name.strip() or not rest.strip():
            raise Refusal(f"{option} must have the form {example}. Got {value!r} instead.")
        found[name.strip()] = rest.strip()
    return found


def _directions(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, int | str]:
    given = pairs(values, "--direction", "price=- (less is better) or quality=+")
    for name, sign in given.items():
        if sign not in _SIGNS:
            raise Refusal(f"--direction {name} must be +, - or auto. Got {sign!r} instead.")
    return {name: _SIGNS[sign] for name, sign in given.items()}


def _orders(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, list[str]]:
    form = "size=small,medium,large, the lowest first"
    found = {
        name: [label.strip() for label in labels.split(",")]
        for name, labels in pairs(values, "--order", form).items()
    }
    for name, labels in found.items():
        if len(set(labels)) < max(len(labels), 2) or "" in labels:
            raise Refusal(
                f"--order {name} must name two or more labels, each once. "
                f"Got {','.join(labels)!r} instead."
            )
    return found


def _columns(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, Any] | None:
    """What is said of columns: a word, or labels in their order."""
    given = pairs(values, "--column", "home=unordered, age=free, size=S,M,L or id=drop")
    return {
        name: [label.strip() for label in said.split(",")] if "," in said else _SAID.get(said, said)
        for name, said in given.items()
    } or None


def _special(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, dict[float | None, Any]] | None:
    """Codes that say why there is no value; without a code what empty cells are called."""
    form = "months:-9='no record', or months:-9='no record,best'"
    found: dict[str, dict[float | None, Any]] = {}
    for value in values:
        cell, sign, label = value.partition("=")
        name, colon, code = cell.rpartition(":")
        number = _number(code)
        if not (sign and colon and name.strip() and label.strip()) or (code and number is None):
            raise Refusal(f"--special must have the form {form}. Got {value!r} instead.")
        label, _, place = (part.strip() for part in label.rpartition(","))
        number_of_place = _number(place)
        meaning = (label, place if number_of_place is None else number_of_place) if label else place
        found.setdefault(name.strip(), {})[number] = meaning
    return found or None


def _number(text: str) -> float | None:
    """The number that a text is, if it is one."""
    try:
        return float(text)
    except ValueError:
        return None


def _costs(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, float] | None:
    """What the two errors cost; a hyphen may stand for the space."""
    found = {}
    for name, number in pairs(values, "--cost", "missed=10 or false-alarm=1").items():
        try:
            found[name.replace("-", " ")] = float(number)
        except ValueError:
            raise Refusal(f"--cost {name} must be a number. Got {number!r} instead.") from None
    return found or None


def _kind(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> int | str | None:
    """Numbers as numbers, words as they are."""
    return int(value) if value is not None and value.isdecimal() else value


def _writable(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse a place where nothing can be written before any work is done."""
    if value is None or value == "-":
        return value
    path = Path(value)
    if not path.parent.is_dir():
        raise Refusal(f"There is no folder {str(path.parent)!r}; make it, or write elsewhere.")
    if path.is_dir():
        raise Refusal(f"{value!r} is a folder; name a file in it.")
    return value


def out_option(text: str) -> Callable[[Function], Function]:
    """Add ``-o FILE``.

    Examples
    --------
    >>> from sugeno.cli.options import out_option
    >>> out_option("Where to.")(lambda out: None).__click_params__[0].name
    'out'
    """
    return click.option("-o", "--out", metavar="FILE", callback=_writable, help=text)


decimal_option = click.option(
    "--decimal",
    type=click.Choice([".", ","]),
    help="Decimal mark of a CSV file.  [default: found from the cells]",
)
memory_option = click.option(
    "--memory",
    metavar="SIZE",
    help="Memory for DuckDB, which reads many files, such as 1GB.  [default: 80 % of all]",
)
column_option = click.option(
    "--column",
    "columns",
    multiple=True,
    callback=_columns,
    metavar="COLUMN=WORD",
    help="How to read a column: unordered, free, peak, valley, up, down, drop, keep, "
    "or its labels in order (A,B,…).",
)
special_option = click.option(
    "--special",
    "special",
    multiple=True,
    callback=_special,
    metavar="COLUMN:CODE=LABEL",
    help="A number that stands for no value, and why: months:-9='no record'.",
)


def target_options(text: str, *, required: bool = False) -> Callable[[Function], Function]:
    """Add the options that say which column holds the classes.

    Examples
    --------
    >>> from sugeno.cli.options import target_options
    >>> [p.name for p in target_options("The classes.")(lambda: None).__click_params__][-1]
    'target'
    """
    return lambda function: _applied(
        function,
        [
            click.option("--target", "-t", required=required, metavar="COLUMN", help=text),
            click.option(
                "--positive",
                metavar="LABEL",
                help="Class that the rules describe: a label, several (a,b), or numbers ('>=3').",
            ),
            click.option("--drop-missing", is_flag=True, help="Leave out rows with missing cells."),
        ],
    )


def data_options(function: Function) -> Function:
    """Add the options that say what the columns of a table mean.

    Examples
    --------
    >>> from sugeno.cli.options import data_options
    >>> [p.name for p in data_options(lambda: None).__click_params__][-1]
    'target'
    """
    return _applied(
        function,
        [
            target_options("Column to be predicted.", required=True),
            click.option(
                "--features",
                multiple=True,
                metavar="A,B,…",
                help="Columns to learn from.  [default: all but the target]",
            ),
            click.option(
                "--drop-column",
                "dropped",
                multiple=True,
                metavar="A,B,…",
                help="Columns not to learn from, such as a row number.",
            ),
            click.option(
                "--order",
                "orders",
                multiple=True,
                callback=_orders,
                metavar="COLUMN=A,B,…",
                help="Labels of a text column in their order, lowest first; also of the target.",
            ),
            click.option(
                "--ordered",
                "--ordinal",
                "ordinal",
                is_flag=True,
                help="Treat whole numbers in the target as ordered classes.",
            ),
            decimal_option,
        ],
    )


def learning_options(function: Function) -> Function:
    """Add the options that say how to learn.

    Examples
    --------
    >>> from sugeno.cli.options import learning_options
    >>> [p.name for p in learning_options(lambda: None).__click_params__][-1]
    'directions'
    """
    return _applied(
        function,
        [
            click.option(
                "--direction",
                "directions",
                multiple=True,
                callback=_directions,
                metavar="COLUMN=±",
                help="+ if more is better, - if less is better.  [default: found from the data]",
            ),
            column_option,
            special_option,
            click.option(
                "--k",
                default="auto",
                callback=_kind,
                metavar="K",
                help="Largest number of criteria in a rule; 'all' for no limit.  "
                "[default: kind and k chosen on held-out rows]",
            ),
            click.option(
                "--levels",
                callback=_kind,
                metavar="KIND",
                help="Kind of model: shared, single, all, or a number of levels per criterion; "
                "without --k also distilled or ensemble.",
            ),
            click.option(
                "--missing",
                type=click.Choice(["pessimistic", "optimistic", "interval"]),
                help="What a missing cell means: the worst value, the best, or any.  "
                "[default: found from the data]",
            ),
            click.option(
                "--cost",
                "costs",
                multiple=True,
                callback=_costs,
                metavar="ERROR=NUMBER",
                help="What an error costs: missed=10, false-alarm=1.  [default: 1 each]",
            ),
            click.option(
                "--form",
                type=click.Choice(["rules", "points", "auto"]),
                help="Rules, a card of points, or whichever agrees better with the ensemble.  "
                "[default: auto]",
            ),
            click.option("--max-rules", type=click.IntRange(1), help="Largest number of rules."),
            click.option(
                "--simple",
                is_flag=True,
                help="Take the fewest conditions within one standard error of the best.",
            ),
            click.option(
                "--time-limit",
                type=click.FloatRange(0),
                metavar="SECONDS",
                help="Longest time for learning.",
            ),
            click.option(
                "--jobs",
                type=int,
                default=1,
                help="Number of folds to learn at the same time; -1 for all.",
            ),
        ],
    )
