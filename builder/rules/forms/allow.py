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
from builder.rules.decision_model import RowWriter
from builder.rules.decision_parts import Part
from builder.rules.forms.base import (
    UNLIMITED,
    AdditionLimit,
    RuleForm,
    make_presence_trigger,
)
from builder.rules.names import Names
from builder.rules.query import CardTest, compile_where, find_conditions, list_tests
from builder.rules.rule_index import CheckTrigger
from builder.rules.violation import Violation
from builder.rules.wording import format_selection, format_where


class _HostLimit(AdditionLimit):
    """The limit of an allow rule: any number, or none."""

    form: "AllowForm"

    def count_more(self, selected: SelectedCard) -> int:
        """Return 0 if the host may not have the card."""
        if selected.host is None or not self.form.selector.matches_card(selected):
            return UNLIMITED
        return UNLIMITED if self.form.allows_host(selected, selected.host) else 0

    def make_refusal(self, selected: SelectedCard) -> Violation:
        """Return the violation that the host may not have the card."""
        assert selected.host is not None
        return self.form.make_refusal("not-allowed", selected, (selected.host,))


class AllowForm(RuleForm):
    """A compiled allow rule."""

    rule: Allow
    limit_class = _HostLimit
    is_about_host = True
    no_removal_message = ""

    def __init__(self, rule: Allow, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.host_matches = (
            compile_where(rule.bearer) if rule.bearer is not None else None
        )

    @cached_property
    def host_conditions(self) -> dict[str, Where]:
        """The conditions of cards on their hosts, by card."""
        conditions = {}
        if self.rule.field is not None:
            for card in self.pack.cards.values():
                where = read_host_condition(card, self.rule.field)
                if where is not None:
                    conditions[card.id] = where
        return conditions

    @cached_property
    def host_tests(self) -> dict[str, CardTest]:
        """The compiled conditions of cards on their hosts, by card."""
        tests = {}
        for card_id, where in self.host_conditions.items():
            tests[card_id] = compile_where(where)
        return tests

    def allows_host(self, selected: SelectedCard, host: SelectedCard) -> bool:
        """Return True if the host may have the card."""
        if self.host_matches is not None and not self.host_matches(host, selected):
            return False
        card_test = self.host_tests.get(selected.card.id)
        return card_test is None or card_test(host, selected)

    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Yield every attachment on a host that may not have it."""
        for selected in squad.attachments:
            host = selected.host
            if host is None or not self.selector.matches_card(selected):
                continue
            if not self.allows_host(selected, host):
                yield self.make_refusal("not-allowed", selected, (host,))

    def format_sentence(self, names: Names) -> str:
        """Return the requirement: which hosts may have which cards."""
        host = (
            format_where(self.rule.bearer, names)
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
        """Return the two cards, and the conditions of the rule and of the attachment."""
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
            conditions.append(format_where(where, names))
        condition = " ".join(conditions)
        if condition:
            text += names.translate(_(": it needs a model {what}", what=condition))
        return text

    def _list_host_conditions(self, card_id: str) -> list[Where]:
        """Return the conditions of the rule and of a card on a host."""
        conditions = [] if self.rule.bearer is None else [self.rule.bearer]
        if card_id in self.host_conditions:
            conditions.append(self.host_conditions[card_id])
        return conditions

    def list_conditions(self) -> Iterator[Where]:
        """Yield the conditions of the rule and of its cards."""
        yield from super().list_conditions()
        for where in self.host_conditions.values():
            yield from find_conditions(where)

    def describe_card(self, card: str) -> str:
        """Return the card's condition on its host."""
        condition = self.host_conditions.get(card)
        return "" if condition is None else condition.model_dump_json()

    def make_card_trigger(self, params: Params) -> CheckTrigger:
        """Return the trigger: any attachment that the rule selects."""
        return make_presence_trigger(self.rule.select)

    def allows_load(self, host: SelectedCard, load: Sequence[SelectedCard]) -> bool:
        """Return True if the host may have each attachment."""
        selected_load = filter(self.selector.matches_card, load)
        return all(self.allows_host(selected, host) for selected in selected_load)

    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Yield the moves of the card to another entry, then its removal."""
        yield from move_subject(violation, squad)
        yield from remove_subject(violation)

    def write_rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """Write that an attachment that is present is allowed."""
        for part, literal in writer.find_parts(self.selector):
            clause = [~part.is_present, ~literal, self._make_allowed(writer, part)]
            writer.program.add_clause(clause, when)

    def _make_allowed(self, writer: RowWriter, part: Part) -> int:
        """Return the literal that a part's host may have it."""
        if part.host is None or not part.host.domains:
            # without open choices, the host's card decides now
            host = part.selected.host
            return YES if host is None or self.allows_host(part.selected, host) else NO
        conditions = self._list_host_conditions(part.selected.card.id)
        literals = [writer.match_where(where, part.host, part) for where in conditions]
        return writer.program.make_all_of(literals)


def read_host_condition(card: Card, field: str) -> Where | None:
    """Return the condition of a card on its host, or None if it has none.

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


def resolve_references(where: Where, other_card: Card) -> Where:
    """Return a condition with the values of the other card instead of references to its fields."""
    fields = {}
    for path, test in where.fields.items():
        values = {}
        for name, operand in list_tests(test):
            if isinstance(operand, Ref):
                values[name] = other_card.get_field(operand.other)
        fields[path] = test.model_copy(update=values)
    update: dict[str, object] = {"fields": fields}
    for name in ("all", "any", "none"):
        conditions = getattr(where, name)
        update[name] = tuple(
            resolve_references(inner, other_card) for inner in conditions
        )
    return where.model_copy(update=update)
