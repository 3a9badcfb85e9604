"""What the releases of a game changed: step by step, and card by card."""

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from django.utils.timezone import localdate

from builder.errata.difference import compare_states
from builder.errata.impact import find_risks
from builder.errata.notes import Note, Notes, RuleNote, compose_notes
from builder.errata.release import (
    Release,
    describe_state,
    find_newest,
    find_release_in_force,
    parse_version,
)
from builder.errata.snapshot import WORK, Snapshot
from builder.messages import join_messages, translate
from builder.model.card import successor
from builder.model.formats import CardLegality, Period
from builder.rules.names import Names
from builder.usecases.pack_states import load_migrations, load_two_states, state_of
from builder.usecases.release.impact import Comparison, compare
from builder.web.cards.library import library, remembered


@dataclass(frozen=True, slots=True)
class GameHistory:
    """The releases of a game, oldest first, and what each changed; the last step may be unreleased."""

    releases: tuple[Release, ...]
    steps: tuple[Notes, ...]

    def state_of(self, version: str, lang: str) -> str:
        """Return the state of a release today, in words: in force, planned, superseded or withdrawn."""
        release = next((release for release in self.releases if release.version == version), None)
        return (
            translate(describe_state(release, self.releases, localdate()), lang)
            if release is not None
            else ""
        )

    def up_to(self, version: str) -> "GameHistory":
        """Return the history as pages about one release show it, without unreleased changes.

        About the release in force they show all releases, also planned and withdrawn ones; else that one and those
        with smaller versions.
        """
        current, shown = find_release_in_force(self.releases, localdate()), parse_version(version)
        shows_all = current is not None and current.version == version
        kept = []
        for step in self.steps:
            number = parse_version(step.new)
            if number is not None and (shows_all or (shown is not None and number <= shown)):
                kept.append(step)
        return GameHistory(self.releases, tuple(kept))

    def of(self, card: str) -> list[tuple[Notes, Note]]:
        """What happened to one card, newest first."""
        found: list[tuple[Notes, Note]] = []
        name: str | None = card
        for step in reversed(self.steps):
            for note in (
                note for group in step.groups for note in group.notes if note.card == name
            ):
                found.append((step, note))
                name = note.old_card or name
        return found

    def listed(self, card: str) -> list[tuple[Notes, RuleNote]]:
        """What play formats came to say of one card, newest first."""
        return [
            (step, rule)
            for step in reversed(self.steps)
            for rule in step.rules
            if card in rule.cards
        ]


@dataclass(frozen=True, slots=True)
class FormatSpan:
    """What a play format says of a card for some days, in words, and why."""

    format: str
    stated: CardLegality
    period: Period
    title: str
    days: str
    reason: str


@remembered(20)
def _state(pack: str, release: str) -> Snapshot:
    """A release of a game, or what is being edited if none is named."""
    return state_of(library().packs, pack, release or WORK)[0]


def usable_in(pack: str, card: str, names: Names, lang: str, release: str = "") -> list[FormatSpan]:
    """Where a card of a release may be used, from its day of effect on; nothing for a game without play formats.

    Without a release it is that of the edited files, from the day of the last release on.
    """
    last, found = last_release(pack), list[FormatSpan]()
    state = _state(pack, release)
    start = (state.effective if release else last and last.effective) or date.min
    if not library().cards_judge(pack, release).pack.formats:
        return found
    own = next((one for one in state.format_cards() if one.id == card), None)
    if own is None:
        return found
    for name, form in state.play_formats.formats.items():
        said = [(day, form.standing(own, day)) for day in form.days(start)]
        begins = [said[0], *(new for old, new in pairwise(said) if new[1] != old[1])]
        for (day, stated), after in zip(begins, (*begins[1:], None), strict=True):
            period = Period(
                since=day if day > start else None, to=after[0] - timedelta(1) if after else None
            )
            days = translate(join_messages(period.words), lang)
            title = translate(stated.title(names.of(form.name, name)), lang)
            reason = names.of(stated.entry.reason, "") if stated.entry else ""
            found.append(FormatSpan(name, stated, period, title, days, reason))
    return found


@remembered(20)
def history_of(pack: str, lang: str) -> GameHistory:
    """The history of a game in one of its languages."""
    games = library()
    releases = games.packs.releases(pack).all()
    states = {
        name: state_of(games.packs, pack, name)[0]
        for name in (*(one.version for one in releases), WORK)
    }
    last = find_newest(releases)
    pairs = [(one.previous, one.version) for one in releases] + (
        [(last.version, WORK)] if last else []
    )
    known = [(states[before], states[version]) for before, version in pairs if before in states]
    steps = tuple(compose_notes(old, new, compare_states(old, new), lang) for old, new in known)
    return GameHistory(
        releases, tuple(step for step in steps if step.groups or step.rules or step.new != WORK)
    )


def last_release(pack: str) -> Release | None:
    """The last release of a game that was not withdrawn; None where it has none."""
    return find_newest(
        release for release in library().packs.releases(pack).all() if release.withdrawal is None
    )


def version_to_begin_with(pack: str, day: date) -> str | None:
    """The release that a new squad is pinned to: the one in force on a day.

    None for a game without one, and where the game plays as that release: the squad moves with the game then.
    """
    current = find_release_in_force(library().packs.releases(pack).all(), day)
    return None if current is None or current.version == stands_at(pack) else current.version


@remembered(100)
def stands_at(pack: str) -> str:
    """The release that a game plays as; empty where it has none, or where it is being changed and plays otherwise."""
    last = last_release(pack)
    if last is None:
        return ""
    old, new = (state_of(library().packs, pack, name)[0] for name in (last.version, WORK))
    made = compare_states(old, new)
    changed = any(card.matters for card in made.cards) or any(
        risk.card is None for risk in find_risks(old, new, made)
    )
    return "" if changed else last.version


@remembered(20)
def comparison(pack: str, old: str, new: str, lang: str) -> Comparison:
    """Two releases of a game, ready to judge squads by both. UsageError where one of them is not there."""
    before, after, found = load_two_states(library().packs, pack, old, new)
    return compare(before, after, lang, findings=found)


@remembered(200)
def heir_of(pack: str, card: str, release: str = "") -> str | None:
    """The card that stands for an id that is gone; None where there is no single one."""
    games = library()
    return successor(card, load_migrations(games.packs, pack), games.pack(pack, release).cards)
