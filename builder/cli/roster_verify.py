"""`squadpress roster verify`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.options import project_option

if TYPE_CHECKING:
    from builder.store.project import Project


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@project_option
def verify(files: tuple[Path, ...], project: Project) -> int:
    """Judge again what a verdict FILE (NAME.verdict.json) holds, and say whether it is confirmed.

    Ends with 1 if anything differs.
    """
    from builder.usecases.roster_verdict import verify as repeat

    fine = True
    for file in files:
        differences = list(repeat(project, file))
        fine = fine and not differences
        click.echo(f"{'REFUTED  ' if differences else 'confirmed'} {file}")
        for told in differences:
            click.echo(f"  {told}")
    return 0 if fine else 1
