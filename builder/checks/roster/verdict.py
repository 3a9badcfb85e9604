"""Turns the result of checking a roster into findings with their location in its file."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from builder.findings import Finding, Location, Severity
from builder.messages import Message, gettext as _
from builder.model.base import DataPath
from builder.model.codes import Code, define
from builder.model.loaded import Document
from builder.model.roster import Roster, get_file_path_of_value
from builder.model.words import find_nearest, list_words
from builder.roster.resolve import Problem
from builder.rules.checker import RosterChecker, RosterResult
from builder.rules.format import Formatter
from builder.rules.violation import UNDECIDED

RULE_BROKEN = define(
    "roster/rule-broken",
    _("The squad breaks a rule of its game"),
    _(
        "The pack's rules.yaml contains the rules for squads. The message names the rule, "
        "its place in the rulebook, the count and the source of the limit."
    ),
    _("Apply one of the listed fixes. The smallest change is listed first."),
)
NOT_DECIDED = define(
    "roster/not-decided",
    _("The squad is too large for one of the rules"),
    _(
        "The program tries all ways to assign different loads to models, for up to 60 "
        "models in total. Larger squads are reported as not decided."
    ),
    _("Name the target of each line in the roster, or split the squad."),
)
EXPECTATION = define(
    "roster/expectation",
    _("A sample squad does not have the expected result"),
    _(
        "Sample squads test rules.yaml. A different result means that a rule or a card changed."
    ),
    _(
        "If the new result is right, correct `expect` in the roster. Otherwise correct the "
        "rule or the card."
    ),
)
PACK_ERRORS = define(
    "roster/pack-has-errors",
    _("The pack has errors of its own"),
    _(
        "The errors are in files that do not affect the result, such as translations. With "
        "other errors, squads cannot be checked."
    ),
    _("Run `squadpress check` and fix the errors."),
    Severity.WARNING,
)
NOT_OWNED = define(
    "roster/not-owned",
    _("The squads use more copies of a card than the collection contains"),
    _(
        "A collection lists the copies a player owns. Several squads for the same evening "
        "share them."
    ),
    _("Remove the card from one squad, or correct the collection."),
)
_PROBLEMS = {
    "unknown-card": (
        _("The roster names a card that the pack does not have"),
        _("A squad with an unknown card cannot be checked or printed."),
        _("Correct the id; it is the card's file name without .yaml."),
    ),
    "wrong-role": (
        _("A card is in the wrong part of the roster"),
        _(
            "Each kind of card is an entry, an attachment or a deck card, as pack.yaml says."
        ),
        _("Move the card to the part for its kind."),
    ),
    "unknown-target": (
        _("The target of a link is unknown or ambiguous"),
        _(
            "A link names another entry by its id, or by its card if only one entry has this card."
        ),
        _(
            "Use the name of an entry in this roster. If several entries have this card, "
            "give the intended one an `id` and use that."
        ),
    ),
    "undeclared": (
        _("The pack does not declare this link, choice, parameter or play format"),
        _(
            "A misspelt name would be ignored, and the squad would be checked without it."
        ),
        _("Use one that pack.yaml or formats.yaml declares."),
    ),
    "wrong-value": (
        _("A choice or parameter has no value or a wrong value"),
        _(
            "Rules use the value, also to compute limits. They would not recognise an unknown or "
            "empty value."
        ),
        _(
            "Use a value that pack.yaml allows, or the id of a card of the chosen kind. A "
            "choice may be omitted."
        ),
    ),
    "idle": (
        _("The card cannot have this link, choice or slot"),
        _("Rules and pack.yaml define which cards can have it. Here it has no effect."),
        _("Remove it from this line."),
    ),
    "duplicate-id": (
        _("Two entries have the same id"),
        _("Links refer to entries by id, so each id must be unique."),
        _("Give each entry its own id."),
    ),
    "other-pack": (
        _("The roster belongs to another pack"),
        _("A squad is checked by the rules of its own game."),
        _("Check it with the pack that it names."),
    ),
}
_PROBLEMS_BY_CODE = {
    "unknown-target": ("unknown-target", "ambiguous-target"),
    "undeclared": (
        "unknown-link",
        "unknown-choice",
        "unknown-parameter",
        "unknown-play-format",
    ),
    "wrong-value": (
        "wrong-choice",
        "empty-choice",
        "wrong-parameter",
        "missing-parameter",
    ),
    "idle": ("idle-choice", "idle-tie", "idle-slot"),
}
_CODES = {name: define(f"roster/{name}", *texts) for name, texts in _PROBLEMS.items()}
PROBLEMS: dict[str, Code] = {}
"""The code of a finding for each type of problem that resolving a roster meets."""
for _name, _code in _CODES.items():
    PROBLEMS |= dict.fromkeys(_PROBLEMS_BY_CODE.get(_name, (_name,)), _code)


MAX_FINDINGS_PER_RULE = 100
"""Reported places of one rule, and of one kind of unknown value. A large roster may break a rule in
1,000 places.
"""
PROBLEM_TEXTS = {
    "unknown-card": _("the card {value} does not exist"),
    "unknown-link": _("{value} is not a link of this game"),
    "unknown-target": _("no other entry is named {value}"),
    "ambiguous-target": _("several lines are named {value}"),
    "unknown-choice": _("{value} is not a choice of this game"),
    "wrong-choice": _("{value} cannot be chosen here"),
    "empty-choice": _("{value} is empty"),
    "idle-choice": _("this model does not have the choice {value}"),
    "idle-tie": _("this model cannot have the link {value}"),
    "idle-slot": _("the card needs no slot, but the slot {value} is given"),
    "unknown-parameter": _("{value} is not a parameter of this game"),
    "wrong-parameter": _("{value} is not allowed here"),
    "missing-parameter": _("{value} is missing"),
    "unknown-play-format": _("{value} is not a play format of this game"),
    "duplicate-id": _("another entry is already named {value}"),
    "other-pack": _("the roster is for the pack {value}, not for {known}"),
}
ROLES = {
    "deck": _("a deck card"),
    "entry": _("an entry"),
    "attachment": _("an attachment"),
}


@dataclass(frozen=True, slots=True)
class RosterVerdict:
    """The result of checking a roster, with all that is needed to report it.

    `document` locates the findings. Rules are described in `lang`. With `repaired` False, findings
    have no repairs, because they are reported elsewhere.
    """

    verdict: RosterResult
    roster: Roster
    checker: RosterChecker
    lang: str
    document: Document | None = None
    repaired: bool = True


def check(roster_verdict: RosterVerdict) -> Iterator[Finding]:
    """Report the errors of a roster, and how a sample squad differs from its expected result."""
    verdict = roster_verdict.verdict
    roster = roster_verdict.roster
    document = roster_verdict.document
    formatter = Formatter(roster_verdict.checker.evaluator, roster_verdict.lang)
    say = formatter.names.translate
    for problem in verdict.problems[:MAX_FINDINGS_PER_RULE]:
        yield report_problem(problem, document, say)
    rest = len(verdict.problems) - MAX_FINDINGS_PER_RULE
    if rest > 0:
        last = verdict.problems[-1]
        message = say(_("{many} more errors in the roster", many=rest))
        yield PROBLEMS[last.code].finding(message, _locate(document, last.path))
    remedy = _choose_remedy(roster_verdict)
    times: Counter[str] = Counter()
    for item in verdict.violations:
        times[item.rule] += 1
        if times[item.rule] > MAX_FINDINGS_PER_RULE:
            continue
        message = f"{formatter.format_heading(item)}: {formatter.format_message(item)}"
        if item.kind == UNDECIDED:
            code, hint = NOT_DECIDED.code, say(NOT_DECIDED.remedy)
        else:
            code, hint = (
                RULE_BROKEN.code,
                formatter.format_hint(item, roster) or say(remedy),
            )
        yield Finding(code, message, hint, item.severity, _locate(document, item.place))
    # of each rule with more places, the last one
    last_violations = {item.rule: item for item in verdict.violations}
    for rule, item in last_violations.items():
        rest = times[rule] - MAX_FINDINGS_PER_RULE
        if rest > 0:
            rest_message = say(
                _("this rule is broken in {many} more places", many=rest)
            )
            message = f"{formatter.format_heading(item)}: {rest_message}"
            place = _locate(document, item.place)
            yield Finding(RULE_BROKEN.code, message, say(remedy), item.severity, place)
    yield from check_expectation(verdict, roster, document)


def _choose_remedy(roster_verdict: RosterVerdict) -> Message:
    """Return the hint for a broken rule for which no fix is known."""
    if roster_verdict.repaired:
        return _(
            "No simple fix was found. Use `squadpress roster check --explain` to search for "
            "the cheapest one."
        )
    if roster_verdict.verdict.problems:
        return _(
            "Correct the errors in the roster file first. Fixes for the rules are "
            "searched afterwards."
        )
    return _("The cheapest fixes are listed below.")


def check_expectation(
    verdict: RosterResult, roster: Roster, document: Document | None
) -> Iterator[Finding]:
    """Check that a sample squad has the result that its roster expects."""
    expect = roster.expect
    if expect is None:
        return
    place = _locate(document, ("expect",))
    if expect.legal != verdict.legal:
        legal = _("the sample squad should be legal, but is illegal")
        message = (
            legal
            if expect.legal
            else _("the sample squad should be illegal, but is legal")
        )
        yield EXPECTATION.finding(message, place)
    if frozenset(expect.breaks) != verdict.broken:
        broken = list_words(verdict.broken) or _("none")
        expected = list_words(expect.breaks) or _("none")
        form = _("the sample squad should break {expected}, but breaks {broken}")
        yield EXPECTATION.finding(_(form, expected=expected, broken=broken), place)


def _locate(document: Document | None, path: DataPath) -> Location:
    """Return the location of a value in the roster's file. Empty if the roster has no file."""
    if document is None:
        return Location()
    return document.locate(get_file_path_of_value(document.value, path))


def report_problem(
    problem: Problem, document: Document | None, translate: Callable[[str], str]
) -> Finding:
    """Return the finding about one problem of a roster. `translate` translates its text."""
    code = PROBLEMS[problem.code]
    place = _locate(document, problem.path)
    value, candidates = problem.value, problem.candidates
    if problem.code == "wrong-role":
        actual_role, expected_role = candidates
        form = _("{value} is {role}, but {expected} is expected here")
        # a kind of card that no roster has is no part of one
        if actual_role not in ROLES:
            form = _(
                "{value} cannot be part of a roster, but {expected} is expected here"
            )
        actual, expected = ROLES.get(actual_role, ""), ROLES[expected_role]
        message = _(form, value=value, role=actual, expected=expected)
        return code.finding(translate(message), place)
    if problem.code == "missing-parameter":
        message = _(PROBLEM_TEXTS[problem.code], value=value)
        hint = _hint_at_missing_parameter(value, candidates)
        return code.finding(translate(message), place, translate(hint))
    nearest_word = find_nearest(value, candidates)
    if nearest_word:
        hint = _("Did you mean {word}?", word=nearest_word)
    else:
        hint = _("Known values: {list}.", list=list_words(candidates))
    message = _(PROBLEM_TEXTS[problem.code], value=value, known=", ".join(candidates))
    return code.finding(
        translate(message), place, translate(hint) if candidates else ""
    )


def _hint_at_missing_parameter(param_name: str, values: tuple[str, ...]) -> Message:
    """Return the hint that lists the lines of which one must be added to the roster."""
    lines = [f"`{param_name}: {value}`" for value in values]
    if len(lines) == 1:
        return _("Add this line to the roster, with a number: {line}.", line=lines[0])
    return _("Add one of these lines to the roster: {lines}.", lines=", ".join(lines))
