"""`squadpress calibrate`."""

from pathlib import Path

import click

from builder.cli.console import echo
from builder.cli.language import get_interface_language
from builder.messages import gettext as _
from builder.usecases.build.home import write_calibration


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
