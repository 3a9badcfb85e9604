"""`squadpress site`."""

from pathlib import Path

import click

from builder.cli.console import ProgressBar, echo, echo_findings
from builder.cli.options import PATH, StateName, WebAddress, project_option
from builder.cli.private_packs import omit_imported_packs
from builder.cli.web_packages import require_web_packages
from builder.errata.snapshot import WORK
from builder.errors import UsageError
from builder.messages import gettext as _, ngettext
from builder.packs.pack_files import PackFiles
from builder.packs.privacy import refuse_imported
from builder.packs.project import Project
from builder.usecases.release.current import choose_releases


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
    type=WebAddress(),
    default="",
    metavar="URL",
    help="Address of the site, for feeds, previews and the sitemap.",
)
@click.option(
    "--as-of",
    type=StateName(),
    metavar="VERSION|DAY",
    help="Show this release. Default: the release in force today.",
)
@click.option(
    "--work", is_flag=True, help="Show the working files, marked as not published."
)
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
    with require_web_packages():
        from builder.web.site import SiteProgress, write_site
    pack_ids: list[str] = []
    for pack in packs or (None,):
        pack_ids += project.choose_packs(pack)
    for pack in packs:
        refuse_imported(project, pack)
    pack_ids = omit_imported_packs(project, pack_ids)
    if work and as_of:
        raise UsageError(
            _("--work and --as-of cannot be used together"), _("Give one of them.")
        )
    state = WORK if work else as_of
    releases, messages = choose_releases(
        PackFiles(project), pack_ids, state, is_required=bool(packs)
    )
    for message in messages:
        echo(message, err=True)
    data = project.cache_dir / "site"
    with ProgressBar() as bar:
        progress = SiteProgress(
            lambda what: echo(_("pictures: {what}", what=what)),
            bar.step,
            lambda count: echo(_("files written: {count}", count=count), err=True),
        )
        written_site = write_site(project, releases, output, base_url, data, progress)
    count = written_site.file_count
    echo(
        ngettext(
            "{count} file in {folder}",
            "{count} files in {folder}",
            count,
            folder=output,
        )
    )
    return echo_findings(written_site.errors, err=True)
