"""Count the changes that a repair makes, as terms of a linear program.

These count as one change: a copy taken out (what it carries goes with it), a card put in (with what
is chosen for it), an attachment moved or let into another slot, a link named or taken away, a
choice made, changed or taken away.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import lcm

from builder.model.linear import Term
from builder.model.rules import Source
from builder.roster.costs import calculate_costs
from builder.rules.decision_model import DecisionModel, LinkDecisions
from builder.rules.decision_parts import Part

COST_WEIGHT, MOVE_WEIGHT, CHOICE_WEIGHT = 100, 10, 1
"""Costs after the number of changes: cost units, removals, unneeded choices."""
COST_DECIMALS = 100
"""Parts of a unit in which costs are compared."""


@dataclass
class _AttachmentMoves:
    """Variables of attachments that leave a line, and of those that arrive, by card id."""

    leaving: dict[str, list[int]] = field(default_factory=dict)
    coming: dict[str, list[int]] = field(default_factory=dict)


class RepairChanges:
    """The changes of one model in which every pick may go."""

    def __init__(self, model: DecisionModel, ties: LinkDecisions) -> None:
        self.model = model
        self.links = ties
        self.program = model.program
        self._moved: list[int] = []
        self._choice_changes = self._find_choice_changes()
        self.terms = self._make_terms()
        self.constant = 0
        for part in model.list_parts():
            if part.old_copies and part.selected.source is not Source.ATTACHMENTS:
                self.constant += part.old_copies

    def count_changes(self, values: Sequence[int]) -> int:
        """Return how many changes a solution makes."""
        return self.constant + sum(int(factor) * values[var] for var, factor in self.terms)

    def limit_changes(self, low: int | None, high: int | None, when: Sequence[int] = ()) -> None:
        """Let every solution make so many changes where the literals of `when` hold."""
        lowest = None if low is None else low - self.constant
        highest = None if high is None else high - self.constant
        self.program.add_row(self.terms, lowest, highest, when=when)

    def make_objective(self) -> list[tuple[int, int]]:
        """Return the weights: fewest changes first, then the smallest change of cost.

        Of equal ones moves come before removals, and fewer choices before more.
        """
        before = calculate_costs(self.model.squad).total
        scale = lcm(
            1, *(1 if float(cost).is_integer() else COST_DECIMALS for _var, cost in self.model.cost)
        )
        terms = [(var, round(cost * scale)) for var, cost in self.model.cost]
        highest = sum(max(0, factor) * self.program.ranges[var][1] for var, factor in terms)
        lowest = sum(min(0, factor) * self.program.ranges[var][1] for var, factor in terms)
        old_cost = round(before * scale)
        rise, fall = (
            self.program.add_variable(max(0, highest - old_cost)),
            self.program.add_variable(max(0, old_cost - lowest)),
        )
        self.program.add_row([*terms, (rise, -1), (fall, 1)], low=old_cost, high=old_cost)
        objective = [(rise, -COST_WEIGHT), (fall, -COST_WEIGHT)]
        objective += [(var, MOVE_WEIGHT) for var in self._moved]
        objective += [(var, -CHOICE_WEIGHT) for var in self.model.list_choice_literals()]
        change_weight = 1
        for var, weight in objective:
            change_weight += abs(weight) * self.program.ranges[var][1]
        return [*((var, -int(factor) * change_weight) for var, factor in self.terms), *objective]

    def forbid_changes(self, values: Sequence[int]) -> None:
        """Forbid a solution's set of changes and every larger one."""
        program = self.program
        differences: list[int] = []
        for part in self._find_reported_parts(values):
            copies = values[part.copies]
            if copies == part.old_copies:
                continue
            literal = program.add_variable()
            low, high = (copies + 1, None) if copies < part.old_copies else (None, copies - 1)
            program.add_row([(part.copies, 1)], low, high, when=(literal,))
            differences.append(literal)
        changed = [part.is_freed for part in self.model.list_parts() if part.is_freed is not None]
        changed += self._choice_changes
        changed += self.links.list_new_targets(values)
        differences += [~var for var in changed if values[var]]
        program.add_clause(differences)

    def _find_choice_changes(self) -> list[int]:
        """Return a variable for each choice of an old line: 1 if it differs and the line stays."""
        variables: list[int] = []
        for part in self.model.list_parts(Source.ENTRIES):
            if not part.old_copies:
                continue
            for name, literals in part.domains.items():
                old_value = part.selected.choices.get(name)
                if old_value is None:
                    is_changed = self.program.make_any_of(literals.values())
                else:
                    is_changed = self.program.make_all_of([part.is_present, ~literals[old_value]])
                variables.append(self.program.make_positive(is_changed))
        return variables

    def _make_terms(self) -> list[Term]:
        """Return the number of changes as terms, without a constant."""
        terms: list[Term] = []
        moves = _AttachmentMoves()
        for line in self.model.lines:
            terms.append((line.entry.copies, -1 if line.entry.old_copies else 1))
            if line.entry.added_copies is not None:
                terms.append((line.entry.added_copies, 2))
            for part in line.attachments:
                terms.append((self._count_attachment(part, line.entry, moves), 1))
                if part.is_freed is not None:
                    terms.append((part.is_freed, 1))
        terms += self._find_moves(moves)
        terms += [(part.copies, -1 if part.old_copies else 1) for part in self.model.deck]
        terms += [(self.program.make_positive(literal), 1) for literal in self.links.list_changes()]
        terms += [(var, 1) for var in self._choice_changes]
        return terms

    def _count_attachment(self, part: Part, host: Part, moves: _AttachmentMoves) -> int:
        """Return the variable of an attachment that comes, or that leaves a line that stays."""
        card_id = part.selected.card.id
        if not part.old_copies:
            moves.coming.setdefault(card_id, []).append(part.is_present)
            return part.is_present
        leaves = self.program.make_positive(
            self.program.make_all_of([host.is_present, ~part.is_present])
        )
        moves.leaving.setdefault(card_id, []).append(leaves)
        return leaves

    def _find_moves(self, moves: _AttachmentMoves) -> Iterator[Term]:
        """Yield a term for each card moved between lines: both changes count as one."""
        for card_id in sorted(moves.leaving.keys() & moves.coming.keys()):
            leaving, coming = moves.leaving[card_id], moves.coming[card_id]
            moved = self.program.add_variable(len(leaving))
            for variables in (leaving, coming):
                self.program.add_row([(moved, 1), *((var, -1) for var in variables)], high=0)
            self._moved.append(moved)
            yield (moved, -1)

    def _find_reported_parts(self, values: Sequence[int]) -> Iterator[Part]:
        """Yield every part but those that go with their bearer."""
        for line in self.model.lines:
            yield line.entry
            if values[line.entry.is_present]:
                for part in line.attachments:
                    if not part.old_copies or not values[part.is_present]:
                        yield part
        yield from self.model.deck
