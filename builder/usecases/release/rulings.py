"""Find the rulings of a pack with the states that they are compared with."""

from builder.errata.reader import NoteReader
from builder.errata.rulings import RulingReader
from builder.errata.snapshot import WORK, Snapshot
from builder.findings import Finding
from builder.packs.pack_files import PackFiles
from builder.packs.rulings import load_rulings
from builder.usecases.pack_states import load_named_state


def open_rulings(
    packs: PackFiles, pack: str, lang: str = "", state: Snapshot | None = None
) -> tuple[RulingReader, tuple[Finding, ...]]:
    """Read the rulings of a pack for readers of a language. Also return findings.

    The cards are those of a state, else of the edited files. Without a language it is the source.
    """
    rulings, findings = load_rulings(packs.project, pack)
    if state is None:
        state = load_named_state(packs, pack, WORK)[0]
    past_states: tuple[Snapshot, ...] = ()
    # Only rules need past states; reading all releases takes time.
    if any(located.ruling.rules for located in rulings.rulings):
        releases = packs.open_releases(pack)
        versions = [release.version for release in releases.list_releases()]
        past_states = tuple(releases.load_state(version)[0] for version in versions)
    reader = NoteReader(state, lang or state.source)
    return RulingReader(rulings, reader, past_states), findings
