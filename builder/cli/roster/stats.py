"""`squadpress roster stats`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from builder.cli.build.screen import console
from builder.cli.options import project_option
from builder.cli.roster.options import lang_option, print_judged

if TYPE_CHECKING:
    from builder.store.project import Project


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@lang_option
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print it."
)
@click.option(
    "--output", type=click.Path(path_type=Path), metavar="FILE", help="Also write it: a .pdf, .svg or .html file."
)
@project_option
def stats(file: Path, lang: str | None, form: Literal["text", "json"], output: Path | None, project: Project) -> int:
    """Count the squad in FILE: points by role, and expected hits and damage of each attack against the pack's targets.

    Every outcome of the dice is counted, none is simulated. How attacks are rolled stands in the pack's stats.yaml.
    """
    from builder.cli.roster.stats_text import print_stats
    from builder.report.stats import as_json
    from builder.usecases.files import judge_files
    from builder.usecases.roster.stats import declared, statistics
    from builder.usecases.roster.stats_files import words, write_stats

    screen = console()
    judged = next(iter(judge_files(project, (file,), lang)))
    if judged.squad is None or judged.judge is None:
        print_judged(screen, judged)
        return 1
    sheet = statistics(judged, declared(project, judged.judge.pack))
    assert sheet is not None
    if form == "json":
        click.echo(as_json(sheet), nl=False)
    else:
        print_judged(screen, judged)
        print_stats(screen, sheet, words(judged.lang))
    if output is not None:
        write_stats(project, judged.judge.pack, sheet, output)
        click.echo(str(output), err=form == "json")
    return 0
