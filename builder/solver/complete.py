"""Complete a half-built squad: the legal squads that hold all of it and spend the most, one after another."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from builder.model.card import Card
from builder.model.linear import Term
from builder.model.pack import Role
from builder.model.roster import Roster
from builder.model.rules import Rule, Source
from builder.roster.resolve import SOURCE_OF, Pick, Squad, added, resolve
from builder.rules.choices import Chooser, line_sizes
from builder.rules.decision_model import DecisionLine, DecisionModel, RowWriter
from builder.rules.evaluate import Evaluator
from builder.rules.judge import Judge, spending
from builder.rules.query import Selector
from builder.solver.conflict import Conflict, Switch, smallest, staying
from builder.solver.cpsat import Machine
from builder.solver.result import SolvedRoster, solved


class RuleProgram:
    """All rules in force, put into a model's program; `switches[rule]` is the literal that turns a rule on."""

    def __init__(
        self, model: DecisionModel, evaluator: Evaluator, *, switched: bool = False, keep: bool = False
    ) -> None:
        self.writer = RowWriter(model)
        self.ties = self.writer.ties
        self.switches: dict[str, int] = {}
        for form in evaluator.binding(model.squad.params):
            if switched:
                self.switches[form.rule.id] = model.program.var()
            form.rows(self.writer, self._when(form.rule))
        self.ties.finish(keep)

    def _when(self, rule: Rule) -> tuple[int, ...]:
        """The literals under which a rule is in force."""
        when = (self.switches[rule.id],) if rule.id in self.switches else ()
        if rule.when is None or rule.when.exists is None:
            return when
        return (*when, self.writer.some(self.writer.taken(Selector(rule.when.exists))))


__all__ = ["Completed", "Wish", "complete"]


@dataclass(frozen=True, slots=True)
class Completed:
    """The squads found, best first; `proved` if none can spend more than the first. `conflict` where there is none."""

    outcomes: tuple[SolvedRoster, ...] = ()
    proved: bool = True
    conflict: Conflict | None = None


def complete(judge: Judge, roster: Roster, wish: Wish) -> Completed:
    """Legal squads that hold the roster; the roster must be understood (no problems).

    Few copies of each card are tried first: a squad that spends all that may be spent is the best there is. Where they
    do not reach that far, more are tried.
    """
    squad = resolve(roster, judge.pack)
    for copies, carried in zip(COPIES, CARRIED, strict=True):
        task = CompletionModel(judge, squad, wish, copies, carried)
        for switch in task.wants():
            task.model.program.clause([switch.literal])
        first = task.machine.solve(task.aim, wish.seed)
        found = SquadSearch(task, first.values) if first.values is not None else None
        last = copies == COPIES[-1] or not task.capped
        if found is not None and (last or found.full):
            outcomes = list(found.squads())
            if last or len(outcomes) == wish.count:
                return Completed(tuple(outcomes), found.full or (first.proved and not task.capped))
        if last:
            break
    return Completed(proved=first.proved, conflict=why_not(judge, roster, wish))


def why_not(judge: Judge, roster: Roster, wish: Wish) -> Conflict:
    """The smallest set of rules, picks and wishes that cannot all hold."""
    task = CompletionModel(judge, resolve(roster, judge.pack), wish, switched=True)
    switches = [*task.wants(), *task.limits()]
    for part in [part for part in task.model.parts() if part.was]:
        switches += staying(task.model, part)
    switches += [Switch("rule", literal, rule) for rule, literal in task.rules.switches.items()]
    return smallest(task.machine, switches)


COPIES, CARRIED = (2, 5, 12), (1, 2, 3)
"""How many copies of a card may be added, and how many of one to a model: tried one after another."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the player asks for: cards to have, cards to leave out, copies owned (None: any), all spent."""

    want: tuple[str, ...] = ()
    avoid: frozenset[str] = frozenset()
    own: Mapping[str, int] | None = None
    exact: bool = False
    count: int = 1
    seed: int = 0


@dataclass
class CompletionModel:
    """One task: the model with up to `copies` of each card that may be added (`carried` of one to a model) and the
    rules as rows. `capped` are the cards of which the rules alone would let more in."""

    judge: Judge
    squad: Squad
    wish: Wish
    copies: int = COPIES[-1]
    carried: int = CARRIED[-1]
    switched: bool = False
    capped: set[str] = field(default_factory=set, init=False)
    model: DecisionModel = field(init=False)
    rules: RuleProgram = field(init=False)
    machine: Machine = field(init=False)

    def __post_init__(self) -> None:
        evaluator = self.judge.evaluator
        self.model = DecisionModel(self.squad, evaluator.domains, keep=not self.switched)
        self._additions()
        self.rules = RuleProgram(self.model, evaluator, switched=self.switched, keep=not self.switched)
        self.machine = Machine(self.model.program)
        self._owned()

    def _additions(self) -> None:
        """Every card that may be added, as often as it may be; attachments to old and new models."""
        pack, evaluator = self.judge.pack, self.judge.evaluator
        bare = resolve(self.squad.roster.model_copy(update={"entries": (), "deck": ()}), pack)
        squad = bare if self.switched else self.squad
        chooser = Chooser(squad, evaluator)
        for _, card in sorted(pack.cards.items()):
            source = SOURCE_OF.get(pack.role(card))
            if source is Source.ENTRIES:
                least, most = line_sizes(card, squad, evaluator)
                pick = replace(added(card, source, None, squad), count=least, each=least)
                fits = self._copies(card, chooser.ceiling(pick) * least, self.copies * least)
                self.model.add_entry(card, fits // least, most)
            elif source is Source.DECK:
                fits = self._copies(card, chooser.ceiling(added(card, source, None, squad)), self.copies)
                if fits:
                    self.model.add_deck(card, fits)
        rooms: dict[tuple[str, str], int] = {}
        for line in self.model.lines:
            self._carry(line, chooser, rooms)

    def _carry(self, line: DecisionLine, chooser: Chooser, rooms: dict[tuple[str, str], int]) -> None:
        """What a line may be given: as much as the rules let it have; `rooms` remembers it for models without load."""
        pack, bearer = self.judge.pack, line.entry.pick
        if self.switched:
            bearer = replace(bearer, line=len(chooser.squad.roster.entries))
        for _, card in sorted(pack.cards.items()):
            if pack.role(card) is not Role.ATTACHMENT:
                continue
            key = (bearer.card.id, card.id)
            if key not in rooms or not (self.switched or not line.entry.was):
                place = Pick(card, Source.ATTACHMENTS, (*bearer.path, "attachments", 0), bearer.line, bearer.count, 1,
                             bearer=bearer)  # fmt: skip
                rooms[key] = chooser.ceiling(place)
            self.model.add_attachment(card, line, self._copies(card, rooms[key], self.carried))

    def _copies(self, card: Card, fits: int, cap: int) -> int:
        """How many copies of an addition are worth a variable."""
        name = card.id
        if name in self.wish.avoid and not self.switched:
            return 0
        owned = self.wish.own.get(name, 0) if self.wish.own is not None and not self.switched else fits
        if min(fits, owned) > cap:
            self.capped.add(name)
        return max(0, min(cap, owned, fits))

    def _owned(self) -> None:
        """No more copies of a card than the player owns, what the squad has already counted."""
        if self.wish.own is None or self.switched:
            return
        for card, terms in self.by_card().items():
            self.model.program.add(terms, high=max(self.wish.own.get(card, 0), self._there(card)))

    def limits(self) -> list[Switch]:
        """What is avoided and what is owned as literals: each avoided card, each wanted one, all others as one."""
        program, own = self.model.program, self.wish.own
        terms, made = self.by_card(), []
        for card in sorted(self.wish.avoid & terms.keys()):
            made.append(Switch("avoid", program.var(), card))
            program.add(terms[card], high=self._there(card), when=(made[-1].literal,))
        if own is None:
            return made
        rest = Switch("own", program.var(), "")
        for card in terms:
            switch = Switch("own", program.var(), card) if card in self.wish.want else rest
            made += [switch] if switch is not rest else []
            program.add(terms[card], high=max(own.get(card, 0), self._there(card)), when=(switch.literal,))
        return [*made, rest]

    def _there(self, card: str) -> int:
        return sum(pick.count for pick in self.squad.picks(Source.ALL) if pick.card.id == card)

    def by_card(self, new: bool = False) -> dict[str, list[Term]]:
        """The copies of each card, as terms; with `new` only of those that may be added."""
        found: dict[str, list[Term]] = {}
        for part in self.model.parts():
            if not (new and part.was):
                found.setdefault(part.pick.card.id, []).append((part.many, 1))
        return found

    @property
    def priced(self) -> bool:
        """True if the cards of the game cost anything."""
        return any(card.cost for card in self.judge.pack.cards.values())

    @cached_property
    def scale(self) -> int:
        """What makes all costs whole numbers."""
        return next((n for n in (1, 2, 4, 10, 100) if all((cost * n) % 1 == 0 for _, cost in self.model.cost())), 1000)

    @cached_property
    def aim(self) -> list[tuple[int, int]]:
        """What is to be spent: the cost in whole numbers; the number of models in a game without costs."""
        if not self.priced:
            return [(line.entry.many, 1) for line in self.model.lines]
        return [(var, round(cost * self.scale)) for var, cost in self.model.cost()]

    def wants(self) -> list[Switch]:
        """The wishes as literals."""
        program, made = self.model.program, []
        for card in self.wish.want:
            literal = program.var()
            program.add(self.by_card().get(card, []), low=1, when=(literal,))
            made.append(Switch("want", literal, card))
        if self.wish.exact:
            allowed = spending(self.squad, self.judge.evaluator).allowed
            literal = program.var()
            if allowed is not None:
                program.add(self.model.cost(), low=allowed, high=allowed, when=(literal,))
            made.append(Switch("exact", literal, f"{allowed:g}" if allowed is not None else ""))
        return made


EFFORT = 0.25
"""How long the seed's likes are followed, in the solver's own time, which is the same on every machine."""


class SquadSearch:
    """Different squads of one task, by what they hold of each card, the largest spending first."""

    def __init__(self, task: CompletionModel, first: tuple[int, ...]) -> None:
        self.task = task
        self.program = task.model.program
        self.first = first
        self.most = self._spent(first)
        self.counts = task.by_card(new=True)
        self.chance = random.Random(task.wish.seed)

    @property
    def full(self) -> bool:
        """True if nothing more can be spent whatever is added."""
        task = self.task
        if not task.priced:
            return False
        allowed = spending(task.squad, task.judge.evaluator).allowed
        dear = [part for part in task.model.parts() if part.pick.card.cost]
        every = all(self.first[part.many] == self.program.ranges[part.many][1] for part in dear)
        capped = any(part.pick.card.id in task.capped for part in dear)
        return (every and not capped) or (allowed is not None and self.most >= allowed * task.scale)

    def _spent(self, values: tuple[int, ...]) -> int:
        return sum(factor * values[var] for var, factor in self.task.aim)

    def squads(self) -> Iterator[SolvedRoster]:
        """The squads, each judged before it is given; as many as are wished for."""
        task, aim = self.task, self.task.aim
        values: tuple[int, ...] | None = self.first
        found = 0
        while values is not None and found < task.wish.count:
            spent = self._spent(values)
            self.program.add(aim, high=spent)
            values = self._tidy(self._nicest(spent, values))
            made = solved(task.model, task.rules.ties, values)
            if task.judge.check(made.roster, repaired=False).legal:
                found += 1
                yield made
            self._cut(values)
            if found < task.wish.count:
                values = task.machine.solve(aim, task.wish.seed).values

    def _nicest(self, spent: int, values: tuple[int, ...]) -> tuple[int, ...]:
        """Among the squads that spend so much one that the seed likes; the one there is if time is too short.

        No card is worth a choice that need not be made.
        """
        likes = {card: self.chance.randint(0, 9) for card in sorted(self.counts)}
        liked = [(var, likes[card]) for card, terms in sorted(self.counts.items()) for var, _ in terms]
        liked += [(var, -20) for var in self.task.model.chosen()]
        gate = self.program.var()
        self.program.add(self.task.aim, low=spent, when=(gate,))
        found = self.task.machine.solve(liked, self.task.wish.seed, (gate,), effort=EFFORT, hint=values).values
        return found or values

    def _tidy(self, values: tuple[int, ...]) -> tuple[int, ...]:
        """The same squad with nothing chosen that need not be."""
        chosen = self.task.model.chosen()
        if not any(values[var] for var in chosen):
            return values
        gate = self.program.var()
        for part in self.task.model.parts():
            self.program.add([(part.many, 1)], values[part.many], values[part.many], when=(gate,))
        found = self.task.machine.solve([(var, -1) for var in chosen], assume=(gate,), hint=values).values
        return found or values

    def _cut(self, values: tuple[int, ...]) -> None:
        """From now on some card comes in another number."""
        program, differ = self.program, []
        for terms in self.counts.values():
            now = sum(values[var] for var, _ in terms)
            less, more = program.var(), program.var()
            program.add(terms, high=now - 1, when=(less,))
            program.add(terms, low=now + 1, when=(more,))
            differ += [less, more]
        program.clause(differ)
