"""Complete a half-built squad: the legal squads that hold all of it and spend the most, one after another."""

from __future__ import annotations

from dataclasses import dataclass

from builder.model.roster import Roster
from builder.roster.resolve import resolve
from builder.rules.judge import Judge
from builder.solver.conflict import Conflict, Switch, smallest, staying
from builder.solver.desk import CARRIED, COPIES, Desk, Wish
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
        desk = Desk(judge, squad, wish, copies, carried)
        for switch in desk.wants():
            desk.draft.program.clause([switch.literal])
        first = desk.machine.solve(desk.aim, wish.seed)
        found = Search(desk, first.values) if first.values is not None else None
        last = copies == COPIES[-1] or not desk.capped
        if found is not None and (last or found.full):
            outcomes = list(found.squads())
            if last or len(outcomes) == wish.count:
                return Completed(tuple(outcomes), found.full or (first.proved and not desk.capped))
        if last:
            break
    return Completed(proved=first.proved, conflict=why_not(judge, roster, wish))


def why_not(judge: Judge, roster: Roster, wish: Wish) -> Conflict:
    """The smallest set of rules, picks and wishes that cannot all hold."""
    desk = Desk(judge, resolve(roster, judge.pack), wish, switched=True)
    switches = [*desk.wants(), *desk.limits()]
    for part in [part for part in desk.draft.parts() if part.was]:
        switches += staying(desk.draft, part)
    switches += [Switch("rule", literal, rule) for rule, literal in desk.rules.switches.items()]
    return smallest(desk.machine, switches)
