"""`squadpress table`: cards as spreadsheets, out and in."""

from datetime import date
from pathlib import Path

import click

from builder.cli.console import echo, echo_findings, print_lines, run_uninterrupted
from builder.cli.groups import HelpfulGroup
from builder.cli.options import PATH, Day, lang_option, pack_option, project_option
from builder.errors import UsageError
from builder.files import write_files
from builder.findings import has_errors
from builder.messages import gettext as _, ngettext
from builder.model.card import ChangeType
from builder.model.table import TableMapping
from builder.packs.project import Project
from builder.packs.schema.validation import read_model
from builder.packs.tables.reader import read_tables
from builder.report.release import format_table_changes
from builder.usecases.check_pack import check_packs
from builder.usecases.pack_states import choose_pack
from builder.usecases.table import TableOptions, export_table, import_table


@click.group(cls=HelpfulGroup)
def table() -> None:
    """Export cards to spreadsheets, and import the edited spreadsheets."""


@table.command("export")
@click.argument("pack")
@click.argument("kind")
@click.argument("file", type=PATH, metavar="FILE.xlsx|FILE.csv")
@lang_option
@project_option
def export(pack: str, kind: str, file: Path, lang: str, project: Project) -> int:
    """Export all cards of a KIND to a table: one column per field, with translations beside their
    texts.
    """
    count, wrong = export_table(project, pack, kind, file)
    if wrong:
        return echo_findings(wrong, lang, err=True)
    echo(ngettext("{file}: {count} card", "{file}: {count} cards", count, file=file), lang)
    return 0


@table.command("import")
@click.argument("file", type=PATH)
@click.option(
    "--kind",
    metavar="KIND",
    required=True,
    help="Kind of the cards. A workbook has a sheet with that name.",
)
@click.option(
    "--mapping",
    type=PATH,
    metavar="YAML",
    help="Mapping file: which column is which field, if the names differ.",
)
@click.option("--write", is_flag=True, help=("Write the changes. Without it, they are only shown."))
@click.option(
    "--clear-empty",
    is_flag=True,
    help="Delete the value where a cell is empty. Default: keep it.",
)
@click.option(
    "--delete", is_flag=True, help="Delete cards, and entries of cards, that have no row."
)
@click.option(
    "--bump",
    type=click.Choice([one.value for one in ChangeType]),
    help="Add a revision to changed cards.",
)
@click.option(
    "--note",
    "notes",
    multiple=True,
    metavar="[LANG=]TEXT",
    help="What changed and why. Can be repeated.",
)
@click.option(
    "--released",
    type=Day(),
    help=("Date of the release that will contain the change. Default: today."),
)
@click.option(
    "--effective", type=Day(), help=("Date from which the change applies in play, if it differs.")
)
@lang_option
@pack_option
@project_option
def take(
    file: Path, kind: str, mapping: Path | None, write: bool, clear_empty: bool, delete: bool, bump: str | None,
    notes: tuple[str, ...], released: date | None, effective: date | None, lang: str, pack: str | None,
    project: Project,
) -> int:  # fmt: skip
    """Show what a table changes in the cards of a KIND, field by field. With --write, write all
    changes or none.
    """
    if bump and not notes:
        raise UsageError(
            _("the revision has no note"), _("Describe what changed and why: --note TEXT.")
        )
    name, day = choose_pack(project, pack), released or date.today()
    tables, findings = read_tables(file)
    asked, wrong = (
        read_model(TableMapping, mapping, project.relative(mapping))
        if mapping
        else (TableMapping(), ())
    )
    if asked is None or wrong:
        return echo_findings(wrong, lang, err=True)
    entry = {"type": bump, "released": day, "effective": effective} if bump else None
    chosen = next((one for one in tables if one.sheet == kind), tables[0])
    made = import_table(
        project, name, kind, chosen, TableOptions(asked, clear_empty, delete, entry, notes, day)
    )
    found = [*findings, *made.findings]
    if has_errors(found):
        return echo_findings(found, lang, err=True)
    print_lines(format_table_changes(made.changes, lang))
    if made.files and write:
        with run_uninterrupted():
            write_files(made.files)
        files = {project.relative(path) for path in made.files}
        echo(ngettext("{count} file written", "{count} files written", len(files)), lang)
        found += [one for one in check_packs(project, name) if one.location.file in files]
    elif made.files:
        echo(_("Nothing was written. Add --write to write the changes."), lang)
    echo_findings(found, lang, err=True)
    return 0
