"""A squad's numbers on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builder.report.stats import Block, blocks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console
    from rich.table import Table

    from builder.model.sheets import StatSheet


def print_stats(screen: Console, sheet: StatSheet, words: Mapping[str, str]) -> None:
    """Everything as text, in the words given (`models` and those of an attack's lines)."""
    from rich.text import Text

    for title, shares in sheet.roles:
        screen.print(Text(title, style="bold"))
        for share in shares:
            line = Text(f"  {share.points or '':>4}" if sheet.total else "", style="cyan")
            line.append(f"  {share.name}", style="default")
            line.append(f"  {words['models']}: {share.models}" if share.models else "", style="dim")
            screen.print(line)
    form = ""
    for attack in sheet.attacks:
        if attack.form != form:
            form = attack.form
            screen.print(Text(f"\n{form}", style="bold green"))
            screen.print(Text(attack.note, style="italic dim"))
        screen.print(Text(f"\n{attack.label}", style="bold"))
        for block in blocks(attack, words):
            told = " · ".join(part for part in (block.title, *block.facts) if part)
            screen.print(Text(f"  {told}") if told else "", end="\n" if told else "")
            if block.columns:
                screen.print(_table(block))


def _table(block: Block) -> Table:
    """One block's table."""
    from rich import box
    from rich.table import Table

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    shown.add_column(block.corner, justify="right", style="dim", overflow="fold")
    for column in block.columns:
        shown.add_column(column, justify="right", no_wrap=True)
    for line in block.lines:
        shown.add_row(line.head, *(cell.text for cell in line.cells))
    return shown
