"""`squadpress calibrate`."""

from __future__ import annotations

from pathlib import Path

import click

from builder.cli.language import interface_language
from builder.messages import gettext as _
from builder.messages import translate


@click.command()
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The sheet.")
@click.option("--printer", metavar="NAME", help="Apply what is known of this printer: the sheet should then read 0.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("calibration.pdf"),
    show_default=True,
    help="The file to write.",
)
def calibrate(paper: str, printer: str | None, output: Path) -> int:
    """Write a two-sided sheet that shows how far a printer's backs miss their fronts.

    Print it on both sides, hold it against a light, front away from you, and read at both rulers of the back where the
    cross of the front falls. Then: squadpress printer set NAME --left X,Y --right X,Y
    """
    from builder.usecases.build.printers import write_calibration

    lang = interface_language()
    write_calibration(paper, printer, output, lang)
    told = _("{file}: print both sides, then read the rulers on the back", file=output)
    click.echo(translate(told, lang))
    return 0
