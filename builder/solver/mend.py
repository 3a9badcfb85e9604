"""An illegal squad explained: the smallest set of picks in conflict, and the cheapest repairs, proved by the solver.

A repair is counted in changes: a copy taken out (what it carries goes with it), a card put in (with what is chosen for
it), an attachment moved or let into another slot, a tie named or taken away, a choice of a model made, changed or taken
away. Of equally few changes the smallest change of cost comes first. Only cards that some rule may want are tried as
additions: any other card can only make things worse.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.model.card import Card
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.costs import costs
from builder.roster.resolve import Pick, resolve
from builder.rules.alike import alike_of
from builder.rules.bundle import rank
from builder.rules.choices import Chooser, added
from builder.rules.judge import Judge
from builder.rules.ways import ways_of
from builder.solver.conflict import Conflict, Switch, smallest, staying
from builder.solver.cpsat import Machine
from builder.solver.draft import Draft, Line
from builder.solver.result import Outcome, outcome
from builder.solver.steps import Found, Steps
from builder.solver.translate import Translation
from builder.solver.wanted import most_wanted, wanted

SHOWN = 3
"""Repairs that are shown where not all are asked for."""
COUNTED, ALL = 13, 50
"""So many are looked for, to say how many more there are; and to show them all."""
SPARE = 5
"""Solutions that may say no more than another, looked at on the way to so many repairs."""
MANY = 8
"""Copies of one card that are tried as additions at last. A repair of N changes cannot need more than N."""


@dataclass(frozen=True, slots=True)
class Mended:
    """One repair: the outcome, how many changes it takes, how far it moves the cost, and whether both are least."""

    outcome: Outcome
    changes: int
    dearer: int | float
    proved: bool


@dataclass(frozen=True, slots=True)
class Explained:
    """`conflict` names what cannot all stay whatever is added; none if additions alone mend the squad.

    `open`: there may be more repairs than these, the search was ended before.
    """

    conflict: Conflict
    repairs: tuple[Mended, ...]
    proved: bool
    open: bool = False


class Mend:
    """One illegal squad as a draft in which every pick may go, with up to `most` copies of each wanted card."""

    def __init__(self, judge: Judge, roster: Roster, most: int, keep: bool = False) -> None:
        """With `keep` only additions are allowed."""
        self.judge = judge
        self.most = most
        self.squad = resolve(roster, judge.pack)
        self.draft = Draft(self.squad, ways_of(judge.evaluator), keep)
        self._additions()
        self.rules = Translation(self.draft, judge.evaluator)
        self.machine = Machine(self.draft.program)
        self.steps = Steps(self.draft, self.rules.bonds)

    def _additions(self) -> None:
        """Cards that some rule may want, wherever they may stand; and every attachment on every other line."""
        empty = resolve(self.squad.roster.model_copy(update={"entries": (), "deck": ()}), self.judge.pack)
        evaluator, draft, most = self.judge.evaluator, self.draft, self.most
        chooser = Chooser(empty, evaluator)
        given = {pick.card.id for pick in self.squad.attachments}
        old, wish = list(draft.lines), []
        there = [pick.card.id for pick in self.squad.picks(Source.ALL)]
        useful = wanted(self.squad, evaluator)
        for name in alike_of(evaluator).some(sorted(useful), most, there):
            card, source = self.judge.pack.cards[name], useful[name]
            if source is Source.ATTACHMENTS:
                wish.append(name)
            elif source is Source.DECK:
                if fits := min(most, chooser.ceiling(added(card, source, None, empty))):
                    draft.add_deck(card, fits)
            else:
                least, models = rank(card, empty, evaluator)
                fits = chooser.ceiling(Pick(card, source, ("entries", 0), 0, least, least))
                draft.add_entry(card, min(math.ceil(most / least), fits), models)
        rooms: dict[tuple[str, str], int] = {}
        for line in draft.lines:
            for name in sorted({*wish, *given} if line in old else wish):
                self._give(self.judge.pack.cards[name], line, chooser, rooms)

    def _give(self, card: Card, line: Line, chooser: Chooser, rooms: dict[tuple[str, str], int]) -> None:
        """An attachment for a line that may carry it at all."""
        key = (line.entry.pick.card.id, card.id)
        if key not in rooms:
            bearer = Pick(line.entry.pick.card, Source.ENTRIES, ("entries", 0), 0, 1, 1)
            place = ("entries", 0, "attachments", 0)
            rooms[key] = chooser.ceiling(Pick(card, Source.ATTACHMENTS, place, 0, 1, 1, bearer=bearer))
        self.draft.add_attachment(card, line, min(self.most, rooms[key]))

    def judged(self, best: Found) -> Iterator[Mended]:
        """A solution as a repair, if the judge finds it legal."""
        made = outcome(self.draft, self.rules.bonds, best.values)
        if self.judge.check(made.roster, mend=False).legal:
            yield Mended(made, best.changes, abs(made.cost - costs(self.squad).total), best.proved)

    def switches(self) -> list[Switch]:
        """What may stay as it is, each as a literal: copies, choices, ties, slots that were named."""
        program, made = self.draft.program, []
        for part in [part for part in self.draft.parts() if part.was]:
            made += staying(self.draft, part)
            for name, value in part.pick.choices.items():
                if name in part.ways:
                    made.append(Switch("choice", part.ways[name][value], f"{name}={value}", part.pick.path))
            if part.freed is not None:
                named = program.all_of([part.on, ~part.freed])
                made.append(Switch("slot", program.positive(named), part.pick.card.id, part.pick.path))
        for bond in self.rules.bonds.bonds.values():
            if bond.stated is not None:
                made.append(Switch("tie", bond.targets[bond.stated], bond.link, bond.entry.pick.path))
        return made


def explain(judge: Judge, roster: Roster, most: int = COUNTED) -> Explained:
    """Why a roster without problems is illegal, and up to so many repairs, the cheapest first."""
    last = max(MANY, most_wanted(resolve(roster, judge.pack), judge.evaluator))
    mend = Mend(judge, roster, 1)
    few = mend.steps.fewest(mend.machine)
    while mend.most < last and (few is None or few.changes > mend.most + 1):
        # a repair of more changes than copies were tried may be beaten by one that puts in more copies of a card
        mend = Mend(judge, roster, min(last, few.changes - 1 if few is not None else 3 * mend.most))
        few = mend.steps.fewest(mend.machine)
    conflict = _conflict(mend, roster)
    found = list(_only_more(judge, roster, few)) if few is not None and few.changes == mend.most + 1 else []
    told = _told(found)
    for _ in range(most + SPARE):
        if few is None or (told and few.changes > mend.most + 1) or len(told) >= most:
            break
        best = mend.steps.cheapest(mend.machine, few)
        found += mend.judged(best)
        told = _told(found)
        mend.steps.differ(best.values)
        few = mend.steps.fewest(mend.machine)
    return Explained(conflict, told[:most], all(item.proved for item in told[:SHOWN]), few is not None and bool(told))


def _told(found: Sequence[Mended]) -> tuple[Mended, ...]:
    """Different repairs, the cheapest first; a card that goes and comes again says no more than another repair."""
    told: dict[object, Mended] = {}
    for item in sorted(found, key=lambda item: (item.changes, item.dearer)):
        made = item.outcome
        same = {step.card for step in made.gone} & {it.card for it in made.came if it.source is Source.ENTRIES}
        if not (same and told):
            steps = tuple((type(step), step.card) for step in made.gone)
            told.setdefault((steps, made.came, made.ties, made.chosen), item)
    return tuple(told.values())


def _only_more(judge: Judge, roster: Roster, few: Found) -> Iterator[Mended]:
    """A repair of as many changes that is nothing but additions, all of one card perhaps."""
    pure = Mend(judge, roster, few.changes, keep=True)
    found = pure.steps.fewest(pure.machine)
    if found is not None and found.changes == few.changes:
        yield from pure.judged(pure.steps.cheapest(pure.machine, found))


def _conflict(mend: Mend, roster: Roster) -> Conflict:
    """The smallest set of what cannot all stay; asked again with more additions if these would let it stay."""
    while True:
        found = smallest(mend.machine, mend.switches())
        if not found.demands:
            return found
        same = {(item.kind, item.name, item.path) for item in found.demands}
        more = Mend(mend.judge, roster, mend.most + 1)
        held = [item.literal for item in more.switches() if (item.kind, item.name, item.path) in same]
        if more.machine.solve(assume=held).values is None:
            return found
        mend = more
