"""Where a table comes from: files of the user, files of the package, or the web.

Tables that cannot be shipped are downloaded; without a network an error says what to do.
"""

from __future__ import annotations

import gzip
import http.client
import io
import json
import os
import urllib.request
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import fetch_openml

from sugeno.datasets._sources import Archive, Source
from sugeno.datasets._table import columns_of, read_columns, select_columns, write_columns
from sugeno.datasets._tasks import TASKS

#: Environment variable with the folder of the user's own copies.
ENVIRONMENT_VARIABLE = "SUGENO_DATA"


@dataclass(frozen=True)
class Location:
    """Where a table would be read from.

    Attributes
    ----------
    kind : str
        ``"data_home"``, ``"SUGENO_DATA"``, ``"shipped"``, ``"download"`` or ``"missing"``.
    file : Traversable or None
        The file, for the first three.
    """

    kind: str
    file: Traversable | None = None


def cache_folder(data_home: str | os.PathLike[str] | None) -> Path:
    """Folder for downloads: ``data_home``, else ``sugeno`` in scikit-learn's data folder.

    scikit-learn's own function is not used because it creates the folder when it is asked.
    """
    if data_home is not None:
        return Path(data_home).expanduser()
    home = os.environ.get("SCIKIT_LEARN_DATA", "~/scikit_learn_data")
    return Path(home).expanduser() / "sugeno"


def locate(source: Source, data_home: str | os.PathLike[str] | None) -> Location:
    """Find a table without reading it and without touching the network."""
    for kind, folder in _folders(data_home):
        for name in (f"{source.key}.csv", f"{source.key}.csv.gz"):
            file = folder / name
            if file.is_file():
                return Location(kind, file)
    return Location("download" if source.downloadable else "missing")


def _folders(data_home: str | os.PathLike[str] | None) -> Iterator[tuple[str, Traversable]]:
    """Yield the folders in which to look, the user's own first."""
    if data_home is not None:
        yield "data_home", cache_folder(data_home)
    variable = os.environ.get(ENVIRONMENT_VARIABLE)
    if variable:
        yield ENVIRONMENT_VARIABLE, Path(variable).expanduser()
    yield "shipped", resources.files("sugeno.datasets") / "data"
    if data_home is None:
        yield "data_home", cache_folder(None)


def read_text(file: Traversable) -> str:
    """Text of a file, unpacked if its name ends in ``.gz``."""
    content = file.read_bytes()
    if file.name.endswith(".gz"):
        content = gzip.decompress(content)
    return decode(content)


def decode(content: bytes) -> str:
    """Decode a table; what is not UTF-8 can only stand in texts that no task reads."""
    return content.decode("utf-8-sig", errors="replace")


_TIMEOUT_SECONDS = 60

#: No connection, a broken one, or a page that is not the file, like that of a login to a network.
_NETWORK_ERRORS = (OSError, http.client.HTTPException, json.JSONDecodeError, zipfile.BadZipFile)


def download(source: Source, data_home: str | os.PathLike[str] | None) -> dict[str, list[str]]:
    """Fetch the columns that the tasks need; the caller checks them and stores them."""
    try:
        if source.openml is not None:
            return _from_openml(source.openml, source)
        if source.archive is not None:
            return _from_archive(source.archive, source)
    except _NETWORK_ERRORS as error:
        raise not_found(source, data_home, f"The download failed ({error}).") from error
    raise not_found(source, data_home, "It is not downloaded automatically.")


def _from_openml(number: int, source: Source) -> dict[str, list[str]]:
    """Fetch a table from OpenML; its own checksum is verified by scikit-learn."""
    with warnings.catch_warnings():
        # scikit-learn announces each new try; if all fail, our error says more.
        warnings.filterwarnings("ignore", message="A network error|Downloaded file could have")
        bunch = fetch_openml(data_id=number, as_frame=False, parser="liac-arff", cache=False)
    named = dict(zip(bunch.feature_names, _texts(bunch.data, bunch.feature_names, bunch)))
    (target,) = bunch.target_names
    named[target] = ["" if value is None else str(value) for value in bunch.target]
    return select_columns(named, source)


def _texts(data: Any, names: Sequence[str], bunch: Mapping[str, Any]) -> list[list[str]]:
    """Write the numbers of an OpenML table as the texts that they stand for."""
    categories: Mapping[str, Sequence[str]] = bunch["categories"]
    return [
        [_text(value, categories.get(name)) for value in column]
        for name, column in zip(names, np.asarray(data, dtype=np.float64).T)
    ]


def _text(value: float, categories: Sequence[str] | None) -> str:
    if np.isnan(value):
        return ""
    return repr(float(value)) if categories is None else categories[int(value)]


def _from_archive(archive: Archive, source: Source) -> dict[str, list[str]]:
    """Fetch a zip file and read one table in it, in whatever folder of the archive it lies."""
    request = urllib.request.Request(archive.url, headers={"User-Agent": "sugeno"})
    with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as answer:
        content = answer.read()
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        members = [name for name in packed.namelist() if Path(name).name == archive.member]
        if not members:
            raise ValueError(
                f"The archive {archive.url} must hold a file {archive.member}. Got "
                f"{len(packed.namelist())} other files instead; get the table by hand from "
                f"{source.page}."
            )
        return read_columns(decode(packed.read(members[0])), source, archive.url)


def store(
    columns: Mapping[str, Sequence[str]], source: Source, data_home: str | os.PathLike[str] | None
) -> Path:
    """Keep a download for the next time. The file appears complete or not at all."""
    folder = cache_folder(data_home)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{source.key}.csv.{os.getpid()}.part"
    unfinished.write_text(write_columns(columns), encoding="utf-8")
    return unfinished.replace(folder / f"{source.key}.csv")


def not_found(
    source: Source, data_home: str | os.PathLike[str] | None, reason: str
) -> FileNotFoundError:
    """Make the error that says what to download, from where, and where to put it."""
    file = f"{source.key}.csv"
    variable = os.environ.get(ENVIRONMENT_VARIABLE)
    lines = [
        f"The data set {source.title!r} is not on this computer. {reason}",
        f"What it is: {source.origin}. Licence: {source.licence}.",
        f"Where it is public: {source.page}",
        f"Where to put it: save the table as {cache_folder(data_home) / file}, or as {file} in the "
        f"folder that the environment variable {ENVIRONMENT_VARIABLE} names "
        f"({f'now {variable}' if variable else 'now not set'}).",
        f"Its header must name the columns {', '.join(columns_of(source))}{_other_names(source)}; "
        "the delimiter may be a comma, a semicolon or a tab.",
    ]
    if source.downloadable:
        name = next(task.name for task in TASKS.values() if task.key == source.key)
        lines.append(
            f"Or call sugeno.datasets.load({name!r}, data_home=FOLDER) where there is a network, "
            f"and take {file} from that folder."
        )
    return FileNotFoundError("\n".join(lines))


def _other_names(source: Source) -> str:
    """Say which other names of columns are understood."""
    if source.archive is not None:
        return f" (as in {source.archive.member}, which lies in the archive there)"
    return " (or as they are called there)" if source.aliases else ""
