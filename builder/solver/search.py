"""Different completions of one squad, the largest spending first."""

from __future__ import annotations

import random
from collections.abc import Iterator

from builder.rules.judge import spending
from builder.solver.completion_model import CompletionModel
from builder.solver.result import Outcome, outcome

EFFORT = 0.25
"""How long the seed's likes are followed, in the solver's own time, which is the same on every machine."""


class Search:
    """Different squads of one task, by what they hold of each card, the largest spending first."""

    def __init__(self, task: CompletionModel, first: tuple[int, ...]) -> None:
        self.task = task
        self.program = task.model.program
        self.first = first
        self.most = self._spent(first)
        self.counts = task.by_card(new=True)
        self.chance = random.Random(task.wish.seed)

    @property
    def full(self) -> bool:
        """True if nothing more can be spent whatever is added."""
        task = self.task
        if not task.priced:
            return False
        allowed = spending(task.squad, task.judge.evaluator).allowed
        dear = [part for part in task.model.parts() if part.pick.card.cost]
        every = all(self.first[part.many] == self.program.ranges[part.many][1] for part in dear)
        capped = any(part.pick.card.id in task.capped for part in dear)
        return (every and not capped) or (allowed is not None and self.most >= allowed * task.scale)

    def _spent(self, values: tuple[int, ...]) -> int:
        return sum(factor * values[var] for var, factor in self.task.aim)

    def squads(self) -> Iterator[Outcome]:
        """The squads, each judged before it is given; as many as are wished for."""
        task, aim = self.task, self.task.aim
        values: tuple[int, ...] | None = self.first
        found = 0
        while values is not None and found < task.wish.count:
            spent = self._spent(values)
            self.program.add(aim, high=spent)
            values = self._tidy(self._nicest(spent, values))
            made = outcome(task.model, task.rules.ties, values)
            if task.judge.check(made.roster, repaired=False).legal:
                found += 1
                yield made
            self._cut(values)
            if found < task.wish.count:
                values = task.machine.solve(aim, task.wish.seed).values

    def _nicest(self, spent: int, values: tuple[int, ...]) -> tuple[int, ...]:
        """Among the squads that spend so much one that the seed likes; the one there is if time is too short.

        No card is worth a choice that need not be made.
        """
        likes = {card: self.chance.randint(0, 9) for card in sorted(self.counts)}
        liked = [(var, likes[card]) for card, terms in sorted(self.counts.items()) for var, _ in terms]
        liked += [(var, -20) for var in self.task.model.chosen()]
        gate = self.program.var()
        self.program.add(self.task.aim, low=spent, when=(gate,))
        found = self.task.machine.solve(liked, self.task.wish.seed, (gate,), effort=EFFORT, hint=values).values
        return found or values

    def _tidy(self, values: tuple[int, ...]) -> tuple[int, ...]:
        """The same squad with nothing chosen that need not be."""
        chosen = self.task.model.chosen()
        if not any(values[var] for var in chosen):
            return values
        gate = self.program.var()
        for part in self.task.model.parts():
            self.program.add([(part.many, 1)], values[part.many], values[part.many], when=(gate,))
        found = self.task.machine.solve([(var, -1) for var in chosen], assume=(gate,), hint=values).values
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
