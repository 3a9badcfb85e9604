"""`squadpress roster show`."""

from pathlib import Path

import click
from rich import box
from rich.table import Table
from rich.text import Text

from builder.cli.console import make_console
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
from builder.usecases.roster.show import CardLine, SquadListing, list_squad


@click.command()
@files_argument
@lang_option
@project_option
def show(files: tuple[Path, ...], lang: str | None, project: Project) -> int:
    """Print each squad: its lines with costs, equipment and slots, and the total.

    Exit code: 0 if all are legal, 1 if not.
    """
    screen = make_console()
    results = []
    for result in check_roster_files(project, files, lang):
        results.append(result)
        squad = list_squad(result)
        if squad is not None:
            screen.print(_make_squad_table(squad, result.lang))
        print_result(screen, result)
    return get_exit_code(results)


def _make_squad_table(squad: SquadListing, lang: str) -> Table:
    """Return a squad as a table: each entry in bold, with its attachments below it."""
    total = Text(f"{squad.total:g}", style="bold")
    table = Table(box=box.SIMPLE_HEAD, show_footer=True, pad_edge=False)
    table.add_column("#", justify="right", style="dim")
    table.add_column(translate(_("Card"), lang), footer=translate(_("Total"), lang))
    table.add_column("×", justify="right")
    table.add_column(translate(_("Cost"), lang), justify="right")
    table.add_column(translate(_("Sum"), lang), justify="right", footer=total)
    table.add_column(translate(_("Slots"), lang))

    def add_row(number: str, card: CardLine, prefix: str, style: str) -> None:
        name = Text(prefix + card.name, style=style)
        for remark in card.remarks:
            name.append(f"\n  {remark}", style="italic dim")
        table.add_row(
            number,
            name,
            f"{card.count}",
            f"{card.cost:g}",
            f"{card.total:g}",
            ", ".join(card.slots),
        )

    for line in squad.lines:
        add_row(str(line.number), line.entry, "", "bold")
        for card in line.attachments:
            add_row("", card, "  + ", "")
    for card in squad.deck:
        add_row("", card, "", "")
    return table
