"""`squadpress roster remove`."""

import click

from builder.cli.roster.edit_command import (
    RosterEdit,
    count_option,
    edit_command,
    format_count,
)
from builder.cli.roster.options import file_argument
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.usecases.roster.edit import Editor


@click.command()
@file_argument
@click.argument("what")
@click.option("--from", "who", metavar="WHO", help="Model that has the card.")
@count_option
@edit_command
def remove(editor: Editor, what: str, who: str | None, count: int | None) -> RosterEdit:
    """Remove WHAT from the squad in FILE: a model with its equipment, a card of the deck, or a
    card attached to WHO.
    """
    if who is not None and count is not None:
        raise UsageError(
            _("attached cards are removed one at a time"),
            _("Leave out --count and repeat the command."),
        )
    if who is not None:
        edit = editor.find_attachment(editor.find_line(who), what)
    else:
        edit = editor.find_removal(what, count)
    values: dict[str, object] = {"card": edit.card, "many": format_count(edit.count)}
    return RosterEdit(edit, _("removed {card}{many}"), values)
