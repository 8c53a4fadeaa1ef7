"""Model files: save a fitted classifier as JSON, and load it to predict the same.

A model file is data, never code: whoever loads one runs nothing that stands in it. It is described
by a JSON Schema in the package (``sugeno/_format/schema.json``) and in ``docs/model-files.md``.
"""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path
from typing import IO, Any

from sugeno._format import read_model, write_model
from sugeno._format.protocol import MAX_BYTES
from sugeno.estimators._reading import RuleClassifier
from sugeno.model.fitted import any_model_of

__all__ = ["dumps", "load", "loads", "save"]


def save(classifier: Any, file: str | os.PathLike[str] | IO[str]) -> None:
    """Write the model of a fitted classifier into a file, as JSON.

    The same model gives the same bytes. A file is replaced in one step. Even after a crash in the
    middle it holds the old model or the new one, never a part of it.

    Parameters
    ----------
    classifier : SugenoClassifier, SugenoDistiller, SugenoEnsembleClassifier, RuleClassifier, …
        Any fitted classifier with a ``model_``. What it learned is written, not the parameters
        that it learned with.
    file : path or text stream
        Where to. A stream is written to and stays open.

    Raises
    ------
    ModelFileError
        If the model cannot be written such that it can be read, for example because its class
        labels are neither numbers nor text.

    See Also
    --------
    load : Read the file.
    dumps : The same as a string.

    Examples
    --------
    >>> import os, tempfile
    >>> import sugeno
    >>> clf = sugeno.SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> path = os.path.join(tempfile.mkdtemp(), "model.json")
    >>> sugeno.save(clf, path)
    >>> print(sugeno.load(path).rules_)
    class 1 if x0 >= 3
    """
    text = dumps(classifier)
    if isinstance(file, str | os.PathLike):
        _replace(Path(file).resolve(), text)
    else:
        file.write(text)


def load(
    file: str | os.PathLike[str] | IO[str] | IO[bytes], *, max_bytes: int = MAX_BYTES
) -> RuleClassifier:
    """Read a classifier from a model file; it predicts as the saved one did, to the last bit.

    Parameters
    ----------
    file : path or stream
        A file that `save` wrote. A stream is read to its end.
    max_bytes : int, default=67108864
        Longer files are refused before they are read.

    Returns
    -------
    RuleClassifier
        Ready to predict, with the rules, probabilities, capacity and certificate of the saved
        classifier, or with the sum of steps of an ensemble.

    Raises
    ------
    ModelFileError
        If it is no model file, or one of a later protocol; the message says where it stumbles.

    Examples
    --------
    >>> import io
    >>> import sugeno
    >>> clf = sugeno.SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> stream = io.StringIO(sugeno.dumps(clf))
    >>> sugeno.load(stream).predict([[2], [3]])
    array([0, 1])
    """
    if isinstance(file, str | os.PathLike):
        with open(file, "rb") as stream:
            return loads(stream.read(max_bytes + 1), max_bytes=max_bytes)
    return loads(file.read(max_bytes + 1), max_bytes=max_bytes)


def dumps(classifier: Any) -> str:
    """Return the model of a fitted classifier as JSON.

    Parameters
    ----------
    classifier : SugenoClassifier, SugenoDistiller, SugenoEnsembleClassifier, RuleClassifier, …
        Any fitted classifier with a ``model_``.

    Returns
    -------
    str
        What `save` writes.

    Examples
    --------
    >>> import json
    >>> import sugeno
    >>> clf = sugeno.SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> json.loads(sugeno.dumps(clf))["classes"]
    {'type': 'int64', 'labels': [0, 1], 'ordered': True}
    """
    text = write_model(any_model_of(classifier))
    content = text.encode("utf-8", "surrogatepass")
    read_model(content, max_bytes=len(content))  # what cannot be read is not written
    return text


def loads(content: str | bytes, *, max_bytes: int = MAX_BYTES) -> RuleClassifier:
    """Read a classifier from the content of a model file.

    Parameters
    ----------
    content : str or bytes
        What `dumps` returned.
    max_bytes : int, default=67108864
        Longer contents are refused.

    Returns
    -------
    RuleClassifier
        Ready to predict.

    Raises
    ------
    ModelFileError
        If the content is no model.

    Examples
    --------
    >>> import sugeno
    >>> sugeno.loads('{"format": "something-else"}')
    Traceback (most recent call last):
    sugeno._exceptions.ModelFileError: The model file must be a JSON object with \
"format": "sugeno-model". Got something else; sugeno.save writes such files.
    """
    encoded = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return RuleClassifier.of(read_model(encoded, max_bytes=max_bytes))


def _replace(path: Path, text: str) -> None:
    """Write beside the file, make sure that it is on the disk, and rename."""
    if path.exists() and not path.is_file():  # such as /dev/stdout: there is nothing to replace
        path.write_text(text, encoding="utf-8")
        return
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        with open(beside, "x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            shutil.copymode(path, beside)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a loss of power, where folders can be opened (POSIX)."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
