"""Find what would let a refused card in: removals and other choices, for each rule by itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from builder.model.rules import Rule, Source
from builder.roster.operations import Add, Remove, apply_operations
from builder.roster.resolve import (
    SelectedCard,
    Squad,
    add_card,
    make_addition,
    replace_entries,
)
from builder.rules.choices import Option, find_entry_sizes
from builder.rules.evaluate import Evaluator
from builder.rules.forms.base import RuleForm
from builder.rules.violation import Violation

ChoiceChange: TypeAlias = tuple[int, str, str]
"""A line, a choice, and its new value. The empty text removes the choice."""


@dataclass(frozen=True, slots=True)
class RefusalFix:
    """Changes of a squad that would make one rule allow a refused card. Empty if none would.

    `sets` are removals, each set enough by itself. `dormant` are removals after which the rule is
    not in force. `choice_changes` are together enough. `param` is a parameter of which another
    value would do. `alone` says that the card breaks the rule without anything else.
    `shared_copies` are the copies of a line that together break it.
    """

    sets: tuple[tuple[Remove, ...], ...] = ()
    dormant: tuple[Remove, ...] = ()
    choice_changes: tuple[ChoiceChange, ...] = ()
    param: str = ""
    alone: bool = False
    shared_copies: int = 0


def find_refusal_fix(
    violation: Violation, option: Option, squad: Squad, evaluator: Evaluator
) -> RefusalFix:
    """Find changes of the squad that would make the refusing rule allow the option."""
    form = evaluator.get_form(violation.rule)
    sets = form.find_removals(violation, option.place, option.card)
    if squad.cost_steps:
        # the cost of a copy depends on the other copies, so each set is tried
        sets = tuple(
            removals
            for removals in sets
            if _is_enough(removals, option, violation, squad, evaluator)
        )
    hosts = [entry for entry in squad.entries if entry.line == option.line]
    addition = make_addition(
        option.card, option.source, hosts[0] if hosts else None, squad
    )
    selected = replace(addition, choices=option.choices)
    is_alone = not sets and form.is_broken_alone(violation, option.place)
    copies = sum(item.count for item in violation.counted if item.path == option.place)
    shared_copies = 0
    is_shared = is_alone and copies > 1 and option.source is Source.ATTACHMENTS
    # one copy would fit, but every copy of the line gets the attachment
    if is_shared and not form.is_broken_alone(violation, option.place, copies):
        shared_copies = copies
    return RefusalFix(
        sets=sets,
        dormant=_find_activating_cards(form, selected, squad),
        choice_changes=find_choices_that_make_room(
            violation, selected, squad, evaluator
        ),
        param=_find_param(violation, form.rule, evaluator),
        alone=is_alone and not shared_copies,
        shared_copies=shared_copies,
    )


def _is_enough(
    removals: tuple[Remove, ...],
    option: Option,
    violation: Violation,
    squad: Squad,
    evaluator: Evaluator,
) -> bool:
    """Return True if the rule allows the option after these removals."""
    # without its host, the card could not be added at all
    if any(step.path == ("entries", option.line) for step in removals):
        return False
    choices = tuple(option.choices.items())
    addition = Add(
        option.card.id, option.source, option.line, option.bundle, choices=choices
    )
    roster = apply_operations(squad.roster, *removals, addition)
    form = evaluator.get_form(violation.rule)
    return (
        _find_remaining_violation(form, evaluator.resolve_roster(roster), violation)
        is None
    )


def _find_activating_cards(
    form: RuleForm, selected: SelectedCard, squad: Squad
) -> tuple[Remove, ...]:
    """Return the removal of all cards that put the rule in force.

    Empty if the new card puts it in force too.
    """
    if form.exists is None or form.exists.matches_card(selected):
        return ()
    cards = form.exists.select_from(squad)
    return tuple(Remove(item.path, item.card.id, item.count) for item in cards)


def _find_param(violation: Violation, rule: Rule, evaluator: Evaluator) -> str:
    """Return the roster parameter that the violation depends on, or "".

    By its bound, or because it is in force for some values only.
    """
    bound = violation.bound
    if bound is not None and bound.param:
        return bound.param
    declared = evaluator.pack.manifest.roster.params
    for name in rule.when.params if rule.when is not None else ():
        if name in declared:
            return name
    return ""


def find_choices_that_make_room(
    violation: Violation, selected: SelectedCard, squad: Squad, evaluator: Evaluator
) -> tuple[ChoiceChange, ...]:
    """Return other choices of the squad's models that make room for a refused card.

    At most one choice changes on each line. Empty if such changes are not enough.
    """
    names = sorted(evaluator.domains.names_by_rule[violation.rule])
    if not names:
        return ()
    if selected.source is Source.ENTRIES:
        size, _max_size = find_entry_sizes(selected.card, squad, evaluator)
        # A new line is added with as many models as its rules need at least.
        selected = replace(selected, count=size, copies_per_model=size)
    form = evaluator.get_form(violation.rule)
    lines = {
        int(item.path[1]) for item in violation.counted if item.path[0] == "entries"
    }
    changed_squad = add_card(squad, selected)
    actual = violation.actual
    changes: list[ChoiceChange] = []
    for entry in squad.entries:
        if entry.line not in lines:
            continue
        for name, value in _list_other_choices(names, entry, squad, evaluator):
            candidate = change_choice(changed_squad, entry.line, name, value)
            remaining = _find_remaining_violation(form, candidate, violation)
            if remaining is None:
                return (*changes, (entry.line, name, value))
            if remaining.actual < actual:
                # nearer to the bound: this change stays, and the next line is tried
                changes.append((entry.line, name, value))
                changed_squad, actual = candidate, remaining.actual
                break
    return ()


def _list_other_choices(
    names: Sequence[str], entry: SelectedCard, squad: Squad, evaluator: Evaluator
) -> Iterator[tuple[str, str]]:
    """Yield each choice of the entry with each other value that it may have."""
    for name in names:
        for value in evaluator.domains.list_other_values(name, entry, squad):
            yield name, value


def _find_remaining_violation(
    form: RuleForm, squad: Squad, violation: Violation
) -> Violation | None:
    """Return the same violation if the squad still has it, else None."""
    for item in form.find_violations(squad):
        # Paths and amounts change with the squad, but the group and the kind stay.
        if (item.group, item.kind) == (violation.group, violation.kind):
            return item
    return None


def change_choice(squad: Squad, line_index: int, choice_name: str, value: str) -> Squad:
    """Return the squad with another value for a choice on one line. "" removes the choice."""
    replacements = {}
    for entry in squad.entries:
        if entry.line == line_index:
            choices = {**entry.choices, choice_name: value}
            if not value:
                del choices[choice_name]
            replacements[id(entry)] = replace(entry, choices=choices)
    return replace_entries(squad, replacements)
