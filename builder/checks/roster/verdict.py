"""A verdict made into findings: each problem and each violation at its place in the roster's file."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from builder.checks.roster import codes
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.base import Path
from builder.model.loaded import Document
from builder.model.roster import Roster
from builder.model.spelling import nearest, some
from builder.roster.problems import Problem
from builder.rules.judge import Judge, Verdict
from builder.rules.telling import Teller

PROBLEMS = {
    "unknown-card": _("there is no card {value}"),
    "unknown-link": _("{value} is not a tie of this game"),
    "unknown-target": _("no other entry is called {value}"),
    "ambiguous-target": _("{value} stands on several lines"),
    "unknown-choice": _("{value} is not a choice of this game"),
    "wrong-choice": _("{value} cannot be chosen here"),
    "unknown-param": _("{value} is not a parameter of this game"),
    "wrong-param": _("{value} is not allowed here"),
    "missing-param": _("{value} is not stated"),
    "duplicate-id": _("another entry is already called {value}"),
    "other-pack": _("the roster is for the pack {value}, not for {known}"),
}
ROLES = {"deck": _("a deck card"), "entry": _("an entry"), "attachment": _("an attachment")}


def findings(
    verdict: Verdict, roster: Roster, judge: Judge, lang: str, document: Document | None, mend: bool = True
) -> tuple[Finding, ...]:
    """All findings about one roster; rules are told in `lang`. Without `mend` the repairs are told elsewhere."""
    teller = Teller(judge.evaluator, lang)
    say = teller.names.say
    found = [_problem(problem, document, say) for problem in verdict.problems]
    remedy = (
        say(_("No near repair is known: `squadpress roster check --explain` looks for the cheapest."))
        if mend
        else say(
            _("Put right first what is not understood here; repairs are looked for after that.")
            if verdict.problems
            else _("The cheapest repairs stand below.")
        )
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


def _problem(problem: Problem, document: Document | None, say: Callable[[str], str]) -> Finding:
    """One thing that was not understood."""
    code = codes.PROBLEMS[problem.code]
    place = _place(document, problem.path)
    value, known = problem.value, problem.candidates
    if problem.code == "wrong-role":
        is_a, here = known
        form = _("{value} is of the role {role}, but {expected} is expected here")
        if is_a == "none":
            form = _("{value} is no part of a roster, but {expected} is expected here")
        return code.finding(say(_(form, value=value, role=is_a, expected=ROLES[here])), place)
    near = nearest(value, known)
    hint = (
        say(_("Did you mean {word}?", word=near))
        if near
        else say(_("Known here: {list}.", list=some(known)))
        if known
        else ""
    )
    return code.finding(say(_(PROBLEMS[problem.code], value=value, known=", ".join(known))), place, hint)
