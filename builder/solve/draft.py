"""A squad that may still become many: every pick that is there or may be added, each with its variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from builder.model.card import Card
from builder.model.rules import Source
from builder.roster.resolve import Pick, Squad
from builder.rules.choices import added
from builder.solve.program import Program


@dataclass(eq=False)
class Part:
    """One pick. `many` counts its copies in the roster, `on` tells whether it is there; `was` are the copies the
    roster has now, 0 for an addition; `freed` allows an attachment another slot than the one named."""

    pick: Pick
    many: int
    on: int
    was: int = 0
    freed: int | None = None


@dataclass(eq=False)
class Line:
    """One entry and what it carries or may carry."""

    entry: Part
    carried: list[Part] = field(default_factory=list)


class Draft:
    """All parts of a squad in the making, in one program."""

    def __init__(self, squad: Squad, keep: bool) -> None:
        """The picks of the squad: with `keep` they stay as they are, else each copy may go."""
        self.squad = squad
        self.program = Program()
        self.lines: list[Line] = []
        self.deck: list[Part] = []
        for entry in squad.entries:
            line = Line(self._counted(entry, entry.count, entry.count if keep else 0, entry.count))
            line.carried = [self._attached(pick, line, keep) for pick in squad.carried(entry)]
            self.lines.append(line)
        for pick in squad.deck:
            self.deck.append(self._counted(pick, pick.count, pick.count if keep else 0, pick.count))

    def add_entry(
        self, card: Card, lines: int, choices: Mapping[str, str] | None = None, models: int = 1
    ) -> list[Line]:
        """So many lines of up to so many models each that may be added; of equal ones the first come first."""
        made: list[Line] = []
        for _ in range(lines):
            pick = added(card, Source.ENTRIES, None, self.squad)
            number = len(self.squad.roster.entries) + sum(not line.entry.was for line in self.lines)
            pick = Pick(pick.card, pick.source, ("entries", number), number, 1, 1, choices or {})
            line = Line(self._counted(pick, models, 0, 0))
            if made:
                self.program.add([(made[-1].entry.on, 1), (line.entry.on, -1)], low=0)
            made.append(line)
            self.lines.append(line)
        return made

    def add_attachment(self, card: Card, line: Line, copies: int) -> None:
        """So many copies that a line may be given."""
        before: Part | None = None
        for _ in range(copies):
            bearer = line.entry.pick
            place = (*bearer.path, "attachments", len(line.carried))
            pick = Pick(card, Source.ATTACHMENTS, place, bearer.line, bearer.count, 1, bearer=bearer)
            part = self._attached(pick, line, keep=False, was=0)
            if before is not None:
                self.program.add([(before.on, 1), (part.on, -1)], low=0)
            before = part
            line.carried.append(part)

    def add_deck(self, card: Card, copies: int) -> None:
        """A card for the deck, up to so many copies."""
        pick = added(card, Source.DECK, None, self.squad)
        self.deck.append(self._counted(pick, copies, 0, 0))

    def parts(self, source: Source = Source.ALL) -> Iterator[Part]:
        """The parts of one source."""
        if source in (Source.ENTRIES, Source.ALL):
            yield from (line.entry for line in self.lines)
        if source in (Source.ATTACHMENTS, Source.ALL):
            for line in self.lines:
                yield from line.carried
        if source in (Source.DECK, Source.ALL):
            yield from self.deck

    def cost(self, parts: Sequence[Part] | None = None) -> list[tuple[int, int | float]]:
        """What all parts cost, as terms."""
        chosen = self.parts() if parts is None else parts
        return [(part.many, part.pick.card.cost) for part in chosen if part.pick.card.cost]

    def _counted(self, pick: Pick, high: int, low: int, was: int) -> Part:
        """A part with a number of copies."""
        many = self.program.var(high, low)
        if high == 1:
            return Part(pick, many, many, was)
        on = self.program.var()
        self.program.add([(many, 1), (on, -1)], low=0)
        self.program.add([(many, 1), (on, -high)], high=0)
        return Part(pick, many, on, was)

    def _attached(self, pick: Pick, line: Line, keep: bool, was: int | None = None) -> Part:
        """A part that every copy of its line carries."""
        program, entry = self.program, line.entry
        on = program.var(1, 1 if keep else 0)
        program.add([(entry.on, 1), (on, -1)], low=0)
        freed = program.var() if pick.slot is not None and not keep else None
        if freed is not None:
            program.add([(on, 1), (freed, -1)], low=0)
        high = program.ranges[entry.many][1]
        if high == 1:
            return Part(pick, on, on, 1 if was is None else was, freed)
        many = program.var(high)
        program.add([(many, 1), (entry.many, -1)], low=0, high=0, when=(on,))
        program.forbid(many, when=(~on,))
        return Part(pick, many, on, pick.count if was is None else was, freed)
