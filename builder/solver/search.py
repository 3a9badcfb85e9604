"""Different completions of one squad, the largest spending first."""

from __future__ import annotations

import random
from collections.abc import Iterator

from builder.rules.spending import spending
from builder.solver.desk import Desk
from builder.solver.result import Outcome, outcome

EFFORT = 0.25
"""How long the seed's likes are followed, in the solver's own time, which is the same on every machine."""


class Search:
    """Different squads of one desk, by what they hold of each card, the largest spending first."""

    def __init__(self, desk: Desk, first: tuple[int, ...]) -> None:
        self.desk = desk
        self.program = desk.draft.program
        self.first = first
        self.most = self._spent(first)
        self.counts = desk.by_card(new=True)
        self.chance = random.Random(desk.wish.seed)

    @property
    def full(self) -> bool:
        """True if nothing more can be spent whatever is added."""
        desk = self.desk
        if not desk.priced:
            return False
        allowed = spending(desk.squad, desk.judge.evaluator).allowed
        dear = [part for part in desk.draft.parts() if part.pick.card.cost]
        every = all(self.first[part.many] == self.program.ranges[part.many][1] for part in dear)
        capped = any(part.pick.card.id in desk.capped for part in dear)
        return (every and not capped) or (allowed is not None and self.most >= allowed * desk.scale)

    def _spent(self, values: tuple[int, ...]) -> int:
        return sum(factor * values[var] for var, factor in self.desk.aim)

    def squads(self) -> Iterator[Outcome]:
        """The squads, each judged before it is given; as many as are wished for."""
        desk, aim = self.desk, self.desk.aim
        values: tuple[int, ...] | None = self.first
        found = 0
        while values is not None and found < desk.wish.count:
            spent = self._spent(values)
            self.program.add(aim, high=spent)
            values = self._tidy(self._nicest(spent, values))
            made = outcome(desk.draft, desk.rules.bonds, values)
            if desk.judge.check(made.roster, mend=False).legal:
                found += 1
                yield made
            self._cut(values)
            if found < desk.wish.count:
                values = desk.machine.solve(aim, desk.wish.seed).values

    def _nicest(self, spent: int, values: tuple[int, ...]) -> tuple[int, ...]:
        """Among the squads that spend so much one that the seed likes; the one there is if time is too short.

        No card is worth a choice that need not be made.
        """
        likes = {card: self.chance.randint(0, 9) for card in sorted(self.counts)}
        liked = [(var, likes[card]) for card, terms in sorted(self.counts.items()) for var, _ in terms]
        liked += [(var, -20) for var in self.desk.draft.chosen()]
        gate = self.program.var()
        self.program.add(self.desk.aim, low=spent, when=(gate,))
        found = self.desk.machine.solve(liked, self.desk.wish.seed, (gate,), effort=EFFORT, hint=values).values
        return found or values

    def _tidy(self, values: tuple[int, ...]) -> tuple[int, ...]:
        """The same squad with nothing chosen that need not be."""
        chosen = self.desk.draft.chosen()
        if not any(values[var] for var in chosen):
            return values
        gate = self.program.var()
        for part in self.desk.draft.parts():
            self.program.add([(part.many, 1)], values[part.many], values[part.many], when=(gate,))
        found = self.desk.machine.solve([(var, -1) for var in chosen], assume=(gate,), hint=values).values
        return found or values

    def _cut(self, values: tuple[int, ...]) -> None:
        """From now on some card comes in another number."""
        program, differ = self.program, []
        for terms in self.counts.values():
            now = sum(values[var] for var, _ in terms)
            less, more = program.var(), program.var()
            program.add(terms, high=now - 1, when=(less,))
            program.add(terms, low=now + 1, when=(more,))
            differ += [less, more]
        program.clause(differ)
