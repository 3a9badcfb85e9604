"""`squadpress roster order`."""

from pathlib import Path

import click
from rich.text import Text

from builder.cli.console import make_console, print_wrapped
from builder.cli.options import project_option
from builder.cli.roster.options import (
    files_argument,
    get_exit_code,
    lang_option,
    print_result,
)
from builder.messages import gettext as _, translate
from builder.packs.project import Project
from builder.usecases.roster.roster_files import check_roster_files
from builder.usecases.roster.show import list_deployment


@click.command()
@files_argument
@lang_option
@project_option
def order(files: tuple[Path, ...], lang: str | None, project: Project) -> int:
    """Print the deployment order of each squad, one line per model and card.

    Exit code: 0 if all are legal, 1 if not. The order is printed in any case.
    """
    screen = make_console()
    results = []
    for result in check_roster_files(project, files, lang):
        results.append(result)
        steps = list_deployment(result)
        if not steps and result.squad is not None:
            text = translate(_("The pack has no deployment order."), result.lang)
            screen.print(f"  {text}")
        heading = ""
        for step in steps:
            if step.label != heading:
                heading = step.label
                screen.print(Text(f"  {heading}", style="bold"))
            line = Text(f"  {step.number:>3}. {step.name}")
            line.append(f" — {step.beside}" if step.beside else "", style="italic dim")
            line.append(
                f"  {step.cost:g}" if step.cost is not None else "", style="cyan"
            )
            print_wrapped(screen, line, 7)
        print_result(screen, result)
    return get_exit_code(results)
