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
from builder.rules.decision_model import RowWriter
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
    """The limit of one rule on additions to one squad.

    It is found by checking the squad with the addition. Most forms have a faster subclass.
    """

    def __init__(self, form: "RuleForm", squad: Squad) -> None:
        self.form = form
        self.squad = squad

    @cached_property
    def amounts_before(self) -> dict[tuple[str, str], float]:
        """The amounts of the squad's violations, by group and kind."""
        amounts = {}
        for violation in self.form.find_violations(self.squad):
            amounts[violation.group, violation.kind] = violation.actual
        return amounts

    def is_worse(self, violation: Violation) -> bool:
        """Return True if a violation is new, or its amount has changed."""
        amount = self.amounts_before.get((violation.group, violation.kind))
        return amount is None or violation.actual != amount

    def count_more(self, selected: SelectedCard) -> int:
        """Return how many more such cards the rule allows; entries count as separate lines."""
        return UNLIMITED if self._find_refusal(selected) is None else 0

    def make_refusal(self, selected: SelectedCard) -> Violation:
        """Return the violation that one more such card would cause."""
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
    """No limit: a further addition or a named link always satisfies the rule."""

    def count_more(self, selected: SelectedCard) -> int:
        """Return UNLIMITED."""
        return UNLIMITED


class RuleForm(ABC):
    """One rule of a pack, compiled."""

    rule: Rule
    link: str = ""
    """The link that the rule requires."""
    sets_line_size = False
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
        """Return True if the rule may be in force for these parameters."""
        if self.rule.when is None:
            return True
        for name, allowed in self.rule.when.params.items():
            allowed_values = allowed if isinstance(allowed, tuple) else (allowed,)
            if params.get(name) not in allowed_values:
                return False
        return True

    def is_in_force(self, squad: Squad) -> bool:
        """Return True if the rule is in force for this squad."""
        if not self.can_apply(squad.params):
            return False
        if self.exists is not None and not self.exists.select_from(squad):
            return False
        return self.not_exists is None or not self.not_exists.select_from(squad)

    # -- checking
    @abstractmethod
    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Yield everything in the squad that breaks the rule."""

    def make_violation(
        self,
        kind: str,
        group: str,
        counted: tuple[Counted, ...],
        actual: float,
        bound: DerivedBound | None = None,
        subject: Counted | None = None,
    ) -> Violation:
        """Return one violation of the rule."""
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
        self, kind: str, subject: SelectedCard, others: tuple[SelectedCard, ...] = ()
    ) -> Violation:
        """Return a violation about one card. It counts the others, or else the card itself."""
        counted = tuple(map(count_card, others)) or (count_card(subject),)
        group = ".".join(str(part) for part in subject.path)
        return self.make_violation(
            kind, group, counted, len(others), None, count_card(subject)
        )

    def is_fixed_by_additions(self, violation: Violation) -> bool:
        """Return True if further additions can fix a violation."""
        return violation.kind in self.kinds_fixed_by_additions

    # -- texts
    @abstractmethod
    def format_sentence(self, names: Names) -> str:
        """Return the rule's requirement, without its `when` condition and the full stop."""

    @abstractmethod
    def format_message(self, violation: Violation, names: Names) -> str:
        """Return the message: actual value, bound, its derivation, and the counted cards."""

    def name_group(
        self, group: str, names: Names, name_line: Callable[[int], str]
    ) -> str:
        """Return the name of a group; `name_line` names a line of the roster."""
        return name_line(int(group))

    # -- what it depends on
    def list_conditions(self) -> Iterator[Where]:
        """Yield all conditions of the rule and its cards, outer conditions before inner ones."""
        yield from find_conditions(self.rule)

    def describe_card(self, card: str) -> str:
        """Return the conditions that a card itself adds to the rule, as text; empty if none."""
        return ""

    # -- which squads may break it
    def make_trigger(self, params: Params) -> CheckTrigger:
        """Return the condition under which the rule must be checked in full."""
        # without the card that puts the rule in force, nothing can break it
        if self.exists is not None:
            return make_presence_trigger(self.exists.select)
        return self.make_card_trigger(params)

    def make_card_trigger(self, params: Params) -> CheckTrigger:
        """Return the condition for a full check of a rule that needs no card to be in force."""
        return AlwaysChecked()

    def allows_load(self, host: SelectedCard, load: Sequence[SelectedCard]) -> bool:
        """Return True if the rule allows a host these attachments, judged by them alone."""
        return True

    # -- choices
    @property
    def can_loosen(self) -> bool:
        """True if the addition of one card may permit another card."""
        return False

    def make_addition_limit(self, squad: Squad) -> AdditionLimit:
        """Return the limit on additions to a squad."""
        return self.limit_class(self, squad)

    def find_headroom(self, squad: Squad) -> Iterator[Headroom]:
        """Yield the distance of each group to each bound; nothing for a rule without a number."""
        yield from ()

    def find_removals(
        self, violation: Violation, place: DataPath, card: Card
    ) -> tuple[Removals, ...]:
        """Return sets of removals. Each set alone would permit a refused card at a place."""
        return ()

    def is_broken_alone(
        self, violation: Violation, place: DataPath, copies: int = 1
    ) -> bool:
        """Return True if one copy of a refused card breaks the rule without any other card."""
        return False

    def find_line_bounds(
        self, selected: SelectedCard, params: Params
    ) -> Iterator[tuple[str, DerivedBound]]:
        """Yield the bounds of the number of models on one line: kind and bound."""
        yield from ()

    def find_cost_limits(self, params: Params) -> Iterator[float]:
        """Yield the upper limits on the cost of the whole squad."""
        yield from ()

    def find_placement(self, squad: Squad) -> dict[DataPath, tuple[str, ...]]:
        """Return the slots of each attachment, by its path."""
        return {}

    def needs_slot(self, selected: SelectedCard) -> bool:
        """Return True if the rule assigns slots to an attachment."""
        return False

    def assign_links(self, squad: Squad) -> CopyTargets:
        """Return the target of each copy of an entry by the rule's link."""
        return {}

    # -- repairs
    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Yield changes that may fix a violation, likely ones first."""
        yield from remove_subject(violation)
        for item in violation.counted:
            yield (remove_copies(item, item.count),)

    # -- solving
    @abstractmethod
    def write_rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """Write the rule as rows, in force where all literals of `when` hold."""

    def make_candidate_test(self, weak: bool) -> CandidateTest:
        """Return the test whether a card helps to satisfy the rule.

        With `weak` the test ignores all conditions on choices.
        """
        if self.is_about_host:
            return lambda _selected, _trigger_cards: False
        selector = self.make_selector(self.rule.select, weak)
        return lambda selected, _trigger_cards: selector.matches_card(selected)

    def find_needed_copies(self, squad: Squad) -> Iterator[int]:
        """Yield how many copies of a card the rule may require."""
        yield 1

    def find_needed_line_size(self, selected: SelectedCard, squad: Squad) -> int:
        """Return how many models a new line of a card may need because of the squad."""
        return 1

    @staticmethod
    def make_selector(select: Select, weak: bool) -> Selector:
        """Return a compiled selection; with `weak` without its conditions on choices."""
        return Selector(weaken_select(select) if weak else select)


def make_presence_trigger(select: Select) -> CheckedIfPresent:
    """Return the trigger: a card that may be selected, on any host and with any choices."""
    by_card = select.model_copy(
        update={"where": keep_static_part(select.where), "bearer": None}
    )
    return CheckedIfPresent(Selector(by_card).matches_card)


def count_card(selected: SelectedCard, amount: float | None = None) -> Counted:
    """Return a card as an item of a violation; its amount is the number of copies by default."""
    counted_amount = selected.count if amount is None else amount
    return Counted(selected.path, selected.card.id, counted_amount, selected.count)
