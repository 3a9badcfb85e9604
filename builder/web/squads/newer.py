"""What a newer release changes for a squad that is pinned to an older one."""

from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from django.utils.timezone import localdate

from builder.errata.notes import Note, compose_notes
from builder.errors import PackUnreadable
from builder.usecases.release.impact import Impact, compare_roster
from builder.web.cards.history import compare_releases, find_last_release
from builder.web.cards.library import cache_per_library, get_library
from builder.web.squads.squad_view import SquadView
from builder.web.templating import translate_text


@dataclass(frozen=True)
class NewRelease:
    """A release that is newer than the one of a squad.

    `is_undeclined` is True until the owner has declined it.
    """

    view: SquadView
    version: str
    effective: date
    is_undeclined: bool

    @property
    def is_planned(self) -> bool:
        """True if the release is not in force yet."""
        return localdate() < self.effective

    @cached_property
    def impact(self) -> Impact:
        """The comparison of the squad in both releases."""
        row = self.view.row
        day = max(localdate(), self.effective)
        return _load_impact(
            row.text, row.pack, row.release, self.version, self.view.lang, day
        )

    @cached_property
    def unreadable(self) -> str:
        """The reason why the comparison is not possible. Empty if it is."""
        try:
            _impact = self.impact
        except PackUnreadable as error:
            return translate_text(error.message)
        return ""

    @cached_property
    def changes(self) -> tuple[Note, ...]:
        """The release notes about cards of the squad."""
        row, copies = self.view.row, self.view.copies
        notes = _load_notes(row.pack, row.release, self.version, self.view.lang)
        return tuple(
            note for note in notes if note.card in copies or note.old_card in copies
        )


def find_new_release(view: SquadView) -> NewRelease | None:
    """Return the newest release of a squad's game. None if the squad has it already.

    None if the squad moves with the game, has this release already, or cannot be read. A squad
    whose own release was withdrawn gets the last one, whatever its number.
    """
    row = view.row
    last = find_last_release(row.pack) if row.release else None
    if last is None or view.result.roster is None:
        return None
    releases = get_library().packs.open_releases(row.pack).list_releases()
    own_release = next(
        (release for release in releases if release.version == row.release), None
    )
    if own_release is None or (
        last.number <= own_release.number and own_release.withdrawal is None
    ):
        return None
    return NewRelease(view, last.version, last.effective, row.stays != last.version)


@cache_per_library(500)
def _load_impact(
    text: str, pack: str, old: str, new: str, lang: str, day: date
) -> Impact:
    comparison = replace(compare_releases(pack, old, new, lang), day=day)
    return compare_roster(comparison, get_library().parse_squad(text, ""))


@cache_per_library(50)
def _load_notes(pack: str, old: str, new: str, lang: str) -> tuple[Note, ...]:
    """Return the changes of all cards from one release to another."""
    comparison = compare_releases(pack, old, new, lang)
    notes = compose_notes(comparison.old, comparison.new, comparison.difference, lang)
    card_notes: list[Note] = []
    for group in notes.groups:
        card_notes += group.notes
    return tuple(card_notes)
