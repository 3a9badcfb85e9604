"""Who sets faces, from what a person or the environment says of it."""

import os
from urllib.parse import urlsplit

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.usecases.build.options import WorkerPool

WORKERS, STORE = "SQUADPRESS_WORKERS", "SQUADPRESS_STORE"
"""Variables of the environment."""
CORES = min(os.cpu_count() or 1, 8)
"""Processes that set cards where none asks for another number."""
MOST = 64
PORT = 8786
"""Where a dask scheduler listens unless it is told otherwise."""


def worker_pool(workers: str | None, store: str | None) -> WorkerPool:
    """Processes here, and what is shared with other machines.

    Raises UsageError for a number out of range, an address that is none, and a cluster without a store.
    """
    scheduler = _scheduler(workers) if workers is not None and workers.startswith("dask:") else None
    count = CORES if scheduler is not None else _processes(workers)
    if not store and scheduler is None:
        return WorkerPool(count)
    if not store:
        raise UsageError(
            _("--workers {asked} needs --store: a place for set faces that all machines see", asked=workers),
            _("--store /srv/faces for a shared folder, or a URL such as --store s3://bucket/faces."),
        )
    from builder.model.profile import Shared  # loads the models: a build with nothing to do needs none

    return WorkerPool(count, Shared(store, scheduler))


def _processes(asked: str | None) -> int:
    if asked is None:
        return CORES
    if asked.isdecimal() and 1 <= int(asked) <= MOST:
        return int(asked)
    raise UsageError(
        _("--workers {asked}: neither a number from 1 to {most} nor a cluster", asked=asked, most=MOST),
        _("Write --workers 4 for four processes here, --workers dask://HOST:PORT for the workers of a dask scheduler."),
    )


def _scheduler(asked: str) -> str:
    """A scheduler's address as the engine takes it."""
    try:
        parts = urlsplit(asked)
        host, port = parts.hostname, parts.port or PORT
        plain = not (parts.username or parts.path.strip("/") or parts.query or parts.fragment)
    except ValueError:
        host, port, plain = None, PORT, False
    if not host or not plain:
        raise UsageError(
            _("--workers {asked} names no scheduler", asked=asked),
            _("Write its host and port: --workers dask://press.local:8786. A scheduler prints them when it starts."),
        )
    return f"tcp://[{host}]:{port}" if ":" in host else f"tcp://{host}:{port}"
