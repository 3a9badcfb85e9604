"""`squadpress roster stats`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from builder.cli.options import project_option
from builder.cli.roster_options import console, lang_option, print_judged

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

    from builder.model.statsheet import AttackTable, DamageTable, StatSheet
    from builder.rules.phrases import Phrases
    from builder.store.project import Project


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@lang_option
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print it."
)
@click.option(
    "--output", type=click.Path(path_type=Path), metavar="FILE", help="Also write it: a .pdf, .svg or .html file."
)
@project_option
def stats(file: Path, lang: str | None, form: Literal["text", "json"], output: Path | None, project: Project) -> int:
    """Count the squad in FILE: points by role, and expected hits and damage of each attack against the pack's targets.

    Every outcome of the dice is counted, none is simulated. How attacks are rolled stands in the pack's stats.yaml.
    """
    from builder.report.stats import as_json
    from builder.rules.phrases import Phrases
    from builder.usecases.roster_check import judge_rosters
    from builder.usecases.roster_stats import declared, statistics
    from builder.usecases.stats_files import write_stats

    screen = console()
    judged = next(iter(judge_rosters(project, (file,), lang)))
    if judged.squad is None or judged.judge is None:
        print_judged(screen, judged)
        return 1
    sheet = statistics(judged, declared(project, judged.judge.pack))
    assert sheet is not None
    if form == "json":
        click.echo(as_json(sheet), nl=False)
    else:
        print_judged(screen, judged)
        _print(screen, sheet, Phrases(judged.lang))
    if output is not None:
        write_stats(project, judged.judge.pack, sheet, output)
        click.echo(str(output), err=form == "json")
    return 0


def _print(screen: Console, sheet: StatSheet, say: Phrases) -> None:
    """Everything as text."""
    from rich.text import Text

    for title, shares in sheet.roles:
        screen.print(Text(title, style="bold"))
        for share in shares:
            line = Text(f"  {share.points or '':>4}" if sheet.total else "", style="cyan")
            line.append(f"  {share.name}", style="default")
            line.append(f"  {say('stats-models')}: {share.models}" if share.models else "", style="dim")
            screen.print(line)
    form = ""
    for attack in sheet.attacks:
        if attack.form != form:
            form = attack.form
            screen.print(Text(f"\n{form}", style="bold green"))
            screen.print(Text(attack.note, style="italic dim"))
        _attack(screen, attack, say)


def _attack(screen: Console, attack: AttackTable, say: Phrases) -> None:
    """One attack: what does not depend on the target in its line, the rest as tables."""
    from rich.text import Text

    line = Text(f"\n{attack.owner}: {attack.name}", style="bold")
    line.append(f" ×{attack.count}" if attack.count > 1 else "")
    if not attack.hits.fields:
        line.append(f"  {say('stats-hits')} {float(attack.hits.cells[0][0]):.2f}", style="default")
    screen.print(line)
    for damage in attack.damage:
        if damage.mean.fields:
            screen.print(_table(attack, damage, say))
        else:
            screen.print(f"{damage.title}, {say('stats-mean')}: {float(damage.mean.cells[0][0]):.2f}")


def _table(attack: AttackTable, damage: DamageTable, say: Phrases) -> RichTable:
    """Expected damage by the target's numbers, with the chance to hit where it hangs on the rows alone."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    mean = damage.mean
    told = " / ".join(mean.axes[:2])
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=Text(f"{damage.title}, {say('stats-mean')}"),
                  title_justify="left")  # fmt: skip
    shown.add_column(told, justify="right", style="dim")
    chances = attack.hits.cells if attack.rolled and attack.hits.fields == mean.fields[:1] else None
    if chances is not None:
        shown.add_column(say("stats-hit"), justify="right")
    for column in mean.columns:
        shown.add_column(_value(column) if len(mean.axes) > 1 else "", justify="right")
    for index, row in enumerate(mean.rows):
        hit = (f"{float(chances[index][0]):.0%}",) if chances is not None else ()
        shown.add_row(_value(row), *hit, *(f"{float(cell):.2f}" for cell in mean.cells[index]))
    return shown


def _value(value: int | None) -> str:
    """A target's number; a dash where no die damages it."""
    return "—" if value is None else str(value)
