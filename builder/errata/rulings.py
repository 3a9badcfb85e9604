"""Rulings in one language: by card, by rule, and by release, with marks for a review. Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from builder.errata.difference import has_same_demand, list_rules
from builder.errata.notes import CommentaryEntry, NoteGroup, Notes, RulingEntry
from builder.errata.reader import NoteReader
from builder.errata.snapshot import Snapshot
from builder.findings import Location
from builder.messages import gettext as _
from builder.model.base import Json, look_up
from builder.model.card import follow_migrations
from builder.model.days import parse_day
from builder.model.ruling import Commentary, Ruling


@dataclass(frozen=True, slots=True)
class LocatedRuling:
    """A ruling with its location in a file."""

    ruling: Ruling
    location: Location


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings of a pack, the oldest first, and the designers' comments."""

    rulings: tuple[LocatedRuling, ...] = ()
    commentary: tuple[Commentary, ...] = ()
    commentary_locations: tuple[Location, ...] = ()


NO_RULINGS = Rulings()


@dataclass(frozen=True, slots=True)
class RulingGroup:
    """The rulings about one card or one rule."""

    id: str
    name: str
    entries: tuple[RulingEntry, ...]


@dataclass(frozen=True, slots=True)
class RulingReader:
    """Reads rulings in one language, with the cards of one state.

    `past_states` are earlier releases, oldest first: they tell when a rule changed.
    """

    rulings: Rulings
    reader: NoteReader
    past_states: tuple[Snapshot, ...] = ()

    def limit_to_past(self, day: date, versions: Collection[str]) -> "RulingReader":
        """Return a reader of the rulings until a day, and of the remarks about these releases.

        Remarks that name no release are kept.
        """
        rulings = Rulings(
            tuple(item for item in self.rulings.rulings if item.ruling.date <= day),
            tuple(
                remark
                for remark in self.rulings.commentary
                if not remark.release or remark.release in versions
            ),
        )
        return replace(self, rulings=rulings)

    def list_entries(self) -> tuple[RulingEntry, ...]:
        """Return all rulings, the newest first."""
        entries = [self.read_ruling(located.ruling) for located in self.rulings.rulings]
        # They are sorted by day, oldest first.
        return tuple(reversed(entries))

    def list_for_card(self, card: str) -> tuple[RulingEntry, ...]:
        """Return the rulings about a card, the newest first."""
        return tuple(
            entry for entry in self.list_entries() if card in dict(entry.cards)
        )

    def list_between(
        self, since: date | None, until: date | None
    ) -> tuple[RulingEntry, ...]:
        """Return the rulings after a day, until another one."""
        return tuple(
            entry
            for entry in self.list_entries()
            if (since is None or entry.day > since)
            and (until is None or entry.day <= until)
        )

    def list_commentary(
        self, *, release: str = "", card: str = ""
    ) -> tuple[CommentaryEntry, ...]:
        """Return the remarks about a release or a card."""
        entries: list[CommentaryEntry] = []
        for remark in self.rulings.commentary:
            current_id = self._find_current_id(remark.card) if remark.card else ""
            if (release and remark.release == release) or (card and current_id == card):
                text = self._read_text(remark.text)
                entries.append(
                    CommentaryEntry(
                        text, remark.author, current_id, remark.release or ""
                    )
                )
        return tuple(entries)

    def group_by_card(self) -> tuple[RulingGroup, ...]:
        """Return the rulings of each card, by the card's name."""
        return _group_entries((entry, entry.cards) for entry in self.list_entries())

    def group_by_rule(self) -> tuple[RulingGroup, ...]:
        """Return the rulings of each rule, by the rule's title."""
        return _group_entries((entry, entry.rules) for entry in self.list_entries())

    def find_changes(self, ruling: Ruling) -> tuple[str, ...]:
        """Return the names of the cards and rules that changed after the last review."""
        cards = self.reader.state.cards
        day = ruling.last_review
        card_ids = map(self._find_current_id, ruling.cards)
        changed_ids = [
            card for card in card_ids if _changed_after(cards.get(card, {}), day)
        ]
        names = map(self.reader.name_card, changed_ids)
        # A rule has no history entries, so the release at the time of the review tells its text.
        past = [
            state
            for state in self.past_states
            if state.released is not None and state.released <= ruling.last_review
        ]
        rules = list_rules(self.reader.state)
        old_rules = list_rules(past[-1]) if past else rules
        changed_rules = [
            rule
            for rule in ruling.rules
            if not has_same_demand(old_rules.get(rule), rules.get(rule))
        ]
        return (*names, *map(self._name_rule, changed_rules))

    def _find_current_id(self, card: str) -> str:
        """Return the current id of a card, or the old id if it has no single successor."""
        state = self.reader.state
        return follow_migrations(card, state.migrations, state.cards) or card

    def _name_rule(self, rule: str) -> str:
        title = look_up(list_rules(self.reader.state).get(rule, {}), ("title",))
        return self.reader.pick_language(title) or rule

    def _read_text(self, texts: Mapping[str, str]) -> str:
        """Return a text in the language as plain text. An empty one counts as missing."""
        written_texts: dict[str, Json] = {
            lang: text for lang, text in texts.items() if text.strip()
        }
        return self.reader.format_text(self.reader.pick_language(written_texts))

    def read_ruling(self, ruling: Ruling) -> RulingEntry:
        """Return a ruling in the language."""
        # Two cards of a ruling may have been merged into one.
        card_ids = dict.fromkeys(map(self._find_current_id, ruling.cards))
        return RulingEntry(
            ruling.id,
            ruling.date,
            self._read_text(ruling.question),
            self._read_text(ruling.answer),
            ruling.source,
            tuple((card, self.reader.name_card(card)) for card in card_ids),
            tuple((rule, self._name_rule(rule)) for rule in ruling.rules),
            self.find_changes(ruling),
        )


def _changed_after(card: Mapping[str, Json], day: date) -> bool:
    """Return True if a card has a later history entry that is not only about its picture."""
    history = card.get("history")
    for entry in history if isinstance(history, list | tuple) else ():
        # A new picture cannot make an answer wrong.
        if isinstance(entry, Mapping) and entry.get("type") != "art":
            released = parse_day(str(entry.get("released")))
            if released is not None and released > day:
                return True
    return False


def _group_entries(
    entries: Iterable[tuple[RulingEntry, tuple[tuple[str, str], ...]]],
) -> tuple[RulingGroup, ...]:
    entries_by_subject: dict[tuple[str, str], list[RulingEntry]] = {}
    for entry, subjects in entries:
        for subject in subjects:
            entries_by_subject.setdefault(subject, []).append(entry)
    groups = [
        RulingGroup(subject, name, tuple(listed))
        for (subject, name), listed in entries_by_subject.items()
    ]
    return tuple(sorted(groups, key=lambda group: (group.name.casefold(), group.id)))


def add_rulings(notes: Notes, reader: RulingReader, since: date | None) -> Notes:
    """Add the rulings since another release, and the designers' comments, to release notes."""
    groups: list[NoteGroup] = []
    for group in notes.groups:
        new_notes = []
        for note in group.notes:
            remarks = reader.list_commentary(release=notes.new)
            texts = tuple(remark for remark in remarks if remark.card == note.card)
            new_notes.append(replace(note, commentary=texts) if texts else note)
        groups.append(replace(group, notes=tuple(new_notes)))
    remarks = reader.list_commentary(release=notes.new)
    return replace(
        notes,
        groups=tuple(groups),
        rulings=reader.list_between(since, notes.released) if since is not None else (),
        commentary=tuple(remark for remark in remarks if not remark.card),
    )


def describe_review(entry: RulingEntry) -> str:
    """Return the remark that a ruling's cards changed later. Empty if they did not."""
    if not entry.changed_names:
        return ""
    return _(
        "To be reviewed: {names} changed since.", names=", ".join(entry.changed_names)
    )


def make_rulings_data(
    rulings: Rulings, reader: RulingReader
) -> Iterator[dict[str, object]]:
    """Yield each ruling as JSON data in all its languages, with its mark for a review."""
    for located in rulings.rulings:
        data = located.ruling.model_dump(mode="json", exclude_none=True)
        yield {**data, "changedSince": list(reader.find_changes(located.ruling))}
