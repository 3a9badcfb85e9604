"""Complete a half-built squad: the legal squads that hold all of it and spend the most, one after another."""

from __future__ import annotations

from dataclasses import dataclass

from builder.model.roster import Roster
from builder.roster.resolve import resolve
from builder.rules.judge import Judge
from builder.solver.completion_model import CARRIED, COPIES, CompletionModel, Wish
from builder.solver.conflict import Conflict, Switch, smallest, staying
from builder.solver.result import Outcome
from builder.solver.search import Search

__all__ = ["Completed", "Wish", "complete"]


@dataclass(frozen=True, slots=True)
class Completed:
    """The squads found, best first; `proved` if none can spend more than the first. `conflict` where there is none."""

    outcomes: tuple[Outcome, ...] = ()
    proved: bool = True
    conflict: Conflict | None = None


def complete(judge: Judge, roster: Roster, wish: Wish) -> Completed:
    """Legal squads that hold the roster; the roster must be understood (no problems).

    Few copies of each card are tried first: a squad that spends all that may be spent is the best there is. Where they
    do not reach that far, more are tried.
    """
    squad = resolve(roster, judge.pack)
    for copies, carried in zip(COPIES, CARRIED, strict=True):
        task = CompletionModel(judge, squad, wish, copies, carried)
        for switch in task.wants():
            task.model.program.clause([switch.literal])
        first = task.machine.solve(task.aim, wish.seed)
        found = Search(task, first.values) if first.values is not None else None
        last = copies == COPIES[-1] or not task.capped
        if found is not None and (last or found.full):
            outcomes = list(found.squads())
            if last or len(outcomes) == wish.count:
                return Completed(tuple(outcomes), found.full or (first.proved and not task.capped))
        if last:
            break
    return Completed(proved=first.proved, conflict=why_not(judge, roster, wish))


def why_not(judge: Judge, roster: Roster, wish: Wish) -> Conflict:
    """The smallest set of rules, picks and wishes that cannot all hold."""
    task = CompletionModel(judge, resolve(roster, judge.pack), wish, switched=True)
    switches = [*task.wants(), *task.limits()]
    for part in [part for part in task.model.parts() if part.was]:
        switches += staying(task.model, part)
    switches += [Switch("rule", literal, rule) for rule, literal in task.rules.switches.items()]
    return smallest(task.machine, switches)
