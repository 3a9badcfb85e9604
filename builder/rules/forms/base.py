"""The interface of a rule for checker, choices, repairs, solver and texts.

A form is one subclass in a module of its own, registered in `builder.rules.evaluate.FORMS`. The
defaults are safe: the rule is always checked in full, and an addition is tried by checking the
squad with it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import ClassVar, TypeAlias

from builder.messages import gettext as _
from builder.model.base import DataPath
from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.rules import Rule, Select, Where
from builder.roster.resolve import SelectedCard, Squad, add_card
from builder.rules.bounds import DerivedBound, Params
from builder.rules.candidates import Candidate, Removals, remove_copies, remove_subject
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import ConstraintWriter
from builder.rules.link_assignment import CopyTargets
from builder.rules.names import Names
from builder.rules.query import (
    Selector,
    find_conditions,
    keep_static_part,
    weaken_select,
)
from builder.rules.rule_index import AlwaysChecked, CheckedIfPresent, CheckTrigger
from builder.rules.violation import Counted, Headroom, Violation

CandidateTest: TypeAlias = Callable[[SelectedCard, Sequence[SelectedCard]], bool]
"""True if a card could satisfy a rule that these other cards may break."""
UNLIMITED = 1_000_000
"""Stands for any number of additions."""


class AdditionLimit:
    """Says how many more copies of a card one rule allows in one squad.

    It is found by checking the squad with the addition. Most forms have a faster subclass.
    """

    def __init__(self, form: "RuleForm", squad: Squad) -> None:
        self.form = form
        self.squad = squad

    @cached_property
    def amounts_before(self) -> dict[tuple[str, str], float]:
        """The amounts of the squad's violations before the addition, by group and kind."""
        amounts = {}
        for violation in self.form.find_violations(self.squad):
            amounts[violation.group, violation.kind] = violation.actual
        return amounts

    def is_worse(self, violation: Violation) -> bool:
        """Return True if the violation is new, or its amount differs from before."""
        amount = self.amounts_before.get((violation.group, violation.kind))
        return amount is None or violation.actual != amount

    def count_further_copies(self, selected: SelectedCard) -> int:
        """Return how many more copies of the card the rule allows.

        Copies of an entry count as separate lines.
        """
        return UNLIMITED if self._find_refusal(selected) is None else 0

    def make_refusal(self, selected: SelectedCard) -> Violation:
        """Return the violation that one more copy of the card would cause."""
        violation = self._find_refusal(selected)
        assert violation is not None
        return violation

    def _find_refusal(self, selected: SelectedCard) -> Violation | None:
        for violation in self.form.find_violations(add_card(self.squad, selected)):
            if not self.form.is_fixed_by_additions(violation) and self.is_worse(
                violation
            ):
                return violation
        return None


class NoAdditionLimit(AdditionLimit):
    """No limit: whatever such a rule requires can be added later."""

    def count_further_copies(self, selected: SelectedCard) -> int:
        """Return UNLIMITED, because such a rule never forbids another copy."""
        return UNLIMITED


class RuleForm(ABC):
    """A rule of a pack, compiled. Each type of rule is one subclass."""

    rule: Rule
    link: str = ""
    """The link that the rule requires."""
    sets_entry_size = False
    """True if several models on a line may be needed to satisfy the rule."""
    needs_more_cards = True
    """True if an added card may break the rule until another one is added."""
    is_about_host: ClassVar[bool] = False
    """True if the rule only limits which host may have a card, so that it needs no card."""
    no_removal_message: ClassVar[str] = _("no removal would help")
    """The message if no removal helps; empty for no message."""
    limit_class: ClassVar[type[AdditionLimit]] = AdditionLimit
    """The class of the limit on additions."""
    kinds_fixed_by_additions: ClassVar[frozenset[str]] = frozenset()
    """Kinds of violation that a further addition or a named link can fix.

    They are no reason to refuse a card.
    """

    def __init__(self, rule: Rule, pack: Pack) -> None:
        self.rule = rule
        self.pack = pack
        self.selector = Selector(rule.select)
        self.exists: Selector | None = None
        self.not_exists: Selector | None = None
        if rule.when is not None and rule.when.exists is not None:
            self.exists = Selector(rule.when.exists)
        if rule.when is not None and rule.when.not_exists is not None:
            self.not_exists = Selector(rule.when.not_exists)

    # -- when it is in force
    def can_apply(self, params: Params) -> bool:
        """Return True if the rule may be in force for these roster parameters."""
        if self.rule.when is None:
            return True
        for name, allowed in self.rule.when.params.items():
            allowed_values = allowed if isinstance(allowed, tuple) else (allowed,)
            if params.get(name) not in allowed_values:
                return False
        return True

    def is_in_force(self, squad: Squad) -> bool:
        """Return True if the rule applies to this squad."""
        if not self.can_apply(squad.params):
            return False
        if self.exists is not None and not self.exists.select_from(squad):
            return False
        return self.not_exists is None or not self.not_exists.select_from(squad)

    # -- checking
    @abstractmethod
    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Yield each way in which the squad breaks the rule."""

    def make_violation(
        self,
        kind: str,
        group: str,
        counted: tuple[Counted, ...],
        actual: float,
        bound: DerivedBound | None = None,
        subject: Counted | None = None,
    ) -> Violation:
        """Return a violation of this rule with its title, source and hint."""
        rule = self.rule
        return Violation(
            rule=rule.id,
            title=rule.title,
            source=rule.source,
            severity=rule.severity,
            kind=kind,
            group=group,
            counted=counted,
            actual=actual,
            bound=bound,
            subject=subject,
            hint=rule.hint or None,
        )

    def make_refusal(
        self,
        kind: str,
        subject: SelectedCard,
        counted_cards: tuple[SelectedCard, ...] = (),
    ) -> Violation:
        """Return the violation that one card may not be where it is."""
        counted = tuple(map(count_card, counted_cards)) or (count_card(subject),)
        group = ".".join(str(part) for part in subject.path)
        return self.make_violation(
            kind, group, counted, len(counted_cards), None, count_card(subject)
        )

    def is_fixed_by_additions(self, violation: Violation) -> bool:
        """Return True if adding further cards can fix the violation."""
        return violation.kind in self.kinds_fixed_by_additions

    # -- texts
    @abstractmethod
    def format_sentence(self, names: Names) -> str:
        """Return what the rule requires, without its `when` condition and the full stop."""

    @abstractmethod
    def format_message(self, violation: Violation, names: Names) -> str:
        """Return the error message: the actual number, the allowed one, and the cards counted."""

    def name_group(
        self, group_key: str, names: Names, name_line: Callable[[int], str]
    ) -> str:
        """Return the name of a group of counted cards.

        By default it is a line of the roster, named by `name_line`.
        """
        return name_line(int(group_key))

    # -- what it depends on
    def list_conditions(self) -> Iterator[Where]:
        """Yield all conditions of the rule and of its cards, outer ones first."""
        yield from find_conditions(self.rule)

    def describe_card(self, card_id: str) -> str:
        """Return the conditions that a card adds to the rule, as text, or "" if none."""
        return ""

    # -- which squads may break it
    def make_trigger(self, params: Params) -> CheckTrigger:
        """Return the quick test whether a squad needs a full check by this rule."""
        # without the card that puts the rule in force, nothing can break it
        if self.exists is not None:
            return make_presence_trigger(self.exists.select)
        return self.make_card_trigger(params)

    def make_card_trigger(self, params: Params) -> CheckTrigger:
        """Return the quick test of a rule that is in force for every squad."""
        return AlwaysChecked()

    def allows_attachments(
        self, host: SelectedCard, attachments: Sequence[SelectedCard]
    ) -> bool:
        """Return True if the rule allows a host these attachments, whatever else it has."""
        return True

    # -- choices
    @property
    def can_permit_more(self) -> bool:
        """True if adding one card can make the rule allow another card."""
        return False

    def make_addition_limit(self, squad: Squad) -> AdditionLimit:
        """Return the object that says how many cards the rule still allows in a squad."""
        return self.limit_class(self, squad)

    def find_headroom(self, squad: Squad) -> Iterator[Headroom]:
        """Yield how far each group of cards is from each bound.

        Nothing for a rule without numbers.
        """
        yield from ()

    def find_removals(
        self, violation: Violation, card_path: DataPath, card: Card
    ) -> tuple[Removals, ...]:
        """Return sets of removals. Each set alone would make room for a refused card."""
        return ()

    def is_broken_alone(
        self, violation: Violation, card_path: DataPath, copies: int = 1
    ) -> bool:
        """Return True if one copy of the refused card breaks the rule, whatever else is there."""
        return False

    def find_entry_bounds(
        self, selected: SelectedCard, params: Params
    ) -> Iterator[tuple[str, DerivedBound]]:
        """Yield the bounds on the number of models in one entry, each with its kind."""
        yield from ()

    def find_cost_limits(self, params: Params) -> Iterator[float]:
        """Yield the limits that the rule sets for the cost of the whole squad."""
        yield from ()

    def find_attachment_slots(self, squad: Squad) -> dict[DataPath, tuple[str, ...]]:
        """Return the types of the slots that each attachment uses, by its path."""
        return {}

    def needs_slot(self, selected: SelectedCard) -> bool:
        """Return True if the rule gives this attachment a slot."""
        return False

    def assign_links(self, squad: Squad) -> CopyTargets:
        """Return, for each copy of a linked entry, the copy that it is linked to."""
        return {}

    # -- repairs
    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Yield edits that may fix the violation, likely ones first."""
        yield from remove_subject(violation)
        for item in violation.counted:
            yield (remove_copies(item, item.count),)

    # -- solving
    @abstractmethod
    def write_constraints(
        self, writer: ConstraintWriter, when: tuple[int, ...]
    ) -> None:
        """Add the rule to the linear program, in force where all literals of `when` are true."""

    def make_candidate_test(self, ignore_choices: bool) -> CandidateTest:
        """Return a function that tells whether adding a card can help to satisfy the rule.

        With `ignore_choices` it ignores all conditions on choices.
        """
        if self.is_about_host:
            return lambda _selected, _trigger_cards: False
        selector = self.make_selector(self.rule.select, ignore_choices)
        return lambda selected, _trigger_cards: selector.matches_card(selected)

    def find_needed_copies(self, squad: Squad) -> Iterator[int]:
        """Yield numbers of copies of one card that the rule may require."""
        yield 1

    def find_needed_entry_size(self, selected: SelectedCard, squad: Squad) -> int:
        """Return how many models a new entry of the card needs to satisfy the rule."""
        return 1

    @staticmethod
    def make_selector(select: Select, ignore_choices: bool) -> Selector:
        """Compile a selection, with `ignore_choices` without its conditions on choices."""
        return Selector(weaken_select(select) if ignore_choices else select)


def make_presence_trigger(select: Select) -> CheckedIfPresent:
    """Return a quick test whether a squad has a card that may be selected."""
    by_card = select.model_copy(
        update={"where": keep_static_part(select.where), "bearer": None}
    )
    return CheckedIfPresent(Selector(by_card).matches_card)


def count_card(selected: SelectedCard, amount: float | None = None) -> Counted:
    """Return a card in the form in which violations list the cards they count.

    Its amount is the number of copies by default.
    """
    counted_amount = selected.count if amount is None else amount
    return Counted(selected.path, selected.card.id, counted_amount, selected.count)
