"""`squadpress serve` and `site`: the cards and squads for a browser."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from builder.cli.build.options import store_option, workers_option
from builder.cli.console import echo, echo_findings
from builder.cli.options import PATH, StateName, project_option
from builder.errata.snapshot import WORK
from builder.errors import ToolMissing, UsageError
from builder.messages import gettext as _, ngettext
from builder.packs.pack_files import PackFiles
from builder.packs.privacy import is_imported, refuse_imported
from builder.packs.project import Project
from builder.usecases.build.build_options import STORE, WORKERS, make_worker_pool
from builder.usecases.release.current import choose_releases


@contextmanager
def _require_web_packages() -> Iterator[None]:
    """Import the web packages. Raise ToolMissing if they are not installed."""
    try:
        yield
    except ImportError as error:
        hint = _("Install squadpress with its extra `web`: squadpress[web].")
        raise ToolMissing(_("the web pages need Django and its packages"), hint) from error


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
@click.option("--restore", type=PATH, metavar="FILE", help="Replace all squads with a backup.")
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
    make_worker_pool(workers or "1", store)
    with _require_web_packages():
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
    os.environ |= {name: value for name, value in ((WORKERS, workers), (STORE, store)) if value}
    if backup is not None or restore is not None:
        return _copy_squads(backup, restore)
    server.run_server(
        host,
        port,
        lambda address: echo(_("Squadpress runs at {address} (stop with Ctrl-C)", address=address)),
    )
    echo(_("stopped"))
    return 0


def _copy_squads(into: Path | None, source: Path | None) -> int:
    """Back up all squads to a file, or restore such a file. Raise UsageError for both at once."""
    from builder.web import backup, server

    if into is not None and source is not None:
        raise UsageError(
            _("--backup and --restore cannot be used together"), _("Give one of them.")
        )
    if into is not None:
        backup.write_backup(into)
        echo(_("backup of all squads written to {path}", path=into))
    if source is not None:
        changed = backup.restore_backup(source)
        server.migrate_database()
        echo(_("squads restored from {path}", path=source))
        if changed:
            echo(
                _("Restart running servers. Links and browsers depend on the secret in the backup.")
            )
    return 0


@click.command()
@click.argument("output", type=PATH, metavar="DIR")
@click.option(
    "--pack",
    "packs",
    multiple=True,
    metavar="PACK",
    help="Only this pack. Can be repeated.",
)
@click.option(
    "--base-url",
    default="",
    metavar="URL",
    help=("Address of the site, for feeds, previews and the sitemap."),
)
@click.option(
    "--as-of",
    type=StateName(),
    metavar="VERSION|DAY",
    help="Show this release. Default: the release in force today.",
)
@click.option("--work", is_flag=True, help="Show the working files, marked as not published.")
@project_option
def site(
    project: Project,
    output: Path,
    packs: tuple[str, ...],
    base_url: str,
    as_of: str | None,
    work: bool,
) -> int:
    """Write card pages as a static website for any file host: pictures, texts, search, history,
    releases.

    Shows the release in force. Packs without a release are skipped. A pack given with --pack
    must have one. A card that cannot be printed has no picture, and its errors are reported.

    Exit code: 0, or 1 if there are errors.
    """
    with _require_web_packages():
        from builder.web.site import write_site
    pack_ids: list[str] = []
    for pack in packs or (None,):
        pack_ids += project.choose_packs(pack)
    for pack in packs:
        refuse_imported(project, pack)
    for pack in tuple(pack_ids):
        if is_imported(project, pack):
            echo(_("{pack} is imported and therefore private: left out", pack=pack), err=True)
            pack_ids.remove(pack)
    if work and as_of:
        raise UsageError(_("--work and --as-of cannot be used together"), _("Give one of them."))
    state = WORK if work else as_of
    releases, messages = choose_releases(
        PackFiles(project), pack_ids, state, is_required=bool(packs)
    )
    for message in messages:
        echo(message, err=True)
    data = project.cache_dir / "site"
    written_site = write_site(
        project,
        releases,
        output,
        base_url,
        data,
        lambda what: echo(_("pictures: {what}", what=what)),
    )
    count = written_site.file_count
    echo(ngettext("{count} file in {folder}", "{count} files in {folder}", count, folder=output))
    return echo_findings(written_site.errors, err=True)
