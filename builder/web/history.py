"""What the releases of a game changed: step by step, and card by card."""

from dataclasses import dataclass
from functools import lru_cache

from builder.errata.difference import difference
from builder.errata.impact import risks
from builder.errata.notes import Note, Notes, notes
from builder.errata.release import Release, newest
from builder.errata.snapshot import WORK
from builder.model.card import successor
from builder.usecases.release.impact import Comparison, compare
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
    releases = games.packs.releases(pack).all()
    states = {name: state_of(games.packs, pack, name)[0] for name in (*(one.version for one in releases), WORK)}
    last = newest(releases)
    pairs = [(one.previous, one.version) for one in releases] + ([(last.version, WORK)] if last else [])
    known = [(states[before], states[version]) for before, version in pairs if before in states]
    steps = tuple(notes(old, new, difference(old, new), lang) for old, new in known)
    return GameHistory(releases, tuple(step for step in steps if step.groups or step.rules or step.new != WORK))


def last_release(pack: str) -> Release | None:
    """The last release of a game; None where it has none."""
    return newest(library().packs.releases(pack).all())


@lru_cache(maxsize=100)
def stands_at(pack: str) -> str:
    """The release that a game plays as; empty where it has none, or where it is being changed and plays otherwise."""
    last = last_release(pack)
    if last is None:
        return ""
    old, new = (state_of(library().packs, pack, name)[0] for name in (last.version, WORK))
    made = difference(old, new)
    changed = any(card.matters for card in made.cards) or any(risk.card is None for risk in risks(old, new, made))
    return "" if changed else last.version


@lru_cache(maxsize=20)
def comparison(pack: str, old: str, new: str, lang: str) -> Comparison:
    """Two releases of a game, ready to judge squads by both. UsageError where one of them is not there."""
    before, after = (state_of(library().packs, pack, name)[0] for name in (old, new))
    return compare(before, after, lang)


@lru_cache(maxsize=200)
def heir_of(pack: str, card: str) -> str | None:
    """The card that stands for an id that is gone; None where there is no single one."""
    games = library()
    migrations, _found = games.packs.releases(pack).migrations()
    return successor(card, migrations, games.pack(pack).cards)
