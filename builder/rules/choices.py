"""What may be added to a squad as it stands: how many more of each card, and for each refusal the rule and its count.

Every rule is asked what one more pick would do, without judging whole rosters: a limit has its room divided by what
the pick adds, slots are matched again, a bearer is asked once. Property tests hold the answers to the judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from builder.findings import Severity
from builder.model.base import Path
from builder.model.card import Card
from builder.model.rules import Source
from builder.roster.resolve import Pick, Squad
from builder.rules.bundle import bundled, rank
from builder.rules.evaluate import Evaluator, Form
from builder.rules.forms.counting import Counter
from builder.rules.forms.placing import Placer
from builder.rules.forms.relations import Permit, refuse
from builder.rules.room import Room
from builder.rules.tables import OF_ROLE
from builder.rules.violation import Violation
from builder.rules.ways import ways_of

MOST = 99
"""More copies than this are not told apart from any number."""
WIDE = 60
"""Ways of choosing that are tried at one step for one card."""
LATER = frozenset({"min", "no-target", "unnamed", "overfull", "needs"})
"""Ways of breaking a rule that a further addition or a named tie can mend: no reason to refuse a card."""


@dataclass(frozen=True, slots=True)
class Option:
    """One card that the pack has, for a place in the squad.

    `line` is the entry that would carry it (-1 for an entry of its own or the deck). `more` is how many copies may be
    added, None for any number; they come `bundle` to a line. `refusals` say why there is no further one; `then` what
    an added one would still need; `choices` what is chosen for it; `place` where it would stand.
    """

    card: Card
    source: Source
    line: int
    more: int | None
    refusals: tuple[Violation, ...] = ()
    then: tuple[Violation, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    bundle: int = 1
    place: Path = ()


class Chooser:
    """The choices of one squad."""

    def __init__(self, squad: Squad, evaluator: Evaluator) -> None:
        self.squad = squad
        self.evaluator = evaluator
        self.forms = [
            (rule, form)
            for rule, form in evaluator.rules
            if rule.severity is Severity.ERROR and evaluator.applies(rule, squad)
        ]
        self.sleeping = [
            (index, rule)
            for index, (rule, _) in enumerate(evaluator.rules)
            if rule.severity is Severity.ERROR and rule.when is not None and rule.when.exists is not None
            if not evaluator.applies(rule, squad)
        ]
        self.rooms = {id(form): Room(form, squad) for _, form in self.forms if isinstance(form, Counter)}
        self.before = {(rule.id, item.group, item.kind): item.actual for rule, form in self.forms
                       for item in form.judge(squad)}  # fmt: skip
        self.loads = {entry.line: squad.carried(entry) for entry in squad.entries}
        self.ways = ways_of(evaluator)
        self.bundled = bundled(evaluator)

    def options(self) -> Iterator[Option]:
        """Every card at every place where its kind may stand, entries first, in the order of the pack's cards."""
        for source in (Source.ENTRIES, Source.ATTACHMENTS, Source.DECK):
            for _, card in sorted(self.evaluator.pack.cards.items()):
                if OF_ROLE.get(self.evaluator.pack.role(card)) is not source:
                    continue
                if source is Source.ENTRIES:
                    yield from self.chosen(card)
                    continue
                bearers = self.squad.entries if source is Source.ATTACHMENTS else (None,)
                yield from (self.option(card, source, bearer) for bearer in bearers)

    def option(self, card: Card, source: Source, bearer: Pick | None = None) -> Option:
        """One card at one place, with nothing chosen for it."""
        pick = added(card, source, bearer, self.squad)
        if source is Source.ENTRIES and self.bundled:
            least, _ = rank(card, self.squad, self.evaluator)
            pick = replace(pick, count=least, each=least)
        return self.of(pick)

    def chosen(self, card: Card) -> tuple[Option, ...]:
        """A card as an entry: as it is or, where that is refused, with the fewest choices that let it in, each way.

        Where no way of choosing does, the ways that the fewest rules refuse. What a choice mends is no refusal.
        """
        plain = self.option(card, Source.ENTRIES)
        fixed = {item.rule for item in plain.refusals if not self.ways.of_rule[item.rule]}
        pick = added(card, Source.ENTRIES, None, self.squad)
        pick = replace(pick, count=plain.bundle, each=plain.bundle)
        level, tried = [plain], [plain]
        for _ in range(len(self.ways.names) + 1):
            found = [option for option in level if all(item.rule in fixed for item in option.refusals)]
            if found:
                return tuple(found) if not fixed else (replace(found[0], choices={}),)
            seen: list[Mapping[str, str]] = []
            for option in level:
                seen += [way for way in self._further(option, fixed) if way not in seen]
            level = [self.of(replace(pick, choices=way)) for way in seen[:WIDE]]
            tried += level
        if fixed:
            return (plain,)
        fewest = min(len(option.refusals) for option in tried)
        return tuple(option for option in tried if len(option.refusals) == fewest)

    def _further(self, option: Option, fixed: Set[str]) -> Iterator[Mapping[str, str]]:
        """The ways of choosing one thing more, of what the refusing rules ask about; `fixed` ask about nothing."""
        asked = [self.ways.of_rule[item.rule] for item in option.refusals if item.rule not in fixed]
        if all(asked):
            for name in sorted(frozenset().union(*asked) - option.choices.keys()):
                for value in self.ways.values(name, self.squad):
                    yield dict(sorted([*option.choices.items(), (name, value)]))

    def ceiling(self, pick: Pick) -> int:
        """No more such picks than this fit whatever is chosen, tied or added besides."""
        forms = (form for rule, form in self.forms if not self.ways.of_rule[rule.id])
        return min((self.room(form, pick) for form in forms), default=MOST)

    def of(self, pick: Pick) -> Option:
        """One pick that may be added."""
        more, refusals = MOST, []
        for _, form in self.forms:
            room = self.room(form, pick)
            if room < 1:
                refusals.append(self.refusal(form, pick))
            more = min(more, room)
        then: tuple[Violation, ...] = ()
        if not refusals:
            then, blocked, room = self.consequences(pick)
            more = min(more, room)
            if blocked:
                more, refusals = 0, list(blocked)
        line = pick.bearer.line if pick.bearer is not None else -1
        bundle = pick.count if pick.source is Source.ENTRIES else 1
        many = more * bundle if more < MOST else None
        return Option(pick.card, pick.source, line, many, tuple(refusals), then, pick.choices, bundle, pick.path)

    def room(self, form: Form, pick: Pick) -> int:
        """How many more such picks one rule has room for, at most MOST."""
        if isinstance(form, Counter):
            return min(self.rooms[id(form)].more(pick), MOST)
        if isinstance(form, Permit):
            return self._permitted(form, pick)
        if isinstance(form, Placer):
            return self._fitting(form, pick)
        return MOST

    def _permitted(self, form: Permit, pick: Pick) -> int:
        """No more than none where the bearer may not carry it."""
        if pick.bearer is None or not form.selector.takes(pick):
            return MOST
        return MOST if form.permits(pick, pick.bearer) else 0

    def _fitting(self, form: Placer, pick: Pick) -> int:
        """How many more fit into the bearer's slots beside what is there."""
        bearer = pick.bearer
        if bearer is None or not form.selector.takes(pick):
            return MOST
        load = [(item.card, item.slot) for item in self.loads.get(bearer.line, ()) if form.selector.takes(item)]
        was = len(form.place(bearer.card, load).left)
        for many in range(1, len(form.slots(bearer.card)) + 2):
            load.append((pick.card, None))
            if len(form.place(bearer.card, load).left) > was:
                return many - 1
        return MOST

    def _worse(self, item: Violation) -> bool:
        """True if a violation was not there before, or is further from its bound now."""
        was = self.before.get((item.rule, item.group, item.kind))
        return was is None or item.actual != was

    def refusal(self, form: Form, pick: Pick) -> Violation:
        """Why a rule has no room for one more such pick."""
        if isinstance(form, Counter):
            return self.rooms[id(form)].refusal(pick)
        if isinstance(form, Permit):
            assert pick.bearer is not None
            return refuse(form.rule, "not-allowed", pick, (pick.bearer,))
        worse = (item for item in form.judge(grow(self.squad, pick)) if item.kind not in LATER)
        return next(item for item in worse if self._worse(item) or isinstance(form, Placer))

    def consequences(self, pick: Pick) -> tuple[tuple[Violation, ...], tuple[Violation, ...], int]:
        """What the squad would need once the pick is in; what a rule that it wakes refuses, and that rule's room."""
        grown = grow(self.squad, pick)
        woken = {id(form) for index, rule in self.sleeping for _, form in [self.evaluator.rules[index]]
                 if self.evaluator.applies(rule, grown)}  # fmt: skip
        then, blocked, room = [], [], MOST
        for rule, form in self.evaluator.rules:
            if id(form) in woken:
                found = list(form.judge(grown))
                then += [item for item in found if later(item)]
                blocked += [item for item in found if not later(item)]
                if isinstance(form, Counter):
                    room = min(room, 1 + Room(form, grown).more(pick))
            elif isinstance(form, Permit | Placer) or (isinstance(form, Counter) and not self.rooms_need(form)):
                continue
            elif rule.severity is Severity.ERROR and self.evaluator.applies(rule, grown):
                then += [item for item in form.judge(grown) if later(item) and self._worse(item)]
        return tuple(then), tuple(blocked), room

    def rooms_need(self, form: Counter) -> bool:
        """True if a limit may lack something in a group that a new pick opens."""
        rule = form.rule
        return rule.per != "roster" and (rule.min is not None or rule.exactly is not None)


def later(item: Violation) -> bool:
    """True if further additions can mend it."""
    if item.kind == "exactly":
        return item.bound is not None and item.actual < item.bound.value
    return item.kind in LATER


def added(card: Card, source: Source, bearer: Pick | None, squad: Squad) -> Pick:
    """The pick that an addition would make."""
    if bearer is not None:
        entries = squad.roster.entries
        held = len(entries[bearer.line].attachments) if bearer.line < len(entries) else 0
        place = (*bearer.path, "attachments", held)
        return Pick(card, source, place, bearer.line, bearer.count, 1, bearer=bearer)
    if source is Source.DECK:
        return Pick(card, source, ("deck", len(squad.roster.deck)), -1, 1, 1)
    line = len(squad.roster.entries)
    return Pick(card, source, ("entries", line), line, 1, 1)


def grow(squad: Squad, pick: Pick, many: int = 1) -> Squad:
    """The squad with a pick added so many times, each on a line of its own."""
    first = pick.path[-1]
    assert isinstance(first, int)
    picks: Sequence[Pick] = [
        replace(pick, path=(*pick.path[:-1], first + number),
                line=pick.line + number if pick.source is Source.ENTRIES else pick.line)
        for number in range(many)
    ]  # fmt: skip
    if pick.source is Source.ENTRIES:
        return replace(squad, entries=(*squad.entries, *picks))
    if pick.source is Source.ATTACHMENTS:
        return replace(squad, attachments=(*squad.attachments, *picks))
    return replace(squad, deck=(*squad.deck, *picks))
