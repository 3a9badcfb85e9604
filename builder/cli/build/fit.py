"""`squadpress fit`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from builder.cli.build.options import grouped, lang_option, only_option, selection
from builder.cli.language import interface_language
from builder.cli.options import as_of_option, project_option

if TYPE_CHECKING:
    from builder.store.project import Project
    from builder.usecases.build.options import Selection


@click.command()
@click.argument("pack", required=False)
@grouped("select", selection, lang_option, only_option, as_of_option)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How it is written.")
@project_option
def fit(project: Project, pack: str | None, form: str, select: Selection) -> int:
    """List every text block of PACK that had to shrink, worst first, and the emptiest.

    Ends with 0, or 1 where cards could not be set at all.
    """
    from builder.cli.console import Bar
    from builder.findings import has_errors
    from builder.report.findings import FORMATS
    from builder.report.fit import fit_json, fit_text
    from builder.usecases.build.fit import fit_report
    from builder.usecases.build.options import WorkerPool

    workers = WorkerPool(min(os.cpu_count() or 1, 8))
    status = 0
    for each in project.choose(pack):
        with Bar(quiet=form == "json") as bar:
            report, findings = fit_report(project, each, select, workers, bar.step)
        click.echo(fit_json(report) if form == "json" else fit_text(report, interface_language()), nl=False)
        if has_errors(findings):
            click.echo(FORMATS["text"](findings, interface_language()), nl=False, err=True)
            status = 1
    return status
