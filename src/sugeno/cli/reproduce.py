"""``sugeno reproduce``: the paper's tables and figures, beside the published numbers."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from sugeno.cli.errors import Command
from sugeno.cli.waiting import show_progress

if TYPE_CHECKING:
    from sugeno.paper.experiments import Reproduction

__all__ = ["reproduce"]

ALL = "all"
TARGETS = ("table2", "table5", "table7", "figure-threshold", "figure-alternating")
#: What ``all`` leaves out, since the paper does not have it.
EXTRAS = ("variants",)


def _names(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...] | None:
    """Names separated by commas, or given by repeating the option; None when not given."""
    names = tuple(name.strip() for value in values for name in value.split(",") if name.strip())
    return names or None


def _expanded(targets: tuple[str, ...]) -> tuple[str, ...]:
    """Put what it stands for in the place of "all"."""
    if ALL not in targets:
        return targets
    return (*TARGETS, *(target for target in EXTRAS if target in targets))


@click.command(cls=Command, short_help="Run the paper's experiments.")
@click.argument("targets", nargs=-1, required=True, type=click.Choice([*TARGETS, *EXTRAS, ALL]))
@click.option(
    "--splits",
    default=100,
    show_default=True,
    type=click.IntRange(1),
    help="Number of random splits.",
)
@click.option("--jobs", default=2, show_default=True, help="Parallel jobs; -1 for all cores.")
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(0), help="Seed of the splits."
)
@click.option(
    "--out",
    default=Path("reproduction"),
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the results; a run that was stopped goes on from what is there.",
)
@click.option(
    "--datasets", multiple=True, callback=_names, help="Only these data sets: ESL,LEV,..."
)
@click.option("--columns", multiple=True, callback=_names, help="Only these columns: LR,SI,...")
def reproduce(
    targets: tuple[str, ...],
    splits: int,
    jobs: int,
    seed: int,
    out: Path,
    datasets: tuple[str, ...] | None,
    columns: tuple[str, ...] | None,
) -> None:
    """Run the paper's experiments, and write their tables and figures beside the printed numbers.

    "all" stands for the paper's tables and figures. "variants" shows what was tried about the
    disagreements with Table 7: positive class, median, margin, directions, exact engine.
    """
    # Loading scikit-learn takes a second, which `sugeno --help` should not pay for.
    from sugeno.paper import experiments

    console = Console()
    start = time.monotonic()
    try:
        with show_progress(console) as progress:
            done = experiments.reproduce(
                _expanded(targets),
                out=out,
                splits=splits,
                jobs=jobs,
                seed=seed,
                datasets=datasets,
                columns=columns,
                progress=progress,
            )
    except KeyboardInterrupt as error:
        raise click.ClickException(
            f"Stopped. Finished splits are in {out / 'splits.jsonl'}; "
            "the same command goes on from there."
        ) from error
    _summarise(console, done, time.monotonic() - start)


def _summarise(console: Console, done: Reproduction, seconds: float) -> None:
    """Say what was done, what is missing, where the time went, and where the results are."""

    def say(line: str) -> None:
        console.print(line, highlight=False, markup=False, soft_wrap=True)

    for name, why in done.missing.items():
        say(f"Missing data set {name}: {why}")
    say(f"{done.measured} splits measured in {seconds:.0f} s.")
    if done.seconds:
        spent = sorted(done.seconds.items(), key=lambda pair: -pair[1])
        say("Core seconds: " + ", ".join(f"{name} {value:.1f}" for name, value in spent))
    for file in done.files:
        say(str(file))
