"""`squadpress roster choices`."""

from pathlib import Path

import click
from rich.text import Text

from builder.cli.console import console, put
from builder.cli.options import project_option
from builder.cli.roster.options import SquadLimits, file_argument, lang_option, limit_options, print_judged
from builder.messages import gettext as _, translate
from builder.store.project import Project
from builder.usecases.roster.choices import Offers
from builder.usecases.roster.files import judge_files


@click.command()
@file_argument
@lang_option
@click.option("--open", "only", is_flag=True, help="Only what may be added.")
@limit_options
@project_option
def choices(file: Path, lang: str | None, only: bool, limits: SquadLimits, project: Project) -> int:
    """Say of every card whether it may be added to the squad in FILE and how often; if not, which rule refuses it.

    The squad may be unfinished or illegal: a card is refused only for what adding it would make worse.
    """
    screen, respected = console(), limits.owned(project)
    (judged,) = judge_files(project, (file,), lang, played=limits.played())
    print_judged(screen, judged)
    if judged.squad is None or judged.judge is None:
        return 1
    owned = respected.copies(judged.judge.pack) if respected else None
    offered = Offers(judged, owned, limits.painted).values()
    for heading, chosen in ((_("May be added"), True), (_("May not be added"), False)):
        if only and not chosen:
            continue
        screen.print(Text(translate(heading, judged.lang), style="bold green" if chosen else "bold red"))
        listed = [offer for offer in offered if offer.open is chosen]
        if not listed:
            screen.print(f"  {translate(_('nothing'), judged.lang)}")
        for offer in listed:
            line = Text("  ").append(offer.name, style="bold").append(f"  {offer.id}", style="dim")
            line.append(f"  {offer.cost:g}" if offer.cost is not None else "", style="cyan")
            line.append("  " + "; ".join(offer.more) if offer.more else "")
            put(screen, line, 6)
            for note in offer.notes:
                put(screen, f"      {note}", 8)
    return 0
