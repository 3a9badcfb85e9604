"""One task of completing: the model of a squad with all that may be added to it, and the rules and wishes as rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from builder.model.card import Card
from builder.model.linear import Term
from builder.model.pack import Role
from builder.model.rules import Source
from builder.roster.resolve import SOURCE_OF, Pick, Squad, added, resolve
from builder.rules.choices import Chooser, line_sizes
from builder.rules.decision_model import DecisionModel, Line
from builder.rules.judge import Judge, spending
from builder.solver.conflict import Switch
from builder.solver.cpsat import Machine
from builder.solver.translation import Translation

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
    rules: Translation = field(init=False)
    machine: Machine = field(init=False)

    def __post_init__(self) -> None:
        evaluator = self.judge.evaluator
        self.model = DecisionModel(self.squad, evaluator.domains, keep=not self.switched)
        self._additions()
        self.rules = Translation(self.model, evaluator, switched=self.switched, keep=not self.switched)
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

    def _carry(self, line: Line, chooser: Chooser, rooms: dict[tuple[str, str], int]) -> None:
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
