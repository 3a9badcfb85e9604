"""`squadpress new`."""

import shlex
from pathlib import Path

import click

from builder.cli.console import echo, write
from builder.cli.options import PATH
from builder.messages import gettext as _


@click.command()
@click.argument("folder", type=PATH, metavar="DIR")
def new(folder: Path) -> None:
    """Write a small game of your own into DIR: cards in two languages, rules, a squad, templates."""
    from builder.store.scaffold import write_project

    pack, written = write_project(folder)
    echo(_("{folder}: pack {pack}, {count} files. Next:", folder=folder, pack=pack, count=len(written)))
    for command in (f"cd {shlex.quote(str(folder))}", "squadpress check", f"squadpress build --pack {pack}"):
        write(f"  {command}")
