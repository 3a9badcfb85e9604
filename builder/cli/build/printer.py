"""`squadpress printer`: a group whose commands are imported when they run."""

import click

from builder.cli.groups import LazyGroup
from builder.messages import Message, gettext as _
from builder.packs.profiles import find_printer


@click.group(cls=LazyGroup)
def printer() -> None:
    """Save how far a printer shifts the backs."""


printer.table = {
    "list": ("build.list_printers:list_printers", _("List all printers.")),
    "remove": ("build.remove_printer:remove_printer", _("Delete a printer.")),
    "set": (
        "build.set_printer:set_printer",
        _("Save the offset and rotation of a printer."),
    ),
}


def describe_printer(name: str) -> Message:
    """Describe a saved printer in one line: its offset and rotation."""
    saved_printer = find_printer(name)
    across, down = saved_printer.back_offset
    form = _(
        "{name}: backs move {across:+g} mm right, {down:+g} mm down, {rotation:+.3g}° clockwise"
    )
    message = _(
        form, name=name, across=across, down=down, rotation=saved_printer.back_rotation
    )
    if saved_printer.duplex == "long-edge":
        return message
    return _("{printer} ({edge})", printer=message, edge=saved_printer.duplex)
