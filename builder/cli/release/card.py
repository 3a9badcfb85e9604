"""`squadpress card`: edits of card files."""

from datetime import date

import click

from builder.cli.console import echo, echo_findings, for_good
from builder.cli.groups import HelpfulGroup
from builder.cli.language import interface_language
from builder.cli.options import Day, pack_option, project_option
from builder.messages import gettext as _
from builder.store.project import Project


@click.group(cls=HelpfulGroup)
def card() -> None:
    """Edit a card's file and keep everything else in it as it is."""


@card.command("bump")
@click.argument("card_id", metavar="ID")
@click.option("--type", "kind", type=click.Choice(["rules", "balance", "wording", "misprint", "art"]), required=True)
@click.option(
    "--note",
    "notes",
    multiple=True,
    required=True,
    metavar="[LANG=]TEXT",
    help="What changed and why; without a language in the pack's source language. May be repeated.",
)
@click.option("--released", type=Day(), required=True, help="The day of the release that will carry it.")
@click.option("--effective", type=Day(), help="The day from which play uses it, where it differs.")
@pack_option
@project_option
def bump(
    card_id: str, kind: str, notes: tuple[str, ...], released: date, effective: date | None, pack: str | None,
    project: Project,
) -> int:  # fmt: skip
    """Give card ID its next revision: number, date and history entry."""
    from builder.model.card import ChangeType, HistoryEntry
    from builder.usecases.check import check_packs
    from builder.usecases.files import PackFiles
    from builder.usecases.release.card_bump import bump_card, by_language
    from builder.usecases.storage import one_pack

    name, packs = one_pack(project, pack), PackFiles(project)
    loaded = packs.load(name)
    entry = HistoryEntry(
        revision=1,  # counted where the card is kept
        released=released,
        effective=effective,
        type=ChangeType(kind),
        note=by_language(loaded, notes),
    )
    with for_good():
        file, revision = bump_card(packs, name, loaded, card_id, entry)
    echo(_("{file}: revision {revision}", file=file, revision=revision))
    found = [finding for finding in check_packs(project, name) if finding.location.file == file]
    if found:
        echo_findings(found, interface_language(), err=True)
    return 0
