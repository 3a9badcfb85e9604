"""`squadpress roster move`."""

import click

from builder.cli.roster.edit_command import RosterEdit, edit_command
from builder.cli.roster.options import file_argument
from builder.messages import gettext as _
from builder.roster.operations import Move
from builder.usecases.roster.edit import Editor


@click.command()
@file_argument
@click.argument("card")
@click.option(
    "--from", "giver", metavar="WHO", required=True, help="Model that has the card now."
)
@click.option(
    "--to", "taker", metavar="WHO", required=True, help="Model that gets the card."
)
@edit_command
def move(editor: Editor, card: str, giver: str, taker: str) -> RosterEdit:
    """Move CARD from one model to another in the squad in FILE."""
    attachment = editor.find_attachment(editor.find_line(giver), card)
    line = editor.find_line(taker)
    edit = Move(attachment.path, card, line)
    return RosterEdit(
        edit, _("moved {card} to #{line}"), {"card": card, "line": line + 1}
    )
