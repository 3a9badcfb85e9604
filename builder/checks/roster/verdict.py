"""A verdict made into findings: each problem and each violation at its place in the roster's file."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.roster import codes
from builder.findings import Finding, Location
from builder.model.base import Path
from builder.model.document import Document
from builder.model.roster import Roster
from builder.model.spelling import some, suggestion
from builder.roster.problems import Problem
from builder.rules.judge import Judge, Verdict
from builder.rules.telling import Teller


def findings(
    verdict: Verdict, roster: Roster, judge: Judge, lang: str, document: Document | None, mend: bool = True
) -> tuple[Finding, ...]:
    """All findings about one roster; rules are told in `lang`. Without `mend` the repairs are told elsewhere."""
    teller = Teller(judge.evaluator, lang)
    found = [_problem(problem, document) for problem in verdict.problems]
    remedy = (
        codes.RULE_BROKEN.remedy if mend else teller.names.say("repairs-later" if verdict.problems else "see-repairs")
    )
    for item in verdict.violations:
        title, told = teller.title(item), teller.message(item)
        message = f"{item.rule} ({title}; {item.source}): {told}"
        hint = teller.hint(item, roster) or remedy
        place = _place(document, item.place)
        found.append(Finding(codes.RULE_BROKEN.code, message, hint, item.severity, place))
    return (*found, *expectation(verdict, roster, document))


def expectation(verdict: Verdict, roster: Roster, document: Document | None) -> Iterator[Finding]:
    """For a sample: does the verdict say what the roster expects?"""
    expect = roster.expect
    if expect is None:
        return
    place = _place(document, ("expect",))
    if expect.legal != verdict.legal:
        words = {True: "legal", False: "illegal"}
        message = f"the sample expects to be {words[expect.legal]}, but is {words[verdict.legal]}"
        yield codes.EXPECTATION.finding(message, place)
    if frozenset(expect.breaks) != verdict.broken:
        broken, expected = some(verdict.broken) or "none", some(expect.breaks) or "none"
        yield codes.EXPECTATION.finding(f"the sample expects to break {expected}, but breaks {broken}", place)


def _place(document: Document | None, path: Path) -> Location:
    """A place in the roster's file, as far as there is one."""
    return document.locate(path) if document is not None else Location()


def _problem(problem: Problem, document: Document | None) -> Finding:
    """One thing that was not understood."""
    code = codes.PROBLEMS[problem.code]
    place = _place(document, problem.path)
    value = problem.value
    messages = {
        "unknown-card": f"there is no card {value}",
        "unknown-link": f"{value} is not a tie of this game",
        "unknown-target": f"no other entry is called {value}",
        "ambiguous-target": f"{value} stands on several lines",
        "unknown-choice": f"{value} is not a choice of this game",
        "wrong-choice": f"{value} cannot be chosen here",
        "unknown-param": f"{value} is not a parameter of this game",
        "wrong-param": f"{value} is not allowed here",
        "missing-param": f"{value} is not stated",
        "duplicate-id": f"another entry is already called {value}",
        "other-pack": f"the roster is for the pack {value}, not for {', '.join(problem.candidates)}",
    }
    if problem.code == "wrong-role":
        is_a, here = problem.candidates
        wrong = "no part of a roster" if is_a == "none" else f"of the role {is_a}"
        expected = "a deck card" if here == "deck" else f"an {here}"
        return code.finding(f"{value} is {wrong}, but {expected} is expected here", place)
    return code.finding(messages[problem.code], place, suggestion(value, problem.candidates))
