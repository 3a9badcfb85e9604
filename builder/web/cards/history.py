"""The releases of a game and what they changed, step by step and card by card."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from django.utils.timezone import localdate

from builder.errata.change import Difference
from builder.errata.difference import compare_states
from builder.errata.effects import mark_reverts
from builder.errata.impact import find_risks
from builder.errata.notes import Note, Notes, RuleNote, compose_notes
from builder.errata.release import (
    Release,
    describe_state,
    find_newest,
    find_release_in_force,
    parse_version,
)
from builder.errata.reprints import group_reprints, list_originals
from builder.errata.rulings import RulingReader, add_rulings
from builder.errata.snapshot import WORK, Snapshot
from builder.messages import join_messages, translate
from builder.model.card import follow_migrations
from builder.model.formats import CardLegality, Period
from builder.rules.names import Names
from builder.usecases.pack_states import (
    load_migrations,
    load_named_state,
    load_two_states,
)
from builder.usecases.release.impact import Comparison, make_comparison
from builder.usecases.release.past import compare_with_past
from builder.usecases.release.rulings import open_rulings
from builder.web.cards.library import cache_per_library, get_library


@dataclass(frozen=True, slots=True)
class GameHistory:
    """The releases of a game, the oldest first, with the changes of each.

    The last step may be unreleased.
    """

    releases: tuple[Release, ...]
    steps: tuple[Notes, ...]
    notes_by_card: Mapping[str, Mapping[str, Sequence[Note]]]
    """The notes of each step by the version of the step and the card, also of reprints."""

    def describe_release(self, version: str, lang: str) -> str:
        """Return a release's state today in words: in force, planned, superseded, withdrawn."""
        release = next(
            (item for item in self.releases if item.version == version), None
        )
        if release is None:
            return ""
        return translate(describe_state(release, self.releases, localdate()), lang)

    def limit_to(self, version: str) -> "GameHistory":
        """Return the history as of one release, without later and unreleased changes.

        About the release in force they show all releases, also planned and withdrawn ones. About
        others they show that one and those with smaller versions.
        """
        current = find_release_in_force(self.releases, localdate())
        shows_all = current is not None and current.version == version
        limit = parse_version(version)
        steps = []
        for step in self.steps:
            number = parse_version(step.new)
            if number is None:
                continue
            if shows_all or (limit is not None and number <= limit):
                steps.append(step)
        return GameHistory(self.releases, tuple(steps), self.notes_by_card)

    def list_card_notes(self, card: str) -> list[tuple[Notes, Note]]:
        """Return all changes of a card, the newest first, also those under former ids."""
        card_notes: list[tuple[Notes, Note]] = []
        card_id = card
        for step in reversed(self.steps):
            for note in self.notes_by_card[step.new].get(card_id, ()):
                card_notes.append((step, note))
                card_id = (note.card == card_id and note.old_card) or card_id
        return card_notes

    def list_format_notes(self, card: str) -> list[tuple[Notes, RuleNote]]:
        """Return the changes of a card's legality in play formats, the newest first."""
        format_notes = []
        for step in reversed(self.steps):
            format_notes += [(step, rule) for rule in step.rules if card in rule.cards]
        return format_notes


@dataclass(frozen=True, slots=True)
class FormatSpan:
    """A card's status in a play format during a period, in words."""

    format: str
    legality: CardLegality
    period: Period
    title: str
    days: str
    reason: str
    announcement: str = ""


@cache_per_library(20)
def _load_state(pack: str, release: str) -> Snapshot:
    """Load a release of a game, or the edited files without a release."""
    return load_named_state(get_library().packs, pack, release or WORK)[0]


def list_format_spans(
    pack: str, card: str, names: Names, lang: str, release: str = ""
) -> list[FormatSpan]:
    """Return the periods and play formats in which a card may or may not be used.

    Without a release it is that of the edited files, from the day of the last release on.
    """
    state = _load_state(pack, release)
    start = _find_first_day(pack, release, state)
    if not get_library().get_card_checker(pack, release).pack.formats:
        return []
    format_card = next((item for item in state.format_cards() if item.id == card), None)
    if format_card is None:
        return []
    spans = []
    for format_id, play_format in state.play_formats.formats.items():
        name = names.choose_name(play_format.name, format_id)
        days = play_format.list_days(start)
        legalities = [
            (day, play_format.find_card_legality(format_card, day)) for day in days
        ]
        for legality, period in _merge_days(legalities):
            is_first = period.since == start
            shown_period = Period(since=None, to=period.to) if is_first else period
            title = translate(legality.format_title(name), lang)
            text = translate(join_messages(shown_period.words), lang)
            reason, link = _read_reason(legality, names)
            spans.append(
                FormatSpan(format_id, legality, shown_period, title, text, reason, link)
            )
    return spans


def _read_reason(legality: CardLegality, names: Names) -> tuple[str, str]:
    """Return the reason for a ban or restriction, and the address of its announcement."""
    if legality.entry is None:
        return "", ""
    return names.choose_name(
        legality.entry.reason, ""
    ), legality.entry.announcement or ""


def _find_first_day(pack: str, release: str, state: Snapshot) -> date:
    """Return the day from which a release applies. For the edited files, that of the last one."""
    if release:
        return state.effective or date.min
    last_release = find_last_release(pack)
    return last_release.effective if last_release is not None else date.min


def _merge_days(
    legalities: list[tuple[date, CardLegality]],
) -> list[tuple[CardLegality, Period]]:
    """Join days on which a card's legality is equal to periods. The last one has no end."""
    changes = [legalities[0]]
    for (_old_day, old_legality), (day, legality) in pairwise(legalities):
        if legality != old_legality:
            changes.append((day, legality))
    periods = []
    for position, (day, legality) in enumerate(changes):
        is_last = position + 1 == len(changes)
        end = None if is_last else changes[position + 1][0] - timedelta(1)
        periods.append((legality, Period(since=day, to=end)))
    return periods


@cache_per_library(20)
def find_reprints(pack: str, release: str) -> Mapping[str, tuple[str, ...]]:
    """Return the other prints of each card that has some, by card."""
    return group_reprints(list_originals(_load_state(pack, release).cards))


@cache_per_library(20)
def get_rulings(pack: str, release: str, lang: str) -> RulingReader:
    """Return the rulings of a game as the readers of a language see them."""
    return open_rulings(get_library().packs, pack, lang, _load_state(pack, release))[0]


@cache_per_library(20)
def get_history(pack: str, lang: str) -> GameHistory:
    """Return the history of a game in one of its languages."""
    packs = get_library().packs
    releases = packs.open_releases(pack).list_releases()
    versions = [release.version for release in releases]
    states = {
        version: load_named_state(packs, pack, version)[0]
        for version in (*versions, WORK)
    }
    pairs = [(release.previous, release.version) for release in releases]
    last = find_newest(releases)
    if last is not None:
        pairs.append((last.version, WORK))
    steps = []
    changes: dict[str, tuple[str, Difference]] = {}
    rulings = get_rulings(pack, "", lang)
    for old_version, new_version in pairs:
        if old_version not in states:
            continue
        old, new = states[old_version], states[new_version]
        difference = mark_reverts(
            compare_states(old, new), _list_earlier(changes, old_version)
        )
        changes[new_version] = (old_version, difference)
        step = compose_notes(old, new, difference, lang)
        step = add_rulings(step, rulings, old.released)
        if step.groups or step.rules or step.restyled or step.new != WORK:
            steps.append(step)
    notes_by_card = {step.new: _index_notes(step) for step in steps}
    return GameHistory(releases, tuple(steps), notes_by_card)


def _index_notes(step: Notes) -> dict[str, list[Note]]:
    """Return the notes of a step by card. A search for each page would take minutes in all."""
    notes_by_card: dict[str, list[Note]] = {}
    for note in step.cards:
        for card in dict.fromkeys((note.card, *note.reprints)):
            notes_by_card.setdefault(card, []).append(note)
    return notes_by_card


def _list_earlier(
    changes: Mapping[str, tuple[str, Difference]], version: str
) -> Iterator[Difference]:
    """Yield the changes of a release and of all releases before it, the newest first."""
    while version in changes:
        version, difference = changes[version]
        yield difference


@cache_per_library(50)
def get_changes_since(
    pack: str, old_version: str, new_version: str, lang: str
) -> Notes:
    """Return all changes from one release to another, as release notes."""
    packs = get_library().packs
    old, new, _findings = load_two_states(packs, pack, old_version, new_version)
    notes = compose_notes(old, new, compare_with_past(packs, old, new), lang)
    return add_rulings(notes, get_rulings(pack, new_version, lang), old.released)


def find_last_release(pack: str) -> Release | None:
    """Return the last release of a game that was not withdrawn."""
    releases = get_library().packs.open_releases(pack).list_releases()
    return find_newest(release for release in releases if release.withdrawal is None)


def choose_new_squad_version(pack: str, day: date) -> str | None:
    """Return the release for new squads: the one in force on a day.

    Return None for a game without one, and if the game plays as that release: the squad moves with
    the game then.
    """
    current = find_release_in_force(
        get_library().packs.open_releases(pack).list_releases(), day
    )
    if current is None or current.version == find_played_release(pack):
        return None
    return current.version


@cache_per_library(100)
def find_played_release(pack: str) -> str:
    """Return the last release if the edited files play like it. Otherwise empty.

    Empty if there is none, or if they play differently.
    """
    last = find_last_release(pack)
    if last is None:
        return ""
    packs = get_library().packs
    old, new = (
        load_named_state(packs, pack, version)[0] for version in (last.version, WORK)
    )
    difference = compare_states(old, new)
    has_new_cards = any(card.matters for card in difference.cards)
    has_new_rules = any(risk.card is None for risk in find_risks(old, new, difference))
    return "" if has_new_cards or has_new_rules else last.version


@cache_per_library(20)
def compare_releases(
    pack: str, old_version: str, new_version: str, lang: str
) -> Comparison:
    """Compare two releases of a game. Raise UsageError if there is no such release."""
    old, new, findings = load_two_states(
        get_library().packs, pack, old_version, new_version
    )
    return make_comparison(old, new, lang, findings=findings)


@cache_per_library(200)
def find_successor(pack: str, card: str, release: str = "") -> str | None:
    """Return the card that replaced a removed one. None if there is not exactly one."""
    library = get_library()
    return follow_migrations(
        card,
        load_migrations(library.packs, pack),
        library.get_pack(pack, release).cards,
    )
