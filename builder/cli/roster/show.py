"""`squadpress roster show`, `order` and `rules`: squads and rules as tables and lines."""

from functools import partial
from pathlib import Path

import click
from rich import box
from rich.table import Table
from rich.text import Text

from builder.cli.console import make_console, print_wrapped
from builder.cli.options import project_option
from builder.cli.roster.options import files_argument, get_exit_code, lang_option, print_result
from builder.messages import gettext as _, translate
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.roster.roster_files import judge_files
from builder.usecases.roster.show import (
    CardLine,
    SquadListing,
    list_deployment as put_in_order,
    list_rules,
    list_squad as lay_out,
)


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
    for result in judge_files(project, files, lang):
        results.append(result)
        squad = lay_out(result)
        if squad is not None:
            screen.print(_make_table(squad, result.lang))
        print_result(screen, result)
    return get_exit_code(results)


def _make_table(squad: SquadListing, lang: str) -> Table:
    """Return the squad as a table: each entry in bold, with its attachments below."""
    say = partial(translate, lang=lang)
    table = Table(box=box.SIMPLE_HEAD, show_footer=True, pad_edge=False)
    table.add_column("#", justify="right", style="dim")
    table.add_column(say(_("Card")), footer=say(_("Total")))
    table.add_column("×", justify="right")
    table.add_column(say(_("Cost")), justify="right")
    table.add_column(say(_("Sum")), justify="right", footer=Text(f"{squad.total:g}", style="bold"))
    table.add_column(say(_("Slots")))

    def add_row(number: str, card: CardLine, lead: str, style: str) -> None:
        name = Text(lead + card.name, style=style)
        for remark in card.remarks:
            name.append(f"\n  {remark}", style="italic dim")
        table.add_row(
            number,
            name,
            f"{card.count}",
            f"{card.each:g}",
            f"{card.total:g}",
            ", ".join(card.slots),
        )

    for line in squad.lines:
        add_row(str(line.number), line.entry, "", "bold")
        for card in line.carried:
            add_row("", card, "  + ", "")
    for card in squad.deck:
        add_row("", card, "", "")
    return table


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
    for result in judge_files(project, files, lang):
        results.append(result)
        steps = put_in_order(result)
        if not steps and result.squad is not None:
            none = translate(_("The pack has no deployment order."), result.lang)
            screen.print(f"  {none}")
        heading = ""
        for step in steps:
            if step.label != heading:
                heading = step.label
                screen.print(Text(f"  {heading}", style="bold"))
            line = Text(f"  {step.number:>3}. {step.name}")
            line.append(f" — {step.beside}" if step.beside else "", style="italic dim")
            line.append(f"  {step.cost:g}" if step.cost is not None else "", style="cyan")
            print_wrapped(screen, line, 7)
        print_result(screen, result)
    return get_exit_code(results)


@click.command()
@click.argument("pack", required=False)
@lang_option
@project_option
def rules(pack: str | None, lang: str | None, project: Project) -> int:
    """List every roster rule of PACK (or of all packs) as a sentence, with its source in the
    rulebook.
    """
    screen = make_console()
    for game, rule_texts in list_rules(PackFiles(project), project.choose_packs(pack), lang):
        screen.print(Text(game, style="bold"))
        for rule in rule_texts:
            line = Text(f"  {rule.id}", style="cyan")
            line.append(f"  {rule.title}", style="bold").append(f"  ({rule.source})", style="dim")
            print_wrapped(screen, line, 6)
            print_wrapped(screen, f"      {rule.sentence}", 6)
    return 0
