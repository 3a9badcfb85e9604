"""The table of `squadpress roster check FOLDER`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.roster_options import console

if TYPE_CHECKING:
    from builder.store.project import Project


def print_table(project: Project, paths: tuple[Path, ...], as_of: str | None, sheet: Path | None) -> int:
    """Judge all lists, print a table, write the CSV if one is asked for; 0 if all are legal."""
    from rich import box
    from rich.table import Table

    from builder.store.atomic import write_atomic
    from builder.usecases.roster_table import as_csv, lists, rows

    found = list(rows(project, lists(paths), as_of))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("", "file", "name", "spent", "broken"):
        table.add_column(head, overflow="fold")
    for row in found:
        spent = f"{row.spent or 0:g}" + (f"/{row.allowed:g}" if row.allowed is not None else "")
        table.add_row("legal" if row.legal else "ILLEGAL", row.file, row.name, spent, ", ".join(row.broken))
    console().print(table, markup=False)
    legal = sum(row.legal for row in found)
    click.echo(f"{len(found)} lists, {legal} legal, {len(found) - legal} illegal")
    if sheet is not None:
        write_atomic(sheet, as_csv(found).encode())
        click.echo(f"written: {sheet}")
    return 0 if legal == len(found) else 1
