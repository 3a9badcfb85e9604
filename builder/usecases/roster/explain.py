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
    explain_illegal_roster,
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
    """Return lines that explain a checked squad: conflict and repairs, or the headroom of rules.

    `owned` has copies by card, and repairs that need more copies say so. With `every`, show all
    found repairs and all groups of a rule. Empty for an unreadable squad.
    """
    checker = result.checker
    squad = result.squad
    verdict = result.verdict
    if checker is None or squad is None or verdict is None or verdict.problems:
        return []
    formatter = Formatter(checker.evaluator, result.lang)
    translate = formatter.names.translate
    if verdict.legal:
        return describe_headroom(squad, formatter, every)
    if verdict.is_undecided:
        rules = ", ".join(sorted(verdict.undecided))
        form = _("Not decided: {rules}. Fixes are searched for broken rules only.")
        return [translate(_(form, rules=rules))]
    size_limit = describe_size_limit(squad.roster)
    if size_limit:
        return [translate(size_limit)]
    max_repairs = MAX_REPAIRS if every else DEFAULT_REPAIRS
    explanation = explain_illegal_roster(
        checker, squad.roster, max_repairs, Deadline.start()
    )
    conflict_lines = _explain_conflict(explanation, squad.roster, formatter)
    if explanation.repairs:
        repair_lines = _explain_repairs(
            explanation, squad, formatter, owned or {}, every
        )
        return [*conflict_lines, *repair_lines]
    text = _("No squad can be legal with these parameters.")
    if not explanation.is_proved:
        form = _("No fix was found within {seconds} s; there may be one.")
        text = _(form, seconds=TIMEOUT_SECONDS)
    parameter_lines = _explain_parameters(checker, squad, verdict, formatter)
    return [*conflict_lines, translate(text), *parameter_lines]


def _explain_repairs(
    explanation: Explanation,
    squad: Squad,
    formatter: Formatter,
    owned: Mapping[str, int],
    every: bool,
) -> Iterator[str]:
    """Yield lines with the repairs that need the fewest changes."""
    translate = formatter.names.translate
    title = _("The cheapest fixes, proved by the solver:")
    if not explanation.is_proved:
        form = _("Fixes (not proved within {seconds} s to be the cheapest):")
        title = _(form, seconds=TIMEOUT_SECONDS)
    yield translate(title)
    for number, item in enumerate(explanation.repairs, 1):
        yield f"  {number}. {_describe_repair(item, squad, formatter, owned)}"
    if explanation.has_more:
        note = _("There may be other fixes, but none with fewer changes.")
        if not every:
            form = _("There may be more fixes. Use --all to show up to {many}.")
            note = _(form, many=MAX_REPAIRS)
        yield f"  {translate(note)}"


def _explain_parameters(
    checker: RosterChecker, squad: Squad, verdict: RosterResult, formatter: Formatter
) -> Iterator[str]:
    """Yield a line for each parameter value that would repair a broken rule.

    If some values make the squad legal, only these are listed.
    """
    repairs: list[Repair] = []
    for violation in verdict.violations:
        form = checker.evaluator.get_form(violation.rule)
        for steps in form.find_repairs(violation, squad, checker.evaluator.domains):
            if not any(isinstance(step, SetParam) for step in steps):
                continue
            repaired_roster = apply_operations(squad.roster, *steps)
            after = checker.check(repaired_roster, repaired=False)
            if violation.rule not in after.broken:
                repairs.append(Repair(steps, after.legal))
    complete_repairs = [repair for repair in repairs if repair.is_complete]
    for repair in complete_repairs or repairs:
        yield "  - " + formatter.format_repair(repair, squad.roster)


def _explain_conflict(
    explanation: Explanation, roster: Roster, formatter: Formatter
) -> Iterator[str]:
    """Yield lines about selected cards that contradict each other, if they are known."""
    translate = formatter.names.translate
    conflict = explanation.conflict
    if conflict.demands:
        yield translate(
            _("The smallest conflict. These cannot all stay, whatever is added:")
        )
        for text in describe_conflict(conflict, roster, formatter):
            yield f"  - {text}"
        proof = _("Proved: no smaller set of requirements contradicts itself.")
        if not conflict.is_proved:
            proof = _("Time limit reached. A smaller contradiction may exist.")
        yield f"  {translate(proof)}"
    elif not conflict.is_proved:
        form = _("The smallest conflict was not found within {seconds} s.")
        yield translate(_(form, seconds=TIMEOUT_SECONDS))
    elif explanation.repairs:
        text = _(
            "Nothing must be removed: everything can stay if something is added or chosen."
        )
        yield translate(text)


def _describe_repair(
    item: MinimalRepair, squad: Squad, formatter: Formatter, owned: Mapping[str, int]
) -> str:
    """Describe a repair: its steps, number of changes, change of cost, missing copies."""
    translate, solved = formatter.names.translate, item.solved
    # Equal steps on several models read alike and are listed once.
    steps = dict.fromkeys(_describe_steps(solved, squad.roster, formatter))
    changes = translate(_("number of changes: {many}", many=item.changes))
    cost_change = solved.cost - calculate_costs(squad).total
    if cost_change:
        changes += f", {cost_change:+g}".replace("-", "\N{MINUS SIGN}")
    text = f"{translate(_(' and ')).join(steps)} ({changes})"
    added_cards = {addition.card for addition in solved.additions}
    shortages = find_shortages({"": solved.roster}, owned)
    missing_cards = [item.card for item in shortages if item.card in added_cards]
    if missing_cards:
        names = ", ".join(map(formatter.names.name_card, missing_cards))
        text += " — " + translate(
            _("not enough copies in the collection: {names}", names=names)
        )
    return text


def _describe_steps(
    solved: SolvedRoster, roster: Roster, formatter: Formatter
) -> list[str]:
    """Describe the steps of a repair. A card that is removed and added again is moved."""
    name_line = _make_line_namer(solved, roster, formatter)
    additions = list(solved.additions)
    texts = []
    for step in solved.removals:
        addition = None
        if len(step.path) > 2:  # only an attachment can change its model
            addition = next(
                (item for item in additions if item.card == step.card), None
            )
        if addition is not None:
            additions.remove(addition)
            move = Move(step.path, step.card, addition.line)
            texts.append(formatter.format_operation(move, name_line))
        else:
            location = formatter.format_location(step, roster)
            texts.append(formatter.format_operation(step, name_line) + location)
    texts += [formatter.format_operation(step, name_line) for step in additions]
    choices_by_line: dict[int, list[str]] = {}
    for choice in solved.choices:
        text = formatter.format_choice(choice.name, choice.value)
        choices_by_line.setdefault(choice.line, []).append(text)
    for line, choices in choices_by_line.items():
        form = _("set for {card}: {choice}")
        message = _(form, card=name_line(line), choice=", ".join(choices))
        texts.append(formatter.names.translate(message))
    return texts + [
        formatter.format_operation(link, name_line) for link in solved.links
    ]


def _make_line_namer(
    solved: SolvedRoster, roster: Roster, formatter: Formatter
) -> Callable[[int], str]:
    """Return a function that names the lines of a repaired squad by number.

    A removed line keeps its number, and the added ones follow.
    """
    old_entries = roster.entries
    removed_lines = set()
    for step in solved.removals:
        if (
            isinstance(step, Remove)
            and step.path[0] == "entries"
            and len(step.path) == 2
        ):
            line = int(step.path[1])
            if step.count == old_entries[line].count:
                removed_lines.add(line)
    kept_lines = [line for line in range(len(old_entries)) if line not in removed_lines]
    all_entries = (*old_entries, *solved.roster.entries[len(kept_lines) :])
    all_lines = roster.model_copy(update={"entries": all_entries})
    numbers = (*kept_lines, *range(len(old_entries), len(all_entries)))
    return lambda line: formatter.format_line(all_lines, numbers[line])


def describe_headroom(squad: Squad, formatter: Formatter, every: bool) -> list[str]:
    """Return a line for each rule that says how far the squad is from breaking it.

    With `every`, show all groups of a rule, not only the 3 nearest to the limit.
    """
    lines = [formatter.names.translate(_("Headroom of each rule:"))]
    for form in formatter.evaluator.forms:
        if not form.is_in_force(squad):
            continue
        headrooms = form.find_headroom(squad)
        groups = sorted(headrooms, key=lambda item: (item.remaining, item.group))
        if not groups:
            continue
        nearest_groups = groups if every else groups[:MAX_GROUPS_PER_RULE]
        text = "; ".join(
            _describe_headroom(item, form, squad.roster, formatter)
            for item in nearest_groups
        )
        remaining_count = len(groups) - len(nearest_groups)
        if remaining_count:
            more = _("; {many} more with more headroom", many=remaining_count)
            text += formatter.names.translate(more)
        title = formatter.names.choose_name(form.rule.title, form.rule.id)
        lines.append(f"  {form.rule.id} ({title}): {text}")
    return lines


def _describe_headroom(
    item: Headroom, form: RuleForm, roster: Roster, formatter: Formatter
) -> str:
    def name_line(line: int) -> str:
        return formatter.format_line(roster, line)

    group = form.name_group(item.group, formatter.names, name_line)
    remaining = f"{item.remaining:.12g}"
    actual = f"{item.actual:.12g}"
    bound = f"{item.bound.value:.12g}"
    if item.kind == "max" and not item.bound.value and not item.actual:
        text = _("none present, none allowed")
    elif item.kind == "max":
        text = _(
            "{left} left ({actual} of {bound})",
            left=remaining,
            actual=actual,
            bound=bound,
        )
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
