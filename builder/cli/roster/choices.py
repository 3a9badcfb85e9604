"""`squadpress roster choices`."""

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from builder.cli.console import make_console, print_wrapped
from builder.cli.options import project_option
from builder.cli.roster.options import (
    SquadLimits,
    file_argument,
    lang_option,
    limit_options,
    print_result,
)
from builder.messages import gettext as _, translate
from builder.packs.project import Project
from builder.usecases.roster.choices import Offer, Offers
from builder.usecases.roster.roster_files import check_roster_file


@click.command()
@file_argument
@lang_option
@click.option("--open", "only", is_flag=True, help="Show only cards that can be added.")
@limit_options
@project_option
def choices(
    file: Path, lang: str | None, only: bool, limits: SquadLimits, project: Project
) -> int:
    """List every card with the number of copies that can be added to the squad in FILE, or the
    rule that refuses it.

    The squad may be unfinished or illegal. A card is refused only if adding it makes the squad
    worse.
    """
    screen = make_console()
    collection = limits.load_owned_cards(project)
    result = check_roster_file(project, file, lang, limits.get_play_format())
    print_result(screen, result)
    if result.squad is None or result.checker is None:
        return 1
    owned = collection.count_copies(result.checker.pack) if collection else None
    offers = Offers(result, owned, limits.painted).values()
    addable_offers = [offer for offer in offers if offer.open]
    _print_offers(screen, _("Can be added"), "bold green", addable_offers, result.lang)
    if not only:
        refused_offers = [offer for offer in offers if not offer.open]
        _print_offers(
            screen, _("Cannot be added"), "bold red", refused_offers, result.lang
        )
    return 0


def _print_offers(
    screen: Console, heading: str, style: str, offers: Sequence[Offer], lang: str
) -> None:
    """Print a heading and the cards below it, each with its notes."""
    screen.print(Text(translate(heading, lang), style=style))
    if not offers:
        screen.print(f"  {translate(_('nothing'), lang)}")
    for offer in offers:
        line = (
            Text("  ")
            .append(offer.name, style="bold")
            .append(f"  {offer.id}", style="dim")
        )
        if offer.cost is not None:
            line.append(f"  {offer.cost:g}", style="cyan")
        if offer.more:
            line.append("  " + "; ".join(offer.more))
        print_wrapped(screen, line, 6)
        for note in offer.notes:
            print_wrapped(screen, f"      {note}", 8)
