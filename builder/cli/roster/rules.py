"""`squadpress roster rules`."""

import click
from rich.text import Text

from builder.cli.console import make_console, print_wrapped
from builder.cli.options import project_option
from builder.cli.roster.options import lang_option
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.roster.show import list_rules


@click.command()
@click.argument("pack", required=False)
@lang_option
@project_option
def rules(pack: str | None, lang: str | None, project: Project) -> int:
    """List every roster rule of PACK (or of all packs) as a sentence, with its source in the
    rulebook.
    """
    screen = make_console()
    for game, rule_texts in list_rules(
        PackFiles(project), project.choose_packs(pack), lang
    ):
        screen.print(Text(game, style="bold"))
        for rule in rule_texts:
            line = Text(f"  {rule.id}", style="cyan")
            line.append(f"  {rule.title}", style="bold").append(
                f"  ({rule.source})", style="dim"
            )
            print_wrapped(screen, line, 6)
            print_wrapped(screen, f"      {rule.sentence}", 6)
    return 0
