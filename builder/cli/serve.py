"""`squadpress serve`."""

import os
from pathlib import Path

import click

from builder.cli.build.options import store_option, workers_option
from builder.cli.console import echo
from builder.cli.options import PATH, project_option
from builder.cli.web_packages import require_web_packages
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.packs.project import Project
from builder.usecases.build.build_options import STORE, WORKERS, make_worker_pool


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on. 0.0.0.0: all networks.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port. 0: any free port.",
)
@click.option(
    "--data",
    type=PATH,
    metavar="DIR",
    help="Folder for squads. Default: the user's data folder.",
)
@click.option(
    "--backup",
    type=PATH,
    metavar="FILE",
    help="Write a backup of all squads into a file. The server may be running.",
)
@click.option(
    "--restore", type=PATH, metavar="FILE", help="Replace all squads with a backup."
)
@click.option(
    "--private",
    "shows_private",
    is_flag=True,
    help="Also show imported packs. Everybody who can reach the address sees them.",
)
@workers_option
@store_option
@project_option
def serve(
    project: Project,
    host: str,
    port: int,
    data: Path | None,
    backup: Path | None,
    restore: Path | None,
    shows_private: bool,
    workers: str | None,
    store: str | None,
) -> int:
    """Build squads in a browser, on this machine or on every device of its network. Stop with
    Ctrl-C.
    """
    # Refuses wrong values at once: the server uses them only for the first picture.
    make_worker_pool(workers or "1", store)
    with require_web_packages():
        from builder.web import server
    if shows_private and os.environ.get("SQUADPRESS_ORIGIN"):
        raise UsageError(
            _("--private is not for a server with a public address"),
            _("Unset SQUADPRESS_ORIGIN, or start the server without --private."),
        )
    os.environ |= {
        "SQUADPRESS_PROJECT": str(project.root),
        "SQUADPRESS_HOST": host,
        "SQUADPRESS_PRIVATE": "1" if shows_private else "",
    }
    if data is not None:
        os.environ["SQUADPRESS_DATA"] = str(data)
    # The server starts processes, which read their settings from the environment.
    for name, value in ((WORKERS, workers), (STORE, store)):
        if value:
            os.environ[name] = value
    if backup is not None or restore is not None:
        return _copy_squads(backup, restore)
    server.run_server(
        host,
        port,
        lambda address: echo(
            _("Squadpress runs at {address} (stop with Ctrl-C)", address=address)
        ),
    )
    echo(_("stopped"))
    return 0


def _copy_squads(target: Path | None, source: Path | None) -> int:
    """Back up all squads to a file, or restore them from one. Raise UsageError for both at once."""
    from builder.web import backup, server

    if target is not None and source is not None:
        raise UsageError(
            _("--backup and --restore cannot be used together"), _("Give one of them.")
        )
    if target is not None:
        backup.write_backup(target)
        echo(_("backup of all squads written to {path}", path=target))
    if source is not None:
        is_secret_changed = backup.restore_backup(source)
        server.migrate_database()
        echo(_("squads restored from {path}", path=source))
        if is_secret_changed:
            message = _(
                "Restart running servers. Links and browsers depend on the secret in the backup."
            )
            echo(message)
    return 0
