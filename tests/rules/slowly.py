"""A roster judged without tables: every rule asked in full. The authority that `Judge.check` is held to."""

from __future__ import annotations

from builder.model.roster import Roster
from builder.roster.resolve import resolve
from builder.rules.judge import Judge, Verdict


def slowly(judge: Judge, roster: Roster) -> Verdict:
    """The verdict on a roster, without repairs."""
    squad = resolve(roster, judge.pack)
    return Verdict(judge.problems(squad), tuple(judge.evaluator.judge(squad)))
