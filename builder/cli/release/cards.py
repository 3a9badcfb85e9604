"""`squadpress card` and `translations`: edits of card files, and what translators fill in."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import click

from builder.cli.build.options import only_option
from builder.cli.console import ProgressBar, echo, echo_findings, run_uninterrupted, write
from builder.cli.groups import HelpfulGroup
from builder.cli.language import get_interface_language
from builder.cli.options import PATH, Day, pack_option, project_option
from builder.errors import UsageError
from builder.files import write_atomic
from builder.messages import gettext as _, ngettext
from builder.model.loaded import LoadedPack
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.tables.reader import read_tables
from builder.packs.translation_files import make_po_file, make_xliff_file, read_translations
from builder.report.translations import format_text
from builder.usecases.build.build_options import CORES, WorkerPool
from builder.usecases.pack_states import choose_pack
from builder.usecases.release.cards import (
    bump_cards,
    find_unrevised_cards,
    group_notes_by_language,
    make_entry,
    measure_coverages,
    read_table_entries,
    take_texts,
)


@click.group(cls=HelpfulGroup)
def card() -> None:
    """Edit a card's file without changing anything else in it."""


@card.command("bump")
@click.argument("card_ids", metavar="[ID]...", nargs=-1)
@only_option
@click.option(
    "--changed-since",
    metavar="VERSION|DAY",
    help=("All cards that changed since this release and have no new revision."),
)
@click.option(
    "--printed",
    is_flag=True,
    help="With --changed-since: also cards that only look different in print.",
)
@click.option(
    "--from",
    "table",
    type=PATH,
    metavar="TABLE",
    help="Table with one row per card: id, type, note ...",
)
@click.option(
    "--type", "kind", type=click.Choice(["rules", "balance", "wording", "misprint", "art"])
)
@click.option(
    "--note",
    "notes",
    multiple=True,
    metavar="[LANG=]TEXT",
    help=(
        "What changed and why. Without a language: in the pack's source language. Can be repeated."
    ),
)
@click.option("--released", type=Day(), help=("Date of the release that will contain the change."))
@click.option(
    "--effective", type=Day(), help=("Date from which the change applies in play, if it differs.")
)
@pack_option
@project_option
def bump(
    card_ids: tuple[str, ...],
    only: tuple[str, ...],
    changed_since: str | None,
    printed: bool,
    table: Path | None,
    kind: str | None,
    notes: tuple[str, ...],
    released: date | None,
    effective: date | None,
    pack: str | None,
    project: Project,
) -> int:
    """Add a revision to cards: number, date and history entry. Name the cards by ID or choose them
    by options; several options together select the cards that match all of them. Exit code: 1
    if `check` finds errors in the new entries.
    """
    from builder.usecases.check_pack import check_packs

    name, packs = choose_pack(project, pack), PackFiles(project)
    loaded = packs.load_pack(name)
    values = {
        "type": kind,
        "note": group_notes_by_language(loaded, notes) or None,
        "released": released,
        "effective": effective,
    }
    common = {key: value for key, value in values.items() if value is not None}
    if bool(table) == bool(card_ids or only or changed_since):
        hint = _("Give ids, or --only or --changed-since, or --from alone.")
        raise UsageError(_("the cards are not given, or are given twice"), hint)
    if table is not None:
        tables, findings_of_files = read_tables(table)
        if echo_findings([*findings_of_files, *tables[0].findings], err=True):
            return 1
        entries = read_table_entries(tables[0], loaded, common)
    else:
        entry, cards = (
            make_entry(common),
            _select_cards(project, name, loaded, card_ids, only, changed_since, printed),
        )
        entries = dict.fromkeys(cards, entry)
    with run_uninterrupted():
        bumped_files = bump_cards(packs, name, loaded, entries)
    for file, revision in bumped_files:
        echo(_("{file}: revision {revision}", file=file, revision=revision))
    if len(bumped_files) != 1:
        echo(
            ngettext(
                "{count} card has a new revision",
                "{count} cards have a new revision",
                len(bumped_files),
            )
        )
    files = {file for file, _revision in bumped_files}
    findings = [finding for finding in check_packs(project, name) if finding.location.file in files]
    return echo_findings(findings, err=True)


def _select_cards(
    project: Project,
    name: str,
    loaded: LoadedPack,
    ids: Sequence[str],
    only: Sequence[str],
    since: str | None,
    printed: bool,
) -> tuple[str, ...]:
    """Return the cards that match the ids and all options."""
    from builder.usecases.build.select import select_cards

    cards = tuple(dict.fromkeys(ids)) or tuple(
        sorted(file.id or file.stem for file in loaded.files)
    )
    if only and loaded.pack is not None:
        matches = select_cards(loaded.pack, only, loaded.pack.manifest.languages.source)
        cards = tuple(card for card in cards if card in matches)
    if since is not None:
        changed_cards = find_unrevised_cards(PackFiles(project), name, since)
        if printed:
            from builder.usecases.build.changed import find_reprinted_cards

            with ProgressBar() as bar:
                changed_cards |= find_reprinted_cards(
                    project, name, since, WorkerPool(CORES, progress=bar.step)
                )
        cards = tuple(card for card in cards if card in changed_cards)
    return cards


@click.command()
@click.option(
    "--lang", multiple=True, metavar="LANG", help="Language. Can be repeated. Default: all."
)
@click.option(
    "--template",
    type=PATH,
    metavar="DIR",
    help=("Write one file per language for translators into this folder."),
)
@click.option(
    "--as",
    "sort",
    type=click.Choice(["po", "xliff"]),
    default="po",
    show_default=True,
    help="Format of these files.",
)
@click.option(
    "--take",
    "filled",
    type=PATH,
    metavar="FILE",
    help=("Import a file that a translator has filled in."),
)
@pack_option
@project_option
def translations(
    lang: tuple[str, ...],
    template: Path | None,
    sort: str,
    filled: Path | None,
    pack: str | None,
    project: Project,
) -> int:
    """List texts that are not translated, outdated, or identical to the source, per language.

    Exit code: 0 if all required translations are up to date, 1 if not.
    """
    name, packs = choose_pack(project, pack), PackFiles(project)
    if filled is not None:
        result = take_texts(packs, name, *read_translations(filled), str(filled))
        for file, count in result:
            echo(ngettext("{file}: {count} text", "{file}: {count} texts", count, file=file))
        if not result:
            echo(_("{file}: no new translations", file=filled))
        return 0
    coverages = measure_coverages(packs, name, lang)
    if template is None:
        write(format_text(name, coverages, get_interface_language()), nl=False)
    else:
        for coverage in coverages:
            path = template / f"{name}-{coverage.lang}.{'po' if sort == 'po' else 'xlf'}"
            write_atomic(path, (make_po_file if sort == "po" else make_xliff_file)(name, coverage))
            echo(
                ngettext(
                    "{file}: {count} text to translate",
                    "{file}: {count} texts to translate",
                    len(coverage.open),
                    file=path,
                )
            )
    return 1 if any(coverage.open and not coverage.partial for coverage in coverages) else 0
