"""What the program knows of a rule, whatever its form: all that judge, choices, repairs, solver and words ask of one.

A form is one subclass in a module of its own, registered in `builder.rules.evaluate.FORMS`. What it leaves undefined is
answered on the safe side: the rule is always judged in full, and a pick is tried by judging the squad with it.
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
from builder.rules.query import Selector, find_conditions, keep_static_part, weaken_select
from builder.rules.rule_index import AlwaysChecked, CheckedIfPresent, Watch
from builder.rules.violation import Counted, Headroom, Violation

WantedTest: TypeAlias = Callable[[SelectedCard, Sequence[SelectedCard]], bool]
"""May a rule want a pick, where these picks that it selects ask for something?"""


UNLIMITED = 1_000_000
"""Stands for any number."""


class AdditionLimit:
    """The room of one rule in one squad, found by judging the squad with the pick in it; forms know quicker ways."""

    def __init__(self, form: "RuleForm", squad: Squad) -> None:
        self.form = form
        self.squad = squad

    @cached_property
    def amounts_before(self) -> dict[tuple[str, str], int | float]:
        """What is measured where the rule is broken already, by group and kind."""
        return {
            (item.group, item.kind): item.actual for item in self.form.find_violations(self.squad)
        }

    def is_worse(self, item: Violation) -> bool:
        """True if a violation was not there before, or is another number from its bound now."""
        was = self.amounts_before.get((item.group, item.kind))
        return was is None or item.actual != was

    def count_more(self, selected: SelectedCard) -> int:
        """How many more such picks fit, each on a line of its own where it is an entry."""
        return UNLIMITED if self._refused(selected) is None else 0

    def make_refusal(self, selected: SelectedCard) -> Violation:
        """The violation that one more such pick would be."""
        found = self._refused(selected)
        assert found is not None
        return found

    def _refused(self, selected: SelectedCard) -> Violation | None:
        grown = self.form.find_violations(add_card(self.squad, selected))
        return next(
            (
                item
                for item in grown
                if not self.form.is_fixed_by_additions(item) and self.is_worse(item)
            ),
            None,
        )


class NoAdditionLimit(AdditionLimit):
    """The room of a rule that one more pick never breaks for good: a further one, or a tie that is named, mends it."""

    def count_more(self, selected: SelectedCard) -> int:
        """Any number."""
        return UNLIMITED


class RuleForm(ABC):
    """One rule of a pack, compiled."""

    rule: Rule
    link: str = ""
    """The tie that the rule demands."""
    sets_line_size = False
    """True if the rule may want several models to a line."""
    needs_more_cards = True
    """True if a pick that comes in may need another one because of the rule."""
    is_about_host: ClassVar[bool] = False
    """True if the rule is about who may carry a card, and so wants none."""
    no_removal_message: ClassVar[str] = _("no removal would help")
    """What is said where nothing in the squad could make room; empty where there is nothing to say."""
    limit_class: ClassVar[type[AdditionLimit]] = AdditionLimit
    """What finds the room for further picks."""
    kinds_fixed_by_additions: ClassVar[frozenset[str]] = frozenset()
    """Kinds of violation that a further addition or a named tie can mend: no reason to refuse a card."""

    def __init__(self, rule: Rule, pack: Pack) -> None:
        self.rule = rule
        self.pack = pack
        self.selector = Selector(rule.select)
        exists = rule.when.exists if rule.when is not None else None
        not_exists = rule.when.not_exists if rule.when is not None else None
        self.exists = Selector(exists) if exists is not None else None
        self.not_exists = Selector(not_exists) if not_exists is not None else None

    # -- when it is in force
    def can_apply(self, params: Params) -> bool:
        """True if the rule may be in force for these parameters."""
        asked = self.rule.when.params if self.rule.when is not None else {}
        return all(
            params.get(name) in (wanted if isinstance(wanted, tuple) else (wanted,))
            for name, wanted in asked.items()
        )

    def is_in_force(self, squad: Squad) -> bool:
        """True if the rule is in force for this squad."""
        woken = self.exists is None or bool(self.exists.select_from(squad))
        return (
            self.can_apply(squad.params)
            and woken
            and (self.not_exists is None or not self.not_exists.select_from(squad))
        )

    # -- judging
    @abstractmethod
    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Everything in the squad that breaks the rule."""

    def make_violation(
        self,
        kind: str,
        group: str,
        counted: tuple[Counted, ...],
        actual: int | float,
        bound: DerivedBound | None = None,
        subject: Counted | None = None,
        candidates: tuple[str, ...] = (),
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
            candidates=candidates,
            hint=rule.hint or None,
        )

    def make_refusal(
        self,
        kind: str,
        subject: SelectedCard,
        others: tuple[SelectedCard, ...] = (),
        candidates: tuple[str, ...] = (),
    ) -> Violation:
        """A violation about one pick."""
        names = tuple(map(count_card, others)) or (count_card(subject),)
        group = ".".join(str(part) for part in subject.path)
        return self.make_violation(
            kind, group, names, len(others), None, count_card(subject), candidates
        )

    def is_fixed_by_additions(self, violation: Violation) -> bool:
        """True if further additions can mend it."""
        return violation.kind in self.kinds_fixed_by_additions

    # -- words
    @abstractmethod
    def format_sentence(self, names: Names) -> str:
        """What the rule demands, without the condition under which it is in force and without a full stop."""

    @abstractmethod
    def format_message(self, violation: Violation, names: Names) -> str:
        """What is wrong: actual against bound, how the bound came about, what was counted."""

    def name_group(self, group: str, names: Names, line: Callable[[int], str]) -> str:
        """A group of the headroom by name; `line` names a line of the roster."""
        return line(int(group))

    # -- what it hangs on
    def list_conditions(self) -> Iterator[Where]:
        """Every condition of the rule, and of the cards it reads, each with those inside it."""
        yield from find_conditions(self.rule)

    def describe_card(self, card: str) -> str:
        """What a card itself adds to the rule, as text; empty if nothing."""
        return ""

    # -- which squads may break it
    def make_watch(self, params: Params) -> Watch:
        """Return when the rule must be judged in full."""
        if self.exists is not None:
            return make_presence_watch(self.exists.select)
        return self.make_card_watch(params)

    def make_card_watch(self, params: Params) -> Watch:
        """Return the same for a rule that is in force whatever the squad has."""
        return AlwaysChecked()

    def can_carry(self, host: SelectedCard, load: Sequence[SelectedCard]) -> bool:
        """True if a bearer may carry a load as far as the rule can tell from the two alone."""
        return True

    # -- choices
    @property
    def can_loosen(self) -> bool:
        """True if something that is added may make room for a pick."""
        return False

    def make_addition_limit(self, squad: Squad) -> AdditionLimit:
        """The room for further picks."""
        return self.limit_class(self, squad)

    def find_headroom(self, squad: Squad) -> Iterator[Headroom]:
        """How far each group is from breaking the rule; nothing for a rule without a number."""
        yield from ()

    def find_removals(
        self, violation: Violation, place: DataPath, card: Card
    ) -> tuple[Removals, ...]:
        """Sets of removals that would let a refused card in at a place, each enough for this rule by itself."""
        return ()

    def is_broken_alone(self, violation: Violation, place: DataPath, copies: int = 1) -> bool:
        """True if one of so many equal picks at a place is beyond the bound by itself."""
        return False

    def find_line_bounds(
        self, selected: SelectedCard, params: Params
    ) -> Iterator[tuple[str, DerivedBound]]:
        """The bounds of the models on a line by itself."""
        yield from ()

    def find_cost_limits(self, params: Params) -> Iterator[int | float]:
        """The most that a whole squad may cost."""
        yield from ()

    def find_placement(self, squad: Squad) -> dict[DataPath, tuple[str, ...]]:
        """The slots that each attachment got, by its path."""
        return {}

    def needs_slot(self, selected: SelectedCard) -> bool:
        """True if the rule finds a slot for an attachment."""
        return False

    def assign_links(self, squad: Squad) -> CopyTargets:
        """What each copy of an entry is linked to by the rule's link."""
        return {}

    # -- repairs
    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Changes that may mend a violation, likely ones first."""
        yield from remove_subject(violation)
        yield from ((remove_copies(item, item.count),) for item in violation.counted)

    # -- solving
    @abstractmethod
    def write_rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """The rule as rows, in force where all the literals of `when` hold."""

    def make_wanted_test(self, weak: bool) -> WantedTest:
        """Which picks the rule may want; with `weak` as far as that does not hang on choices."""
        if self.is_about_host:
            return lambda _pick, _asking: False
        selector = self.make_selector(self.rule.select, weak)
        return lambda selected, _asking: selector.matches_card(selected)

    def find_needed_copies(self, squad: Squad) -> Iterator[int]:
        """How many copies of a card the rule may ask for."""
        yield 1

    def find_needed_line_size(self, selected: SelectedCard, squad: Squad) -> int:
        """How many models a new line of a card may have to have because of what is there."""
        return 1

    @staticmethod
    def make_selector(select: Select, weak: bool) -> Selector:
        """A selection; with `weak` without all that hangs on choices."""
        return Selector(weaken_select(select) if weak else select)


def make_presence_watch(select: Select) -> CheckedIfPresent:
    """Return a watch for the cards that the selection may take, whoever carries them and whatever is chosen."""
    by_card = select.model_copy(update={"where": keep_static_part(select.where), "bearer": None})
    return CheckedIfPresent(Selector(by_card).matches_card)


def count_card(selected: SelectedCard, amount: int | float | None = None) -> Counted:
    """A pick as it is named in a violation."""
    return Counted(
        selected.path,
        selected.card.id,
        selected.count if amount is None else amount,
        selected.count,
    )
