"""What would let a refused card in: removals and other choices, told per rule, by that rule's own count."""

from dataclasses import dataclass, replace

from builder.model.rules import Rule, Source
from builder.roster.operations import Add, Remove, apply
from builder.roster.resolve import Pick, Squad, added, grow, replace_entries
from builder.rules.choices import Option, line_sizes
from builder.rules.evaluate import Evaluator
from builder.rules.forms.base import RuleForm
from builder.rules.violation import Violation

Change = tuple[int, str, str]
"""A line, a choice, and the value it would take; the empty text takes the choice away."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """What would let a refused card past one rule; all empty where nothing that the squad could change would.

    `sets` are removals, each set enough by itself; `dormant` removals after which the rule asks nothing; `chosen` are
    other choices, together enough: line, choice, value. `param` is a parameter of which another value would do; `alone`
    tells that the card breaks the rule without anything else; `each` that it does only because all copies of the line,
    that many, would carry it.
    """

    sets: tuple[tuple[Remove, ...], ...] = ()
    dormant: tuple[Remove, ...] = ()
    chosen: tuple[Change, ...] = ()
    param: str = ""
    alone: bool = False
    each: int = 0


def remedy(violation: Violation, option: Option, squad: Squad, evaluator: Evaluator) -> Remedy:
    """What would let the option past the rule that refuses it."""
    form = evaluator.form(violation.rule)
    sets = form.removals(violation, option.place, option.card)
    if squad.cost_steps:  # what a copy costs hangs on the others: each set is tried
        sets = tuple(
            removals for removals in sets if _enough(removals, option, violation, squad, evaluator)
        )
    bearer = next((entry for entry in squad.entries if entry.line == option.line), None)
    pick = replace(added(option.card, option.source, bearer, squad), choices=option.choices)
    dormant = _dormant(form, pick, squad)
    chosen = rechosen(violation, pick, squad, evaluator)
    alone = not sets and form.alone(violation, option.place)
    many = sum(item.count for item in violation.counted if item.path == option.place)
    shared = alone and many > 1 and option.source is Source.ATTACHMENTS
    each = many if shared and not form.alone(violation, option.place, many) else 0
    return Remedy(
        sets, dormant, chosen, _param(violation, form.rule, evaluator), alone and not each, each
    )


def _enough(
    removals: tuple[Remove, ...],
    option: Option,
    violation: Violation,
    squad: Squad,
    evaluator: Evaluator,
) -> bool:
    """True if the option breaks the rule no more once the removals are made."""
    add = Add(
        option.card.id,
        option.source,
        option.line,
        option.bundle,
        choices=tuple(option.choices.items()),
    )
    if any(step.path == ("entries", option.line) for step in removals):
        return False
    after = evaluator.resolve(apply(squad.roster, *removals, add))
    return _same(evaluator.form(violation.rule), after, violation) is None


def _dormant(form: RuleForm, pick: Pick, squad: Squad) -> tuple[Remove, ...]:
    """All picks that wake a rule which sleeps without them, if the new pick itself does not wake it."""
    if form.exists is None or form.exists.takes(pick):
        return ()
    return tuple(Remove(item.path, item.card.id, item.count) for item in form.exists.of(squad))


def _param(violation: Violation, rule: Rule, evaluator: Evaluator) -> str:
    """A parameter that the rule hangs on: by its bound, or because it is in force for some values only."""
    bound = violation.bound
    if bound is not None and bound.param:
        return bound.param
    asked = rule.when.params if rule.when is not None else {}
    declared = evaluator.pack.manifest.roster.params
    return next((name for name in asked if name in declared), "")


def rechosen(
    violation: Violation, pick: Pick, squad: Squad, evaluator: Evaluator
) -> tuple[Change, ...]:
    """Changes that are enough together for a pick that is added, one to a line at most; empty if none are."""
    names, form = sorted(evaluator.domains.of_rule[violation.rule]), evaluator.form(violation.rule)
    if names and pick.source is Source.ENTRIES:
        least, _ = line_sizes(pick.card, squad, evaluator)
        pick = replace(pick, count=least, each=least)
    grown, actual, found = grow(squad, pick), violation.actual, []
    lines = (
        {int(item.path[1]) for item in violation.counted if item.path[0] == "entries"}
        if names
        else ()
    )
    for entry in (entry for entry in squad.entries if entry.line in lines):
        others = (
            (name, value)
            for name in names
            for value in evaluator.domains.others(name, entry, squad)
        )
        for name, value in others:
            after = change_choice(grown, entry.line, name, value)
            left = _same(form, after, violation)
            if left is None or left.actual < actual:
                grown = after
                found.append((entry.line, name, value))
                if left is None:
                    return tuple(found)
                actual = left.actual
                break
    return ()


def _same(form: RuleForm, squad: Squad, violation: Violation) -> Violation | None:
    key = (violation.group, violation.kind)
    return next((item for item in form.judge(squad) if (item.group, item.kind) == key), None)


def change_choice(squad: Squad, line: int, name: str, value: str) -> Squad:
    """Return the squad with another choice on one line; the empty text takes the choice away."""
    replacements: dict[int, Pick] = {}
    for entry in squad.entries:
        if entry.line == line:
            choices = {**entry.choices, name: value}
            choices = {key: item for key, item in choices.items() if item}
            replacements[id(entry)] = replace(entry, choices=choices)
    return replace_entries(squad, replacements)
