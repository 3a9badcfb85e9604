"""An illegal squad explained: the smallest set of picks in conflict, and the cheapest repairs, proved by the solver.

A repair is counted in changes: a copy taken out (what it carries goes with it), a card put in, an attachment moved or
let into another slot, a tie named. Of equally few changes the smallest change of cost comes first. Only cards that some
rule may want are tried as additions: any other card can only make things worse.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.resolve import Pick, resolve
from builder.rules.bundle import rank
from builder.rules.choices import Chooser, grow
from builder.rules.judge import Judge
from builder.solve.complete import copies
from builder.solve.conflict import Conflict, Switch, smallest
from builder.solve.cpsat import solve
from builder.solve.draft import Draft, Line, Part
from builder.solve.program import Term
from builder.solve.result import Outcome, outcome
from builder.solve.translate import Translation
from builder.solve.variants import entries
from builder.solve.wanted import most_wanted, wanted

SHOWN, TRIED = 3, 12
"""Repairs shown, and solutions looked at to find so many different ones."""
STEP = 1_000_000
"""What one change weighs against the change of cost, in hundredths."""


@dataclass(frozen=True, slots=True)
class Mended:
    """One repair: the outcome and how many changes it takes."""

    outcome: Outcome
    changes: int


@dataclass(frozen=True, slots=True)
class Explained:
    """`conflict` names copies that cannot all stay whatever is added; none if additions alone mend the squad."""

    conflict: Conflict
    repairs: tuple[Mended, ...]
    proved: bool


class Mend:
    """One illegal squad as a draft in which every pick may go."""

    def __init__(self, judge: Judge, roster: Roster) -> None:
        self.judge = judge
        self.squad = resolve(roster, judge.pack)
        self.draft = Draft(self.squad, keep=False)
        self.moved: list[int] = []
        self._additions()
        self.rules = Translation(self.draft, judge.evaluator)

    def _additions(self) -> None:
        """Cards that some rule may want, wherever they may stand; and every attachment on every other line."""
        empty = resolve(self.squad.roster.model_copy(update={"entries": (), "deck": ()}), self.judge.pack)
        evaluator, draft = self.judge.evaluator, self.draft
        cards = wanted(self.squad, evaluator)
        most = most_wanted(self.squad, evaluator)
        old, held = list(draft.lines), {pick.card.id for pick in self.squad.attachments}
        chooser = Chooser(empty, evaluator)
        for name, source in sorted(cards.items()):
            card = self.judge.pack.cards[name]
            if source is Source.ATTACHMENTS:
                continue
            options = entries(card, self.squad, chooser) if source is Source.ENTRIES else [chooser.option(card, source)]
            for option in options:
                copies = min(most, most if option.more is None else option.more)
                if source is Source.DECK and copies:
                    draft.add_deck(card, copies)
                elif copies:
                    least, models = rank(card, empty, evaluator)
                    draft.add_entry(card, math.ceil(copies / least), option.choices, models)
        for line in draft.lines:
            names = {name for name, source in cards.items() if source is Source.ATTACHMENTS}
            for name in sorted(names | held if line in old else names):
                self._give(name, line, most)

    def _give(self, name: str, line: Line, most: int) -> None:
        """An attachment for a line that may carry it at all."""
        card, pick = self.judge.pack.cards[name], line.entry.pick
        empty = resolve(self.squad.roster.model_copy(update={"entries": (), "deck": ()}), self.judge.pack)
        grown = grow(empty, Pick(pick.card, pick.source, ("entries", 0), 0, 1, 1, pick.choices))
        more = Chooser(grown, self.judge.evaluator).option(card, Source.ATTACHMENTS, grown.entries[-1]).more
        self.draft.add_attachment(card, line, min(most, most if more is None else more))

    def changes(self) -> Iterator[Term]:
        """The number of changes, as terms; a constant is left out."""
        program = self.draft.program
        gone: dict[str, list[int]] = {}
        came: dict[str, list[int]] = {}
        for line in self.draft.lines:
            yield (line.entry.many, -1 if line.entry.was else 1)
            for part in line.carried:
                if part.was:
                    less = program.var()
                    program.add([(less, 1), (line.entry.on, -1), (part.on, 1)], low=0)
                    program.add([(less, 1), (line.entry.on, -1)], high=0)
                    program.add([(less, 1), (part.on, 1)], high=1)
                    gone.setdefault(part.pick.card.id, []).append(less)
                    yield (less, 1)
                else:
                    came.setdefault(part.pick.card.id, []).append(part.on)
                    yield (part.on, 1)
                if part.freed is not None:
                    yield (part.freed, 1)
        for card in sorted(gone.keys() & came.keys()):
            moved = program.var(len(gone[card]))
            for side in (gone[card], came[card]):
                program.add([(moved, 1), *((var, -1) for var in side)], high=0)
            self.moved.append(moved)
            yield (moved, -1)
        yield from ((part.many, -1 if part.was else 1) for part in self.draft.deck)
        yield from ((var, 1) for var in self.rules.bonds.changed())

    def weigh(self, steps: list[Term]) -> list[tuple[int, int]]:
        """The aim: fewest changes, then the smallest change of cost, then rather a move than a removal."""
        program = self.draft.program
        before = sum((pick.card.cost or 0) * pick.count for pick in self.squad.picks(Source.ALL))
        up, down = program.var(10**7), program.var(10**7)
        costs = [(var, cost * 100) for var, cost in self.draft.cost()]
        program.add([*costs, (up, -1), (down, 1)], low=before * 100, high=before * 100)
        kept = [(var, 1) for var in self.moved]
        return [*((var, -int(factor) * STEP) for var, factor in steps), (up, -1), (down, -1), *kept]

    def there(self) -> int:
        """Copies the roster has now that count as one change each: the constant of `changes`."""
        return sum(part.was for part in self.draft.parts() if part.was and part.pick.source is not Source.ATTACHMENTS)

    def differ(self, values: tuple[int, ...]) -> None:
        """From now on some change of this repair is not made: neither it nor a larger one comes again."""
        program = self.draft.program
        sides: list[Term] = []

        def either(var: int, low: int | None, high: int | None) -> None:
            side = program.var()
            program.add([(var, 1)], low, high, when=(side,))
            sides.append((side, 1))

        for part in self._told(values):
            if part.was and values[part.many] < part.was:
                either(part.many, values[part.many] + 1, None)
            elif not part.was and values[part.many]:
                either(part.many, None, values[part.many] - 1)
        freed = [part.freed for part in self.draft.parts() if part.freed is not None]
        for var in (*freed, *self.rules.bonds.changed()):
            if values[var]:
                either(var, None, 0)
        program.add(sides, low=1)

    def _told(self, values: tuple[int, ...]) -> Iterator[Part]:
        """Every part but those that go with their bearer."""
        for line in self.draft.lines:
            yield line.entry
            if values[line.entry.on]:
                yield from (part for part in line.carried if not part.was or not values[part.on])
        yield from self.draft.deck


def explain(judge: Judge, roster: Roster) -> Explained:
    """Why a roster without problems is illegal, and what mends it."""
    conflict = _conflict(Mend(judge, roster))
    mend = Mend(judge, roster)
    steps = list(mend.changes())
    aim = mend.weigh(steps)
    found: dict[object, Mended] = {}
    proved = True
    for _ in range(TRIED):
        answer = solve(mend.draft.program, aim)
        if answer.values is None or len(found) >= SHOWN:
            break
        proved = proved and answer.proved
        made = outcome(mend.draft, mend.rules.bonds, answer.values)
        changes = mend.there() + sum(int(factor) * answer.values[var] for var, factor in steps)
        key = (tuple((type(s), s.card) for s in made.gone), made.came, made.ties)
        if judge.check(made.roster, mend=False).legal:
            found.setdefault(key, Mended(made, changes))
        mend.differ(answer.values)
    return Explained(conflict, tuple(found.values()), proved)


def _conflict(mend: Mend) -> Conflict:
    """The smallest set of copies that cannot all stay."""
    program = mend.draft.program
    switches: list[Switch] = []
    for part in (part for part in mend.draft.parts() if part.was):
        switches += copies(mend.draft, part)
    return smallest(program, switches)
