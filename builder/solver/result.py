"""Read a solution of the solver as a roster and as what was done to the old one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from builder.model.roster import Attachment, DeckCard, Entry, Roster
from builder.model.rules import Source
from builder.roster.operations import Add, FreeSlot, Remove, SetChoice, SetLink, apply_operations
from builder.roster.resolve import LineNames
from builder.rules.decision_model import DecisionModel, LinkDecision, LinkDecisions
from builder.rules.decision_parts import DecisionLine, Part


@dataclass(frozen=True, slots=True)
class SolvedRoster:
    """The new roster, what was done to the old one, and what all its cards cost.

    Additions, links and choices name the lines of the new roster. An attachment is added to its
    bearer's line, a further copy of a model to its own.
    """

    roster: Roster
    removals: tuple[Remove | FreeSlot, ...]
    additions: tuple[Add, ...]
    links: tuple[SetLink, ...]
    choices: tuple[SetChoice, ...]
    cost: int | float


def read_solution(model: DecisionModel, ties: LinkDecisions, values: Sequence[int]) -> SolvedRoster:
    """Return the roster that the variables' values describe."""
    return _SolutionReader(model, ties, values).read_roster()


class _SolutionReader:
    """One solution: the values of a model's variables."""

    def __init__(self, model: DecisionModel, ties: LinkDecisions, values: Sequence[int]) -> None:
        self.model = model
        self.links = ties
        self.values = values
        self.lines = [line for line in model.lines if values[line.entry.is_present]]

    def read_roster(self) -> SolvedRoster:
        old_roster = self.model.squad.roster
        entries = [self._make_entry(line) for line in self.lines]
        counts = [(part.selected.card.id, self.values[part.copies]) for part in self.model.deck]
        deck = [DeckCard(card=card_id, count=count) for card_id, count in counts if count]
        roster = old_roster.model_copy(update={"entries": tuple(entries), "deck": tuple(deck)})
        roster, new_links = self._name_links(roster)
        return SolvedRoster(
            roster,
            removals=tuple(self._find_removals()),
            additions=tuple(self._find_additions()),
            links=tuple(new_links),
            choices=tuple(self._find_new_choices(entries)),
            cost=sum(factor * self.values[var] for var, factor in self.model.cost),
        )

    def _make_entry(self, line: DecisionLine) -> Entry:
        """Return one line of the new roster. A named slot that is not kept is left open."""
        attachments: list[Attachment] = []
        for part in line.attachments:
            if self.values[part.is_present]:
                slot = None if self._is_freed(part) else part.selected.slot
                attachments.append(Attachment(card=part.selected.card.id, slot=slot))
        update = {
            "count": self.values[line.entry.copies],
            "attachments": tuple(attachments),
            "choices": self._read_choices(line.entry),
        }
        selected = line.entry.selected
        if not line.entry.old_copies:
            return Entry(card=selected.card.id).model_copy(update=update)
        return self.model.squad.roster.entries[selected.line].model_copy(update=update)

    def _is_freed(self, part: Part) -> bool:
        """Return True if an attachment goes into another slot than the one named for it."""
        return part.is_freed is not None and bool(self.values[part.is_freed])

    def _read_choices(self, part: Part) -> dict[str, str]:
        """Return the choices of an entry, old choices first and in their order."""
        choices = dict(part.selected.choices)
        for name, literals in part.domains.items():
            chosen_values = [value for value, literal in literals.items() if self.values[literal]]
            choices[name] = chosen_values[0] if chosen_values else ""
        return {name: value for name, value in choices.items() if value}

    def _find_new_choices(self, entries: Sequence[Entry]) -> Iterator[SetChoice]:
        """Yield every choice of an old line that is another one now."""
        for number, (line, entry) in enumerate(zip(self.lines, entries, strict=True)):
            if not line.entry.old_copies:
                continue
            old_choices = line.entry.selected.choices
            for name in sorted(old_choices.keys() | entry.choices.keys()):
                if old_choices.get(name) != entry.choices.get(name):
                    yield SetChoice(number, name, entry.choices.get(name, ""))

    def _name_links(self, roster: Roster) -> tuple[Roster, list[SetLink]]:
        """Return the roster with the links of the solution, and the new ones of them."""
        new_links: list[SetLink] = []
        line_numbers = {id(line.entry): number for number, line in enumerate(self.lines)}
        for tie in self.links.links.values():
            line = line_numbers.get(id(tie.entry), -1)
            for target in self._find_targets(tie):
                step = SetLink(line, tie.link, line_numbers[id(self.links.entries[target])])
                if target != tie.declared_target:
                    new_links.append(step)
                    roster = apply_operations(roster, step)
                elif not _is_named(roster, step):
                    roster = apply_operations(roster, step)
            if self._is_taken_away(tie):
                new_links.append(SetLink(line, tie.link))
                roster = apply_operations(roster, new_links[-1])
        return roster, new_links

    def _find_targets(self, tie: LinkDecision) -> list[int]:
        """Return the indexes of the targets that the solution names: one, or none."""
        return [target for target, literal in tie.targets.items() if self.values[literal]]

    def _is_taken_away(self, tie: LinkDecision) -> bool:
        is_kept = self.values[tie.entry.is_present] and not self.values[tie.is_named]
        return tie.declared_target is not None and bool(is_kept)

    def _find_removals(self) -> Iterator[Remove | FreeSlot]:
        """Yield what left the roster, without what goes with its bearer."""
        for line in self.model.lines:
            yield from self._find_removed_copies(line.entry)
            for part in line.attachments:
                if (
                    self.values[line.entry.is_present]
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
        """Yield what came into the roster."""
        for number, line in enumerate(self.lines):
            yield from self._find_added_copies(line.entry, number)
            for part in line.attachments:
                if not part.old_copies and self.values[part.is_present]:
                    yield Add(part.selected.card.id, Source.ATTACHMENTS, number)
        for part in self.model.deck:
            if not part.old_copies and self.values[part.copies]:
                yield Add(part.selected.card.id, Source.DECK, count=self.values[part.copies])

    def _find_added_copies(self, entry: Part, number: int) -> Iterator[Add]:
        """Yield further copies on an old line, or the new line."""
        addition = Add(entry.selected.card.id, Source.ENTRIES)
        if entry.added_copies is not None and self.values[entry.added_copies]:
            yield replace(addition, line=number, count=self.values[entry.added_copies])
        if not entry.old_copies:
            choices = tuple(self._read_choices(entry).items())
            yield replace(addition, count=self.values[entry.copies], choices=choices)


def _is_named(roster: Roster, link: SetLink) -> bool:
    """Return True if the roster names this target and no other line has the same name."""
    word = roster.entries[link.line].links.get(link.link, "")
    return LineNames(roster.entries).find_lines(word, link.line) == [link.target]
