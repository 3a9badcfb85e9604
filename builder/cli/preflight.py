"""`squadpress preflight`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.options import format_option

if TYPE_CHECKING:
    from builder.store.project import Project


def _project(_: click.Context, __: click.Parameter, value: Path | None) -> Project:
    """A file to judge may lie anywhere: without a project the program's own presets count."""
    from builder.errors import UsageError
    from builder.store.project import Project, find_project

    try:
        return find_project(value or Path.cwd())
    except UsageError:
        if value is not None:
            raise
        return Project(Path.cwd())


@click.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.pdf|FOLDER")
@click.option("--backs", type=click.Path(path_type=Path), metavar="BACKS.pdf", help="FILE holds the fronts to these.")
@click.option("--preset", "preset", required=True, metavar="SHOP", help="The print shop whose numbers count.")
@format_option
@click.option("--html", type=click.Path(path_type=Path), metavar="REPORT.html", help="Also draw the pages, marked.")
@click.option(
    "--project",
    type=click.Path(path_type=Path),
    callback=_project,
    metavar="DIR",
    help="A project whose own presets count too; by default the one around the working folder, if any.",
)
def preflight(file: Path, backs: Path | None, preset: str, form: str, html: Path | None, project: Project) -> int:
    """Judge a finished PDF, whoever made it, by what a print shop takes.

    Where fronts and backs lie in two files, --backs pairs their pages in order. Of a FOLDER all PDF files are judged,
    those called fronts and backs together.

    Ends with 0 if the shop should accept it and with 1 if there are errors.
    """
    from builder.errors import UsageError
    from builder.findings import has_errors
    from builder.report.formats import FORMATS
    from builder.store.atomic import write_atomic
    from builder.store.presets import load_preset
    from builder.usecases.preflight import preflight_file, preflight_folder, preflight_pair, preflight_report

    shop, name = load_preset(project, preset), project.relative(file)
    folder = file.is_dir()
    if html is not None and (folder or backs is not None):
        raise UsageError("a report draws the pages of one file", "Name one file, without --backs.")
    if folder and backs is not None:
        raise UsageError("--backs belongs to a file of fronts", "Name that file instead of the folder.")
    if folder:
        findings = preflight_folder(file, shop)
    elif backs is not None:
        findings = preflight_pair(file, backs, shop, (name, project.relative(backs)))
    elif html is None:
        findings = preflight_file(file, shop, name)
    else:
        findings, page = preflight_report(file, shop, name)
        write_atomic(html, page.encode())
    click.echo(FORMATS[form](findings), nl=False)
    return 1 if has_errors(findings) else 0
