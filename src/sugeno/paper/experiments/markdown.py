"""Numbers and tables in Markdown, written as the paper writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["decimal", "legend", "missing", "pm", "signed", "table"]


def decimal(value: float, digits: int = 3) -> str:
    """Write a number below 1 without its leading zero.

    Parameters
    ----------
    value : float
        The number.
    digits : int, default=3
        Number of digits after the point.

    Examples
    --------
    >>> from sugeno.paper.experiments.markdown import decimal
    >>> decimal(0.1094), decimal(-0.002), decimal(2.25, 2)
    ('.109', '-.002', '2.25')
    """
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def signed(value: float, digits: int = 3) -> str:
    """Write a difference with its sign; one that is rounded to zero has none.

    Parameters
    ----------
    value : float
        The difference.
    digits : int, default=3
        Number of digits after the point.

    Examples
    --------
    >>> from sugeno.paper.experiments.markdown import signed
    >>> signed(0.0124), signed(-0.002), signed(-0.0001)
    ('+.012', '-.002', '.000')
    """
    # Adding zero makes a negative zero a plain one.
    nearest = round(value, digits) + 0.0
    return ("+" if nearest > 0 else "") + decimal(nearest, digits)


def pm(mean: float, sd: float) -> str:
    """Write mean and standard deviation.

    Parameters
    ----------
    mean, sd : float
        Mean and standard deviation.

    Examples
    --------
    >>> from sugeno.paper.experiments.markdown import pm
    >>> pm(0.109, 0.012)
    '.109±.012'
    """
    return f"{decimal(mean)}±{decimal(sd)}"


def legend(content: dict[str, Any]) -> str:
    """Say what was run, what the columns are, what the marks mean, and which data are missing.

    Parameters
    ----------
    content : dict
        What a table's ``build`` returned.

    Examples
    --------
    >>> from sugeno.paper.experiments.markdown import legend
    >>> columns = {"LR": {"about": "logistic regression"}}
    >>> print(legend({"splits": 2, "seed": 0, "columns": columns, "missing": []}))
    2 random splits, seed 0. ▲ and ▼ mark cells that lie above or below the paper's by more than
    three times the sum of both standard errors.
    <BLANKLINE>
    - LR: logistic regression
    """
    about = [f"- {name}: {column['about']}" for name, column in content["columns"].items()]
    parts = [
        f"{content['splits']} random splits, seed {content['seed']}. ▲ and ▼ mark cells that lie "
        "above or below the paper's by more than three times the sum of both standard errors.",
        "\n".join(about),
        missing(content),
    ]
    return "\n\n".join(part for part in parts if part)


def missing(content: dict[str, Any]) -> str:
    """Name the data sets that are missing, and say how to learn where to get them.

    Parameters
    ----------
    content : dict
        What a table's ``build`` returned.

    Examples
    --------
    >>> from sugeno.paper.experiments.markdown import missing
    >>> print(missing({"missing": ["BCC"]}))
    Missing: BCC (`sugeno.datasets.load("BCC")` says where to get it).
    """
    return "\n".join(
        f'Missing: {name} (`sugeno.datasets.load("{name}")` says where to get it).'
        for name in content["missing"]
    )


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table whose first column is aligned left and whose others are aligned right.

    Parameters
    ----------
    header : sequence of str
        Heads of the columns.
    rows : iterable of sequence of str
        The cells.

    Examples
    --------
    >>> from sugeno.paper.experiments.markdown import table
    >>> print(table(["data set", "LR"], [["ESL", ".077"]]))
    | data set | LR |
    |:--|--:|
    | ESL | .077 |
    """
    rule = "|:--" + "|--:" * (len(header) - 1) + "|"
    lines = [_line(header), rule, *(_line(row) for row in rows)]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    # A bar inside a cell, as in "0|1|3", would end the cell.
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
