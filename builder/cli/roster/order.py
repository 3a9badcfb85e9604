"""`squadpress roster order`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.console import console, put
from builder.cli.options import project_option
from builder.cli.roster.options import files_argument, lang_option, print_judged
from builder.messages import gettext as _
from builder.messages import translate

if TYPE_CHECKING:
    from builder.store.project import Project


@click.command()
@files_argument
@lang_option
@project_option
def order(files: tuple[Path, ...], lang: str | None, project: Project) -> int:
    """Print the order in which each squad goes to the table, one line per model and card.

    Ends with 0 if all are legal and with 1 if not; the order is printed in any case.
    """
    from rich.text import Text

    from builder.usecases.files import judge_files
    from builder.usecases.roster.show import order as put_in_order

    screen = console()
    legal = True
    for judged in judge_files(project, files, lang):
        legal = legal and judged.legal
        steps = put_in_order(judged)
        if not steps and judged.squad is not None:
            none = translate(_("The pack states no order of deployment."), judged.lang)
            screen.print(f"  {none}")
        heading = ""
        for step in steps:
            if step.label != heading:
                heading = step.label
                screen.print(Text(f"  {heading}", style="bold"))
            line = Text(f"  {step.number:>3}. {step.name}")
            line.append(f" — {step.beside}" if step.beside else "", style="italic dim")
            line.append(f"  {step.cost:g}" if step.cost is not None else "", style="cyan")
            put(screen, line, 7)
        print_judged(screen, judged)
    return 0 if legal else 1
