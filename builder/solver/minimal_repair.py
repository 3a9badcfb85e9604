"""An illegal squad explained: the smallest set of picks in conflict, and the cheapest repairs, proved by the solver.

A repair is counted in changes: a copy taken out (what it carries goes with it), a card put in (with what is chosen for
it), an attachment moved or let into another slot, a tie named or taken away, a choice of a model made, changed or taken
away. Of equally few changes the smallest change of cost comes first. Only cards that some rule may want are tried as
additions: any other card can only make things worse."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.model.linear import Term
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.costs import costs
from builder.roster.resolve import Pick
from builder.rules.choices import Chooser
from builder.rules.decision_model import DecisionModel, TieDecisions
from builder.rules.decision_parts import Part
from builder.rules.judge import Judge
from builder.solver.complete import Additions, RuleProgram, copies_asked, emptied
from builder.solver.conflict import Conflict, Switch, find_detail_switches, smallest, staying
from builder.solver.cpsat import Machine
from builder.solver.deadline import Deadline, SearchTimeout
from builder.solver.naming import MAX_ROUNDS, LinkNames, NamedOutcome
from builder.solver.result import SolvedRoster, solved
from builder.solver.wanted_cards import find_wanted_cards


@dataclass(frozen=True, slots=True)
class Solution:
    """A solution: the variables' values, how many changes it makes, and whether no other makes fewer."""

    values: tuple[int, ...]
    changes: int
    proved: bool


class Changes:
    """The changes of one model in which every pick may go."""

    def __init__(self, model: DecisionModel, ties: TieDecisions) -> None:
        self.model = model
        self.ties = ties
        self.program = model.program
        self.moved: list[int] = []
        self.unsure = False
        self.rechosen = [
            (part, name, self._changed(part, name))
            for part in model.parts(Source.ENTRIES)
            if part.was
            for name in part.domains
        ]
        self.terms = list(self._terms())
        counted = [
            part
            for part in model.parts()
            if part.was and part.pick.source is not Source.ATTACHMENTS
        ]
        self.constant = sum(part.was for part in counted)

    def fewest(self, machine: Machine) -> Solution | None:
        """A solution of the fewest changes, None if there is none."""
        answer = machine.solve([(var, -int(factor)) for var, factor in self.terms])
        self.unsure = answer.values is None and not answer.proved
        return (
            None
            if answer.values is None
            else Solution(answer.values, self.count(answer.values), answer.proved)
        )

    def cheapest(self, machine: Machine, few: Solution) -> Solution | None:
        """Return the solution with as many changes as `few` that changes the cost least; moves come before removals.

        None if there is none any more, or if time ran out.
        """
        program, gate = self.program, self.program.var()
        program.add(self.terms, high=few.changes - self.constant, when=(gate,))
        before = costs(self.model.squad).total
        up, down = program.var(10**7), program.var(10**7)
        dear = [(var, cost * 100) for var, cost in self.model.cost]
        program.add([*dear, (up, -1), (down, 1)], low=round(before * 100), high=round(before * 100))
        aim = [(up, -100), (down, -100), *((var, 10) for var in self.moved)]
        aim += [(var, -1) for var in self.model.chosen()]
        answer = machine.solve(aim, assume=(gate,), hint=few.values)
        if answer.values is None:
            self.unsure = not answer.proved
            return None
        return Solution(answer.values, self.count(answer.values), few.proved and answer.proved)

    def count(self, values: tuple[int, ...]) -> int:
        """How many changes a solution makes."""
        return self.constant + sum(int(factor) * values[var] for var, factor in self.terms)

    def _changed(self, part: Part, name: str) -> int:
        """The literal that a choice of an old line is another one than was, as long as the line is there."""
        domain, was = part.domains[name], part.pick.choices.get(name)
        if was is None:
            return self.program.any_of(domain.values())
        return self.program.positive(self.program.all_of([part.on, ~domain[was]]))

    def _terms(self) -> Iterator[Term]:
        """The number of changes, as terms; a constant is left out."""
        program = self.program
        gone: dict[str, list[int]] = {}
        came: dict[str, list[int]] = {}
        for line in self.model.lines:
            yield (line.entry.many, -1 if line.entry.was else 1)
            if line.entry.grown is not None:
                yield (line.entry.grown, 2)
            for part in line.carried:
                if part.was:
                    less = program.positive(program.all_of([line.entry.on, ~part.on]))
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
        yield from ((part.many, -1 if part.was else 1) for part in self.model.deck)
        yield from ((program.positive(literal), 1) for literal in self.ties.changed())
        yield from ((program.positive(literal), 1) for _, _, literal in self.rechosen)

    def differ(self, values: tuple[int, ...]) -> None:
        """From now on some change of this solution is not made: neither it nor a larger one comes again."""
        program = self.program
        sides: list[int] = []

        def either(var: int, low: int | None, high: int | None) -> None:
            sides.append(program.var())
            program.add([(var, 1)], low, high, when=(sides[-1],))

        for part in self._told(values):
            if values[part.many] < part.was:
                either(part.many, values[part.many] + 1, None)
            elif values[part.many] > part.was:
                either(part.many, None, values[part.many] - 1)
        freed = [part.freed for part in self.model.parts() if part.freed is not None]
        chosen = [program.positive(literal) for _, _, literal in self.rechosen]
        sides += [~var for var in (*freed, *chosen, *self.ties.new(values)) if values[var]]
        program.clause(sides)

    def _told(self, values: tuple[int, ...]) -> Iterator[Part]:
        """Every part but those that go with their bearer."""
        for line in self.model.lines:
            yield line.entry
            if values[line.entry.on]:
                yield from (part for part in line.carried if not part.was or not values[part.on])
        yield from self.model.deck


SHOWN, ALL = 3, 50
"""Repairs that are searched for and shown: by default, and where all are asked for."""
SPARE = 5
"""Solutions that may say no more than another, looked at on the way to so many repairs."""
FEWEST_SHARE, CONFLICT_SHARE = 1 / 2, 1 / 2
"""The parts of the remaining time for a repair of the fewest changes, and then for the conflict."""
LARGEST = 30_000
"""Variables of a model: to make one of three times as many takes a minute."""
MANY = 8
"""Copies of one card that are tried as additions at last. A repair of N changes cannot need more than N."""


@dataclass(frozen=True, slots=True)
class MinimalRepair:
    """One repair: the outcome, how many changes it takes, how far it moves the cost, and whether both are least."""

    outcome: SolvedRoster
    changes: int
    dearer: int | float
    proved: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """`conflict` names what cannot all stay whatever is added; none if additions alone mend the squad.

    `open`: there may be more repairs than these, the search was ended before.
    """

    conflict: Conflict
    repairs: tuple[MinimalRepair, ...]
    proved: bool
    open: bool = False


class RepairModel:
    """One illegal squad as a model in which every pick may go, with up to `most` copies of each wanted card."""

    def __init__(
        self, judge: Judge, roster: Roster, most: int, deadline: Deadline, keep: bool = False
    ) -> None:
        """With `keep` only additions are allowed. Raise SearchTimeout if the deadline passes meanwhile."""
        self.judge = judge
        self.most = most
        self.squad = judge.resolve(roster)
        chooser = Chooser(emptied(self.squad, judge), judge.evaluator)
        self._useful = find_wanted_cards(self.squad, judge.evaluator)
        additions = Additions(
            chooser, lambda _, fits, bundle: min(math.ceil(most / bundle), fits), deadline
        )
        self.model = additions.open(self.squad, keep, self._grows)
        self._additions(additions)
        self.rules = RuleProgram(self.model, judge.evaluator, deadline)
        self.machine = Machine(self.model.program, deadline)
        self.changes = Changes(self.model, self.rules.ties)
        self.names = LinkNames(judge, self.model, self.rules.ties)

    def _grows(self, entry: Pick) -> bool:
        """True if a rule may want more copies of a line: its card, or something that it carries or may be given."""
        return entry.card.id in self._useful or Source.ATTACHMENTS in self._useful.values()

    def _additions(self, additions: Additions) -> None:
        """Cards that some rule may want, wherever they may stand; and every attachment on every other line."""
        evaluator, cards = self.judge.evaluator, self.judge.pack.cards
        given = {pick.card.id for pick in self.squad.attachments}
        old, wish = list(self.model.lines), []
        there = [pick.card.id for pick in self.squad.picks(Source.ALL)]
        useful = self._useful
        for name in evaluator.card_classes.some(sorted(useful), self.most, there):
            if useful[name] is Source.ATTACHMENTS:
                wish.append(name)
            else:
                additions.by_itself(cards[name], useful[name])
        for line in self.model.lines:
            for name in sorted({*wish, *given} if line in old else wish):
                additions.on_line(cards[name], line)

    @property
    def size(self) -> int:
        """How many variables the model has."""
        return len(self.model.program.ranges)

    def fewest(self) -> Solution | None:
        """A solution of the fewest changes that leaves no link of an old line open, None if there is none."""
        found = self.changes.fewest(self.machine)
        for _round in range(MAX_ROUNDS):
            if found is None or not self._named(found).is_open:
                return found
            self.names.forbid(found.values)
            found = self.changes.fewest(self.machine)
        self.changes.unsure = True
        return None

    def cheapest(self, few: Solution) -> Solution:
        """Return the solution with as many changes as `few` that changes the cost least; else `few` itself."""
        return self._cheapest(few) or Solution(few.values, few.changes, False)

    def _cheapest(self, few: Solution) -> Solution | None:
        for _round in range(MAX_ROUNDS):
            best = self.changes.cheapest(self.machine, few)
            if best is None or not self._named(best).is_open:
                return best
            self.names.forbid(best.values)
        self.changes.unsure = True
        return None

    def find_next(self, last: Solution) -> Solution | None:
        """Return the cheapest solution after `last`, which is forbidden. None if there is none, or time ran out.

        Most repairs have as many changes as the one before. These are searched for first, which saves a search.
        """
        self.changes.differ(last.values)
        best = self._cheapest(last)
        if best is not None:
            return best
        if self.changes.unsure:
            return None
        few = self.fewest()
        return None if few is None else self.cheapest(few)

    def _named(self, solution: Solution) -> NamedOutcome:
        """A solution as a roster; what comes in comes with its links."""
        made = solved(self.model, self.rules.ties, solution.values)
        return self.names.complete(made, solution.values, old=False)

    def judged(self, best: Solution) -> Iterator[MinimalRepair]:
        """A solution as a repair, if the judge finds it legal."""
        outcome = self._named(best)
        made = outcome.made
        if outcome.verdict.legal:
            # one of more changes might be beaten by one that puts in more copies of a card than were tried
            proved = best.proved and best.changes <= self.most + 1
            yield MinimalRepair(
                made, best.changes, abs(made.cost - costs(self.squad).total), proved
            )

    def switches(self) -> list[Switch]:
        """What may stay as it is, each as a literal: copies, choices, ties, slots that were named."""
        made: list[Switch] = []
        for part in self.model.parts():
            if part.was:
                made += staying(self.model, part)
        return [*made, *find_detail_switches(self.model, self.rules.ties)]


def explain(
    judge: Judge, roster: Roster, most: int = SHOWN, deadline: Deadline | None = None
) -> Explanation:
    """Explain why a roster without problems is illegal, with a number of repairs, the cheapest first.

    All searches together end at the deadline. Without one it is that of a request that starts now.
    """
    deadline = deadline or Deadline.start()
    try:
        repair, few, whole = _fewest(judge, roster, deadline.share(FEWEST_SHARE))
    except SearchTimeout:
        return Explanation(Conflict((), False), (), False)
    conflict = _conflict(repair, roster, deadline.share(CONFLICT_SHARE))
    repair.machine.deadline = deadline
    found = (
        list(_only_more(repair, roster, few))
        if few is not None and few.changes == repair.most + 1
        else []
    )
    told = _told(found)
    best = repair.cheapest(few) if few is not None and len(told) < most else None
    is_open = len(told) >= most
    for _ in range(most + SPARE):
        if best is None:
            break
        if told and best.changes > repair.most + 1:
            is_open = True
            break
        found += repair.judged(best)
        told = _told(found)
        if len(told) >= most:
            # whether there are more is not searched
            is_open = True
            break
        best = repair.find_next(best)
    unsure = repair.changes.unsure
    proved = all(item.proved for item in told[:SHOWN]) and bool(told or (whole and not unsure))
    return Explanation(
        conflict, told[:most], proved, bool(told) and (is_open or best is not None or unsure)
    )


def _fewest(
    judge: Judge, roster: Roster, deadline: Deadline
) -> tuple[RepairModel, Solution | None, bool]:
    """A model with as many copies of each card as a repair may need, and a repair of the fewest changes in it.

    False where the model would have become too large, or time ran out, before it had so many.
    """
    last = max(MANY, copies_asked(judge.resolve(roster), judge.evaluator))
    repair = RepairModel(judge, roster, 1, deadline)
    few = repair.fewest()
    while repair.most < last and (few is None or few.changes > repair.most + 1):
        # a repair of more changes than copies were tried may be beaten by one that puts in more copies of a card
        wanted = min(last, few.changes - 1 if few is not None else 3 * repair.most)
        possible = min(wanted, repair.most * LARGEST // repair.size)
        if possible <= repair.most or repair.changes.unsure:
            return repair, few, False
        try:
            larger = RepairModel(judge, roster, possible, deadline)
        except SearchTimeout:
            return repair, few, False
        found = larger.fewest()
        if found is None and larger.changes.unsure and few is not None:
            # the repair that is known is a repair, though it may not be of the fewest changes
            return repair, few, False
        repair, few = larger, found
    return repair, few, True


def _told(found: Sequence[MinimalRepair]) -> tuple[MinimalRepair, ...]:
    """Different repairs, the cheapest first; a card that goes and comes again says no more than another repair."""
    told: dict[object, MinimalRepair] = {}
    for item in sorted(found, key=lambda item: (item.changes, item.dearer)):
        made = item.outcome
        same = {step.card for step in made.gone} & {
            it.card for it in made.came if it.source is Source.ENTRIES
        }
        if not (same and told):
            steps = tuple((type(step), step.card) for step in made.gone)
            came = tuple(
                (step.card, step.line if step.source is Source.ATTACHMENTS else step.choices)
                for step in made.came
                for _copy in range(step.count)
            )
            told.setdefault((steps, came, made.ties, made.chosen), item)
    return tuple(told.values())


def _only_more(repair: RepairModel, roster: Roster, few: Solution) -> Iterator[MinimalRepair]:
    """A repair of as many changes that is nothing but additions, all of one card perhaps."""
    try:
        pure = RepairModel(repair.judge, roster, few.changes, repair.machine.deadline, keep=True)
    except SearchTimeout:
        return
    found = pure.fewest()
    if found is not None and found.changes == few.changes:
        yield from pure.judged(pure.cheapest(found))


def _conflict(repair: RepairModel, roster: Roster, deadline: Deadline) -> Conflict:
    """The smallest set of what cannot all stay; asked again with more additions if these would let it stay. None, and
    not proved, where that could not be found out."""
    while True:
        repair.machine.deadline = deadline.share(3 / 4)  # the rest is for the question below
        found = smallest(repair.machine, repair.switches())
        if not found.demands:
            return found
        if repair.size > LARGEST:
            return Conflict((), False)
        same = {(item.kind, item.name, item.path) for item in found.demands}
        try:
            more = RepairModel(repair.judge, roster, repair.most + 1, deadline)
        except SearchTimeout:
            return Conflict((), False)
        held = [
            item.literal for item in more.switches() if (item.kind, item.name, item.path) in same
        ]
        answer = more.machine.solve(assume=held)
        if answer.values is None:
            return found if answer.proved else Conflict((), False)
        repair = more
