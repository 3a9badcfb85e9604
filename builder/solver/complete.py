"""Complete a half-built squad.

The legal squads that hold all of it and spend the most, one after another.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from builder.model.base import DataPath
from builder.model.card import Card
from builder.model.linear import Term
from builder.model.pack import Role
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.resolve import SelectedCard, Squad, make_addition, select_all_cards
from builder.rules.checker import RosterChecker, find_spending
from builder.rules.choices import MAX_COUNTED_COPIES, Chooser, find_line_sizes
from builder.rules.decision_model import DecisionModel, RowWriter
from builder.rules.decision_parts import DecisionLine
from builder.rules.evaluate import Evaluator
from builder.rules.forms.base import RuleForm
from builder.solver.conflict import (
    Conflict,
    MachineOracle,
    Switch,
    find_detail_switches,
    find_smallest_conflict,
    make_stay_switches,
)
from builder.solver.cpsat import Answer, Machine
from builder.solver.deadline import Deadline, SearchTimeout
from builder.solver.naming import MAX_ROUNDS, LinkNames
from builder.solver.result import SolvedRoster, read_solution
from builder.solver.wanted_cards import WantedCards

COST_FACTORS = (1, 2, 4, 10, 100, 1000)
"""Factors that may make all costs of a game whole numbers, tried in order."""


class RuleProgram:
    """All rules in force, put into a model's program.

    `switches[rule]` is the literal that turns a rule on.
    """

    def __init__(
        self,
        model: DecisionModel,
        evaluator: Evaluator,
        deadline: Deadline,
        *,
        switched: bool = False,
        keep: bool = False,
        only_rules: frozenset[str] | None = None,
    ) -> None:
        """Write the rows, of all rules or of those of `only_rules`.

        Raise SearchTimeout after the deadline.
        """
        self.writer = RowWriter(model)
        self.links = self.writer.links
        self.switches: dict[str, int] = {}
        forms = list(evaluator.find_error_forms(model.squad.params))
        if only_rules is not None:
            forms = [form for form in forms if form.rule.id in only_rules]
        if switched:
            for form in forms:
                self.switches[form.rule.id] = model.program.add_variable()
        self.write_rules(forms, deadline)
        self.links.write_rows(keep)
        _ = model.cost  # its variables belong to every solution
        for tie in self.links.links.values():
            forms = [form for form in evaluator.forms if form.link == tie.link]
            who = [self.writer.match_part(form.selector, tie.entry) for form in forms]
            if who:
                model.program.add_clause([~tie.is_named, *who])

    def write_rules(self, forms: Iterable[RuleForm], deadline: Deadline) -> None:
        """Write the rows of some rules. Raise SearchTimeout after the deadline."""
        for form in forms:
            deadline.check()
            form.write_rows(self.writer, self._make_conditions(form))

    def _make_conditions(self, form: RuleForm) -> tuple[int, ...]:
        """Return the literals under which a rule is in force."""
        writer, when = (
            self.writer,
            [self.switches[form.rule.id]] if form.rule.id in self.switches else [],
        )
        if form.exists is not None:
            when.append(writer.make_presence(writer.find_parts(form.exists)))
        if form.not_exists is not None:
            when.append(~writer.make_presence(writer.find_parts(form.not_exists)))
        return tuple(when)


class Additions:
    """Puts what may be added into a model, as often as the rules of a squad let it in."""

    model: DecisionModel

    def __init__(
        self, chooser: Chooser, worth: Callable[[Card, int, int], int], deadline: Deadline
    ) -> None:
        """`worth` returns the number of additions of a card with a variable, by free space.

        After the deadline every addition raises SearchTimeout.
        """
        self.deadline = deadline
        self.chooser = chooser
        self.worth = worth
        self._rooms: dict[tuple[DataPath | str, str], int] = {}

    def create_model(
        self, squad: Squad, keep: bool, grows: Callable[[SelectedCard], bool] = lambda _entry: True
    ) -> DecisionModel:
        """Return a squad's model in which lines for which `grows` is true may get more copies."""

        def more(entry: SelectedCard) -> int:
            selected = make_addition(entry.card, Source.ENTRIES, None, self.chooser.squad)
            return (
                self.worth(entry.card, self.chooser.count_at_most(selected), 1)
                if grows(entry)
                else 0
            )

        self.model = DecisionModel(squad, self.chooser.domains, keep, more)
        return self.model

    def add_card(self, card: Card, source: Source) -> None:
        """Add a card to the model, as lines of its own or in the deck."""
        self.deadline.check()
        squad, models = self.chooser.squad, 1
        selected = make_addition(card, source, None, squad)
        if source is Source.ENTRIES:
            least, models = find_line_sizes(card, squad, self.chooser.evaluator)
            selected = replace(selected, count=least, copies_per_model=least)
        many = self.worth(card, self.chooser.count_at_most(selected), selected.count)
        if source is Source.ENTRIES:
            self.model.add_entry(card, many, models)
        elif many:
            self.model.add_deck(card, many)

    def add_attachment(self, card: Card, line: DecisionLine) -> None:
        """Add an attachment to the model for a line that may have it.

        Models that carry nothing yet are alike.
        """
        self.deadline.check()
        host, squad = line.entry.selected, self.chooser.squad
        there = host in squad.entries
        key = (host.path if there else host.card.id, card.id)
        if key not in self._rooms:
            one = host if there else replace(host, count=1, copies_per_model=1)
            self._rooms[key] = self.chooser.count_at_most(
                make_addition(card, Source.ATTACHMENTS, one, squad)
            )
        self.model.add_attachment(card, line, self.worth(card, self._rooms[key], 1))


def remove_all_cards(squad: Squad, checker: RosterChecker) -> Squad:
    """Return the squad without any card."""
    return checker.resolve_roster(squad.roster.model_copy(update={"entries": (), "deck": ()}))


@dataclass(frozen=True, slots=True)
class CompletionResult:
    """The squads found, best first; `proved` if none can spend more than the first.

    `conflict` where there is none.
    """

    outcomes: tuple[SolvedRoster, ...] = ()
    proved: bool = True
    conflict: Conflict | None = None


def find_completions(
    checker: RosterChecker, roster: Roster, wish: "SquadRequest", deadline: Deadline | None = None
) -> CompletionResult:
    """Legal squads that hold the roster; the roster must be understood (no problems).

    Few copies of each card are tried first: a squad that spends all that may be spent is the best
    there is. Where they do not reach that far, more are tried. All searches together end at the
    deadline. Without one it is that of a request that starts now. What was not searched by then is
    not called proved.
    """
    deadline = deadline or Deadline.start()
    squad = checker.resolve_roster(roster)
    needed_copies = count_needed_copies(squad, checker.evaluator)
    most = (
        max(COPIES[-1], min(MAX_COUNTED_COPIES, needed_copies)),
        max(CARRIED[-1], min(MAX_COUNTED_COPIES, needed_copies)),
    )
    best: SquadSearch | CompletionResult | None = None
    proved = False
    for copies, max_attachments in (*zip(COPIES[:-1], CARRIED[:-1], strict=True), most):
        try:
            task = CompletionModel(checker, squad, wish, copies, max_attachments, deadline)
        except SearchTimeout:
            proved = False
            break
        first = task.find_first()
        proved = first.proved
        last = copies == most[0] or not task.capped_ids
        if first.values is not None:
            best = _choose_better(best, SquadSearch(task, first.values, first.proved))
            if last or (isinstance(best, SquadSearch) and best.is_full):
                best = _finish_search(best)
                if last or len(best.outcomes) == wish.count:
                    return best
        elif first.proved and needed_copies <= MAX_COUNTED_COPIES:
            conflict = find_quick_conflict(checker, task, *most)
            if conflict is not None:
                return CompletionResult((), True, conflict)
        if last:
            break
    if best is not None:
        # time ran out while more copies were tried: the best squads that are known
        return _finish_search(best)
    proved = proved and needed_copies <= MAX_COUNTED_COPIES
    return CompletionResult(
        (), proved, find_conflict(checker, roster, wish, *most, deadline) if proved else None
    )


def _choose_better(
    best: "SquadSearch | CompletionResult | None", found: "SquadSearch"
) -> "SquadSearch | CompletionResult":
    """Return the search that spends more; the one of more copies if both spend the same."""
    return best if isinstance(best, SquadSearch) and best.max_spent > found.max_spent else found


def _finish_search(best: "SquadSearch | CompletionResult") -> CompletionResult:
    """Return the squads of a search, which is done only once."""
    if isinstance(best, CompletionResult):
        return best
    outcomes = list(best.find_squads())
    return CompletionResult(tuple(outcomes), best.is_proved(outcomes))


def count_needed_copies(squad: Squad, evaluator: Evaluator) -> int:
    """Return how many copies of one card the rules may ask for, at most one more than are tried."""
    counted_copies, linked_copies = [1], [1]
    for form in evaluator.forms:
        if form.can_apply(squad.params):
            copies = linked_copies if form.link else counted_copies
            copies += form.find_needed_copies(squad)
    # Each added model may need one more model as the target of its link.
    needed_copies = max(counted_copies) + max(linked_copies) - 1
    return min(MAX_COUNTED_COPIES + 1, needed_copies)


def find_quick_conflict(
    checker: RosterChecker, task: "CompletionModel", copies: int, max_attachments: int
) -> Conflict | None:
    """Return the smallest conflict if it holds with `copies` of each card.

    None if that is not known.

    A model with all rules and many copies of every card takes up to a minute to build. So the
    conflict is searched for in a model without additions. It is proved in one that has only its
    rules, and of the additions only the cards that these rules may want: any other addition would
    only make things worse. No smaller conflict comes with more additions, because each conflict of
    the larger model is one of the model without additions too.
    """
    wish, deadline = task.request, task.deadline
    found = find_conflict(checker, task.squad.roster, wish, 0, 0, deadline)
    if not found.demands or not found.proved:
        return None
    # a wish may need any card
    if any(item.kind in ("want", "exact") for item in found.demands):
        return None
    rules = frozenset(item.name for item in found.demands if item.kind == "rule")
    cards = WantedCards(task.squad, checker.evaluator).find_cards(rules)
    try:
        larger = CompletionModel(
            checker,
            task.squad,
            wish,
            copies,
            max_attachments,
            deadline,
            True,
            rules,
            frozenset(cards),
        )
    except SearchTimeout:
        return None
    needed_copies = Counter(switch.key for switch in found.demands)
    held_literals: list[int] = []
    for switch in larger.find_switches():
        if needed_copies[switch.key]:
            needed_copies[switch.key] -= 1
            held_literals.append(switch.literal)
    answer = larger.machine.solve(assume=held_literals)
    return found if answer.values is None and answer.proved and not needed_copies.total() else None


def find_conflict(
    checker: RosterChecker,
    roster: Roster,
    wish: "SquadRequest",
    copies: int,
    max_attachments: int,
    deadline: Deadline,
) -> Conflict:
    """Return the smallest set of rules, picks and requests that conflict."""
    try:
        task = CompletionModel(
            checker,
            checker.resolve_roster(roster),
            wish,
            copies,
            max_attachments,
            deadline,
            switched=True,
        )
    except SearchTimeout:
        return Conflict((), False)
    switches = task.find_switches()
    return find_smallest_conflict(MachineOracle(task.machine, switches), switches)


FIRST_SEARCH_SHARE = 0.5
"""Share of the remaining time (0 to 1) for the search for a first squad with each number of copies.
"""
COPIES, CARRIED = (2, 5, 12), (1, 2, 3)
"""How many copies of a card may be added, and how many of one to a model: tried one after another.
"""


@dataclass(frozen=True, slots=True)
class SquadRequest:
    """What the player asks for.

    Cards to have, cards to leave out, copies owned (None: any), all spent.
    """

    want: tuple[str, ...] = ()
    avoid: frozenset[str] = frozenset()
    owned_copies: Mapping[str, int] | None = None
    exact: bool = False
    count: int = 1
    seed: int = 0


@dataclass
class CompletionModel:
    """The model of one task: cards that may be added, and the rules as rows.

    `capped_ids` are the cards of which the rules alone would allow more.
    """

    checker: RosterChecker
    squad: Squad
    request: SquadRequest
    max_copies: int
    max_attachments: int
    deadline: Deadline
    switched: bool = False
    only_rules: frozenset[str] | None = None
    only_cards: frozenset[str] | None = None
    capped_ids: set[str] = field(default_factory=set, init=False)
    model: DecisionModel = field(init=False)
    rules: RuleProgram = field(init=False)
    machine: Machine = field(init=False)

    def __post_init__(self) -> None:
        evaluator = self.checker.evaluator
        squad = remove_all_cards(self.squad, self.checker) if self.switched else self.squad
        additions = Additions(Chooser(squad, evaluator), self._count_worthwhile, self.deadline)
        self.model = additions.create_model(self.squad, keep=not self.switched)
        self._add_cards(additions)
        self.rules = RuleProgram(
            self.model,
            evaluator,
            self.deadline,
            switched=self.switched,
            keep=not self.switched,
            only_rules=self.only_rules,
        )
        self.machine = Machine(self.model.program, self.deadline)
        self._limit_to_owned()

    def _add_cards(self, additions: Additions) -> None:
        """Every card that may be added, as often as it may be.

        Attachments to old and new models.
        """
        picks = [selected for _, selected in sorted(select_all_cards(self.checker.pack).items())]
        if self.only_cards is not None:
            picks = [selected for selected in picks if selected.card.id in self.only_cards]
        for selected in (
            selected for selected in picks if selected.source is not Source.ATTACHMENTS
        ):
            additions.add_card(selected.card, selected.source)
        for line in self.model.lines:
            for selected in (
                selected for selected in picks if selected.source is Source.ATTACHMENTS
            ):
                additions.add_attachment(selected.card, line)

    def _count_worthwhile(self, card: Card, fits: int, bundle: int) -> int:
        """How many additions of a card are worth a variable."""
        copies = fits * bundle
        if not self.switched and card.id in self.request.avoid:
            return 0
        if not self.switched and self.request.owned_copies is not None:
            copies = min(copies, self.request.owned_copies.get(card.id, 0))
        cap = bundle * (
            self.max_attachments
            if self.checker.pack.find_role(card) is Role.ATTACHMENT
            else self.max_copies
        )
        if copies > cap:
            self.capped_ids.add(card.id)
        return min(cap, copies) // bundle

    def _limit_to_owned(self) -> None:
        """No more copies of a card than the player owns, what the squad has already counted."""
        if self.request.owned_copies is None or self.switched:
            return
        for card, terms in self.make_terms_by_card().items():
            self.model.program.add_row(
                terms, high=max(self.request.owned_copies.get(card, 0), self._count_present(card))
            )

    def make_limit_switches(self) -> list[Switch]:
        """Return what is avoided and what is owned as literals.

        Each avoided card, each wanted one, all others as one.
        """
        program, own = self.model.program, self.request.owned_copies
        terms, switches = self.make_terms_by_card(), []
        for card in sorted(self.request.avoid & terms.keys()):
            switches.append(Switch("avoid", program.add_variable(), card))
            program.add_row(
                terms[card], high=self._count_present(card), when=(switches[-1].literal,)
            )
        if own is None:
            return switches
        rest = Switch("own", program.add_variable(), "")
        for card in terms:
            switch = (
                Switch("own", program.add_variable(), card) if card in self.request.want else rest
            )
            switches += [switch] if switch is not rest else []
            program.add_row(
                terms[card],
                high=max(own.get(card, 0), self._count_present(card)),
                when=(switch.literal,),
            )
        return [*switches, rest]

    def find_switches(self) -> list[Switch]:
        """Return all demands as literals: wishes, what the squad has, and rules."""
        switches = [*self.make_request_switches(), *self.make_limit_switches()]
        for part in self.model.list_parts():
            if part.old_copies:
                switches += make_stay_switches(self.model, part)
        switches += find_detail_switches(self.model, self.rules.links)
        switches += [Switch("rule", literal, rule) for rule, literal in self.rules.switches.items()]
        return switches

    def find_first(self) -> Answer:
        """Return a solution that spends the most, with all wishes fulfilled."""
        for switch in self.make_request_switches():
            self.model.program.add_clause([switch.literal])
        # a part of the time stays for the searches that follow
        self.machine.deadline = self.deadline.share(FIRST_SEARCH_SHARE)
        first = self.machine.solve(self.spending_terms, self.request.seed)
        self.machine.deadline = self.deadline
        return first

    def _count_present(self, card: str) -> int:
        return sum(
            selected.count
            for selected in self.squad.list_cards(Source.ALL)
            if selected.card.id == card
        )

    def make_terms_by_card(self, new: bool = False) -> dict[str, list[Term]]:
        """Return the copies of each card, as terms; with `new` only of those that may be added."""
        found: dict[str, list[Term]] = {}
        for part in self.model.list_parts():
            many = part.added_copies if new and part.old_copies else part.copies
            if many is not None:
                found.setdefault(part.selected.card.id, []).append((many, 1))
        return found

    @property
    def has_costs(self) -> bool:
        """True if the cards of the game cost anything."""
        pack = self.checker.pack
        return any(card.cost for card in pack.cards.values()) or any(
            kind.costs for kind in pack.manifest.kinds.values()
        )

    @cached_property
    def cost_scale(self) -> int:
        """The factor that makes all costs whole numbers."""
        for factor in COST_FACTORS[:-1]:
            if all((cost * factor) % 1 == 0 for _, cost in self.model.cost):
                return factor
        return COST_FACTORS[-1]

    @cached_property
    def spending_terms(self) -> list[tuple[int, int]]:
        """What is to be spent: the cost in whole numbers.

        The number of models in a game without costs.
        """
        if not self.has_costs:
            return [(line.entry.copies, 1) for line in self.model.lines]
        return [(var, round(cost * self.cost_scale)) for var, cost in self.model.cost]

    def make_request_switches(self) -> list[Switch]:
        """Return the wishes as literals."""
        program, switches = self.model.program, []
        for card in self.request.want:
            literal = program.add_variable()
            program.add_row(self.make_terms_by_card().get(card, []), low=1, when=(literal,))
            switches.append(Switch("want", literal, card))
        if self.request.exact:
            allowed = find_spending(self.squad, self.checker.evaluator).allowed
            literal = program.add_variable()
            if allowed is not None:
                program.add_row(self.model.cost, low=allowed, high=allowed, when=(literal,))
            switches.append(Switch("exact", literal, f"{allowed:g}" if allowed is not None else ""))
        return switches


EFFORT = 0.25
"""How long the seed's likes are followed, in the solver's own time, which is the same on every
machine.
"""


class SquadSearch:
    """Different squads of one task, by what they hold of each card, the largest spending first."""

    def __init__(self, task: CompletionModel, first: tuple[int, ...], first_proved: bool) -> None:
        """`first` is the first solution; `first_proved` is true if no other spends more."""
        self.task = task
        self.first_proved = first_proved
        self.program = task.model.program
        self.first = first
        self.max_spent = self._sum_spending(first)
        self.counts = task.make_terms_by_card(new=True)
        self.chance = random.Random(task.request.seed)
        self.is_unsure = False

    @property
    def is_full(self) -> bool:
        """True if nothing more can be spent whatever is added."""
        task = self.task
        if not task.has_costs:
            return False
        allowed = find_spending(task.squad, task.checker.evaluator).allowed
        dear = [
            part
            for part in task.model.list_parts()
            if part.selected.card.cost or task.squad.cost_steps
        ]
        every = all(self.first[part.copies] == self.program.ranges[part.copies][1] for part in dear)
        capped = any(part.selected.card.id in task.capped_ids for part in dear)
        return (every and not capped) or (
            allowed is not None and self.max_spent >= allowed * task.cost_scale
        )

    def _sum_spending(self, values: tuple[int, ...]) -> int:
        return sum(factor * values[var] for var, factor in self.task.spending_terms)

    def find_squads(self) -> Iterator[SolvedRoster]:
        """Yield the squads, each judged before it is given; as many as are wished for."""
        task, aim = self.task, self.task.spending_terms
        names = LinkNames(task.checker, task.model, task.rules.links)
        values: tuple[int, ...] | None = self.first
        found = refused = 0
        while values is not None and found < task.request.count:
            spent = self._sum_spending(values)
            self.program.add_row(aim, high=spent)
            values = self._remove_needless_choices(self._choose_by_seed(spent, values))
            outcome = names.name_links(
                read_solution(task.model, task.rules.links, values), values, old=True
            )
            if outcome.result.legal:
                found += 1
                yield outcome.solved
                self._require_other_counts(values)
            elif outcome.is_open and refused < MAX_ROUNDS:
                refused += 1
                names.forbid_values(values)
            else:
                self.is_unsure = True
                refused += 1
                if refused > MAX_ROUNDS:
                    return
                self._require_other_counts(values)
            if found < task.request.count:
                values = task.machine.solve(aim, task.request.seed).values

    def is_proved(self, outcomes: Sequence[SolvedRoster]) -> bool:
        """Return True if no legal squad spends more than the first outcome."""
        if not outcomes:
            return False
        best = outcomes[0]
        spent = (
            best.cost if self.task.has_costs else sum(entry.count for entry in best.roster.entries)
        )
        if self.is_full and round(spent * self.task.cost_scale) == self.max_spent:
            return True
        return self.first_proved and not self.task.capped_ids and not self.is_unsure

    def _choose_by_seed(self, spent: int, values: tuple[int, ...]) -> tuple[int, ...]:
        """Return one of the squads that spend this much, chosen by the seed.

        If time is too short, return the given values.
        """
        liked: list[tuple[int, int]] = []
        for _card, terms in sorted(self.counts.items()):
            score = self.chance.randint(0, 9)
            liked += [(var, score) for var, _ in terms]
        # A choice that need not be made costs more than any card is worth.
        liked += [(var, -20) for var in self.task.model.list_choice_literals()]
        gate = self.program.add_variable()
        self.program.add_row(self.task.spending_terms, low=spent, when=(gate,))
        found = self.task.machine.solve(
            liked, self.task.request.seed, (gate,), effort=EFFORT, hint=values
        ).values
        return found or values

    def _remove_needless_choices(self, values: tuple[int, ...]) -> tuple[int, ...]:
        """Return the same squad with nothing chosen that need not be."""
        chosen = self.task.model.list_choice_literals()
        if not any(values[var] for var in chosen):
            return values
        gate = self.program.add_variable()
        for part in self.task.model.list_parts():
            self.program.add_row(
                [(part.copies, 1)], values[part.copies], values[part.copies], when=(gate,)
            )
        found = self.task.machine.solve(
            [(var, -1) for var in chosen], assume=(gate,), hint=values
        ).values
        return found or values

    def _require_other_counts(self, values: tuple[int, ...]) -> None:
        """From now on some card comes in another number."""
        program, differ = self.program, []
        for terms in self.counts.values():
            now = sum(values[var] for var, _ in terms)
            less, more = program.add_variable(), program.add_variable()
            program.add_row(terms, high=now - 1, when=(less,))
            program.add_row(terms, low=now + 1, when=(more,))
            differ += [less, more]
        program.add_clause(differ)
