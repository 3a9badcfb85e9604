"""The program of a completion: all cards that may be added, and the rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from builder.model.card import Card
from builder.model.linear import Term
from builder.model.pack import Role
from builder.model.rules import Source
from builder.roster.resolve import Squad, make_test_selections
from builder.rules.checker import RosterChecker, find_spending
from builder.rules.choices import Chooser
from builder.solver.additions import Additions, remove_all_cards
from builder.solver.conflict import Demand, find_detail_demands, make_stay_demands
from builder.solver.cpsat import Answer, ProgramSolver
from builder.solver.deadline import Deadline
from builder.solver.rule_program import RuleProgram

COST_FACTORS = (1, 2, 4, 10, 100, 1000)
"""Factors that may make all costs of a game whole numbers, tried in order."""
FIRST_SEARCH_SHARE = 0.5
"""Share of the remaining time (0 to 1) for the search for a first squad with each number of copies.
"""


@dataclass(frozen=True, slots=True)
class SquadRequest:
    """A player's request for squads.

    `want` are cards to have, `avoid` cards that are not added. `owned_copies` limits the copies of
    each card, None to any number. With `exact` a squad must cost as much as it may. `count` is the
    number of squads, and `seed` selects among equally good ones.
    """

    want: tuple[str, ...] = ()
    avoid: frozenset[str] = frozenset()
    owned_copies: Mapping[str, int] | None = None
    exact: bool = False
    count: int = 1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class CompletionScope:
    """The size of a completion's model.

    At most `max_copies` of each card are added, and `max_attachments` of each attachment to a
    model. The model of a conflict (`is_conflict`) has a literal for each demand, so that demands
    can be dropped. `only_rules` and `only_cards` are None for all rules and cards.
    """

    max_copies: int
    max_attachments: int
    is_conflict: bool = False
    only_rules: frozenset[str] | None = None
    only_cards: frozenset[str] | None = None


class CompletionModel:
    """The program of one request, and its solver.

    `capped_ids` are the cards of which the rules would allow more than the scope.
    """

    def __init__(
        self,
        checker: RosterChecker,
        squad: Squad,
        request: SquadRequest,
        scope: CompletionScope,
        deadline: Deadline,
    ) -> None:
        """Raise SearchTimeout if the deadline passes meanwhile."""
        self.checker = checker
        self.squad = squad
        self.request = request
        self.scope = scope
        self.deadline = deadline
        self.capped_ids: set[str] = set()
        evaluator = checker.evaluator
        # In the model of a conflict every card may go, so the limits are those of an empty squad.
        limiting_squad = (
            remove_all_cards(squad, checker) if scope.is_conflict else squad
        )
        additions = Additions(
            Chooser(limiting_squad, evaluator), self._limit_additions, deadline
        )
        self.model = additions.create_model(squad, keeps_cards=not scope.is_conflict)
        self._add_cards(additions)
        self.rules = RuleProgram(
            self.model,
            evaluator,
            deadline,
            can_turn_off=scope.is_conflict,
            keeps_links=not scope.is_conflict,
            only_rules=scope.only_rules,
        )
        self.solver = ProgramSolver(self.model.program, deadline)
        if not scope.is_conflict:
            self._limit_to_owned()

    def _add_cards(self, additions: Additions) -> None:
        """Add every card to the solver model, attachments to the old and to the new entries."""
        only_cards = self.scope.only_cards
        attachments = []
        for card_id, selected in sorted(
            make_test_selections(self.checker.pack).items()
        ):
            if only_cards is not None and card_id not in only_cards:
                continue
            if selected.source is Source.ATTACHMENTS:
                attachments.append(selected.card)
            else:
                additions.add_card(selected.card, selected.source)
        # only now, when the new entries are there
        for entry in self.model.entries:
            for card in attachments:
                additions.add_attachment(card, entry)

    def _limit_additions(self, card: Card, allowed_additions: int, bundle: int) -> int:
        """Return how many additions of `bundle` copies of a card get a variable."""
        copies = allowed_additions * bundle
        if not self.scope.is_conflict:
            if card.id in self.request.avoid:
                return 0
            if self.request.owned_copies is not None:
                copies = min(copies, self.request.owned_copies.get(card.id, 0))
        max_additions = self.scope.max_copies
        if self.checker.pack.find_role(card) is Role.ATTACHMENT:
            max_additions = self.scope.max_attachments
        if copies > max_additions * bundle:
            self.capped_ids.add(card.id)
        return min(max_additions, copies // bundle)

    def _limit_to_owned(self) -> None:
        """Allow no more copies of a card than the player owns."""
        if self.request.owned_copies is not None:
            for card_id, terms in self.make_terms_by_card().items():
                self.model.program.add_constraint(
                    terms, high=self._find_owned_limit(card_id)
                )

    def _find_owned_limit(self, card_id: str) -> int:
        """Return the copies of a card that are owned, or those in the squad if these are more."""
        owned_copies = self.request.owned_copies or {}
        return max(owned_copies.get(card_id, 0), self._count_present(card_id))

    def _count_present(self, card_id: str) -> int:
        cards = self.squad.list_cards(Source.ALL)
        return sum(selected.count for selected in cards if selected.card.id == card_id)

    def make_terms_by_card(self, only_added: bool = False) -> dict[str, list[Term]]:
        """Return the copies of each card as terms. With `only_added`, count only added cards."""
        terms_by_card: dict[str, list[Term]] = {}
        for part in self.model.list_parts():
            var: int | None = part.copies
            if only_added and part.old_copies:
                var = part.added_copies
            if var is not None:
                terms_by_card.setdefault(part.selected.card.id, []).append((var, 1))
        return terms_by_card

    # -- spending
    @property
    def has_costs(self) -> bool:
        """True if the cards of the game cost anything."""
        pack = self.checker.pack
        has_card_costs = any(card.cost for card in pack.cards.values())
        return has_card_costs or any(
            kind.costs for kind in pack.manifest.kinds.values()
        )

    @cached_property
    def cost_scale(self) -> int:
        """The factor that makes all costs whole numbers."""
        for factor in COST_FACTORS[:-1]:
            if all((cost * factor) % 1 == 0 for _var, cost in self.model.cost):
                return factor
        return COST_FACTORS[-1]

    @cached_property
    def spending_terms(self) -> list[tuple[int, int]]:
        """The cost in units of 1/`cost_scale`, or the number of models in a game without costs."""
        if not self.has_costs:
            return [(entry.part.copies, 1) for entry in self.model.entries]
        return [(var, round(cost * self.cost_scale)) for var, cost in self.model.cost]

    def find_first(self) -> Answer:
        """Return a solution that meets the whole request and spends the most."""
        for demand in self._make_request_demands():
            self.model.program.add_clause([demand.literal])
        # some time is left for the searches that follow
        self.solver.deadline = self.deadline.share(FIRST_SEARCH_SHARE)
        answer = self.solver.solve(self.spending_terms, self.request.seed)
        self.solver.deadline = self.deadline
        return answer

    # -- demands
    def list_demands(self) -> list[Demand]:
        """Return all demands: the request, the cards of the squad, and the rules."""
        demands = [*self._make_request_demands(), *self._make_limit_demands()]
        for part in self.model.list_parts():
            if part.old_copies:
                demands += make_stay_demands(self.model, part)
        demands += find_detail_demands(self.model, self.rules.links)
        for rule_id, literal in self.rules.rule_literals.items():
            demands.append(Demand("rule", literal, rule_id))
        return demands

    def _make_request_demands(self) -> list[Demand]:
        """Return the requested cards and the exact cost as demands."""
        program = self.model.program
        demands = []
        for card_id in self.request.want:
            literal = program.add_variable()
            terms = self.make_terms_by_card().get(card_id, [])
            program.add_constraint(terms, low=1, when=(literal,))
            demands.append(Demand("want", literal, card_id))
        if self.request.exact:
            literal = program.add_variable()
            allowed_cost = find_spending(self.squad, self.checker.evaluator).allowed
            name = ""
            if allowed_cost is not None:
                name = f"{allowed_cost:g}"
                program.add_constraint(
                    self.model.cost,
                    low=allowed_cost,
                    high=allowed_cost,
                    when=(literal,),
                )
            demands.append(Demand("exact", literal, name))
        return demands

    def _make_limit_demands(self) -> list[Demand]:
        """Return the demands that avoided cards and cards that are not owned are not added.

        Ownership is one demand for each requested card, and one for all others together.
        """
        program = self.model.program
        demands = []
        terms_by_card = self.make_terms_by_card()
        for card_id in sorted(self.request.avoid & terms_by_card.keys()):
            demand = Demand("avoid", program.add_variable(), card_id)
            high = self._count_present(card_id)
            program.add_constraint(
                terms_by_card[card_id], high=high, when=(demand.literal,)
            )
            demands.append(demand)
        if self.request.owned_copies is None:
            return demands
        common_demand = Demand("own", program.add_variable(), "")
        for card_id, terms in terms_by_card.items():
            demand = common_demand
            if card_id in self.request.want:
                demand = Demand("own", program.add_variable(), card_id)
                demands.append(demand)
            program.add_constraint(
                terms, high=self._find_owned_limit(card_id), when=(demand.literal,)
            )
        return [*demands, common_demand]
