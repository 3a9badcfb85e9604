"""`squadpress roster duplicate`."""

import click

from builder.cli.roster.edit_command import RosterEdit, edit_command
from builder.cli.roster.options import file_argument
from builder.messages import gettext as _
from builder.roster.operations import Duplicate
from builder.usecases.roster.edit import Editor


@click.command()
@file_argument
@click.argument("who")
@edit_command
def duplicate(editor: Editor, who: str) -> RosterEdit:
    """Duplicate the model WHO with its equipment in the squad in FILE."""
    line = editor.find_line(who)
    card = editor.roster.entries[line].card
    return RosterEdit(Duplicate(line), _("duplicated {card}"), {"card": card})
