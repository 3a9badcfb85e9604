"""`squadpress new`."""

import re
import shlex
from datetime import date
from pathlib import Path

import click

from builder.cli.console import echo, write
from builder.cli.options import PATH, Day
from builder.cli.tables.table_monitor import monitor_tables
from builder.cli.tables.table_options import TableChoice, table_options
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.packs.scaffold import Files, list_pack_files, write_project
from builder.units import parse_size
from builder.usecases.tables.new_pack import PackRequest, make_pack
from builder.usecases.tables.picture_folder import list_picture_pack_files


@click.command()
@click.argument("folder", type=PATH, metavar="DIR")
@click.option(
    "--layout",
    metavar="NAME",
    help="Start with finished card designs; see docs/layouts.md.",
)
@click.option(
    "--size",
    metavar="WxH",
    help="Size of the cut cards: 63x88mm, 2.5inx3.5in. Default: the size of the layout.",
)
@click.option(
    "--from",
    "files",
    type=PATH,
    multiple=True,
    metavar="TABLE",
    help=(
        "Import your own cards from a spreadsheet; see docs/tables.md. Can be repeated; - is the "
        "standard input."
    ),
)
@click.option(
    "--pictures",
    type=PATH,
    metavar="DIR",
    help=(
        "Folder of pictures: for the table's cards, by id or name, or with --layout picture a "
        "card each."
    ),
)
@click.option(
    "--released", type=Day(), help="Release date of the table's cards. Default: today."
)
@click.option(
    "--skip-errors", is_flag=True, help="Leave out rows of the table with errors."
)
@table_options(
    kind_help="Without a table: KIND=LAYOUT, for example fighter=poker. Can be repeated.",
    lang_help="Without a table: languages of the pack, source language first. Default: en,ru.",
)
def new(
    folder: Path,
    layout: str | None,
    size: str | None,
    files: tuple[Path, ...],
    released: date | None,
    skip_errors: bool,
    pictures: Path | None,
    choice: TableChoice,
) -> int:
    """Create a small game in DIR: cards in two languages, rules, a squad, templates.

    With an option: sample cards with a finished design instead, without rules.
    """
    trim = parse_card_size(size)
    if files:
        refuse_layouts(layout, choice)
        tables = choice.make_request(files)
        pack_request = PackRequest(
            folder, tables, trim, released, skip_errors, pictures
        )
        with monitor_tables() as monitor:
            new_pack = make_pack(pack_request, monitor.import_monitor)
        if monitor.report_remaining(new_pack.findings):
            return 1
        pack, names = write_project(folder, iter(new_pack.files))
        for line in new_pack.summary:
            echo(line)
    elif pictures is not None:
        if layout != "picture":
            hint = _("Add --layout picture, or name the table: --from cards.xlsx.")
            raise UsageError(_("--pictures needs a table or the layout picture"), hint)
        langs = (choice.lang or "en").split(",")
        pack, names = write_project(
            folder, list_picture_pack_files(pictures, langs, trim)
        )
    else:
        pack, names = write_project(folder, make_sample_files(layout, choice, trim))
    echo_next_steps(folder, pack, len(names))
    return 0


def parse_card_size(size: str | None) -> tuple[float, float] | None:
    """Parse a card size such as `63x88mm` to width and height in mm.

    Raise UsageError if invalid.
    """
    if size is None:
        return None
    sides = parse_size(size)
    if sides is None or not all(20 <= side <= 400 for side in sides):
        hint = _(
            "Write, for example, --size 63x88mm or --size 2.5inx3.5in. Each side "
            "must be 20 to 400 mm."
        )
        raise UsageError(_("{size!r} is not a size of a card", size=size), hint)
    return sides


def refuse_layouts(layout: str | None, choice: TableChoice) -> None:
    """Raise UsageError if a finished layout is requested for cards from a table."""
    if layout or any("=" in kind for kind in choice.kinds):
        option = "--layout" if layout else "--kind"
        hint = _(
            "Leave out {option}. The columns of the table decide the design.",
            option=option,
        )
        raise UsageError(_("a layout cannot be chosen for cards from a table"), hint)


def make_sample_files(
    layout: str | None, choice: TableChoice, trim: tuple[float, float] | None
) -> Files | None:
    """Return the files of a pack with sample cards in finished layouts. None without layouts."""
    if choice.sheets or choice.mapping:
        hint = _("Name the table: --from cards.xlsx.")
        raise UsageError(_("--sheet and --mapping need a table"), hint)
    layouts_by_kind: dict[str, str] = {}
    if layout or (not choice.kinds and (choice.lang or trim)):
        layouts_by_kind[""] = layout or "poker"
    for kind in choice.kinds:
        parts = re.fullmatch(r"([a-z0-9]+(?:-[a-z0-9]+)*)=(.+)", kind)
        if not parts:
            raise UsageError(
                _("{kind!r} is not KIND=LAYOUT", kind=kind),
                _("Write, for example, --kind fighter=poker."),
            )
        layouts_by_kind[parts[1]] = parts[2]
    if not layouts_by_kind:
        return None
    return list_pack_files(layouts_by_kind, (choice.lang or "en,ru").split(","), trim)


def echo_next_steps(folder: Path, pack: str, count: int) -> None:
    """Print what was created, and the commands that a user may run next."""
    form = _("{folder}: pack {pack}, {count} files. Next steps:")
    echo(_(form, folder=folder, pack=pack, count=count))
    steps = (
        f"cd {shlex.quote(str(folder))}",
        "squadpress check",
        f"squadpress build --pack {pack}",
    )
    for step in steps:
        write(f"  {step}")
