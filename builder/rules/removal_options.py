"""What would let a refused card in: removals and other choices, told per rule, by that rule's own count."""

from dataclasses import dataclass, replace

from builder.model.rules import Rule, Source
from builder.roster.operations import Add, Remove, apply_operations
from builder.roster.resolve import SelectedCard, Squad, add_card, make_addition, replace_entries
from builder.rules.choices import Option, find_line_sizes
from builder.rules.evaluate import Evaluator
from builder.rules.forms.base import RuleForm
from builder.rules.violation import Violation

Change = tuple[int, str, str]
"""A line, a choice, and the value it would take; the empty text takes the choice away."""


@dataclass(frozen=True, slots=True)
class RefusalFix:
    """What would let a refused card past one rule; all empty where nothing that the squad could change would.

    `sets` are removals, each set enough by itself; `dormant` removals after which the rule asks nothing; `chosen` are
    other choices, together enough: line, choice, value. `param` is a parameter of which another value would do; `alone`
    tells that the card breaks the rule without anything else; `each` that it does only because all copies of the line,
    that many, would carry it.
    """

    sets: tuple[tuple[Remove, ...], ...] = ()
    dormant: tuple[Remove, ...] = ()
    choice_changes: tuple[Change, ...] = ()
    param: str = ""
    alone: bool = False
    shared_copies: int = 0


def find_refusal_fix(
    violation: Violation, option: Option, squad: Squad, evaluator: Evaluator
) -> RefusalFix:
    """What would let the option past the rule that refuses it."""
    form = evaluator.get_form(violation.rule)
    sets = form.find_removals(violation, option.place, option.card)
    if squad.cost_steps:  # what a copy costs hangs on the others: each set is tried
        sets = tuple(
            removals for removals in sets if _enough(removals, option, violation, squad, evaluator)
        )
    host = next((entry for entry in squad.entries if entry.line == option.line), None)
    selected = replace(
        make_addition(option.card, option.source, host, squad), choices=option.choices
    )
    dormant = _dormant(form, selected, squad)
    chosen = find_choice_changes(violation, selected, squad, evaluator)
    alone = not sets and form.is_broken_alone(violation, option.place)
    many = sum(item.count for item in violation.counted if item.path == option.place)
    shared = alone and many > 1 and option.source is Source.ATTACHMENTS
    each = many if shared and not form.is_broken_alone(violation, option.place, many) else 0
    return RefusalFix(
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
    after = evaluator.resolve_roster(apply_operations(squad.roster, *removals, add))
    return _same(evaluator.get_form(violation.rule), after, violation) is None


def _dormant(form: RuleForm, selected: SelectedCard, squad: Squad) -> tuple[Remove, ...]:
    """All picks that wake a rule which sleeps without them, if the new pick itself does not wake it."""
    if form.exists is None or form.exists.matches_card(selected):
        return ()
    return tuple(
        Remove(item.path, item.card.id, item.count) for item in form.exists.select_from(squad)
    )


def _param(violation: Violation, rule: Rule, evaluator: Evaluator) -> str:
    """A parameter that the rule hangs on: by its bound, or because it is in force for some values only."""
    bound = violation.bound
    if bound is not None and bound.param:
        return bound.param
    asked = rule.when.params if rule.when is not None else {}
    declared = evaluator.pack.manifest.roster.params
    return next((name for name in asked if name in declared), "")


def find_choice_changes(
    violation: Violation, selected: SelectedCard, squad: Squad, evaluator: Evaluator
) -> tuple[Change, ...]:
    """Changes that are enough together for a pick that is added, one to a line at most; empty if none are."""
    names, form = (
        sorted(evaluator.domains.names_by_rule[violation.rule]),
        evaluator.get_form(violation.rule),
    )
    if names and selected.source is Source.ENTRIES:
        least, _ = find_line_sizes(selected.card, squad, evaluator)
        selected = replace(selected, count=least, copies_per_model=least)
    grown, actual, found = add_card(squad, selected), violation.actual, []
    lines = (
        {int(item.path[1]) for item in violation.counted if item.path[0] == "entries"}
        if names
        else ()
    )
    for entry in (entry for entry in squad.entries if entry.line in lines):
        others = (
            (name, value)
            for name in names
            for value in evaluator.domains.list_other_values(name, entry, squad)
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
    return next(
        (item for item in form.find_violations(squad) if (item.group, item.kind) == key), None
    )


def change_choice(squad: Squad, line: int, name: str, value: str) -> Squad:
    """Return the squad with another choice on one line; the empty text takes the choice away."""
    replacements: dict[int, SelectedCard] = {}
    for entry in squad.entries:
        if entry.line == line:
            choices = {**entry.choices, name: value}
            choices = {key: item for key, item in choices.items() if item}
            replacements[id(entry)] = replace(entry, choices=choices)
    return replace_entries(squad, replacements)
