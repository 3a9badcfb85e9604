"""Compare the printed cards of a squad with the release that the squad is pinned to."""

from collections.abc import Iterator
from pathlib import Path

from builder.errata.difference import compare_states
from builder.errata.impact import list_ids
from builder.errata.release_codes import OTHER_CARDS
from builder.errata.snapshot import WORK
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.build.select import read_roster
from builder.usecases.pack_states import load_named_state


def find_other_cards(project: Project, path: Path) -> Iterator[Finding]:
    """Yield a warning if the edited files print a squad's cards otherwise than its release."""
    roster = read_roster(project, path)
    packs = PackFiles(project)
    version = roster.version
    if version is None or not packs.open_releases(roster.pack).has_version(version):
        return
    old, new = (
        load_named_state(packs, roster.pack, name)[0] for name in (version, WORK)
    )
    own_ids = {card for _path, card in list_ids(roster)}
    names = [
        change.name
        for change in compare_states(old, new).cards
        if change.matters and own_ids.intersection((change.id, change.old_id))
    ]
    if not names:
        return
    file = project.shorten_path(path)
    form = _(
        "the squad is pinned to release {version}, but its cards are printed from the working "
        "files, where these differ: {cards}"
    )
    message = _(form, version=version, cards=", ".join(names))
    command = f"squadpress build {roster.pack} --roster {file} --as-of {version}"
    hint = _(
        "Print the cards of the release: {command}. Or remove `version` from the squad to use "
        "the working files.",
        command=command,
    )
    yield OTHER_CARDS.finding(message, Location(file=file), hint)
