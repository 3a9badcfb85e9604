"""`squadpress roster check`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.options import as_of_option, format_option, project_option
from builder.cli.roster_options import console, files_argument, lang_option, print_judged

if TYPE_CHECKING:
    from builder.store.project import Project


@click.command()
@files_argument
@lang_option
@as_of_option
@click.option("--explain", is_flag=True, help="The smallest conflict and the cheapest repairs; how close each rule is.")
@format_option
@project_option
def check(
    files: tuple[Path, ...], lang: str | None, as_of: str | None, explain: bool, form: str, project: Project
) -> int:
    """Judge each roster FILE by the rules of its pack: as they are, or as the release it is pinned to had them.

    Ends with 0 if all are legal and with 1 if not.
    """
    from builder.report.formats import FORMATS
    from builder.usecases.roster_check import judge_rosters

    if explain:
        from builder.usecases.roster_explain import explained
    judged = []
    screen = console()
    for one in judge_rosters(project, files, lang, as_of):
        judged.append(one)
        if form == "text":
            print_judged(screen, one)
            for told in explained(one) if explain else ():
                screen.print(f"  {told}", markup=False, soft_wrap=True)
    if form != "text":
        click.echo(FORMATS[form]([finding for one in judged for finding in one.findings]), nl=False)
    return 0 if all(one.legal for one in judged) else 1
