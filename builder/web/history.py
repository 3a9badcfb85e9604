"""What the releases of a game changed: step by step, and card by card."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from builder.errata.difference import difference
from builder.errata.notes import Note, Notes, notes
from builder.errata.release import Release
from builder.errata.snapshot import WORK
from builder.model.card import successor
from builder.usecases.storage import state_of
from builder.web.library import library


@dataclass(frozen=True, slots=True)
class GameHistory:
    """The releases of a game, oldest first, and what each changed; the last step may be unreleased."""

    releases: tuple[Release, ...]
    steps: tuple[Notes, ...]

    def of(self, card: str) -> list[tuple[Notes, Note]]:
        """What happened to one card, newest first."""
        found: list[tuple[Notes, Note]] = []
        name: str | None = card
        for step in reversed(self.steps):
            for note in (note for group in step.groups for note in group.notes if note.card == name):
                found.append((step, note))
                name = note.old_card or name
        return found


@lru_cache(maxsize=20)
def history_of(pack: str, lang: str) -> GameHistory:
    """The history of a game in one of its languages."""
    games = library()
    releases = tuple(sorted(games.packs.releases(pack).all(), key=lambda release: release.number))
    states = [state_of(games.packs, pack, name)[0] for name in (*(one.version for one in releases), WORK)]
    steps = tuple(notes(old, new, difference(old, new), lang) for old, new in pairwise(states))
    return GameHistory(releases, tuple(step for step in steps if step.groups or step.rules or step.new != WORK))


@lru_cache(maxsize=200)
def heir_of(pack: str, card: str) -> str | None:
    """The card that stands for an id that is gone; None where there is no single one."""
    games = library()
    migrations, _found = games.packs.releases(pack).migrations()
    return successor(card, migrations, games.pack(pack).cards)
