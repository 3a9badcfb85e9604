"""`squadpress release publish`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.options import lang_option, pack_option, project_option
from builder.messages import gettext as _
from builder.messages import translate

if TYPE_CHECKING:
    from builder.store.project import Project


@click.command()
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", help="Default: output/PACK/publish.")
@click.option("--no-pdf", is_flag=True, help="Leave out the printable files.")
@lang_option
@pack_option
@project_option
def publish(output: Path | None, no_pdf: bool, lang: str, pack: str | None, project: Project) -> int:
    """Write all releases as static files for a web server: JSON, notes, prints, and the digest of every byte."""
    from builder.cli.console import Bar
    from builder.findings import has_errors
    from builder.report.findings import as_text
    from builder.usecases.release.publish import publish as verb
    from builder.usecases.release.states import one_pack

    name = one_pack(project, pack)
    folder = output or project.output_dir(name) / "publish"
    with Bar(quiet=False) as bar:
        made = verb(project, name, folder, prints=not no_pdf, workers=min(os.cpu_count() or 1, 8), progress=bar.step)
    if made.findings:
        click.echo(as_text(made.findings, lang), nl=False, err=True)
    if made.files:
        form = _("{many} files in {folder}; prove them there with: sha256sum -c SHA256SUMS")
        click.echo(translate(_(form, many=len(made.files), folder=folder), lang))
    return 1 if has_errors(made.findings) else 0
