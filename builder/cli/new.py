"""`squadpress new`."""

import re
import shlex
from pathlib import Path

import click

from builder.cli.console import echo, echo_findings, write
from builder.cli.options import PATH
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.packs.scaffold import layout_files, write_project
from builder.usecases.begin import table_project


@click.command()
@click.argument("folder", type=PATH, metavar="DIR")
@click.option(
    "--layout",
    metavar="NAME",
    help="Start with finished card designs; see docs/layouts.md.",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND=LAYOUT",
    help="A kind of card and its layout, for example fighter=poker. Can be repeated.",
)
@click.option(
    "--lang",
    "langs",
    metavar="LANG,...",
    help="Languages of the pack, source language first. Default: en,ru.",
)
@click.option(
    "--size", metavar="WxH", help=("Size of the cut cards in mm. Default: the size of the layout.")
)
@click.option(
    "--from",
    "table",
    type=PATH,
    metavar="TABLE",
    help="Import your own cards from a spreadsheet; see docs/tables.md.",
)
def new(
    folder: Path,
    layout: str | None,
    kinds: tuple[str, ...],
    langs: str | None,
    size: str | None,
    table: Path | None,
) -> int:
    """Create a small game in DIR: cards in two languages, rules, a squad, templates.

    With an option: sample cards with a finished design instead, without rules.
    """
    wanted = {"": layout or "poker"} if layout or (not kinds and (langs or size)) else {}
    for kind in kinds:
        found = re.fullmatch(r"([a-z0-9]+(?:-[a-z0-9]+)*)=(.+)", kind)
        if not found:
            raise UsageError(
                _("{kind!r} is not KIND=LAYOUT", kind=kind),
                _("Write, for example, --kind fighter=poker."),
            )
        wanted[found[1]] = found[2]
    sides = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", size or "20x20")
    if not sides or not all(20 <= float(side) <= 400 for side in sides.groups()):
        raise UsageError(
            _("{size!r} is not a size in mm", size=size),
            _("Write, for example, --size 63x88. Each side must be 20 to 400 mm."),
        )
    trim = (float(sides[1]), float(sides[2])) if size else None
    if table is not None and (layout or kinds):
        told = _("Leave out --kind. The columns of the table decide the design.")
        raise UsageError(_("a layout cannot be chosen for cards from a table"), told)
    files = (
        layout_files(wanted, (langs or "en,ru").split(","), trim)
        if wanted and table is None
        else None
    )
    if table is not None:
        made, wrong = table_project(folder, table, langs, trim)
        if echo_findings(wrong, err=True):
            return 1
        files = iter(made)
    pack, written = write_project(folder, files)
    echo(
        _(
            "{folder}: pack {pack}, {count} files. Next steps:",
            folder=folder,
            pack=pack,
            count=len(written),
        )
    )
    for command in (
        f"cd {shlex.quote(str(folder))}",
        "squadpress check",
        f"squadpress build --pack {pack}",
    ):
        write(f"  {command}")
    return 0
