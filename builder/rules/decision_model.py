"""A squad with open decisions: every card that it has or may get, each with variables.

It knows no rule and no solver. The forms of rules write rows about its parts, and the solver finds
values.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from builder.model.card import Card
from builder.model.linear import NO, YES, LinearProgram, Term
from builder.model.roster import MAX_COPIES
from builder.model.rules import Ref, Source, Where
from builder.roster.resolve import SelectedCard, Squad, make_addition
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_parts import CandidateTerm, DecisionEntry, Part, StepCosts
from builder.rules.query import (
    COMPARE,
    Operand,
    Selector,
    convert_to_texts,
    find_path_choices,
    list_tests,
    list_values,
)


class DecisionModel:
    """All cards that a squad has or may get, as variables of a linear program."""

    def __init__(
        self,
        squad: Squad,
        domains: ChoiceDomains,
        keeps_cards: bool,
        count_further_copies: Callable[[SelectedCard], int] = lambda _entry: 0,
    ) -> None:
        """Make the parts of the squad. With `keeps_cards` all cards and choices of it stay.

        `count_further_copies` returns how many copies can be added to an entry.
        """
        self.squad = squad
        self.domains = domains
        self.program = LinearProgram()
        self.entries: list[DecisionEntry] = []
        self.deck: list[Part] = []
        for selected in squad.entries:
            # An entry of a roster has at most MAX_COPIES.
            max_added_copies = min(
                count_further_copies(selected), MAX_COPIES - selected.count
            )
            part = self._make_existing_part(selected, keeps_cards, max_added_copies)
            entry = DecisionEntry(part)
            names = [
                name
                for name in domains.names
                if not (keeps_cards and name in selected.choices)
            ]
            self._add_choice_variables(part, names)
            for attachment in squad.list_attachments(selected):
                entry.attachments.append(
                    self._make_attachment(attachment, entry, keeps_cards)
                )
            self.entries.append(entry)
        for selected in squad.deck:
            min_copies = selected.count if keeps_cards else 0
            part = self._make_part(selected, selected.count, min_copies, selected.count)
            self.deck.append(part)

    def add_entries(self, card: Card, max_entries: int, max_models: int = 1) -> None:
        """Add up to `max_entries` possible entries of a card, each with up to `max_models` models.

        The entries are equal, so a solution uses the first ones first.
        """
        previous_part: Part | None = None
        for _entry in range(max_entries):
            new_entries = sum(not entry.part.old_copies for entry in self.entries)
            number = len(self.squad.roster.entries) + new_entries
            path = ("entries", number)
            selected = SelectedCard(card, Source.ENTRIES, path, number, 1, 1)
            part = self._make_part(selected, max_models, 0, 0)
            self._add_choice_variables(part, self.domains.names)
            self.entries.append(DecisionEntry(part))
            previous_part = self._order_after(part, previous_part)

    def add_attachment(self, card: Card, entry: DecisionEntry, max_copies: int) -> None:
        """Add up to `max_copies` possible copies of an attachment to an entry."""
        host = entry.part.selected
        previous_part: Part | None = None
        for _copy in range(max_copies):
            path = (*host.path, "attachments", len(entry.attachments))
            selected = SelectedCard(
                card, Source.ATTACHMENTS, path, host.line, host.count, 1, host=host
            )
            part = self._make_attachment(selected, entry, must_stay=False, old_copies=0)
            entry.attachments.append(part)
            previous_part = self._order_after(part, previous_part)

    def _order_after(self, part: Part, previous_part: Part | None) -> Part:
        """Require that equal parts are used in order: this one only if the previous one is present.

        This spares the solver equivalent solutions.
        """
        if previous_part is not None:
            self.program.add_clause([previous_part.is_present, ~part.is_present])
        return part

    def add_deck_card(self, card: Card, max_copies: int) -> None:
        """Add a possible deck card with up to `max_copies` copies."""
        selected = make_addition(card, Source.DECK, None, self.squad)
        self.deck.append(self._make_part(selected, max_copies, 0, 0))

    def list_parts(self, source: Source = Source.ALL) -> Iterator[Part]:
        """Yield the parts from one section of the roster, such as the entries or the deck."""
        if source in (Source.ENTRIES, Source.ALL):
            yield from (entry.part for entry in self.entries)
        if source in (Source.ATTACHMENTS, Source.ALL):
            for entry in self.entries:
                yield from entry.attachments
        if source in (Source.DECK, Source.ALL):
            yield from self.deck

    @cached_property
    def costs(self) -> StepCosts:
        """The costs of all parts as terms of the program. Read it after the last part is added."""
        return StepCosts(
            self.program, list(self.list_parts()), self.domains.pack.manifest.kinds
        )

    @cached_property
    def cost(self) -> list[Term]:
        """The terms whose sum is the cost of the whole squad."""
        return self.costs.make_terms([(part, YES) for part in self.list_parts()])

    def list_choice_literals(self) -> list[int]:
        """Return the solver variables of all values that models may still choose."""
        choice_literals: list[int] = []
        for entry in self.entries:
            for literals in entry.part.domains.values():
                choice_literals += literals.values()
        return choice_literals

    def _add_choice_variables(self, part: Part, names: Sequence[str]) -> None:
        """Add a variable for each value that an entry may choose.

        Each choice has at most one value, and none if the entry is absent.
        """
        for name in names:
            selected = part.selected
            current = selected.choices.get(name)
            values = self.domains.list_values(name, selected.card, self.squad, current)
            literals = {value: self.program.add_variable() for value in values}
            part.domains[name] = literals
            terms = [(literal, 1) for literal in literals.values()]
            self.program.add_constraint([*terms, (part.is_present, -1)], high=0)

    def _make_existing_part(
        self, entry: SelectedCard, must_stay: bool, max_added_copies: int
    ) -> Part:
        """Return the part of an entry that is already in the squad.

        Up to `max_added_copies` can be added. With `must_stay` no copy can be removed.
        """
        program, old_copies = self.program, entry.count
        min_copies = old_copies if must_stay else 0
        max_copies = old_copies + max(0, max_added_copies)
        part = self._make_part(entry, max_copies, min_copies, old_copies)
        if max_added_copies > 0:
            part.added_copies = program.add_variable(max_added_copies)
            is_grown = program.make_at_least(part.copies, old_copies + 1)
            row = [(part.copies, 1), (part.added_copies, -1)]
            program.add_constraint(
                row, low=old_copies, high=old_copies, when=(is_grown,)
            )
            # Without this, the solver could count copies as added that are not there.
            program.add_constraint([(part.added_copies, 1)], high=0, when=(~is_grown,))
        return part

    def _make_part(
        self, selected: SelectedCard, max_copies: int, min_copies: int, old_copies: int
    ) -> Part:
        """Return a part with a variable for its copies and one for its presence."""
        is_fixed = min_copies == max_copies == 1
        # A fixed card needs no variable, which keeps the program small.
        copies = YES if is_fixed else self.program.add_variable(max_copies, min_copies)
        if min_copies:
            return Part(selected, copies, YES, old_copies)
        if max_copies == 1:
            return Part(selected, copies, copies, old_copies)
        is_present = self.program.add_variable()
        self.program.add_constraint([(copies, 1), (is_present, -1)], low=0)
        self.program.add_constraint([(copies, 1), (is_present, -max_copies)], high=0)
        return Part(selected, copies, is_present, old_copies)

    def _make_attachment(
        self,
        selected: SelectedCard,
        entry: DecisionEntry,
        must_stay: bool,
        old_copies: int | None = None,
    ) -> Part:
        """Return a part for an attachment. Each copy of its entry has one."""
        program, host = self.program, entry.part
        is_present = YES if must_stay else program.add_variable()
        program.add_clause([host.is_present, ~is_present])
        is_freed = None
        if selected.slot is not None and not must_stay:
            is_freed = program.add_variable()
        if is_freed is not None:
            program.add_clause([is_present, ~is_freed])
        has_several_copies = program.ranges[host.copies][1] > 1
        copies = is_present
        if has_several_copies:
            copies = program.make_product(host.copies, is_present)
        if old_copies is None:
            old_copies = selected.count if has_several_copies else 1
        return Part(
            selected, copies, is_present, old_copies, is_freed=is_freed, host=host
        )


@dataclass(eq=False)
class LinkDecision:
    """The variables of one link: whether it is set, and one variable for each possible target."""

    entry: Part
    link: str
    is_named: int
    targets: dict[int, int] = field(default_factory=dict)
    declared_target: int | None = None


class LinkDecisions:
    """The variables of all links between entries.

    `links` are given by the entry's index and the link. `flows` are given by rule and entry's
    index: the copies that go to each target if the entry names none.
    """

    def __init__(self, model: DecisionModel) -> None:
        self.program = model.program
        self.entries = [entry.part for entry in model.entries]
        self.links: dict[tuple[int, str], LinkDecision] = {}
        self.flows: dict[tuple[str, int], dict[int, int]] = {}
        self._restrictions: list[
            tuple[LinkDecision, Mapping[int, int], tuple[int, ...]]
        ] = []
        index_by_line = {
            part.selected.line: index for index, part in enumerate(self.entries)
        }
        self.declared_targets: dict[tuple[int, str], int] = {}
        for (line, link), target in model.squad.links.items():
            if line in index_by_line and target.line in index_by_line:
                self.declared_targets[index_by_line[line], link] = index_by_line[
                    target.line
                ]

    def get_link(self, entry_index: int, link: str) -> LinkDecision:
        """Return the variables of an entry's link. Create them at the first call."""
        if (entry_index, link) not in self.links:
            entry = self.entries[entry_index]
            declared = self.declared_targets.get((entry_index, link))
            decision = LinkDecision(
                entry, link, self.program.add_variable(), declared_target=declared
            )
            self.links[entry_index, link] = decision
            self.program.add_clause([entry.is_present, ~decision.is_named])
            if declared is not None:
                self.get_target_variable(decision, declared)
        return self.links[entry_index, link]

    def get_target_variable(self, decision: LinkDecision, target_index: int) -> int:
        """Return the solver variable that is 1 if the link names this target.

        Create it at the first call.
        """
        if target_index not in decision.targets:
            decision.targets[target_index] = self.program.add_variable()
            self.program.add_clause(
                [self.entries[target_index].is_present, ~decision.targets[target_index]]
            )
        return decision.targets[target_index]

    def restrict_targets(
        self, decision: LinkDecision, literals: Mapping[int, int], when: tuple[int, ...]
    ) -> None:
        """Forbid a link to all other targets.

        Each given target is allowed only if its literal is true.

        This applies to solutions in which all literals of `when` hold.
        """
        self._restrictions.append((decision, literals, when))

    def write_constraints(self, keeps_links: bool) -> None:
        """Require that each link in use has exactly one target.

        With `keeps_links` the target is the one that the roster declares.

        Call it after all rules are written. A declared link that no rule is about stays while its
        target is present.
        """
        program = self.program
        for index, link in self.declared_targets:
            self.get_link(index, link)
        for decision in self.links.values():
            terms = [(var, 1) for var in decision.targets.values()]
            program.add_constraint([*terms, (decision.is_named, -1)], low=0, high=0)
            if keeps_links and decision.declared_target is not None:
                program.add_clause([decision.targets[decision.declared_target]])
        for decision, literals, when in self._restrictions:
            for target, var in decision.targets.items():
                program.add_clause([~var, literals.get(target, NO)], when=when)

    def _list_old_links(self) -> list[LinkDecision]:
        return [
            decision for decision in self.links.values() if decision.entry.old_copies
        ]

    def list_changes(self) -> list[int]:
        """Return, for each link that the squad has, a literal that is true if the link changed."""
        return [self._make_change(decision) for decision in self._list_old_links()]

    def _make_change(self, decision: LinkDecision) -> int:
        if decision.declared_target is None:
            return decision.is_named
        declared = decision.targets[decision.declared_target]
        return self.program.make_all_of([decision.entry.is_present, ~declared])

    def list_new_targets(self, solution: Sequence[int]) -> list[int]:
        """Return one solver variable for each link that a solution changes.

        It is the variable of the new target, or that of the change if there is no target.
        """
        new_targets = []
        for decision in self._list_old_links():
            change = self.program.make_positive(self._make_change(decision))
            if not solution[change]:
                continue
            new_target = change
            for target, var in decision.targets.items():
                if target != decision.declared_target and solution[var]:
                    new_target = var
                    break
            new_targets.append(new_target)
        return new_targets


class ConstraintWriter:
    """Turns conditions of rules into literals of the linear program.

    The result is a literal. It is YES or NO if no open choice affects the condition.
    """

    def __init__(self, model: DecisionModel) -> None:
        self.model = model
        self.program = model.program
        self.params = model.squad.params
        self.links = LinkDecisions(model)

    def find_parts(
        self, selector: Selector, other_part: Part | None = None
    ) -> list[CandidateTerm]:
        """Return the parts that a selector may match, each with a literal: true if it matches."""
        candidates = []
        for part in self.model.list_parts(selector.source):
            literal = self.match_part(selector, part, other_part)
            if literal != NO:
                candidates.append((part, literal))
        return candidates

    def make_presence_literal(self, candidates: Sequence[CandidateTerm]) -> int:
        """Return a literal that is true if at least one of these parts is present and matches."""
        literals = []
        for part, literal in candidates:
            literals.append(self.program.make_all_of([part.is_present, literal]))
        return self.program.make_any_of(literals)

    def match_part(
        self, selector: Selector, part: Part, other_part: Part | None = None
    ) -> int:
        """Return a literal that is true if a selector matches a part. The part may be absent."""
        select = selector.select
        if not self._depends_on_choices(selector, part, other_part):
            other_card = other_part.selected if other_part is not None else None
            return YES if selector.matches_card(part.selected, other_card) else NO
        # most parts fail a test that no choice affects, so that no literal is needed for them
        if not selector.card_only.matches_card(part.selected):
            return NO
        literal = self.match_condition(select.where, part, other_part)
        if select.bearer is None or literal == NO:
            return literal
        if part.host is None:
            return NO
        host_literal = self.match_condition(select.bearer, part.host, other_part)
        return self.program.make_all_of([literal, host_literal])

    def match_condition(
        self, condition: Where, part: Part, other_part: Part | None = None
    ) -> int:
        """Return a literal that is true if a part meets a condition, compared with another part."""
        program = self.program
        literals = []
        for path, test in condition.fields.items():
            for name, operand in list_tests(test):
                literal = self._match_test(path, name, operand, part, other_part)
                if literal == NO:
                    return NO
                literals.append(literal)
        literals += [
            self.match_condition(inner, part, other_part) for inner in condition.all
        ]
        if condition.any:
            alternatives = [
                self.match_condition(inner, part, other_part) for inner in condition.any
            ]
            literals.append(program.make_any_of(alternatives))
        literals += [
            ~self.match_condition(inner, part, other_part) for inner in condition.none
        ]
        return program.make_all_of(literals)

    def list_values(self, part: Part, path: str) -> list[tuple[str, int]]:
        """Return the possible values at a path, each with a literal: true if the part has it."""
        if path.startswith("choice.") and path[7:] in part.domains:
            return list(part.domains[path[7:]].items())
        if not self._find_open_step(part, path):
            return [(text, YES) for text in list_values(part.selected, path)]
        texts = []
        for value, literal in self._find_values(part, path):
            texts += [(text, literal) for text in convert_to_texts(value)]
        return texts

    def group_by_value(
        self, path: str, candidates: Sequence[CandidateTerm]
    ) -> dict[str, list[CandidateTerm]]:
        """Group parts by their possible values at a path.

        Each has a literal: true if it has the value.
        """
        groups: dict[str, list[CandidateTerm]] = {}
        for part, literal in candidates:
            for value, value_literal in self.list_values(part, path):
                both_hold = self.program.make_all_of([literal, value_literal])
                groups.setdefault(value, []).append((part, both_hold))
        return groups

    def _depends_on_choices(
        self, selector: Selector, part: Part, other_part: Part | None
    ) -> bool:
        """Return True if a choice that is still open decides whether the selector matches."""
        names = selector.choice_names
        if not names:
            return False
        for item in (part, other_part, part.host):
            if item is not None and not names.isdisjoint(item.domains):
                return True
        return False

    def _find_values(self, part: Part | None, path: str) -> list[tuple[object, int]]:
        """Return the possible values at a path, each with a literal.

        None is the value without a choice.
        """
        if part is None:
            return [(None, YES)]
        if path.startswith("choice.") and path[7:] in part.domains:
            domain = part.domains[path[7:]]
            has_value = self.program.make_any_of(domain.values())
            return [*domain.items(), (None, ~has_value)]
        name = self._find_open_step(part, path)
        if not name:
            return [(part.selected.get_value(path), YES)]
        domain, selected = part.domains[name], part.selected
        values: list[tuple[object, int]] = []
        for item, literal in domain.items():
            choices = {**selected.choices, name: item}
            values.append((selected.get_chosen_value(path, choices), literal))
        # A model may also choose nothing, which is no value at all.
        values.append((None, ~self.program.make_any_of(domain.values())))
        return values

    def _is_open(self, part: Part, path: str) -> bool:
        """Return True if the value at the path depends on a choice that is still open."""
        if path.startswith("choice."):
            return path[7:] in part.domains
        return bool(self._find_open_step(part, path))

    def _find_open_step(self, part: Part, path: str) -> str:
        """Return the name of the open choice that the path goes through, or ""."""
        if "{" in path:
            for name in find_path_choices(path):
                if name in part.domains:
                    return name
        return ""

    def _match_test(
        self,
        path: str,
        comparison: str,
        operand: Operand,
        part: Part,
        other_part: Part | None,
    ) -> int:
        """Return a literal that is true if a part passes one comparison of a condition."""
        compare = COMPARE[comparison]
        if not isinstance(operand, Ref) and not self._is_open(part, path):
            # most tests are such: without literals they are much faster
            return YES if compare(part.selected.get_value(path), operand) else NO
        operands = self._find_operands(operand, other_part)
        literals = []
        for value, value_literal in self._find_values(part, path):
            for operand_value, operand_literal in operands:
                if compare(value, operand_value):
                    both_hold = self.program.make_all_of(
                        [value_literal, operand_literal]
                    )
                    literals.append(both_hold)
        return self.program.make_any_of(literals)

    def _find_operands(
        self, operand: Operand, other_part: Part | None
    ) -> list[tuple[object, int]]:
        """Return the possible values to compare with, each with a literal: true if it applies."""
        if not isinstance(operand, Ref):
            return [(operand, YES)]
        values = self._find_values(other_part, operand.other)
        # as in a squad, a missing field of the other card passes no test
        return [(value, literal) for value, literal in values if value is not None]
