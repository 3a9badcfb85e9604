"""`squadpress printer set`."""

from typing import Literal

import click

from builder.cli.build.printer import describe_printer
from builder.cli.console import echo
from builder.cli.language import get_interface_language
from builder.errors import UsageError
from builder.messages import gettext as _, translate
from builder.usecases.build.home import measure_misprint, save_printer


def _parse_number_pair(
    context: click.Context, option: click.Parameter, value: str | None
) -> tuple[float, float] | None:
    """Parse an option with two numbers, such as `0.5,-1`. None if it is not given."""
    if value is None:
        return None
    try:
        across, down = map(float, value.split(","))
    except ValueError as error:
        message = _("{value!r} must be two numbers, for example 0.5,-1", value=value)
        text = translate(message, get_interface_language())
        raise click.BadParameter(text, context, option) from error
    return across, down


@click.command("set")
@click.argument("name")
@click.option(
    "--back-offset",
    metavar="X,Y",
    callback=_parse_number_pair,
    help="Move the backs right and down, in mm.",
)
@click.option(
    "--back-rotation", type=float, help="Rotate the backs clockwise, in degrees."
)
@click.option(
    "--left",
    "left_reading",
    metavar="X,Y",
    callback=_parse_number_pair,
    help="Reading of the left ruler on the back of the calibration sheet: across,down.",
)
@click.option(
    "--right",
    "right_reading",
    metavar="X,Y",
    callback=_parse_number_pair,
    help="Reading of the right ruler: across,down.",
)
@click.option(
    "--apart",
    "ruler_distance",
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
    left_reading: tuple[float, float] | None,
    right_reading: tuple[float, float] | None,
    ruler_distance: float,
    duplex: Literal["long-edge", "short-edge"] | None,
) -> int:
    """Save printer NAME: its offset and rotation, or the readings of its calibration sheet."""
    if (left_reading is None) != (right_reading is None):
        raise UsageError(
            _("one ruler is not enough to calculate the rotation"),
            _("Give --left and --right."),
        )
    if left_reading is not None and right_reading is not None:
        back_offset, back_rotation = measure_misprint(
            left_reading, right_reading, ruler_distance
        )
    if back_offset is None and back_rotation is None and duplex is None:
        raise UsageError(
            _("no offset, rotation or reading is given"),
            _("Give --back-offset X,Y, --back-rotation D, or --left and --right."),
        )
    path = save_printer(name, back_offset, back_rotation, duplex)
    echo(_("{printer}; saved in {file}", printer=describe_printer(name), file=path))
    return 0
