"""`squadpress theme`: designs for lists of other programs."""

from pathlib import Path

import click

from builder.cli.console import echo, shorten_path
from builder.cli.groups import HelpfulGroup
from builder.cli.options import PATH
from builder.errors import UsageError
from builder.files import write_atomic
from builder.messages import gettext as _
from builder.usecases.imports.print_list import read_imported_list
from builder.usecases.imports.themes import make_theme


@click.group(cls=HelpfulGroup)
def theme() -> None:
    """Make designs for the printed cards of lists from other programs."""


@theme.command("new")
@click.argument("file", type=PATH)
@click.option(
    "--output", type=PATH, help="The theme. Default: FILE-theme.yaml next to FILE."
)
def new(file: Path, output: Path | None) -> int:
    """Write a theme with the columns and keywords of a list.

    FILE is a list of another program. Edit the theme, and print with --theme.
    """
    imported = read_imported_list(file)
    if imported is None:
        message = _("{file} is a squad of a pack, which has its own cards", file=file)
        raise UsageError(message, _("Use a list of another program."))
    target = output or file.with_name(f"{file.stem}-theme.yaml")
    if target.exists():
        message = _("{file} exists already", file=target)
        raise UsageError(message, _("Use another name: --output FILE."))
    write_atomic(target, make_theme(imported).encode())
    echo(_("written: {file}", file=shorten_path(target)))
    echo(
        _(
            "Use it: squadpress print {list} --theme {file}",
            file=shorten_path(target),
            list=shorten_path(file),
        )
    )
    return 0
