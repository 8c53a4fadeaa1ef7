"""Where a table comes from: files of the user, files of the package, or the web."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from sugeno.datasets._sources import Source

__all__ = ["Location", "cache_folder", "locate", "read_text"]

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
