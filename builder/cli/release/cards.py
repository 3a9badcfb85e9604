"""`squadpress card` and `translations`: edits of card files, and what translators fill in."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import click

from builder.cli.build.options import only_option
from builder.cli.console import Bar, echo, echo_findings, for_good, write
from builder.cli.groups import HelpfulGroup
from builder.cli.language import interface_language
from builder.cli.options import PATH, Day, pack_option, project_option
from builder.errors import UsageError
from builder.files import write_atomic
from builder.messages import gettext as _, ngettext
from builder.model.loaded import LoadedPack
from builder.packs.project import Project
from builder.packs.tables.tables import read_tables
from builder.packs.translation_files import po_file, read_translations, xliff_file
from builder.report.translations import as_text
from builder.usecases.build.build_options import CORES, WorkerPool
from builder.usecases.pack_files import PackFiles
from builder.usecases.release.cards import (
    bump_cards,
    by_language,
    coverages,
    entry_of,
    table_entries,
    take_texts,
    unrevised,
)
from builder.usecases.storage import one_pack


@click.group(cls=HelpfulGroup)
def card() -> None:
    """Edit a card's file and keep everything else in it as it is."""


@card.command("bump")
@click.argument("card_ids", metavar="[ID]...", nargs=-1)
@only_option
@click.option(
    "--changed-since", metavar="VERSION|DAY", help="All that changed since and kept their revision."
)
@click.option(
    "--printed",
    is_flag=True,
    help="With --changed-since: those too that only look otherwise when printed.",
)
@click.option(
    "--from",
    "table",
    type=PATH,
    metavar="TABLE",
    help="A table with a row for each card: id, type, note ...",
)
@click.option(
    "--type", "kind", type=click.Choice(["rules", "balance", "wording", "misprint", "art"])
)
@click.option(
    "--note",
    "notes",
    multiple=True,
    metavar="[LANG=]TEXT",
    help="What changed and why; without a language in the pack's source language. May be repeated.",
)
@click.option("--released", type=Day(), help="The day of the release that will carry it.")
@click.option("--effective", type=Day(), help="The day from which play uses it, where it differs.")
@pack_option
@project_option
def bump(
    card_ids: tuple[str, ...], only: tuple[str, ...], changed_since: str | None, printed: bool, table: Path | None,
    kind: str | None, notes: tuple[str, ...], released: date | None, effective: date | None, pack: str | None,
    project: Project,
) -> int:  # fmt: skip
    """Give cards their next revision: number, date and history entry. Named by ID, or by the options below, together
    those that all of them mean; with --from those of the table. Ends with 1 where `check` refuses what they say now."""
    from builder.usecases.check_pack import check_packs

    name, packs = one_pack(project, pack), PackFiles(project)
    loaded = packs.load(name)
    asked = {
        "type": kind,
        "note": by_language(loaded, notes) or None,
        "released": released,
        "effective": effective,
    }
    common = {key: value for key, value in asked.items() if value is not None}
    if bool(table) == bool(card_ids or only or changed_since):
        hint = _("Name ids, or use --only or --changed-since, or --from alone.")
        raise UsageError(_("it is not said which cards, or said twice"), hint)
    if table is not None:
        entries = table_entries(read_tables(table)[0][0], loaded, common)
    else:
        entry, meant = (
            entry_of(common),
            _selected(project, name, loaded, card_ids, only, changed_since, printed),
        )
        entries = dict.fromkeys(meant, entry)
    with for_good():
        made = bump_cards(packs, name, loaded, entries)
    for file, revision in made:
        echo(_("{file}: revision {revision}", file=file, revision=revision))
    if len(made) != 1:
        echo(
            ngettext(
                "{count} card has a new revision", "{count} cards have a new revision", len(made)
            )
        )
    files = {file for file, _revision in made}
    found = [finding for finding in check_packs(project, name) if finding.location.file in files]
    return echo_findings(found, err=True)


def _selected(
    project: Project, name: str, loaded: LoadedPack, ids: Sequence[str], only: Sequence[str], since: str | None,
    printed: bool,
) -> tuple[str, ...]:  # fmt: skip
    """The cards that ids and options all mean."""
    from builder.usecases.build.select import chosen_cards

    found = tuple(dict.fromkeys(ids)) or tuple(
        sorted(file.id or file.stem for file in loaded.files)
    )
    if only and loaded.pack is not None:
        chosen = chosen_cards(loaded.pack, only, loaded.pack.manifest.languages.source)
        found = tuple(card for card in found if card in chosen)
    if since is not None:
        meant = unrevised(PackFiles(project), name, since)
        if printed:
            from builder.usecases.build.changed import reprinted

            with Bar() as bar:
                meant |= reprinted(project, name, since, WorkerPool(CORES, progress=bar.step))
        found = tuple(card for card in found if card in meant)
    return found


@click.command()
@click.option(
    "--lang", multiple=True, metavar="LANG", help="A language; may be given again. Default: all."
)
@click.option(
    "--template", type=PATH, metavar="DIR", help="Write a file for each language's translator here."
)
@click.option(
    "--as",
    "sort",
    type=click.Choice(["po", "xliff"]),
    default="po",
    show_default=True,
    help="Their format.",
)
@click.option(
    "--take", "filled", type=PATH, metavar="FILE", help="Take in what such a file says now."
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
    """Which texts are missing, stale or mere copies of the source, per language.

    Ends with 0 if all that must be complete is fresh, and with 1 if not.
    """
    name, packs = one_pack(project, pack), PackFiles(project)
    if filled is not None:
        taken = take_texts(packs, name, *read_translations(filled), str(filled))
        for file, count in taken:
            echo(ngettext("{file}: {count} text", "{file}: {count} texts", count, file=file))
        if not taken:
            echo(_("{file}: nothing new is filled in", file=filled))
        return 0
    found = coverages(packs, name, lang)
    if template is None:
        write(as_text(name, found, interface_language()), nl=False)
    else:
        for one in found:
            path = template / f"{name}-{one.lang}.{'po' if sort == 'po' else 'xlf'}"
            write_atomic(path, (po_file if sort == "po" else xliff_file)(name, one))
            echo(
                ngettext(
                    "{file}: {count} text to translate",
                    "{file}: {count} texts to translate",
                    len(one.open),
                    file=path,
                )
            )
    return 1 if any(one.open and not one.partial for one in found) else 0
