"""`squadpress release publish`."""

from datetime import date
from pathlib import Path

import click

from builder.cli.console import ProgressBar, echo, echo_findings
from builder.cli.options import (
    PATH,
    WebAddress,
    lang_option,
    pack_option,
    project_option,
)
from builder.errata.release import ReleaseState, find_state
from builder.findings import has_errors
from builder.messages import gettext as _
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.releases.package import open_package
from builder.usecases.build.build_options import CORES, WorkerPool
from builder.usecases.pack_states import choose_pack


@click.command()
@click.option(
    "--output",
    type=PATH,
    metavar="DIR",
    help=("Output folder. Default: output/PACK/publish."),
)
@click.option(
    "--base-url",
    type=WebAddress(),
    default="",
    metavar="URL",
    help="The address where the folder will be, for the links in feeds.",
)
@click.option("--no-pdf", is_flag=True, help="Write no PDFs and no notes as HTML.")
@lang_option
@pack_option
@project_option
def publish(
    output: Path | None,
    base_url: str,
    no_pdf: bool,
    lang: str,
    pack: str | None,
    project: Project,
) -> int:
    """Write all releases as files for a web server: JSON, notes, feeds, PDFs, and SHA256SUMS."""
    from builder.usecases.release.publish import make_printer, publish_releases

    name = choose_pack(project, pack)
    folder = output or project.get_output_dir(name) / "publish"
    with ProgressBar() as bar:
        prints = (
            None
            if no_pdf
            else make_printer(project, WorkerPool(CORES, progress=bar.step))
        )
        releases = PackFiles(project).open_releases(name)
        files, findings = publish_releases(releases, name, prints, base_url=base_url)
    echo_findings(findings, lang, err=True)
    if files:
        with open_package(folder) as box:
            for path, data in files.items():
                box.write_file(path, data)
            box.write_sums()
        form = _(
            "{many} files in {folder}. Verify them there with: sha256sum -c SHA256SUMS"
        )
        echo(_(form, many=len(box.hashes), folder=folder), lang)
        all_releases = PackFiles(project).open_releases(name).list_releases()
        for item in all_releases:
            if find_state(item, all_releases, date.today()) is ReleaseState.PLANNED:
                form = _("{version} takes effect on {day}. Publish again on that day.")
                echo(_(form, version=item.version, day=item.effective), lang)
    return 1 if has_errors(findings) else 0
