"""A verdict made into findings: each problem and each violation at its place in the roster's file."""

from __future__ import annotations

from collections.abc import Iterator

from builder.checks.roster import codes
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.base import Path
from builder.model.document import Document
from builder.model.roster import Roster
from builder.model.spelling import nearest, some
from builder.roster.problems import Problem
from builder.rules.judge import Judge, Verdict
from builder.rules.phrases import Phrases
from builder.rules.telling import Teller


def findings(
    verdict: Verdict, roster: Roster, judge: Judge, lang: str, document: Document | None, mend: bool = True
) -> tuple[Finding, ...]:
    """All findings about one roster; rules are told in `lang`. Without `mend` the repairs are told elsewhere."""
    teller = Teller(judge.evaluator, lang)
    say = teller.names.say
    found = [_problem(problem, document, say) for problem in verdict.problems]
    remedy = say("see-explain") if mend else say("repairs-later" if verdict.problems else "see-repairs")
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
        legal = _("the sample expects to be legal, but is illegal")
        message = legal if expect.legal else _("the sample expects to be illegal, but is legal")
        yield codes.EXPECTATION.finding(message, place)
    if frozenset(expect.breaks) != verdict.broken:
        broken, expected = some(verdict.broken) or _("none"), some(expect.breaks) or _("none")
        form = _("the sample expects to break {expected}, but breaks {broken}")
        yield codes.EXPECTATION.finding(_(form, expected=expected, broken=broken), place)


def _place(document: Document | None, path: Path) -> Location:
    """A place in the roster's file, as far as there is one."""
    return document.locate(path) if document is not None else Location()


def _problem(problem: Problem, document: Document | None, say: Phrases) -> Finding:
    """One thing that was not understood."""
    code = codes.PROBLEMS[problem.code]
    place = _place(document, problem.path)
    value, known = problem.value, problem.candidates
    if problem.code == "wrong-role":
        is_a, here = known
        form = "problem-no-role" if is_a == "none" else "problem-role"
        return code.finding(say(form, value=value, role=is_a, expected=say(f"role-{here}")), place)
    near = nearest(value, known)
    hint = say("did-you-mean", word=near) if near else say("known-here", list=some(known)) if known else ""
    return code.finding(say(f"problem-{problem.code}", value=value, known=", ".join(known)), place, hint)
