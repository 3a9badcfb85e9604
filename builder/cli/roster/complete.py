"""`squadpress roster choices` and `complete`: cards that may join, and complete legal squads."""

from functools import partial
from pathlib import Path

import click
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
from builder.usecases.roster.choices import Offers
from builder.usecases.roster.roster_files import RosterFiles, judge_file


@click.command()
@file_argument
@lang_option
@click.option("--open", "only", is_flag=True, help="Show only cards that can be added.")
@limit_options
@project_option
def choices(file: Path, lang: str | None, only: bool, limits: SquadLimits, project: Project) -> int:
    """List every card with the number of copies that can be added to the squad in FILE, or the
    rule that refuses it.

    The squad may be unfinished or illegal. A card is refused only if adding it makes the squad
    worse.
    """
    screen, collection = make_console(), limits.load_owned_cards(project)
    result = judge_file(project, file, lang, limits.get_play_format())
    print_result(screen, result)
    if result.squad is None or result.judge is None:
        return 1
    owned = collection.count_copies(result.judge.pack) if collection else None
    offers = Offers(result, owned, limits.painted).values()
    for heading, can_be_added in ((_("Can be added"), True), (_("Cannot be added"), False)):
        if only and not can_be_added:
            continue
        screen.print(
            Text(
                translate(heading, result.lang), style="bold green" if can_be_added else "bold red"
            )
        )
        group = [offer for offer in offers if offer.open is can_be_added]
        if not group:
            screen.print(f"  {translate(_('nothing'), result.lang)}")
        for offer in group:
            line = Text("  ").append(offer.name, style="bold").append(f"  {offer.id}", style="dim")
            line.append(f"  {offer.cost:g}" if offer.cost is not None else "", style="cyan")
            line.append("  " + "; ".join(offer.more) if offer.more else "")
            print_wrapped(screen, line, 6)
            for note in offer.notes:
                print_wrapped(screen, f"      {note}", 8)
    return 0


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
    help=("A card that must not be added. Can be repeated."),
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
@click.option("--output", type=PATH, metavar="DIR", help="Write the squads into this folder.")
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
    from builder.solver.completion_model import SquadRequest  # what solves takes long to load
    from builder.usecases.roster.complete_roster import complete_roster

    wish = SquadRequest(want, frozenset(avoid), None, spend == "exact", count, seed)
    owned = limits.load_owned_cards(project)
    result = judge_file(project, file, lang, limits.get_play_format())
    answer = complete_roster(result, wish, owned)
    screen, say = make_console(), partial(translate, lang=result.lang)
    if not (answer.squads or answer.why):
        print_result(screen, result)
    for note in answer.notes:
        print_wrapped(screen, Text(note, style="yellow"), 2)
    for number, squad in enumerate(answer.squads, 1):
        line = Text(f"{number}. ", style="bold").append(
            say(_("costs {cost}", cost=f"{squad.cost:g}")), style="bold"
        )
        if answer.proved and number == 1:
            line.append("  ").append(
                say(_("(proved: no legal squad that contains these cards spends more)")),
                style="green",
            )
        if output is not None:
            target = str(output / f"{file.stem}-{number}.yaml")
            RosterFiles(project).create(target, squad.roster, like=str(file))
            line.append(f"  {target}", style="dim")
        print_wrapped(screen, line, 3)
        for text in squad.lines:
            print_wrapped(screen, f"   {text}", 5)
    if answer.why:
        screen.print(
            Text(
                say(_("No legal squad: these requirements contradict each other")), style="bold red"
            )
        )
        for text in answer.why:
            print_wrapped(screen, f"  - {text}", 4)
        proved = _("Proved: no smaller set of requirements contradicts itself.")
        unsure = _("Time limit reached. A smaller contradiction may exist.")
        screen.print(Text(say(proved if answer.proved else unsure), style="dim"))
    return 0 if answer.squads else 1
