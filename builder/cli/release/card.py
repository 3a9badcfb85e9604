"""`squadpress card bump`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import click

from builder.cli.build.options import only_option
from builder.cli.console import ProgressBar, echo, echo_findings, run_uninterrupted
from builder.cli.groups import HelpfulGroup
from builder.cli.options import PATH, Day, pack_option, project_option
from builder.errors import UsageError
from builder.messages import gettext as _, ngettext
from builder.model.loaded import LoadedPack
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.tables.reader import read_tables
from builder.usecases.build.build_options import CORES, WorkerPool
from builder.usecases.pack_states import choose_pack
from builder.usecases.release.cards import (
    bump_cards,
    find_unrevised_cards,
    group_notes_by_language,
    list_reprints,
    make_entry,
    read_table_entries,
)


@dataclass(frozen=True, slots=True)
class CardSelection:
    """The options of `card bump` that select cards."""

    ids: tuple[str, ...]
    only: tuple[str, ...]
    changed_since: str | None
    printed: bool


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
    help="Table with one row per card. Columns: id, type, released, effective, note (in the source "
    "language), and one for each other language, such as en.",
)
@click.option(
    "--type",
    "kind",
    type=click.Choice(["rules", "balance", "wording", "misprint", "art"]),
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
@click.option(
    "--released", type=Day(), help=("Date of the release that will contain the change.")
)
@click.option(
    "--effective",
    type=Day(),
    help=("Date from which the change applies in play, if it differs."),
)
@click.option(
    "--reprints",
    is_flag=True,
    help="Also all other prints of these cards (`reprint_of`).",
)
@pack_option
@project_option
def bump(
    card_ids: tuple[str, ...],
    only: tuple[str, ...],
    changed_since: str | None,
    printed: bool,
    reprints: bool,
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

    name = choose_pack(project, pack)
    packs = PackFiles(project)
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
        selection = CardSelection(card_ids, only, changed_since, printed)
        selected_ids = _select_ids(project, loaded, name, selection)
        entries = dict.fromkeys(selected_ids, make_entry(common))
    others = list_reprints(loaded, entries)
    if reprints:
        entries |= others
    with run_uninterrupted():
        bumped_files = bump_cards(packs, name, loaded, entries)
    _print_bumped_files(bumped_files)
    files = {file for file, _revision in bumped_files}
    # A print that was left out may now have an outdated text.
    files |= {
        loaded.documents[card].file for card in others if card in loaded.documents
    }
    findings = [
        finding
        for finding in check_packs(project, name)
        if finding.location.file in files
    ]
    return echo_findings(findings, err=True)


def _print_bumped_files(bumped_files: Sequence[tuple[str, int]]) -> None:
    """Print each changed file with its new revision."""
    for file, revision in bumped_files:
        echo(_("{file}: revision {revision}", file=file, revision=revision))
    count = len(bumped_files)
    if count != 1:
        message = ngettext(
            "{count} card has a new revision",
            "{count} cards have a new revision",
            count,
        )
        echo(message)


def _select_ids(
    project: Project, loaded: LoadedPack, name: str, selection: CardSelection
) -> list[str]:
    """Return the ids of the cards that match all options."""
    selected_ids = list(dict.fromkeys(selection.ids))
    if not selected_ids:
        selected_ids = sorted(file.id or file.stem for file in loaded.files)
    if selection.only and loaded.pack is not None:
        from builder.usecases.build.select import select_cards

        source_language = loaded.pack.manifest.languages.source
        matches = select_cards(loaded.pack, selection.only, source_language)
        selected_ids = [card_id for card_id in selected_ids if card_id in matches]
    if selection.changed_since is not None:
        changed_ids = _find_changed_ids(
            project, name, selection.changed_since, selection.printed
        )
        selected_ids = [card_id for card_id in selected_ids if card_id in changed_ids]
    return selected_ids


def _find_changed_ids(
    project: Project, name: str, since: str, printed: bool
) -> frozenset[str]:
    """Return the cards that changed without a new revision.

    With `printed`, also those that only look different in print.
    """
    changed_ids = find_unrevised_cards(PackFiles(project), name, since)
    if not printed:
        return changed_ids
    from builder.usecases.build.changed import find_reprinted_cards

    with ProgressBar() as bar:
        workers = WorkerPool(CORES, progress=bar.step)
        return changed_ids | find_reprinted_cards(project, name, since, workers)
