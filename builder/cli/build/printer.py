"""`squadpress calibrate` and `printer`.

How far backs miss their fronts, and what is known of the user's printers.
"""

from pathlib import Path
from typing import Literal

import click

from builder.cli.console import echo
from builder.cli.groups import HelpfulGroup
from builder.cli.language import get_interface_language
from builder.errors import UsageError
from builder.messages import Message, gettext as _, translate
from builder.packs.profiles import find_printer, keep_printer, load_printers
from builder.usecases.build.home import measure_misprint, save_printer, write_calibration


def _parse_pair(
    context: click.Context, option: click.Parameter, value: str | None
) -> tuple[float, float] | None:
    try:
        across, down = (float(part) for part in value.split(",")) if value is not None else (0, 0)
    except ValueError as error:
        message = _("{value!r} must be two numbers, for example 0.5,-1", value=value)
        raise click.BadParameter(
            translate(message, get_interface_language()), context, option
        ) from error
    return (across, down) if value is not None else None


@click.command()
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"]),
    default="a4",
    show_default=True,
    help="Paper size of the sheet.",
)
@click.option(
    "--printer",
    metavar="NAME",
    help="Apply the offset saved for this printer. The rulers should then read 0.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("calibration.pdf"),
    show_default=True,
    help="File to write.",
)
def calibrate(paper: str, printer: str | None, output: Path) -> int:
    """Write a two-sided sheet that measures how far a printer shifts the backs.

    Print both sides and hold the sheet against a light, with the front away from you. On both
    rulers of the back, read where the cross of the front falls. Then run: squadpress printer
    set NAME --left X,Y --right X,Y
    """
    write_calibration(paper, printer, output, get_interface_language())
    echo(_("{file}: print both sides, then read the rulers on the back", file=output))
    return 0


@click.group(cls=HelpfulGroup)
def printer() -> None:
    """Save how far a printer shifts the backs."""


@printer.command("set")
@click.argument("name")
@click.option(
    "--back-offset",
    metavar="X,Y",
    callback=_parse_pair,
    help="Move the backs right and down, in mm.",
)
@click.option("--back-rotation", type=float, help="Rotate the backs clockwise, in degrees.")
@click.option(
    "--left",
    metavar="X,Y",
    callback=_parse_pair,
    help="Reading of the left ruler on the back of the calibration sheet: across,down.",
)
@click.option(
    "--right", metavar="X,Y", callback=_parse_pair, help="Reading of the right ruler: across,down."
)
@click.option(
    "--apart",
    type=float,
    default=130.0,
    show_default=True,
    help="Distance between the two rulers, in mm.",
)
@click.option(
    "--duplex",
    type=click.Choice(["long-edge", "short-edge"]),
    help="Edge over which the calibration sheet was turned. Default: long-edge.",
)
def set_printer(
    name: str,
    back_offset: tuple[float, float] | None,
    back_rotation: float | None,
    left: tuple[float, float] | None,
    right: tuple[float, float] | None,
    apart: float,
    duplex: Literal["long-edge", "short-edge"] | None,
) -> int:
    """Save printer NAME: its offset and rotation, or the readings of its calibration sheet."""
    if (left is None) != (right is None):
        raise UsageError(
            _("one ruler is not enough to calculate the rotation"), _("Give --left and --right.")
        )
    if left is not None and right is not None:
        back_offset, back_rotation = measure_misprint(left, right, apart)
    if back_offset is None and back_rotation is None and duplex is None:
        raise UsageError(
            _("no offset, rotation or reading is given"),
            _("Give --back-offset X,Y, --back-rotation D, or --left and --right."),
        )
    path = save_printer(name, back_offset, back_rotation, duplex)
    echo(_("{printer}; saved in {file}", printer=describe_printer(name), file=path))
    return 0


@printer.command("list")
def list_printers() -> int:
    """List all printers."""
    for name in sorted(load_printers().printers):
        echo(describe_printer(name))
    return 0


@printer.command("remove")
@click.argument("name")
def remove(name: str) -> int:
    """Delete printer NAME."""
    keep_printer(name, None)
    return 0


def describe_printer(name: str) -> Message:
    """Describe a printer in one line."""
    printer = find_printer(name)
    across, down = printer.back_offset
    form = _(
        "{name}: backs move {across:+g} mm right, {down:+g} mm down, {rotation:+.3g}° clockwise"
    )
    message = _(form, name=name, across=across, down=down, rotation=printer.back_rotation)
    return (
        message
        if printer.duplex == "long-edge"
        else _("{printer} ({edge})", printer=message, edge=printer.duplex)
    )
