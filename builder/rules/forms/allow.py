"""The `allow` form: an attachment is allowed on a bearer only under conditions, the rule's or its own."""

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
from builder.rules.forms.base import UNLIMITED, AdditionLimit, RuleForm, make_presence_watch
from builder.rules.names import Names
from builder.rules.query import CardTest, compile_where, find_conditions, list_tests
from builder.rules.rule_index import Watch
from builder.rules.violation import Violation
from builder.rules.wording import format_selection, format_where


class _HostLimit(AdditionLimit):
    """The room of an allow rule: any number, or none."""

    form: "AllowForm"

    def count_more(self, selected: SelectedCard) -> int:
        """None where the bearer may not carry it."""
        if selected.host is None or not self.form.selector.matches_card(selected):
            return UNLIMITED
        return UNLIMITED if self.form.allows_host(selected, selected.host) else 0

    def make_refusal(self, selected: SelectedCard) -> Violation:
        """That it may not."""
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
        self.host_matches = compile_where(rule.bearer) if rule.bearer is not None else None

    @cached_property
    def host_conditions(self) -> dict[str, Where]:
        """The conditions that cards state on their bearers, by card."""
        if self.rule.field is None:
            return {}
        stated = (
            (card.id, read_host_condition(card, self.rule.field))
            for card in self.pack.cards.values()
        )
        return {name: where for name, where in stated if where is not None}

    @cached_property
    def host_tests(self) -> dict[str, CardTest]:
        """The same, compiled."""
        return {name: compile_where(where) for name, where in self.host_conditions.items()}

    def allows_host(self, selected: SelectedCard, host: SelectedCard) -> bool:
        """True if the bearer may carry the pick."""
        if self.host_matches is not None and not self.host_matches(host, selected):
            return False
        own = self.host_tests.get(selected.card.id)
        return own is None or own(host, selected)

    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Every attachment on a bearer that may not carry it."""
        for selected in squad.attachments:
            if (
                selected.host is not None
                and self.selector.matches_card(selected)
                and not self.allows_host(selected, selected.host)
            ):
                yield self.make_refusal("not-allowed", selected, (selected.host,))

    def format_sentence(self, names: Names) -> str:
        """Who may carry what."""
        host = format_where(self.rule.bearer, names) if self.rule.bearer is not None else ""
        field = names.name_field(self.rule.field) if self.rule.field is not None else ""
        if not host:
            form = _("{select}: only on a model that the card itself allows ({field})")
        elif not field:
            form = _("{select}: only on a model {bearer}")
        else:
            form = _("{select}: only on a model {bearer} that the card itself allows ({field})")
        select = format_selection(self.rule.select, names)
        return names.translate(_(form, select=select, bearer=host, field=field))

    def format_message(self, violation: Violation, names: Names) -> str:
        """The two cards, and what the rule and the attachment itself ask of a bearer."""
        assert violation.subject is not None
        card = self.pack.cards[violation.subject.card]
        host = names.name_card(violation.counted[0].card)
        text = names.translate(
            _("{bearer} cannot have {subject}", bearer=host, subject=names.name_card(card.id))
        )
        stated = (self.rule.bearer, self.host_conditions.get(card.id))
        told = " ".join(
            format_where(resolve_references(where, card), names)
            for where in stated
            if where is not None
        )
        return text + (names.translate(_(": it needs a model {what}", what=told)) if told else "")

    def list_conditions(self) -> Iterator[Where]:
        """Those of the cards too."""
        yield from super().list_conditions()
        for where in self.host_conditions.values():
            yield from find_conditions(where)

    def describe_card(self, card: str) -> str:
        """The card's condition on its bearer."""
        return self.host_conditions[card].model_dump_json() if card in self.host_conditions else ""

    def make_card_watch(self, params: Params) -> Watch:
        """Return a watch for the attachments."""
        return make_presence_watch(self.rule.select)

    def can_carry(self, host: SelectedCard, load: Sequence[SelectedCard]) -> bool:
        """True if the bearer may carry each."""
        return all(
            self.allows_host(selected, host)
            for selected in load
            if self.selector.matches_card(selected)
        )

    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Give it to somebody else, or take it out."""
        yield from move_subject(violation, squad)
        yield from remove_subject(violation)

    def write_rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """An attachment that is there may be."""
        for part, literal in writer.find_parts(self.selector):
            writer.program.add_clause(
                [~part.is_present, ~literal, self._permitted(writer, part)], when
            )

    def _permitted(self, writer: RowWriter, part: Part) -> int:
        """The literal that its bearer may carry an attachment."""
        if part.host is None or not part.host.domains:
            host = part.selected.host
            return YES if host is None or self.allows_host(part.selected, host) else NO
        stated = (self.rule.bearer, self.host_conditions.get(part.selected.card.id))
        return writer.program.make_all_of(
            [writer.match_where(where, part.host, part) for where in stated if where is not None]
        )


def read_host_condition(card: Card, field: str) -> Where | None:
    """The condition that a card states on its bearer; None if it states none.

    One that cannot be read lets nobody pass: the pack's own check reports it, and a squad must not profit from it.
    """
    value = card.get_field(field)
    if value is None:
        return None
    try:
        return Where.model_validate(value)
    except ValidationError:
        return Where(any=(Where(fields={}, none=(Where(),)),))


def resolve_references(where: Where, other: Card) -> Where:
    """A condition with what it takes from the other card put in."""
    fields = {
        path: test.model_copy(
            update={
                part: other.get_field(wanted.other)
                for part, wanted in list_tests(test)
                if isinstance(wanted, Ref)
            }
        )
        for path, test in where.fields.items()
    }
    inner = {
        name: tuple(resolve_references(each, other) for each in getattr(where, name))
        for name in ("all", "any", "none")
    }
    return where.model_copy(update={"fields": fields, **inner})
