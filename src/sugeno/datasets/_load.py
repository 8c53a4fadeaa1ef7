"""The loaders: one call from the name of a task to a scikit-learn ``Bunch``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from sugeno.datasets._locate import cache_folder, download, locate, read_text, store
from sugeno.datasets._sources import SOURCES, Source
from sugeno.datasets._table import read_columns, task_table, verify
from sugeno.datasets._tasks import TASKS, Task

PathLike = str | os.PathLike[str]


@overload
def load(
    name: str,
    *,
    data_home: PathLike | None = ...,
    as_frame: bool = ...,
    return_X_y: Literal[False] = ...,
) -> Bunch: ...
@overload
def load(
    name: str, *, data_home: PathLike | None = ..., as_frame: bool = ..., return_X_y: Literal[True]
) -> tuple[Any, Any]: ...
def load(
    name: str,
    *,
    data_home: PathLike | None = None,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Bunch | tuple[Any, Any]:
    """Load one of the paper's twelve tasks, with two classes.

    The rows are the complete ones, with their raw values: a criterion with direction -1 is not
    turned around. Copies of a data set differ in the order of their rows. So the rows are always
    sorted and then put into one fixed random order. The same split then selects the same rows
    whichever copy was read, and folds that are cut without shuffling resemble each other.

    Parameters
    ----------
    name : str
        One of DGS1, DGS2, DBS, MMG, MPG, ESL, ERA, BCC, BCW, LEV, HAB, ILP, in any case.
    data_home : str or path, optional
        A folder. Its files come first; after it the folder that the environment variable
        ``SUGENO_DATA`` names, then the files that the package ships. What is found in none of
        them is downloaded into ``data_home``, by default into ``sugeno`` in scikit-learn's data
        folder. Every copy must have the right checksum.
    as_frame : bool, default=False
        Give pandas objects; this needs pandas.
    return_X_y : bool, default=False
        Give ``(data, target)`` only.

    Returns
    -------
    Bunch
        With the attributes

        data : ndarray or DataFrame of shape (n_rows, n_criteria)
            Raw values.
        target : ndarray or Series of shape (n_rows,)
            1 for the positive class, else 0.
        frame : DataFrame or None
            Both together, when ``as_frame`` is True.
        feature_names : list of str
            Names of the criteria.
        target_names : list of str
            Names of the negative and the positive class.
        directions : ndarray of int of shape (n_criteria,)
            +1 where higher values speak for the positive class, -1 where lower ones do.
        source : str
            Where the data came from: ``"data_home"``, ``"SUGENO_DATA"``, ``"shipped"`` or
            ``"download"``.
        DESCR : str
            Source, licence, the rule behind the classes, and what is not certain.

    Raises
    ------
    FileNotFoundError
        When the data is not on this computer and cannot be downloaded; the message says what to
        get, from where, and where to put it.
    ValueError
        When the name is unknown or a file does not hold the data of the task.

    Examples
    --------
    >>> from sugeno.datasets import load
    >>> bunch = load("HAB")
    >>> bunch.data.shape, int(bunch.target.sum())
    ((306, 3), 81)
    >>> dict(zip(bunch.feature_names, bunch.directions.tolist()))
    {'age': 1, 'operation_year': -1, 'positive_axillary_nodes': 1}
    >>> X, y = load("esl", return_X_y=True)
    >>> X[0].tolist(), int(y[0])
    ([4.0, 3.0, 6.0, 6.0], 0)
    """
    task = _task(name, "load")
    table, kind = _table(task, data_home)
    return _bunch(
        table[:, :-1],
        task.rule(table[:, -1]),
        task,
        kind,
        target_column="target",
        target_names=list(task.classes),
        as_frame=as_frame,
        return_X_y=return_X_y,
    )


@overload
def load_raw(
    name: str,
    *,
    data_home: PathLike | None = ...,
    as_frame: bool = ...,
    return_X_y: Literal[False] = ...,
) -> Bunch: ...
@overload
def load_raw(
    name: str, *, data_home: PathLike | None = ..., as_frame: bool = ..., return_X_y: Literal[True]
) -> tuple[Any, Any]: ...
def load_raw(
    name: str,
    *,
    data_home: PathLike | None = None,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Bunch | tuple[Any, Any]:
    """Load one of the paper's tasks with its ordinal or numeric target, as it was published.

    The rows are those of :func:`load`, in the same order; only the target differs.

    Parameters
    ----------
    name : str
        One of DGS1, DGS2, DBS, MMG, MPG, ESL, ERA, BCC, BCW, LEV, HAB, ILP, in any case.
    data_home : str or path, optional
        A folder with files to read first, see :func:`load`.
    as_frame : bool, default=False
        Give pandas objects; this needs pandas.
    return_X_y : bool, default=False
        Give ``(data, target)`` only.

    Returns
    -------
    Bunch
        As for :func:`load`, but ``target`` holds the raw target (integers, or floats where the
        values are not whole), and ``target_names`` the name of its column.

    Examples
    --------
    >>> from sugeno.datasets import load_raw
    >>> bunch = load_raw("LEV")
    >>> bunch.target_names, sorted(set(bunch.target.tolist()))
    (['out'], [0, 1, 2, 3, 4])
    """
    task = _task(name, "load_raw")
    table, kind = _table(task, data_home)
    return _bunch(
        table[:, :-1],
        _whole(table[:, -1]),
        task,
        kind,
        target_column=task.rule.column,
        target_names=[task.rule.column],
        as_frame=as_frame,
        return_X_y=return_X_y,
    )


@dataclass(frozen=True)
class TaskInfo:
    """A task and where its data would come from.

    Attributes
    ----------
    name : str
        Name of the task.
    rows, positives, criteria : int
        Number of complete rows, of positive ones among them, and of criteria.
    source : str
        ``"data_home"``, ``"SUGENO_DATA"``, ``"shipped"``, ``"download"`` (not on this computer,
        but :func:`load` would fetch it) or ``"missing"`` (must be put in place by hand).

    Examples
    --------
    >>> from sugeno.datasets import available
    >>> available()[5].name
    'ESL'
    """

    name: str
    rows: int
    positives: int
    criteria: int
    source: str


class TaskList(tuple[TaskInfo, ...]):
    """The tasks, printed as a table.

    Examples
    --------
    >>> from sugeno.datasets import available
    >>> print(str(available()).splitlines()[0])
    name   rows  positives  criteria  source
    """

    __slots__ = ()

    def __repr__(self) -> str:
        lines = ["name   rows  positives  criteria  source"]
        lines += [
            f"{task.name:<4} {task.rows:>6} {task.positives:>10} {task.criteria:>9}  {task.source}"
            for task in self
        ]
        return "\n".join(lines)


def available(*, data_home: PathLike | None = None) -> TaskList:
    """List the tasks and where :func:`load` would get each from. Reads and fetches nothing.

    Parameters
    ----------
    data_home : str or path, optional
        The folder that would be given to :func:`load`.

    Returns
    -------
    TaskList
        A tuple of :class:`TaskInfo`, in the order of the paper, that prints as a table.

    Examples
    --------
    >>> from sugeno.datasets import available
    >>> [task.name for task in available()]
    ['DGS1', 'DGS2', 'DBS', 'MMG', 'MPG', 'ESL', 'ERA', 'BCC', 'BCW', 'LEV', 'HAB', 'ILP']
    """
    return TaskList(
        TaskInfo(
            name=task.name,
            rows=task.rows,
            positives=task.positives,
            criteria=len(task.criteria),
            source=locate(SOURCES[task.key], data_home).kind,
        )
        for task in TASKS.values()
    )


def _task(name: object, function: str) -> Task:
    """Look a task up by its name in any case."""
    task = TASKS.get(name.upper()) if isinstance(name, str) else None
    if task is None:
        raise ValueError(
            f"The 'name' parameter of {function} must be one of {', '.join(TASKS)}. "
            f"Got {name!r} instead."
        )
    return task


def _table(task: Task, data_home: PathLike | None) -> tuple[NDArray[np.float64], str]:
    """Verified table of a task, and the kind of place that it came from."""
    source = SOURCES[task.key]
    location = locate(source, data_home)
    if location.file is None:
        return _mixed(_downloaded(task, source, data_home)), location.kind
    origin = f"the file {location.file}"
    columns = read_columns(read_text(location.file), source, origin)
    table = task_table(columns, task, source)
    verify(table, task, origin, "remove or replace that file")
    return _mixed(table), location.kind


def _mixed(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows in one fixed random order."""
    return table[np.random.default_rng(0).permutation(len(table))]


def _downloaded(task: Task, source: Source, data_home: PathLike | None) -> NDArray[np.float64]:
    """Download a table; only what passes the checksum is kept."""
    columns = download(source, data_home)
    table = task_table(columns, task, source)
    own_copy = cache_folder(data_home) / f"{source.key}.csv"
    verify(table, task, source.page, f"find the original table and save it as {own_copy}")
    store(columns, source, data_home)
    return table


def _whole(values: NDArray[np.float64]) -> NDArray[Any]:
    """Integers where all values are whole, else the floats as they are."""
    whole = values.astype(np.int64)
    return whole if (whole == values).all() else values


def _bunch(
    data: NDArray[np.float64],
    target: NDArray[Any],
    task: Task,
    kind: str,
    *,
    target_column: str,
    target_names: list[str],
    as_frame: bool,
    return_X_y: bool,
) -> Bunch | tuple[Any, Any]:
    """Put the parts together as scikit-learn's loaders do."""
    X, y, frame = data, target, None
    if as_frame:
        X, y, frame = _as_frame(data, target, task.criteria, target_column)
    if return_X_y:
        return X, y
    return Bunch(
        data=X,
        target=y,
        frame=frame,
        feature_names=task.criteria,
        target_names=target_names,
        directions=task.directions,
        source=kind,
        DESCR=_description(task, SOURCES[task.key]),
    )


def _as_frame(
    data: NDArray[np.float64], target: NDArray[Any], criteria: list[str], target_column: str
) -> tuple[Any, Any, Any]:
    """Give the data, the target and both together as pandas objects."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            "as_frame=True needs pandas, which is not installed. "
            "Install it with 'pip install pandas', or use as_frame=False."
        ) from error
    frame = pd.DataFrame(data, columns=criteria)
    frame[target_column] = target
    return frame[criteria], frame[target_column], frame


def _description(task: Task, source: Source) -> str:
    """Text for ``DESCR``."""
    criteria = ", ".join(
        f"{'+' if direction > 0 else '-'}{name}"
        for name, direction in zip(task.criteria, task.directions)
    )
    title = f"{task.name}: {source.title}"
    lines = [
        title,
        "=" * len(title),
        "",
        f"Rows: {task.rows} complete ones, in one fixed random order",
        f"Criteria (higher values speak for + or against - the positive class): {criteria}",
        f"Raw target: {task.rule.column}",
        f"Positive class: {task.rule} ({task.classes[1]}), {task.positives} rows "
        f"({task.positives / task.rows:.3f}); negative class: {task.classes[0]}",
        f"Source: {source.origin}; {source.page}",
        f"Licence: {source.licence}",
        f"Shipped file: {f'from {source.package}' if source.package else 'none'}",
        f"SHA-256 of the table: {task.checksum}",
    ]
    if task.note:
        lines.append(f"Note: {task.note}")
    return "\n".join(lines)
