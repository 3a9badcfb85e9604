"""`squadpress roster show`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.console import console
from builder.cli.options import project_option
from builder.cli.roster.options import files_argument, lang_option, print_judged
from builder.messages import gettext as _
from builder.messages import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

    from builder.store.project import Project
    from builder.usecases.roster.show import ShownCard, ShownSquad


@click.command()
@files_argument
@lang_option
@project_option
def show(files: tuple[Path, ...], lang: str | None, project: Project) -> int:
    """Print each squad: its lines with costs, what each carries and in which slot, and the total.

    Ends with 0 if all are legal and with 1 if not.
    """
    from builder.usecases.files import judge_files
    from builder.usecases.roster.show import show as lay_out

    screen = console()
    legal = True
    for judged in judge_files(project, files, lang):
        legal = legal and judged.legal
        shown = lay_out(judged)
        if shown is not None:
            screen.print(_table(shown, partial(translate, lang=judged.lang)))
        print_judged(screen, judged)
    return 0 if legal else 1


def _table(shown: ShownSquad, say: Callable[[str], str]) -> Table:
    """The squad as a table: an entry in bold, below it what it carries."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_footer=True, pad_edge=False)
    table.add_column("#", justify="right", style="dim")
    table.add_column(say(_("Card")), footer=say(_("Total")))
    table.add_column("×", justify="right")
    table.add_column(say(_("Cost")), justify="right")
    table.add_column(say(_("Sum")), justify="right", footer=Text(f"{shown.total:g}", style="bold"))
    table.add_column(say(_("Slots")))

    def row(number: str, card: ShownCard, lead: str, style: str) -> None:
        name = Text(lead + card.name, style=style)
        for remark in card.remarks:
            name.append(f"\n  {remark}", style="italic dim")
        table.add_row(number, name, f"{card.count}", f"{card.each:g}", f"{card.total:g}", ", ".join(card.slots))

    for line in shown.lines:
        row(str(line.number), line.entry, "", "bold")
        for card in line.carried:
            row("", card, "  + ", "")
    for card in shown.deck:
        row("", card, "", "")
    return table
