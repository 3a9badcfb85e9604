"""`squadpress fit`."""

import click

from builder.cli.build.options import lang_option, only_option
from builder.cli.console import ProgressBar, echo_findings, write
from builder.cli.language import get_interface_language
from builder.cli.options import as_of_option, group_options, project_option
from builder.packs.project import Project
from builder.report.fit import format_fit_report
from builder.report.type_sizes import format_type_sizes
from builder.usecases.build.build_options import CORES, Selection, WorkerPool
from builder.usecases.build.type_sizes import measure_sizes
from builder.usecases.build.typeset import report_fit


@click.command()
@click.argument("pack", required=False)
@click.option(
    "--sizes",
    "shows_sizes",
    is_flag=True,
    help="Show the type sizes and the emptiest face of each kind, and which texts to shorten.",
)
@group_options("select", Selection, lang_option, only_option, as_of_option)
@project_option
def fit(
    project: Project, pack: str | None, select: Selection, shows_sizes: bool
) -> int:
    """List every text of PACK that was shrunk, smallest first, and the emptiest blocks.

    Exit code: 0, or 1 if a card could not be rendered.
    """
    status = 0
    for pack_id in project.choose_packs(pack):
        with ProgressBar() as bar:
            workers = WorkerPool(CORES, progress=bar.step)
            if shows_sizes:
                kinds, findings = measure_sizes(project, pack_id, select, workers)
                text = format_type_sizes(pack_id, kinds, get_interface_language())
            else:
                report, findings = report_fit(project, pack_id, select, workers)
                text = format_fit_report(report, get_interface_language())
        write(text, nl=False)
        status = max(status, echo_findings(findings, err=True))
    return status
