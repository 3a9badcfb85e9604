"""`squadpress table`: cards as spreadsheets, out and in."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from builder.cli.console import echo, echo_findings, print_lines, run_uninterrupted
from builder.cli.groups import HelpfulGroup
from builder.cli.language import get_interface_language
from builder.cli.options import PATH, Day, lang_option, pack_option, project_option
from builder.cli.tables.table_monitor import monitor_tables
from builder.cli.tables.table_options import TableChoice, table_options
from builder.errors import UsageError
from builder.files import write_files
from builder.findings import Finding, has_errors
from builder.messages import gettext as _, list_languages, ngettext
from builder.model.card import ChangeType
from builder.model.words import suggest_word
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.report.release import format_table_changes
from builder.usecases.check_pack import check_packs
from builder.usecases.pack_states import choose_pack
from builder.usecases.tables.export_table import export_table
from builder.usecases.tables.import_tables import import_tables
from builder.usecases.tables.picture_folder import match_pictures
from builder.usecases.tables.table_import import TableOptions


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
    count, findings = export_table(project, pack, kind, file)
    if findings:
        return echo_findings(findings, lang, err=True)
    echo(
        ngettext("{file}: {count} card", "{file}: {count} cards", count, file=file),
        lang,
    )
    return 0


@table.command("import")
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--write", is_flag=True, help="Write the changes. Without it, they are only shown."
)
@click.option(
    "--clear-empty",
    is_flag=True,
    help="Delete the value where a cell is empty. Default: keep it.",
)
@click.option(
    "--delete",
    is_flag=True,
    help="Delete cards, and entries of cards, that have no row.",
)
@click.option(
    "--bump",
    type=click.Choice([change_type.value for change_type in ChangeType]),
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
    help="Date of the release that will contain the change. Default: today.",
)
@click.option(
    "--effective",
    type=Day(),
    help="Date from which the change applies in play, if it differs.",
)
@click.option(
    "--skip-errors",
    is_flag=True,
    help="Leave out cards with errors. Import the others.",
)
@click.option(
    "--pictures",
    type=PATH,
    metavar="DIR",
    help="Folder of pictures for cards without one, by id, name or the table's column.",
)
@table_options(lang_help="Default: the source language of the pack.")
@pack_option
@project_option
def take(
    files: tuple[Path, ...],
    write: bool,
    clear_empty: bool,
    delete: bool,
    bump: str | None,
    notes: tuple[str, ...],
    released: date | None,
    effective: date | None,
    skip_errors: bool,
    pictures: Path | None,
    choice: TableChoice,
    pack: str | None,
    project: Project,
) -> int:
    """Show what tables change in cards, field by field. With --write, write all changes or none.

    FILE may be - for the standard input.
    """
    check_note(bump, notes)
    name = choose_pack(project, pack)
    day = released or date.today()
    choice = check_table_language(project, name, choice)
    request = replace(choice.make_request(files), pictures=pictures)
    matcher = match_pictures(pictures) if pictures is not None else None
    entry = {"type": bump, "released": day, "effective": effective} if bump else None
    options = TableOptions(
        clear=clear_empty,
        delete=delete,
        bump=entry,
        notes=notes,
        day=day,
        skip_errors=skip_errors,
        pictures=matcher,
    )
    with monitor_tables() as monitor:
        result = import_tables(project, name, request, options, monitor.import_monitor)
    if has_errors(result.findings):
        return monitor.report_remaining(result.findings)
    print_lines(format_table_changes(result.changes, get_interface_language()))
    for line in matcher.summarize_matches() if matcher is not None else ():
        echo(line)
    reported_findings = [*result.findings]
    if result.files and write:
        reported_findings += write_changes(project, name, result.files)
    elif result.files:
        echo(_("Nothing was written. Add --write to write the changes."))
    monitor.report_findings(reported_findings)
    return 0


def check_note(bump: str | None, notes: Sequence[str]) -> None:
    """Raise UsageError if a revision has no note."""
    if bump and not notes:
        raise UsageError(
            _("the revision has no note"),
            _("Describe what changed and why: --note TEXT."),
        )


def write_changes(
    project: Project, pack: str, files: Mapping[Path, bytes | None]
) -> list[Finding]:
    """Write the changed files of an import and print their number. Return findings about them."""
    with run_uninterrupted():
        write_files(files)
    names = {project.shorten_path(path) for path in files}
    echo(ngettext("{count} file written", "{count} files written", len(names)))
    return [item for item in check_packs(project, pack) if item.location.file in names]


def check_table_language(
    project: Project, pack: str, choice: TableChoice
) -> TableChoice:
    """Return the options, without a language that is no language of the pack's cards.

    Until 0.2.0, `--lang` was the language of messages, so an interface language is accepted with a
    remark. Raise UsageError for any other language.
    """
    loaded = PackFiles(project).load_pack(pack).pack if choice.lang else None
    if loaded is None or choice.lang == loaded.manifest.languages.source:
        return choice
    languages = loaded.manifest.languages
    if choice.lang in languages.translations:
        hint = _("Name the columns with translations: name@{lang}.", lang=choice.lang)
        raise UsageError(
            _("the table is not in the source language of {pack}", pack=pack), hint
        )
    if choice.lang not in list_languages():
        known_languages = suggest_word(choice.lang or "", languages.all, _("Languages"))
        message = _("{pack} has no language {lang}", pack=pack, lang=choice.lang)
        raise UsageError(message, known_languages)
    form = _(
        "--lang is now the language of the table. For messages, use: squadpress "
        "--interface-lang {lang}"
    )
    echo(_(form, lang=choice.lang), err=True)
    return replace(choice, lang=None)
