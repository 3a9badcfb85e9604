"""`--workers` and `--store`: what they take, and what they refuse."""

from __future__ import annotations

import os
import re

import pytest
from click.testing import CliRunner

from builder.cli.build.build import build
from builder.errors import UsageError
from builder.model.profile import Shared
from builder.usecases.build.build_options import WorkerPool, worker_pool

CORES = min(os.cpu_count() or 1, 8)


@pytest.mark.parametrize(
    ("workers", "store", "taken"),
    [
        (None, None, (CORES, None)),
        ("3", None, (3, None)),
        ("3", "faces", (3, Shared("faces"))),
        (None, "s3://bucket/faces", (CORES, Shared("s3://bucket/faces"))),
        ("dask://press.local:9000", "faces", (CORES, Shared("faces", "tcp://press.local:9000"))),
        ("dask://press.local", "faces", (CORES, Shared("faces", "tcp://press.local:8786"))),
        ("dask://[::1]:8786/", "faces", (CORES, Shared("faces", "tcp://[::1]:8786"))),
    ],
)
def test_what_is_taken(workers, store, taken):
    assert worker_pool(workers, store) == WorkerPool(*taken)


@pytest.mark.parametrize(
    ("workers", "store", "told"),
    [
        ("0", None, "neither a number from 1 to 64 nor a cluster"),
        ("65", None, "neither a number"),
        ("two", None, "neither a number"),
        ("ray://host:1", "faces", "neither a number"),
        ("dask://", "faces", "names no scheduler"),
        ("dask:host", "faces", "names no scheduler"),
        ("dask://host:port", "faces", "names no scheduler"),
        ("dask://host:99999", "faces", "names no scheduler"),
        ("dask://host:1/path", "faces", "names no scheduler"),
        ("dask://host:1", None, "needs --store"),
        ("dask://host:1", "", "needs --store"),
    ],
)
def test_what_is_refused(workers, store, told):
    with pytest.raises(UsageError, match=told) as raised:
        worker_pool(workers, store)
    assert raised.value.remedy


def test_the_environment_may_say_it(monkeypatch, tmp_path):
    (tmp_path / "cards").mkdir()
    monkeypatch.setenv("SQUADPRESS_WORKERS", "dask://host:1/path")
    run = CliRunner().invoke(build, ["--project", str(tmp_path)])
    assert isinstance(run.exception, UsageError)
    assert re.search("names no scheduler", run.exception.message)
