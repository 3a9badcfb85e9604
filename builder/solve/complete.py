"""Complete a half-built squad: the legal squads that hold all of it and spend the most, one after another."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from builder.model.pack import Role
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.resolve import Pick, Squad, resolve
from builder.rules.bundle import rank
from builder.rules.choices import Chooser, Option, added, grow
from builder.rules.judge import Judge
from builder.rules.spending import spending
from builder.solve.conflict import Conflict, Switch, smallest
from builder.solve.cpsat import solve
from builder.solve.draft import Draft, Line, Part
from builder.solve.program import Term
from builder.solve.result import Outcome, outcome
from builder.solve.translate import Translation
from builder.solve.variants import entries

COPIES, CARRIED = 12, 3
"""How many copies of a card that nothing limits may be added, and how many of one to a model."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the player asks for: cards to have, cards to leave out, copies owned (None: any), all spent."""

    want: tuple[str, ...] = ()
    avoid: frozenset[str] = frozenset()
    own: Mapping[str, int] | None = None
    exact: bool = False
    count: int = 1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Completed:
    """The squads found, best first; `proved` if none can spend more than the first. `conflict` where there is none."""

    outcomes: tuple[Outcome, ...] = ()
    proved: bool = True
    conflict: Conflict | None = None


@dataclass
class Desk:
    """One task: the draft with every addition that may be of use, and the rules as rows."""

    judge: Judge
    squad: Squad
    wish: Wish
    switched: bool = False
    draft: Draft = field(init=False)
    rules: Translation = field(init=False)

    def __post_init__(self) -> None:
        self.draft = Draft(self.squad, keep=not self.switched)
        self._additions()
        self.rules = Translation(self.draft, self.judge.evaluator, switched=self.switched)
        self._stated()
        self._owned()

    def _additions(self) -> None:
        """Every card that may be added, as often as it may be; attachments to old and new models."""
        base = resolve(self.squad.roster.model_copy(update={"entries": (), "deck": ()}), self.judge.pack)
        squad = base if self.switched else self.squad
        chooser = Chooser(squad, self.judge.evaluator)
        for option in list(chooser.options()):
            if option.source is Source.ENTRIES:
                for variant in entries(option.card, self.squad, chooser):
                    self._entries(variant, squad)
            elif option.source is Source.DECK and (copies := self._copies(option, COPIES)):
                self.draft.add_deck(option.card, copies)
        for line in [line for line in self.draft.lines if line.entry.was]:
            bearer = line.entry.pick
            own = Chooser(grow(base, bearer), self.judge.evaluator) if self.switched else chooser
            self._carry(line, own, own.squad.entries[-1] if self.switched else bearer)

    def _entries(self, option: Option, squad: Squad) -> None:
        """New lines of one card with what they may carry; no more models than may be added."""
        least, most = rank(option.card, squad, self.judge.evaluator)
        lines = self._copies(option, COPIES * least) // least
        made = self.draft.add_entry(option.card, lines, option.choices, most)
        pick = replace(added(option.card, Source.ENTRIES, None, squad), choices=option.choices)
        chooser = Chooser(grow(squad, pick), self.judge.evaluator)
        for line in made:
            self._carry(line, chooser, chooser.squad.entries[-1])

    def _carry(self, line: Line, chooser: Chooser, bearer: Pick) -> None:
        """What a line may be given: as much as the chooser's squad lets the bearer have."""
        for card in self.judge.pack.cards.values():
            if self.judge.pack.role(card) is Role.ATTACHMENT:
                copies = self._copies(chooser.option(card, Source.ATTACHMENTS, bearer), CARRIED)
                self.draft.add_attachment(card, line, copies)

    def _copies(self, option: Option, cap: int) -> int:
        """How many copies of an addition are worth a variable."""
        name = option.card.id
        if name in self.wish.avoid and not self.switched:
            return 0
        owned = self.wish.own.get(name, 0) if self.wish.own is not None and not self.switched else cap
        return max(0, min(cap, owned, cap if option.more is None else option.more))

    def _stated(self) -> None:
        """A tie that the player named stays, where a rule asks about it."""
        for bond in self.rules.bonds.bonds.values():
            if bond.stated is not None and not self.switched:
                self.draft.program.add([(bond.targets[bond.stated], 1)], low=1)

    def _owned(self) -> None:
        """No more copies of a card than the player owns, what the squad has already counted."""
        if self.wish.own is None or self.switched:
            return
        for card, terms in self.by_card().items():
            self.draft.program.add(terms, high=max(self.wish.own.get(card, 0), self._there(card)))

    def limits(self) -> list[Switch]:
        """What is avoided and what is owned as literals: each avoided card, each wanted one, all others as one."""
        program, own = self.draft.program, self.wish.own
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
        for part in self.draft.parts():
            if not (new and part.was):
                found.setdefault(part.pick.card.id, []).append((part.many, 1))
        return found

    @property
    def aim(self) -> list[tuple[int, int]]:
        """What is to be spent: the cost in whole numbers; the number of models in a game without costs."""
        if not any(card.cost for card in self.judge.pack.cards.values()):
            return [(line.entry.many, 1) for line in self.draft.lines]
        scale = next((n for n in (1, 2, 4, 10, 100) if all((cost * n) % 1 == 0 for _, cost in self.draft.cost())), 1000)
        return [(var, round(cost * scale)) for var, cost in self.draft.cost()]

    def wants(self) -> list[Switch]:
        """The wishes as literals."""
        program, made = self.draft.program, []
        for card in self.wish.want:
            literal = program.var()
            program.add(self.by_card().get(card, []), low=1, when=(literal,))
            made.append(Switch("want", literal, card))
        if self.wish.exact:
            allowed = spending(self.squad, self.judge.evaluator).allowed
            literal = program.var()
            if allowed is not None:
                program.add(self.draft.cost(), low=allowed, high=allowed, when=(literal,))
            made.append(Switch("exact", literal, f"{allowed:g}" if allowed is not None else ""))
        return made


def complete(judge: Judge, roster: Roster, wish: Wish) -> Completed:
    """Legal squads that hold the roster; the roster must be understood (no problems)."""
    desk = Desk(judge, resolve(roster, judge.pack), wish)
    for switch in desk.wants():
        desk.draft.program.add([(switch.literal, 1)], low=1)
    first = solve(desk.draft.program, desk.aim, wish.seed)
    if first.values is None:
        return Completed(proved=first.proved, conflict=why_not(judge, roster, wish))
    return Completed(tuple(_several(desk, first.values)), first.proved)


def _several(desk: Desk, first: tuple[int, ...]) -> Iterator[Outcome]:
    """Different squads, by what they hold of each card, the largest spending first; each judged before it is given."""
    program, wish, aim = desk.draft.program, desk.wish, desk.aim
    chance = random.Random(wish.seed)
    counts = desk.by_card(new=True)
    values: tuple[int, ...] | None = first
    found = 0
    while values is not None and found < wish.count:
        spent = sum(factor * values[var] for var, factor in aim)
        program.add(aim, high=spent)
        likes = {card: chance.randint(0, 9) for card in sorted(counts)}
        liked = [(var, likes[card]) for card, terms in sorted(counts.items()) for var, _ in terms]
        nearest = _liked(desk, spent, liked)
        values = nearest or values
        made = outcome(desk.draft, desk.rules.bonds, values)
        if desk.judge.check(made.roster, mend=False).legal:
            found += 1
            yield made
        _cut(desk, values, counts)
        if found < wish.count:
            values = solve(program, aim, wish.seed).values


def _liked(desk: Desk, spent: int, liked: list[tuple[int, int]]) -> tuple[int, ...] | None:
    """Among the squads that spend so much one that the seed likes; None if time is too short."""
    rows = len(desk.draft.program.rows)
    desk.draft.program.add(desk.aim, low=spent)
    values = solve(desk.draft.program, liked, desk.wish.seed, seconds=0.5).values
    del desk.draft.program.rows[rows:]
    return values


def _cut(desk: Desk, values: tuple[int, ...], counts: Mapping[str, list[Term]]) -> None:
    """From now on some card comes in another number."""
    program, differ = desk.draft.program, []
    for terms in counts.values():
        now = sum(values[var] for var, _ in terms)
        less, more = program.var(), program.var()
        program.add(terms, high=now - 1, when=(less,))
        program.add(terms, low=now + 1, when=(more,))
        differ += [(less, 1), (more, 1)]
    program.add(differ, low=1)


def why_not(judge: Judge, roster: Roster, wish: Wish) -> Conflict:
    """The smallest set of rules, picks and wishes that cannot all hold."""
    desk = Desk(judge, resolve(roster, judge.pack), wish, switched=True)
    switches = [*desk.wants(), *desk.limits()]
    program = desk.draft.program
    for part in [part for part in desk.draft.parts() if part.was]:
        switches += copies(desk.draft, part)
    switches += [Switch("rule", literal, rule) for rule, literal in desk.rules.switches.items()]
    return smallest(program, switches)


def copies(draft: Draft, part: Part) -> list[Switch]:
    """One demand for each copy of a part to stay; an attachment stays on all copies of its line or on none."""
    carried = part.pick.source is Source.ATTACHMENTS
    path, card, many = part.pick.path, part.pick.card.id, 1 if carried else part.was
    made = [Switch("pick", draft.program.var(), card, path) for _ in range(many)]
    terms = [(part.on if carried else part.many, 1), *((item.literal, -1) for item in made)]
    draft.program.add(terms, low=0)
    return made
