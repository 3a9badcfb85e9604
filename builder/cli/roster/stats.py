"""`squadpress roster stats`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from builder.cli.console import make_console, write
from builder.cli.options import PATH, project_option
from builder.cli.roster.options import file_argument, lang_option, print_result
from builder.files import write_atomic
from builder.model.sheets import AttackTable, StatSheet
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.report.stats_report import StatBlock, format_json, make_stat_blocks
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.roster.attack_report import calculate_statistics, load_stat_forms
from builder.usecases.roster.roster_files import check_roster_file
from builder.usecases.roster.stats_files import draw_statistics, list_statistic_labels


@click.command()
@file_argument
@lang_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output format.",
)
@click.option(
    "--output", type=PATH, metavar="FILE", help="Also write this file (.pdf or .html)."
)
@project_option
def stats(
    file: Path,
    lang: str | None,
    form: Literal["text", "json"],
    output: Path | None,
    project: Project,
) -> int:
    """Show the statistics of the squad in FILE: points by role, and expected hits and damage of
    each attack against the pack's targets.

    All dice results are calculated exactly; nothing is simulated. The pack's stats.yaml
    describes how attacks are rolled.
    """
    screen = make_console()
    result = check_roster_file(project, file, lang)
    if result.squad is None or result.checker is None:
        print_result(screen, result)
        return 1
    stat_forms = load_stat_forms(PackFiles(project), result.checker.pack.id)
    sheet = calculate_statistics(result, stat_forms)
    assert sheet is not None
    if form == "json":
        write(format_json(sheet), nl=False)
    else:
        print_result(screen, result)
        print_stats(screen, sheet, list_statistic_labels(result.lang))
    if output is not None:
        places = get_render_folders(project, sheet.pack)
        write_atomic(
            output, draw_statistics(sheet, output, result.checker.pack, places)
        )
        # The standard output is for the JSON only.
        write(str(output), err=form == "json")
    return 0


def print_stats(screen: Console, sheet: StatSheet, words: Mapping[str, str]) -> None:
    """Print the statistics of a squad. `words` are translated labels by key."""
    for title, shares in sheet.roles:
        screen.print(Text(title, style="bold"))
        for share in shares:
            line = Text()
            if sheet.total:
                line.append(f"  {share.points or '':>4}", style="cyan")
            line.append(f"  {share.name}")
            if share.models:
                line.append(f"  {words['models']}: {share.models}", style="dim")
            screen.print(line)
    printed_form = ""
    for attack in sheet.attacks:
        # Attacks of the same form follow one another and share a heading.
        if attack.form != printed_form:
            printed_form = attack.form
            screen.print(Text(f"\n{attack.form}", style="bold green"))
            screen.print(Text(attack.note, style="italic dim"))
        _print_attack(screen, attack, words)


def _print_attack(
    screen: Console, attack: AttackTable, words: Mapping[str, str]
) -> None:
    """Print the hits and damage of one attack as tables."""
    screen.print(Text(f"\n{attack.label}", style="bold"))
    if attack.left_out:
        screen.print(
            Text(f"  {words['left_out']}: {', '.join(attack.left_out)}", style="dim")
        )
    for block in make_stat_blocks(attack, words):
        text = " · ".join(part for part in (block.title, *block.facts) if part)
        if text:
            screen.print(Text(f"  {text}"))
        if block.columns:
            screen.print(_make_stat_table(block))


def _make_stat_table(block: StatBlock) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column(block.corner, justify="right", style="dim", overflow="fold")
    for column in block.columns:
        table.add_column(column, justify="right", no_wrap=True)
    for line in block.lines:
        table.add_row(line.head, *(cell.text for cell in line.cells))
    return table
