"""Turns the result of checking a roster into findings with their location in its file."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from builder.findings import Finding, Location, Severity
from builder.messages import Message, gettext as _
from builder.model.base import DataPath
from builder.model.codes import Code, define
from builder.model.loaded import Document
from builder.model.roster import Roster, find_written_path
from builder.model.words import find_nearest, list_words
from builder.roster.resolve import Problem
from builder.rules.format import Formatter
from builder.rules.judge import Judge, Verdict
from builder.rules.violation import UNDECIDED

RULE_BROKEN = define(
    "roster/rule-broken",
    _("The squad breaks a rule of its game"),
    _(
        "The rules of squad building stand in the pack's rules.yaml; the message names the rule, its place in the"
        " rulebook, what was counted and where the bound comes from."
    ),
    _("Take one of the repairs that the hint names, nearest first."),
)
NOT_DECIDED = define(
    "roster/not-decided",
    _("The squad is too large to check a rule"),
    _(
        "Every way to distribute models with different loads over their carriers is tried, up to 60 "
        "models and carriers. Larger squads are reported as not decided."
    ),
    _("Name the carrier of each line in the roster, or split the squad."),
)
EXPECTATION = define(
    "roster/expectation",
    _("A sample squad does not have the expected result"),
    _("Sample squads test rules.yaml. A different result means that a rule or a card changed."),
    _("Correct `expect` in the roster if the new verdict is right, else the rule or the card."),
)
PACK_ERRORS = define(
    "roster/pack-has-errors",
    _("The pack itself has errors"),
    _(
        "The errors are in files that do not affect verdicts, such as translations. With other errors "
        "there is no verdict."
    ),
    _("Run `squadpress check` and fix the errors."),
    Severity.WARNING,
)
NOT_OWNED = define(
    "roster/not-owned",
    _("The squads claim more copies of a card than the collection holds"),
    _(
        "A collection lists what stands on the player's shelf; several squads of one evening share it."
    ),
    _("Take the card out of one squad, or correct the collection."),
)
_PROBLEMS = {
    "unknown-card": (
        _("The roster names a card that the pack does not have"),
        _("A squad with an unknown card cannot be checked or printed."),
        _("Correct the id; it is the card's file name without .yaml."),
    ),
    "wrong-role": (
        _("A card is in the wrong part of the roster"),
        _("Each kind of card is an entry, an attachment or a deck card; pack.yaml says which."),
        _("Put the card where its kind belongs."),
    ),
    "unknown-target": (
        _("The target of a link is unknown or ambiguous"),
        _("A link names another entry by its id, or by its card if only one entry has this card."),
        _("Name an entry of this roster; of several, give the meant one an `id` and name that."),
    ),
    "undeclared": (
        _("The pack does not declare this link, choice, parameter or play format"),
        _("A misspelt name would be ignored, and the squad would be checked without it."),
        _("Use one that pack.yaml or formats.yaml declares."),
    ),
    "wrong-value": (
        _("A choice or parameter has no value or a wrong value"),
        _(
            "Rules use the value, also to compute limits. They would not recognise an unknown or empty value."
        ),
        _(
            "Write a value that pack.yaml allows, or the id of a card of the chosen kind; a choice may be left away."
        ),
    ),
    "idle": (
        _("The card cannot have this link, choice or slot"),
        _("Rules and pack.yaml say which cards can have it. Here it would have no effect."),
        _("Take it out of this line."),
    ),
    "duplicate-id": (
        _("Two entries have one id"),
        _("Links name entries by their id, so each id must be unique."),
        _("Give each entry an id of its own."),
    ),
    "other-pack": (
        _("The roster belongs to another pack"),
        _("A squad is checked by the rules of its own game."),
        _("Judge it with the pack that it names."),
    ),
}
_PROBLEMS_BY_CODE = {
    "unknown-target": ("unknown-target", "ambiguous-target"),
    "undeclared": ("unknown-link", "unknown-choice", "unknown-parameter", "unknown-play-format"),
    "wrong-value": ("wrong-choice", "empty-choice", "wrong-parameter", "missing-parameter"),
    "idle": ("idle-choice", "idle-tie", "idle-slot"),
}
_CODES = {name: define(f"roster/{name}", *texts) for name, texts in _PROBLEMS.items()}
PROBLEMS: dict[str, Code] = {}
"""The code of a finding for each type of problem that resolving a roster meets."""
for _name, _code in _CODES.items():
    PROBLEMS |= dict.fromkeys(_PROBLEMS_BY_CODE.get(_name, (_name,)), _code)


MAX_FINDINGS_PER_RULE = 100
"""Places that are told of one rule, and of what is not understood; a large roster may break one in thousands."""
PROBLEM_TEXTS = {
    "unknown-card": _("there is no card {value}"),
    "unknown-link": _("{value} is not a tie of this game"),
    "unknown-target": _("no other entry is called {value}"),
    "ambiguous-target": _("{value} stands on several lines"),
    "unknown-choice": _("{value} is not a choice of this game"),
    "wrong-choice": _("{value} cannot be chosen here"),
    "empty-choice": _("{value} is empty"),
    "idle-choice": _("this model does not make the choice {value}"),
    "idle-tie": _("this model cannot have the tie {value}"),
    "idle-slot": _("the card takes no slot, yet {value} is named"),
    "unknown-parameter": _("{value} is not a parameter of this game"),
    "wrong-parameter": _("{value} is not allowed here"),
    "missing-parameter": _("{value} is not stated"),
    "unknown-play-format": _("{value} is not a play format of this game"),
    "duplicate-id": _("another entry is already called {value}"),
    "other-pack": _("the roster is for the pack {value}, not for {known}"),
}
ROLES = {"deck": _("a deck card"), "entry": _("an entry"), "attachment": _("an attachment")}


@dataclass(frozen=True, slots=True)
class RosterVerdict:
    """A roster that was judged. `document` gives the places of findings; rules are told in `lang`.

    Without `repaired` the repairs are told elsewhere.
    """

    verdict: Verdict
    roster: Roster
    judge: Judge
    lang: str
    document: Document | None = None
    repaired: bool = True


def check(roster_verdict: RosterVerdict) -> Iterator[Finding]:
    """Report problems and violations, and for a sample what differs from its expectation."""
    verdict, roster, document = (
        roster_verdict.verdict,
        roster_verdict.roster,
        roster_verdict.document,
    )
    formatter = Formatter(roster_verdict.judge.evaluator, roster_verdict.lang)
    say = formatter.names.say
    for problem in verdict.problems[:MAX_FINDINGS_PER_RULE]:
        yield report_problem(problem, document, say)
    rest = len(verdict.problems) - MAX_FINDINGS_PER_RULE
    if rest > 0:
        last = verdict.problems[-1]
        message = say(_("{many} more places that are not understood", many=rest))
        yield PROBLEMS[last.code].finding(message, _locate(document, last.path))
    remedy = _(
        "No near repair is known: `squadpress roster check --explain` looks for the cheapest."
    )
    if not roster_verdict.repaired:
        remedy = _("The cheapest repairs stand below.")
        if verdict.problems:
            remedy = _(
                "Put right first what is not understood here; repairs are looked for after that."
            )
    times: Counter[str] = Counter()
    for item in verdict.violations:
        times[item.rule] += 1
        if times[item.rule] > MAX_FINDINGS_PER_RULE:
            continue
        message = f"{formatter.heading(item)}: {formatter.message(item)}"
        if item.kind == UNDECIDED:
            yield Finding(
                NOT_DECIDED.code,
                message,
                say(NOT_DECIDED.remedy),
                item.severity,
                _locate(document, item.place),
            )
            continue
        hint = formatter.hint(item, roster) or say(remedy)
        yield Finding(RULE_BROKEN.code, message, hint, item.severity, _locate(document, item.place))
    for item in {
        item.rule: item for item in verdict.violations if times[item.rule] > MAX_FINDINGS_PER_RULE
    }.values():
        rest_message = say(
            _("{many} more places break this rule", many=times[item.rule] - MAX_FINDINGS_PER_RULE)
        )
        message = f"{formatter.heading(item)}: {rest_message}"
        yield Finding(
            RULE_BROKEN.code, message, say(remedy), item.severity, _locate(document, item.place)
        )
    yield from check_expectation(verdict, roster, document)


def check_expectation(
    verdict: Verdict, roster: Roster, document: Document | None
) -> Iterator[Finding]:
    """Check that the result of a sample is what its roster expects."""
    expect = roster.expect
    if expect is None:
        return
    place = _locate(document, ("expect",))
    if expect.legal != verdict.legal:
        legal = _("the sample expects to be legal, but is illegal")
        message = legal if expect.legal else _("the sample expects to be illegal, but is legal")
        yield EXPECTATION.finding(message, place)
    if frozenset(expect.breaks) != verdict.broken:
        broken, expected = (
            list_words(verdict.broken) or _("none"),
            list_words(expect.breaks) or _("none"),
        )
        form = _("the sample expects to break {expected}, but breaks {broken}")
        yield EXPECTATION.finding(_(form, expected=expected, broken=broken), place)


def _locate(document: Document | None, path: DataPath) -> Location:
    """Return the location in the roster's file, as far as there is one."""
    return (
        document.locate(find_written_path(document.value, path))
        if document is not None
        else Location()
    )


def report_problem(
    problem: Problem, document: Document | None, say: Callable[[str], str]
) -> Finding:
    """Return a finding about one problem, translated by `say`."""
    code, place = PROBLEMS[problem.code], _locate(document, problem.path)
    value, candidates = problem.value, problem.candidates
    if problem.code == "wrong-role":
        is_a, expected_role = candidates
        form = _("{value} is of the role {role}, but {expected} is expected here")
        if is_a == "none":
            form = _("{value} is no part of a roster, but {expected} is expected here")
        return code.finding(
            say(_(form, value=value, role=is_a, expected=ROLES[expected_role])), place
        )
    if problem.code == "missing-parameter":
        return code.finding(
            say(_(PROBLEM_TEXTS[problem.code], value=value)),
            place,
            say(_hint_at_missing_parameter(value, candidates)),
        )
    nearest_word = find_nearest(value, candidates)
    hint = (
        _("Did you mean {word}?", word=nearest_word)
        if nearest_word
        else _("Known here: {list}.", list=list_words(candidates))
    )
    message = _(PROBLEM_TEXTS[problem.code], value=value, known=", ".join(candidates))
    return code.finding(say(message), place, say(hint) if candidates else "")


def _hint_at_missing_parameter(name: str, values: tuple[str, ...]) -> Message:
    """Return the repair of a roster that lacks a parameter: the lines of which one must be added."""
    lines = [f"`{name}: {value}`" for value in values]
    if len(lines) == 1:
        return _("Add this line to the roster, with a number: {line}.", line=lines[0])
    return _("Add one of these lines to the roster: {lines}.", lines=", ".join(lines))
