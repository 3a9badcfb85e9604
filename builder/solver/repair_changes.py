"""Count the changes that a repair makes, as terms of a linear program.

One change is one of these:
- a removed copy, with its attachments,
- an added card, with its choices,
- an attachment that is added, moved to another entry, or removed from an entry that stays,
- a named slot that is freed,
- a link that is named, changed or removed,
- a choice that is made, changed or removed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from builder.model.linear import Term
from builder.model.rules import Source
from builder.roster.costs import calculate_costs
from builder.rules.decision_model import DecisionModel, LinkDecisions
from builder.rules.decision_parts import Part

COST_WEIGHT = 100
"""The weight of a unit of cost difference. The number of changes always weighs more."""
MOVE_WEIGHT = 10
"""The weight of a move: it is better than a removal and an addition."""
CHOICE_WEIGHT = 1
"""The weight of a choice that need not be made."""
COST_PARTS = 100
"""Parts of a unit of cost that are distinguished, if some cost is not a whole number."""


@dataclass
class _AttachmentChanges:
    """The variables of attachments that are removed from an entry or added to one, by card id."""

    removed: dict[str, list[int]] = field(default_factory=dict)
    added: dict[str, list[int]] = field(default_factory=dict)


class RepairChanges:
    """The changes of one solver model in which every card of the squad may be removed.

    A solution makes `constant` changes and the sum of `terms`.
    """

    def __init__(self, model: DecisionModel, links: LinkDecisions) -> None:
        self.model = model
        self.links = links
        self.program = model.program
        self._move_counts: list[int] = []
        self._choice_changes = self._find_choice_changes()
        self.terms = self._make_terms()
        # `terms` count -1 for each copy that stays, so that a removed copy counts 1
        self.constant = 0
        for part in model.list_parts():
            if part.selected.source is not Source.ATTACHMENTS:
                self.constant += part.old_copies

    def count_changes(self, values: Sequence[int]) -> int:
        """Return how many changes a solution makes."""
        return self.constant + sum(
            int(factor) * values[var] for var, factor in self.terms
        )

    def limit_changes(
        self, min_changes: int | None, max_changes: int | None, when: Sequence[int] = ()
    ) -> None:
        """Limit the number of changes of all solutions in which the literals of `when` hold."""
        low = None if min_changes is None else min_changes - self.constant
        high = None if max_changes is None else max_changes - self.constant
        self.program.add_constraint(self.terms, low, high, when=when)

    def make_objective(self) -> list[tuple[int, int]]:
        """Return the terms whose sum is largest for the best repair.

        It has the fewest changes, of these the smallest change of cost, of these the most moves,
        and of these the fewest choices.
        """
        objective = [(var, -COST_WEIGHT) for var in self._make_cost_differences()]
        objective += [(var, MOVE_WEIGHT) for var in self._move_counts]
        objective += [
            (var, -CHOICE_WEIGHT) for var in self.model.list_choice_literals()
        ]
        # one change weighs more than all other terms together
        change_weight = 1
        for var, weight in objective:
            change_weight += abs(weight) * self.program.ranges[var][1]
        change_terms = [
            (var, -int(factor) * change_weight) for var, factor in self.terms
        ]
        return change_terms + objective

    def _make_cost_differences(self) -> tuple[int, int]:
        """Return variables of the scaled cost that is added, and of that which is saved."""
        scale = 1
        if any(not float(cost).is_integer() for _var, cost in self.model.cost):
            # the solver counts in whole numbers only
            scale = COST_PARTS
        old_cost = round(calculate_costs(self.model.squad).total * scale)
        terms = [(var, round(cost * scale)) for var, cost in self.model.cost]
        max_cost = min_cost = 0
        for var, factor in terms:
            extreme = factor * self.program.ranges[var][1]
            max_cost += max(0, extreme)
            min_cost += min(0, extreme)
        # at most one of both is more than 0 in the best solution, so their sum is the difference
        rise = self.program.add_variable(max(0, max_cost - old_cost))
        fall = self.program.add_variable(max(0, old_cost - min_cost))
        self.program.add_constraint(
            [*terms, (rise, -1), (fall, 1)], low=old_cost, high=old_cost
        )
        return rise, fall

    def forbid_changes(self, values: Sequence[int]) -> None:
        """Require that the next solutions do not make all changes of this one."""
        program = self.program
        literals = []
        for part in self._find_deciding_parts(values):
            copies = values[part.copies]
            if copies == part.old_copies:
                continue
            # another repair removes, or adds, fewer copies of at least one card
            literal = program.add_variable()
            if copies < part.old_copies:
                program.add_constraint(
                    [(part.copies, 1)], low=copies + 1, when=(literal,)
                )
            else:
                program.add_constraint(
                    [(part.copies, 1)], high=copies - 1, when=(literal,)
                )
            literals.append(literal)
        changed = [
            part.is_freed
            for part in self.model.list_parts()
            if part.is_freed is not None
        ]
        changed += self._choice_changes
        changed += self.links.list_new_targets(values)
        literals += [~var for var in changed if values[var]]
        program.add_clause(literals)

    def _find_choice_changes(self) -> list[int]:
        """Return a variable for each choice of an old entry: 1 if only the choice changes."""
        variables = []
        for part in self.model.list_parts(Source.ENTRIES):
            if not part.old_copies:
                continue
            for name, literals in part.domains.items():
                old_value = part.selected.choices.get(name)
                if old_value is None:
                    is_changed = self.program.make_any_of(literals.values())
                else:
                    is_changed = self.program.make_all_of(
                        [part.is_present, ~literals[old_value]]
                    )
                variables.append(self.program.make_positive(is_changed))
        return variables

    def _make_terms(self) -> list[Term]:
        """Return terms whose sum and `constant` are the number of changes."""
        terms: list[Term] = []
        moves = _AttachmentChanges()
        for entry in self.model.entries:
            terms.append((entry.part.copies, -1 if entry.part.old_copies else 1))
            if entry.part.added_copies is not None:
                # -1 above and 2 here: each added copy of an old entry is one change
                terms.append((entry.part.added_copies, 2))
            for part in entry.attachments:
                terms.append((self._count_attachment(part, entry.part, moves), 1))
                if part.is_freed is not None:
                    terms.append((part.is_freed, 1))
        terms += self._find_moves(moves)
        terms += [
            (part.copies, -1 if part.old_copies else 1) for part in self.model.deck
        ]
        terms += [
            (self.program.make_positive(literal), 1)
            for literal in self.links.list_changes()
        ]
        terms += [(var, 1) for var in self._choice_changes]
        return terms

    def _count_attachment(
        self, part: Part, host: Part, moves: _AttachmentChanges
    ) -> int:
        """Return the variable that is 1 if an attachment is added, or removed from a kept entry."""
        card_id = part.selected.card.id
        if not part.old_copies:
            moves.added.setdefault(card_id, []).append(part.is_present)
            return part.is_present
        is_removed = self.program.make_all_of([host.is_present, ~part.is_present])
        removed_count = self.program.make_positive(is_removed)
        moves.removed.setdefault(card_id, []).append(removed_count)
        return removed_count

    def _find_moves(self, moves: _AttachmentChanges) -> Iterator[Term]:
        """Yield a term for each card that moves from one entry to another, which is one change."""
        for card_id in sorted(moves.removed.keys() & moves.added.keys()):
            move_count = self.program.add_variable(len(moves.removed[card_id]))
            for variables in (moves.removed[card_id], moves.added[card_id]):
                row = [(move_count, 1), *((var, -1) for var in variables)]
                self.program.add_constraint(row, high=0)
            self._move_counts.append(move_count)
            yield (move_count, -1)

    def _find_deciding_parts(self, values: Sequence[int]) -> Iterator[Part]:
        """Yield the parts whose number of copies distinguishes this repair from another one.

        Attachments of removed entries, and old attachments that stay, are left out.
        """
        for entry in self.model.entries:
            yield entry.part
            if values[entry.part.is_present]:
                for part in entry.attachments:
                    if not part.old_copies or not values[part.is_present]:
                        yield part
        yield from self.model.deck
