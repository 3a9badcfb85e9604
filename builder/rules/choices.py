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
from builder.roster.resolve import (
    SOURCE_BY_ROLE,
    SelectedCard,
    Squad,
    add_card,
    make_addition,
    select_all_cards,
)
from builder.rules.evaluate import Evaluator
from builder.rules.forms.base import RuleForm
from builder.rules.violation import Violation

MAX_COUNTED_COPIES = 99
"""More copies than this are not told apart from any number."""
MAX_CHOICES_PER_STEP = 60
"""Ways of choosing that are tried at one step for one card."""
MAX_LINE_SIZE = 12
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
            (self.forms if form.is_in_force(squad) else self.dormant).append(form)
        self.quickest = sorted(self.forms, key=lambda form: not form.is_about_host)
        self.limits = {form: form.make_addition_limit(squad) for form in self.forms}
        self.domains = evaluator.domains

    def list_cards(self) -> Iterator[str]:
        """Every card that may stand in a squad, entries first, in the order of the pack's cards."""
        picks = sorted(select_all_cards(self.pack).items())
        for source in (Source.ENTRIES, Source.ATTACHMENTS, Source.DECK):
            yield from (card for card, selected in picks if selected.source is source)

    def list_options(self) -> Iterator[Option]:
        """Every card at every place where its kind may stand."""
        return chain.from_iterable(self.find_options(card) or () for card in self.list_cards())

    def find_options(self, name: str) -> tuple[Option, ...] | None:
        """One card at every place where its kind may stand; None for one that stands in no squad."""
        card = self.pack.cards[name]
        source = SOURCE_BY_ROLE.get(self.pack.role(card))
        if source is Source.ATTACHMENTS:
            return tuple(self.make_option(card, source, host) for host in self.squad.entries)
        return (
            self.find_entry_options(card)
            if source is Source.ENTRIES
            else (self.make_option(card, source),)
            if source
            else None
        )

    def make_option(self, card: Card, source: Source, host: SelectedCard | None = None) -> Option:
        """One card at one place, with nothing chosen for it."""
        selected = make_addition(card, source, host, self.squad)
        if source is Source.ENTRIES:
            least, _ = find_line_sizes(card, self.squad, self.evaluator)
            selected = replace(selected, count=least, copies_per_model=least)
        return self.evaluate_addition(selected)

    def find_entry_options(self, card: Card) -> tuple[Option, ...]:
        """A card as an entry: as it is or, where that is refused, with the fewest choices that let it in, each way.

        Where no way of choosing does, the ways that the fewest rules refuse. What a choice mends is no refusal.
        """
        plain = self.make_option(card, Source.ENTRIES)
        fixed = {item.rule for item in plain.refusals if not self.domains.names_by_rule[item.rule]}
        selected = make_addition(card, Source.ENTRIES, None, self.squad)
        selected = replace(selected, count=plain.bundle, copies_per_model=plain.bundle)
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
            level = [
                self.evaluate_addition(replace(selected, choices=way))
                for way in seen[:MAX_CHOICES_PER_STEP]
            ]
            tried += level
        if fixed:
            return (plain,)
        fewest = min(len(option.refusals) for option in tried)
        return tuple(option for option in tried if len(option.refusals) == fewest)

    def _further(self, option: Option, fixed: Set[str]) -> Iterator[Mapping[str, str]]:
        """The ways of choosing one thing more, of what the refusing rules ask about; `fixed` ask about nothing."""
        asked = [
            self.domains.names_by_rule[item.rule]
            for item in option.refusals
            if item.rule not in fixed
        ]
        if all(asked):
            for name in sorted(frozenset().union(*asked) - option.choices.keys()):
                for value in self.domains.list_values(name, option.card, self.squad):
                    yield dict(sorted([*option.choices.items(), (name, value)]))

    def count_at_most(self, selected: SelectedCard) -> int:
        """No more such picks than this fit whatever is chosen, tied or added besides."""
        forms = (
            form
            for form in self.forms
            if not (self.domains.names_by_rule[form.rule.id] or form.not_exists or form.can_loosen)
        )
        return min((self.count_more(form, selected) for form in forms), default=MAX_COUNTED_COPIES)

    def evaluate_addition(self, selected: SelectedCard) -> Option:
        """One pick that may be added."""
        more = MAX_COUNTED_COPIES
        for form in self.quickest:
            if (more := min(more, self.count_more(form, selected))) < 1:
                break
        then: tuple[Violation, ...] = ()
        blocked: tuple[Violation, ...] = ()
        if more > 0:
            then, blocked, room = self.find_consequences(selected)
            more = 0 if blocked else min(more, room)
        refuse = tuple if more else partial(self._refusals, selected, blocked)
        line = selected.host.line if selected.host is not None else -1
        bundle = selected.count if selected.source is Source.ENTRIES else 1
        many = more * bundle if more < MAX_COUNTED_COPIES else None
        return Option(
            selected.card,
            selected.source,
            line,
            many,
            refuse,
            then,
            selected.choices,
            bundle,
            selected.path,
        )

    def _refusals(
        self, selected: SelectedCard, blocked: tuple[Violation, ...]
    ) -> tuple[Violation, ...]:
        """What no rule has room for, or what rules refuse that the pick wakes."""
        return blocked or tuple(
            self.limits[form].make_refusal(selected)
            for form in self.forms
            if self.count_more(form, selected) < 1
        )

    def count_more(self, form: RuleForm, selected: SelectedCard) -> int:
        """How many more such picks one rule has room for, at most MOST."""
        sleeps = form.not_exists is not None and form.not_exists.matches_card(selected)
        return (
            MAX_COUNTED_COPIES
            if sleeps
            else min(self.limits[form].count_more(selected), MAX_COUNTED_COPIES)
        )

    def find_consequences(
        self, selected: SelectedCard
    ) -> tuple[tuple[Violation, ...], tuple[Violation, ...], int]:
        """What the squad would need once the pick is in; what a rule that it wakes refuses, and that rule's room."""
        grown = add_card(self.squad, selected)
        then, blocked, room = [], [], MAX_COUNTED_COPIES
        for form in self.dormant:
            if form.is_in_force(grown):
                found = list(form.find_violations(grown))
                then += [item for item in found if form.is_fixed_by_additions(item)]
                blocked += [item for item in found if not form.is_fixed_by_additions(item)]
                room = min(room, 1 + form.make_addition_limit(grown).count_more(selected))
        for form in self.forms:
            if form.needs_more_cards and not form.is_about_host and form.is_in_force(grown):
                worse = self.limits[form].is_worse
                violations = form.find_violations(grown)
                then += [
                    item for item in violations if form.is_fixed_by_additions(item) and worse(item)
                ]
        return tuple(then), tuple(blocked), room


def find_line_sizes(card: Card, squad: Squad, evaluator: Evaluator) -> tuple[int, int]:
    """The fewest and the most models of a card that a new line of it is worth: (1, 1) unless a rule asks for more."""
    selected = make_addition(card, Source.ENTRIES, None, squad)
    least, exact, linked = 1, False, 1
    for form in evaluator.find_error_forms(squad.params):
        linked = max(linked, min(MAX_COUNTED_COPIES, form.find_needed_line_size(selected, squad)))
        for kind, bound in form.find_line_bounds(selected, squad.params):
            if kind != "max" and bound.value > least:
                least, exact = math.ceil(bound.value), kind == "exactly"
    together = any(steps.by != "copy" for steps in squad.cost_steps.get(card.kind, ()))
    if exact or (least == 1 and not together):
        return least, least if exact else linked
    return least, max(least, MAX_LINE_SIZE, linked)
