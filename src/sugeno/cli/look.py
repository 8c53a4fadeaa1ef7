"""``sugeno look``: what would be assumed about the columns of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sugeno.cli.errors import Command
from sugeno.cli.learning import assumed_of, rows_of
from sugeno.cli.options import column_option, decimal_option, special_option, target_options
from sugeno.cli.reading import read_table

if TYPE_CHECKING:
    import polars as pl

    from sugeno._scales.assumed import Assumed

__all__ = ["look"]


@click.command(cls=Command, short_help="Show what would be assumed about the columns.")
@click.argument("data")
@target_options("Column to be predicted; with it directions and orders are found.")
@column_option
@special_option
@decimal_option
def look(
    data: str,
    target: str | None,
    columns: dict[str, Any] | None,
    special: dict[str, Any] | None,
    decimal: str | None,
    **given: Any,
) -> None:
    """Show what `fit` would assume about the columns of DATA, without learning anything.

    Each line can be overruled, here and in `fit`, by --column and --special.

    \b
      sugeno look data.csv
      sugeno look data.csv --target accepted --column age=free
    """  # noqa: D301 (the mark keeps click from joining the lines)
    table = read_table(data, decimal)
    if target is None:
        names = [*table.columns]
        words = table.words_among(names, table.orders, columns)
        frame = table.frame(names, table.orders, gaps=True, words=words)
        click.echo(repr(_kinds(frame, columns, special)))
        return
    said = columns or {}
    rows = rows_of(table, target=target, features=(), dropped=(), orders={}, columns=said, **given)
    found = assumed_of(rows, columns, special)
    click.echo(repr(found or _kinds(rows.frame, columns, special)))


def _kinds(
    frame: pl.DataFrame, columns: dict[str, Any] | None, special: dict[str, Any] | None
) -> Assumed:
    """What the cells of the columns are."""
    import narwhals as nw

    from sugeno._scales.assumed import Assumed, AssumedColumn
    from sugeno._scales.kinds import read_kinds

    return Assumed(
        [
            AssumedColumn(
                one.name,
                one.kind,
                missing=str(one.missing) if one.missing else "",
                left_out=one.left_out,
            )
            for one in read_kinds(nw.from_native(frame), columns, special)
        ]
    )
