"""The `requires` form: each selected card needs another card in the roster."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from builder.messages import gettext as _
from builder.model.pack import Pack
from builder.model.rules import Requires, Source
from builder.roster.operations import Add
from builder.roster.resolve import SelectedCard, Squad, make_test_selections
from builder.rules.bounds import Params
from builder.rules.candidates import Candidate, find_additions, remove_subject
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import ConstraintWriter
from builder.rules.forms.base import (
    CandidateTest,
    NoAdditionLimit,
    RuleForm,
    make_presence_trigger,
)
from builder.rules.names import Names
from builder.rules.query import (
    Selector,
    find_choices,
    make_similarity_key,
    match_always,
    weaken_select,
)
from builder.rules.rule_index import CheckTrigger
from builder.rules.violation import Violation
from builder.rules.wording import format_selection


class RequiresForm(RuleForm):
    """A rule of the type `requires`, compiled: cards that need other cards in the roster."""

    rule: Requires
    limit_class = NoAdditionLimit
    kinds_fixed_by_additions = frozenset({"needs"})

    def __init__(self, rule: Requires, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.needs = Selector(rule.needs)
        self.choice_names = find_choices(rule.needs)

    @cached_property
    def can_need_itself(self) -> bool:
        """True if a card can need a second copy of itself."""
        selector = Selector(weaken_select(self.rule.select))
        needed = Selector(weaken_select(self.rule.needs))
        for selected in make_test_selections(self.pack).values():
            if not (
                selector.matches_source(selected) and needed.matches_source(selected)
            ):
                continue
            is_needed = needed.where_matches(selected, selected)
            if is_needed and selector.where_matches(selected, None):
                return True
        return False

    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Yield a violation for each card that has too few of the cards it needs.

        The other copies on its own line count too.
        """
        first_cards: dict[tuple[str, ...], SelectedCard] = {}
        copies: dict[tuple[str, ...], int] = {}
        for selected in squad.list_cards(self.needs.source):
            key = self._make_key(selected)
            first_cards.setdefault(key, selected)
            copies[key] = copies.get(key, 0) + selected.count
        counts = {}
        for selected in self.selector.select_from(squad):
            key = self._make_key(selected)
            # similar cards have the same answer, so that a large squad is quick to check
            if key not in counts:
                counts[key] = 0
                for other_key, first_card in first_cards.items():
                    if self.needs.matches_card(first_card, selected):
                        # a copy is not its own answer
                        counts[key] += copies[other_key] - (
                            1 if other_key == key else 0
                        )
            if counts[key] < self.rule.count:
                yield replace(self.make_refusal("needs", selected), actual=counts[key])

    def _make_key(self, selected: SelectedCard) -> tuple[str, ...]:
        return (selected.source, *make_similarity_key(selected, self.choice_names))

    def format_sentence(self, names: Names) -> str:
        """Return a sentence that says which cards need which others."""
        form = _("{select} require in the roster: {needs}")
        if self.can_need_itself:
            form = _("{select} require another card in the roster: {needs}")
        select = format_selection(self.rule.select, names)
        needs = format_selection(self.rule.needs, names)
        sentence = names.translate(_(form, select=select, needs=needs))
        if self.rule.count == 1:
            return sentence
        minimum = names.translate(_("at least {count} of them", count=self.rule.count))
        return f"{sentence}; {minimum}"

    def format_message(self, violation: Violation, names: Names) -> str:
        """Return the error message: the card, and the cards that it lacks."""
        form = _("{subject} needs {needs}, but there is none")
        if self.rule.count > 1:
            form = _("{subject} needs {count} of {needs}, but there are {actual}")
        elif self.can_need_itself:
            form = _("{subject} needs another one of {needs}, but there is none")
        return names.translate(
            _(
                form,
                subject=names.name_subject(violation),
                needs=format_selection(self.rule.needs, names),
                count=self.rule.count,
                actual=f"{violation.actual:g}",
            )
        )

    def make_card_trigger(self, params: Params) -> CheckTrigger:
        """Return the quick test whether a squad has a card that needs others."""
        return make_presence_trigger(self.rule.select)

    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Yield edits that add a needed card, then one that removes the card with the need."""
        subject = self._find_subject(violation, squad)
        host_matches = self.needs.host_matches or match_always
        missing = self.rule.count - int(violation.actual)
        for card, source in find_additions(self.needs, self.pack, subject):
            if source is not Source.ATTACHMENTS:
                yield (Add(card.id, source, count=missing),)
                continue
            for entry in squad.entries:
                if host_matches(entry, subject):
                    yield (Add(card.id, source, entry.line),) * missing
        yield from remove_subject(violation)

    def _find_subject(self, violation: Violation, squad: Squad) -> SelectedCard | None:
        if violation.subject is None:
            return None
        for selected in squad.list_cards(Source.ALL):
            if selected.path == violation.subject.path:
                return selected
        return None

    def write_constraints(
        self, writer: ConstraintWriter, when: tuple[int, ...]
    ) -> None:
        """Require the needed cards for each card that is present and selected."""
        program = writer.program
        for part, literal in writer.find_parts(self.selector):
            terms = []
            for other_part, matches in writer.find_parts(self.needs, part):
                terms.append((program.make_product(other_part.copies, matches), 1))
                if other_part is part:
                    # a copy is not its own answer
                    terms.append((program.make_positive(matches), -1))
            program.add_constraint(
                terms, low=self.rule.count, when=(*when, part.is_present, literal)
            )

    def make_candidate_test(self, ignore_choices: bool) -> CandidateTest:
        """Return a function that tells whether a card of the squad needs a card."""
        needed = self.make_selector(self.rule.needs, ignore_choices)

        def is_candidate(
            selected: SelectedCard, trigger_cards: Sequence[SelectedCard]
        ) -> bool:
            return any(
                needed.matches_card(selected, trigger_card)
                for trigger_card in trigger_cards
            )

        return is_candidate

    def find_needed_copies(self, squad: Squad) -> Iterator[int]:
        """Yield how many copies a card may need if it needs copies of itself."""
        yield self.rule.count + 1
