"""Compare two states of a pack, with the releases that their changes revert."""

from collections.abc import Iterator

from builder.errata.change import Difference
from builder.errata.difference import compare_states
from builder.errata.effects import mark_reverts
from builder.errata.release import find_newest, list_lineage
from builder.errata.snapshot import WORK, Snapshot
from builder.packs.pack_files import PackFiles
from builder.packs.releases.folders import Releases


def compare_with_past(packs: PackFiles, old: Snapshot, new: Snapshot) -> Difference:
    """Compare two states, and mark values that return to those of an earlier release."""
    difference = compare_states(old, new)
    if not any(card.fields for card in difference.cards):
        return difference  # no release needs to be read
    return mark_reverts(
        difference, _list_earlier_changes(packs.open_releases(new.pack), old)
    )


def find_published_state(
    packs: PackFiles, old: Snapshot, new: Snapshot
) -> tuple[Snapshot, bool]:
    """Return the new state. For unchanged working files, return the equal last release.

    Also return True if `old` is a release, and not the one that the new state continues.
    """
    releases = packs.open_releases(new.pack)
    all_releases = releases.list_releases()
    last = find_newest(all_releases)
    if last is None:
        return new, False
    continued_version: str | None = last.version
    if new.label == WORK:
        state = releases.load_state(last.version)[0]
        if compare_states(state, new).empty:
            new = state
    for release in all_releases:
        if release.version == new.label:
            continued_version = release.previous
    is_other = old.label not in (new.label, continued_version)
    return new, is_other and releases.has_version(old.label)


def _list_earlier_changes(releases: Releases, old: Snapshot) -> Iterator[Difference]:
    """Yield the changes of each release up to the old state, the newest first.

    The edited files, of this project or of a branch, continue the last release.
    """
    all_releases = releases.list_releases()
    if not all_releases:
        return
    versions = [release.version for release in all_releases]
    is_release = old.label in versions
    last = all_releases[versions.index(old.label) if is_release else -1]
    state = old
    if not is_release:
        state = releases.load_state(last.version)[0]
    # Each state is read once, and only two are in memory.
    for release in reversed(list_lineage(all_releases, last)[:-1]):
        before = releases.load_state(release.version)[0]
        yield compare_states(before, state)
        state = before
