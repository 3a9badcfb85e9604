"""The options of `squadpress build` that are about sheets from a home printer."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import TYPE_CHECKING, Any

import click

from builder.messages import gettext as _

if TYPE_CHECKING:
    from builder.usecases.build.home import Home

NAMES = ("gap", "grid", "marks", "duplex", "fold", "printer", "cut")

_OPTIONS = (
    click.option("--gap", type=click.FloatRange(0, 50), metavar="MM", help="Distance between cards on a sheet."),
    click.option("--grid", metavar="CxR", help="Columns x rows on a sheet; refused with what fits where it does not."),
    click.option("--marks", type=click.Choice(["on", "off", "ticks", "crosses", "outline"]), help="Cut marks."),
    click.option(
        "--duplex",
        type=click.Choice(["long-edge", "short-edge", "none"]),
        help="How the printer turns; none: fronts only.",
    ),
    click.option("--fold", is_flag=True, help="Backs beside their fronts, to be folded: no two-sided printing."),
    click.option("--printer", metavar="NAME", help="Move backs as this printer needs it (squadpress printer)."),
    click.option("--cut", type=click.Choice(["svg", "dxf"]), multiple=True, help="Cut lines for a cutting machine."),
)


def home_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """All of them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def take_home(options: MutableMapping[str, Any]) -> Home:
    """What they say, taken out of the options. UsageError for a grid that is none."""
    from builder.errors import UsageError
    from builder.usecases.build.home import Home

    taken = {name: options.pop(name) for name in NAMES}
    if taken["grid"] is not None:
        columns, _unused, rows = taken["grid"].lower().partition("x")
        if not (columns.isdigit() and rows.isdigit() and int(columns) and int(rows)):
            raise UsageError(_("{grid!r} is no grid", grid=taken["grid"]), _("Write columns x rows: --grid 3x3."))
        taken["grid"] = (int(columns), int(rows))
    return Home(**taken)
