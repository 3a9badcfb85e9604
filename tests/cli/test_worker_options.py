"""`--workers` and `--store`: what they take, and what they refuse."""

from __future__ import annotations

import os
import re

import pytest
from click.testing import CliRunner

from builder.cli.build.build import build
from builder.errors import UsageError
from builder.model.profile import Shared
from builder.usecases.build.build_options import WorkerPool, make_worker_pool

CORES = min(os.cpu_count() or 1, 8)


@pytest.mark.parametrize(
    ("workers", "store", "taken"),
    [
        (None, None, (CORES, None)),
        ("3", None, (3, None)),
        ("3", "faces", (3, Shared("faces"))),
        (None, "s3://bucket/faces", (CORES, Shared("s3://bucket/faces"))),
        (
            "dask://press.local:9000",
            "faces",
            (CORES, Shared("faces", "tcp://press.local:9000")),
        ),
        (
            "dask://press.local",
            "faces",
            (CORES, Shared("faces", "tcp://press.local:8786")),
        ),
        ("dask://[::1]:8786/", "faces", (CORES, Shared("faces", "tcp://[::1]:8786"))),
    ],
)
def test_what_is_taken(workers, store, taken):
    assert make_worker_pool(workers, store) == WorkerPool(*taken)


@pytest.mark.parametrize(
    ("workers", "store", "told"),
    [
        ("0", None, "must be a number from 1 to 64 or a cluster"),
        ("65", None, "must be a number"),
        ("two", None, "must be a number"),
        ("ray://host:1", "faces", "must be a number"),
        ("dask://", "faces", "has no scheduler address"),
        ("dask:host", "faces", "has no scheduler address"),
        ("dask://host:port", "faces", "has no scheduler address"),
        ("dask://host:99999", "faces", "has no scheduler address"),
        ("dask://host:1/path", "faces", "has no scheduler address"),
        ("dask://host:1", None, "needs --store"),
        ("dask://host:1", "", "needs --store"),
    ],
)
def test_what_is_refused(workers, store, told):
    with pytest.raises(UsageError, match=told) as raised:
        make_worker_pool(workers, store)
    assert raised.value.remedy


def test_the_environment_may_say_it(monkeypatch, tmp_path):
    (tmp_path / "cards").mkdir()
    monkeypatch.setenv("SQUADPRESS_WORKERS", "dask://host:1/path")
    run = CliRunner().invoke(build, ["--project", str(tmp_path)])
    assert isinstance(run.exception, UsageError)
    assert re.search("has no scheduler address", run.exception.message)
