"""Read a solution of the solver as a roster and as what was done to the old one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from builder.model.roster import Attachment, DeckCard, Entry, Roster
from builder.model.rules import Source
from builder.roster.operations import Add, Choose, Free, Remove, Tie, apply
from builder.roster.resolve import LineNames
from builder.rules.decision_model import DecisionModel, TieDecision, TieDecisions
from builder.rules.decision_parts import DecisionLine, Part


@dataclass(frozen=True, slots=True)
class SolvedRoster:
    """The new roster, what was done to the old one, and what all its cards cost.

    Additions, links and choices name the lines of the new roster. An attachment is added to its bearer's line, a
    further copy of a model to its own.
    """

    roster: Roster
    removals: tuple[Remove | Free, ...]
    additions: tuple[Add, ...]
    links: tuple[Tie, ...]
    choices: tuple[Choose, ...]
    cost: int | float


def read_solution(model: DecisionModel, ties: TieDecisions, values: Sequence[int]) -> SolvedRoster:
    """Return the roster that the variables' values describe."""
    return _SolutionReader(model, ties, values).read()


class _SolutionReader:
    """One solution: the values of a model's variables."""

    def __init__(self, model: DecisionModel, ties: TieDecisions, values: Sequence[int]) -> None:
        self.model = model
        self.ties = ties
        self.values = values
        self.lines = [line for line in model.lines if values[line.entry.on]]

    def read(self) -> SolvedRoster:
        old_roster = self.model.squad.roster
        entries = [self._make_entry(line) for line in self.lines]
        counts = [(part.pick.card.id, self.values[part.many]) for part in self.model.deck]
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
        for part in line.carried:
            if self.values[part.on]:
                slot = None if self._is_freed(part) else part.pick.slot
                attachments.append(Attachment(card=part.pick.card.id, slot=slot))
        update = {
            "count": self.values[line.entry.many],
            "attachments": tuple(attachments),
            "choices": self._read_choices(line.entry),
        }
        pick = line.entry.pick
        if not line.entry.was:
            return Entry(card=pick.card.id).model_copy(update=update)
        return self.model.squad.roster.entries[pick.line].model_copy(update=update)

    def _is_freed(self, part: Part) -> bool:
        """True if an attachment goes into another slot than the one named for it."""
        return part.freed is not None and bool(self.values[part.freed])

    def _read_choices(self, part: Part) -> dict[str, str]:
        """Return what is chosen for an entry, old choices first, in the order in which they were written."""
        choices = dict(part.pick.choices)
        for name, literals in part.domains.items():
            chosen_values = [value for value, literal in literals.items() if self.values[literal]]
            choices[name] = chosen_values[0] if chosen_values else ""
        return {name: value for name, value in choices.items() if value}

    def _find_new_choices(self, entries: Sequence[Entry]) -> Iterator[Choose]:
        """Yield every choice of an old line that is another one now."""
        for number, (line, entry) in enumerate(zip(self.lines, entries, strict=True)):
            if not line.entry.was:
                continue
            old_choices = line.entry.pick.choices
            for name in sorted(old_choices.keys() | entry.choices.keys()):
                if old_choices.get(name) != entry.choices.get(name):
                    yield Choose(number, name, entry.choices.get(name, ""))

    def _name_links(self, roster: Roster) -> tuple[Roster, list[Tie]]:
        """Return the roster with the links that the solution names, and those of them that are new."""
        new_links: list[Tie] = []
        line_numbers = {id(line.entry): number for number, line in enumerate(self.lines)}
        for tie in self.ties.ties.values():
            line = line_numbers.get(id(tie.entry), -1)
            for target in self._find_targets(tie):
                step = Tie(line, tie.link, line_numbers[id(self.ties.entries[target])])
                if target != tie.stated:
                    new_links.append(step)
                    roster = apply(roster, step)
                elif not _is_named(roster, step):
                    roster = apply(roster, step)
            if self._is_taken_away(tie):
                new_links.append(Tie(line, tie.link))
                roster = apply(roster, new_links[-1])
        return roster, new_links

    def _find_targets(self, tie: TieDecision) -> list[int]:
        """Return the indexes of the targets that the solution names: one, or none."""
        return [target for target, literal in tie.targets.items() if self.values[literal]]

    def _is_taken_away(self, tie: TieDecision) -> bool:
        is_kept = self.values[tie.entry.on] and not self.values[tie.named]
        return tie.stated is not None and bool(is_kept)

    def _find_removals(self) -> Iterator[Remove | Free]:
        """Yield what left the roster, without what goes with its bearer."""
        for line in self.model.lines:
            yield from self._find_removed_copies(line.entry)
            for part in line.carried:
                if self.values[line.entry.on] and part.was and not self.values[part.on]:
                    yield Remove(part.pick.path, part.pick.card.id)
                elif self._is_freed(part):
                    yield Free(part.pick.path, part.pick.card.id)
        for part in self.model.deck:
            yield from self._find_removed_copies(part)

    def _find_removed_copies(self, part: Part) -> Iterator[Remove]:
        copies = part.was - self.values[part.many]
        if copies > 0:
            yield Remove(part.pick.path, part.pick.card.id, copies)

    def _find_additions(self) -> Iterator[Add]:
        """Yield what came into the roster."""
        for number, line in enumerate(self.lines):
            yield from self._find_added_copies(line.entry, number)
            for part in line.carried:
                if not part.was and self.values[part.on]:
                    yield Add(part.pick.card.id, Source.ATTACHMENTS, number)
        for part in self.model.deck:
            if not part.was and self.values[part.many]:
                yield Add(part.pick.card.id, Source.DECK, count=self.values[part.many])

    def _find_added_copies(self, entry: Part, number: int) -> Iterator[Add]:
        """Yield further copies on an old line, or the new line."""
        addition = Add(entry.pick.card.id, Source.ENTRIES)
        if entry.grown is not None and self.values[entry.grown]:
            yield replace(addition, line=number, count=self.values[entry.grown])
        if not entry.was:
            choices = tuple(self._read_choices(entry).items())
            yield replace(addition, count=self.values[entry.many], choices=choices)


def _is_named(roster: Roster, link: Tie) -> bool:
    """True if the roster already names the link's target, and no other line by the same word."""
    word = roster.entries[link.line].links.get(link.link, "")
    return LineNames(roster.entries).others(word, link.line) == [link.target]
