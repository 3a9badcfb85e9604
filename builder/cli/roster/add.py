"""`squadpress roster add`."""

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
from builder.model.rules import Source
from builder.roster.operations import Add
from builder.usecases.roster.edit import Editor


@click.command()
@file_argument
@click.argument("card")
@click.option(
    "--to",
    "who",
    metavar="WHO",
    help="Model: number, id, name or card of a line.",
)
@count_option
@click.option("--slot", help="Slot of the card.")
@edit_command
def add(
    editor: Editor, card: str, who: str | None, count: int | None, slot: str | None
) -> RosterEdit:
    """Add CARD to the squad in FILE: as a model, to the deck, or with --to to a model."""
    source = editor.find_source(card)
    if (source is Source.ATTACHMENTS) is not (who is not None):
        form = _("{card} cannot be attached to a model")
        if who is None:
            form = _("{card} must be attached to a model")
        hint = _("Use --to WHO only for cards that are attached to a model.")
        raise UsageError(_(form, card=card), hint)
    # -1 stands for the squad itself.
    line = -1
    pattern = _("added {card}{many}")
    if who is not None:
        line = editor.find_line(who)
        pattern = _("attached {card}{many} to #{line}")
    values: dict[str, object] = {
        "card": card,
        "many": format_count(count),
        "line": line + 1,
    }
    return RosterEdit(Add(card, source, line, count or 1, slot), pattern, values)
