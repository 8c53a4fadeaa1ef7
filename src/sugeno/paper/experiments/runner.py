"""Running measurements on many splits, in parallel, with every finished split saved at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from joblib import Parallel, delayed, parallel_config
from threadpoolctl import threadpool_limits

from sugeno.paper.experiments.data import DataSet
from sugeno.paper.experiments.journal import Journal, Key, Record
from sugeno.paper.experiments.measurements import Measurement, Part

__all__ = ["Item", "pending", "run"]


@dataclass(frozen=True, eq=False)
class Item:
    """A piece of work: some measurements on one split.

    Examples
    --------
    >>> from sugeno.paper.experiments.journal import Key
    >>> from sugeno.paper.experiments.runner import Item
    >>> Item(Key(0, "ESL", 20, 3), "c0ffee12", ()).key.split
    3
    """

    key: Key
    data: str
    measurements: tuple[Measurement, ...]


def pending(
    keys: Iterable[Key],
    fingerprints: Mapping[str, str],
    wanted: Mapping[str, Sequence[Measurement]],
    journal: Journal,
) -> list[Item]:
    """List the work that the journal does not have yet.

    A result counts as done when it is about the same data and has the same recipe.

    Parameters
    ----------
    keys : iterable of Key
        All splits.
    fingerprints : mapping of str to str
        Fingerprint of each data set.
    wanted : mapping of str to sequence of Measurement
        What to measure on each data set.
    journal : Journal
        What is known.

    Returns
    -------
    list of Item
        Work to do, in the order of ``keys``.

    Examples
    --------
    >>> from sugeno.paper.experiments.journal import Journal, Key
    >>> from sugeno.paper.experiments.columns import COLUMNS
    >>> from sugeno.paper.experiments.runner import pending
    >>> wanted = {"ESL": [COLUMNS["LR"]]}
    >>> len(pending([Key(0, "ESL", 20, 0)], {"ESL": "c0ffee12"}, wanted, Journal("none.jsonl")))
    1
    """
    items = []
    for key in keys:
        data = fingerprints[key.dataset]
        done = _recipes(journal.records.get(key), data)
        missing = tuple(m for m in wanted[key.dataset] if done.get(m.name) != m.recipe)
        if missing:
            items.append(Item(key, data, missing))
    return items


def _recipes(record: Record | None, data: str) -> dict[str, str]:
    """Recipes of the results that a record has about these data."""
    if record is None or record.data != data:
        return {}
    return {name: result["recipe"] for name, result in record.results.items()}


def run(
    items: Sequence[Item],
    datasets: Mapping[str, DataSet],
    journal: Journal,
    *,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, float]:
    """Do all the work and put every finished split into the journal at once.

    Work is handed out by joblib without naming a backend, so that
    ``joblib.parallel_config(backend="dask")`` decides where it is done.

    Parameters
    ----------
    items : sequence of Item
        The work.
    datasets : mapping of str to DataSet
        The data.
    journal : Journal
        Where results go. Only this process writes to it.
    jobs : int, optional
        Number of parallel jobs, as in joblib.
    progress : callable, optional
        Called with the number of finished items and of all items.

    Returns
    -------
    dict of str to float
        Seconds of computing per measurement, summed over all splits done now.

    Examples
    --------
    >>> from sugeno.paper.experiments.journal import Journal
    >>> from sugeno.paper.experiments.runner import run
    >>> run([], {}, Journal("none.jsonl"))
    {}
    """
    seconds: dict[str, float] = {}
    for done, (record, spent) in enumerate(_outcomes(items, datasets, jobs), start=1):
        journal.add(record)
        for name, value in spent.items():
            seconds[name] = seconds.get(name, 0.0) + value
        if progress is not None:
            progress(done, len(items))
    return seconds


def _outcomes(
    items: Sequence[Item], datasets: Mapping[str, DataSet], jobs: int | None
) -> Iterator[tuple[Record, dict[str, float]]]:
    """Yield what the items give, whichever is finished first."""
    parallel = Parallel(n_jobs=jobs, return_as="generator_unordered")
    outcomes: Iterator[tuple[Record, dict[str, float]]] = parallel(
        delayed(_measure)(item, datasets[item.key.dataset]) for item in items
    )
    return outcomes


def _measure(item: Item, dataset: DataSet) -> tuple[Record, dict[str, float]]:
    """Do one item in one thread; its inner cross-validations must not fan out any further."""
    part = dataset.part(item.key)
    results: dict[str, dict[str, Any]] = {}
    seconds: dict[str, float] = {}
    with threadpool_limits(1), parallel_config(backend="sequential"):
        for measurement in item.measurements:
            start = time.thread_time()
            results[measurement.name] = _measured(measurement, part, item.key)
            seconds[measurement.name] = time.thread_time() - start
    rows = (part.n_train, part.n_test)
    return Record(item.key, item.data, rows, results), seconds


def _measured(measurement: Measurement, part: Part, key: Key) -> dict[str, Any]:
    """Measure, and say where when something goes wrong."""
    try:
        return {"recipe": measurement.recipe, **measurement.measure(part)}
    except Exception as error:
        raise RuntimeError(
            f"{measurement.name} failed on split {key.split} of {key.dataset} at {key.share} % "
            f"training (seed {key.seed}): {error}"
        ) from error
