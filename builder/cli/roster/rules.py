"""`squadpress roster rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from builder.cli.console import console, put
from builder.cli.options import project_option
from builder.cli.roster.options import lang_option

if TYPE_CHECKING:
    from builder.store.project import Project


@click.command()
@click.argument("pack", required=False)
@lang_option
@project_option
def rules(pack: str | None, lang: str | None, project: Project) -> int:
    """Tell every roster rule of PACK (or of all packs) as a sentence, with its place in the rulebook."""
    from rich.text import Text

    from builder.usecases.roster.show import tell_rules

    screen = console()
    for told in tell_rules(project, pack, lang):
        screen.print(Text(told.pack, style="bold"))
        for rule in told.rules:
            line = Text(f"  {rule.id}", style="cyan")
            line.append(f"  {rule.title}", style="bold").append(f"  ({rule.source})", style="dim")
            put(screen, line, 6)
            put(screen, f"      {rule.sentence}", 6)
    return 0
