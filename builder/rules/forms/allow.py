"""The `allow` form: an attachment is allowed on a host only under conditions."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from pydantic import ValidationError

from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.linear import NO, YES
from builder.model.pack import Pack
from builder.model.rules import Allow, Ref, Where
from builder.roster.resolve import SelectedCard, Squad
from builder.rules.bounds import Params
from builder.rules.candidates import Candidate, move_subject, remove_subject
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import ConstraintWriter
from builder.rules.decision_parts import Part
from builder.rules.forms.base import (
    UNLIMITED,
    AdditionLimit,
    RuleForm,
    make_presence_trigger,
)
from builder.rules.names import Names
from builder.rules.query import CardTest, compile_condition, find_conditions, list_tests
from builder.rules.rule_index import CheckTrigger
from builder.rules.violation import Violation
from builder.rules.wording import format_condition, format_selection


class _HostLimit(AdditionLimit):
    """The number of copies that an allow rule permits on a host: any number, or 0."""

    form: "AllowForm"

    def count_further_copies(self, selected: SelectedCard) -> int:
        """Return 0 if the rule forbids the card on its host, else UNLIMITED."""
        if selected.host is None or not self.form.selector.matches_card(selected):
            return UNLIMITED
        return UNLIMITED if self.form.allows_host(selected, selected.host) else 0

    def make_refusal(self, selected: SelectedCard) -> Violation:
        """Return the violation that this host may not have the card."""
        assert selected.host is not None
        return self.form.make_refusal("not-allowed", selected, (selected.host,))


class AllowForm(RuleForm):
    """A rule of the type `allow`, compiled: which models may have an attachment."""

    rule: Allow
    limit_class = _HostLimit
    is_about_host = True
    no_removal_message = ""

    def __init__(self, rule: Allow, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.host_matches = (
            compile_condition(rule.bearer) if rule.bearer is not None else None
        )

    @cached_property
    def host_conditions(self) -> dict[str, Where]:
        """The condition on the host that each card states itself, by the card's id."""
        conditions = {}
        if self.rule.field is not None:
            for card in self.pack.cards.values():
                where = read_host_condition(card, self.rule.field)
                if where is not None:
                    conditions[card.id] = where
        return conditions

    @cached_property
    def host_tests(self) -> dict[str, CardTest]:
        """The compiled conditions of `host_conditions`, by the card's id."""
        tests = {}
        for card_id, where in self.host_conditions.items():
            tests[card_id] = compile_condition(where)
        return tests

    def allows_host(self, attachment: SelectedCard, host: SelectedCard) -> bool:
        """Return True if the host may have the attachment."""
        if self.host_matches is not None and not self.host_matches(host, attachment):
            return False
        card_test = self.host_tests.get(attachment.card.id)
        return card_test is None or card_test(host, attachment)

    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Yield a violation for each attachment on a host that may not have it."""
        for selected in squad.attachments:
            host = selected.host
            if host is None or not self.selector.matches_card(selected):
                continue
            if not self.allows_host(selected, host):
                yield self.make_refusal("not-allowed", selected, (host,))

    def format_sentence(self, names: Names) -> str:
        """Return a sentence that says which models may have the attachments."""
        host = (
            format_condition(self.rule.bearer, names)
            if self.rule.bearer is not None
            else ""
        )
        field = names.name_field(self.rule.field) if self.rule.field is not None else ""
        if not host:
            form = _("{select}: only on a model that the card itself allows ({field})")
        elif not field:
            form = _("{select}: only on a model {bearer}")
        else:
            form = _(
                "{select}: only on a model {bearer} that the card itself allows ({field})"
            )
        select = format_selection(self.rule.select, names)
        return names.translate(_(form, select=select, bearer=host, field=field))

    def format_message(self, violation: Violation, names: Names) -> str:
        """Return the message that a model cannot have a card, and the conditions it fails."""
        assert violation.subject is not None
        card = self.pack.cards[violation.subject.card]
        host = names.name_card(violation.counted[0].card)
        subject = names.name_card(card.id)
        text = names.translate(
            _("{bearer} cannot have {subject}", bearer=host, subject=subject)
        )
        conditions = []
        for where in self._list_host_conditions(card.id):
            # “the card's own faction” is shown as the faction's name
            where = resolve_references(where, card)
            conditions.append(format_condition(where, names))
        condition = " ".join(conditions)
        if condition:
            text += names.translate(_(": it needs a model {what}", what=condition))
        return text

    def _list_host_conditions(self, card_id: str) -> list[Where]:
        """Return all conditions that a host of this card must meet."""
        conditions = [] if self.rule.bearer is None else [self.rule.bearer]
        if card_id in self.host_conditions:
            conditions.append(self.host_conditions[card_id])
        return conditions

    def list_conditions(self) -> Iterator[Where]:
        """Yield all conditions of the rule and of the cards it is about."""
        yield from super().list_conditions()
        for where in self.host_conditions.values():
            yield from find_conditions(where)

    def describe_card(self, card_id: str) -> str:
        """Return the card's own condition on its host as JSON, or ""."""
        condition = self.host_conditions.get(card_id)
        return "" if condition is None else condition.model_dump_json()

    def make_card_trigger(self, params: Params) -> CheckTrigger:
        """Return the quick test whether a squad has an attachment that the rule may forbid."""
        return make_presence_trigger(self.rule.select)

    def allows_attachments(
        self, host: SelectedCard, attachments: Sequence[SelectedCard]
    ) -> bool:
        """Return True if the host may have each of these attachments."""
        selected_load = filter(self.selector.matches_card, attachments)
        return all(self.allows_host(selected, host) for selected in selected_load)

    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Yield edits that move the refused card to another entry, then one that removes it."""
        yield from move_subject(violation, squad)
        yield from remove_subject(violation)

    def write_constraints(
        self, writer: ConstraintWriter, when: tuple[int, ...]
    ) -> None:
        """Add constraints that allow an attachment only on a permitted host."""
        for part, literal in writer.find_parts(self.selector):
            clause = [
                ~part.is_present,
                ~literal,
                self._make_allowed_literal(writer, part),
            ]
            writer.program.add_clause(clause, when)

    def _make_allowed_literal(self, writer: ConstraintWriter, part: Part) -> int:
        """Return a literal that is true if the part's host may have it."""
        if part.host is None or not part.host.domains:
            # without open choices, the host's card decides now
            host = part.selected.host
            return YES if host is None or self.allows_host(part.selected, host) else NO
        conditions = self._list_host_conditions(part.selected.card.id)
        literals = [
            writer.match_condition(where, part.host, part) for where in conditions
        ]
        return writer.program.make_all_of(literals)


def read_host_condition(card: Card, field: str) -> Where | None:
    """Return the condition on its host that a card states in a field, or None.

    No host meets a condition that cannot be read: the check of the pack reports it, and a squad
    must not profit.
    """
    value = card.get_field(field)
    if value is None:
        return None
    try:
        return Where.model_validate(value)
    except ValidationError:
        return Where(any=(Where(fields={}, none=(Where(),)),))


def resolve_references(condition: Where, other_card: Card) -> Where:
    """Replace references to the other card's fields by the values of these fields."""
    fields = {}
    for path, test in condition.fields.items():
        values = {}
        for name, operand in list_tests(test):
            if isinstance(operand, Ref):
                values[name] = other_card.get_field(operand.other)
        fields[path] = test.model_copy(update=values)
    update: dict[str, object] = {"fields": fields}
    for name in ("all", "any", "none"):
        conditions = getattr(condition, name)
        update[name] = tuple(
            resolve_references(inner, other_card) for inner in conditions
        )
    return condition.model_copy(update=update)
