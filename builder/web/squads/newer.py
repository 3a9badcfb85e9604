"""What a newer release does to a squad that is kept as an older one has it."""

from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from django.utils.timezone import localdate

from builder.errata.notes import Note, compose_notes
from builder.errors import PackUnreadable
from builder.usecases.release.impact import Impact, compare_roster
from builder.web.cards.history import compare_releases, find_last_release
from builder.web.cards.library import cache_per_library, get_library
from builder.web.squads.squad_view import SquadSight
from builder.web.templating import translate_text


@dataclass(frozen=True)
class Newer:
    """A release that is newer than a squad's own; `fresh` until the owner has said that the squad stays."""

    sight: SquadSight
    version: str
    effective: date
    fresh: bool

    @property
    def coming(self) -> bool:
        """True before its day of effect."""
        return localdate() < self.effective

    @cached_property
    def impact(self) -> Impact:
        """The squad before and after."""
        row = self.sight.row
        day = max(localdate(), self.effective)
        return _impact(row.text, row.pack, row.release, self.version, self.sight.lang, day)

    @cached_property
    def unreadable(self) -> str:
        """Why nothing can be said of what the release does to the squad: it cannot be read as a whole. Else empty."""
        try:
            _judged = self.impact
        except PackUnreadable as error:
            return translate_text(error.message)
        return ""

    @cached_property
    def changes(self) -> tuple[Note, ...]:
        """What becomes of the squad's cards, as the notes of the release tell it."""
        row = self.sight.row
        told = _notes(row.pack, row.release, self.version, self.sight.lang)
        return tuple(note for note in told if {note.card, note.old_card} & set(self.sight.copies))


def newer(sight: SquadSight) -> Newer | None:
    """The last release of a squad's game; None where the squad moves with the game, is there already or unreadable.

    A squad whose own release was withdrawn is shown the last one, whatever its number.
    """
    row = sight.row
    last = find_last_release(row.pack) if row.release else None
    releases = get_library().packs.releases(row.pack).all() if last is not None else ()
    own = next((release for release in releases if release.version == row.release), None)
    if last is None or own is None or sight.judged.roster is None:
        return None
    if last.number <= own.number and own.withdrawal is None:
        return None
    return Newer(sight, last.version, last.effective, row.stays != last.version)


@cache_per_library(500)
def _impact(text: str, pack: str, old: str, new: str, lang: str, day: date) -> Impact:
    return compare_roster(
        replace(compare_releases(pack, old, new, lang), day=day),
        get_library().parse_squad(text, ""),
    )


@cache_per_library(50)
def _notes(pack: str, old: str, new: str, lang: str) -> tuple[Note, ...]:
    """What happened to all cards from one release to another."""
    both = compare_releases(pack, old, new, lang)
    told = compose_notes(both.old, both.new, both.difference, lang)
    return tuple(note for group in told.groups for note in group.notes)
