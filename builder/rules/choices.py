"""What may be added to a squad as it stands: how many more of each card, and for each refusal the rule and its count.

Every rule is asked what one more pick would do, without judging whole rosters: a limit has its room divided by what
the pick adds, slots are matched again, a bearer is asked once. Property tests hold the answers to the judge.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain

from builder.model.base import DataPath
from builder.model.card import Card
from builder.model.rules import Source
from builder.roster.resolve import SOURCE_OF, Pick, Squad, added, grow, picks_of
from builder.rules.evaluate import Evaluator
from builder.rules.forms.base import RuleForm
from builder.rules.violation import Violation

MOST = 99
"""More copies than this are not told apart from any number."""
WIDE = 60
"""Ways of choosing that are tried at one step for one card."""
CAP = 12
"""Models of a line at most, where nothing says how many it may hold."""


@dataclass(frozen=True)
class Option:
    """One card that the pack has, for a place in the squad.

    `line` is the entry that would carry it (-1 for an entry of its own or the deck). `more` is how many copies may be
    added, None for any number; they come `bundle` to a line. `refusals` say, when they are
    asked for, why there is no further one; `then` what an added one would still need; `choices` what is chosen for it;
    `place` where it would stand.
    """

    card: Card
    source: Source
    line: int
    more: int | None
    refuse: Callable[[], tuple[Violation, ...]] = field(default=tuple, repr=False, compare=False)
    then: tuple[Violation, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    bundle: int = 1
    place: DataPath = ()

    @cached_property
    def refusals(self) -> tuple[Violation, ...]:
        """Why there is no further one."""
        return self.refuse()


class Chooser:
    """The choices of one squad."""

    def __init__(self, squad: Squad, evaluator: Evaluator) -> None:
        self.squad = squad
        self.evaluator, self.pack = evaluator, evaluator.pack
        self.forms: list[RuleForm] = []
        self.dormant: list[RuleForm] = []
        for form in evaluator.find_error_forms(squad.params):
            (self.forms if form.applies(squad) else self.dormant).append(form)
        self.quickest = sorted(self.forms, key=lambda form: not form.about_bearer)
        self.rooms = {form: form.room(squad) for form in self.forms}
        self.domains = evaluator.domains

    def cards(self) -> Iterator[str]:
        """Every card that may stand in a squad, entries first, in the order of the pack's cards."""
        picks = sorted(picks_of(self.pack).items())
        for source in (Source.ENTRIES, Source.ATTACHMENTS, Source.DECK):
            yield from (card for card, pick in picks if pick.source is source)

    def options(self) -> Iterator[Option]:
        """Every card at every place where its kind may stand."""
        return chain.from_iterable(self.options_of(card) or () for card in self.cards())

    def options_of(self, name: str) -> tuple[Option, ...] | None:
        """One card at every place where its kind may stand; None for one that stands in no squad."""
        card = self.pack.cards[name]
        source = SOURCE_OF.get(self.pack.role(card))
        if source is Source.ATTACHMENTS:
            return tuple(self.option(card, source, bearer) for bearer in self.squad.entries)
        return (
            self.chosen(card)
            if source is Source.ENTRIES
            else (self.option(card, source),)
            if source
            else None
        )

    def option(self, card: Card, source: Source, bearer: Pick | None = None) -> Option:
        """One card at one place, with nothing chosen for it."""
        pick = added(card, source, bearer, self.squad)
        if source is Source.ENTRIES:
            least, _ = line_sizes(card, self.squad, self.evaluator)
            pick = replace(pick, count=least, each=least)
        return self.of(pick)

    def chosen(self, card: Card) -> tuple[Option, ...]:
        """A card as an entry: as it is or, where that is refused, with the fewest choices that let it in, each way.

        Where no way of choosing does, the ways that the fewest rules refuse. What a choice mends is no refusal.
        """
        plain = self.option(card, Source.ENTRIES)
        fixed = {item.rule for item in plain.refusals if not self.domains.of_rule[item.rule]}
        pick = added(card, Source.ENTRIES, None, self.squad)
        pick = replace(pick, count=plain.bundle, each=plain.bundle)
        level, tried = [plain], [plain]
        for _ in range(len(self.domains.names) + 1):
            found = [
                option for option in level if all(item.rule in fixed for item in option.refusals)
            ]
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
        asked = [
            self.domains.of_rule[item.rule] for item in option.refusals if item.rule not in fixed
        ]
        if all(asked):
            for name in sorted(frozenset().union(*asked) - option.choices.keys()):
                for value in self.domains.values(name, option.card, self.squad):
                    yield dict(sorted([*option.choices.items(), (name, value)]))

    def ceiling(self, pick: Pick) -> int:
        """No more such picks than this fit whatever is chosen, tied or added besides."""
        forms = (
            form
            for form in self.forms
            if not (self.domains.of_rule[form.rule.id] or form.not_exists or form.loosened)
        )
        return min((self.room(form, pick) for form in forms), default=MOST)

    def of(self, pick: Pick) -> Option:
        """One pick that may be added."""
        more = MOST
        for form in self.quickest:
            if (more := min(more, self.room(form, pick))) < 1:
                break
        then: tuple[Violation, ...] = ()
        blocked: tuple[Violation, ...] = ()
        if more > 0:
            then, blocked, room = self.consequences(pick)
            more = 0 if blocked else min(more, room)
        refuse = tuple if more else partial(self._refusals, pick, blocked)
        line = pick.bearer.line if pick.bearer is not None else -1
        bundle = pick.count if pick.source is Source.ENTRIES else 1
        many = more * bundle if more < MOST else None
        return Option(
            pick.card, pick.source, line, many, refuse, then, pick.choices, bundle, pick.path
        )

    def _refusals(self, pick: Pick, blocked: tuple[Violation, ...]) -> tuple[Violation, ...]:
        """What no rule has room for, or what rules refuse that the pick wakes."""
        return blocked or tuple(
            self.rooms[form].refusal(pick) for form in self.forms if self.room(form, pick) < 1
        )

    def room(self, form: RuleForm, pick: Pick) -> int:
        """How many more such picks one rule has room for, at most MOST."""
        sleeps = form.not_exists is not None and form.not_exists.takes(pick)
        return MOST if sleeps else min(self.rooms[form].more(pick), MOST)

    def consequences(self, pick: Pick) -> tuple[tuple[Violation, ...], tuple[Violation, ...], int]:
        """What the squad would need once the pick is in; what a rule that it wakes refuses, and that rule's room."""
        grown = grow(self.squad, pick)
        then, blocked, room = [], [], MOST
        for form in self.dormant:
            if form.applies(grown):
                found = list(form.judge(grown))
                then += [item for item in found if form.later(item)]
                blocked += [item for item in found if not form.later(item)]
                room = min(room, 1 + form.room(grown).more(pick))
        for form in self.forms:
            if form.asks_more and not form.about_bearer and form.applies(grown):
                worse = self.rooms[form].worse
                then += [item for item in form.judge(grown) if form.later(item) and worse(item)]
        return tuple(then), tuple(blocked), room


def line_sizes(card: Card, squad: Squad, evaluator: Evaluator) -> tuple[int, int]:
    """The fewest and the most models of a card that a new line of it is worth: (1, 1) unless a rule asks for more."""
    pick = added(card, Source.ENTRIES, None, squad)
    least, exact, linked = 1, False, 1
    for form in evaluator.find_error_forms(squad.params):
        linked = max(linked, min(MOST, form.needed_line_size(pick, squad)))
        for kind, bound in form.line_bounds(pick, squad.params):
            if kind != "max" and bound.value > least:
                least, exact = math.ceil(bound.value), kind == "exactly"
    together = any(steps.by != "copy" for steps in squad.cost_steps.get(card.kind, ()))
    if exact or (least == 1 and not together):
        return least, least if exact else linked
    return least, max(least, CAP, linked)
