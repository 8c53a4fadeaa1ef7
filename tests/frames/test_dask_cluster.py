"""A cluster of Dask: the same model from its processes, also when one of them dies on the way."""

import os
import signal
from pathlib import Path

import dask.dataframe as dd
import pytest
from dask.distributed import Client, KilledWorker, LocalCluster

from frames.engines import (
    in_memory,
    loans,
    nameless,
)
from sugeno import SugenoClassifier

pytestmark = [
    pytest.mark.xdist_group("dask"),  # one cluster
    # Sockets and processes of workers that died.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:distributed"),
]
LOANS = loans(120)


@pytest.fixture(scope="module")
def cluster():
    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    settings["scheduler_kwargs"] = {"allowed_failures": 1}  # deaths of workers, for each task
    quiet = {"dashboard_address": None, "silence_logs": "CRITICAL"}
    with LocalCluster(**settings, **quiet) as local, Client(local):
        yield local


def from_frame(frame):
    return SugenoClassifier(threshold=0.5).fit_frame(frame, "paid", features=["income", "debt"])


@pytest.fixture(scope="module")
def reference():
    X, y = in_memory(LOANS)
    return nameless(SugenoClassifier(threshold=0.5).fit(X[["income", "debt"]], y))


def dying(part, marker, always=False):
    """End the process that works on a part, once or each time."""
    first = not marker.exists()
    if first or always:
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return part


def frame_of_parts(partitions):
    return dd.from_pandas(LOANS.to_pandas(), npartitions=partitions)


def test_the_model_of_fit_byte_for_byte(cluster, reference):
    assert nameless(from_frame(frame_of_parts(4))) == reference


def test_a_worker_that_dies_changes_nothing(cluster, reference, tmp_path: Path):
    frame = frame_of_parts(2)
    marker = tmp_path / "died"
    mortal = frame.map_partitions(dying, marker, meta=frame._meta)
    assert nameless(from_frame(mortal)) == reference
    assert marker.exists()


def test_workers_that_keep_dying_are_an_error(cluster, tmp_path: Path):
    frame = frame_of_parts(1)
    mortal = frame.map_partitions(dying, tmp_path / "died", always=True, meta=frame._meta)
    with pytest.raises(KilledWorker, match="all those workers died"):
        from_frame(mortal)
