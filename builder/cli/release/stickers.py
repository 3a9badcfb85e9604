"""`squadpress release stickers`."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import click

from builder.cli.build.options import lang_option, only_option
from builder.cli.console import ProgressBar, echo, echo_findings, shorten_path
from builder.cli.options import PATH, pack_option, project_option
from builder.errata.snapshot import WORK
from builder.errors import UsageError
from builder.files import write_atomic
from builder.findings import has_errors
from builder.messages import gettext as _, ngettext
from builder.packs.pack_files import PackFiles
from builder.packs.privacy import refuse_imported
from builder.packs.profiles import load_profile
from builder.packs.project import Project
from builder.packs.rosters import load_collection
from builder.roster.choice_keywords import get_original_id
from builder.usecases.build.build_options import CORES, WorkerPool
from builder.usecases.build.select import list_squad_cards, read_roster
from builder.usecases.pack_states import choose_pack, load_two_states


@click.command("stickers")
@click.argument("old")
@click.argument("new", default="work")
@lang_option
@only_option
@click.option(
    "--own",
    type=PATH,
    metavar="COLLECTION",
    help="Only cards this collection file contains.",
)
@click.option(
    "--roster", type=PATH, metavar="FILE", help="Only the cards of this squad."
)
@click.option(
    "--profile",
    default="home-a4",
    show_default=True,
    help="Print profile with the paper: home-a4, home-letter ...",
)
@click.option(
    "--output", type=PATH, metavar="DIR", help="Output folder. Default: output/PACK."
)
@pack_option
@project_option
def print_stickers(
    old: str,
    new: str,
    langs: tuple[str, ...],
    only: tuple[str, ...],
    own: Path | None,
    roster: Path | None,
    profile: str,
    output: Path | None,
    pack: str | None,
    project: Project,
) -> int:
    """Print stickers that correct cards of OLD as they are in NEW. Each covers one changed block in
    true size, to glue over the old card. Cards that need more than stickers are listed.
    """
    from builder.usecases.release.stickers import StickerRequest, print_stickers

    name = choose_pack(project, pack)
    packs = PackFiles(project)
    refuse_imported(project, name)
    before, after, damage = load_two_states(packs, name, old, new)
    if echo_findings(damage, err=True):
        return 1
    copies = _count_copies(packs, name, own, roster)
    request = StickerRequest(langs, only, copies)
    paper_profile = load_profile(project, profile)
    if paper_profile.paper is None:
        message = _("the profile {name} has no paper size", name=profile)
        raise UsageError(message, _("Use --profile home-a4 or --profile home-letter."))
    with ProgressBar() as bar:
        workers = WorkerPool(CORES, progress=bar.step)
        sheets, findings = print_stickers(
            project, (before, after), paper_profile, request, workers
        )
    folder = output or project.get_output_dir(name)
    for sheet in sheets:
        if not sheet.data:
            echo(
                _(
                    "{pack} [{lang}]: no printed block changed",
                    pack=name,
                    lang=sheet.lang,
                )
            )
            continue
        path = folder / f"{name}-{sheet.lang}-stickers-{before.label}-{after.label}.pdf"
        write_atomic(path, sheet.data)
        count = len(sheet.stickers)
        file = str(shorten_path(path))
        echo(
            ngettext(
                "{file}: {count} sticker", "{file}: {count} stickers", count, file=file
            )
        )
    listed_cards: set[str] = set()
    for sheet in sheets:
        listed_cards.update(sheet.reasons)
    echo_findings(findings, err=not has_errors(findings))
    if listed_cards:
        selector = ",".join(sorted(listed_cards))
        command = f"squadpress build {name} --only '{selector}'"
        if after.label != WORK:
            command += f" --as-of {after.label}"
        echo(_("Print the listed cards: {command}", command=command))
    return 1 if has_errors(findings) else 0


def _count_copies(
    packs: PackFiles, name: str, own: Path | None, roster: Path | None
) -> Mapping[str, int] | None:
    """Return the owned or used copies by card. None without a collection or squad."""
    if own is not None and roster is not None:
        raise UsageError(
            _("a collection and a squad are given"), _("Give only one of them.")
        )
    pack = packs.load_pack(name).pack
    if pack is None or (own is None and roster is None):
        return None
    if roster is not None:
        squad = read_roster(packs.project, roster)
        return Counter(
            map(get_original_id, list_squad_cards(pack, squad, str(roster))[1])
        )
    assert own is not None
    from builder.usecases.roster.check_roster import OwnedCards, follow_renamed_cards

    collection = follow_renamed_cards(packs, load_collection(own, packs.project))[0]
    owned = collection.count_copies()
    # Kinds of which no card is listed count as owned: one of each.
    all_copies = OwnedCards(str(own), collection).count_copies(pack)
    return {card: owned.get(card, 1) for card, count in all_copies.items() if count}
