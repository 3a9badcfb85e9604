"""The authority on a squad: every rule of a pack, compiled once and asked in full."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from builder.findings import Severity
from builder.model.base import mentions
from builder.model.card import Card
from builder.model.pack import Pack, Role
from builder.model.rules import (
    Allow,
    Limit,
    LinkRule,
    Ref,
    Requires,
    Rule,
    RuleBase,
    Slots,
    Source,
    Where,
)
from builder.roster.resolve import Problem, Squad, alone
from builder.rules.choice_domains import OWN, CardClasses, ChoiceDomains
from builder.rules.forms.allow import AllowForm
from builder.rules.forms.base import RuleForm
from builder.rules.forms.limit import LimitForm
from builder.rules.forms.link import LinkForm
from builder.rules.forms.requires import RequiresForm
from builder.rules.forms.slots import SlotsForm
from builder.rules.query import asked_choices, choices_in, parts
from builder.rules.violation import Violation

FORMS: dict[type[RuleBase], type[RuleForm]] = {
    Limit: LimitForm,
    Slots: SlotsForm,
    Allow: AllowForm,
    LinkRule: LinkForm,
    Requires: RequiresForm,
}
"""The form of each rule in rules.yaml: a new one is a model, a module in `forms`, and a line here."""


def compile_rule(rule: Rule, pack: Pack) -> RuleForm:
    """One rule in its compiled form."""
    return FORMS[type(rule)](rule, pack)


class Evaluator:
    """All rules of a pack; `forms` in the order of rules.yaml."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.forms = tuple(compile_rule(rule, pack) for rule in pack.rules.rules)
        self._carriers: dict[tuple[str, bool], tuple[str, ...]] = {}
        self._by_id = {form.rule.id: form for form in self.forms}

    def form(self, rule: str) -> RuleForm:
        """The compiled form of the rule with this id."""
        return self._by_id[rule]

    def binding(self, params: Mapping[str, int | str]) -> Iterator[RuleForm]:
        """The rules that make a squad illegal and may be in force for these parameters."""
        for form in self.forms:
            if form.rule.severity is Severity.ERROR and form.binds(params):
                yield form

    def misplaced(self, squad: Squad) -> Iterator[Problem]:
        """Choices and ties that a model cannot have, and slots named for what takes none: they would change nothing."""
        declared = self.pack.manifest.roster.choices
        tied = {
            name: [form for form in self.forms if form.link == name]
            for name in self.pack.manifest.roster.links
        }
        for entry in squad.entries:
            for name, value in entry.choices.items():
                if name in declared and not self.domains.made_by(name, entry.card):
                    yield Problem("idle-choice", (*entry.path, name), name)
                elif name in declared and declared[name].field is not None:
                    items = self.domains.items(name, entry.card)
                    if value not in items:
                        yield Problem("wrong-choice", (*entry.path, name), value, items)
            for name in squad.roster.entries[entry.line].links:
                forms = tied.get(name)
                if forms and not any(form.selector.takes(entry) for form in forms):
                    yield Problem("idle-tie", (*entry.path, name), name)
        for pick in squad.attachments:
            if pick.slot is not None and not any(form.places(pick) for form in self.forms):
                yield Problem("idle-slot", (*pick.path, "slot"), pick.slot)

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Every violation, rule by rule."""
        for index in range(len(self.forms)):
            yield from self.judge_one(index, squad)

    def judge_one(self, index: int, squad: Squad) -> Iterator[Violation]:
        """The violations of one rule, by its place in rules.yaml."""
        form = self.forms[index]
        if form.applies(squad):
            yield from form.judge(squad)

    def carriers(self, card: Card, weak: bool = False) -> tuple[str, ...]:
        """Cards that every rule lets carry the card, looked for once; with `weak` whatever is chosen for them."""
        if (card.id, weak) not in self._carriers:
            forms = [
                form for form in self.forms if not (weak and self.domains.of_rule[form.rule.id])
            ]
            bearers = [
                alone(one) for one in self.pack.cards.values() if self.pack.role(one) is Role.ENTRY
            ]
            loads = ((bearer, (alone(card, Source.ATTACHMENTS, bearer),)) for bearer in bearers)
            found = (
                one.card.id
                for one, load in loads
                if all(form.fits_load(one, load) for form in forms)
            )
            self._carriers[card.id, weak] = tuple(sorted(found))
        return self._carriers[card.id, weak]

    @cached_property
    def domains(self) -> ChoiceDomains:
        """What may be chosen for models, as far as the rules care."""
        parts = {form.rule.id: (form.rule, *form.conditions()) for form in self.forms}
        asked = {
            rule: frozenset().union(*map(asked_choices, named)) for rule, named in parts.items()
        }
        return ChoiceDomains(self.pack, asked, self._conditions, self._values_read)

    @cached_property
    def card_classes(self) -> CardClasses:
        """The cards that the rules treat alike."""
        stated = {
            name: tuple(form.stated_by(name) for form in self.forms) for name in self.pack.cards
        }
        return CardClasses(self.pack.cards, self._conditions, self._values_read, stated)

    @cached_property
    def _conditions(self) -> tuple[Where, ...]:
        """Every condition of the rules and of the cards they read."""
        return tuple(where for form in self.forms for where in form.conditions())

    @cached_property
    def _values_read(self) -> frozenset[str]:
        """The fields and choices of which rules take the value itself."""
        named = (
            one
            for form in self.forms
            for one in mentions(form.rule)
            if one.ref == "field" and not one.key
        )
        found = {one.value for one in named}.difference(OWN)
        kinds = self.pack.manifest.kinds.values()
        found |= {steps.field for kind in kinds for steps in kind.costs if steps.field is not None}
        for where in self._conditions:
            for path, test in where.fields.items():
                if "{" in path:
                    # Each chosen item has fields of its own, so that no two values of the choice are alike.
                    found.update(f"choice.{name}" for name in choices_in(path))
                for _, wanted in parts(test):
                    if isinstance(wanted, Ref) and not (path == wanted.other and path in OWN):
                        found |= {path, wanted.other}
        return frozenset(found)
