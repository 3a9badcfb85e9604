"""Read a solution of the solver as a roster and as changes of the old one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.model.roster import Attachment, DeckCard, Entry, Roster
from builder.model.rules import Source
from builder.roster.operations import (
    Add,
    FreeSlot,
    Remove,
    SetChoice,
    SetLink,
    apply_operations,
)
from builder.roster.resolve import LineNames
from builder.rules.decision_model import DecisionModel, LinkDecision, LinkDecisions
from builder.rules.decision_parts import DecisionEntry, Part


@dataclass(frozen=True, slots=True)
class SolvedRoster:
    """A new roster, its differences from the old one, and the cost of all its cards.

    Additions, links and choices name the entries of the new roster by their index. An attachment is
    added to its host's entry, a further copy of a model to its own entry.
    """

    roster: Roster
    removals: tuple[Remove | FreeSlot, ...]
    additions: tuple[Add, ...]
    links: tuple[SetLink, ...]
    choices: tuple[SetChoice, ...]
    cost: float


def read_solution(
    model: DecisionModel, links: LinkDecisions, values: Sequence[int]
) -> SolvedRoster:
    """Return the roster that the variables' values describe."""
    return _SolutionReader(model, links, values).read_roster()


class _SolutionReader:
    """Reads one solution: the values of a model's variables."""

    def __init__(
        self, model: DecisionModel, links: LinkDecisions, values: Sequence[int]
    ) -> None:
        self.model = model
        self.links = links
        self.values = values
        self.entries = [
            entry for entry in model.entries if values[entry.part.is_present]
        ]

    def read_roster(self) -> SolvedRoster:
        """Return the roster and its differences from the old one."""
        entries = [self._make_entry(entry) for entry in self.entries]
        deck = []
        for part in self.model.deck:
            copies = self.values[part.copies]
            if copies:
                deck.append(DeckCard(card=part.selected.card.id, count=copies))
        update = {"entries": tuple(entries), "deck": tuple(deck)}
        roster = self.model.squad.roster.model_copy(update=update)
        roster, new_links = self._set_links(roster)
        return SolvedRoster(
            roster=roster,
            removals=tuple(self._find_removals()),
            additions=tuple(self._find_additions()),
            links=tuple(new_links),
            choices=tuple(self._find_new_choices(entries)),
            cost=sum(factor * self.values[var] for var, factor in self.model.cost),
        )

    def _make_entry(self, entry: DecisionEntry) -> Entry:
        """Return one entry of the new roster."""
        attachments = []
        for part in entry.attachments:
            if self.values[part.is_present]:
                slot = None if self._is_freed(part) else part.selected.slot
                attachments.append(Attachment(card=part.selected.card.id, slot=slot))
        update = {
            "count": self.values[entry.part.copies],
            "attachments": tuple(attachments),
            "choices": self._read_choices(entry.part),
        }
        selected = entry.part.selected
        new_entry = Entry(card=selected.card.id)
        if entry.part.old_copies:
            # ids, names and notes of the player stay
            new_entry = self.model.squad.roster.entries[selected.line]
        return new_entry.model_copy(update=update)

    def _is_freed(self, part: Part) -> bool:
        """Return True if an attachment goes into another slot than the one named for it."""
        return part.is_freed is not None and bool(self.values[part.is_freed])

    def _read_choices(self, part: Part) -> dict[str, str]:
        """Return the choices of an entry: old choices first, in the order of the file."""
        choices = dict(part.selected.choices)
        for name, literals in part.domains.items():
            values = [
                value for value, literal in literals.items() if self.values[literal]
            ]
            choices[name] = values[0] if values else ""
        return {name: value for name, value in choices.items() if value}

    def _find_new_choices(self, new_entries: Sequence[Entry]) -> Iterator[SetChoice]:
        """Yield every choice of an old entry that has changed."""
        pairs = zip(self.entries, new_entries, strict=True)
        for number, (entry, new_entry) in enumerate(pairs):
            if not entry.part.old_copies:
                continue
            old_choices = entry.part.selected.choices
            for name in sorted(old_choices.keys() | new_entry.choices.keys()):
                value = new_entry.choices.get(name, "")
                if old_choices.get(name, "") != value:
                    yield SetChoice(number, name, value)

    def _set_links(self, roster: Roster) -> tuple[Roster, list[SetLink]]:
        """Return the roster with the links of the solution, and those of them that are new."""
        new_links = []
        # entries of the solution are numbered anew, without those that are removed
        line_by_entry = {
            id(entry.part): number for number, entry in enumerate(self.entries)
        }
        for decision in self.links.links.values():
            line = line_by_entry.get(id(decision.entry), -1)
            for target in self._find_targets(decision):
                target_line = line_by_entry[id(self.links.entries[target])]
                step = SetLink(line, decision.link, target_line)
                if target != decision.declared_target:
                    new_links.append(step)
                # The word of an old link may mean another entry after additions and removals.
                if target != decision.declared_target or not _is_named(roster, step):
                    roster = apply_operations(roster, step)
            if self._is_link_removed(decision):
                step = SetLink(line, decision.link)
                new_links.append(step)
                roster = apply_operations(roster, step)
        return roster, new_links

    def _find_targets(self, decision: LinkDecision) -> list[int]:
        """Return the indexes of the targets that the solution names: one, or none."""
        return [
            target
            for target, literal in decision.targets.items()
            if self.values[literal]
        ]

    def _is_link_removed(self, decision: LinkDecision) -> bool:
        """Return True if the entry of an old link stays without it."""
        if decision.declared_target is None or self.values[decision.is_named]:
            return False
        return bool(self.values[decision.entry.is_present])

    def _find_removals(self) -> Iterator[Remove | FreeSlot]:
        """Yield the removed cards and named slots, without attachments of removed models."""
        for entry in self.model.entries:
            yield from self._find_removed_copies(entry.part)
            # with its model, all its attachments go
            is_entry_present = self.values[entry.part.is_present]
            for part in entry.attachments:
                if (
                    is_entry_present
                    and part.old_copies
                    and not self.values[part.is_present]
                ):
                    yield Remove(part.selected.path, part.selected.card.id)
                elif self._is_freed(part):
                    yield FreeSlot(part.selected.path, part.selected.card.id)
        for part in self.model.deck:
            yield from self._find_removed_copies(part)

    def _find_removed_copies(self, part: Part) -> Iterator[Remove]:
        copies = part.old_copies - self.values[part.copies]
        if copies > 0:
            yield Remove(part.selected.path, part.selected.card.id, copies)

    def _find_additions(self) -> Iterator[Add]:
        """Yield the added cards."""
        for number, entry in enumerate(self.entries):
            yield from self._find_added_copies(entry.part, number)
            for part in entry.attachments:
                if not part.old_copies and self.values[part.is_present]:
                    yield Add(part.selected.card.id, Source.ATTACHMENTS, number)
        for part in self.model.deck:
            copies = self.values[part.copies]
            if not part.old_copies and copies:
                yield Add(part.selected.card.id, Source.DECK, count=copies)

    def _find_added_copies(self, entry: Part, number: int) -> Iterator[Add]:
        """Yield the further copies of an old entry, or the new entry."""
        card_id = entry.selected.card.id
        if not entry.old_copies:
            choices = tuple(self._read_choices(entry).items())
            copies = self.values[entry.copies]
            yield Add(card_id, Source.ENTRIES, count=copies, choices=choices)
        elif entry.added_copies is not None and self.values[entry.added_copies]:
            copies = self.values[entry.added_copies]
            yield Add(card_id, Source.ENTRIES, line=number, count=copies)


def _is_named(roster: Roster, link: SetLink) -> bool:
    """Return True if a link in the roster already means this target, and no other entry."""
    word = roster.entries[link.line].links.get(link.link, "")
    return LineNames(roster.entries).find_lines(word, link.line) == [link.target]
