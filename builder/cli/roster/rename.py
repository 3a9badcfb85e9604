"""`squadpress roster rename`."""

import click

from builder.cli.roster.edit_command import RosterEdit, edit_command
from builder.cli.roster.options import file_argument
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.roster.operations import Rename
from builder.usecases.roster.edit import Editor


@click.command()
@file_argument
@click.argument("name")
@click.option(
    "--entry", "who", metavar="WHO", help="Model to name. Default: the squad itself."
)
@edit_command
def rename(editor: Editor, name: str, who: str | None) -> RosterEdit:
    """Name the squad in FILE, or one of its models."""
    if not name.strip():
        raise UsageError(
            _("the new name is empty"), _("Write it in quotes: 'The Long Night'.")
        )
    # -1 stands for the squad itself.
    line = -1 if who is None else editor.find_line(who)
    return RosterEdit(Rename(name, line), _("named {name}"), {"name": name})
