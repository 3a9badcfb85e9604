"""`squadpress preflight`."""

from pathlib import Path

import click

from builder.cli.console import echo_findings
from builder.cli.options import PATH, format_option, lang_option
from builder.errors import UsageError
from builder.files import write_atomic
from builder.findings import Finding, sort_findings
from builder.messages import gettext as _
from builder.packs.profiles import load_preset
from builder.packs.project import Project, find_project
from builder.usecases.preflight.brief_findings import shorten_findings
from builder.usecases.preflight.checked_files import (
    IMAGE_EXTENSIONS,
    CheckedFile,
    FileReader,
    check_file,
    check_pair,
)
from builder.usecases.preflight.html_report import make_preflight_report
from builder.usecases.preflight.order_folder import check_folder


def _open_project(
    _context: click.Context, __: click.Parameter, value: Path | None
) -> Project:
    """Return the project whose presets are used.

    Outside of a project only the presets of the program are available.
    """
    try:
        return find_project(value or Path())
    except UsageError:
        if value is not None:
            raise
        return Project(Path().resolve())


@click.command()
@click.argument("file", type=PATH, metavar="FILE|FOLDER")
@click.option(
    "--backs",
    type=PATH,
    metavar="BACKS.pdf",
    help="PDF of the backs, if FILE has only the fronts.",
)
@click.option(
    "--preset",
    required=True,
    metavar="SHOP",
    help="Print shop whose specification is used.",
)
@lang_option
@format_option
@click.option(
    "--html",
    type=PATH,
    metavar="REPORT.html",
    help="Also write an HTML report with marked pages.",
)
@click.option(
    "--project",
    type=PATH,
    callback=_open_project,
    metavar="DIR",
    help=(
        "Project whose own presets are used as well. Default: the project that contains "
        "the current folder."
    ),
)
def preflight(
    file: Path,
    backs: Path | None,
    preset: str,
    lang: str,
    form: str,
    html: Path | None,
    project: Project,
) -> int:
    """Check a finished PDF, image or order against a print shop's specification.

    If fronts and backs are in two PDFs, --backs pairs their pages in order. In a FOLDER, all
    PDF files and images are checked, files named fronts and backs together. If there is a
    manifest, the order is checked against it.

    Exit code: 0 if the shop should accept it, 1 if there are errors.
    """
    shop = load_preset(project, preset)
    name = project.shorten_path(file)
    if backs is not None and (file.is_dir() or file.suffix.lower() in IMAGE_EXTENSIONS):
        raise UsageError(
            _("--backs needs a PDF of fronts"),
            _("Give that PDF. For images, give their folder."),
        )
    checked_files: tuple[CheckedFile, ...]
    folder_findings: tuple[Finding, ...] = ()
    if file.is_dir():
        checked_files, folder_findings = check_folder(file, shop)
    elif backs is not None:
        names = (name, project.shorten_path(backs))
        with FileReader() as reader:
            checked_files = reader.run_work(names, check_pair, file, backs, shop, names)
    else:
        with FileReader() as reader:
            checked_files = (reader.run_work((name,), check_file, file, shop, name),)
    all_findings = [*folder_findings]
    for checked_file in checked_files:
        all_findings += checked_file.findings
    findings = sort_findings(all_findings)
    if html is not None:
        report = make_preflight_report(
            Path(name).name or name, shop, checked_files, findings, lang
        )
        write_atomic(html, report.encode())
    if form == "text":
        findings = shorten_findings(findings)
    return echo_findings(findings, lang, form)
