"""The `allow` form: an attachment is allowed on a bearer only under conditions, the rule's or its own."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from pydantic import ValidationError

from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.linear import NO, YES
from builder.model.pack import Pack
from builder.model.rules import Allow, Ref, Where
from builder.roster.resolve import Pick, Squad
from builder.rules.bounds import Params
from builder.rules.candidates import Candidate, elsewhere, removed
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import RowWriter
from builder.rules.decision_parts import Part
from builder.rules.forms.base import MANY, PickRoom, RuleForm, watch_for
from builder.rules.names import Names
from builder.rules.query import Passes, compile_where, conditions, parts
from builder.rules.rule_index import Watch
from builder.rules.violation import Violation
from builder.rules.wording import condition, selection


class _BearerRoom(PickRoom):
    """The room of an allow rule: any number, or none."""

    judging: "AllowForm"

    def more(self, pick: Pick) -> int:
        """None where the bearer may not carry it."""
        if pick.bearer is None or not self.judging.selector.takes(pick):
            return MANY
        return MANY if self.judging.permits(pick, pick.bearer) else 0

    def refusal(self, pick: Pick) -> Violation:
        """That it may not."""
        assert pick.bearer is not None
        return self.judging.refuse("not-allowed", pick, (pick.bearer,))


class AllowForm(RuleForm):
    """A compiled allow rule."""

    rule: Allow
    pick_room = _BearerRoom
    about_bearer = True
    no_room = ""

    def __init__(self, rule: Allow, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.bearer = compile_where(rule.bearer) if rule.bearer is not None else None

    @cached_property
    def asked(self) -> dict[str, Where]:
        """The conditions that cards state on their bearers, by card."""
        if self.rule.field is None:
            return {}
        stated = (
            (card.id, own_condition(card, self.rule.field)) for card in self.pack.cards.values()
        )
        return {name: where for name, where in stated if where is not None}

    @cached_property
    def own(self) -> dict[str, Passes]:
        """The same, compiled."""
        return {name: compile_where(where) for name, where in self.asked.items()}

    def permits(self, pick: Pick, bearer: Pick) -> bool:
        """True if the bearer may carry the pick."""
        if self.bearer is not None and not self.bearer(bearer, pick):
            return False
        own = self.own.get(pick.card.id)
        return own is None or own(bearer, pick)

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Every attachment on a bearer that may not carry it."""
        for pick in squad.attachments:
            if (
                pick.bearer is not None
                and self.selector.takes(pick)
                and not self.permits(pick, pick.bearer)
            ):
                yield self.refuse("not-allowed", pick, (pick.bearer,))

    def sentence(self, names: Names) -> str:
        """Who may carry what."""
        bearer = condition(self.rule.bearer, names) if self.rule.bearer is not None else ""
        field = names.field(self.rule.field) if self.rule.field is not None else ""
        if not bearer:
            form = _("{select}: only on a model that the card itself allows ({field})")
        elif not field:
            form = _("{select}: only on a model {bearer}")
        else:
            form = _("{select}: only on a model {bearer} that the card itself allows ({field})")
        select = selection(self.rule.select, names)
        return names.say(_(form, select=select, bearer=bearer, field=field))

    def message(self, violation: Violation, names: Names) -> str:
        """The two cards, and what the rule and the attachment itself ask of a bearer."""
        assert violation.subject is not None
        card = self.pack.cards[violation.subject.card]
        bearer = names.card(violation.counted[0].card)
        text = names.say(
            _("{bearer} cannot have {subject}", bearer=bearer, subject=names.card(card.id))
        )
        stated = (self.rule.bearer, self.asked.get(card.id))
        told = " ".join(
            condition(settled(where, card), names) for where in stated if where is not None
        )
        return text + (names.say(_(": it needs a model {what}", what=told)) if told else "")

    def conditions(self) -> Iterator[Where]:
        """Those of the cards too."""
        yield from super().conditions()
        for where in self.asked.values():
            yield from conditions(where)

    def stated_by(self, card: str) -> str:
        """The card's condition on its bearer."""
        return self.asked[card].model_dump_json() if card in self.asked else ""

    def watch_picks(self, params: Params) -> Watch:
        """Return a watch for the attachments."""
        return watch_for(self.rule.select)

    def fits_load(self, bearer: Pick, load: Sequence[Pick]) -> bool:
        """True if the bearer may carry each."""
        return all(self.permits(pick, bearer) for pick in load if self.selector.takes(pick))

    def repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Give it to somebody else, or take it out."""
        yield from elsewhere(violation, squad)
        yield from removed(violation)

    def rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """An attachment that is there may be."""
        for part, literal in writer.taken(self.selector):
            writer.program.clause([~part.on, ~literal, self._permitted(writer, part)], when)

    def _permitted(self, writer: RowWriter, part: Part) -> int:
        """The literal that its bearer may carry an attachment."""
        if part.bearer is None or not part.bearer.domains:
            bearer = part.pick.bearer
            return YES if bearer is None or self.permits(part.pick, bearer) else NO
        stated = (self.rule.bearer, self.asked.get(part.pick.card.id))
        return writer.program.all_of(
            [writer.where(where, part.bearer, part) for where in stated if where is not None]
        )


def own_condition(card: Card, field: str) -> Where | None:
    """The condition that a card states on its bearer; None if it states none.

    One that cannot be read lets nobody pass: the pack's own check reports it, and a squad must not profit from it.
    """
    value = card.field(field)
    if value is None:
        return None
    try:
        return Where.model_validate(value)
    except ValidationError:
        return Where(any=(Where(fields={}, none=(Where(),)),))


def settled(where: Where, other: Card) -> Where:
    """A condition with what it takes from the other card put in."""
    fields = {
        path: test.model_copy(
            update={
                part: other.field(wanted.other)
                for part, wanted in parts(test)
                if isinstance(wanted, Ref)
            }
        )
        for path, test in where.fields.items()
    }
    inner = {
        name: tuple(settled(each, other) for each in getattr(where, name))
        for name in ("all", "any", "none")
    }
    return where.model_copy(update={"fields": fields, **inner})
