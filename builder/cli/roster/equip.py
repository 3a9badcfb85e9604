"""`squadpress roster equip`."""

import click

from builder.cli.roster.edit_command import RosterEdit, edit_command
from builder.cli.roster.options import file_argument
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.rules import Source
from builder.roster.operations import Add
from builder.usecases.roster.edit import Editor


@click.command()
@file_argument
@click.argument("who")
@click.argument("card")
@click.option("--slot", help="Slot of the card.")
@edit_command
def equip(editor: Editor, who: str, card: str, slot: str | None) -> RosterEdit:
    """Attach CARD to the model WHO in the squad in FILE."""
    if editor.find_source(card) is not Source.ATTACHMENTS:
        message = _("{card} cannot be attached to a model", card=card)
        raise UsageError(
            message, _("Use `squadpress roster add` to add it to the squad.")
        )
    line = editor.find_line(who)
    values: dict[str, object] = {"card": card, "many": "", "line": line + 1}
    edit = Add(card, Source.ATTACHMENTS, line, slot=slot)
    return RosterEdit(edit, _("attached {card}{many} to #{line}"), values)
