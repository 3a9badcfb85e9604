"""Find how many more of each card may be added, and the violations that forbid more.

Each rule computes how many more cards it allows, without checking whole rosters. A limit divides
the remaining amount by that of the card. Slots are matched again, and a host is tested once.
Property tests compare the results with the checker.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from builder.model.base import DataPath
from builder.model.card import Card
from builder.model.rules import Source
from builder.roster.resolve import (
    SOURCE_BY_ROLE,
    SelectedCard,
    Squad,
    add_card,
    make_addition,
    make_test_selections,
)
from builder.rules.evaluate import Evaluator
from builder.rules.forms.base import RuleForm
from builder.rules.violation import Violation

MAX_COUNTED_COPIES = 99
"""Copies above which any number counts as unlimited."""
MAX_CHOICES_PER_STEP = 60
"""Combinations of choices that are tried at one step for one card."""
MAX_LINE_SIZE = 12
"""Models on a new line, if no rule limits them."""


@dataclass(frozen=True)
class Option:
    """A card that may be added at one position in the squad, and how many copies.

    `line` is the entry that would have it as an attachment, -1 for an entry of its own or the deck.
    `more` copies may be added, None for any number. `bundle` of them form a line. `refuse` finds
    why no more are possible, when that is needed. `then` is what an added copy would still need,
    `choices` are made for it, `place` is its path.
    """

    card: Card
    source: Source
    line: int
    more: int | None
    refuse: Callable[[], tuple[Violation, ...]] = field(
        default=tuple, repr=False, compare=False
    )
    then: tuple[Violation, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    bundle: int = 1
    place: DataPath = ()

    @cached_property
    def refusals(self) -> tuple[Violation, ...]:
        """The violations that adding one more copy would cause."""
        return self.refuse()


@dataclass(frozen=True, slots=True)
class Consequences:
    """The effects of adding a card on rules that do not limit this card itself.

    `then` are violations that further additions can fix. `refusals` forbid the addition. `max_more`
    limits its copies.
    """

    then: tuple[Violation, ...]
    refusals: tuple[Violation, ...]
    max_more: int


class Chooser:
    """Finds the cards that may be added to one squad."""

    def __init__(self, squad: Squad, evaluator: Evaluator) -> None:
        self.squad = squad
        self.evaluator = evaluator
        self.pack = evaluator.pack
        self.domains = evaluator.domains
        self.forms: list[RuleForm] = []
        self.dormant_forms: list[RuleForm] = []
        for form in evaluator.find_error_forms(squad.params):
            if form.is_in_force(squad):
                self.forms.append(form)
            else:
                self.dormant_forms.append(form)
        # rules about hosts refuse most cards and are quick, so they are asked first
        self.quickest_forms = sorted(
            self.forms, key=lambda form: not form.is_about_host
        )
        self.limits = {form: form.make_addition_limit(squad) for form in self.forms}

    def list_cards(self) -> Iterator[str]:
        """Yield the ids of all cards that a squad may have: entries, attachments, then the deck."""
        selected_cards = sorted(make_test_selections(self.pack).items())
        for source in (Source.ENTRIES, Source.ATTACHMENTS, Source.DECK):
            for card_id, selected in selected_cards:
                if selected.source is source:
                    yield card_id

    def list_options(self) -> Iterator[Option]:
        """Yield every card of the pack for each position where it may be added."""
        for card_id in self.list_cards():
            yield from self.find_options(card_id) or ()

    def find_options(self, card_id: str) -> tuple[Option, ...] | None:
        """Return the positions where one card may be added. None if no roster may have it."""
        card = self.pack.cards[card_id]
        source = SOURCE_BY_ROLE.get(self.pack.find_role(card))
        if source is None:
            return None
        if source is Source.ATTACHMENTS:
            return tuple(
                self.make_option(card, source, host) for host in self.squad.entries
            )
        if source is Source.ENTRIES:
            return self.find_entry_options(card)
        return (self.make_option(card, source),)

    def make_option(
        self, card: Card, source: Source, host: SelectedCard | None = None
    ) -> Option:
        """Return the option to add one card at one position, before any choices are made."""
        selected = make_addition(card, source, host, self.squad)
        if source is Source.ENTRIES:
            size, _max_size = find_entry_sizes(card, self.squad, self.evaluator)
            selected = replace(selected, count=size, copies_per_model=size)
        return self.evaluate_addition(selected)

    def find_entry_options(self, card: Card) -> tuple[Option, ...]:
        """Return the ways to add a card as an entry, each with the choices it needs.

        These are no choices, or the fewest that make it legal. If it is always refused, these are
        the ways that the fewest rules refuse.
        """
        plain_option = self.make_option(card, Source.ENTRIES)
        # Refusals of rules that depend on no choice remain whatever is chosen.
        names_by_rule = self.domains.names_by_rule
        refusing_rules = [violation.rule for violation in plain_option.refusals]
        fixed_rules = {rule for rule in refusing_rules if not names_by_rule[rule]}
        size = plain_option.bundle
        addition = make_addition(card, Source.ENTRIES, None, self.squad)
        addition = replace(addition, count=size, copies_per_model=size)
        options, tried_options = [plain_option], [plain_option]
        # Breadth first: each step makes one choice more, so that the fewest choices are found.
        for _step in range(len(self.domains.names) + 1):
            permitted = [
                option for option in options if _is_refused_only_by(option, fixed_rules)
            ]
            if permitted and fixed_rules:
                # the card is refused anyway, so its choices would explain nothing
                return (replace(permitted[0], choices={}),)
            if permitted:
                return tuple(permitted)
            next_choices = self._find_next_choices(options, fixed_rules)
            options = []
            for choices in next_choices[:MAX_CHOICES_PER_STEP]:
                options.append(
                    self.evaluate_addition(replace(addition, choices=choices))
                )
            tried_options += options
        return (plain_option,) if fixed_rules else _select_least_refused(tried_options)

    def _find_next_choices(
        self, options: Sequence[Option], fixed_rules: Set[str]
    ) -> list[Mapping[str, str]]:
        """Return the sets of choices to try next: each one of the options plus one more choice."""
        next_choices: list[Mapping[str, str]] = []
        for option in options:
            for name in self._find_refused_choices(option, fixed_rules):
                for value in self.domains.list_values(name, option.card, self.squad):
                    choices = {**option.choices, name: value}
                    # sorted, so that two orders of choosing give one combination
                    choices = dict(sorted(choices.items()))
                    if choices not in next_choices:
                        next_choices.append(choices)
        return next_choices

    def _find_refused_choices(self, option: Option, fixed_rules: Set[str]) -> list[str]:
        """Return the names of open choices that may make a refused card legal.

        Empty if one of these rules tests no choice.
        """
        names = set()
        for violation in option.refusals:
            if violation.rule in fixed_rules:
                continue
            rule_names = self.domains.names_by_rule[violation.rule]
            if not rule_names:
                return []
            names |= rule_names
        return sorted(names - option.choices.keys())

    def count_max_copies(self, selected: SelectedCard) -> int:
        """Return an upper limit for the copies of a card, whatever else is chosen or added."""
        max_more = MAX_COUNTED_COPIES
        for form in self.forms:
            depends_on_choices = bool(self.domains.names_by_rule[form.rule.id])
            # Such rules may allow more after another choice or addition, so they set no limit here.
            if not (depends_on_choices or form.not_exists or form.can_permit_more):
                max_more = min(max_more, self.count_further_copies(form, selected))
        return max_more

    def evaluate_addition(self, selected: SelectedCard) -> Option:
        """Return how many copies of this card may be added, with the reasons if none may be."""
        more = MAX_COUNTED_COPIES
        for form in self.quickest_forms:
            more = min(more, self.count_further_copies(form, selected))
            if more < 1:
                break
        consequences = Consequences((), (), MAX_COUNTED_COPIES)
        if more > 0:
            consequences = self.find_consequences(selected)
            more = 0 if consequences.refusals else min(more, consequences.max_more)
        bundle = selected.count if selected.source is Source.ENTRIES else 1
        refuse: Callable[[], tuple[Violation, ...]] = tuple
        if not more:
            # most refusals are never read, and to find them takes long
            refuse = partial(self._find_refusals, selected, consequences.refusals)
        return Option(
            card=selected.card,
            source=selected.source,
            line=selected.host.line if selected.host is not None else -1,
            more=more * bundle if more < MAX_COUNTED_COPIES else None,
            refuse=refuse,
            then=consequences.then,
            choices=selected.choices,
            bundle=bundle,
            place=selected.path,
        )

    def _find_refusals(
        self, selected: SelectedCard, refusals: tuple[Violation, ...]
    ) -> tuple[Violation, ...]:
        """Return the violations that forbid adding the card.

        First those of rules that the card puts in force, else those of rules that allow no more.
        """
        if refusals:
            return refusals
        refusing_forms = [
            form for form in self.forms if self.count_further_copies(form, selected) < 1
        ]
        return tuple(
            self.limits[form].make_refusal(selected) for form in refusing_forms
        )

    def count_further_copies(self, form: RuleForm, selected: SelectedCard) -> int:
        """Return how many more copies of the card one rule allows, at most MAX_COUNTED_COPIES."""
        # the card ends the rule by being there
        if form.not_exists is not None and form.not_exists.matches_card(selected):
            return MAX_COUNTED_COPIES
        return min(self.limits[form].count_further_copies(selected), MAX_COUNTED_COPIES)

    def find_consequences(self, selected: SelectedCard) -> Consequences:
        """Check the rules that the card puts in force or that then need further cards."""
        grown = add_card(self.squad, selected)
        then = []
        refusals = []
        max_more = MAX_COUNTED_COPIES
        for form in self.dormant_forms:
            if form.is_in_force(grown):
                for violation in form.find_violations(grown):
                    if form.is_fixed_by_additions(violation):
                        then.append(violation)
                    else:
                        refusals.append(violation)
                # the addition itself is one, and its limit is that of the squad with it
                more = form.make_addition_limit(grown).count_further_copies(selected)
                max_more = min(max_more, 1 + more)
        for form in self.forms:
            if (
                form.needs_more_cards
                and not form.is_about_host
                and form.is_in_force(grown)
            ):
                # what was wrong before is not due to the addition
                is_worse = self.limits[form].is_worse
                new_violations = filter(is_worse, form.find_violations(grown))
                then += filter(form.is_fixed_by_additions, new_violations)
        return Consequences(tuple(then), tuple(refusals), max_more)


def _select_least_refused(options: Sequence[Option]) -> tuple[Option, ...]:
    """Return the options that break the fewest rules."""
    min_refusals = min(len(option.refusals) for option in options)
    return tuple(option for option in options if len(option.refusals) == min_refusals)


def _is_refused_only_by(option: Option, rules: Set[str]) -> bool:
    return all(violation.rule in rules for violation in option.refusals)


def find_entry_sizes(card: Card, squad: Squad, evaluator: Evaluator) -> tuple[int, int]:
    """Return the minimum and maximum number of models that make sense in a new entry.

    They are (1, 1) if no rule asks for more.
    """
    addition = make_addition(card, Source.ENTRIES, None, squad)
    min_size = 1
    is_exact = False
    linked_size = 1
    for form in evaluator.find_error_forms(squad.params):
        needed_size = form.find_needed_entry_size(addition, squad)
        linked_size = max(linked_size, min(MAX_COUNTED_COPIES, needed_size))
        for kind, bound in form.find_entry_bounds(addition, squad.params):
            if kind != "max" and bound.value > min_size:
                min_size = math.ceil(bound.value)
                is_exact = kind == "exactly"
    if is_exact:
        return min_size, min_size
    # cost steps by line or by size make a line of several models cheaper or dearer than several
    # lines
    costs_depend_on_lines = any(
        steps.by != "copy" for steps in squad.cost_steps.get(card.kind, ())
    )
    if min_size == 1 and not costs_depend_on_lines:
        return 1, linked_size
    return min_size, max(min_size, MAX_LINE_SIZE, linked_size)
