"""The `link` form: an entry is linked to another entry, which has a capacity."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TypeAlias

from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.linear import NO, Term
from builder.model.pack import Pack, Role
from builder.model.rules import LinkRule, Source
from builder.roster.operations import Add, SetLink
from builder.roster.resolve import SelectedCard, Squad, make_test_selection
from builder.rules.bounds import DerivedBound, Params, to_number
from builder.rules.candidates import Candidate, remove_copies, remove_subject
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import ConstraintWriter
from builder.rules.decision_parts import Part
from builder.rules.forms.base import (
    CandidateTest,
    NoAdditionLimit,
    RuleForm,
    count_card,
    make_presence_trigger,
)
from builder.rules.link_assignment import (
    CompiledLink,
    CopyTargets,
    LinkAssignment,
    Overload,
)
from builder.rules.names import Names
from builder.rules.packing import MAX_MODELS_TO_PACK, UndecidedPackingError
from builder.rules.query import compile_condition, find_choices, keep_static_part
from builder.rules.rule_index import CheckTrigger
from builder.rules.violation import UNDECIDED, Counted, Headroom, Violation
from builder.rules.wording import (
    format_condition_suffix,
    format_counted,
    format_selection,
)

MAX_CAPACITY_TO_SUM = 1_000
"""The largest capacity of which the part is calculated that loads can fill."""
MAX_COPIES_IN_ROWS = 12
"""The largest number of copies on a line for each of which the solver gets variables of its own."""
LoadTerms: TypeAlias = tuple[float, list[Term]]
"""The load of one model, and the terms that count the models."""
MESSAGES: Mapping[str, str] = {
    "no-target": _("{subject} needs “{link}”, but no model in the roster qualifies"),
    "unnamed": _("{subject} must name its “{link}”: {counted} qualify"),
    "wrong-target": _("{counted} cannot be “{link}” of {subject}"),
    "overfull": _("{subject} carries {actual}; its limit is {bound}"),
    "no-fit": _(
        "{subject} ×{many}: each can take {each}, and loads cannot be split. These do not "
        "fit: {counted}"
    ),
    "no-room": _(
        "there is not enough capacity for “{link}”, and loads cannot be split: {counted}"
    ),
    UNDECIDED: _(
        "not decided: {counted} have too many possible distributions; the limit is {limit} "
        "models and carriers in total"
    ),
}


class LinkForm(RuleForm):
    """A rule of the type `link`, compiled: entries that must be linked to another entry."""

    rule: LinkRule
    limit_class = NoAdditionLimit
    kinds_fixed_by_additions = frozenset(
        {"no-target", "unnamed", "overfull", "no-fit", "no-room", UNDECIDED}
    )

    def __init__(self, rule: LinkRule, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.link = rule.link
        self.target_matches = compile_condition(rule.target)
        self.compiled_link = CompiledLink(
            rule=rule,
            selector=self.selector,
            target_matches=self.target_matches,
            choice_names=find_choices(rule.target),
            find_load=self.find_load,
            find_capacity=self.find_capacity,
        )

    def find_targets(
        self, entry: SelectedCard, squad: Squad
    ) -> tuple[SelectedCard, ...]:
        """Return the other entries that the entry may be linked to."""
        other_entries = [
            other_entry for other_entry in squad.entries if other_entry is not entry
        ]
        return tuple(
            target for target in other_entries if self.target_matches(target, entry)
        )

    def assign_links(self, squad: Squad) -> CopyTargets:
        """Return, for each copy of a linked entry, the copy that it is linked to."""
        return self._make_assignment(squad).assign_copies()

    def _make_assignment(self, squad: Squad) -> LinkAssignment:
        """Return the assignment of linked models. It obeys all other rules for this link too."""
        # a target that breaks another rule only with a warning is still a target
        error_forms = [
            form for form in self._sibling_forms if form.rule.severity is Severity.ERROR
        ]
        other_links = [
            form.compiled_link for form in error_forms if form.is_in_force(squad)
        ]
        return LinkAssignment(self.compiled_link, squad, other_links)

    @cached_property
    def _sibling_forms(self) -> tuple["LinkForm", ...]:
        """The compiled forms of the other rules about the same link."""
        link_rules = [
            rule for rule in self.pack.rules.rules if isinstance(rule, LinkRule)
        ]
        rules = [
            rule
            for rule in link_rules
            if rule.link == self.link and rule.id != self.rule.id
        ]
        # Compiled again, because a form does not know the other forms of its evaluator.
        return tuple(LinkForm(rule, self.pack) for rule in rules)

    def find_load(self, entry: SelectedCard) -> float:
        """Return how much of a target's capacity one copy of the entry uses, 0 or more."""
        if self.rule.load is None:
            return 1
        load = to_number(entry.get_value(self.rule.load))
        return 1 if load is None else max(0, load)

    def find_capacity(self, target: SelectedCard) -> float | None:
        """Return how much one copy of the target can hold. None if it has no limit."""
        if self.rule.capacity is None:
            return None
        return to_number(target.card.get_field(self.rule.capacity))

    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Yield violations for missing, wrong and ambiguous links, and for overloaded targets."""
        assignment = self._make_assignment(squad)
        unlinked_lines = {entry.line for entry in assignment.unlinked}
        # the fault of all entries without a target together
        common_kind = ""
        try:
            # while a line is overloaded, nothing is said about the other entries
            if not assignment.overloads and not assignment.can_assign_all():
                common_kind = "no-room"
            elif not assignment.overloads:
                unlinked_lines |= assignment.find_ambiguous_entries()
        except UndecidedPackingError:
            common_kind = UNDECIDED
        for entry in squad.entries:
            if entry.line in assignment.wrong_targets:
                wrong_target = assignment.wrong_targets[entry.line]
                yield self.make_refusal("wrong-target", entry, (wrong_target,))
            elif entry.line in unlinked_lines:
                yield self._make_missing_link_violation(
                    entry, assignment.count_targets(entry)
                )
        for overload in assignment.overloads:
            yield self._make_overload_violation(overload)
        if common_kind:
            entries = assignment.entries_without_target
            counted = self._count_loaded_entries(entries)
            load = sum(item.amount for item in counted)
            yield self.make_violation(
                common_kind, f"free.{entries[0].line}", counted, load
            )

    def _count_loaded_entries(
        self, entries: Sequence[SelectedCard]
    ) -> tuple[Counted, ...]:
        """Return entries in the form in which violations list them, with the load of all copies."""
        return tuple(
            count_card(entry, self.find_load(entry) * entry.count) for entry in entries
        )

    def _make_missing_link_violation(
        self, entry: SelectedCard, targets: Sequence[Counted]
    ) -> Violation:
        """Return the violation that an entry has no link although it needs one."""
        subject = count_card(entry)
        return self.make_violation(
            kind="unnamed" if targets else "no-target",
            group=".".join(map(str, entry.path)),
            counted=tuple(targets) or (subject,),
            actual=sum(item.count for item in targets),
            subject=subject,
        )

    def _make_overload_violation(self, overload: Overload) -> Violation:
        """Return the violation that an entry cannot hold all entries that are linked to it."""
        target = overload.target
        counted = self._count_loaded_entries(overload.entries)
        actual = sum(item.amount for item in counted)
        bound = self._derive_capacity(target)
        if not overload.is_decided:
            kind = UNDECIDED
        elif bound is not None and actual > bound.value:
            kind = "overfull"
        else:
            kind = "no-fit"
        group = f"held.{target.line}"
        return self.make_violation(
            kind, group, counted, actual, bound, count_card(target)
        )

    def _derive_capacity(self, target: SelectedCard) -> DerivedBound | None:
        """Return how much all copies of the target hold together, or None for no limit."""
        capacity = self.find_capacity(target)
        if capacity is None:
            return None
        return DerivedBound(
            value=capacity * target.count,
            form="capacity",
            field=self.rule.capacity or "",
            amount=target.count,
            divisor=capacity,
        )

    def format_sentence(self, names: Names) -> str:
        """Return a sentence that says which entries need a link to which models."""
        rule = self.rule
        form = _("{select} need a link “{link}” to a model{target}")
        if rule.required == "never":
            form = _("{select} may have the link “{link}” only to a model{target}")
        select = format_selection(rule.select, names)
        target = format_condition_suffix(rule.target, names)
        link = names.name_link(rule.link)
        clauses = [_(form, select=select, link=link, target=target)]
        if rule.required == "several":
            clauses.append(_("it must be named if more than one model fits"))
        elif rule.required == "always":
            clauses.append(_("it must always be named"))
        if rule.capacity is not None:
            field = names.name_field(rule.capacity)
            clauses.append(_("each carries at most its {field}", field=field))
            if rule.load is not None:
                load = names.name_field(rule.load)
                form = _("each model counts as its {load}, or as 1 if it has none")
                clauses.append(_(form, load=load))
        return "; ".join(map(names.translate, clauses))

    def format_message(self, violation: Violation, names: Names) -> str:
        """Return the error message about the link, with the models it concerns."""
        entries = format_counted(violation.counted, names)
        values: dict[str, object] = {
            "subject": names.name_subject(violation),
            "link": names.name_link(self.link),
            "counted": entries,
            "actual": f"{violation.actual:g}",
            "many": violation.subject.count if violation.subject is not None else 1,
            "limit": MAX_MODELS_TO_PACK,
        }
        if violation.bound is not None:
            values["bound"] = f"{violation.bound.value:g}"
            values["each"] = f"{violation.bound.divisor:g}"
        text = names.translate(_(MESSAGES[violation.kind], **values))
        if violation.kind == "overfull":
            text += "; " + names.translate(_("counted: {names}", names=entries))
        return text

    def make_card_trigger(self, params: Params) -> CheckTrigger:
        """Return the quick test whether a squad has a card that needs a link."""
        return make_presence_trigger(self.rule.select)

    def find_headroom(self, squad: Squad) -> Iterator[Headroom]:
        """Yield how much more load each target can hold.

        Capacity that no single load fills exactly does not count.
        """
        if self.rule.capacity is None:
            return
        loads: dict[int, float] = {}
        entries = {entry.line: entry for entry in squad.entries}
        for (line, _copy), (target, _number) in self.assign_links(squad).items():
            if self.target_matches(target, entries[line]):
                loads[target.line] = loads.get(target.line, 0) + self.find_load(
                    entries[line]
                )
        for target in squad.entries:
            bound = self._derive_capacity(target)
            if bound is not None:
                usable = self._find_usable_capacity(bound.divisor) * target.count
                load = loads.get(target.line, 0)
                yield Headroom(
                    str(target.line), "max", load, replace(bound, value=usable)
                )

    @cached_property
    def _possible_loads(self) -> tuple[float, ...]:
        """The different loads that linked cards of the pack can have."""
        weak_selector = self.make_selector(self.rule.select, ignore_choices=True)
        loads = set()
        for card in self.pack.list_cards_of_role(Role.ENTRY):
            selected = make_test_selection(card)
            if weak_selector.matches_card(selected):
                loads.add(self.find_load(selected))
        return tuple(sorted(loads - {0}))

    def _find_usable_capacity(self, capacity: float) -> float:
        """Return how much of a copy's capacity the loads can fill exactly.

        It is the whole capacity if some load is no whole number.
        """
        loads = self._possible_loads
        has_whole_loads = all(isinstance(load, int) for load in loads)
        if (
            not loads
            or 1 in loads
            or not has_whole_loads
            or capacity > MAX_CAPACITY_TO_SUM
        ):
            return capacity
        # the amounts that sums of loads reach, from small to large
        sums = {0}
        for amount in range(1, int(capacity) + 1):
            if any(amount - load in sums for load in loads):
                sums.add(amount)
        return max(sums)

    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Yield edits: another link, a further target, and removals."""
        if violation.kind in ("overfull", "no-fit", "no-room", UNDECIDED):
            yield from self._find_overload_repairs(violation, squad)
            return
        path = violation.subject.path if violation.subject else None
        subjects = [entry for entry in squad.entries if entry.path == path]
        if not subjects:
            return
        subject = subjects[0]
        for target in self.find_targets(subject, squad):
            yield (SetLink(subject.line, self.link, target.line),)
        if violation.kind == "wrong-target":
            yield (SetLink(subject.line, self.link),)
        if violation.kind == "no-target":
            yield from self._find_target_additions(violation, squad)
        yield from remove_subject(violation)

    def _find_overload_repairs(
        self, violation: Violation, squad: Squad
    ) -> Iterator[Candidate]:
        """Yield edits that remove links or linked entries, then edits that add targets."""
        for item in violation.counted:
            line = int(item.path[1])
            if (line, self.link) in squad.links:
                yield (SetLink(line, self.link),)
        for item in violation.counted:
            for copies in range(1, item.count + 1):
                yield (remove_copies(item, copies),)
        if violation.kind == "no-room":
            yield from self._find_target_additions(violation, squad)

    def _find_target_additions(
        self, violation: Violation, squad: Squad
    ) -> Iterator[Candidate]:
        """Yield the edit that adds a card, for each card that the entries may be linked to."""
        paths = {
            item.path
            for item in (violation.subject, *violation.counted)
            if item is not None
        }
        entries = [entry for entry in squad.entries if entry.path in paths]
        for card in self.pack.list_cards_of_role(Role.ENTRY):
            target = make_test_selection(card)
            if any(self.target_matches(target, entry) for entry in entries):
                yield (Add(card.id, Source.ENTRIES),)

    def write_constraints(
        self, writer: ConstraintWriter, when: tuple[int, ...]
    ) -> None:
        """Require that each entry has a possible target and that no target is overloaded.

        An entry that names no target has a variable for each target: how many of its copies go
        there. The rows do not say whether two such assignments differ. That is checked for each
        solution that the solver finds.
        """
        links = writer.links
        loads_by_target: dict[int, list[LoadTerms]] = {}
        for index, entry in enumerate(links.entries):
            matches = writer.match_part(self.selector, entry)
            if matches == NO:
                continue
            load = self.find_load(entry.selected)
            for target, terms in self._count_linked_copies(
                writer, index, matches, when
            ).items():
                loads_by_target.setdefault(target, []).append((load, terms))
        if self.rule.capacity is None:
            return
        for target, loads in loads_by_target.items():
            # A load of 0 never fills a target, and capacities are divided by the load.
            positive_loads = [item for item in loads if item[0]]
            self._limit_load(writer, links.entries[target], positive_loads, when)

    def _count_linked_copies(
        self, writer: ConstraintWriter, index: int, matches: int, when: tuple[int, ...]
    ) -> dict[int, list[Term]]:
        """Return the terms that count an entry's copies linked to each target, by target.

        Links that the roster names and links that the solver assigns both count.
        """
        program, links = writer.program, writer.links
        decision = links.get_link(index, self.link)
        literal_by_target: dict[int, int] = {}
        for target, part in enumerate(links.entries):
            literal = writer.match_condition(self.rule.target, part, decision.entry)
            if literal != NO:
                literal_by_target[target] = literal
        # a line never names itself, but its copies may go to other copies of it
        others = {
            target: lit for target, lit in literal_by_target.items() if target != index
        }
        links.restrict_targets(decision, others, (*when, matches))
        counts: dict[int, list[Term]] = {}
        for target in others:
            literal = program.make_all_of(
                [matches, links.get_target_variable(decision, target)]
            )
            counts[target] = [(program.make_product(decision.entry.copies, literal), 1)]
        if self.rule.required == "always":
            clause = [decision.is_named, ~decision.entry.is_present]
            program.add_clause(clause, when=(*when, matches))
        elif self.rule.required == "several":
            flows = self._write_flow_variables(
                writer, index, literal_by_target, (*when, matches)
            )
            for target, flow in flows.items():
                counts.setdefault(target, []).append((flow, 1))
        return counts

    def _write_flow_variables(
        self,
        writer: ConstraintWriter,
        index: int,
        literals: Mapping[int, int],
        when: tuple[int, ...],
    ) -> dict[int, int]:
        """Add variables for the copies of an entry that go to each target. Return them by target.

        The last literal of `when` is that the rule is about the entry.
        """
        program, links = writer.program, writer.links
        decision = links.get_link(index, self.link)
        entry = decision.entry
        max_copies = program.ranges[entry.copies][1]
        flows: dict[int, int] = {}
        links.flows[self.rule.id, index] = flows
        targets_by_card: dict[str, list[int]] = {}
        for target, literal in literals.items():
            part = links.entries[target]
            is_present = part.is_present
            if target == index:
                # another copy of its own line is a target too
                is_present = program.make_at_least(entry.copies, 2)
            is_target = program.make_all_of([is_present, literal, when[-1]])
            if is_target == NO:
                continue
            flows[target] = program.add_variable(max_copies)
            targets_by_card.setdefault(part.selected.card.id, []).append(is_target)
            if max_copies == 1:
                program.add_clause([is_target, ~flows[target]])
            else:
                program.add_constraint([(flows[target], 1)], high=0, when=(~is_target,))
        total: list[Term] = [(flow, 1) for flow in flows.values()]
        is_named = decision.is_named
        if max_copies == 1:
            row = [*total, (is_named, 1), (entry.is_present, -1)]
            program.add_constraint(row, low=0, high=0, when=when)
        else:
            program.add_constraint(total, high=0, when=(is_named,))
            program.add_constraint(
                [*total, (entry.copies, -1)], low=0, high=0, when=(*when, ~is_named)
            )
        if self.rule.capacity is None:
            # without capacities, targets with different cards are always different assignments
            cards = []
            for literals_of_card in targets_by_card.values():
                has_card = program.make_any_of(literals_of_card)
                cards.append((program.make_positive(has_card), 1))
            program.add_constraint(
                cards, high=1, when=(*when, entry.is_present, ~is_named)
            )
        return flows

    def _limit_load(
        self,
        writer: ConstraintWriter,
        target: Part,
        loads: Sequence[LoadTerms],
        when: tuple[int, ...],
    ) -> None:
        """Require that no copy of a target has more load than its capacity.

        It is exact for equal loads and for few copies. Otherwise all copies are limited together.
        """
        program = writer.program
        capacity = self.find_capacity(target.selected)
        copies = program.ranges[target.copies][1]
        if capacity is None or not loads:
            return
        terms = []
        # Of equal loads, each copy holds a whole number of models, which is exact.
        if len({load for load, _terms in loads}) == 1:
            for _load, load_terms in loads:
                terms += load_terms
            models = max(0, _count_fitting_loads(capacity, loads[0][0]))
            row = [*terms, (target.copies, -models)]
        # Constraints for each of many copies would make the program too large.
        elif copies == 1 or copies > MAX_COPIES_IN_ROWS:
            for load, load_terms in loads:
                terms += [(var, factor * load) for var, factor in load_terms]
            row = [*terms, (target.copies, -capacity)]
        else:
            self._limit_each_copy(writer, target, loads, when)
            return
        program.add_constraint(row, high=0, when=(*when, target.is_present))

    def _limit_each_copy(
        self,
        writer: ConstraintWriter,
        target: Part,
        loads: Sequence[LoadTerms],
        when: tuple[int, ...],
    ) -> None:
        """Require that no single copy of the target holds more than its capacity."""
        program = writer.program
        capacity = self.find_capacity(target.selected) or 0
        max_copies = program.ranges[target.copies][1]
        terms_by_copy: list[list[Term]] = [[] for _copy in range(max_copies)]
        for load, terms in loads:
            max_models = sum(program.ranges[var][1] for var, _factor in terms)
            fitting = max(0, min(max_models, _count_fitting_loads(capacity, load)))
            # the models of one load are shared out among the copies
            shares = [program.add_variable(fitting) for _copy in terms_by_copy]
            row = [*terms, *((share, -1) for share in shares)]
            program.add_constraint(row, low=0, high=0, when=when)
            for copy_terms, share in zip(terms_by_copy, shares, strict=True):
                copy_terms.append((share, load))
        for number, copy_terms in enumerate(terms_by_copy, 1):
            is_present = program.make_positive(
                program.make_at_least(target.copies, number)
            )
            program.add_constraint(
                [*copy_terms, (is_present, -capacity)], high=0, when=when
            )

    def find_needed_copies(self, squad: Squad) -> Iterator[int]:
        """Yield how many targets the squad's entries without a link may need, plus 1."""
        yield 1 + sum(entry.count for entry in self._find_entries_without_target(squad))

    def find_needed_entry_size(self, selected: SelectedCard, squad: Squad) -> int:
        """Return how many models a new target entry needs to hold one entry's copies."""
        if self.rule.capacity is None:
            return 1
        size = 1
        for entry in self._find_entries_without_target(squad):
            if self.target_matches(selected, entry):
                size = max(size, entry.count)
        return size

    def _find_entries_without_target(self, squad: Squad) -> Iterator[SelectedCard]:
        """Yield the entries that must be linked and name no target."""
        if self.rule.required == "never":
            return
        for entry in self.selector.select_from(squad):
            if (entry.line, self.link) not in squad.links:
                yield entry

    def make_candidate_test(self, ignore_choices: bool) -> CandidateTest:
        """Return a function that tells whether a card can be a missing target."""
        target_matches = self.target_matches
        if ignore_choices:
            target_matches = compile_condition(keep_static_part(self.rule.target))

        def is_candidate(
            selected: SelectedCard, trigger_cards: Sequence[SelectedCard]
        ) -> bool:
            if selected.source is not Source.ENTRIES:
                return False
            return any(target_matches(selected, entry) for entry in trigger_cards)

        return is_candidate


def _count_fitting_loads(capacity: float, load: float) -> int:
    """Return how many equal loads fit into a capacity. Decimal fractions are exact."""
    return floor(Fraction(str(capacity)) / Fraction(str(load)))
