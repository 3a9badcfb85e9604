"""`squadpress serve` and `site`: the cards and squads for a browser."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from builder.cli.build.options import store_option, workers_option
from builder.cli.console import echo
from builder.cli.options import PATH, StateName, project_option
from builder.errata.snapshot import WORK
from builder.errors import ToolMissing, UsageError
from builder.messages import gettext as _, ngettext
from builder.packs.project import Project
from builder.usecases.build.build_options import STORE, WORKERS, worker_pool
from builder.usecases.pack_files import PackFiles
from builder.usecases.release.current import choose_releases


@contextmanager
def _installed() -> Iterator[None]:
    """Import what the pages are made with; ToolMissing where it is not there."""
    try:
        yield
    except ImportError as error:
        hint = _("Install squadpress with its extra `web`: squadpress[web].")
        raise ToolMissing(_("the pages need Django and its companions"), hint) from error


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen to; 0.0.0.0: any network.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="0: any free port.",
)
@click.option(
    "--data",
    type=PATH,
    metavar="DIR",
    help="Where squads are kept. Default: the user's data folder.",
)
@click.option(
    "--backup",
    type=PATH,
    metavar="FILE",
    help="Copy all squads into a file, also while they are served.",
)
@click.option(
    "--restore", type=PATH, metavar="FILE", help="Put such a copy in the place of all squads."
)
@workers_option
@store_option
@project_option
def serve(
    project: Project, host: str, port: int, data: Path | None, backup: Path | None, restore: Path | None,
    workers: str | None, store: str | None,
) -> int:  # fmt: skip
    """Let squads be built in a browser: on this machine, or on every device of its network. Ctrl-C ends it."""
    worker_pool(workers or "1", store)
    with _installed():
        from builder.web import server
    os.environ |= {"SQUADPRESS_PROJECT": str(project.root), "SQUADPRESS_HOST": host}
    if data is not None:
        os.environ["SQUADPRESS_DATA"] = str(data)
    os.environ |= {name: value for name, value in ((WORKERS, workers), (STORE, store)) if value}
    if backup is not None or restore is not None:
        return _copied(backup, restore)
    server.run_server(
        host,
        port,
        lambda address: echo(_("squads are built at {address} (Ctrl-C ends)", address=address)),
    )
    echo(_("ended"))
    return 0


def _copied(into: Path | None, source: Path | None) -> int:
    """Copy all squads into a file, or put such a copy back. UsageError where both are asked for."""
    from builder.web import backup, server

    if into is not None and source is not None:
        raise UsageError(_("--backup and --restore are two tasks"), _("Give one of them."))
    if into is not None:
        backup.write_backup(into)
        echo(_("all squads are in {path}", path=into))
    if source is not None:
        changed = backup.restore_backup(source)
        server.migrate_database()
        echo(_("the squads of {path} are back", path=source))
        if changed:
            echo(
                _("Start servers that run anew: links and browsers follow the secret of the copy.")
            )
    return 0


@click.command()
@click.argument("output", type=PATH, metavar="DIR")
@click.option(
    "--pack",
    "packs",
    multiple=True,
    metavar="PACK",
    help="Only this pack. May be given several times.",
)
@click.option(
    "--base-url", default="", metavar="URL", help="Its address: for feeds, previews, the sitemap."
)
@click.option(
    "--as-of",
    type=StateName(),
    metavar="VERSION|DAY",
    help="Show this release. Default: the one in force today.",
)
@click.option("--work", is_flag=True, help="Show the edited files, labelled as not published.")
@project_option
def site(
    project: Project,
    output: Path,
    packs: tuple[str, ...],
    base_url: str,
    as_of: str | None,
    work: bool,
) -> int:
    """Write the cards' pages as a static site that any file host serves: faces, texts, search, history, releases.

    Shows the release in force. Packs without one are skipped. A pack named with --pack must have one.
    """
    with _installed():
        from builder.web.site import write_site
    chosen = [name for pack in packs or (None,) for name in project.choose(pack)]
    if work and as_of:
        raise UsageError(_("--work and --as-of cannot be used together"), _("Give one of them."))
    state = WORK if work else as_of
    shown, messages = choose_releases(PackFiles(project), chosen, state, is_required=bool(packs))
    for message in messages:
        echo(message, err=True)
    data = project.cache_dir / "site"
    many = write_site(
        project, shown, output, base_url, data, lambda what: echo(_("pictures: {what}", what=what))
    )
    echo(ngettext("{count} file in {folder}", "{count} files in {folder}", many, folder=output))
    return 0
