"""`squadpress roster complete`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.text import Text

from builder.cli.console import make_console, print_wrapped
from builder.cli.options import PATH, project_option
from builder.cli.roster.options import (
    SquadLimits,
    file_argument,
    lang_option,
    limit_options,
    print_result,
)
from builder.messages import gettext as _, translate
from builder.packs.project import Project
from builder.usecases.roster.roster_files import RosterFiles, check_roster_file

if TYPE_CHECKING:
    from builder.usecases.roster.complete_roster import CompletedRoster, Completion


@click.command()
@file_argument
@lang_option
@click.option(
    "--want",
    multiple=True,
    metavar="CARD",
    help="A card the squad must contain. Can be repeated.",
)
@click.option(
    "--avoid",
    multiple=True,
    metavar="CARD",
    help="A card that must not be added. Can be repeated.",
)
@limit_options
@click.option(
    "--spend",
    type=click.Choice(["max", "exact"]),
    default="max",
    show_default=True,
    help="Number of points.",
)
@click.option(
    "--count",
    type=click.IntRange(1, 50),
    default=1,
    show_default=True,
    help="Number of different squads.",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Seed. Another seed gives other squads with the same total.",
)
@click.option(
    "--output", type=PATH, metavar="DIR", help="Write the squads into this folder."
)
@project_option
def complete(
    file: Path,
    lang: str | None,
    want: tuple[str, ...],
    avoid: tuple[str, ...],
    limits: SquadLimits,
    spend: str,
    count: int,
    seed: int,
    output: Path | None,
    project: Project,
) -> int:
    """Complete the squad in FILE to a legal squad that spends as many points as possible, or
    explain why there is none.

    Everything already in the squad is kept. Exit code: 1 if there is no legal squad.
    """
    # OR-tools take long to import.
    from builder.solver.completion_model import SquadRequest
    from builder.usecases.roster.complete_roster import complete_roster

    request = SquadRequest(want, frozenset(avoid), None, spend == "exact", count, seed)
    owned = limits.load_owned_cards(project)
    result = check_roster_file(project, file, lang, limits.get_play_format())
    answer = complete_roster(result, request, owned)
    screen = make_console()
    if not (answer.squads or answer.why):
        print_result(screen, result)
    for note in answer.notes:
        print_wrapped(screen, Text(note, style="yellow"), 2)
    for number, squad in enumerate(answer.squads, 1):
        line = _format_squad_heading(squad, number, answer.proved, result.lang)
        if output is not None:
            target = str(output / f"{file.stem}-{number}.yaml")
            RosterFiles(project).create(target, squad.roster, like=str(file))
            line.append(f"  {target}", style="dim")
        print_wrapped(screen, line, 3)
        for text in squad.lines:
            print_wrapped(screen, f"   {text}", 5)
    if answer.why:
        _print_conflict(screen, answer, result.lang)
    return 0 if answer.squads else 1


def _format_squad_heading(
    squad: "CompletedRoster", number: int, is_proved: bool, lang: str
) -> Text:
    """Return the number and cost of a found squad. The first may be proved to be the best."""
    line = Text(f"{number}. ", style="bold")
    line.append(
        translate(_("costs {cost}", cost=f"{squad.cost:g}"), lang), style="bold"
    )
    if is_proved and number == 1:
        proof = _("(proved: no legal squad that contains these cards spends more)")
        line.append("  ").append(translate(proof, lang), style="green")
    return line


def _print_conflict(screen: Console, answer: "Completion", lang: str) -> None:
    """Print the requirements that contradict each other, so that no legal squad exists."""
    heading = translate(
        _("No legal squad: these requirements contradict each other"), lang
    )
    screen.print(Text(heading, style="bold red"))
    for text in answer.why:
        print_wrapped(screen, f"  - {text}", 4)
    certainty = _("Time limit reached. A smaller contradiction may exist.")
    if answer.proved:
        certainty = _("Proved: no smaller set of requirements contradicts itself.")
    screen.print(Text(translate(certainty, lang), style="dim"))
