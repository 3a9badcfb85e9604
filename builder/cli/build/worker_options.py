"""`--workers` and `--store`: who sets faces, and where machines share them."""

from __future__ import annotations

import os
from collections.abc import Callable, MutableMapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from builder.messages import gettext as _

if TYPE_CHECKING:
    from builder.model.shared import Shared

MOST = 64
PORT = 8786
"""Where a dask scheduler listens unless it is told otherwise."""

_OPTIONS = (
    click.option(
        "--workers",
        envvar="SQUADPRESS_WORKERS",
        metavar="N|dask://HOST:PORT",
        help="Processes that set cards, by default one per core, up to 8; or a cluster, which needs --store.",
    ),
    click.option(
        "--store",
        envvar="SQUADPRESS_STORE",
        metavar="DIR|URL",
        help="Take set faces from a store that machines share, and put new ones there. Or $SQUADPRESS_STORE.",
    ),
)


def worker_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Both of them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def take_workers(options: MutableMapping[str, Any]) -> tuple[int, Shared | None]:
    """What they say, taken out of the options: processes here, and what is shared with other machines.

    Raises UsageError for a number out of range, an address that is none, and a cluster without a store.
    """
    from builder.errors import UsageError
    from builder.model.shared import Shared

    asked, store = options.pop("workers"), options.pop("store") or None
    here = min(os.cpu_count() or 1, 8)
    if asked is None or not asked.startswith("dask:"):
        return _processes(asked, here), Shared(store) if store else None
    scheduler = _scheduler(asked)
    if store is None:
        raise UsageError(
            _("--workers {asked} needs --store: a place for set faces that all machines see", asked=asked),
            _("--store /srv/faces for a shared folder, or a URL such as --store s3://bucket/faces."),
        )
    return here, Shared(store, scheduler)


def _processes(asked: str | None, default: int) -> int:
    """A number of processes."""
    from builder.errors import UsageError

    if asked is None:
        return default
    if asked.isdecimal() and 1 <= int(asked) <= MOST:
        return int(asked)
    raise UsageError(
        _("--workers {asked}: neither a number from 1 to {most} nor a cluster", asked=asked, most=MOST),
        _("Write --workers 4 for four processes here, --workers dask://HOST:PORT for the workers of a dask scheduler."),
    )


def _scheduler(asked: str) -> str:
    """A scheduler's address as the engine takes it."""
    from builder.errors import UsageError

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
