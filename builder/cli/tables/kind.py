"""`squadpress kind`: the kinds of cards of a pack."""

from datetime import date
from pathlib import Path

import click

from builder.cli.console import echo, echo_findings, run_uninterrupted
from builder.cli.groups import HelpfulGroup
from builder.cli.options import PATH, Day, pack_option, project_option
from builder.files import write_files
from builder.messages import ngettext
from builder.packs.project import Project
from builder.packs.tables.request import TableRequest
from builder.usecases.pack_states import choose_pack
from builder.usecases.tables.add_kind import KindRequest, add_kind


@click.group(cls=HelpfulGroup)
def kind() -> None:
    """Add a kind of card to a pack."""


@kind.command("add")
@click.argument("name")
@click.option(
    "--from",
    "file",
    type=PATH,
    required=True,
    metavar="TABLE",
    help="Spreadsheet with the cards of the kind; see docs/tables.md.",
)
@click.option("--sheet", metavar="NAME", help="Read this sheet of a workbook.")
@click.option(
    "--layout",
    default="",
    metavar="LAYOUT",
    help=(
        "Use a finished card design; see docs/layouts.md. Default: a design made from the columns."
    ),
)
@click.option(
    "--released", type=Day(), help="Release date of the cards. Default: today."
)
@click.option(
    "--skip-errors", is_flag=True, help="Leave out rows of the table with errors."
)
@pack_option
@project_option
def add(
    name: str,
    file: Path,
    sheet: str | None,
    layout: str,
    released: date | None,
    skip_errors: bool,
    pack: str | None,
    project: Project,
) -> int:
    """Add a kind of card called NAME to a pack, with the cards of a table.

    Write all files or none.
    """
    tables = TableRequest((file,), (sheet,) if sheet else (), kind=name)
    pack_id = choose_pack(project, pack)
    result = add_kind(
        project, KindRequest(pack_id, name, tables, layout, released, skip_errors)
    )
    if echo_findings(result.findings, err=True):
        return 1
    with run_uninterrupted():
        write_files(result.files)
    for line in result.summary:
        echo(line)
    count = len(result.files)
    echo(ngettext("{count} file written", "{count} files written", count))
    return 0
