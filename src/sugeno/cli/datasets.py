"""``sugeno datasets``: which of the paper's data sets are there, and where from."""

from __future__ import annotations

import click

__all__ = ["datasets"]


@click.command()
def datasets() -> None:
    """List the paper's data sets and where each would come from."""
    # Loading scikit-learn takes a second, which `sugeno --help` should not pay for.
    from sugeno.datasets import available

    click.echo(str(available()))
