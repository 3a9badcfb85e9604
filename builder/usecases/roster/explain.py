"""Explain why a squad is illegal, and which repairs need the fewest changes."""

from collections.abc import Callable, Iterator, Mapping

from builder.messages import gettext as _
from builder.model.roster import Roster
from builder.roster.costs import calculate_costs, find_shortages
from builder.roster.operations import Move, Remove, SetParam, apply_operations
from builder.roster.resolve import Squad
from builder.rules.checker import RosterChecker, RosterResult
from builder.rules.format import Formatter
from builder.rules.forms.base import RuleForm
from builder.rules.violation import Headroom, Repair
from builder.solver.deadline import REQUEST_TIMEOUT_SECONDS, Deadline
from builder.solver.minimal_repair import (
    DEFAULT_REPAIRS,
    MAX_REPAIRS,
    Explanation,
    MinimalRepair,
    find_explanation,
)
from builder.solver.result import SolvedRoster
from builder.usecases.roster.check_roster import CheckedRoster, describe_size_limit
from builder.usecases.roster.complete_roster import describe_conflict

TIMEOUT_SECONDS = round(REQUEST_TIMEOUT_SECONDS)
MAX_GROUPS_PER_RULE = 3
"""The maximum number of groups of a rule that are shown, the nearest to its limit first."""


def explain_roster(
    result: CheckedRoster, owned: Mapping[str, int] | None = None, every: bool = False
) -> list[str]:
    """Return the lines that explain a checked roster. Empty if it is unreadable.

    `owned` has copies by card: a repair that needs more copies says so. With `every`, show all
    repairs that were found, not only the cheapest, and every group of a rule.
    """
    checker = result.checker
    squad = result.squad
    verdict = result.verdict
    if checker is None or squad is None or verdict is None or verdict.problems:
        return []
    formatter = Formatter(checker.evaluator, result.lang)
    say = formatter.names.translate
    if verdict.legal:
        return describe_headroom(squad, formatter, every)
    if verdict.is_undecided:
        rules = ", ".join(sorted(verdict.undecided))
        return [
            say(_("Not decided: {rules}. Fixes are searched for broken rules only.", rules=rules))
        ]
    size_limit = describe_size_limit(squad.roster)
    if size_limit:
        return [say(size_limit)]
    explanation = find_explanation(
        checker, squad.roster, MAX_REPAIRS if every else DEFAULT_REPAIRS, Deadline.start()
    )
    lines = list(_explain_conflict(explanation, squad.roster, formatter))
    if not explanation.repairs:
        none = _("No squad can be legal with these parameters.")
        unsure = _(
            "No fix was found within {seconds} s; there may be one.", seconds=TIMEOUT_SECONDS
        )
        return [
            *lines,
            say(none if explanation.is_proved else unsure),
            *_explain_parameters(checker, squad, verdict, formatter),
        ]
    late = _(
        "Fixes (not proved within {seconds} s to be the cheapest):",
        seconds=TIMEOUT_SECONDS,
    )
    lines.append(
        say(_("The cheapest fixes, proved by the solver:") if explanation.is_proved else late)
    )
    for number, item in enumerate(explanation.repairs, 1):
        lines.append(f"  {number}. {_describe_repair(item, squad, formatter, owned or {})}")
    if explanation.has_more and not every:
        lines.append(
            "  "
            + say(_("There may be more fixes. Use --all to show up to {many}.", many=MAX_REPAIRS))
        )
    elif explanation.has_more:
        lines.append("  " + say(_("There may be other fixes, but none with fewer changes.")))
    return lines


def _explain_parameters(
    checker: RosterChecker, squad: Squad, verdict: RosterResult, formatter: Formatter
) -> Iterator[str]:
    """Yield a line for each value of a parameter that the roster lacks.

    Only those that make it legal, if any does.
    """
    repairs: list[Repair] = []
    for violation in verdict.violations:
        form = checker.evaluator.get_form(violation.rule)
        for steps in form.find_repairs(violation, squad, checker.evaluator.domains):
            if not any(isinstance(step, SetParam) for step in steps):
                continue
            after = checker.check(apply_operations(squad.roster, *steps), repaired=False)
            if violation.rule not in after.broken:
                repairs.append(Repair(steps, after.legal))
    for repair in [repair for repair in repairs if repair.is_complete] or repairs:
        yield "  - " + formatter.format_repair(repair, squad.roster)


def _explain_conflict(
    explanation: Explanation, roster: Roster, formatter: Formatter
) -> Iterator[str]:
    """Yield lines about the selected cards that contradict each other, if they are known."""
    say = formatter.names.translate
    if explanation.conflict.demands:
        yield say(_("The smallest conflict. These cannot all stay, whatever is added:"))
        yield from (
            f"  - {text}" for text in describe_conflict(explanation.conflict, roster, formatter)
        )
        late = _("Time limit reached. A smaller contradiction may exist.")
        yield "  " + say(
            _("Proved: no smaller set of requirements contradicts itself.")
            if explanation.conflict.is_proved
            else late
        )
    elif not explanation.conflict.is_proved:
        yield say(
            _(
                "The smallest conflict was not found within {seconds} s.",
                seconds=TIMEOUT_SECONDS,
            )
        )
    elif explanation.repairs:
        yield say(
            _("Nothing must be removed: everything can stay if something is added or chosen.")
        )


def _describe_repair(
    item: MinimalRepair, squad: Squad, formatter: Formatter, owned: Mapping[str, int]
) -> str:
    """Return a repair as text: steps, number of changes, change of cost, missing copies."""
    say, solved = formatter.names.translate, item.solved
    steps = say(_(" and ")).join(dict.fromkeys(_describe_steps(solved, squad.roster, formatter)))
    change = f"{solved.cost - calculate_costs(squad).total:+g}".replace("-", "\N{MINUS SIGN}")
    changes = say(_("number of changes: {many}", many=item.changes))
    added_cards = {shortage.card for shortage in solved.additions}
    names = [
        formatter.names.name_card(shortage.card)
        for shortage in find_shortages({"": solved.roster}, owned)
        if shortage.card in added_cards
    ]
    lacking = (
        " — " + say(_("not enough copies in the collection: {names}", names=", ".join(names)))
        if names
        else ""
    )
    return f"{steps} ({changes}{'' if change == '+0' else f', {change}'}){lacking}"


def _describe_steps(solved: SolvedRoster, roster: Roster, formatter: Formatter) -> list[str]:
    """Return the removals, additions and links as text. A card that changes its model is moved."""
    line_of = _make_line_namer(solved, roster, formatter)
    additions = list(solved.additions)
    texts = []
    for step in solved.removals:
        same = next(
            (item for item in additions if item.card == step.card and len(step.path) > 2), None
        )
        if same is not None:
            additions.remove(same)
            texts.append(formatter.format_operation(Move(step.path, step.card, same.line), line_of))
        else:
            texts.append(
                formatter.format_operation(step, line_of) + formatter.format_location(step, roster)
            )
    texts += [formatter.format_operation(step, line_of) for step in additions]
    for line in dict.fromkeys(choice.line for choice in solved.choices):
        choices = (
            formatter.format_choice(choice.name, choice.value)
            for choice in solved.choices
            if choice.line == line
        )
        form = _("set for {card}: {choice}")
        texts.append(
            formatter.names.translate(_(form, card=line_of(line), choice=", ".join(choices)))
        )
    return texts + [formatter.format_operation(tie, line_of) for tie in solved.links]


def _make_line_namer(
    solved: SolvedRoster, roster: Roster, formatter: Formatter
) -> Callable[[int], str]:
    """Return a function that names the lines of a repaired roster, numbered as in the file.

    A removed line keeps its number, and the added ones follow.
    """
    old_entries = roster.entries
    removed_lines = set()
    for step in solved.removals:
        if isinstance(step, Remove) and step.path[0] == "entries" and len(step.path) == 2:
            line = int(step.path[1])
            if step.count == old_entries[line].count:
                removed_lines.add(line)
    kept_lines = [line for line in range(len(old_entries)) if line not in removed_lines]
    all_entries = (*old_entries, *solved.roster.entries[len(kept_lines) :])
    all_lines = roster.model_copy(update={"entries": all_entries})
    numbers = (*kept_lines, *range(len(old_entries), len(all_entries)))
    return lambda line: formatter.format_line(all_lines, numbers[line])


def describe_headroom(squad: Squad, formatter: Formatter, every: bool) -> list[str]:
    """Return how close each rule is to breaking.

    With `every` for all its groups, not only the nearest.
    """
    lines = [formatter.names.translate(_("Headroom of each rule:"))]
    for form in formatter.evaluator.forms:
        rule = form.rule
        headrooms = form.find_headroom(squad) if form.is_in_force(squad) else ()
        groups = sorted(headrooms, key=lambda item: (item.remaining, item.group))
        nearest_groups = groups if every else groups[:MAX_GROUPS_PER_RULE]
        text = "; ".join(
            _describe_headroom(item, form, squad.roster, formatter) for item in nearest_groups
        )
        if len(groups) > len(nearest_groups):
            text += formatter.names.translate(
                _("; {many} more with more headroom", many=len(groups) - len(nearest_groups))
            )
        if nearest_groups:
            lines.append(
                f"  {rule.id} ({formatter.names.choose_name(rule.title, rule.id)}): {text}"
            )
    return lines


def _describe_headroom(item: Headroom, form: RuleForm, roster: Roster, formatter: Formatter) -> str:
    group = form.name_group(
        item.group, formatter.names, lambda line: formatter.format_line(roster, line)
    )
    remaining = f"{item.remaining:.12g}"
    actual = f"{item.actual:.12g}"
    bound = f"{item.bound.value:.12g}"
    if item.kind == "max" and not item.bound.value and not item.actual:
        text = _("none present, none allowed")
    elif item.kind == "max":
        text = _("{left} left ({actual} of {bound})", left=remaining, actual=actual, bound=bound)
    elif item.kind == "min":
        text = _(
            "{left} more than needed ({actual} present, at least {bound})",
            left=remaining,
            actual=actual,
            bound=bound,
        )
    else:
        text = _("exactly {bound}", bound=bound)
    return (f"{group}: " if group else "") + formatter.names.translate(text)
